package stage

import (
	"bytes"
	"math/rand/v2"
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
	if p, isNew := f.Take(); isNew || p.Width != 0 {
		t.Errorf("before the first: %+v %v", p, isNew)
	}
	for i := range byte(10) {
		f.Put(plain(int64(i), i))
	}
	p, isNew := f.Take()
	if !isNew || p.Frame != 9 || p.Pix[0] != 9 || p.Width != 256 || p.Height != 384 {
		t.Errorf("frame %d %v", p.Frame, isNew)
	}
	f.Put(plain(10, 10))
	if p.Frame != 9 || p.Pix[0] != 9 {
		t.Error("a picture changed in the hands of who took it")
	}
	if p, isNew := f.Take(); !isNew || p.Frame != 10 {
		t.Errorf("frame %d %v", p.Frame, isNew)
	}
	if p, isNew := f.Take(); isNew || p.Frame != 10 {
		t.Errorf("again: frame %d %v", p.Frame, isNew)
	}
}

func TestFeedDropsWhatIsBetweenRows(t *testing.T) {
	video := emucore.Video{Width: 2, Height: 2, Pitch: 7, Format: emucore.RGB565, Pix: []byte("abcd...efgh")}
	var f Feed
	f.Put(emucore.Frame{Video: video})
	if p, _ := f.Take(); string(p.Pix) != "abcdefgh" {
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
		if _, isNew := f.Take(); isNew {
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
	writer.Add(1)
	go func() {
		defer writer.Done()
		pix := make([]byte, 64*2*64)
		for n := int64(1); n <= last; n++ {
			for i := range pix {
				pix[i] = byte(n)
			}
			f.Put(emucore.Frame{Number: n, Video: emucore.Video{Width: 64, Height: 64, Pitch: 128, Format: emucore.RGB565, Pix: pix}})
		}
	}()
	for at := int64(0); at < last; {
		p, isNew := f.Take()
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

func TestConvertLikeEmucore(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var c converter
	for _, format := range []emucore.PixelFormat{emucore.RGB565, emucore.XRGB1555, emucore.XRGB8888, emucore.RGB565} {
		v := emucore.Video{Width: 256, Height: 256, Pitch: 256 * format.Size(), Format: format}
		v.Pix = make([]byte, v.Pitch*v.Height)
		for i := range v.Pix {
			v.Pix[i] = byte(random.Uint32())
		}
		for i := range 1 << 16 { // each 16-bit pixel there is
			if format != emucore.XRGB8888 {
				v.Pix[2*i], v.Pix[2*i+1] = byte(i), byte(i>>8)
			}
		}
		want := v.Image().Pix
		got := make([]byte, 4*256*256)
		c.convert(got, v.Pix, format)
		for i := range 1 << 16 {
			g, w := got[4*i:], want[4*i:]
			if g[0] != w[2] || g[1] != w[1] || g[2] != w[0] {
				t.Fatalf("%v pixel %d: %v, want %v", format, i, g[:3], w[:3])
			}
		}
	}
}

func BenchmarkPut(b *testing.B) {
	var f Feed
	frame := plain(1, 1)
	for b.Loop() {
		f.Put(frame)
	}
}

func BenchmarkConvert(b *testing.B) {
	for _, format := range []emucore.PixelFormat{emucore.RGB565, emucore.XRGB8888} {
		b.Run(format.String(), func(b *testing.B) {
			from, to := make([]byte, 256*384*format.Size()), make([]byte, 256*384*4)
			for i := range from {
				from[i] = byte(i * 7)
			}
			var c converter
			for b.Loop() {
				c.convert(to, from, format)
			}
		})
	}
}
