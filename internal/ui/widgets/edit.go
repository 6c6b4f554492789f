package widgets

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nettplay/nettplay/internal/ui/draw"
)

// editor is a text being changed; caret and anchor are the ends of the selection, in bytes.
type editor struct {
	text          string
	caret, anchor int
	max           int // runes
}

// settle brings caret and anchor to where letters begin: the text may be another than it was.
func (e *editor) settle() {
	e.caret, e.anchor = boundary(e.text, e.caret), boundary(e.text, e.anchor)
}

// boundary returns the last beginning of a letter at or before i.
func boundary(s string, i int) int {
	for at, c := range draw.Clusters(s) {
		if at+len(c) > i {
			return at
		}
	}
	return len(s)
}

func (e *editor) selection() (from, to int) {
	return min(e.caret, e.anchor), max(e.caret, e.anchor)
}

func (e *editor) selected() string {
	from, to := e.selection()
	return e.text[from:to]
}

// insert replaces the selection by what may be typed of s.
func (e *editor) insert(s string) {
	from, to := e.selection()
	rest := utf8.RuneCountInString(e.text) - utf8.RuneCountInString(e.text[from:to])
	s = clean(s, max(e.max-rest, 0))
	if s == "" && from == to {
		return
	}
	e.replace(s)
}

// replace replaces the selection.
func (e *editor) replace(s string) {
	from, to := e.selection()
	e.text = e.text[:from] + s + e.text[to:]
	e.move(from+len(s), false)
	e.settle()
}

// clean returns the first most runes of s that may be typed, with spaces for line ends.
func clean(s string, most int) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(s, "\ufffd") {
		if r == '\n' || r == '\t' {
			r = ' '
		}
		if most == 0 {
			break
		}
		if !typable(r) {
			continue
		}
		b.WriteRune(r)
		most--
	}
	return b.String()
}

// typable reports whether r prints, or joins what does.
func typable(r rune) bool {
	return unicode.IsPrint(r) || r == '\u200d' || r == '\ufe0f' || r == '\u3000'
}

// remove removes the selection, or the letter or word beside the caret.
func (e *editor) remove(back, word bool) {
	if e.caret == e.anchor {
		e.anchor = e.next(back, word)
	}
	e.replace("")
}

// next returns where the caret comes by one letter or word.
func (e *editor) next(back, word bool) int {
	switch {
	case back && word:
		before := strings.TrimRightFunc(e.text[:e.caret], notWord)
		return len(strings.TrimRightFunc(before, isWord))
	case back:
		return e.caret - draw.PreviousCluster(e.text[:e.caret])
	case word:
		behind := strings.TrimLeftFunc(e.text[e.caret:], notWord)
		return len(e.text) - len(strings.TrimLeftFunc(behind, isWord))
	default:
		return e.caret + draw.NextCluster(e.text[e.caret:])
	}
}

func isWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_'
}
func notWord(r rune) bool { return !isWord(r) }

// move moves the caret; the selection goes along unless extend is set.
func (e *editor) move(to int, extend bool) {
	e.caret = to
	if !extend {
		e.anchor = to
	}
}

// arrow moves the caret by an arrow key; without Shift, to that end of a selection.
func (e *editor) arrow(back, word, extend bool) {
	if from, to := e.selection(); from != to && !extend && !word {
		if back {
			to = from
		}
		e.move(to, false)
		return
	}
	e.move(e.next(back, word), extend)
}

// word selects the word around a place.
func (e *editor) word(at int) {
	e.caret = at
	before := strings.TrimRightFunc(e.text[:at], isWord)
	after := strings.TrimLeftFunc(e.text[at:], isWord)
	e.anchor, e.caret = len(before), len(e.text)-len(after)
	e.settle()
}
