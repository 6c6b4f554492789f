package game

import (
	"encoding/json"
	"fmt"

	"github.com/nettplay/nettplay/internal/ds"
)

// SeatReport is one console at the end of a game, or of a recording.
type SeatReport struct {
	Seat   ds.Seat `json:"seat"`
	Owner  string  `json:"owner"` // nickname
	ROM    string  `json:"rom"`   // SHA-256 in hex
	Frames int64   `json:"frames"`
	Hash   Hash    `json:"hash"` // of the console after its last frame; equal on all machines
}

// Report returns the seat's state for a report. It has a hash once the seat is closed.
func (s SeatState) Report() SeatReport {
	r := SeatReport{Seat: s.Seat, Owner: s.Nickname, ROM: s.ROM, Frames: s.Frame}
	if s.Closed && s.Final != (ds.Hash{}) {
		r.Hash = Hash(s.Final.Sum())
	}
	return r
}

// Hash is a console's hash. In JSON it is a string of 16 hex digits, because
// numbers there lose the low bits.
type Hash uint64

// String is the hash as 16 hex digits, or "-" for none.
func (h Hash) String() string {
	if h == 0 {
		return "-"
	}
	return fmt.Sprintf("%016x", uint64(h))
}

// MarshalJSON writes the hash as a string.
func (h Hash) MarshalJSON() ([]byte, error) { return json.Marshal(h.String()) }

// UnmarshalJSON reads what MarshalJSON writes.
func (h *Hash) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	if s == "-" {
		*h = 0
		return nil
	}
	_, err := fmt.Sscanf(s, "%x", (*uint64)(h))
	return err
}
