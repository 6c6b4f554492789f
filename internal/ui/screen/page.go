package screen

import (
	"slices"
	"strconv"
	"time"

	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Page draws a screen with a title, a way back, a body that scrolls and a foot that does
// not. It is at most width points wide.
func (s *Shared) Page(u *widgets.UI, title string, width float32, body, foot func()) {
	s.SearchPage(u, title, width, nil, 0, body, foot)
}

// SearchPage is a Page on which the player can look for one of so many things.
func (s *Shared) SearchPage(u *widgets.UI, title string, width float32, find *Search, among int, body, foot func()) {
	r := s.Place(u, width)
	u.In(r.Top(40), func() {
		u.Row(widgets.Cells(widgets.Auto, widgets.Fill), func() {
			u.Button(widgets.Button{Icon: draw.IconLeft, Name: "back", Kind: widgets.Quiet, Aside: true, Do: s.GoBack})
			u.MouseTip("Back (Escape)") // with keys it would lie over the page
			if find == nil {
				u.Title(title)
				return
			}
			find.line(u, title, among)
		})
	})
	r.Top(12)
	if foot == nil {
		u.In(r, body)
		return
	}
	f := r.CutBottom(widgets.Control)
	r.CutBottom(14)
	u.In(r, body) // first, as Tab goes
	u.In(f, foot)
}

// Place returns the middle of the window, at most width points wide.
func (s *Shared) Place(u *widgets.UI, width float32) draw.Rect {
	b := u.Canvas().Bounds()
	margin := float32(24)
	if b.W < 720 {
		margin = 16
	}
	b = b.Inset(margin)
	if b.W > width {
		b.X += (b.W - width) / 2
		b.W = width
	}
	return b
}

// Message draws a screen of few words in the middle of the window, at most width points wide.
func (s *Shared) Message(u *widgets.UI, width float32, build func()) {
	u.In(s.Place(u, width), func() { u.Middle(build) })
}

// Foot draws the foot of a page: a sentence, and buttons.
func Foot(u *widgets.UI, words string, buttons ...widgets.Button) {
	u.Bar(func() { u.Lines(2, words) }, buttons...)
}

// Across draws buttons side by side over the whole width, each as wide as any. Where one has no room for its icon beside
// its text, none has one.
func Across(u *widgets.UI, buttons ...widgets.Button) {
	if !Fit(u, buttons...) {
		buttons = slices.Clone(buttons)
		for i := range buttons {
			if buttons[i].Sub == "" && buttons[i].Text != "" {
				buttons[i].Icon = draw.NoIcon
			}
		}
	}
	u.Row(widgets.Cells(slices.Repeat([]float32{widgets.Fill}, len(buttons))...), func() { u.Buttons(buttons...) })
}

// Fit reports whether buttons have room for their texts side by side, each as wide as any.
func Fit(u *widgets.UI, buttons ...widgets.Button) bool {
	const spare = 14 // of what a button takes where it has the room
	n := float32(len(buttons))
	part := (u.Area().W-(n-1)*widgets.Gap)/n + spare
	return !slices.ContainsFunc(buttons, func(b widgets.Button) bool { return b.Sub == "" && u.ButtonWidth(b) > part })
}

// Offer is a message with buttons that do something about it.
func Offer(u *widgets.UI, kind widgets.Kind, words string, buttons ...widgets.Button) {
	if wide := BesideOffer(u, u.Area().W, buttons...); wide < leastOffer && wide < u.Area().W {
		u.Message(kind, words)
		u.Bar(nil, buttons...)
		return
	}
	u.Bar(func() { u.Message(kind, words) }, buttons...)
}

// leastOffer is the width that words keep beside the buttons of an offer, in points. Where there is less, the buttons stand
// below.
const leastOffer = 170

// BesideOffer is the width that is left for words beside buttons.
func BesideOffer(u *widgets.UI, wide float32, buttons ...widgets.Button) float32 {
	for _, b := range buttons {
		if b.Text != "" {
			wide -= u.ButtonWidth(b) + widgets.Gap
		}
	}
	return wide
}

// CopyLine draws something to type elsewhere, with a button that copies it.
func (s *Shared) CopyLine(u *widgets.UI, name, text string) {
	if text == "" {
		return
	}
	u.Scope(name, func() {
		u.Bar(func() { u.Column(func() { s.Mono(u, text) }) },
			widgets.Button{Text: "Copy", Icon: draw.IconCopy, Do: func() { s.Copy(text, "Copied.") }})
	})
}

// Mono draws something to type. It breaks it into lines rather than cut it, since all of
// it counts.
func (s *Shared) Mono(u *widgets.UI, text string) {
	c := u.Canvas()
	line, width := c.LineHeight(widgets.StyleMono), u.Area().W
	lines := c.Wrap(widgets.StyleMono, text, width-24, nil)
	r := u.Cell(0, max(float32(lines)*line+14, widgets.Control))
	c.FillRound(r, 8, u.Theme().Field)
	y := r.Y + (r.H-float32(lines)*line)/2
	c.Wrap(widgets.StyleMono, text, width-24, func(s string) {
		c.Text(draw.Pt(r.X+12, y), widgets.StyleMono, s, u.Theme().Text)
		y += line
	})
}

// Icon returns the texture of a game's icon, 0 if it has none.
func (s *Shared) Icon(g *library.Game) draw.Texture {
	if g == nil || g.Icon == nil {
		return 0
	}
	key := g.Key()
	t, ok := s.icons[key]
	if !ok {
		t = s.Store.NewImage(g.Icon, false)
		s.icons[key] = t
	}
	return t
}

// IconOf returns the texture of the icon of the game that a SHA-256 names, 0 if that is not here or has none.
func (s *Shared) IconOf(rom [32]byte) draw.Texture {
	if rom == [32]byte{} {
		return 0
	}
	return s.Icon(s.Games.Find(rom))
}

// GameCard draws a game's icon and title.
func (s *Shared) GameCard(u *widgets.UI, g *library.Game) {
	if g != nil {
		u.Card(func() { Pictured(u, s.Icon(g), draw.NoIcon, g.Title, g.About()) })
	}
}

// PictureSide is the side of the picture of a game or a player in a card, in points: what is written beside them is in line.
const PictureSide = 48

// Pictured draws a title and what is said of it beside a picture, or an icon where there is none; [draw.NoIcon] draws what
// stands in for the icon of a game.
func Pictured(u *widgets.UI, t draw.Texture, instead draw.Icon, title, words string) {
	u.Row(widgets.Cells(widgets.Auto, widgets.Fill), func() {
		switch {
		case t != 0:
			u.Image(t, PictureSide, PictureSide)
		case instead == draw.NoIcon:
			u.Plate(PlateColor(title), title, PictureSide)
		default:
			r := u.Cell(PictureSide, PictureSide).Centered(PictureSide, PictureSide)
			u.Canvas().Icon(r, instead, 28, u.Theme().Soft)
		}
		u.Tight(func() {
			u.Heading(title)
			u.Small(words)
		})
	})
}

// Labelled draws a widget with its label at the left and a note below.
func Labelled(u *widgets.UI, label, note string, build func()) {
	u.Row(widgets.Cells(150, widgets.Fill), func() {
		u.Label(label)
		build()
	})
	if note != "" {
		u.Row(widgets.Cells(150, widgets.Fill), func() {
			u.Space(0)
			u.Note(note)
		})
	}
}

// Slide draws a slider for a number from lo to hi, which words write. It tells whether it was changed.
func Slide[T int | float64 | time.Duration](u *widgets.UI, name string, value *T, lo, hi, step T, words func(T) string) bool {
	f := float64(*value)
	changed := u.Slider(widgets.Slider{
		Name: name, Min: float64(lo), Max: float64(hi), Step: float64(step),
		Format: func(f float64) string { return words(T(f)) },
	}, &f)
	*value = T(f)
	return changed
}

// Number draws a slider for a whole number from lo to hi.
func Number(u *widgets.UI, name string, value *int, lo, hi int) {
	Slide(u, name, value, lo, hi, 1, strconv.Itoa)
}

// Stepper draws a number with a button to each side.
func Stepper(u *widgets.UI, name string, value int, lowest, highest bool, words string, set func(int)) {
	u.Row(widgets.Cells(widgets.Auto, 90, widgets.Auto), func() {
		u.Button(widgets.Button{Icon: draw.IconMinus, Name: name + " less", Disabled: lowest, Do: func() { set(value - 1) }})
		u.Text(widgets.StyleBody, widgets.Normal, words, draw.Middle)
		u.Button(widgets.Button{Icon: draw.IconPlus, Name: name + " more", Disabled: highest, Do: func() { set(value + 1) }})
	})
}

// Wide is the least width of a window that shows room and chat side by side, in points.
const Wide = 820

// DelayChoice chooses how many seconds spectators are behind.
func DelayChoice(u *widgets.UI, name string, seconds int, set func(seconds int)) {
	values := []int{0, 2, 5, 10, 30, 60, 120, 300, 600}
	if i, there := slices.BinarySearch(values, seconds); !there {
		values = slices.Insert(values, i, seconds)
	}
	names := make([]string, len(values))
	for i, s := range values {
		names[i] = BehindWords(s)
	}
	Choose(u, widgets.Choice{Name: name, Options: names}, values, seconds, set)
}

// Choose chooses one of some values, which the choice's options name; set takes another one.
func Choose[T comparable](u *widgets.UI, c widgets.Choice, values []T, now T, set func(T)) {
	at := slices.Index(values, now)
	if u.Choice(c, &at) && at >= 0 {
		set(values[at])
	}
}
