//go:build !windows

package language

import "os"

// preferred are the languages of the user.
func preferred() []string { return asSet(os.Getenv) }
