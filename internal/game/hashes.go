package game

import (
	"slices"

	"github.com/nettplay/nettplay/internal/ds"
)

// hashing holds the interval of console hashes, and what is to be reported.
type hashing struct {
	every    int64 // frames
	from, to int64 // after each of the frames after from, up to to, there is a hash, too
	list     []Hashed
}

// Hashed is a console's hash to be compared with the others'.
type Hashed struct {
	Seat  ds.Seat
	Frame int64 // frames done
	Hash  ds.Hash
	Air   uint64 // hash of all that it has sent by radio
	SRAM  []byte // our own cartridge's backup memory, if it has changed
}

// wants reports whether consoles are hashed after so many frames.
func (h *hashing) wants(frames int64) bool {
	return frames%h.every == 0 || frames > h.from && frames <= h.to
}

// HashEach hashes all consoles after each of the frames after from up to to.
func (g *Game) HashEach(from, to int64) { g.hashes.from, g.hashes.to = from, to }

// Hashed are the hashes since the last call, in the order in which they were taken.
func (g *Game) Hashed() []Hashed {
	list := g.hashes.list
	g.hashes.list = nil
	return list
}

// noteHash takes the hash of an outcome. One of a console that has heard another radio than elsewhere is none.
func (g *Game) noteHash(s *seat, o Outcome) {
	if g.Torn() {
		s.final = ds.Hash{}
		return
	}
	if s.final = o.hash; s.frame <= s.reported {
		return
	}
	s.reported = s.frame
	g.rec.Hashes(s.number, s.frame, o.hash)
	g.hashes.list = append(g.hashes.list, Hashed{s.number, s.frame, o.hash, g.said(s), o.sram})
}

// said is the hash of all that a seat's console has sent by radio, or, of a console that
// is made to differ for a test, what it is taken for.
func (g *Game) said(s *seat) uint64 {
	said := g.radio.said(s.number, s.frame)
	if c, ok := s.run.console.(interface {
		Said(chain uint64, frames int64) uint64
	}); ok {
		return c.Said(said, s.frame)
	}
	return said
}

// Torn reports whether one of our consoles is gone, or was when its seat ended. The others here have then heard
// another radio than elsewhere, so their hashes count for nothing until they are replaced.
func (g *Game) Torn() bool {
	return g.tornAir || slices.ContainsFunc(g.seats, (*seat).lost)
}
