//go:build unix

package disk

import "os"

func openFile(path string, flags int) (*os.File, error) { return os.OpenFile(path, flags, 0) }
