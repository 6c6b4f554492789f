package emucore

import (
	"fmt"
	"image/color"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestPixelFormats: pictures come out in the right colours, without the gaps
// between rows and the rubbish in unused bits that a core may leave.
func TestPixelFormats(t *testing.T) {
	for _, test := range []struct {
		option string
		format PixelFormat
		at     color.RGBA // of pixel (3, 5)
	}{
		{"565", RGB565, color.RGBA{3 << 3, 5 << 2, 0, 255}},
		{"1555", XRGB1555, color.RGBA{3 << 3, 5<<3 | 5>>2, 0, 255}},
		{"8888", XRGB8888, color.RGBA{3, 5, 0, 255}},
	} {
		t.Run(test.option, func(t *testing.T) {
			c := mustWorld(t, "format", test.option)
			f, err := c.Step(Input{})
			must.Succeed(t, err)
			v := f.Video
			if v.Format != test.format || v.Width != 256 || v.Height != 384 || v.Pitch != 256*v.Format.Size() || len(v.Pix) != v.Pitch*v.Height {
				t.Fatalf("%v %dx%d, pitch %d, %d bytes", v.Format, v.Width, v.Height, v.Pitch, len(v.Pix))
			}
			if got := v.Image().RGBAAt(3, 5); got != test.at {
				t.Errorf("pixel %v, want %v", got, test.at)
			}
			// The rubbish changes from run to run and is not part of the picture.
			h, err := c.Hash()
			must.Succeed(t, err)
			s, err := c.Save()
			must.Succeed(t, err)
			stepWith(t, c, 0, 1)
			if again, err := c.Hash(); err != nil || again.Video == h.Video {
				t.Errorf("the next picture is the same (%v)", err)
			}
			zero := sealed(0, make([]byte, len(s.Data)-stateHeader))
			must.Succeed(t, c.Load(zero))
			stepWith(t, c, 0, 1)
			if again, err := c.Hash(); err != nil || again.Video != h.Video {
				t.Errorf("the same picture with other rubbish has another hash (%v)", err)
			}
		})
	}
}

// TestPictureSizes: any size within the bounds, none beyond.
func TestPictureSizes(t *testing.T) {
	for _, test := range []struct {
		width, height int
		ok            bool
	}{
		{1, 1, true},
		{1024, 1536, true},
		{1999, 1999, true},
		{0, 384, false},
		{256, 0, false},
		{2049, 1, false},
		{1, 2049, false},
		{1 << 30, 1 << 30, false},
	} {
		c := mustWorld(t, "width", fmt.Sprint(test.width), "height", fmt.Sprint(test.height), "quiet", "yes")
		f, err := c.Step(Input{})
		if (err == nil) != test.ok {
			t.Errorf("%dx%d: %v", test.width, test.height, err)
		}
		if err == nil && (f.Video.Width != test.width || f.Video.Height != test.height) {
			t.Errorf("%dx%d came as %dx%d", test.width, test.height, f.Video.Width, f.Video.Height)
		}
		c.Close()
	}
}

// TestPictureOfHostileWorker: sizes in a reply are claims.
func TestPictureOfHostileWorker(t *testing.T) {
	mem, f, err := newShared()
	must.Succeed(t, err)
	f.Close()
	defer mem.release()
	for _, bad := range [][3]uint32{
		{0, 1, formatRGB565},
		{1, 0, formatRGB565},
		{1, 1, 3},
		{1, 1, 1 << 31},
		{1, 1, 257},
		{videoMaxSide + 1, 1, formatRGB565},
		{1 << 31, 1 << 31, formatRGB565},
		{2048, 2048, formatXRGB8888},
		{1<<32 - 1, 2, formatRGB565},
	} {
		if _, ok := mem.picture(bad[0], bad[1], bad[2]); ok {
			t.Errorf("%v is taken", bad)
		}
	}
	if v, ok := mem.picture(2048, 2048, formatRGB565); !ok || len(v.Pix) != 2048*2048*2 {
		t.Error("the largest picture is refused")
	}
}

// TestSamePictureAgain: a core need not draw in each frame.
func TestSamePictureAgain(t *testing.T) {
	c := mustWorld(t, "do", "dupe")
	stepWith(t, c, 0, 2)
	before := hashOf(c.Video().Pix)
	stepWith(t, c, 0, 1)
	if c.Video().Width != 256 || hashOf(c.Video().Pix) != before {
		t.Error("the picture is gone")
	}
	stepWith(t, c, 0, 1)
	if hashOf(c.Video().Pix) == before {
		t.Error("the next picture is missing")
	}
}

// TestAdvance: a frame at which nobody looks is the same frame, and its picture is there
// for who asks, also when the console is gone.
func TestAdvance(t *testing.T) {
	seen, blind := mustWorld(t), mustWorld(t)
	for range 3 {
		f, err := seen.Step(Input{})
		must.Succeed(t, err)
		g, err := blind.Advance(Input{})
		if err != nil || g.Number != f.Number || len(g.Audio) != len(f.Audio) || g.Video.Width != 0 {
			t.Fatalf("frame %d of %d samples and %d columns, %v", g.Number, len(g.Audio), g.Video.Width, err)
		}
		a, errA := seen.Hash()
		b, errB := blind.Hash()
		if a != b || a.Video == 0 || errA != nil || errB != nil {
			t.Fatalf("hashes %+v and %+v, %v, %v", a, b, errA, errB)
		}
	}
	want := hashOf(seen.Video().Pix)
	blind.Close()
	if v := blind.Video(); v.Width == 0 || hashOf(v.Pix) != want {
		t.Errorf("the last picture is %dx%d", v.Width, v.Height)
	}
}

// TestSound: sample by sample or in batches, in order, bounded.
func TestSound(t *testing.T) {
	c := mustWorld(t)
	stepWith(t, c, 0, 2)
	f, err := c.Step(Input{})
	must.Succeed(t, err)
	if len(f.Audio) != 2*735 {
		t.Fatalf("%d samples", len(f.Audio))
	}
	for i, s := range f.Audio {
		if s != int16(2*1000+i) {
			t.Fatalf("sample %d is %d", i, s)
		}
	}
	if c.last.sampleRate != 32768 {
		t.Errorf("%v Hz", c.last.sampleRate)
	}
	loud := mustWorld(t, "do", "loud")
	if f, err = loud.Step(Input{}); err != nil || len(f.Audio) != 2*audioMax {
		t.Errorf("%d samples, %v", len(f.Audio), err)
	}
}
