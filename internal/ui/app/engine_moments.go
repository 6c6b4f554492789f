package app

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"

	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/start"
)

// OpenMoment implements start.Engine.
func (e *engine) OpenMoment(path string) {
	e.jobs.Go(func() {
		m := momentOf(replay.ReadMoment(path))
		e.post(func(s *Shell) { s.moments.Chosen(m) })
	})
}

// ListMoments implements start.Engine.
func (e *engine) ListMoments() { e.jobs.Go(e.tellMoments) }

// RenameMoment implements start.Engine.
func (e *engine) RenameMoment(path, name string) {
	e.change("The moment could not be renamed", e.ListMoments, func() error { return rename(path, name) })
}

// DeleteMoment implements start.Engine.
func (e *engine) DeleteMoment(path string) {
	e.change("The moment could not be deleted", e.ListMoments, func() error { return os.Remove(path) })
}

// tellMoments reads the moments that are kept, and shows them.
func (e *engine) tellMoments() {
	files, err := replay.Moments(e.places.Moments)
	if err != nil {
		e.complain("The kept moments could not be listed", err)
		return
	}
	var list []start.Moment
	for _, f := range files {
		list = append(list, momentOf(f))
	}
	e.post(func(s *Shell) { s.moments.Listed(list) })
}

func momentOf(f replay.KeptFile) start.Moment {
	if f.Err != nil {
		return start.Moment{GameFile: screen.GameFile{Path: f.Path, Game: filepath.Base(f.Path), Why: screen.Sentence(fmt.Sprint(f.Err))}}
	}
	return start.Moment{GameFile: screen.GameFile{
		Path: f.Path, Name: f.Name(), Game: f.Head.Game(), Players: f.Head.Players(), At: f.Head.Began, Frames: f.Moment.Frames,
	}, Picture: pictureOf(f.Moment.Picture, 1024)}
}

// pictureOf reads a picture of a file, which may be anything; nil for none, and for one with more than most pixels in a
// direction.
func pictureOf(b []byte, most int) image.Image {
	c, err := png.DecodeConfig(bytes.NewReader(b))
	if err != nil || c.Width < 2 || c.Height < 2 || c.Width > most || c.Height > most {
		return nil
	}
	img, _ := png.Decode(bytes.NewReader(b))
	return img
}
