package session

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/mirror"
)

const never = math.MaxInt64

// game is one round of play on this machine: its consoles, their lines of
// input and what is exchanged with the other machines so that all consoles
// everywhere get the same input in the same frame.
//
// It has no clock, socket or goroutine of its own: the session calls it with
// the time, hands it the datagrams that arrived and the outcomes of the
// runners, and sends the datagrams that it returns.
type game struct {
	round     uint32
	me        int  // this machine
	host      int  // the game host's
	hosting   bool // they are the same
	hashEvery int64
	hashFrom  int64   // after each of the frames after this one
	hashTo    int64   // up to this one there is a hash, too
	seats     []*seat // by seat number
	done      chan ran
	sample    func(seat int, frame int64) inputdelay.Input
	pace      pacer
	begun     int64     // local frames that have begun
	last      int64     // the first frame that nobody runs, as decided so far
	radio     *radio    // between the consoles; nil where the core has none
	meetings  []meeting // by rising frame; see meet.go
	plan      []host.SeatPlan
	repair    *repair // the consoles are to be replaced; see repair.go
	repairs   int
	entering  []host.SeatPlan // come in with the next resync
	show      func(seat int, f emucore.Frame)

	out       *mirror.Host
	in        map[int]*mirror.Client // by directly connected machine
	pressure  *mirror.Pressure
	horizon   mirror.Horizon
	decisions uint32 // applied so far, in order
	promised  int64  // the newest horizon for which all decisions were known
	moved     bool   // the game host is not the one with whom the game began
	changed   bool   // there is something that the others should hear at once
	sent      time.Time
	buffer    []byte          // for datagrams to send
	arrived   mirror.Datagram // for those that came

	waiting []int     // machines that our own console waits for
	since   time.Time // when that wait began
	stalls  Stalls
	pause   time.Duration // until a frame is due
	told    bool          // the room knows that we are at the end
	failed  bool          // one of our consoles is gone: nothing runs any more
	steps   durations
	hashed  []hashed
	rec     Recorder
}

// seat is one console of the game with its line of input.
type seat struct {
	number, owner int
	nickname      string
	mine          bool
	rom           string
	line          *inputdelay.Queue
	run           *runner
	frame         int64     // frames done: the number of the next one
	sampled       int64     // local frames whose input was taken; only our own seats
	offered       int64     // the first frame whose input is not yet in out
	past          past      // what the line has forgotten
	busy          bool      // the runner has a job
	since         time.Time // it has had it
	end           int64     // this frame does not run any more
	left          bool      // unplugged: end is where it left
	idle          bool      // nobody plays it any more; its console runs on
	until         int64     // then: the first frame for which nobody needs to be told its input
	unplugs       bool      // ... from the air that comes with a resync
	dead          bool      // its console is gone; the seat runs on without one until it gets another
	final         ds.Hash
	recorded      int64 // frames whose input was taken down
	reported      int64 // the frame after which a hash was last reported
	closed        bool  // final is known
}

// hashed is a console's hash to be reported.
type hashed struct {
	seat  int
	frame int64 // frames done
	hash  ds.Hash
	air   uint64 // what it has sent; see radio.said
	sram  []byte // our own cartridge's backup memory, if it has changed
}

// seatConfig describes one console at the start of a round.
type seatConfig struct {
	number, owner int
	nickname      string
	rom           string
	console       console
	sram          uint64 // hash of the backup memory that it starts with; 0 for none
}

// gameConfig is what a round begins with.
type gameConfig struct {
	round     uint32
	me        int
	host      int // the game host's machine
	delay     int
	hashEvery int64
	unlimited bool // do not keep to the console's rate
	seats     []seatConfig
	machines  []int // all that take part, this one included
	first     int64 // the frame at which all of it begins here: 0 but for a newcomer
	plan      []host.SeatPlan
	horizon   mirror.Horizon
	radio     *radio // nil where the core has none
	sample    func(seat int, frame int64) inputdelay.Input
	show      func(seat int, f emucore.Frame)
	rec       Recorder // may be nil
}

