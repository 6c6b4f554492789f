package host

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// Kind is what a decision decides.
type Kind uint8

// The kinds of decisions. A kind that a machine does not know breaks the
// protocol: it could not stay like the others.
const (
	Start    Kind = 1  // the consoles run; the first decision of every game
	SetDelay Kind = 2  // inputs sampled at local frames from Frame on have the delay Delay; all seats
	Leave    Kind = 3  // Seat is unplugged: it does not run Frame any more
	End      Kind = 4  // no console runs Frame any more; the lowest Frame of several counts
	Pause    Kind = 5  // all consoles stand before Frame until Resume
	Resume   Kind = 6  // ends every Pause before it in the timeline, at whatever frame
	Resync   Kind = 7  // all consoles stand before Frame and are made anew from those of Machine, until Resynced; replaces one from a machine that cannot give them
	Resynced Kind = 8  // ends every Resync before it: all machines' consoles are alike
	Enter    Kind = 9  // Plan is a newcomer's console: it is switched on, and in the game, with the next Resync
	Idle     Kind = 10 // Seat is played by nobody any more: its input is neutral from InputEnd on, and its console runs on
)

// String is the kind's name in lower case.
func (k Kind) String() string {
	names := [...]string{Start: "start", SetDelay: "set delay", Leave: "leave", End: "end", Pause: "pause", Resume: "resume", Resync: "resync", Resynced: "resynced", Enter: "enter", Idle: "idle"}
	if k.known() {
		return names[k]
	}
	return fmt.Sprintf("decision of kind %d", uint8(k))
}

func (k Kind) known() bool { return k >= Start && k <= Idle }

// Decision is one entry of the timeline. All machines apply it at Frame, before
// they run that frame. Decisions for the same frame apply in the order in which
// they were made; a later decision may be for an earlier frame.
type Decision struct {
	Kind  Kind
	Frame int64
	Seat  ds.Seat // Leave, Idle: who
	Delay int     // SetDelay: frames
	// Machine is for Resync: whose consoles, and air, all machines take.
	Machine int
	// Alike is for Resync: nobody's consoles are wrong. It makes a place from which a
	// newcomer can follow the game.
	Alike bool
	// InputEnd is for Leave and Idle: the first frame for which the seat has no input any
	// more. In the frames from there to Frame its input is neutral, on all
	// machines. For Idle it is neutral after that, too. It is never more than Frame.
	InputEnd int64
	Plan     room.SeatPlan // Enter: who
	Why      string        // in words, for the players; may be empty
}

// Horizon is the game host's promise that no decision beyond the first Decisions
// ones will ever apply before Frame. A machine runs a console at frame f only
// when f < Frame and it has that many decisions. It has the fields of
// mirror.Horizon, so that one converts to the other.
type Horizon struct {
	Frame     int64
	Decisions uint32
}

// How far the horizon is ahead of the game host's slowest console.
const (
	maxBehind    = 16 // frames, as mirror.MaxBehind
	horizonSpare = 8  // frames
)

// Margin is how many frames the horizon is ahead of the frame of the game host's
// slowest console, at an input delay. It must never be what makes a machine
// wait. A console that samples inputs is at most 16 frames ahead of the slowest
// that its machine knows of, because it waits then; all other consoles are at
// most delay frames ahead of the one that samples for them, since there is no
// input beyond that. The frame and the horizon travel in the same datagram, so
// the promise is never older than the frame that limits a machine; the spare is
// for a longer delay that is already decided but not in force. The price of the
// margin: what the game host decides applies that much later.
func Margin(delay int) int64 { return maxBehind + int64(delay) + horizonSpare }

// What one game may hold. The reserve is for decisions that end something: all seats leave,
// a pause and a resync are over, a resync goes on when its machine is gone, the game ends.
const (
	maxDecisions     = 4096
	reserveDecisions = ds.MaxSeats + ds.MaxMachines + 8
)

// timeline is the game host's side: it decides.
type timeline struct {
	decisions []Decision
	announced Horizon
	delay     int  // the longest ever decided
	orphaned  bool // the machine of the resync that is under way cannot give its consoles
}

// newTimeline begins a game that ends by itself after so many frames, 0 for
// never.
func newTimeline(delay int, frames int64) *timeline {
	t := &timeline{delay: delay, decisions: []Decision{{Kind: Start}}}
	if frames > 0 {
		t.decisions = append(t.decisions, Decision{Kind: End, Frame: frames, Why: "all frames are played"})
	}
	t.horizon(0)
	return t
}

// horizon promises and returns a horizon for the frame of the game host's
// slowest console. It never goes back.
func (t *timeline) horizon(hostFrame int64) Horizon {
	frame := min(max(hostFrame, 0), ds.MaxFrame-Margin(ds.MaxDelay)) + Margin(t.delay)
	t.announced = Horizon{Frame: max(t.announced.Frame, frame), Decisions: uint32(len(t.decisions))}
	return t.announced
}

