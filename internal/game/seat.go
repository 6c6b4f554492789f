package game

import (
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
)

// seat is one console of the game with its input queue.
type seat struct {
	number   ds.Seat
	owner    int // machine
	nickname string
	mine     bool
	rom      string // SHA-256 in hex
	frame    int64  // frames done: the number of the next one

	// Its inputs.
	queue    *inputdelay.Queue
	delays   delays
	arrivals *autodelay.Arrivals
	waiting  []arrival           // not counted yet
	sampled  int64               // local frames whose input was taken; only our own seats
	offered  int64               // the first frame whose input was not yet offered to other machines
	recorded int64               // frames whose input was taken down
	past     past                // what the queue has forgotten
	stamper  *inputdelay.Stamper // in clocked play, on the game host
	own      past                // in clocked play: the newest samples of our own seat

	// Its console.
	run      *runner
	busy     bool      // the runner has a job
	since    time.Time // it has had it
	dark     bool      // its game has switched it off
	power    []int64   // frames before which it is switched on
	dead     bool      // the console is gone; the seat runs on without one until it gets another
	final    ds.Hash
	reported int64 // the frame after which a hash was last reported
	closed   bool  // the last frame is done and final is known

	// The end of its part in the game.
	end     int64 // this frame does not run any more
	left    bool  // unplugged: end is where it left
	idle    bool  // nobody plays it any more; its console runs on
	until   int64 // of one that is left or idle: the first frame for which nobody needs to be told its input
	unplugs bool  // left while a resync is under way: it is unplugged from the air that comes
	off     bool  // unplugged: nothing needs its console any more
	gone    bool  // its console is closed

	guesses guesses
}

// SeatConfig describes one console at the start of a round.
type SeatConfig struct {
	Seat     ds.Seat
	Owner    int // machine
	Nickname string
	ROM      string // SHA-256 in hex
	Console  Console
	SRAM     uint64 // hash of the backup memory that it starts with; 0 for none
}

// SeatState is a seat's state, at the moment it was asked for.
type SeatState struct {
	Seat     ds.Seat
	Owner    int // machine
	Nickname string
	ROM      string // SHA-256 in hex
	Mine     bool
	Frame    int64 // frames done
	End      int64 // this frame does not run any more; [Never] while that is not known
	Delay    int   // input delay in frames
	Newest   int64 // the newest frame whose input is here
	Left     bool  // it has left the game, or does so at a decided frame
	Vacant   bool  // nobody plays it any more
	Dead     bool  // its console failed
	Off      bool  // its game has switched it off
	Gone     bool  // it has left, and its console is closed; what it showed last is there
	Busy     bool  // its console is in the middle of a frame
	Closed   bool  // its last frame is done, and Final is the hash after it
	Final    ds.Hash
	Console  Console // the game's; to be used only while the console is not busy
}

// SeatOf is the seat of a plan, with its console.
func SeatOf(p room.SeatPlan, c Console) SeatConfig {
	return SeatConfig{Seat: p.Seat, Owner: p.Machine, Nickname: p.Nickname, ROM: fmt.Sprintf("%x", p.ROM.SHA256), Console: c}
}

// state returns the seat's state.
func (s *seat) state() SeatState {
	return SeatState{
		Seat: s.number, Owner: s.owner, Nickname: s.nickname, ROM: s.rom, Mine: s.mine, Frame: s.frame, End: s.end,
		Delay: s.queue.Delay(), Newest: s.queue.Newest(), Left: s.left, Vacant: s.vacant(), Dead: s.dead, Off: s.dark && !s.dead, Gone: s.gone, Busy: s.busy || len(s.guesses.list) > 0,
		Closed: s.closed, Final: s.final, Console: s.run.console,
	}
}

// Seat returns a seat's state, false for one that does not play.
func (g *Game) Seat(number ds.Seat) (SeatState, bool) {
	if s := g.seat(number); s != nil {
		return s.state(), true
	}
	return SeatState{}, false
}

