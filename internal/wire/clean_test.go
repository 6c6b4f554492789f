package wire

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"":                                "",
		"Bob":                             "Bob",
		"  two \t\n words ":               "two words",
		"\x1b[31mred\x1b[0m":              "[31mred[0m",
		"\u009b31m":                       "31m", // the one-byte escape
		"abc\u202edcba":                   "abcdcba",
		"a\u2067b\u2069c\u200fd\u061ce":   "abcde",
		"zero\u200bwidth\ufeff":           "zerowidth",
		"\u3164\u2800\u115f":              "",
		"tag\U000e0041\U000e007f":         "tag",
		"bad\xff\xfeutf\xc3":              "badutf",
		"\ufffd\uffff\U0001ffff":          "",
		"日本語 ボブ":                          "日本語 ボブ",
		"é e\u0301":                       "é e\u0301",
		"\u0301\u0302x":                   "x", // marks that would stand on what is before
		"z" + strings.Repeat("\u0334", 9): "z" + strings.Repeat("\u0334", 3),
		"line\u2028sep\u0085end":          "line sep end",
		"full\u3000width":                 "full width",
		"\U0001f600 ok":                   "\U0001f600 ok",
	} {
		if got := Clean(in, 100); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
	if got := Clean("ああああ", 10); got != "あああ" {
		t.Errorf("cut to 10 bytes: %q", got)
	}
	if got := Clean("word word", 5); got != "word" {
		t.Errorf("cut to 5 bytes: %q", got)
	}
}

// A sentence that is too long ends after a word.
func TestCleanEndsAfterAWord(t *testing.T) {
	for in, want := range map[string]string{
		strings.Repeat("word ", 40):                            strings.Repeat("word ", 24) + "word…",
		strings.Repeat("word ", 23) + "and (there, more of it": strings.Repeat("word ", 23) + "and…",
		strings.Repeat("x", 200):                               strings.Repeat("x", 125) + "…",
		strings.Repeat("あ", 100):                               strings.Repeat("あ", 41) + "…",
		strings.Repeat("word ", 25) + "end":                    strings.Repeat("word ", 25) + "end",
	} {
		if got := Clean(in, 128); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("\x1b[31mB\u0301\u202eob \t\n x", 10)
	f.Add("a\u0301\u200b\u0301\u0301\u0301\u0301 b", 7)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit &= 0xff
		got := Clean(s, limit)
		if len(got) > limit || !utf8.ValidString(got) || strings.ContainsFunc(got, IsHidden) || strings.TrimSpace(got) != got {
			t.Fatalf("%q became %q", s, got)
		}
		if again := Clean(got, limit); again != got {
			t.Fatalf("%q became %q, then %q", s, got, again)
		}
	})
}
