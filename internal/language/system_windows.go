package language

import (
	"os"

	"golang.org/x/sys/windows"
)

// preferred are the languages of the user: those of the variables of a POSIX shell, if it has them, and those that the
// settings of Windows list.
func preferred() []string {
	list, _ := windows.GetUserPreferredUILanguages(windows.MUI_LANGUAGE_NAME) // none where it fails
	return append(asSet(os.Getenv), list...)
}
