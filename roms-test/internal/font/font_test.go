package font_test

import (
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/roms-test/internal/font"
)

func source(t testing.TB) string {
	t.Helper()
	return string(must.Read(t, "../../src/font.txt"))
}

func TestParse(t *testing.T) {
	f, err := font.Parse(source(t))
	must.Succeed(t, err)
	for c, want := range map[byte]font.Glyph{
		' ': {},
		'L': {0x60, 0x60, 0x60, 0x60, 0x60, 0x60, 0x7E, 0},
		'-': {0, 0, 0, 0x3C, 0, 0, 0, 0},
	} {
		if got := f[c-font.First]; got != want {
			t.Errorf("%q is %02X, want %02X", c, got, want)
		}
	}
}

// Text can be read from a picture only if no two characters look the same, and if
// the last pixel of the first row always is paper.
func TestGlyphsCanBeTold(t *testing.T) {
	f, err := font.Parse(source(t))
	must.Succeed(t, err)
	seen := make(map[font.Glyph]rune)
	for i, g := range f {
		c := rune(font.First + i)
		if other, ok := seen[g]; ok {
			t.Errorf("%q looks like %q", c, other)
		}
		seen[g] = c
		for y, row := range g {
			if row&1 != 0 {
				t.Errorf("%q has ink in the last column of row %d", c, y)
			}
		}
	}
}

func TestParseErrors(t *testing.T) {
	good := source(t)
	lines := strings.Split(good, "\n")
	replace := func(i int, line string) string {
		l := append([]string{}, lines...)
		l[i] = line
		return strings.Join(l, "\n")
	}
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "font: 1 lines, not 107"},
		{"too long", good + "\n\n", "font: 109 lines, not 107"},
		{"short line", replace(0, lines[0][1:]), "font: line 1: 70 characters, not 71"},
		{"wrong character", replace(3, "x"+lines[3][1:]), "font: line 4: unexpected 'x' in column 1"},
		{"no gap", replace(3, lines[3][:8]+"."+lines[3][9:]), "font: line 4: unexpected '.' in column 9"},
		{"no empty line", replace(8, "...."), `font: line 9: "...." between two bands, which is to be empty`},
	} {
		if _, err := font.Parse(c.text); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

func TestC(t *testing.T) {
	f, err := font.Parse(source(t))
	must.Succeed(t, err)
	c := f.C()
	for _, want := range []string{
		"static const u8 font[96][8] = {\n",
		"\t{0x60, 0x60, 0x60, 0x60, 0x60, 0x60, 0x7E, 0x00}, // 'L'\n",
	} {
		if !strings.Contains(c, want) {
			t.Errorf("no %q in\n%s", want, c)
		}
	}
	if n := strings.Count(c, "\t{"); n != font.Count {
		t.Errorf("%d glyphs in C, not %d", n, font.Count)
	}
}

func FuzzParse(f *testing.F) {
	good := source(f)
	f.Add(good)
	f.Add("")
	f.Add(strings.Replace(good, "#", "x", 1))
	f.Add(good[:len(good)/2])
	f.Fuzz(func(t *testing.T, text string) {
		fn, err := font.Parse(text)
		if (fn == nil) != (err != nil) {
			t.Errorf("font %v and error %v", fn, err)
		}
	})
}
