package game

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/mirror"
)

// Never is a frame that no console reaches.
const Never = math.MaxInt64

// A Game is one round of play on this machine. See the package comment for who may call
// it and when.
type Game struct {
	round   uint32
	me      int // this machine
	host    int // the game host's machine
	seats   []*seat
	plan    []room.SeatPlan // of all seats, by rising seat
	done    chan Outcome
	sample  func(seat ds.Seat, frame int64) inputdelay.Input
	show    func(seat ds.Seat, f emucore.Frame)
	rec     Recorder
	meter   Meter // nil for none
	pace    pacer
	wait    time.Duration // until the next frame is due, as Advance saw it
	begun   int64         // local frames that have begun
	last    int64         // the first frame that nobody runs, as decided so far
	failed  bool          // one of our consoles is gone: nothing runs any more
	radio   *Radio        // between the consoles; nil where the core has none
	steps   Durations     // of all frames
	hashes  hashing
	resyncs resyncs
	stall   stall
	feed    feed
	// barriers are the frames at which all consoles meet, by rising frame.
	barriers []barrier
}

// Config holds the beginning of a round.
type Config struct {
	Round     uint32
	Me, Host  int   // this machine, and the game host's
	Delay     int   // frames
	HashEvery int64 // frames between two hashes of a console; at least 1
	Unlimited bool  // do not keep to the console's rate
	Rollback  int   // frames that consoles may run by guesses, up to MaxRollback; see rollback.go
	Clocked   bool  // the game host stamps the inputs of all seats; see clocked.go
	Seats     []SeatConfig
	Machines  []int // all that take part, this one included
	First     int64 // the frame at which all of it begins here: 0 but for a late join
	Plan      []room.SeatPlan
	Horizon   ds.Horizon
	Radio     *Radio // nil where the core has none; the game's from [New] on
	// Sample is asked for the input of our own seats, once for each local frame.
	Sample func(seat ds.Seat, frame int64) inputdelay.Input
	// Show gets each frame of each console on the console's goroutine; nil for nobody.
	Show func(seat ds.Seat, f emucore.Frame)
	Rec  Recorder // nil for none
	// Meter is told when what happened, for measurements; nil for none, which costs nothing.
	Meter Meter
}

// A Recorder takes down what a game was made of, so that it can be played again. Its
// methods are called on the game's goroutine and must not block.
type Recorder interface {
	// Input reports the input of a seat's console in a frame, each frame once and in order.
	Input(seat ds.Seat, frame int64, in inputdelay.Input)
	// Decided is a decision of the timeline.
	Decided(d timeline.Decision)
	// Hashes is the hash of a seat's console after so many frames.
	Hashes(seat ds.Seat, frames int64, h ds.Hash)
}

var _ Recorder = (*replay.Recorder)(nil)

// New begins a round. It takes ownership of the consoles, also when it fails.
func New(cfg Config) (*Game, error) {
	g := &Game{
		round: cfg.Round, me: cfg.Me, host: cfg.Host, done: make(chan Outcome, ds.MaxSeats),
		sample: cfg.Sample, pace: pacer{unlimited: cfg.Unlimited}, radio: cfg.Radio, begun: cfg.First, last: Never,
		plan: cfg.Plan, show: cfg.Show, rec: cfg.Rec, meter: cfg.Meter, hashes: hashing{every: cfg.HashEvery},
		feed: feed{out: mirror.NewHost(), pressure: new(mirror.Pressure), horizon: cfg.Horizon, promised: cfg.Horizon.Frame},
	}
	g.feed.clock.on = cfg.Clocked
	g.feed.moved = cfg.First > 0 // for all that a late joiner knows
	g.pace.follows = g.follows()
	if g.rec == nil {
		g.rec = new(replay.Recorder) // it never begins, so it takes nothing
	}
	slices.SortFunc(cfg.Seats, func(a, b SeatConfig) int { return cmp.Compare(a.Seat, b.Seat) })
	for i, c := range cfg.Seats {
		s, err := g.newSeat(c, cfg.First, cfg.Delay, cfg.lead(c))
		if err != nil {
			g.Close()
			for _, rest := range cfg.Seats[i:] {
				rest.Console.Close()
			}
			return nil, err
		}
		s.guesses = cfg.guesses(c)
		g.seats = append(g.seats, s)
		g.radio.own(c.Seat, c.Console)
	}
	g.connect(cfg)
	if err := g.radio.begin(g.feed.horizon.Frame); err != nil {
		g.Close()
		return nil, err
	}
	return g, nil
}

// Round is the number of the round.
func (g *Game) Round() uint32 { return g.round }

// Plan returns the seats with their players, by rising seat, with all who ever played. It must not be
// changed.
func (g *Game) Plan() []room.SeatPlan { return g.plan }

// Radio is the air between the consoles, nil where the core has none.
func (g *Game) Radio() *Radio { return g.radio }

// hosting tells whether this machine is the game host.
func (g *Game) hosting() bool { return g.host == g.me }

// SetUnlimited runs frames as fast as the machine can, or at the DS' rate again, from now on.
func (g *Game) SetUnlimited(on bool) { g.pace.unlimited, g.pace.started = on, false }