// decide adds a decision at the frame it asks for, or at the promised horizon if
// that is later, and returns it as it stands.
func (t *timeline) decide(d Decision) (Decision, error) {
	d.Frame = max(d.Frame, t.announced.Frame)
	d.Why = wire.Clean(d.Why, room.MaxReason)
	limit := maxDecisions
	if d.Kind != Resync {
		d.Machine, d.Alike = 0, false
	}
	if d.Kind != Enter {
		d.Plan = room.SeatPlan{}
	}
	switch d.Kind {
	case SetDelay:
		limit -= reserveDecisions
		if d.Delay < 0 || d.Delay > ds.MaxDelay {
			return Decision{}, fmt.Errorf("a delay of %d frames: not in 0..%d", d.Delay, ds.MaxDelay)
		}
		d.Seat, d.InputEnd = 0, 0
	case Leave, Idle:
		d.Delay, d.InputEnd = 0, min(max(d.InputEnd, 0), d.Frame)
	case End:
		d.Seat, d.Delay, d.InputEnd = 0, 0, 0
	case Enter:
		limit -= reserveDecisions
		d.Seat, d.Delay, d.InputEnd = 0, 0, 0
		if resyncing(t.decisions) {
			return Decision{}, errors.New("somebody comes into the game amid a resync")
		}
	case Resync, Resynced:
		if d.Kind == Resync && !resyncing(t.decisions) {
			limit -= reserveDecisions
		}
		d.Seat, d.Delay, d.InputEnd = 0, 0, 0
		if resyncing(t.decisions) == (d.Kind == Resync) && (d.Kind == Resynced || !t.orphaned) {
			return Decision{}, fmt.Errorf("%v: that is decided already", d.Kind)
		}
	case Pause, Resume:
		if d.Kind == Pause {
			limit -= reserveDecisions
		}
		d.Seat, d.Delay, d.InputEnd = 0, 0, 0
		if paused(t.decisions) == (d.Kind == Pause) {
			return Decision{}, fmt.Errorf("%v: the game is that already", d.Kind)
		}
	default:
		return Decision{}, fmt.Errorf("%v cannot be decided in a game", d.Kind)
	}
	if d.Frame > ds.MaxFrame {
		return Decision{}, fmt.Errorf("%v at frame %d: the last frame is %d", d.Kind, d.Frame, int64(ds.MaxFrame))
	}
	if len(t.decisions) >= limit {
		return Decision{}, fmt.Errorf("%v at frame %d: this game has had %d decisions, which is all it can", d.Kind, d.Frame, len(t.decisions))
	}
	if d.Kind == SetDelay {
		t.delay = max(t.delay, d.Delay)
	}
	if d.Kind == Resync {
		t.orphaned = false
	}
	t.decisions = append(t.decisions, d)
	return d, nil
}

// parts tells whether a decision ends somebody's part in the game.
func (d *Decision) endsSeat() bool { return d.Kind == Leave || d.Kind == Idle }

// parted tells whether the end of a seat's part in the game is decided.
func seatEnded(decisions []Decision, seat ds.Seat) bool {
	return slices.ContainsFunc(decisions, func(d Decision) bool { return d.endsSeat() && d.Seat == seat })
}

// paused tells whether the game is to stand because a player wants it.
func paused(decisions []Decision) bool {
	return between(decisions, Pause, Resume) && between(decisions, Pause, End) // an end goes over a pause
}

// resyncing tells whether consoles are being made anew.
func resyncing(decisions []Decision) bool { return between(decisions, Resync, Resynced) }

// donor is whose consoles the newest resync is about.
func donor(decisions []Decision) int {
	for _, d := range slices.Backward(decisions) {
		if d.Kind == Resync {
			return d.Machine
		}
	}
	return -1
}

// between tells whether something has begun and not ended.
func between(decisions []Decision, begin, end Kind) bool {
	for _, d := range slices.Backward(decisions) {
		if d.Kind == begin || d.Kind == end {
			return d.Kind == begin
		}
	}
	return false
}

// endFrame is the first frame that no console runs, if that is decided.
func endFrame(decisions []Decision) (int64, bool) {
	end, found := int64(ds.MaxFrame), false
	for _, d := range decisions {
		if d.Kind == End {
			end, found = min(end, d.Frame), true
		}
	}
	return end, found
}

