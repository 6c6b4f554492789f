package replay

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean makes a text from a file, or for one, fit to be shown on one line: valid,
// without characters that are not seen or that act on those around them, and at
// most maxText bytes.
func clean(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			r = ' '
		case r == utf8.RuneError, !unicode.IsPrint(r):
			continue
		}
		if b.Len()+utf8.RuneLen(r) > maxText {
			break
		}
		b.WriteRune(r)
	}
	return strings.TrimSpace(b.String())
}
