package draw

import (
	"image"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/nettplay/nettplay/internal/language"
	"github.com/nettplay/nettplay/internal/testing/must"
)

func newTestList(t testing.TB, config []string) (*List, *Store) {
	t.Helper()
	store := &Store{}
	fonts, err := NewFonts(store, config)
	must.Succeed(t, err)
	l := NewList(fonts)
	l.Reset(image.Pt(640, 480), 1)
	return l, store
}

// noSystem leaves out the fonts of this machine.
var noSystem = []string{}

var body = Style{Size: 15}

func TestClusters(t *testing.T) {
	for _, want := range [][]string{
		{"a", "b"},
		{"e\u0301", "x"},
		{"👩\u200d🚀", "🇯🇵", "🇫🇷", "👍🏽", "x"},
		{"は\u309a", "漢", "字"},
		{"\u0301", "a"},
		{"\xff", "\xfe", "a"},
		{"❤\ufe0f", "!"},
	} {
		s := strings.Join(want, "")
		var forward, backward []string
		for rest := s; rest != ""; rest = rest[NextCluster(rest):] {
			forward = append(forward, rest[:NextCluster(rest)])
		}
		for rest := s; rest != ""; {
			n := PreviousCluster(rest)
			backward = append(backward, rest[len(rest)-n:])
			rest = rest[:len(rest)-n]
		}
		slices.Reverse(backward)
		if !slices.Equal(forward, want) || !slices.Equal(backward, want) {
			t.Errorf("%q: forward %q, backward %q", want, forward, backward)
		}
	}
	if NextCluster("") != 0 || PreviousCluster("") != 0 {
		t.Error("the empty text has a letter")
	}
}

// ink returns how many pixels s leaves, and where the last column of them is.
func ink(t *testing.T, config []string, st Style, s string) (pixels, right int) {
	t.Helper()
	l, store := newTestList(t, config)
	l.Text(Pt(10, 10), st, s, White)
	img := Raster(l, store)
	for i := 0; i < len(img.Pix); i += 4 {
		if img.Pix[i] > 40 {
			pixels++
			right = max(right, i/4%640)
		}
	}
	return pixels, right
}

// TestZeroIsPlain: nothing shows in the middle of a zero among words, and a stroke in one to be typed.
func TestZeroIsPlain(t *testing.T) {
	for _, weight := range []Weight{Regular, Medium, Bold, Mono} {
		st := Style{Size: 60, Weight: weight}
		l, store := newTestList(t, noSystem)
		l.TextIn(R(0, 0, 100, 100), st, "0", White, Middle)
		o, left, right := 0, 100, 0
		img := Raster(l, store)
		for y := range 100 {
			for x := range 100 {
				if img.RGBAAt(x, y).R > 40 {
					o, left, right = o+y, min(left, x), max(right, x)
				}
			}
		}
		middle := false
		for y := 40; y < 60; y++ {
			middle = middle || img.RGBAAt((left+right)/2, y).R > 40
		}
		if o == 0 || middle != (weight == Mono) {
			t.Errorf("weight %d: something in the middle: %v", weight, middle)
		}
	}
}

func TestEveryScriptShows(t *testing.T) {
	for _, s := range []string{"Ann", "Ångström", "Ελένη", "Пётр", "アンナ", "山田太郎", "김철수", "王小明", "★♪", "\U000f0000"} {
		if n, _ := ink(t, noSystem, body, s); n < 10 {
			t.Errorf("%q leaves %d pixels", s, n)
		}
	}
}

// Letters that no font has show as boxes, one each; marks upon them have none, and a space stays one.
func TestLettersWithoutFontAreBoxes(t *testing.T) {
	box, _ := ink(t, noSystem, body, "\U000f0000")
	for s, letters := range map[string]int{"ก": 1, "สมชาย": 5, "अमित": 4, "தமிழ்": 4, "\u3000": 0, "\u2003": 0} {
		if n, _ := ink(t, noSystem, body, s); n != letters*box {
			t.Errorf("%q leaves %d pixels; %d boxes of %d are wanted", s, n, letters, box)
		}
	}
	if l, _ := newTestList(t, noSystem); l.Width(body, "\u3000") == 0 {
		t.Error("a wide space has no width")
	}
}

