package emucore

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// mash returns n frames of a player's random input, the same for equal seeds.
func mash(seed uint64, n int) []Input {
	r := rand.New(rand.NewPCG(seed, 0))
	ins := make([]Input, n)
	var now Input
	for i := range ins {
		if r.IntN(4) == 0 {
			now.Keys = inputdelay.Keys(r.Uint32()) & (inputdelay.Touch<<1 - 1)
			now.X, now.Y = uint8(r.Uint32()), uint8(r.IntN(192))
		}
		ins[i] = now.Normal()
	}
	return ins
}

// play runs frames and returns the console's hash after each n-th of them.
func play(t *testing.T, c *Console, ins []Input, n int) []ds.Hash {
	t.Helper()
	var hashes []ds.Hash
	for i, in := range ins {
		if _, err := c.Step(in); err != nil {
			t.Error(err)
			return nil
		}
		if i%n == n-1 {
			h, err := c.Hash()
			if err != nil {
				t.Error(err)
				return nil
			}
			hashes = append(hashes, h)
		}
	}
	return hashes
}

// TestSameInputsSameConsole: two consoles at the same time, and a third later,
// are the same in every frame looked at; with other inputs they are not.
func TestSameInputsSameConsole(t *testing.T) { onCores(t, sameInputsSameConsole) }

func sameInputsSameConsole(t *testing.T, core Core) {
	checkLeaks(t)
	a, b := startCore(t, core, nil), startCore(t, core, nil)
	ins := mash(1, 240)
	var ha, hb []ds.Hash
	var wg sync.WaitGroup
	wg.Go(func() { ha = play(t, a, ins, 12) })
	wg.Go(func() { hb = play(t, b, ins, 12) })
	wg.Wait()
	if len(ha) != 20 || !slices.Equal(ha, hb) {
		t.Fatalf("two at a time differ:\n%v\n%v", ha, hb)
	}
	a.Close()
	b.Close()

	time.Sleep(1100 * time.Millisecond) // another second of wall time
	c := startCore(t, core, nil)
	if hc := play(t, c, ins, 12); !slices.Equal(ha, hc) {
		t.Fatalf("one after the other differ:\n%v\n%v", ha, hc)
	}
	c.Close()

	ins[120].Keys ^= inputdelay.KeyA
	d := startCore(t, core, nil)
	hd := play(t, d, ins, 12)
	d.Close()
	if !slices.Equal(hd[:10], ha[:10]) || hd[10] == ha[10] || hd[10].RAM == ha[10].RAM || hd[10].Video == ha[10].Video {
		t.Errorf("one key in frame 120 makes:\n%v\nof\n%v", hd[:12], ha[:12])
	}
}

// TestSettingsMatter: the clock and the firmware are part of the console.
func TestSettingsMatter(t *testing.T) { onCores(t, settingsMatter) }

func settingsMatter(t *testing.T, core Core) {
	hash := func(change func(*Config)) ds.Hash {
		c := startCore(t, core, change)
		defer c.Close()
		return play(t, c, mash(1, 120), 120)[0]
	}
	want := hash(nil)
	if hash(func(cfg *Config) { cfg.RTC += 86400 }) == want {
		t.Error("a day later the console is the same")
	}
	if hash(func(cfg *Config) { cfg.Firmware.Language = 2 }) == want {
		t.Error("in French the console is the same")
	}
}

// TestHashChangesNothing: a console that is hashed and saved in every frame goes
// on like one that is not.
func TestHashChangesNothing(t *testing.T) { onCores(t, hashChangesNothing) }

func hashChangesNothing(t *testing.T, core Core) {
	ins := mash(2, 120)
	plain := play(t, startCore(t, core, nil), ins, 120)
	c := startCore(t, core, nil)
	var last []ds.Hash
	for i := range ins {
		last = play(t, c, ins[i:i+1], 1)
		if i%10 == 0 {
			if _, err := c.Save(); err != nil {
				t.Fatal(err)
			}
			if _, err := c.SRAM(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !slices.Equal(plain, last) {
		t.Errorf("not looked at %v, looked at %v", plain, last)
	}
}

// TestFrame: what a step gives, and that it is numbered.
func TestFrame(t *testing.T) {
	c := startCore(t, needDesmume(t), nil)
	if c.Frame() != 0 || c.Video().Width != 0 || c.Video().Pix != nil {
		t.Errorf("before the first frame: %d, %+v", c.Frame(), c.Video())
	}
	for n := range int64(5) {
		f, err := c.Step(Input{})
		must.Succeed(t, err)
		if f.Number != n || c.Frame() != n+1 {
			t.Errorf("frame %d is number %d, next is %d", n, f.Number, c.Frame())
		}
		if f.Video.Width != 256 || f.Video.Height != 384 || f.Video.Format != RGB565 || f.Video.Pitch != 512 || len(f.Video.Pix) != 512*384 {
			t.Errorf("picture %dx%d %v, pitch %d, %d bytes", f.Video.Width, f.Video.Height, f.Video.Format, f.Video.Pitch, len(f.Video.Pix))
		}
		if len(f.Audio) != 2*735 {
			t.Errorf("%d samples", len(f.Audio))
		}
		if f.Took <= 0 {
			t.Errorf("took %v", f.Took)
		}
	}
	if c.last.sampleRate != 44100 || c.last.fps != 60 {
		t.Errorf("%v Hz, %v frames a second", c.last.sampleRate, c.last.fps)
	}
}

// TestSkip: frames that are skipped are frames that were run.
func TestSkip(t *testing.T) {
	core := needDesmume(t)
	a, b := startCore(t, core, nil), startCore(t, core, nil)
	stepWith(t, a, inputdelay.KeyA, 100)
	for _, n := range []int{1, 98, 1} {
		if _, err := b.Skip(Input{Keys: inputdelay.KeyA}, n); err != nil {
			t.Fatal(err)
		}
	}
	ha, _ := a.Hash()
	hb, err := b.Hash()
	if err != nil || ha != hb || b.Frame() != 100 || b.Video().Width != 256 {
		t.Errorf("frame %d: %v, want %v (%v)", b.Frame(), hb, ha, err)
	}
	for _, n := range []int{-1, 0, MaxSkip + 1} {
		if _, err := b.Skip(Input{}, n); err == nil {
			t.Errorf("skips %d frames", n)
		}
	}
}

func TestFrameTime(t *testing.T) {
	for _, test := range []struct {
		n    int64
		want time.Duration
	}{
		{0, 0},
		{1, 16715113},                    // 560190 / 33513982 s
		{60, 1002906786},                 //
		{33513982, 560190 * time.Second}, // exact
		{-1, -16715113},
		{1 << 62, 1<<63 - 1},
		{-1 << 63, -1 << 63},
	} {
		if got := ds.FrameTime(test.n); got != test.want {
			t.Errorf("ds.FrameTime(%d) = %d, want %d", test.n, got, test.want)
		}
	}
}
