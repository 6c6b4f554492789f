// Package phrase writes small texts for people: numbers with their noun, sizes, and texts
// from anywhere made to fit where they are shown.
//
// Read next: internal/wire, whose Clean makes a text from another machine fit to be shown.
package phrase

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Count is a number with its noun, "1 frame" or "2 frames".
func Count[N int | int64](n N, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// Nameless stands for a name that shows nothing.
const Nameless = "(no name)"

// OrNameless is a stranger's text once it was made fit to be shown, [Nameless] where nothing was left of it.
func OrNameless(fit, text string) string {
	if fit == "" && text != "" {
		return Nameless
	}
	return fit
}

// List writes "Ann", "Ann and Bob", "Ann, Bob and Carol".
func List(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// Span writes a length of time, "1 minute" or "90 seconds"; below a second as Go does.
func Span(d time.Duration) string {
	switch {
	case d < time.Second:
		return d.String()
	case d%time.Minute == 0:
		return Count(int64(d/time.Minute), "minute")
	}
	return Count(int64(d.Round(time.Second)/time.Second), "second")
}

// Megabytes writes a number of bytes.
func Megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

// Sentence begins with a capital, and ends as [Ended] does.
func Sentence(s string) string { return Ended(Capital(s)) }

// Capital is a text that begins with a capital letter, unless its first word is a name that has its capitals
// elsewhere, as melonDS does, or none, as nettplay.
func Capital(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	if word, _, _ := strings.Cut(s, " "); strings.ContainsFunc(word[size:], unicode.IsUpper) || strings.HasPrefix(word, "nettplay") {
		return s
	}
	return string(unicode.ToUpper(first)) + s[size:]
}

// Ended is a text that ends in a full stop, unless it ends as sentences do already.
func Ended(s string) string {
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".?!:") {
		return s
	}
	return s + "."
}

// Shorten cuts a text to so many letters, of which the last is an ellipsis then.
func Shorten(s string, letters int) string {
	if r := []rune(s); len(r) > letters {
		return string(r[:max(letters-1, 0)]) + "…"
	}
	return s
}

// Cut shortens a text to so many bytes, between two characters.
func Cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

// Printable makes one line of a text: every white space is a space, and what does not print is
// dropped, such as controls, marks that turn the direction of writing, and invalid UTF-8.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == utf8.RuneError || !unicode.IsPrint(r):
			return -1
		}
		return r
	}, s)
}

// Named is the word for a value, and otherwise where there is none.
func Named[T ~uint8](words []string, v T, otherwise string) string {
	if int(v) < len(words) && words[v] != "" {
		return words[v]
	}
	return otherwise
}

// Wrap breaks a text between words into lines of at most so many letters.
func Wrap(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(lines, line)
}
