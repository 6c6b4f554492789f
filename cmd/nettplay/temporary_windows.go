package main

import "os"

// useTemporaryFolder: Windows has one for each user.
func useTemporaryFolder() {}

// writable tells whether files can be made in a folder, which no right that can be asked for says for sure.
func writable(dir string) bool {
	f, err := os.CreateTemp(dir, ".nettplay-*.tmp")
	if err != nil {
		return false
	}
	f.Close()
	return os.Remove(f.Name()) == nil
}

// writableFile tells whether something that is no regular file can be written to.
func writableFile(path string) bool {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return false
	}
	return f.Close() == nil
}
