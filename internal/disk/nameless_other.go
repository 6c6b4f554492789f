//go:build unix && !linux

package disk

import "os"

// Nameless makes a file in a folder that is gone with the process. It has a name for a moment: there is no
// other way here.
func Nameless(dir string) (*os.File, error) { return named(dir) }