// Plays reports whether a seat has, or had, a console in the game.
func (g *Game) Plays(number ds.Seat) bool { return g.seat(number) != nil }

// Nickname is that of a seat's player, "" for a seat that does not play.
func (g *Game) Nickname(number ds.Seat) string {
	if s := g.seat(number); s != nil {
		return s.nickname
	}
	return ""
}

// Seats are all seats as they stand, by rising number, also those that have left.
func (g *Game) Seats() []SeatState {
	list := make([]SeatState, len(g.seats))
	for i, s := range g.seats {
		list[i] = s.state()
	}
	return list
}

// lost reports whether the seat's console is gone while the seat goes on.
func (s *seat) lost() bool { return s.dead && !s.closed }

// vacant reports whether nobody plays the seat any more.
func (s *seat) vacant() bool { return s.left || s.idle }

// newest is the newest frame whose input can be passed on. Everybody knows that an idle
// seat presses nothing.
func (s *seat) newest() int64 {
	if s.idle {
		return min(s.queue.Newest(), s.until-1)
	}
	return s.queue.Newest()
}

// Slowest is the next frame of the slowest console, and what a machine reports: whoever
// waits for this machine waits for that console. A console that has left counts for
// nothing; where nothing counts, nobody waits.
func (g *Game) Slowest() int64 {
	frame := int64(Never)
	for _, s := range g.seats {
		if !s.closed {
			frame = min(frame, s.frame)
		}
	}
	if frame == Never {
		for _, s := range g.seats {
			if !s.left {
				frame = min(frame, s.frame)
			}
		}
	}
	return frame
}

// OwnFrames returns the number of frames our own console has done.
func (g *Game) OwnFrames() int64 {
	frames := int64(0)
	for _, s := range g.seats {
		if s.mine {
			frames = max(frames, s.frame)
		}
	}
	return frames
}

// Delay is the input delay of our own seats now, in frames.
func (g *Game) Delay() int {
	for _, s := range g.seats {
		if s.mine {
			return s.queue.Delay()
		}
	}
	return 0
}

// Consoles are those of all seats. Each may be used only while it is not busy.
func (g *Game) Consoles() map[ds.Seat]Console {
	m := make(map[ds.Seat]Console, len(g.seats))
	for _, s := range g.seats {
		m[s.number] = s.run.console
	}
	return m
}

// Owner is the nickname of a machine's player.
func (g *Game) Owner(machine int) string {
	for _, s := range g.seats {
		if s.owner == machine {
			return s.nickname
		}
	}
	return fmt.Sprintf("machine %d", machine)
}

// Owners are the machines by seat.
func (g *Game) Owners() map[ds.Seat]int {
	m := make(map[ds.Seat]int, len(g.seats))
	for _, s := range g.seats {
		m[s.number] = s.owner
	}
	return m
}

// names are the players of some machines.
func (g *Game) names(machines []int) []string {
	var names []string
	for _, s := range g.seats {
		if slices.Contains(machines, s.owner) {
			names = append(names, s.nickname)
		}
	}
	return names
}

// TakesPart reports whether a machine still plays a seat of the game.
func (g *Game) TakesPart(machine int) bool {
	return slices.ContainsFunc(g.seats, func(s *seat) bool { return s.owner == machine && !s.vacant() })
}

// Machines are those that still play, by rising number.
func (g *Game) Machines() []int {
	var list []int
	for m := range ds.MaxMachines {
		if g.TakesPart(m) {
			list = append(list, m)
		}
	}
	return list
}

// split tells the seats of a machine from those of all others.
func (g *Game) split(machine int) (owned, others []ds.Seat) {
	for _, s := range g.seats {
		if s.owner == machine {
			owned = append(owned, s.number)
		} else {
			others = append(others, s.number)
		}
	}
	return owned, others
}
