package gameview

import (
	"bytes"
	"math"
	"sync"
	"testing"

	"github.com/nettplay/nettplay/emucore"
)

// plain is a picture of 256x384 16-bit pixels that are all one number.
func plain(frame int64, v byte) emucore.Frame {
	return emucore.Frame{Number: frame, Video: emucore.Video{
		Width: 256, Height: 384, Pitch: 512, Format: emucore.RGB565, Pix: bytes.Repeat([]byte{v}, 512*384),
	}}
}

func TestFeedGivesTheNewest(t *testing.T) {
	var f Feed
	if p, isNew, _ := f.Take(math.MaxInt64); isNew || p.Width != 0 {
		t.Errorf("before the first: %+v %v", p, isNew)
	}
	for i := range byte(10) {
		f.Put(plain(int64(i), i))
	}
	p, isNew, _ := f.Take(math.MaxInt64)
	if !isNew || p.Frame != 9 || p.Pix[0] != 9 || p.Width != 256 || p.Height != 384 {
		t.Errorf("frame %d %v", p.Frame, isNew)
	}
	f.Put(plain(10, 10))
	if p.Frame != 9 || p.Pix[0] != 9 {
		t.Error("a picture changed in the hands of who took it")
	}
	if p, isNew, _ := f.Take(math.MaxInt64); !isNew || p.Frame != 10 {
		t.Errorf("frame %d %v", p.Frame, isNew)
	}
	if p, isNew, _ := f.Take(math.MaxInt64); isNew || p.Frame != 10 {
		t.Errorf("again: frame %d %v", p.Frame, isNew)
	}
}

func TestFeedDropsWhatIsBetweenRows(t *testing.T) {
	video := emucore.Video{Width: 2, Height: 2, Pitch: 7, Format: emucore.RGB565, Pix: []byte("abcd...efgh")}
	var f Feed
	f.Put(emucore.Frame{Video: video})
	if p, _, _ := f.Take(math.MaxInt64); string(p.Pix) != "abcdefgh" {
		t.Errorf("%q", p.Pix)
	}
}

func TestFeedRefusesImpossiblePictures(t *testing.T) {
	good := plain(1, 1).Video
	var f Feed
	for name, change := range map[string]func(v *emucore.Video){
		"none":       func(v *emucore.Video) { *v = emucore.Video{} },
		"wide":       func(v *emucore.Video) { v.Width = 257 },
		"short":      func(v *emucore.Video) { v.Pix = v.Pix[:len(v.Pix)-1] },
		"narrow":     func(v *emucore.Video) { v.Pitch = 511 },
		"huge":       func(v *emucore.Video) { v.Width, v.Pitch = 1<<40, 1<<41 },
		"negative":   func(v *emucore.Video) { v.Height = -1 },
		"flat":       func(v *emucore.Video) { v.Height = 1 },
		"format":     func(v *emucore.Video) { v.Format = 77 },
		"backwards":  func(v *emucore.Video) { v.Pitch = -512 },
		"wide pixel": func(v *emucore.Video) { v.Format = emucore.XRGB8888 },
	} {
		v := good
		change(&v)
		f.Put(emucore.Frame{Video: v})
		if _, isNew, _ := f.Take(math.MaxInt64); isNew {
			t.Errorf("%s: taken", name)
		}
	}
}

// TestFeedUnderRace lets both sides run as fast as they can: pictures come in
// order, whole, and the last one arrives.
func TestFeedUnderRace(t *testing.T) {
	const last = 3000
	var f Feed
	var writer sync.WaitGroup
	writer.Go(func() {
		pix := make([]byte, 64*2*64)
		for n := int64(1); n <= last; n++ {
			for i := range pix {
				pix[i] = byte(n)
			}
			f.Put(emucore.Frame{Number: n, Video: emucore.Video{Width: 64, Height: 64, Pitch: 128, Format: emucore.RGB565, Pix: pix}})
		}
	})
	for at := int64(0); at < last; {
		p, isNew, _ := f.Take(math.MaxInt64)
		if isNew && p.Frame <= at || !isNew && p.Frame != at {
			t.Fatalf("frame %d after %d, new: %v", p.Frame, at, isNew)
		}
		at = p.Frame
		for _, b := range p.Pix {
			if b != byte(at) {
				t.Fatalf("frame %d has a pixel of another: %d", at, b)
			}
		}
	}
	writer.Wait()
}

// TestFeedTellsWhatChanged: a picture that is the same again is none, and of one that is
// not, each half is known to be the same or not.
func TestFeedTellsWhatChanged(t *testing.T) {
	var f Feed
	frame := plain(1, 7)
	frame.Video.Pix = bytes.Clone(frame.Video.Pix)
	put := func(want bool, versions [2]uint64) {
		t.Helper()
		frame.Number++
		if got := f.Put(frame); got != want {
			t.Errorf("put: %v", got)
		}
		if p, isNew, _ := f.Take(math.MaxInt64); isNew != want || p.Versions != versions || !bytes.Equal(p.Pix, frame.Video.Pix) {
			t.Errorf("taken: %v, versions %v, want %v", isNew, p.Versions, versions)
		}
	}
	put(true, [2]uint64{1, 1})
	put(false, [2]uint64{1, 1})
	frame.Video.Pix[512*192]++ // the first pixel of the lower screen
	put(true, [2]uint64{1, 2})
	frame.Video.Pix[512*192-1]++ // the last of the upper
	put(true, [2]uint64{2, 2})
	for range 5 {
		put(false, [2]uint64{2, 2})
	}
	frame.Video.Format = emucore.XRGB1555 // the same bytes mean other colours
	put(true, [2]uint64{3, 3})
}

func BenchmarkPut(b *testing.B) {
	var f Feed
	frame := plain(1, 1)
	for b.Loop() {
		f.Put(frame)
	}
}
