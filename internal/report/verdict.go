package report

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/internal/ds"
)

// Format is the version of a bundle's files.
const Format = 1

// The names of the parts that the program reads itself.
const (
	VerdictName = "verdict.json"
	RerunName   = "rerun.json"
	LogName     = "log.nplog"
)

// Verdict is verdict.json: which machine differs, where, and since when. Seats and machines
// count from 0 here; in words seats count from 1.
type Verdict struct {
	Format  int     `json:"format"`
	Words   string  `json:"words"`
	Frame   int64   `json:"frame"`  // frames done when they were first known to differ
	Agreed  int64   `json:"agreed"` // frames done when they were last known to be alike; -1 for never
	Seat    ds.Seat `json:"seat"`   // whose console
	Region  string  `json:"region"`
	Odd     int     `json:"odd_machine"`
	OddName string  `json:"odd_name"`

	Machine     int    `json:"machine"` // that wrote this
	MachineName string `json:"machine_name"`
	Taken       int64  `json:"taken"` // frames done when the states were taken
	Donor       int    `json:"donor"` // machine whose consoles everybody took there; -1 for none

	Game    string            `json:"game"`
	Program string            `json:"program"`
	Core    string            `json:"core"`
	CoreSum string            `json:"core_sha256"`
	Options map[string]string `json:"options"`
	Missing []string          `json:"missing,omitempty"` // what could not be put in, and why
}

// RerunFile is rerun.json: the result of playing the recording again on the machine that
// wrote the bundle, with a hash after each frame.
type RerunFile struct {
	Format int         `json:"format"`
	Words  string      `json:"words"`
	Again  bool        `json:"again"` // it gave the same as in the game, on this machine
	Start  int64       `json:"start"` // frame from which it was played
	From   int64       `json:"from"`  // hashed are the frames after this one
	To     int64       `json:"to"`    // and up to this one
	Seats  []SeatTrace `json:"seats"`
}

// SeatTrace is one console, frame by frame from RerunFile.From + 1 on: the hashes of main
// RAM, save memory, what the radio sent, and the picture.
type SeatTrace struct {
	Seat   ds.Seat     `json:"seat"`
	Hashes [][4]Digest `json:"hashes"`
}

// Digest is a hash in JSON: hexadecimal digits, since numbers there lose the low bits.
type Digest uint64

// MarshalText writes it.
func (d Digest) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%x", uint64(d)), nil }

// UnmarshalText reads what MarshalText writes.
func (d *Digest) UnmarshalText(b []byte) error {
	if len(b) > 16 {
		return fmt.Errorf("hash of %d digits", len(b))
	}
	_, err := fmt.Sscanf(string(b), "%x", (*uint64)(d))
	return err
}

// order is that of the regions in a SeatTrace.
var order = [4]desync.Region{desync.RAM, desync.SRAM, desync.Air, desync.Video}

// Set puts in the trace of a seat; it must have a point for each frame.
func (r *RerunFile) Set(seat ds.Seat, t desync.Trace) {
	s := SeatTrace{Seat: seat}
	for _, p := range t {
		var row [4]Digest
		for i, region := range order {
			row[i] = Digest(p.Hashes[region])
		}
		s.Hashes = append(s.Hashes, row)
	}
	r.Seats = append(r.Seats, s)
}

// Trace is the trace of a seat, nil for none.
func (r *RerunFile) Trace(seat ds.Seat) desync.Trace {
	var t desync.Trace
	for _, s := range r.Seats {
		if s.Seat != seat {
			continue
		}
		for i, row := range s.Hashes {
			p := desync.Point{Frame: r.From + 1 + int64(i)}
			for j, region := range order {
				p.Hashes[region] = uint64(row[j])
			}
			t = append(t, p)
		}
		break
	}
	return t
}

// JSON is a part with a value, for people to read, too.
func JSON(name string, v any) Part {
	return Part{name, func(w io.Writer) error {
		b, err := json.MarshalIndent(v, "", "  ")
		if err == nil {
			_, err = w.Write(append(b, '\n'))
		}
		return err
	}}
}
