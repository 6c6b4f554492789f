package draw

import (
	"fmt"
	"image"
)

// Texture names pixels in a [Store]. The zero Texture is no texture: a quad
// with it has its colour everywhere.
type Texture int32

// Format is the layout of a texture's pixels in memory.
type Format uint8

// Formats of textures. All but RGBA and Mask are opaque, and those of libretro.
const (
	RGBA     Format = iota // 4 bytes: red, green, blue, opacity (not premultiplied)
	BGRX                   // 4 bytes: blue, green, red, unused; libretro's XRGB8888
	RGB565                 // 2 bytes, little-endian: from the top 5 bits of red, 6 of green, 5 of blue
	XRGB1555               // 2 bytes, little-endian: from the top 1 bit unused, 5 each of red, green, blue
	Mask                   // 1 byte: opacity of white; never Smooth
)

// Size returns how many bytes a pixel has.
func (f Format) Size() int {
	switch f {
	case RGB565, XRGB1555:
		return 2
	case Mask:
		return 1
	}
	return 4
}

// Opaque reports whether nothing shows through the pixels.
func (f Format) Opaque() bool { return f != RGBA && f != Mask }

// MaxSide is the largest width and height of a texture.
const MaxSide = 4096

// Pixels is the picture of a texture. It is read by renderers; write it through the [Store] only.
type Pixels struct {
	W, H   int
	Format Format
	Smooth bool   // interpolated when enlarged; otherwise every pixel stays a sharp square
	Pix    []byte // rows of W pixels from the top

	dirty image.Rectangle // what the renderer does not have
}

// Store holds the pixels of all textures. The zero value is ready.
type Store struct {
	textures []*Pixels // by Texture-1; nil where one was freed
	gone     []Texture // freed and not yet told to the renderer
	reusable []Texture
}

// New makes a texture of transparent (if it is opaque: black) pixels, at least 1x1 and at
// most [MaxSide] in each direction: sizes outside are brought inside.
func (s *Store) New(w, h int, format Format, smooth bool) Texture {
	w, h = max(1, min(w, MaxSide)), max(1, min(h, MaxSide))
	p := &Pixels{W: w, H: h, Format: format, Smooth: smooth, Pix: make([]byte, w*h*format.Size())}
	p.dirty = image.Rect(0, 0, w, h)
	if n := len(s.reusable); n > 0 {
		t := s.reusable[n-1]
		s.reusable = s.reusable[:n-1]
		s.textures[t-1] = p
		return t
	}
	s.textures = append(s.textures, p)
	return Texture(len(s.textures))
}

// NewImage makes a texture that shows an image, cut to [MaxSide].
func (s *Store) NewImage(img image.Image, smooth bool) Texture {
	b := img.Bounds()
	t := s.New(b.Dx(), b.Dy(), RGBA, smooth)
	p := s.Pixels(t)
	to := image.NRGBA{Pix: p.Pix, Stride: 4 * p.W, Rect: p.dirty}
	for y := range p.H {
		for x := range p.W {
			to.Set(x, y, img.At(b.Min.X+x, b.Min.Y+y))
		}
	}
	return t
}

// Lend makes a texture show pixels that remain the caller's: rows of the texture's width in
// its format. They must stay as they are until Lend is called again, or the texture is
// freed. If changed is not set they are the same as before, only elsewhere. It fails, and
// changes nothing, if there is no such texture or they are too few.
func (s *Store) Lend(t Texture, pix []byte, changed bool) error {
	p := s.Pixels(t)
	if p == nil {
		return fmt.Errorf("draw: lend to texture %d: there is none", t)
	}
	need := p.W * p.H * p.Format.Size()
	if len(pix) < need {
		return fmt.Errorf("draw: lend to texture %d of %dx%d: %d bytes are too few", t, p.W, p.H, len(pix))
	}
	p.Pix = pix[:need:need]
	if changed {
		p.dirty = image.Rect(0, 0, p.W, p.H)
	}
	return nil
}

// Pixels returns a texture's pixels, nil if there is none. They may be read
// until the next call that changes the store.
func (s *Store) Pixels(t Texture) *Pixels {
	if t < 1 || int(t) > len(s.textures) {
		return nil
	}
	return s.textures[t-1]
}

// Free forgets a texture. Its number may be given again after the next Sync.
func (s *Store) Free(t Texture) {
	if s.Pixels(t) == nil {
		return
	}
	s.textures[t-1] = nil
	s.gone = append(s.gone, t)
}

// Uploader is a renderer's own copy of textures.
type Uploader interface {
	// Update copies the pixels in r: of a texture that it does not have yet, all.
	Update(t Texture, p *Pixels, r image.Rectangle) error
	// Destroy drops the copy.
	Destroy(t Texture)
}

// Sync brings a renderer's copies up to date. It stops at the first error;
// what could not be brought over is tried again by the next Sync.
func (s *Store) Sync(u Uploader) error {
	for _, t := range s.gone {
		u.Destroy(t)
		s.reusable = append(s.reusable, t)
	}
	s.gone = s.gone[:0]
	for i, p := range s.textures {
		if p == nil || p.dirty.Empty() {
			continue
		}
		if err := u.Update(Texture(i+1), p, p.dirty); err != nil {
			return err
		}
		p.dirty = image.Rectangle{}
	}
	return nil
}

// Lost says that the renderer has none of the textures any more: the next Sync
// makes them all again.
func (s *Store) Lost() {
	for _, p := range s.textures {
		if p != nil {
			p.dirty = image.Rect(0, 0, p.W, p.H)
		}
	}
}
