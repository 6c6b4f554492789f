package phrase_test

import (
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/phrase"
)

func TestWords(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{phrase.Count(1, "frame"), "1 frame"},
		{phrase.Count(int64(0), "frame"), "0 frames"},
		{phrase.Megabytes(20_000_000), "20.0 MB"},
		{phrase.Span(time.Second), "1 second"},
		{phrase.Span(90 * time.Second), "90 seconds"},
		{phrase.Span(2 * time.Minute), "2 minutes"},
		{phrase.Span(300 * time.Millisecond), "300ms"},
		{phrase.Sentence("éa"), "Éa."},
		{phrase.Sentence("Why?"), "Why?"},
		{phrase.Sentence("melonDS DS passed its check"), "melonDS DS passed its check."},
		{phrase.Sentence("nettplay needs a core"), "nettplay needs a core."},
		{phrase.Sentence("the SHA-256"), "The SHA-256."},
		{phrase.Sentence(""), ""},
		{phrase.Ended("these:"), "these:"},
		{phrase.Shorten("Zelda", 5), "Zelda"},
		{phrase.Shorten("ゼルダの伝説", 4), "ゼルダ…"},
		{phrase.Shorten("Zelda", 0), "…"},
		{phrase.Cut("Zelda", 5), "Zelda"},
		{phrase.Cut("éé", 3), "é"},
		{phrase.Cut("é", 1), ""},
		{phrase.Printable("a\tb\n\x1b[31m\u202ec\xff\u00a0d"), "a b [31mc d"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestWrap(t *testing.T) {
	got := phrase.Wrap("one two  three andaverylongword four", 9)
	if want := []string{"one two", "three", "andaverylongword", "four"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
