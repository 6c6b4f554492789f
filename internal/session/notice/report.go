package notice

import (
	"image"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
)

// Result is the end of a game in one word.
type Result string

// The results. Each has an exit code of the program; see cmd/nettplay.
const (
	ResultOK     Result = "ok"     // all frames were played, or a player left on purpose
	ResultLost   Result = "lost"   // no connection, not let in, or the room was lost
	ResultDesync Result = "desync" // the machines no longer agreed
	ResultCore   Result = "core"   // the core or a ROM failed
)

// Report is one machine's account of a game that is over. It is complete also when the game never began
// or failed.
type Report struct {
	Result        Result            `json:"result"`
	Error         string            `json:"error"`
	Frames        int64             `json:"frames"` // done by this machine's own console
	Delay         int               `json:"delay"`  // frames, at the end
	Seats         []game.SeatReport `json:"seats"`
	Stalls        game.Stalls       `json:"stalls"`
	Desyncs       int               `json:"desyncs"`
	Resyncs       int               `json:"resyncs"`           // times that the consoles were made alike again
	Bundles       []string          `json:"bundles,omitempty"` // files for bug reports, of machines that were not alike
	Unsaved       []string          `json:"unsaved,omitempty"` // why saves could not be written
	RTT           float64           `json:"rtt_ms"`            // to the game host; on the game host, to the slowest machine
	Ways          []string          `json:"ways,omitempty"`    // to other machines, in words, where they are not direct
	BytesSent     int64             `json:"bytes_sent"`
	BytesReceived int64             `json:"bytes_received"`
	Step          game.Percentiles  `json:"step_ms"` // one frame of one console
	Core          CoreReport        `json:"core"`
	Spectated     bool              `json:"spectated,omitempty"` // this machine only watched
	Radio         *game.RadioReport `json:"radio,omitempty"`     // of a core with local wireless
	Rollbacks     *game.Rollbacks   `json:"rollbacks,omitempty"` // of a room with rollback

	Screens []Screen `json:"-"` // of all consoles, as the game left them
	SRAM    []byte   `json:"-"` // our cartridge's backup memory at the end, raw; nil for none
}

// Screen is a console's picture.
type Screen struct {
	Seat     ds.Seat
	Nickname string
	Mine     bool
	Frames   int64
	Image    *image.RGBA
}

// CoreReport names the core.
type CoreReport struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	SHA256  string `json:"sha256"`
}

// How many of a player's newest inputs come late, in clocked play, when the player is told, and
// when that is over: a twentieth, and a hundredth.
const (
	lateBegins = inputdelay.Recent / 20
	lateEnds   = inputdelay.Recent / 100
)

// Lines remembers what a player was told of lines since a game began, their own or others'. In the zero
// value it is nothing.
type Lines struct {
	late    bool   // that their own inputs come late
	bad     string // whose line BadLine has told
	machine int    // of the line that alone was bad last in the game, if there was one
	found   bool
}

// TellLate says, once, that the player's own inputs come late: so many of the newest
// [inputdelay.Recent].
func (l *Lines) TellLate(repeated int, say func(format string, args ...any)) {
	switch {
	case repeated >= lateBegins && !l.late:
		l.late = true
		say("Your inputs come late: where one is missing, your last one is repeated. The others do not wait.")
	case repeated < lateEnds:
		l.late = false
	}
}

// Measured takes whose line alone was bad in the game that runs, if any was.
func (l *Lines) Measured(machine int, bad bool) {
	if bad {
		l.machine, l.found = machine, true
	}
}

// TellBad notifies the game host, in the lobby, of whose line is so bad that the others wait for it,
// when that has changed: as the last game has shown, or as pings and losses tell.
func (l *Lines) TellBad(r room.Room, notify func(Notice)) {
	if name := l.badLine(r); r.Phase == room.PhaseLobby && name != l.bad {
		l.bad = name
		notify(BadLine{Nickname: name})
	}
}

// badLine is the player with that line; "" for nobody, and where nobody waits for it. It is a matter of three
// machines or more: of two, each has the same line. The game host's own is nobody's to wait for in clocked
// play, where all inputs go by way of it.
func (l *Lines) badLine(r room.Room) string {
	bad, found := room.BadLine(r.Players)
	if l.found {
		bad, found = l.machine, true
	}
	if p, is := r.Player(bad); is && found && r.Settings.Sync != room.Clocked && p.Present && bad != r.Host && r.Machines() > 2 {
		return p.Nickname
	}
	return ""
}
