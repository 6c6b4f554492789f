package gameview

import (
	"sync"
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

// A Feed carries pictures from a console's goroutine to the main thread. Neither ever waits
// while the other copies, paints or waits for a display. Some pictures may wait between
// them, so that they are shown evenly; of more the oldest are dropped. The zero value is
// ready, and keeps the newest one only.
type Feed struct {
	newest atomic.Int64 // frame that was put, also one that looks like the one before
	room   atomic.Int32 // pictures that may wait besides the newest

	mu      sync.Mutex // guards what follows; held while pictures change hands, not while they are copied
	waiting []*Picture // by rising frame
	spare   sync.Pool  // of pictures that nobody reads

	last  *Picture // what was put last: the writer's, to read
	front *Picture // what was taken last: the reader's
}

// SetRoom lets so many pictures wait besides the newest. Any goroutine.
func (f *Feed) SetRoom(n int) { f.room.Store(int32(max(n, 0))) }

// Newest is the number of the frame that was put last, whatever it looked like. Any goroutine.
func (f *Feed) Newest() int64 { return f.newest.Load() }

// Put copies a frame's picture, and tells whether there is something new to see. One
// goroutine at a time may call it. Pictures of a size or format that no DS core has are
// ignored.
func (f *Feed) Put(frame emucore.Frame) (isNew bool) {
	v := frame.Video
	size := v.Format.Size()
	defer f.newest.Store(frame.Number)
	if v.Width < 1 || v.Width > maxSide || v.Height < 2 || v.Height > maxSide || size == 0 ||
		v.Pitch < v.Width*size || len(v.Pix) < (v.Height-1)*v.Pitch+v.Width*size {
		return false
	}
	versions := f.number(v)
	if f.last != nil && versions == f.last.Versions {
		return false
	}
	p, _ := f.spare.Get().(*Picture)
	if p == nil {
		p = new(Picture)
	}
	p.Frame, p.Width, p.Height, p.Format, p.Versions = frame.Number, v.Width, v.Height, v.Format, versions
	p.Pix = draw.Pack(p.Pix, v.Pix, v.Width*size, v.Pitch, v.Height)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last = p
	f.waiting = append(f.waiting, p)
	for len(f.waiting) > 1 && (len(f.waiting) > 1+int(f.room.Load()) || f.waiting[0].Frame >= p.Frame) {
		f.spare.Put(f.waiting[0]) // also those of before a jump back
		f.waiting = append(f.waiting[:0], f.waiting[1:]...)
	}
	return true
}

// number returns the versions of a picture, from what tells it from the last one. It is looked at
// where the console has it: one that is as before is never copied.
func (f *Feed) number(v emucore.Video) (versions [2]uint64) {
	var was Picture
	if f.last != nil {
		was = *f.last
	}
	versions = was.Versions
	same := was.Width == v.Width && was.Height == v.Height && was.Format == v.Format
	row, upper := v.Width*v.Format.Size(), v.Height/2
	cut := row * upper
	if !same || !draw.Same(was.Pix[:cut], v.Pix, row, v.Pitch, upper) {
		versions[0]++
	}
	if !same || !draw.Same(was.Pix[cut:], v.Pix[upper*v.Pitch:], row, v.Pitch, v.Height-upper) {
		versions[1]++
	}
	return versions
}

// Take returns the newest picture up to a frame, and whether it is another than the last call
// gave; left tells that later ones wait. A picture is the caller's to read until the next Take.
// One goroutine at a time may call it.
func (f *Feed) Take(upTo int64) (p *Picture, isNew, left bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.waiting) > 0 && f.waiting[0].Frame <= upTo {
		if f.front != nil {
			f.spare.Put(f.front)
		}
		f.front, isNew = f.waiting[0], true
		f.waiting = append(f.waiting[:0], f.waiting[1:]...)
	}
	if f.front == nil {
		f.front = new(Picture)
	}
	return f.front, isNew, len(f.waiting) > 0
}
