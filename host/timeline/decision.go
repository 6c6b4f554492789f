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

// The kinds of decisions. An unknown kind is a protocol error: a machine that
// ignored it would desync.
const (
	Start    Kind = 1  // the consoles run; the first decision of every game
	SetDelay Kind = 2  // inputs sampled at local frames from Frame on have the delay Delay; all seats
	Leave    Kind = 3  // Seat is unplugged: it does not run Frame or any later one
	End      Kind = 4  // no console runs Frame or any later one; the lowest of several counts
	Pause    Kind = 5  // all consoles stop before Frame until Resume
	Resume   Kind = 6  // ends every earlier Pause in the timeline, whatever its frame
	Resync   Kind = 7  // all consoles stop before Frame until Resynced or GiveUp, and are rebuilt from those of Machine; replaces a Resync whose machine cannot give its consoles
	Resynced Kind = 8  // ends every earlier Resync: all machines' consoles are alike
	Enter    Kind = 9  // Plan is a late joiner's console: the next Resync switches it on and brings it into the game
	Idle     Kind = 10 // Seat has no player any more: its input is neutral from InputEnd on, and its console keeps running
	// SeatDelay is SetDelay for one seat, decided by the room's rule instead of a player. It also
	// sets how far that seat's machine plays behind the others.
	SeatDelay Kind = 11
	// AutoDelay adjusts the delays automatically from now on, by the preset Auto, until a SetDelay. With
	// autodelay.Off they stay as they are.
	AutoDelay Kind = 12
	// GiveUp ends every earlier Resync in place of Resynced, where no console was wrong: all machines go on
	// with the consoles they have.
	GiveUp Kind = 13
	// SwitchOn restarts the console of Seat at Frame if its game has switched it off. Its cartridge and clock stay
	// as they are.
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
	Seat  ds.Seat // Leave, Idle, SeatDelay, SwitchOn: whose console
	Delay int     // SetDelay, SeatDelay: frames
	// Offset is for SeatDelay: how many frames the machine of the seat plays behind the others, 0 to
	// ds.MaxOffset. It affects when that machine runs its frames, never their content.
	Offset int
	Auto   autodelay.Preset // AutoDelay: the preset
	// Machine is for Resync: the machine whose consoles and air all machines take.
	Machine int
	// Alike is for Resync: no console is wrong. Such a resync makes a point from which a
	// late joiner can follow the game.
	Alike bool
	// Keep is for Resync: all machines keep the moment, under the name in Why.
	Keep bool
	// InputEnd is for Leave and Idle: the first frame without input from the seat, at most
	// Frame. From there to Frame its input is neutral on all machines; for Idle, after
	// that too.
	InputEnd int64
	Plan     room.SeatPlan // Enter: the late joiner's console
	Why      string        // in words, for the players; may be empty
}

// EndsSeat reports whether a decision ends somebody's part in the game.
func (d *Decision) EndsSeat() bool { return d.Kind == Leave || d.Kind == Idle }

// told returns d as it goes over the wire, with only the fields of its kind. It fails if one of them is out of
// range.
func (d Decision) told() (told Decision, err error) {
	w := wire.Writer(nil)
	DecisionFields(w, &d)
	DecisionFields(wire.Reader(w.Bytes()), &told)
	return told, w.Err()
}

// DecisionFields lists the fields of a decision for the wire. An unknown kind is an error.
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
