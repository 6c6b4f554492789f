package timeline

import (
	"fmt"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// Kind is the subject of a decision.
type Kind uint8

// The kinds of decisions. A kind that a machine does not know breaks the
// protocol: it could not stay like the others.
const (
	Start    Kind = 1  // the consoles run; the first decision of every game
	SetDelay Kind = 2  // inputs sampled at local frames from Frame on have the delay Delay; all seats
	Leave    Kind = 3  // Seat is unplugged: it does not run Frame any more
	End      Kind = 4  // no console runs Frame any more; the lowest Frame of several counts
	Pause    Kind = 5  // all consoles stop before Frame until Resume
	Resume   Kind = 6  // ends every Pause before it in the timeline, at whatever frame
	Resync   Kind = 7  // all consoles stop before Frame and are made anew from those of Machine, until Resynced or GiveUp; replaces one from a machine that cannot give them
	Resynced Kind = 8  // ends every Resync before it: all machines' consoles are alike
	Enter    Kind = 9  // Plan is a late joiner's console: the next Resync switches it on and brings it into the game
	Idle     Kind = 10 // Seat is played by nobody any more: its input is neutral from InputEnd on, and its console runs on
	// SeatDelay is SetDelay for one seat, made by the room's rule and not by a player; and how
	// far that seat's machine plays behind the others.
	SeatDelay Kind = 11
	// AutoDelay has the delays keep themselves from now on, by the preset Auto, until a SetDelay; autodelay.Off:
	// they stay as they are.
	AutoDelay Kind = 12
	// GiveUp ends every Resync before it, in which nobody was wrong, in place of Resynced: all go on with the
	// consoles that they have.
	GiveUp Kind = 13
	// SwitchOn has the console of Seat, where its game has switched it off, begin anew at Frame, with its cartridge
	// and its clock as they are.
	SwitchOn Kind = 14
)

// String is the kind's name in lower case.
func (k Kind) String() string {
	names := [...]string{Start: "start", SetDelay: "set delay", Leave: "leave", End: "end", Pause: "pause", Resume: "resume", Resync: "resync", Resynced: "resynced", Enter: "enter", Idle: "idle", SeatDelay: "seat delay", AutoDelay: "automatic delay", GiveUp: "resync given up", SwitchOn: "switch on"}
	if k.known() {
		return names[k]
	}
	return fmt.Sprintf("decision of kind %d", uint8(k))
}

func (k Kind) known() bool { return k >= Start && k <= SwitchOn }

// Decision is one entry of the timeline. All machines apply it at Frame, before
// they run that frame. Decisions for the same frame apply in the order in which
// they were made; a later decision may be for an earlier frame.
type Decision struct {
	Kind  Kind
	Frame int64
	Seat  ds.Seat // Leave, Idle, SeatDelay, SwitchOn: who
	Delay int     // SetDelay, SeatDelay: frames
	// Offset is for SeatDelay: how many frames the machine of the seat plays behind the others, 0 to
	// ds.MaxOffset. It says when that machine runs its frames, never what is in them.
	Offset int
	Auto   autodelay.Preset // AutoDelay: by which rule
	// Machine is for Resync: whose consoles, and air, all machines take.
	Machine int
	// Alike is for Resync: nobody's consoles are wrong. It makes a place from which a
	// late joiner can follow the game.
	Alike bool
	// Keep is for Resync: all machines keep the moment, under the name that Why has.
	Keep bool
	// InputEnd is for Leave and Idle: the first frame for which the seat has no input any
	// more. In the frames from there to Frame its input is neutral, on all
	// machines. For Idle it is neutral after that, too. It is never more than Frame.
	InputEnd int64
	Plan     room.SeatPlan // Enter: who
	Why      string        // in words, for the players; may be empty
}

// EndsSeat reports whether a decision ends somebody's part in the game.
func (d *Decision) EndsSeat() bool { return d.Kind == Leave || d.Kind == Idle }

// told returns a decision as machines are told of it, with the fields of its kind alone. It fails where one of
// them cannot be.
func (d Decision) told() (told Decision, err error) {
	w := wire.Writer(nil)
	DecisionFields(w, &d)
	DecisionFields(wire.Reader(w.Bytes()), &told)
	return told, w.Err()
}

// DecisionFields are the fields of a decision. A kind that is not known is an error.
func DecisionFields(c *wire.Coder, d *Decision) {
	wire.Number(c, "decision", &d.Kind, 1, 255)
	if c.Err() == nil && !d.Kind.known() {
		c.Fail("decision", "kind %d is not known to this version of nettplay, which so cannot stay like the others", uint8(d.Kind))
	}
	room.FrameField(c, "frame", &d.Frame)
	switch d.Kind {
	case SetDelay:
		wire.Number(c, "delay", &d.Delay, 0, ds.MaxDelay)
	case SeatDelay:
		room.SeatField(c, &d.Seat)
		wire.Number(c, "delay", &d.Delay, 0, ds.MaxDelay)
		wire.Number(c, "offset", &d.Offset, 0, ds.MaxOffset)
	case AutoDelay:
		wire.Number(c, "auto delay", &d.Auto, 0, int64(autodelay.MaxPreset))
	case Resync:
		room.MachineField(c, &d.Machine)
		c.Bool("alike", &d.Alike)
		c.Bool("keep", &d.Keep)
	case Leave, Idle:
		room.SeatField(c, &d.Seat)
		room.FrameField(c, "input end", &d.InputEnd)
	case SwitchOn:
		room.SeatField(c, &d.Seat)
	case Enter:
		c.Within("plan", d.Plan.Fields)
	}
	c.Text("why", &d.Why, room.MaxReason)
}
