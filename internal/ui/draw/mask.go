package draw

import "image"

// mask is a piece of a page: white with an opacity.
type mask struct {
	texture   Texture
	uv        UV
	w, h      float32 // pixels; 0: nothing to see
	left, top float32 // from the pen to the mask's corner, for glyphs
}

const (
	pageSide = 1024
	maxPages = 8 // 8 MB; more than that are glyphs no longer in use
)

// atlas packs masks into textures, in shelves: rows as high as their first mask.
type atlas struct {
	store  *Store
	pages  []Texture
	x, y   int // where the next mask goes on the newest page
	height int // of the shelf
	full   bool
}

// add makes room for a mask and lets fill write its opacity, a byte a pixel.
// A mask larger than a page shows nothing.
func (a *atlas) add(w, h int, fill func(alpha []byte)) mask {
	if w <= 0 || h <= 0 || w+2 > pageSide || h+2 > pageSide {
		return mask{}
	}
	page := a.place(w, h)
	if page == 0 {
		return mask{}
	}
	alpha := make([]byte, w*h)
	fill(alpha)
	p := a.store.Pixels(page)
	for y := range h {
		copy(p.Pix[(a.y+y)*pageSide+a.x:], alpha[y*w:][:w])
	}
	at := image.Rect(a.x, a.y, a.x+w, a.y+h)
	p.dirty = p.dirty.Union(at)
	a.x += w + 1
	const one = 1.0 / pageSide
	uv := UV{float32(at.Min.X) * one, float32(at.Min.Y) * one, float32(at.Max.X) * one, float32(at.Max.Y) * one}
	return mask{texture: page, uv: uv, w: float32(w), h: float32(h)}
}

// place moves to where a mask of w x h fits and returns the page, 0 for no room.
func (a *atlas) place(w, h int) Texture {
	if len(a.pages) == 0 {
		a.open()
	}
	if a.x+w+1 > pageSide {
		a.x, a.y, a.height = 1, a.y+a.height+1, 0
	}
	if a.y+h+1 > pageSide {
		if len(a.pages) == maxPages {
			a.full = true
			return 0
		}
		a.open()
	}
	a.height = max(a.height, h)
	return a.pages[len(a.pages)-1]
}

func (a *atlas) open() {
	a.pages = append(a.pages, a.store.New(pageSide, pageSide, Mask, false))
	a.x, a.y, a.height = 1, 1, 0
}

// clear forgets all masks.
func (a *atlas) clear() {
	for _, t := range a.pages {
		a.store.Free(t)
	}
	*a = atlas{store: a.store, pages: a.pages[:0]}
}
