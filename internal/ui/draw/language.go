package draw

import (
	"strings"

	"github.com/nettplay/nettplay/internal/language"
)

// verbatim, a word joiner, is before a text that is not to be translated. It is never drawn.
const verbatim = "\u2060"

// Verbatim marks a text that is the same in every language, such as a name.
func Verbatim(text string) string {
	if text == "" {
		return ""
	}
	return verbatim + text
}

// SetLanguage says in which language texts are to be drawn; nil is English.
func (l *List) SetLanguage(to *language.Language) { l.language = to }

// Language returns that of SetLanguage.
func (l *List) Language() *language.Language { return l.language }

// Say is an English text in the language. What measures and draws texts takes them as they are: say them before.
func (l *List) Say(english string) string {
	if as, ok := strings.CutPrefix(english, verbatim); ok {
		return as
	}
	return l.language.Say(english)
}
