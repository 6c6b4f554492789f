package game

import (
	"errors"
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
	feeding
	running
	parting
	guesses guesses
}

// feeding is the state of a seat's inputs.
type feeding struct {
	queue    *inputdelay.Queue
	delays   delays
	arrivals *autodelay.Arrivals
	waiting  []arrival // not counted yet
	sampled  int64     // local frames whose input was taken; only our own seats
	offered  int64     // the first frame whose input was not yet offered to other machines
	recorded int64     // frames whose input was taken down
	past     past      // what the queue has forgotten
	stamping
}

// running is the state of a seat's console.
type running struct {
	run      *runner
	busy     bool      // the runner has a job
	since    time.Time // it has had it
	dead     bool      // the console is gone; the seat runs on without one until it gets another
	final    ds.Hash
	reported int64 // the frame after which a hash was last reported
	closed   bool  // the last frame is done and final is known
}

// parting is the end of a seat's part in the game.
type parting struct {
	end     int64 // this frame does not run any more
	left    bool  // unplugged: end is where it left
	idle    bool  // nobody plays it any more; its console runs on
	until   int64 // of one that is left or idle: the first frame for which nobody needs to be told its input
	unplugs bool  // left while a resync is under way: it is unplugged from the air that comes
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
	Dead     bool  // its console is gone
	Busy     bool  // its console is in the middle of a frame
	Closed   bool  // its last frame is done, and Final is the hash after it
	Final    ds.Hash
	Console  Console // the game's; to be used only while the console is not busy
}

// SeatOf is the seat of a plan, with its console.
func SeatOf(p room.SeatPlan, c Console) SeatConfig {
	return SeatConfig{Seat: p.Seat, Owner: p.Machine, Nickname: p.Nickname, ROM: fmt.Sprintf("%x", p.ROM.SHA256), Console: c}
}

// newSeat makes a seat that begins at a frame with an input delay. So many frames at the
// beginning of its input queue are neutral.
func (g *Game) newSeat(c SeatConfig, frame int64, delay, neutral int) (*seat, error) {
	queue, err := inputdelay.NewQueue(frame, neutral)
	if err != nil {
		return nil, err
	}
	s := &seat{
		number: c.Seat, owner: c.Owner, nickname: c.Nickname, mine: c.Owner == g.me, rom: c.ROM, frame: frame,
		feeding: feeding{queue: queue, delays: delays{first: delay}, arrivals: new(autodelay.Arrivals), sampled: frame, offered: frame + int64(delay), recorded: frame, past: past{first: frame, next: frame, keep: lockstepFrames}},
		running: running{run: startRunner(c.Seat, c.Console, g.show, g.done, c.SRAM), reported: frame},
		parting: parting{end: g.last},
	}
	g.clocked(s)
	return s, nil
}

// lead is the number of frames at the beginning of an input queue that have no sample because of
// the delay. A late joiner gets those of the others as they are.
func (cfg Config) lead(c SeatConfig) int {
	if cfg.First > 0 && c.Owner != cfg.Me {
		return 0
	}
	return cfg.Delay
}

func (g *Game) seat(number ds.Seat) *seat {
	for _, s := range g.seats {
		if s.number == number {
			return s
		}
	}
	return nil
}

// state returns the seat's state.
func (s *seat) state() SeatState {
	return SeatState{
		Seat: s.number, Owner: s.owner, Nickname: s.nickname, ROM: s.rom, Mine: s.mine, Frame: s.frame, End: s.end,
		Delay: s.queue.Delay(), Newest: s.queue.Newest(), Left: s.left, Vacant: s.vacant(), Dead: s.dead, Busy: s.busy || len(s.guesses.list) > 0,
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

// push samples the input of local frame s.frame once and puts it into the input queue.
func (g *Game) push(s *seat) error {
	if s.sampled > s.frame {
		return nil
	}
	s.sampled = s.frame + 1
	_, _, err := s.queue.Push(s.frame, g.sample(s.number, s.frame).Normal())
	if err != nil {
		return fmt.Errorf("input of seat %v at frame %d: %w", s.number, s.frame, err)
	}
	return g.offer(s)
}

// offer hands what is new in a seat's input queue to those who mirror the seat.
func (g *Game) offer(s *seat) error {
	for ; s.offered <= s.newest(); s.offered++ {
		in, ok := s.queue.At(s.offered)
		if !ok {
			return fmt.Errorf("seat %v lost its input of frame %d before it was passed on", s.number, s.offered)
		}
		err := g.feed.out.Put(s.number, s.offered, in)
		if s.vacant() && errors.Is(err, inputdelay.ErrFull) {
			return nil // everybody fills in the rest, as the decision says
		}
		if err != nil {
			return err
		}
		if g.feed.clock.on {
			g.feed.mails.tell(g.me)
		} else {
			g.feed.mails.tell(s.owner)
		}
	}
	return nil
}

// recordInput takes down what a seat's console gets in its next frame, once: a console
// that crashed in that frame runs it again.
func (g *Game) recordInput(s *seat, in inputdelay.Input) {
	if s.frame >= s.recorded {
		s.recorded = s.frame + 1
		s.past.add(s.frame, in)
		g.rec.Input(s.number, s.frame, in)
	}
}

// torn reports whether one of our consoles is gone. The others here then hear another radio
// than elsewhere, so their hashes count for nothing until they are replaced.
func (g *Game) torn() bool {
	return slices.ContainsFunc(g.seats, func(s *seat) bool { return s.dead && !s.closed })
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
