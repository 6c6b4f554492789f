package language

import (
	"fmt"
	"strconv"
	"strings"
)

// Entry is a sentence of a catalogue.
type Entry struct {
	English string
	Plural  string   // for other numbers than 1; "" where the sentence has only one form
	Text    []string // the translation, in each plural form; empty where there is none
	Files   []string // that have the sentence
}

// ParsePO reads a catalogue: gettext's format, of which it knows msgid, msgid_plural, msgstr and references. What is
// marked fuzzy counts as not translated. The header is left out.
func ParsePO(text string) (entries []Entry, err error) {
	var e Entry
	var into *string
	fuzzy := false
	flush := func() {
		if e.English != "" {
			if fuzzy {
				e.Text = nil
			}
			entries = append(entries, e)
		}
		e, into, fuzzy = Entry{}, nil, false
	}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "":
			flush()
			continue
		case word == "#:":
			e.Files = append(e.Files, strings.Fields(rest)...)
			continue
		case word == "#,":
			fuzzy = strings.Contains(rest, "fuzzy")
			continue
		case line[0] == '#':
			continue
		case word == "msgid":
			into = &e.English
		case word == "msgid_plural":
			into = &e.Plural
		case strings.HasPrefix(word, "msgstr"):
			e.Text = append(e.Text, "")
			into = &e.Text[len(e.Text)-1]
		case line[0] == '"':
			rest = line
		default:
			return nil, fmt.Errorf("line %d: %q is nothing that a catalogue has", i+1, line)
		}
		s, err := strconv.Unquote(rest)
		if err != nil || into == nil {
			return nil, fmt.Errorf("line %d: a text in quotes is missing", i+1)
		}
		*into += s
	}
	flush()
	return entries, nil
}
