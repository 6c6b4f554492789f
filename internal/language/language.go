// Package language says the program's English in the languages of the console. Everything that is
// recorded, sent, hashed or logged is English; it is translated where it is shown, whoever wrote it: this
// window, a package below it, an error, or another machine. docs/decisions/0077 says why.
//
// A catalogue is a gettext file whose keys are the English sentences of the source. Those that the program
// puts together have blanks: %d is a number, %s a text that stays as it is, such as a name, %v a text that
// is translated in turn. A translation may take blanks in another order, %[2]s.
//
// Read next: internal/ui/widgets, which says everything that it draws.
package language

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed po/*.po
var files embed.FS

// Codes returns the languages that the program speaks, as the console lists them.
func Codes() []string { return []string{"ja", "en", "fr", "de", "it", "es"} }

// Names returns the languages' names for themselves, in the order of [Codes].
func Names() []string {
	return []string{"日本語", "English", "Français", "Deutsch", "Italiano", "Español"}
}

// Language is one language to say things in. It is safe for concurrent use.
type Language struct {
	code  string
	words *catalogue // nil for English

	mu   sync.Mutex
	said map[string]said
}

// said is what a text is in the language, and whether all of it was known.
type said struct {
	text  string
	known bool
}

// most is how many texts a language remembers: a few screens full.
const most = 4096

// Open returns a language by its code. English needs no catalogue.
func Open(code string) (*Language, error) {
	l := &Language{code: code, said: map[string]said{}}
	if !slices.Contains(Codes(), code) {
		return nil, fmt.Errorf("there is no language %q: %s", code, strings.Join(Codes(), ", "))
	}
	if code == "en" {
		return l, nil
	}
	data, err := files.ReadFile("po/" + code + ".po")
	if err != nil {
		return nil, fmt.Errorf("the texts of the language %q: %w", code, err)
	}
	entries, err := ParsePO(string(data))
	if err != nil {
		return nil, fmt.Errorf("the texts of the language %q: %w", code, err)
	}
	l.words = newCatalogue(code, entries)
	return l, nil
}

// Code is the language's, "en" for a nil Language.
func (l *Language) Code() string {
	if l == nil {
		return "en"
	}
	return l.code
}

// Say returns an English text in the language. What no catalogue knows stays as it is. A nil Language says English.
func (l *Language) Say(english string) string {
	s, _ := l.Know(english)
	return s
}

// Know is Say that tells also whether all of the text was known, names and numbers aside.
func (l *Language) Know(english string) (text string, known bool) {
	if l == nil || l.words == nil || english == "" {
		return english, true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	s, ok := l.said[english]
	if !ok {
		l.words.steps = 0
		s.text, s.known = l.words.text(english, 0)
		if len(l.said) >= most { // they change all the time, such as figures
			clear(l.said)
		}
		l.said[strings.Clone(english)] = s
	}
	return s.text, s.known
}
