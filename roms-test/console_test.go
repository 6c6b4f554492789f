package romstest_test

import (
	"image"
	"os"
	"strconv"
	"testing"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// onCores runs a test on the default core, and on the one that NETTPLAY_TEST_CORE
// names, which should be melonDS DS.
func onCores(t *testing.T, test func(t *testing.T, core emucore.Core)) {
	t.Helper()
	core, err := emucore.Search{}.Find(t.Context(), "desmume")
	if err != nil {
		t.Run("DeSmuME", func(t *testing.T) {
			t.Skipf("NOT TESTED: the default core is not installed: %s", emucore.AptLine)
		})
	} else {
		t.Run("DeSmuME", func(t *testing.T) { test(t, core) })
	}
	path := os.Getenv("NETTPLAY_TEST_CORE")
	if path == "" {
		return
	}
	if core, err = emucore.OpenCore(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	t.Run(core.Name, func(t *testing.T) { test(t, core) })
}

// isMelonDS tells the two cores apart where they differ.
func isMelonDS(core emucore.Core) bool { return core.Name == "melonDS DS" }

// rtcStart is what the clock shows at frame 0: 2031-12-31 23:59:57, a Wednesday.
const rtcStart = 1956527997

var firmware = ds.Firmware{
	Nickname: "Zoe", MAC: [6]byte{0x00, 0x09, 0xBF, 0x0A, 0x0B, 0x0C},
	Language: 3, Colour: 4, BirthMonth: 11, BirthDay: 30,
}

// player is a console that runs a test ROM, and what it shows.
type player struct {
	*testing.T
	console *emucore.Console
}

// play starts a ROM in a new console; change may be nil.
func play(t *testing.T, core emucore.Core, rom []byte, change func(*emucore.Config)) player {
	t.Helper()
	file := model.ROM(t, rom)
	cfg := emucore.Config{Core: core, ROM: file, RTC: rtcStart, Firmware: firmware}
	if isMelonDS(core) { // whose microphone hears nothing unless a room wants it to
		cfg.Options = []ds.Option{{Key: "melonds_mic_input", Value: "blow"}}
	}
	if change != nil {
		change(&cfg)
	}
	c, err := emucore.Start(t.Context(), cfg)
	must.Succeed(t, err)
	t.Cleanup(func() { c.Close() })
	return player{t, c}
}

// step runs n frames with the same input.
func (p player) step(n int, in emucore.Input) {
	p.Helper()
	for range n {
		if _, err := p.console.Step(in); err != nil {
			p.Fatal(err)
		}
	}
}

// script runs n frames of a player's inputs.
func (p player) script(s *inputdelay.Script, n int) {
	p.Helper()
	for range n {
		p.step(1, s.At(p.console.Frame()))
	}
}

// view is one picture, read.
type view struct {
	*testing.T
	img   *image.RGBA
	lines []romstest.Line
}

func (p player) look() view {
	img := p.console.Video().Image()
	return view{p.T, img, romstest.ReadText(img)}
}

// barcode is the hash as the last rows say it.
func (p player) barcode() uint32 {
	p.Helper()
	v, err := romstest.ReadBarcode(p.console.Video().Image())
	must.Succeed(p, err)
	return v
}

// field returns what stands behind a label, which must be there.
func (v view) field(label string) string {
	v.Helper()
	s, ok := romstest.Field(v.lines, label)
	if !ok {
		v.Fatalf("the picture has no %s: %+v", label, v.lines)
	}
	return s
}

// expect compares fields, given as label, value, label, value ...
func (v view) expect(fields ...string) {
	v.Helper()
	for i := 0; i < len(fields); i += 2 {
		if got := v.field(fields[i]); got != fields[i+1] {
			v.Errorf("%s is %q, want %q", fields[i], got, fields[i+1])
		}
	}
}

// frame is the program's own count.
func (v view) frame() int {
	v.Helper()
	n, err := strconv.Atoi(v.field("frame"))
	must.Succeed(v, err)
	return n
}

// textHash is the hash as the text says it.
func (v view) textHash() uint32 {
	v.Helper()
	h, err := strconv.ParseUint(v.field("hash"), 16, 32)
	must.Succeed(v, err)
	return uint32(h)
}

func keys(k inputdelay.Keys) emucore.Input { return emucore.Input{Keys: k} }

func touch(x, y uint8) emucore.Input {
	return emucore.Input{Keys: inputdelay.Touch, X: x, Y: y}
}

// top is the upper screen of a picture.
func (v view) top() []byte {
	return v.img.Pix[:v.img.PixOffset(0, 192)]
}