// newGame takes ownership of the consoles, also when it fails.
func newGame(cfg gameConfig) (*game, error) {
	g := &game{
		round: cfg.round, me: cfg.me, host: cfg.host, hosting: cfg.host == cfg.me, hashEvery: cfg.hashEvery,
		done: make(chan ran, ds.MaxSeats), sample: cfg.sample, pace: pacer{unlimited: cfg.unlimited},
		out: mirror.NewHost(), in: make(map[int]*mirror.Client), pressure: mirror.NewPressure(), horizon: cfg.horizon, radio: cfg.radio,
		promised: cfg.horizon.Frame, begun: cfg.first, last: never,
		plan: cfg.plan, show: cfg.show,
		rec: orUnrecorded(cfg.rec),
	}
	slices.SortFunc(cfg.seats, func(a, b seatConfig) int { return cmp.Compare(a.number, b.number) })
	for i, c := range cfg.seats {
		line, err := inputdelay.NewQueue(cfg.first, cfg.lead(c))
		if err != nil {
			g.close()
			for _, rest := range cfg.seats[i:] {
				rest.console.Close()
			}
			return nil, err
		}
		g.seats = append(g.seats, &seat{
			number: c.number, owner: c.owner, nickname: c.nickname, mine: c.owner == cfg.me, rom: c.rom, line: line, end: never, offered: cfg.first + int64(cfg.delay),
			frame: cfg.first, sampled: cfg.first, recorded: cfg.first, reported: cfg.first,
			run: startRunner(c.number, c.console, cfg.show, g.done, c.sram),
		})
		g.radio.own(c.number, c.console)
	}
	g.connect(cfg)
	if err := g.radio.begin(g.horizon.Frame); err != nil {
		g.close()
		return nil, err
	}
	return g, nil
}

func (g *game) seat(number int) *seat {
	for _, s := range g.seats {
		if s.number == number {
			return s
		}
	}
	return nil
}

// advance starts every frame that may run now and returns how long nothing
// will change unless something arrives.
func (g *game) advance(now time.Time) (time.Duration, error) {
	wait := time.Duration(never)
	if g.failed {
		return wait, nil
	}
	if err := g.meet(); err != nil {
		return 0, err
	}
	for _, s := range g.seats {
		if s.busy || s.frame >= s.end || !g.allowed(s.frame) {
			continue
		}
		if s.mine {
			w, err := g.begin(s, now)
			if err != nil {
				return 0, err
			}
			if w > 0 {
				wait = min(wait, w)
				continue
			}
		}
		if in, ok := s.line.At(s.frame); ok {
			g.submit(s, in, now)
		}
	}
	g.starved(now)
	return wait, g.openAir()
}

// allowed tells whether every decision that could apply at a frame is known, and
// nobody is met before it.
func (g *game) allowed(frame int64) bool {
	return frame < g.horizon.Frame && g.decisions >= g.horizon.Decisions && frame < g.stop()
}

// begin begins our own console's next frame by sampling its input, unless the
// frame is not due or another machine is too far behind. It returns how long
// to wait, 0 when the frame has begun.
func (g *game) begin(s *seat, now time.Time) (time.Duration, error) {
	if s.frame < g.begun {
		// Another of our seats has begun it, or we have and wait for the line.
		return 0, g.push(s)
	}
	if w := g.pace.wait(now); w > 0 {
		return w, nil
	}
	if g.blocked(g.pressure.Behind(s.frame), now) {
		return time.Duration(never), nil
	}
	g.pace.begin(now)
	g.begun = s.frame + 1
	return 0, g.push(s)
}

// push samples the input of local frame s.frame once and puts it on the line.
func (g *game) push(s *seat) error {
	if s.sampled > s.frame {
		return nil
	}
	s.sampled = s.frame + 1
	_, _, err := s.line.Push(s.frame, g.sample(s.number, s.frame).Normal())
	if err != nil {
		return fmt.Errorf("input of seat %d at frame %d: %w", s.number, s.frame, err)
	}
	return g.offer(s)
}

// offer hands what is new on a seat's line to those who mirror the seat.
func (g *game) offer(s *seat) error {
	for ; s.offered <= s.newest(); s.offered++ {
		in, ok := s.line.At(s.offered)
		if !ok {
			return fmt.Errorf("seat %d lost its input of frame %d before it was passed on", s.number+1, s.offered)
		}
		err := g.out.Put(s.number, s.offered, in)
		if s.vacant() && errors.Is(err, inputdelay.ErrFull) {
			return nil // everybody fills in the rest, as the decision says
		}
		if err != nil {
			return err
		}
		g.changed = true
	}
	return nil
}

// recordInput takes down what a seat's console gets in its next frame, once: one that
// crashed in it has been told before.
func (g *game) recordInput(s *seat, in inputdelay.Input) {
	if s.frame >= s.recorded {
		s.recorded = s.frame + 1
		s.past.add(s.frame, in)
		g.rec.Input(s.number, s.frame, in)
	}
}

