package session

import (
	"bytes"
	"image"
	"image/png"

	"golang.org/x/image/draw"
)

// A recording has a small picture of its game, by which the list of recordings shows it. It is taken while the game runs,
// since only then there is a console that shows something.

// shotsAt are the frames from which on a picture is taken, each in the place of the one before: what comes later shows
// the game rather than its menus, and a short game has one, too.
var shotsAt = [...]int64{20 * 60, 3 * 60 * 60, 10 * 60 * 60}

// The size of a picture in a recording, in pixels: half a screen's.
const shotWide, shotHigh = 128, 96

// workShots takes a picture of the game for its recording when it is time. It is called once a second.
func (s *session) workShots() {
	if s.cfg.Recorder == nil || s.recording.shots >= len(shotsAt) || s.game.OwnFrames() < shotsAt[s.recording.shots] {
		return
	}
	shot := s.ownPicture()
	if shot == nil || plain(shot) {
		return // between two scenes, or in the middle of a frame: it is tried again
	}
	s.recording.shots++
	recorder := s.cfg.Recorder
	s.Background(func() (func(), func()) {
		b := small(shot)
		return func() { recorder.Shot(b) }, nil
	})
}

// plain reports whether a picture shows nothing in its upper screen: all of it has one colour.
func plain(shot image.Image) bool {
	b := upper(shot)
	first := shot.At(b.Min.X, b.Min.Y)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if shot.At(x, y) != first {
				return false
			}
		}
	}
	return true
}

// upper is the place of the upper screen in a console's picture.
func upper(shot image.Image) image.Rectangle {
	b := shot.Bounds()
	if b.Dy() > b.Dx() {
		b.Max.Y = b.Min.Y + b.Dy()/2
	}
	return b
}

// small is the upper screen as a recording has it, a PNG.
func small(shot image.Image) []byte {
	out := image.NewRGBA(image.Rect(0, 0, shotWide, shotHigh))
	draw.ApproxBiLinear.Scale(out, out.Bounds(), shot, upper(shot), draw.Src, nil)
	var b bytes.Buffer
	_ = png.Encode(&b, out) // which a buffer does not refuse
	return b.Bytes()
}
