package replay

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/cheat"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/savestate"
)

// A Log is a recording that is open for reading. It describes the
// moment at which it was opened, also when the game goes on. Its methods may be
// called by any goroutine; each Cursor is for one.
type Log struct {
	Head
	Path      string
	Size      int64  // bytes of whole blocks
	Cut       string // why the file is not read to its end, in words; "" if it is
	Ended     bool   // the game's end was recorded, and
	Why       string // why it ended, in words
	Decisions []timeline.Decision
	Restarts  []Restart // by rising frame
	Clips     []Clip    // in the order in which they were made
	Shot      []byte    // a picture of the game, PNG by its maker's word; nil for none
	Chat      int       // lines that were said and recorded
	Moment    *Moment   // the log is a kept moment; nil: it is a recording

	file   io.ReaderAt
	close  func() error
	headed int64     // where the head's block ends
	ends   []written // of each seat
	whole  int       // of how many beginnings all parts are here, as far as the log says
	proofs int
	known  map[[32]byte]savestate.Part // that some seat starts from
	parts  map[[32]byte][]piece
	marks  []mark

	live   *Live                   // where more comes from; nil if none does
	looked int64                   // bytes that were there at the last look
	watch  func(l *Log, end int64) // is told of each whole block; may be nil
}

// piece is where bytes of a part stand in the file.
type piece struct{ at, size int64 }

// mark is a place in the file from which reading can begin.
type mark struct {
	at   int64
	ends []written
}

// markEvery is the distance of marks, in bytes.
const markEvery = 32 << 10

// Close lets go of the file.
func (l *Log) Close() error { return l.close() }

// Frames returns the number of a seat's frames in the log.
func (l *Log) Frames(seat ds.Seat) int64 {
	if i := l.seat(seat); i >= 0 {
		return l.ends[i].frames
	}
	return 0
}

// Begin is the first frame of a seat: later than 0 where its player came into the running game.
func (l *Log) Begin(seat ds.Seat) int64 {
	if i := l.seat(seat); i >= 0 {
		return l.Seats[i].From
	}
	return 0
}

// Length returns the number of frames that can be played: up to where the game ended, or else as many
// as there are of every seat that had not left; but of a file not beyond a restart that is not
// [Log.Whole].
func (l *Log) Length() int64 {
	n := l.written()
	if ready := len(l.Ready()); l.live == nil && ready < len(l.Restarts) {
		return min(n, l.Restarts[ready].Frame)
	}
	return n
}

// written is Length, whether or not consoles can be made anew.
func (l *Log) written() int64 {
	end := int64(-1)
	for _, d := range l.Decisions {
		if d.Kind == timeline.End && (end < 0 || d.Frame < end) {
			end = d.Frame
		}
	}
	there := int64(-1)
	for i, s := range l.Seats {
		if n := l.ends[i].frames; !l.Left(s.Plan.Seat, n) && (there < 0 || n < there) {
			there = n
		}
	}
	if there < 0 { // everybody has left
		for _, e := range l.ends {
			there = max(there, e.frames)
		}
	}
	if end < 0 {
		return there
	}
	return min(end, there)
}

// Repaired reports whether the players made their consoles anew at a frame because they were not
// alike.
func (l *Log) Repaired(frame int64) bool {
	return slices.ContainsFunc(l.Decisions, func(d timeline.Decision) bool {
		return d.Kind == timeline.Resync && d.Frame == frame && !d.Alike
	})
}

// Left reports whether a seat had left when it had done so many frames.
func (l *Log) Left(seat ds.Seat, frames int64) bool {
	return slices.ContainsFunc(l.Decisions, func(d timeline.Decision) bool {
		return d.Kind == timeline.Leave && d.Seat == seat && d.Frame <= frames
	})
}

// seat is the index of a seat's number, -1 for none.
func (l *Log) seat(number ds.Seat) int {
	return slices.IndexFunc(l.Seats, func(s Seat) bool { return s.Plan.Seat == number })
}

// Part is the raw bytes of a save or state that a seat starts from.
func (l *Log) Part(seat Seat, sum [32]byte) ([]byte, error) {
	for _, p := range seat.Start.Parts {
		if p.SHA256 != sum {
			continue
		}
		if len(l.parts[sum]) == 0 {
			return nil, fmt.Errorf("%s ends before the %v that seat %v starts from", l.Path, p, seat.Plan.Seat)
		}
		var packed []byte
		for _, piece := range l.parts[sum] {
			n := len(packed)
			packed = slices.Grow(packed, int(piece.size))[:n+int(piece.size)]
			if _, err := l.file.ReadAt(packed[n:], piece.at); err != nil {
				return nil, fmt.Errorf("%v of %s: %w", p, l.Path, err)
			}
		}
		raw, err := unpack(packed, p.Size)
		if err == nil && sha256.Sum256(raw) != sum {
			err = errors.New("these are not the bytes that were recorded")
		}
		if err != nil {
			return nil, fmt.Errorf("%v of %s: %w", p, l.Path, err)
		}
		return raw, nil
	}
	return nil, fmt.Errorf("seat %v starts from no such part", seat.Plan.Seat)
}

// HasCheats reports whether some console of the log has cheats.
func (l *Log) HasCheats() bool {
	return slices.ContainsFunc(l.Seats, func(s Seat) bool { _, has := s.Start.Part(savestate.KindCheats); return has })
}

// Cheats are those of the game, and the game whose consoles have them; none where it was played without.
func (l *Log) Cheats() (c room.Cheats, err error) {
	for _, s := range l.Seats {
		p, has := s.Start.Part(savestate.KindCheats)
		if !has {
			continue
		}
		b, err := l.Part(s, p.SHA256)
		if err != nil {
			return room.Cheats{}, err
		}
		list, err := cheat.Decode(b)
		return room.Cheats{Game: s.Plan.ROM.SHA256, List: list}, err
	}
	return room.Cheats{}, nil
}

// Whole reports whether everything is here that the consoles start from: at the first
// frame for 0, after so many restarts else. It is written some moments after the frames,
// so a log that grows can be without, and one that was cut off. Logs of old versions do
// not say; they are taken to be whole.
func (l *Log) Whole(restarts int) bool {
	return l.whole > restarts || l.live == nil && l.whole == 0
}

// Complete reports whether the game's end is here, and all that consoles start from until then.
func (l *Log) Complete() bool { return l.Ended && len(l.Ready()) == len(l.Restarts) }

// Ready are the restarts, the first ones, of which all is here: see [Log.Whole].
func (l *Log) Ready() []Restart {
	n := 0
	for n < len(l.Restarts) && l.Whole(n+1) {
		n++
	}
	return l.Restarts[:n]
}