// submit lets a console run its next frame.
func (g *game) submit(s *seat, in inputdelay.Input, now time.Time) {
	if s.dead {
		g.recordInput(s, in)
		s.frame++
		s.line.Forget(s.frame)
		g.atEnd(s, false)
		g.changed = true // the others wait for the input alone
		return
	}
	after := s.frame + 1
	s.busy, s.since = true, now
	g.recordInput(s, in)
	s.run.submit(job{in: in, step: true, hash: g.wantsHash(after) || after == s.end, sram: s.mine})
}

// wantsHash tells whether consoles are hashed after so many frames.
func (g *game) wantsHash(frames int64) bool {
	return frames%g.hashEvery == 0 || frames > g.hashFrom && frames <= g.hashTo
}

// ranJob takes the outcome of a runner's job. After an error no console runs
// any more; the outcomes of those that still did count for nothing.
func (g *game) ranJob(r ran) error {
	s := g.seat(r.seat)
	s.busy = false
	if g.failed {
		return nil
	}
	if r.err != nil {
		g.failed = true
		return &consoleError{seat: s.number, frame: s.frame, err: r.err}
	}
	if err := g.radio.collect(); err != nil {
		return err
	}
	if r.job.step {
		s.frame++
		s.line.Forget(s.frame)
		g.steps.add(r.took)
		g.changed = g.changed || g.pace.unlimited
	}
	if r.job.hash {
		s.final = r.hash
		if s.frame > s.reported && !g.torn() {
			s.reported = s.frame
			g.rec.Hashes(s.number, s.frame, r.hash)
			g.hashed = append(g.hashed, hashed{s.number, s.frame, r.hash, g.said(s), r.sram})
		}
	}
	g.atEnd(s, r.job.hash)
	return nil
}

// torn tells whether one of our consoles is gone: what the others here hear over the
// radio without it is not what they hear elsewhere, so they count for nothing until
// they are replaced.
func (g *game) torn() bool {
	return slices.ContainsFunc(g.seats, func(s *seat) bool { return s.dead && !s.closed })
}

// atEnd closes the books of a console that has done its last frame.
func (g *game) atEnd(s *seat, fresh bool) {
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

// consoleError is a console of ours that failed.
type consoleError struct {
	seat  int
	frame int64
	err   error
}

func (e *consoleError) Error() string {
	return fmt.Sprintf("the console of seat %d failed in frame %d: %v", e.seat+1, e.frame, e.err)
}

func (e *consoleError) Unwrap() error { return e.err }

// slowest is the next frame of the slowest console, which is what a machine
// reports: whoever waits for this machine waits for that console. A console
// that has left counts for nothing; where nothing counts, nobody waits.
func (g *game) slowest() int64 {
	frame := int64(never)
	for _, s := range g.seats {
		if !s.closed {
			frame = min(frame, s.frame)
		}
	}
	if frame == never {
		for _, s := range g.seats {
			if !s.left {
				frame = min(frame, s.frame)
			}
		}
	}
	return frame
}

// ownFrames is how many frames our own console has done.
func (g *game) ownFrames() int64 {
	frames := int64(0)
	for _, s := range g.seats {
		if s.mine {
			frames = max(frames, s.frame)
		}
	}
	return frames
}

// owner is the nickname of a machine's player.
func (g *game) owner(machine int) string {
	for _, s := range g.seats {
		if s.owner == machine {
			return s.nickname
		}
	}
	return fmt.Sprintf("machine %d", machine)
}

// owners are the machines by seat.
func (g *game) owners() map[int]int {
	m := make(map[int]int, len(g.seats))
	for _, s := range g.seats {
		m[s.number] = s.owner
	}
	return m
}

// stuck are the machines that have not acknowledged our inputs for far longer
// than a machine can be that keeps to the rules.
func (g *game) stuck() []int {
	var list []int
	for m := range ds.MaxMachines {
		if g.in[m] == nil {
			continue
		}
		if _, frames := g.out.Backlog(m); frames > mirror.MaxWindow/2 {
			list = append(list, m)
		}
	}
	return list
}

// busy tells whether one of our own consoles is in the middle of a frame.
func (g *game) busy() bool {
	return slices.ContainsFunc(g.seats, func(s *seat) bool { return s.mine && s.busy })
}

// close ends all consoles and waits for them.
func (g *game) close() {
	for _, s := range g.seats {
		s.run.close()
	}
	g.radio.close()
}