// Advance starts every frame that may run now. [Game.Wake] tells when it wants to be
// called again.
func (g *Game) Advance(now time.Time) error {
	g.wait, g.pace.looked = time.Duration(Never), now
	if g.failed {
		return nil
	}
	if err := g.meet(); err != nil {
		return err
	}
	if g.feed.clock.on {
		if err := g.tick(now); err != nil {
			return err
		}
	}
	for _, s := range g.seats {
		if s.busy || s.frame >= s.end || !g.allowed(s.frame) {
			continue
		}
		if s.mine {
			wait, err := g.begin(s, now)
			if err != nil {
				return err
			}
			if wait > 0 {
				g.wait = min(g.wait, wait)
				continue
			}
		}
		if err := g.next(s, now); err != nil {
			return err
		}
	}
	if g.follows() {
		g.noteStarved(now)
	} else {
		g.stalledOnAir(now)
	}
	return g.openAir()
}

// Wake returns the time until something changes though nothing arrives: a frame is due, or a datagram.
func (g *Game) Wake(now time.Time) time.Duration { return min(g.wait, g.Due(now)) }

// allowed tells whether every decision that could apply to a frame is known, and no
// barrier stands before it. A decision that is still on its way applies no earlier than the frame
// that was promised before it: up to there nobody waits for it.
func (g *Game) allowed(frame int64) bool {
	known := frame < g.feed.promised || frame < g.feed.horizon.Frame && g.feed.informed()
	return known && frame < g.Stop()
}

// begin begins our own console's next frame by sampling its input, unless the frame is
// not due or another machine is too far behind. It returns how long to wait, 0 when the
// frame has begun.
func (g *Game) begin(s *seat, now time.Time) (time.Duration, error) {
	if g.feed.clock.on {
		if s.frame < g.begun {
			return 0, nil
		}
		return time.Duration(Never), nil // tick says when
	}
	if s.frame < g.begun {
		// Another of our seats has begun it, or we have and wait for the input queue.
		return 0, g.push(s)
	}
	if w := g.pace.wait(now); w > 0 {
		return w, nil
	}
	if g.stall.block(g.feed.pressure.Behind(s.frame), now) {
		return time.Duration(Never), nil
	}
	g.meterBegin(s.frame, now)
	g.pace.begin(now)
	g.begun = s.frame + 1
	return 0, g.push(s)
}

// next runs what a seat's console can run, by inputs that are here or by guesses.
func (g *Game) next(s *seat, now time.Time) error {
	if s.dead {
		s.guesses.list = nil
	}
	for !s.busy && s.frame < s.end && g.allowed(s.frame) {
		in, ok := s.queue.At(s.frame)
		switch {
		case ok && g.guessed(s, in):
			if err := g.confirm(s, in); err != nil {
				return err
			}
			continue
		case ok:
			g.submit(s, in, now)
		default:
			g.guess(s, now)
		}
		return nil
	}
	return nil
}

// submit lets a console run its next frame.
func (g *Game) submit(s *seat, in inputdelay.Input, now time.Time) {
	g.recordInput(s, in)
	if s.dead {
		s.frame++
		s.queue.Forget(s.frame)
		g.atEnd(s, false)
		g.wait = 0 // no outcome has Advance called again
		return
	}
	after := s.frame + 1
	s.busy, s.since = true, now
	s.run.submit(job{in: in, step: true, hash: g.hashes.wants(after) || after == s.end, sram: s.mine, rewind: s.corrected()})
}

// Done is where the outcomes of the consoles come from. Each is to be handed to
// [Game.Finish].
func (g *Game) Done() <-chan Outcome { return g.done }

// Finish takes an outcome. After an error, which is a [*ConsoleError] where a console
// failed, no console runs any more, and the outcomes of those that still did count for
// nothing; see [Game.GoOnWithout].
func (g *Game) Finish(o Outcome) error {
	s := g.seat(o.seat)
	s.busy = false
	if g.failed {
		return nil
	}
	if o.err != nil {
		g.failed = true
		return &ConsoleError{Seat: s.number, Frame: s.frame, Err: o.err}
	}
	if err := g.radio.collect(); err != nil {
		return err
	}
	if o.job.guess {
		s.guesses.list = append(s.guesses.list, o)
		return nil
	}
	if o.job.step {
		if g.meter != nil {
			g.meter.Shown(s.number, s.frame, o.at)
		}
		s.frame++
		s.queue.Forget(s.frame)
		g.steps.add(o.took)
		if g.pace.unlimited {
			g.feed.mails.tell(g.me)
		}
	}
	if o.job.hash {
		g.noteHash(s, o)
	}
	g.atEnd(s, o.job.hash)
	return nil
}

// GoOnWithout lets the game go on after a console failed. Its seat has inputs and frames
// like the others, but no console until a resync brings one.
func (g *Game) GoOnWithout(seat ds.Seat) {
	g.failed = false
	g.seat(seat).dead = true
}

// Failed tells whether a console failed and nothing runs any more.
func (g *Game) Failed() bool { return g.failed }

// Busy tells whether one of our own consoles is in the middle of a frame.
func (g *Game) Busy() bool {
	return slices.ContainsFunc(g.seats, func(s *seat) bool { return s.mine && s.busy })
}

// Steps are the durations of all frames that consoles ran.
func (g *Game) Steps() *Durations { return &g.steps }

// Close ends all consoles and waits for them.
func (g *Game) Close() {
	for _, s := range g.seats {
		s.run.close()
	}
	g.radio.Close()
}

// Release ends the game, but gives the consoles back, which stand between two frames, by
// seat. The radio is closed.
func (g *Game) Release() map[ds.Seat]Console {
	list := make(map[ds.Seat]Console)
	for _, s := range g.seats {
		list[s.number] = s.settled(s.run.release())
	}
	g.radio.Close()
	return list
}
