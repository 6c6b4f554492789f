package app

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"path/filepath"
	"testing"

	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/ui/screen"
)

// TestRecordingsShowPictures: a recording shows the picture that it has, and the icon of its game where it has none, or one
// that is no picture, or larger than pictures are.
func TestRecordingsShowPictures(t *testing.T) {
	sample, err := replay.Open(filepath.Join("..", "..", "replay", "testdata", "format2.nplog"))
	must.Succeed(t, err)
	defer sample.Close()
	d := newDesktop(t)
	d.m.Config.Recording.Folder = t.TempDir()
	encoded := func(w, h int) []byte {
		img := image.NewRGBA(image.Rect(0, 0, w, h))
		img.Set(w/2, h/2, color.White)
		var b bytes.Buffer
		must.Succeed(t, png.Encode(&b, img))
		return b.Bytes()
	}
	shots := map[string][]byte{"good": encoded(128, 96), "none": nil, "hostile": []byte("\x89PNG\r\n\x1a\nno picture"), "huge": encoded(20_000, 1)}
	for name, shot := range shots {
		r := replay.NewRecorder(replay.Config{Path: filepath.Join(d.m.Config.Recording.Folder, name+replay.Extension)})
		must.Succeed(t, r.Begin(replay.Beginning{Head: sample.Head, Part: func(sum [32]byte) ([]byte, bool) {
			b, err := sample.Part(sample.Seats[0], sum)
			return b, err == nil
		}}))
		r.Shot(shot)
		must.Succeed(t, r.Close())
	}
	g := withIcon(testGame("Racer", 1), color.NRGBA{R: 200, A: 255})
	rom := *g.ROM
	rom.SHA256 = sample.Seats[0].Plan.ROM.SHA256
	g.ROM = &rom
	d.m.Games.Games = append(d.m.Games.Games, g)
	d.m.Go(screen.Recordings)
	d.until("the list", func() bool { return len(d.m.recordings.List) == len(shots) })
	h := newHand(t, d.m, large, 1)
	h.rest()
	for _, r := range d.m.recordings.List {
		name := r.Title()
		if got := r.Picture != nil; got != (name == "good") || r.Why != "" {
			t.Errorf("%s: has a picture: %t; %s", name, got, r.Why)
		}
		if r.Picture != nil && r.Picture.Bounds() != image.Rect(0, 0, 128, 96) {
			t.Errorf("%s: it is %v", name, r.Picture.Bounds())
		}
	}
	if d.m.IconOf(rom.SHA256) == 0 {
		t.Fatal("the game has no icon")
	}
	first := d.m.recordings.List
	d.m.recordings.Open()
	d.until("the list again", func() bool { return &d.m.recordings.List[0] != &first[0] })
	h.rest()
}