func TestSystemFontIsTaken(t *testing.T) {
	found := ""
	for _, path := range SystemFonts() {
		if _, err := os.Stat(path); err == nil {
			found = path
			break
		}
	}
	if found == "" {
		t.Skip("SKIPPED: this system has no font with Japanese letters")
	}
	mine, _ := ink(t, noSystem, body, "漢字")
	system, _ := ink(t, []string{"/nowhere.ttf", "/etc/passwd", found}, body, "漢字")
	if mine == system {
		t.Errorf("%s is not used: %d pixels as without it", found, mine)
	}
}

// A name cannot hide what stands behind it, nor turn it around.
func TestNamesFromStrangers(t *testing.T) {
	l, _ := newTestList(t, noSystem)
	for _, s := range []string{"\u202e", "\u200b\u200f", "\x00\x1b[31m"[:2], "\u2066", "\n\r\t", "\ufeff"} {
		if w := l.Width(body, s); w != 0 {
			t.Errorf("%q is %g wide", s, w)
		}
	}
	pile := "a" + strings.Repeat("\u0301", 500)
	one, high := l.Width(body, pile), 0
	if one > 3*l.Width(body, "a") {
		t.Errorf("marks widen a letter to %g", one)
	}
	l.Text(Pt(10, 200), body, pile, White)
	l.Each(func(_ Texture, quads []Vertex) {
		for _, v := range quads {
			if v.Y < 190 || v.Y > 230 {
				high++
			}
		}
	})
	if high > 0 {
		t.Errorf("%d corners of marks lie in other lines", high)
	}
}

func TestComposedAndNotAreAlike(t *testing.T) {
	a, right := ink(t, noSystem, body, "é")
	b, right2 := ink(t, noSystem, body, "e\u0301")
	if a != b || right != right2 {
		t.Errorf("é leaves %d pixels, e with an accent %d", a, b)
	}
}

func TestEllipsis(t *testing.T) {
	const name = "a rather long nickname アンナ"
	l, _ := newTestList(t, noSystem)
	all := l.Width(body, name)
	for w := float32(0); w < all+20; w += 3 {
		l.Reset(image.Pt(640, 480), 1)
		l.TextIn(R(100, 0, w, 30), body, name, White, Start)
		if cut := l.Texts()[0].Cut; cut != (w < all-0.5) {
			t.Errorf("in %g of %g points: cut %t", w, all, cut)
		}
		l.Each(func(_ Texture, quads []Vertex) {
			for _, v := range quads {
				if v.X > 100+max(w, l.Width(body, "…"))+2 {
					t.Errorf("in %g points something is at %g", w, v.X-100)
				}
			}
		})
	}
}

func TestAlignment(t *testing.T) {
	l, _ := newTestList(t, noSystem)
	edges := func(a Align) (left, right float32) {
		l.Reset(image.Pt(640, 480), 1)
		l.TextIn(R(100, 0, 200, 30), body, "HH", White, a)
		left, right = 1000, 0
		l.Each(func(_ Texture, quads []Vertex) {
			for _, v := range quads {
				left, right = min(left, v.X), max(right, v.X)
			}
		})
		return left - 100, 300 - right
	}
	if left, _ := edges(Start); left > 3 {
		t.Errorf("start: %g from the left", left)
	}
	if _, right := edges(End); right > 3 {
		t.Errorf("end: %g from the right", right)
	}
	if left, right := edges(Middle); left-right > 2 || right-left > 2 {
		t.Errorf("middle: %g from the left, %g from the right", left, right)
	}
}

