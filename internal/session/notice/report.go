package notice

import (
	"image"

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
