package draw

import (
	"image"
	"image/png"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestEmojiArePictures: an emoji with a drawing has more colours than its text, and no two look alike but those that say
// the same.
func TestEmojiArePictures(t *testing.T) {
	same := map[string]string{"😃": "😀", "☹\ufe0f": "🙁"}
	seen := map[string]string{}
	for r, parts := range drawings() {
		if len(parts) > 16 {
			t.Errorf("%c has %d parts, and there are numbers for 16", r, len(parts))
		}
		s := string(r)
		if r < 0x3300 {
			s += "\ufe0f"
		}
		if _, ok := emoji(s); !ok {
			t.Errorf("%q has a drawing, and is not taken for an emoji", s)
		}
		l, store := newTestList(t, noSystem)
		l.Text(Pt(4, 4), Style{Size: 40}, s, White)
		img := Raster(l, store).SubImage(image.Rect(0, 0, 64, 64)).(*image.RGBA)
		pix := string(img.Pix[:64*img.Stride])
		if other, twice := seen[pix]; twice && same[s] != other && same[other] != s {
			t.Errorf("%q looks like %q", s, other)
		}
		seen[pix] = s
		var ink int
		for i := 0; i < len(pix); i += 4 {
			if pix[i]|pix[i+1]|pix[i+2] > 40 {
				ink++
			}
		}
		if ink < 150 {
			t.Errorf("%q leaves %d pixels", s, ink)
		}
	}
	if len(seen) < 60 {
		t.Errorf("%d emoji have drawings", len(seen))
	}
}

// TestEmojiHaveNames: what has no drawing says what it is, in few letters.
func TestEmojiHaveNames(t *testing.T) {
	l, _ := newTestList(t, noSystem)
	for s, want := range map[string]string{
		"🦒": "giraffe face", "🇯🇵": "JP", "🇫": "F", "👩\u200d🚀": "woman rocket", "⚓": "anchor", "♟\ufe0f": "chess pawn",
		"😻": "smiling cat face", "\U0001fafe": "emoji", "👩🏽": "woman",
	} {
		if got := l.fonts.plate(s); got != want {
			t.Errorf("%q is called %q, want %q", s, got, want)
		}
	}
	for line := range strings.Lines(emojiNames) {
		if strings.Trim(line, "abcdefghijklmnopqrstuvwxyz0123456789 -’'.\n") != "" {
			t.Errorf("the line %q has other letters", line)
		}
	}
	for i := range 5000 { // of a stranger
		l.fonts.plate(strings.Repeat("🦒\u200d", i+1))
	}
	if n := len(l.fonts.plates); n > maxPlates {
		t.Errorf("%d names are kept", n)
	}
}

// TestEmojiTakeTheirPlace: what is measured is what is written, and text that is no emoji stays text.
func TestEmojiTakeTheirPlace(t *testing.T) {
	for _, scale := range []float32{1, 1.5, 2} {
		for _, s := range []string{"😀", "🦒", "🇯🇵", "👍🏿", "❤\ufe0f", "Hi 😀😀, 🦒!"} {
			l, _ := newTestList(t, noSystem)
			l.Reset(image.Pt(640, 480), scale)
			l.Text(Pt(0, 0), body, s, White)
			if got, want := l.Texts()[0].Place.W, l.Width(body, s); got < want-0.01 || got > want+0.01 {
				t.Errorf("at %v times %q is %v wide, and was measured as %v", scale, s, got, want)
			}
		}
	}
	for _, s := range []string{"❤", "☀", "→", "★", "♪", "漢", "1\ufe0f\u20e3", "Ä", "…", "™"} {
		if _, ok := emoji(s[:NextCluster(s)]); ok {
			t.Errorf("%q is taken for an emoji", s)
		}
	}
	tones := map[Color]bool{}
	for _, s := range []string{"👍", "👍🏻", "👍🏼", "👍🏽", "👍🏾", "👍🏿"} {
		tones[skinOf(s)] = true
	}
	if len(tones) != 6 {
		t.Errorf("six tones are %d", len(tones))
	}
}

// TestPictureOfEmoji writes a sheet of all drawings into the file that the variable NETTPLAY_PICTURES names, for people
// to look at.
func TestPictureOfEmoji(t *testing.T) {
	path := os.Getenv("NETTPLAY_PICTURES")
	if path == "" {
		t.Skip("NETTPLAY_PICTURES names no file")
	}
	l, store := newTestList(t, noSystem)
	l.Reset(image.Pt(1200, 900), 1)
	l.Fill(l.Bounds(), RGB(0x20232b))
	var all []rune
	for r := range drawings() {
		all = append(all, r)
	}
	slices.Sort(all)
	for i, r := range all {
		s := string(r)
		if r < 0x3300 {
			s += "\ufe0f"
		}
		at := Pt(float32(10+i%16*74), float32(10+i/16*100))
		l.Text(at, Style{Size: 48}, s, White)
		l.Text(Pt(at.X, at.Y+68), Style{Size: 14}, s+" "+s, White)
	}
	l.Text(Pt(10, 800), body, "Hello 😀 Ann 🦒, see you in 🇯🇵! 👍🏿👍🏽 👩\u200d🚀 ⚓ gg 🎉🏆 “well” ❤\ufe0f", White)
	f, err := os.Create(path)
	must.Succeed(t, err)
	defer f.Close()
	must.Succeed(t, png.Encode(f, Raster(l, store)))
}
