package link

import (
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                   "plain",
		"  two\nlines\t":          "two lines",
		"bad \xff\xfe bytes":      "bad    bytes",
		"a \u202Etrick\u2028":     "a  trick",
		strings.Repeat("é", 150):  strings.Repeat("é", 100),
		strings.Repeat("x", 5000): strings.Repeat("x", 200),
		"\x1b[31mred":             "[31mred",
	} {
		if got := Words(in, MaxReason); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
