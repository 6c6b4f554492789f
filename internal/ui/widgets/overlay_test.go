package widgets

import (
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ui/draw"
)

// overlays is what can lie over a screen: a drop-down with the ring, a tooltip,
// messages and a dialog.
func TestOverlays(t *testing.T) {
	t.Run("dropdown", func(t *testing.T) {
		b := newBench(t, 960, 720, 1)
		g := newGallery(b.store)
		b.frame(g.build)
		b.click(300, 540, g.build)
		b.key(KeyDown, 0, g.build)
		out := b.frame(g.build)
		golden(t, "dropdown-dark-1x", b.picture(out))
	})
	t.Run("dialog", func(t *testing.T) {
		b := newBench(t, 640, 480, 1)
		g := newGallery(b.store)
		b.ui.SetTheme(LightTheme())
		g.dialog = true
		b.key(KeyTab, 0, g.build)
		b.ui.Toast(Warning, "Bob's line is slow: the delay is now 6 frames.")
		b.ui.Toast(Good, "Saved.")
		golden(t, "dialog-light-1x", b.picture(b.frame(g.build)))
	})
	t.Run("tooltip", func(t *testing.T) {
		b := newBench(t, 1280, 960, 2)
		tip := func(u *UI) {
			u.In(u.Area().Inset(30), func() {
				u.Button(Button{Text: "Start", Kind: Primary, Tip: "Everybody must be ready. Bob still uploads his save: 62 %."})
				u.Check(Check{Text: "Sound"}, new(bool))
			})
		}
		b.key(KeyTab, 0, tip)
		b.move(100, 48, tip)
		b.in.Now += time.Second
		golden(t, "tooltip-dark-2x", b.picture(b.frame(tip)))
	})
}

// frame builds with what is in the input, and then empties it of events.
func (b *bench) frame(build func(*UI)) Output {
	out := b.ui.Frame(b.in, build)
	b.in = b.in.Lasting()
	b.in.Now += 16 * time.Millisecond
	return out
}

// move moves the mouse, in points.
func (b *bench) move(x, y float32, build func(*UI)) Output {
	b.in.MouseIn = true
	b.in.Mouse.X, b.in.Mouse.Y = x*b.in.Scale, y*b.in.Scale
	return b.frame(build)
}

func (b *bench) press(x, y float32, clicks int, build func(*UI)) Output {
	b.in.Pressed, b.in.Clicks, b.in.Held = LeftButton, clicks, b.in.Held.With(LeftButton)
	return b.move(x, y, build)
}

func (b *bench) release(x, y float32, build func(*UI)) Output {
	b.in.Released, b.in.Held = LeftButton, b.in.Held.Without(LeftButton)
	return b.move(x, y, build)
}

func (b *bench) click(x, y float32, build func(*UI)) Output {
	b.press(x, y, 1, build)
	return b.release(x, y, build)
}

func (b *bench) key(k Key, mods Mods, build func(*UI)) Output {
	b.in.Press = KeyPress{Key: k, Mods: mods, Sym: symOf(k)}
	return b.frame(build)
}

func symOf(k Key) rune {
	if k >= KeyA && k <= KeyZ {
		return 'a' + rune(k-KeyA)
	}
	return 0
}

func (b *bench) write(s string, build func(*UI)) Output {
	b.in.Text = s
	return b.frame(build)
}

func (b *bench) nav(n Nav, build func(*UI)) Output {
	b.in.Nav = n
	return b.frame(build)
}

// TestTips: the whole of a text that was cut shows beside the mouse, or at the widget with the
// ring; so does what a widget is for.
func TestTips(t *testing.T) {
	const long = "Monster Trainers: The Very Long Subtitle of This Edition"
	chosen := 0
	build := func(u *UI) {
		u.In(u.Area().Inset(20), func() {
			u.Button(Button{Icon: 1, Name: "kick", Tip: "Remove"})
			u.List(List{Name: "games", Count: 2, Height: 90, Item: func(i int) Item {
				return Item{Title: []string{long, "The second one of the two, and it is long as well"}[i]}
			}}, &chosen)
		})
	}
	b := newBench(t, 280, 400, 1)
	tip := func() (text string) {
		for range 2 { // one to begin the wait
			b.frame(build)
			b.in.Now += time.Second
		}
		for _, w := range b.ui.list.Texts() {
			if w.Layer == draw.Layers-1 {
				text += w.Text + " "
			}
		}
		return text
	}
	expect := func(when, want string) {
		t.Helper()
		if got := tip(); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s the tip is %q", when, got)
		}
	}
	expect("at first", "")
	b.move(100, 85, build)
	expect("with the mouse on a text that is cut", "Subtitle of This")
	b.in.MouseIn = false
	b.key(KeyTab, 0, build)
	expect("with the ring around a button", "Remove")
	b.key(KeyTab, 0, build)
	expect("with the ring around a list", "Subtitle of This")
	b.key(KeyDown, 0, build)
	expect("on the next item", "it is long as well")
}

// TestArrowsScrollText: text without widgets is read by arrows, as by a pad's cross.
func TestArrowsScrollText(t *testing.T) {
	b := newBench(t, 300, 200, 1)
	build := func(u *UI) {
		u.Modal(Modal{Title: "Long", Foot: func() { u.Button(Button{Text: "OK", Default: true}) }}, func() {
			u.Paragraph(strings.Repeat("word ", 80) + "end.")
		})
	}
	seen := func() (all bool) {
		for _, w := range b.ui.list.Texts() {
			all = all || strings.Contains(w.Text, "end.") && w.Place.Intersect(w.Clip).H > 10
		}
		return all
	}
	b.frame(build)
	if b.frame(build); seen() {
		t.Fatal("the text fits into the window")
	}
	for range 20 {
		b.nav(NavDown, build)
	}
	if !seen() {
		t.Error("the end of the text does not come into sight")
	}
}
