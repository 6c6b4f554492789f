package replay

import (
	"strings"

	"github.com/nettplay/nettplay/internal/phrase"
)

// clean makes a text from a file, or for one, fit to be shown on one line: valid,
// without characters that are not seen or that act on those around them, and at
// most maxText bytes.
func clean(s string) string { return strings.TrimSpace(phrase.Cut(phrase.Printable(s), maxText)) }
