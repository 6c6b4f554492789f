//go:build unix && !linux

package replay

import "os"

// nameless makes a file that is gone with the process. It has a name for a moment: there is no
// other way here.
func nameless(dir string) (*os.File, error) { return named(dir) }
