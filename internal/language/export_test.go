package language

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	xlanguage "golang.org/x/text/language"
)

// What only the tests do with catalogues.

// Forms is how many plural forms a language has.
func Forms(code string) int { return len(forms(xlanguage.Make(code))) }

// Blanks are those of a sentence, in the order of its arguments: nil where a translation names one that is not there.
func Blanks(text string) (list []byte) {
	next := 0
	found := map[int]byte{}
	for i := 0; i < len(text); i++ {
		if text[i] != '%' || i+1 == len(text) {
			continue
		}
		i++
		if text[i] == '%' {
			continue
		}
		if text[i] == '[' {
			n, after, _ := strings.Cut(text[i+1:], "]")
			next, _ = strconv.Atoi(n)
			next--
			i = len(text) - len(after)
		}
		if i < len(text) {
			found[next] = cmp.Or(found[next], text[i])
		}
		next++
	}
	for i := range len(found) {
		b, ok := found[i]
		if !ok {
			return nil
		}
		list = append(list, b)
	}
	return list
}

// WritePO is a catalogue as a file. Entries of which a language has no translation have an empty one.
func WritePO(header string, entries []Entry, forms int) string {
	var out strings.Builder
	out.WriteString(header)
	for _, e := range entries {
		fmt.Fprintf(&out, "\n#: %s\nmsgid %s\n", strings.Join(e.Files, " "), quote(e.English))
		if e.Plural == "" {
			fmt.Fprintf(&out, "msgstr %s\n", quotedForm(e, 0))
			continue
		}
		fmt.Fprintf(&out, "msgid_plural %s\n", quote(e.Plural))
		for i := range forms {
			fmt.Fprintf(&out, "msgstr[%d] %s\n", i, quotedForm(e, i))
		}
	}
	return out.String()
}

func quotedForm(e Entry, i int) string {
	text := ""
	if i < len(e.Text) {
		text = e.Text[i]
	}
	return quote(text)
}

// quote is a text in quotes, in which letters stay as they are.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(s) + `"`
}
