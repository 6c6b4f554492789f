package draw

import (
	"iter"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// NextCluster returns how many bytes of s a reader takes for its first letter:
// a rune with the marks that combine with it, a pair of regional indicators, or
// symbols tied by a zero-width joiner. It is 0 only for an empty s. A caret
// stands between clusters. (A simple form of Unicode Standard Annex 29.)
func NextCluster(s string) int {
	if len(s) > 0 && s[0] < 0x80 && (len(s) == 1 || s[1] < 0x80) {
		return 1
	}
	r, n := utf8.DecodeRuneInString(s)
	flag := isFlag(r)
	for n < len(s) {
		q, size := utf8.DecodeRuneInString(s[n:])
		switch {
		case combining(q) || q == joiner || isSkin(q):
		case r == joiner && q > 0x2000:
		case flag && isFlag(q):
			flag = false
		default:
			return n
		}
		n += size
		r = q
	}
	return n
}

// PreviousCluster returns how many bytes the last letter of s has, as
// [NextCluster] takes letters from the beginning of s on.
func PreviousCluster(s string) (n int) {
	for _, c := range Clusters(s) {
		n = len(c)
	}
	return n
}

// Clusters yields the letters of s as [NextCluster] takes them, each with its place.
func Clusters(s string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for i := 0; i < len(s); {
			n := NextCluster(s[i:])
			if !yield(i, s[i:i+n]) {
				return
			}
			i += n
		}
	}
}

const joiner = '\u200d'

func isFlag(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }
func isSkin(r rune) bool { return r >= 0x1f3fb && r <= 0x1f3ff }

// combining reports whether r is put over the letter before it.
func combining(r rune) bool {
	return r >= 0x300 && unicode.In(r, unicode.Mn, unicode.Me)
}

// silent reports whether r has neither width nor picture: control characters,
// and the invisible ones that could turn text around.
func silent(r rune) bool {
	return r < 0x20 || r >= 0x7f && r < 0xa0 || r >= 0x200b && unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Zl, unicode.Zp)
}

// composed returns a cluster with its marks composed, as most fonts have it.
func composed(cluster string) string {
	if _, n := utf8.DecodeRuneInString(cluster); n == len(cluster) {
		return cluster
	}
	return norm.NFC.String(cluster)
}
