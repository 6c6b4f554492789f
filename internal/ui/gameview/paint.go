package gameview

import (
	"image"
	"math"
	"math/bits"
	"slices"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/pads"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// screenTextures are the pictures of a console's screens.
type screenTextures struct {
	top, bottom draw.Texture
	w, h        int // of one screen as it is drawn; 0 while there is none
	format      draw.Format
	shown       [2]uint64 // which pictures: Picture.Versions
	turned      [2][]byte // their pixels where they are turned; else they are the Picture's
}

// formats are package draw's names of what consoles give.
var formats = map[emucore.PixelFormat]draw.Format{
	emucore.XRGB8888: draw.BGRX, emucore.RGB565: draw.RGB565, emucore.XRGB1555: draw.XRGB1555,
}

// Keep has the pictures that are built from now on keep the frames of the last one, or no longer. Main
// thread only.
func (v *View) Keep(on bool) { v.keeps = on }

// Fresh reports whether the last picture has a frame of a console that the window has not shown yet. Main
// thread only.
func (v *View) Fresh() bool { return v.fresh }

// Shown tells that the window has shown the last picture. Main thread only.
func (v *View) Shown() { v.fresh = false }

// refresh brings the pictures that are shown up to date.
func (v *View) refresh() {
	if v.keeps {
		return
	}
	held, lead := false, int64(0)
	if first := bits.TrailingZeros32(v.leads.Load()); first < len(v.feeds) {
		lead = v.feeds[first].Newest()
	}
	for _, c := range v.plan.Mine {
		v.show(c.Seat, math.MaxInt64)
	}
	for _, c := range v.plan.Others {
		upTo := v.evens[c.Seat].show(lead, v.feeds[c.Seat].Newest())
		held = v.show(c.Seat, upTo) || held
	}
	v.held.Store(held)
}

// show lets a console's textures show its newest picture up to a frame, where the feed has it.
// held tells that later ones wait.
func (v *View) show(seat ds.Seat, upTo int64) (held bool) {
	p, isNew, held := v.feeds[seat].Take(upTo)
	t := &v.textures[seat]
	v.fresh = v.fresh || isNew
	if p.Width == 0 || !isNew && t.w != 0 {
		return held
	}
	w, h, format := p.Width, p.Height/2, formats[p.Format]
	half, turn := w*h*format.Size(), v.prefs.turn()
	if turn != pads.Upright {
		w, h = h, w
	}
	if t.w != w || t.h != h || t.format != format {
		v.free(t)
		*t = screenTextures{
			top: v.store.New(w, h, format, v.prefs.smooth()), bottom: v.store.New(w, h, format, v.prefs.smooth()), w: w, h: h, format: format,
		}
	}
	for i, texture := range [...]draw.Texture{t.top, t.bottom} {
		pix, changed := p.Pix[i*half:][:half], t.shown[i] != p.Versions[i]
		if turn != pads.Upright && changed {
			t.turned[i] = draw.Turn(t.turned[i], pix, p.Width, format.Size(), turn == pads.Left)
		}
		if turn != pads.Upright {
			pix = t.turned[i]
		}
		_ = v.store.Lend(texture, pix, changed) // there is as much as it needs
	}
	t.shown = p.Versions
	return held
}

func (v *View) free(t *screenTextures) {
	if t.w != 0 {
		v.store.Free(t.top)
		v.store.Free(t.bottom)
	}
	*t = screenTextures{}
}

// drop frees all pictures; they come again from what was last shown.
func (v *View) drop() {
	for i := range v.textures {
		v.free(&v.textures[i])
	}
}

// paint paints everything but what can be pressed.
func (v *View) paint(u *widgets.UI, m moment, now time.Duration) {
	list := u.Canvas()
	v.bars(list, m)
	for i, c := range v.plan.all() {
		v.console(list, c)
		if i < len(v.plan.Mine) {
			v.cursor(list, c, i)
		}
	}
	v.plates = v.plates[:0]
	v.figures(list, m)
	v.dot(u, m)
	v.banner(list, m, now)
	if len(m.lines) > 0 || v.chat.open {
		v.chat.at, _ = v.chatPlace(list)
		if v.chat.open {
			v.plates = append(v.plates, chatField(v.chat.at))
		}
		v.lines(list, m, v.chat.at)
	}
	for _, c := range v.plan.all() {
		v.name(list, c, m)
		v.power(list, c)
	}
}

// bars paints what is behind the consoles: black, or each player's favourite colour, darkened.
func (v *View) bars(list *draw.List, m moment) {
	if v.prefs.Bars != PlayersBars {
		list.Fill(list.Bounds(), colorBack)
		return
	}
	for i, c := range v.plan.all() {
		at := slices.IndexFunc(m.consoles, func(seat Console) bool { return seat.Seat == c.Seat })
		if at < 0 {
			continue
		}
		color := screen.Favourite(m.consoles[at].Colour)
		if i == 0 {
			list.Fill(list.Bounds(), colorBack.Mix(color, 0.2))
		}
		if len(v.plan.Mine)+len(v.plan.Others) > 1 {
			list.FillRound(points(list, c.Screens.Bounds().Union(c.Name)).Inset(-3), 4, colorBack.Mix(color, 0.4))
		}
	}
}

// power writes over a console that it is off, unless other words are there.
func (v *View) power(list *draw.List, c Placed) {
	middle := points(list, c.Screens.Bounds()).Center()
	at := draw.R(middle.X-30, middle.Y-15, 60, 30)
	if v.off.Load()>>c.Seat&1 != 0 && !overlaps(at, v.plates) {
		list.TextIn(at, widgets.StyleHead, list.Say("off"), colorSoft, draw.Middle)
	}
}

func (v *View) console(list *draw.List, c Placed) {
	t := v.textures[c.Seat]
	again := t.top
	if c.Screens.AgainBottom {
		again = t.bottom
	}
	for _, part := range [...]struct {
		at image.Rectangle
		t  draw.Texture
	}{{c.Screens.Top, t.top}, {c.Screens.Bottom, t.bottom}, {c.Screens.Again, again}} {
		if t.w != 0 && !part.at.Empty() {
			list.ImagePixels(part.t, pixels(part.at), sampled(part.at, t.w, t.h))
		}
	}
}

// sampled is a whole texture of w x h pixels, moved by so little, a quarter of the least
// distance between two places that are sampled, that no drawing pixel's middle
// lies right between two of the texture's: there one renderer would round up and
// another down, and the stylus would not touch what is seen. SDL takes nothing above 1.
func sampled(at image.Rectangle, w, h int) draw.UV {
	u, v := 0.25/float32(at.Dx()*w), 0.25/float32(at.Dy()*h)
	return draw.UV{U0: u, V0: v, U1: 1, V1: 1}
}

// name writes a player's name, unless other words are over it.
func (v *View) name(list *draw.List, c Placed, m moment) {
	i := slices.IndexFunc(m.consoles, func(seat Console) bool { return seat.Seat == c.Seat })
	at := points(list, c.Name)
	if c.Name.Empty() || i < 0 || overlaps(at, v.plates) {
		return
	}
	color := colorSoft
	if v.prefs.Bars == PlayersBars {
		color = colorWords
	}
	if slices.Contains(m.figures.Waiting, m.consoles[i].Name) {
		color = colorWait
	}
	list.TextIn(at, widgets.StyleSmall, m.consoles[i].Name, color, draw.Middle)
}

// cursor draws a ring, dark and light, where a controller holds the stylus.
func (v *View) cursor(list *draw.List, c Placed, index int) {
	x, y, shown := v.hand.Cursor(index)
	if !shown {
		return
	}
	for _, place := range c.Screens.bottoms() {
		at := points(list, rectOf(place, c.Screens.Turn, x, y)).Center()
		ring := draw.R(at.X-6, at.Y-6, 12, 12)
		list.Border(ring.Inset(-1), 7, 4, draw.Black.Fade(0.6))
		list.Border(ring, 6, 2, draw.White)
	}
}
