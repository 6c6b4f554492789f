package session

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"time"

	"golang.org/x/image/draw"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/air"
	"github.com/nettplay/nettplay/internal/assembly"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/savestate"
)

// The game host can keep a moment, to go on from there another day: it orders a resync in
// which nobody is wrong. So all machines are known to have the same consoles and air, and each
// of them writes those into its own folder (package replay): whoever of them hosts the next
// time has it.

// moments is a session's state of the moments of its game.
type moments struct {
	wish   *string // the name of one that is to be kept when it can be; nil: none is
	kept   int     // in the game that runs
	before int64   // frames played before it, in the games that it goes on from
}

// maxKept bounds how many moments of a game are kept: each takes a place in the recording, and
// on all players' disks.
const maxKept = 20

// Keep has all machines keep this moment of the game, under a name, as soon as they can; for
// the game host.
func (c *Control) Keep(name string) {
	c.asHost(func(s *session, _ time.Time) error {
		switch {
		case s.game == nil || s.game.Closing():
			return errors.New("no game is running")
		case s.moments.kept >= maxKept:
			return fmt.Errorf("%d moments of this game are kept, and no game has more", s.moments.kept)
		case s.host.Decisions().Paused():
			s.Say("This moment will be saved as soon as the game goes on.")
		}
		s.moments.wish = &name
		return nil
	})
}

// workMoments orders that a moment is kept; on the game host.
func (s *session) workMoments(now time.Time) error {
	if s.moments.wish == nil || s.host == nil || s.assembler.Current() != nil || s.game.Resync() != nil || s.game.Closing() {
		return nil
	}
	err := s.host.Keep(now, s.me(), *s.moments.wish)
	if errors.Is(err, room.ErrPhase) {
		return nil // a little later
	}
	if s.moments.wish = nil; err != nil {
		s.Say("The moment cannot be kept: %v", err)
		return nil
	}
	s.comparer = nil
	return nil
}

// ownPicture returns our console's picture; nil for nothing.
func (s *session) ownPicture() image.Image {
	for _, seat := range s.game.Seats() {
		if !seat.Mine || seat.Busy || seat.Dead {
			continue
		}
		if v := seat.Console.Video(); len(v.Pix) > 0 {
			return v.Image()
		}
	}
	return nil
}

// keepMoment writes the consoles of a resync, which all machines are known to have.
func (s *session) keepMoment(a *assembly.Assembly, r *game.Resync, shot image.Image) {
	if s.moments.kept++; s.cfg.Moments == "" || s.moments.kept > maxKept {
		return
	}
	m := replay.Moment{Name: r.Decision.Why, Frames: s.moments.before + r.Frame()}
	b := s.beginning(a)
	for i := range b.Seats { // the resync's plan names the donor
		seat, _ := s.game.Seat(b.Seats[i].Plan.Seat)
		b.Seats[i].Plan.Machine = seat.Owner
	}
	folder, store := s.cfg.Moments, s.assembler.Store()
	s.Background(func() (func(), func()) {
		path, err := writeMoment(folder, b, r.Frame(), store, m, shot)
		return func() {
			if err != nil {
				s.Say("This moment could not be kept on this computer: %v", err)
				return
			}
			s.notify(notice.MomentKept{Path: path})
		}, nil
	})
}

// writeMoment writes consoles at a frame, with parts in a store, as a moment into a folder, with a
// picture of one of them, or nil; and returns the file. It waits for the disk.
func writeMoment(folder string, b replay.Beginning, frame int64, store *savestate.Store, m replay.Moment, shot image.Image) (path string, err error) {
	if err := restartClock(&b, frame, store); err != nil {
		return "", err
	}
	m.Picture = packPicture(shot)
	return replay.Keep(folder, b, m)
}

// restartClock makes of consoles at a frame the beginning of a game: at frame 0, with a clock that
// goes on.
func restartClock(b *replay.Beginning, frame int64, store *savestate.Store) error {
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
