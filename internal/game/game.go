package game

import (
	"math"
	"slices"
	"sync"
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
	quiet   bool          // outcomes may wait for Collect
	wait    time.Duration // until the next frame is due, as Advance saw it
	begun   int64         // local frames that have begun
	last    int64         // the first frame that nobody runs, as decided so far
	failed  bool          // one of our consoles is gone: nothing runs any more
	radio   *Radio        // between the consoles; nil where the core has none
	tornAir bool          // a console of ours was lost on the air, and no resync has replaced those that heard that
	steps   Durations     // of all frames
	hashes  hashing
	resyncs resyncs
	stall   stall
	feed    feed
	rolls   rolling
	// barriers are the frames at which all consoles meet, by rising frame.
	barriers []barrier
	leavers  sync.WaitGroup // consoles that are being closed; see closeLeft
}

// Config holds the beginning of a round.
type Config struct {
	Round     uint32
	Me, Host  int   // this machine, and the game host's
	Delay     int   // frames
	HashEvery int64 // frames between two hashes of a console; at least 1
	Unlimited bool  // do not keep to the console's rate
	Quiet     bool  // the caller calls Collect when it looks at the game
	Clocked   bool  // the game host stamps the inputs of all seats; see clocked.go
	Rollback  bool  // consoles that hear each other stop before each frame, to go back together; see rollback.go
	Depth     int   // with Rollback: frames that consoles may run by guesses here, 0 for none; less where they take long
	KeepDepth bool  // however long they take
	Bore      *int  // of those, how many this machine bore in a game before; nil for not known
	Seats     []SeatConfig
	Machines  []int // all that take part, this one included
	First     int64 // the frame at which all of it begins here: 0 but for a late join
	Plan      []room.SeatPlan
	Horizon   ds.Horizon
	Radio     *Radio // nil where the core has none; the game's from [New] on
	// Sample is asked for the input of our own seats, once for each local frame.
	Sample func(seat ds.Seat, frame int64) inputdelay.Input
	// Show gets each frame of each console on the console's goroutine; nil for nobody. One that runs again comes again,
	// without a picture where a newer one was shown.
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

// Round is the number of the round.
func (g *Game) Round() uint32 { return g.round }

// Plan returns the seats with their players, by rising seat, with all who ever played. It must not be
// changed.
func (g *Game) Plan() []room.SeatPlan { return g.plan }

// Radio is the air between the consoles, nil where the core has none.
func (g *Game) Radio() *Radio { return g.radio }

// hosting tells whether this machine is the game host.
func (g *Game) hosting() bool { return g.host == g.me }

// stamps reports whether this machine stamps the inputs of all seats.
func (g *Game) stamps() bool { return g.feed.clock.on && g.hosting() }

// follows reports whether another machine stamps the inputs of our seats.
func (g *Game) follows() bool { return g.feed.clock.on && !g.hosting() }

// SetUnlimited runs frames as fast as the machine can, or at the DS' rate again, from now on.
func (g *Game) SetUnlimited(on bool) { g.pace.unlimited, g.pace.started = on, false }

// Done is where the outcomes of the consoles come from; with Config.Quiet some of them only when [Game.Collect]
// is called. Each is to be handed to [Game.Finish].
func (g *Game) Done() <-chan Outcome { return g.done }

// Failed tells whether a console failed and nothing runs any more.
func (g *Game) Failed() bool { return g.failed }

// Busy tells whether one of our own consoles is in the middle of a frame.
func (g *Game) Busy() bool {
	return slices.ContainsFunc(g.seats, func(s *seat) bool { return s.mine && s.busy })
}

// Steps are the durations of all frames that consoles ran.
func (g *Game) Steps() *Durations { return &g.steps }

func (g *Game) seat(number ds.Seat) *seat {
	for _, s := range g.seats {
		if s.number == number {
			return s
		}
	}
	return nil
}

// source is the machine that sends us the inputs of a seat.
func (g *Game) source(s *seat) int {
	if g.follows() {
		return g.host
	}
	return s.owner
}

// A Meter is told when frames were due, began and were done, and when inputs arrived. It decides
// nothing. Its methods are called on the game's goroutine and must not block.
type Meter interface {
	// Begun tells that the frame of our own consoles begins now, which was due by the pacer at
	// due, with an input delay in frames. Inputs of the other seats for this frame are late that
	// arrive after due.
	Begun(frame int64, due, now time.Time, delay int)
	// Arrived tells that the input of another machine's seat for a frame is here, once for each.
	Arrived(seat ds.Seat, frame int64, now time.Time)
	// Shown tells that a console has done a frame: from now on its picture can be shown.
	Shown(seat ds.Seat, frame int64, at time.Time)
}

// meterBegin tells the meter that a local frame begins.
func (g *Game) meterBegin(frame int64, now time.Time) {
	if g.meter != nil {
		g.meter.Begun(frame, g.pace.dueAt(now), now, g.Delay())
	}
}

// meterArrivals tells the meter of inputs that have just arrived. In clocked play those of our own
// seats do, too, stamped: no other machine's players are waited for with them.
func (g *Game) meterArrivals(now time.Time, fresh []mirror.SeatFrame) {
	if g.meter == nil {
		return
	}
	for _, f := range fresh {
		if s := g.seat(f.Seat); s == nil || s.mine {
			continue
		}
		g.meter.Arrived(f.Seat, f.Frame, now)
	}
}
