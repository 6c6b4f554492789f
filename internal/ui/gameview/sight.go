package gameview

import (
	"image"
	"slices"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/pads"
)

// Lens tells which pixels of a picture are seen where, when it is drawn sharply: what
// window.Window.Seen does. Main thread only.
type Lens interface {
	Seen(at image.Rectangle, size image.Point, uv draw.UV) (columns, rows []int, err error)
}

// sharpener knows what the renderer shows of each bottom screen.
type sharpener struct {
	lens   Lens
	sights []*sight // looked at before, the newest last
}

// SetLens lets the stylus touch what the renderer draws, to the pixel. Without a lens it
// goes by what a renderer should draw, which at sizes that are no whole multiples can be
// one drawing pixel off beside the edge of a pixel.
func (v *View) SetLens(l Lens) { v.sharp = sharpener{lens: l} }

// sight has the column or row of a bottom screen, as it is drawn, that is seen at each drawing pixel.
type sight struct {
	at            image.Rectangle
	size          image.Point // of the texture
	turned        bool        // to either side
	columns, rows []uint8
}

// maxSights is the number that are kept: more than one machine's consoles.
const maxSights = 4 * ds.MaxSeats

// sharpen gives a plan's bottom screens what is seen of them. Soft pixels have no edges.
func (v *View) sharpen(plan *Plan) {
	if v.sharp.lens == nil || v.prefs.smooth() {
		return
	}
	for i := range plan.Mine {
		c := &plan.Mine[i]
		t := v.textures[c.Seat]
		if t.w == 0 {
			continue
		}
		for place, at := range c.Screens.bottoms() {
			c.sights[place] = v.sightOf(at, image.Pt(t.w, t.h), c.Screens.Turn)
		}
	}
}

// sightOf returns what is seen of a screen, looked at once; empty where the renderer cannot tell.
func (v *View) sightOf(at image.Rectangle, size image.Point, turn pads.Turn) *sight {
	turned := turn != pads.Upright
	i := slices.IndexFunc(v.sharp.sights, func(k *sight) bool { return k.at == at && k.size == size && k.turned == turned })
	if i >= 0 {
		return v.sharp.sights[i]
	}
	k := &sight{at: at, size: size, turned: turned}
	wide, high := across(turn)
	columns, rows, err := v.sharp.lens.Seen(at, size, sampled(at, size.X, size.Y))
	if err == nil && len(columns) == at.Dx() && len(rows) == at.Dy() {
		for _, x := range columns {
			k.columns = append(k.columns, uint8(min(x*wide/size.X, wide-1)))
		}
		for _, y := range rows {
			k.rows = append(k.rows, uint8(min(y*high/size.Y, high-1)))
		}
	}
	v.sharp.sights = append(v.sharp.sights[max(0, len(v.sharp.sights)+1-maxSights):], k)
	return k
}
