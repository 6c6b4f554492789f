package phrase

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Fold makes texts alike that differ in what one does not write when one looks for something: capitals, accents, the
// width of letters, and whether kana are hiragana or katakana.
func Fold(s string) string {
	plain := true
	for i := range len(s) {
		plain = plain && s[i] < 0x80
	}
	if plain {
		return strings.ToLower(s)
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(s) {
		switch {
		case r == 'ß' || r == 'ẞ':
			b.WriteString("ss")
		case r >= 'ァ' && r <= 'ヶ':
			b.WriteRune(r - 'ァ' + 'ぁ')
		case unicode.Is(unicode.Mn, r) && r != 0x3099 && r != 0x309a: // those make other kana
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// Has reports whether all words of a search are somewhere in a text. Both are folded.
func Has(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}
