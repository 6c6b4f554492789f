package wire

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nettplay/nettplay/internal/phrase"
)

// hidden are characters that could change how the text around them is shown, or
// that show nothing: controls (and so every terminal escape), marks that
// reorder text, fillers, tags, and what is no character. The list is fixed, so
// that every build of the program agrees on it.
var hidden = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x0000, Hi: 0x001f, Stride: 1},
		{Lo: 0x007f, Hi: 0x009f, Stride: 1},
		{Lo: 0x00ad, Hi: 0x00ad, Stride: 1},
		{Lo: 0x034f, Hi: 0x034f, Stride: 1},
		{Lo: 0x061c, Hi: 0x061c, Stride: 1},
		{Lo: 0x115f, Hi: 0x1160, Stride: 1},
		{Lo: 0x17b4, Hi: 0x17b5, Stride: 1},
		{Lo: 0x180b, Hi: 0x180f, Stride: 1},
		{Lo: 0x200b, Hi: 0x200f, Stride: 1},
		{Lo: 0x2028, Hi: 0x202e, Stride: 1},
		{Lo: 0x2060, Hi: 0x206f, Stride: 1},
		{Lo: 0x2800, Hi: 0x2800, Stride: 1},
		{Lo: 0x3164, Hi: 0x3164, Stride: 1},
		{Lo: 0xd800, Hi: 0xdfff, Stride: 1},
		{Lo: 0xfdd0, Hi: 0xfdef, Stride: 1},
		{Lo: 0xfe00, Hi: 0xfe0f, Stride: 1},
		{Lo: 0xfeff, Hi: 0xfeff, Stride: 1},
		{Lo: 0xffa0, Hi: 0xffa0, Stride: 1},
		{Lo: 0xfff0, Hi: 0xffff, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x1bca0, Hi: 0x1bca3, Stride: 1},
		{Lo: 0x1d173, Hi: 0x1d17a, Stride: 1},
		{Lo: 0xe0000, Hi: 0xe0fff, Stride: 1},
	},
	LatinOffset: 3,
}

// IsHidden reports whether a character must not be shown.
func IsHidden(r rune) bool {
	return r == utf8.RuneError || r&0xfffe == 0xfffe || unicode.Is(hidden, r)
}

// maxMarks is the number of combining marks that may stand on one character.
const maxMarks = 3

// Clean makes a text from anyone fit to be shown on one line: valid, without
// hidden characters, every run of white space one space, none at the ends, few
// combining marks on a character, and at most limit bytes. A sentence that is longer ends
// after a word, with an ellipsis; a name, for which there are less than 100 bytes, anywhere. Cleaning a clean text
// changes nothing.
func Clean(s string, limit int) string {
	var b strings.Builder
	marks, space, cut := maxMarks, false, false // no mark may stand first
	for _, r := range s {
		switch {
		case unicode.IsSpace(r) || r == 0x2028 || r == 0x2029:
			space, marks = b.Len() > 0, maxMarks
			continue
		case IsHidden(r):
			continue
		case unicode.In(r, unicode.Mn, unicode.Me):
			if marks++; marks > maxMarks {
				continue
			}
		default:
			marks = 0
		}
		need := utf8.RuneLen(r)
		if space {
			need++
		}
		if cut = b.Len()+need > limit; cut {
			break
		}
		if space {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(r)
	}
	if cut && limit >= sentence {
		return endWord(b.String(), limit)
	}
	return b.String()
}

// CleanPrinting is Clean without what does not print, which goes first: it keeps marks and spaces apart. What prints
// changes with Unicode's versions, so it is for what people read, and machines need not agree on. Cleaning a clean text
// changes nothing.
func CleanPrinting(s string, limit int) string { return Clean(phrase.Printable(s), limit) }

// sentence is the limit from which on a text is no name, longestWord how far back the end of a word is looked for.
const (
	sentence    = 100
	longestWord = 40
)

// endWord ends a text that was cut after a word, in at most limit bytes.
func endWord(s string, limit int) string {
	const more = "…"
	for len(s)+len(more) > limit {
		_, size := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-size]
	}
	if i := strings.LastIndexByte(s, ' '); i > len(s)-longestWord {
		s = s[:i]
	}
	return strings.TrimRight(s, " ,;:(-") + more
}
