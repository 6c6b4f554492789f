package game

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ds"
)

// StopAt makes frame the first that no console runs.
func (g *Game) StopAt(frame int64) {
	for _, s := range g.seats {
		g.stopAt(s, frame)
	}
}

func (g *Game) stopAt(s *seat, frame int64) {
	s.end = min(s.end, frame)
	g.atEnd(s, false)
}

// atEnd closes the books of a console that has done its last frame. Fresh tells that
// final is the hash after it.
func (g *Game) atEnd(s *seat, fresh bool) {
	if s.frame < s.end || s.closed || s.busy || g.failed {
		return
	}
	if s.dead {
		s.closed, s.final = true, ds.Hash{} // the last one is of an earlier frame
		return
	}
	if !fresh {
		// It stood at its last frame before that was known to be the last.
		s.busy = true
		s.run.submit(job{hash: true})
		return
	}
	s.closed = true
}

// Depart is for a seat that left before the frame at which a recording is played from: it
// has no console and nothing more happens to it.
func (g *Game) Depart(seat ds.Seat, frame int64) error {
	s := g.seat(seat)
	if s == nil {
		return fmt.Errorf("seat %v leaves, but does not play", seat)
	}
	s.left, s.closed, s.off, s.end = true, true, true, min(s.end, frame)
	s.frame = min(s.frame, s.end)
	return nil
}

// unplugNow takes a seat that has left off the air, while all consoles stand.
func (g *Game) unplugNow(s *seat) error {
	s.unplugs, s.off = false, true
	return g.radio.Unplug(s.number)
}

// closeLeft closes the consoles of other machines' players who have left, after their last frame: each is a
// process with a core and a game in it. Our own stays until the end, for its cartridge's sake, and one that
// a resync under way replaces until that is over.
func (g *Game) closeLeft() {
	for _, s := range g.seats {
		if !s.off || !s.closed || s.gone || s.mine || s.busy || g.resyncs.now != nil {
			continue
		}
		s.gone = true
		s.guesses.list = nil
		g.radio.own(s.number, nil)
		run := s.run
		s.run = &runner{seat: s.number, console: shown{video: run.console.Video()}}
		g.leavers.Go(run.close) // a process takes some milliseconds to end, and the others play
	}
}

// shown is what is left of a console that is closed: its last picture. It lets go of all else, such as the air that it
// was on. Only its own methods may be called.
type shown struct {
	Console
	video emucore.Video
}

func (c shown) Video() emucore.Video { return c.video }
func (shown) SRAM() ([]byte, error)  { return nil, nil }
func (shown) Log() []string          { return nil }
func (shown) Close() error           { return nil }

// Finished reports whether every console has done its last frame.
func (g *Game) Finished() bool {
	return !slices.ContainsFunc(g.seats, func(s *seat) bool { return !s.closed })
}

// Ending is the first frame that no console runs, as far as is known.
func (g *Game) Ending() int64 {
	end := int64(Never)
	for _, s := range g.seats {
		if !s.left {
			end = min(end, s.end)
		}
	}
	return end
}

// Closing reports whether the game's end is so near that no more can be decided before it.
func (g *Game) Closing() bool { return g.Ending() <= g.feed.horizon.Frame }

// SeatReport is one console at the end of a game, or of a recording.
type SeatReport struct {
	Seat   ds.Seat `json:"seat"`
	Owner  string  `json:"owner"` // nickname
	ROM    string  `json:"rom"`   // SHA-256 in hex
	Frames int64   `json:"frames"`
	Hash   Hash    `json:"hash"` // of the console after its last frame; equal on all machines
}

// Report returns the seat's state for a report. It has a hash once the seat is closed.
func (s SeatState) Report() SeatReport {
	r := SeatReport{Seat: s.Seat, Owner: s.Nickname, ROM: s.ROM, Frames: s.Frame}
	if s.Closed && s.Final != (ds.Hash{}) {
		r.Hash = Hash(s.Final.Sum())
	}
	return r
}

// Hash is a console's hash. In JSON it is a string of 16 hex digits, because
// numbers there lose the low bits.
type Hash uint64

// String is the hash as 16 hex digits, or "-" for none.
func (h Hash) String() string {
	if h == 0 {
		return "-"
	}
	return fmt.Sprintf("%016x", uint64(h))
}

// MarshalJSON writes the hash as a string.
func (h Hash) MarshalJSON() ([]byte, error) { return json.Marshal(h.String()) }

// UnmarshalJSON reads what MarshalJSON writes.
func (h *Hash) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	if s == "-" {
		*h = 0
		return nil
	}
	_, err := fmt.Sscanf(s, "%x", (*uint64)(h))
	return err
}