// checkDecision tells what is wrong with a decision that a client was told.
func checkDecision(d Decision, have []Decision, seats []room.SeatPlan) error {
	switch {
	case len(have) == 0 && d.Kind != Start:
		return fmt.Errorf("the first decision is %v, not start", d.Kind)
	case len(have) > 0 && d.Kind == Start:
		return errors.New("the game starts twice")
	case len(have) >= maxDecisions:
		return fmt.Errorf("more than %d decisions", maxDecisions)
	case d.Kind == Resync && (resyncing(have) && donor(have) == d.Machine || !slices.ContainsFunc(seats, func(s room.SeatPlan) bool { return s.Machine == d.Machine })):
		return fmt.Errorf("a resync from machine %d, which does not play, or amid another", d.Machine)
	case d.Kind == Resync && incoming(have).Has(d.Machine):
		return fmt.Errorf("a resync from machine %d, which is just coming in", d.Machine)
	case d.Kind == Resynced && !resyncing(have):
		return errors.New("a resync is over that never began")
	case d.Kind == Enter && resyncing(have):
		return errors.New("somebody comes into the game amid a resync")
	case d.Kind == Enter && slices.ContainsFunc(seats, func(s room.SeatPlan) bool { return s.Seat == d.Plan.Seat }):
		return fmt.Errorf("seat %d comes into the game, which plays or has played in it", d.Plan.Seat+1)
	case !d.endsSeat():
		return nil
	case !slices.ContainsFunc(seats, func(s room.SeatPlan) bool { return s.Seat == d.Seat }):
		return fmt.Errorf("seat %d leaves, which does not play", d.Seat+1)
	case seatEnded(have, d.Seat):
		return fmt.Errorf("seat %d leaves twice", d.Seat+1)
	case d.InputEnd > d.Frame:
		return fmt.Errorf("seat %d leaves at frame %d with inputs up to frame %d", d.Seat+1, d.Frame, d.InputEnd)
	}
	return nil
}

// inOrder are some seats and one that comes in, by rising seat: who has a lower one may come
// in later.
func inOrder(seats []room.SeatPlan, p room.SeatPlan) []room.SeatPlan {
	seats = append(slices.Clone(seats), p)
	slices.SortFunc(seats, func(a, b room.SeatPlan) int { return int(a.Seat - b.Seat) })
	return seats
}

// began are those of a game's seats that began it.
func began(decisions []Decision, seats []room.SeatPlan) []room.SeatPlan {
	return slices.DeleteFunc(slices.Clone(seats), func(s room.SeatPlan) bool {
		return slices.ContainsFunc(decisions, func(d Decision) bool { return d.Kind == Enter && d.Plan.Seat == s.Seat })
	})
}

func remade(decisions []Decision, seats []room.SeatPlan) []room.SeatPlan {
	first, frame := len(decisions), int64(0)
	for i, d := range slices.Backward(decisions) {
		if d.Kind == Resynced {
			break
		}
		if d.Kind == Resync {
			first, frame = i, max(frame, d.Frame) // they rise
		}
	}
	if end, decided := endFrame(decisions); decided {
		frame = min(frame, end) // nobody gets any further
	}
	var list []room.SeatPlan
	for _, s := range seats {
		i := slices.IndexFunc(decisions, func(d Decision) bool { return d.Kind == Leave && d.Seat == s.Seat })
		if i < 0 || i > first && decisions[i].Frame >= frame {
			// A newcomer's, too: it comes just before the resync that brings it in.
			list = append(list, s)
		}
	}
	return list
}

// incoming are the machines that have been let in, and have no consoles before the
// resync is over.
func incoming(decisions []Decision) (coming room.MachineSet) {
	for _, d := range slices.Backward(decisions) {
		switch d.Kind {
		case Resynced:
			return coming
		case Enter:
			coming = coming.With(d.Plan.Machine)
		}
	}
	return coming
}

func decisionFields(c *wire.Coder, d *Decision) {
	wire.Number(c, "decision", &d.Kind, 1, 255)
	if c.Err() == nil && !d.Kind.known() {
		c.Fail("decision", "kind %d is not known to this version of nettplay, which so cannot stay like the others", uint8(d.Kind))
	}
	room.FrameField(c, "frame", &d.Frame)
	switch d.Kind {
	case SetDelay:
		wire.Number(c, "delay", &d.Delay, 0, ds.MaxDelay)
	case Resync:
		room.MachineField(c, &d.Machine)
		c.Bool("alike", &d.Alike)
	case Leave, Idle:
		room.SeatField(c, &d.Seat)
		room.FrameField(c, "input end", &d.InputEnd)
	case Enter:
		c.Within("plan", d.Plan.Fields)
	}
	c.Text("why", &d.Why, room.MaxReason)
}

// digest names a list of decisions by its bytes.
func digest(decisions []Decision) [32]byte {
	c := wire.Writer(nil)
	for i := range decisions {
		decisionFields(c, &decisions[i])
	}
	return sha256.Sum256(c.Bytes())
}
