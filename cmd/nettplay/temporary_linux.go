package main

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// useTemporaryFolder has temporary files go where the user's session keeps its own, unless the
// user has named a folder: so nothing is written outside of the XDG folders. Where there is no
// such folder they go to the system's, or, if that cannot be written, into the cache.
func useTemporaryFolder() {
	if os.Getenv("TMPDIR") != "" {
		return
	}
	if run := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(run) && writable(run) {
		os.Setenv("TMPDIR", run)
		return
	}
	if writable(os.TempDir()) {
		return
	}
	if cache, err := os.UserCacheDir(); err == nil {
		dir := filepath.Join(cache, "nettplay")
		if os.MkdirAll(dir, 0o700) == nil && writable(dir) {
			os.Setenv("TMPDIR", dir)
		}
	}
}

func writable(dir string) bool { return unix.Access(dir, unix.W_OK|unix.X_OK) == nil }

// writableFile tells whether something that is no regular file can be written to.
func writableFile(path string) bool { return unix.Access(path, unix.W_OK) == nil }
