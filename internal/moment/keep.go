package moment

import (
	"bytes"
	"image"
	"image/png"
	"time"

	"golang.org/x/image/draw"

	"github.com/nettplay/nettplay/internal/air"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/savestate"
)

// Keep writes consoles at a frame, with parts in a store, as a moment into a folder, with a
// picture of one of them, or nil; and returns the file. It waits for the disk.
func Keep(folder string, b replay.Beginning, frame int64, store *savestate.Store, m replay.Moment, shot image.Image) (path string, err error) {
	if err := restart(&b, frame, store); err != nil {
		return "", err
	}
	m.Picture = packPicture(shot)
	return replay.Keep(folder, b, m)
}

// restart makes of consoles at a frame the beginning of a game: at frame 0, with a clock that
// goes on.
func restart(b *replay.Beginning, frame int64, store *savestate.Store) error {
	clock := min(b.Settings.RTC+int64(ds.FrameTime(frame)/time.Second), ds.MaxRTC)
	b.Settings.RTC = clock
	for i := range b.Seats {
		m := &b.Seats[i].Start
		m.Frame, m.RTC = 0, clock
		parts := make([]savestate.Part, 0, len(m.Parts))
		for _, p := range m.Parts {
			if p.Kind == savestate.KindAir {
				raw, _ := store.Get(p.SHA256)
				begun, err := air.Renumber(raw, 0)
				if err == nil {
					p, err = store.Put(savestate.KindAir, begun)
				}
				if err != nil {
					return err
				}
			}
			parts = append(parts, p)
		}
		m.Parts = parts
	}
	return nil
}

// packPicture is a picture as a moment has it, half as large where it would take too much;
// nil for none.
func packPicture(shot image.Image) []byte {
	if shot == nil {
		return nil
	}
	var b bytes.Buffer
	if png.Encode(&b, shot) != nil || b.Len() <= replay.MaxPicture {
		return b.Bytes()
	}
	half := image.NewRGBA(image.Rect(0, 0, shot.Bounds().Dx()/2, shot.Bounds().Dy()/2))
	draw.ApproxBiLinear.Scale(half, half.Bounds(), shot, shot.Bounds(), draw.Src, nil)
	b.Reset()
	_ = png.Encode(&b, half) // which a buffer does not refuse
	return b.Bytes()
}
