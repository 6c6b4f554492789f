package gameview

import (
	"sync/atomic"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ui/draw"
)

// maxSide is the largest picture that is taken from a console, either way.
const maxSide = 1024

// Picture is the copy of a console's picture.
type Picture struct {
	Frame         int64
	Width, Height int // 0 when there is none
	Format        emucore.PixelFormat
	Pix           []byte // rows without anything between them
	// Versions are of the upper and the lower half, the two screens: one that is the same
	// as in the picture before has its number. They begin with 1.
	Versions [2]uint64
}

// A Feed carries pictures from a console's goroutine to the main thread. Neither
// ever waits for the other: there are three buffers, one that the console
// writes, one that the main thread shows, and between them the newest complete
// one, which the next complete one replaces. The zero value is ready.
type Feed struct {
	buffers [3]Picture
	// The buffer in the middle, and whether it was put there since the last
	// Take. A swap gives its caller the one that was there, for itself alone.
	middle atomic.Uint32
	back   uint32 // plus one, so that zero is a start: the writer's
	last   uint32 // the same: what was put last, which the writer may read as long as it likes
	front  uint32 // the same: the reader's
}

const fresh = 4 // bit of middle

// Put copies a frame's picture, and tells whether there is something new to see. One
// goroutine at a time may call it. Pictures of a size or format that no DS core has are
// ignored.
func (f *Feed) Put(frame emucore.Frame) (isNew bool) {
	v := frame.Video
	size := v.Format.Size()
	if v.Width < 1 || v.Width > maxSide || v.Height < 2 || v.Height > maxSide || size == 0 ||
		v.Pitch < v.Width*size || len(v.Pix) < (v.Height-1)*v.Pitch+v.Width*size {
		return false
	}
	if f.back == 0 {
		f.back = 1 + 1
	}
	p := &f.buffers[f.back-1]
	p.Frame, p.Width, p.Height, p.Format = frame.Number, v.Width, v.Height, v.Format
	p.Pix = draw.Pack(p.Pix, v.Pix, v.Width*size, v.Pitch, v.Height)
	if isNew = f.number(p); !isNew {
		return false
	}
	f.last = f.back
	f.back = 1 + f.middle.Swap(f.back-1|fresh)&^fresh
	return true
}

// number gives a picture its versions, and tells whether it differs from the last.
func (f *Feed) number(p *Picture) (isNew bool) {
	var was Picture
	if f.last != 0 {
		was = f.buffers[f.last-1]
	}
	p.Versions = was.Versions
	same := was.Width == p.Width && was.Height == p.Height && was.Format == p.Format
	half := len(p.Pix) / p.Height * (p.Height / 2)
	for i, at := range [...][2]int{{0, half}, {half, len(p.Pix)}} {
		if !same || !draw.Same(p.Pix[at[0]:at[1]], was.Pix[at[0]:at[1]]) {
			p.Versions[i]++
			isNew = true
		}
	}
	return isNew
}

// Take returns the newest picture, and whether it is another than the last call
// gave. It is the caller's to read until the next Take. One goroutine at a time
// may call it.
func (f *Feed) Take() (p *Picture, isNew bool) {
	if f.front == 0 {
		f.front = 1 + 2
	}
	if f.middle.Load()&fresh != 0 {
		f.front = 1 + f.middle.Swap(f.front-1)&^fresh
		isNew = true
	}
	return &f.buffers[f.front-1], isNew
}