func TestWrap(t *testing.T) {
	l, _ := newTestList(t, noSystem)
	wrap := func(s string, width float32) (lines []string) {
		n := l.Wrap(body, s, width, func(line string) { lines = append(lines, line) })
		if n != len(lines) || n != l.Wrap(body, s, width, nil) {
			t.Errorf("%q: %d lines, said %d", s, len(lines), n)
		}
		return lines
	}
	w := func(s string) float32 { return l.Width(body, s) + 0.1 }
	for _, c := range []struct {
		text  string
		width float32
		want  []string
	}{
		{"", 100, []string{""}},
		{"one two  three", w("one two"), []string{"one two", "three"}},
		{"a\n\nb", 100, []string{"a", "", "b"}},
		{"unbreakable", w("unbrea"), []string{"unbrea", "kable"}},
		{"漢字仮名。交", w("漢字仮名"), []string{"漢字仮", "名。交"}},
		{"x", 0, []string{"x"}},
		{"e\u0301e\u0301", 1, []string{"e\u0301", "e\u0301"}},
	} {
		if got := wrap(c.text, c.width); !slices.Equal(got, c.want) {
			t.Errorf("%q in %g: %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

func TestIndex(t *testing.T) {
	l, _ := newTestList(t, noSystem)
	const s = "aé漢e\u0301z"
	for i := 0; ; {
		if got := l.Index(body, s, l.Width(body, s[:i])); got != i {
			t.Errorf("at %d: %d", i, got)
		}
		if i == len(s) {
			break
		}
		i += NextCluster(s[i:])
	}
	if l.Index(body, s, -5) != 0 || l.Index(body, s, 5000) != len(s) {
		t.Error("outside of the text")
	}
}

// Text is as long at every scale, so layouts do not change with the display.
func TestSameLayoutAtEveryScale(t *testing.T) {
	l, _ := newTestList(t, noSystem)
	one := l.Width(body, "The quick brown fox 漢字")
	for _, scale := range []float32{1.25, 1.5, 2, 3} {
		l.Reset(image.Pt(640, 480), scale)
		if got := l.Width(body, "The quick brown fox"); got > one {
			t.Errorf("scale %g: %g instead of less than %g", scale, got, one)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("Ann アンナ", float32(50), float32(1))
	f.Add("\xff\u0301\u200d🇯\x00", float32(0), float32(2.5))
	f.Add(strings.Repeat("\u0301", 99), float32(-3), float32(0))
	l, _ := newTestList(f, noSystem)
	f.Fuzz(func(t *testing.T, s string, width, scale float32) {
		if len(s) > 500 || width != width || scale != scale {
			return
		}
		l.Reset(image.Pt(100, 100), scale)
		joined := 0
		l.Wrap(body, s, width, func(line string) { joined += utf8.RuneCountInString(line) })
		if joined > utf8.RuneCountInString(s) {
			t.Errorf("%q came out longer", s)
		}
		l.TextIn(R(0, 0, width, 20), body, s, White, End)
		i := l.Index(body, s, width)
		if i < 0 || i > len(s) {
			t.Errorf("index %d in %q", i, s)
		}
		l.Each(func(_ Texture, quads []Vertex) {
			for _, v := range quads {
				if v.X < 0 || v.X > 100 || v.Y < 0 || v.Y > 100 {
					t.Fatalf("%q: a corner at %g, %g", s, v.X, v.Y)
				}
			}
		})
	})
}

// TestJapaneseIsThere: the font that is compiled in has every letter of the Japanese catalogue.
func TestJapaneseIsThere(t *testing.T) {
	data, err := os.ReadFile("../../language/po/ja.po")
	must.Succeed(t, err)
	entries, err := language.ParsePO(string(data))
	must.Succeed(t, err)
	fonts, err := NewFonts(&Store{}, []string{})
	must.Succeed(t, err)
	for _, e := range entries {
		for _, text := range e.Text {
			for _, r := range text {
				if !silent(r) && r != '\n' && fonts.face(Style{Size: 15}, 1).find(r) == nil {
					t.Errorf("no font has %c, of %q", r, text)
				}
			}
		}
	}
}

// TestPathsBreakBetweenTheirParts: a path that no line holds ends a line behind a separator, not inside of a name.
func TestPathsBreakBetweenTheirParts(t *testing.T) {
	l, _ := newTestList(t, noSystem)
	for text, first := range map[string]string{
		"/home/ann/.config/nettplay/config.toml": "/home/ann/.config/nettplay/",
		`C:\Users\Ann\nettplay\config.toml`:      `C:\Users\Ann\nettplay\`,
	} {
		var lines []string
		l.Wrap(body, text, l.Width(body, first+"config.to"), func(s string) { lines = append(lines, s) })
		if len(lines) != 2 || lines[0] != first {
			t.Errorf("%s is broken into %q", text, lines)
		}
	}
}
