//go:build unix

package disk

import "os"

// named makes a file that is gone with the process, and has a name for a moment.
func named(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, namelessPrefix+"*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
