package replay

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/savestate"
)

// Head describes the start of a game. The log's parts hold the contents of the consoles'
// saves and states.
type Head struct {
	Program  string    // version of the program that recorded
	Began    time.Time // on the recording machine's clock, to the second
	Round    uint32
	Machine  int // that recorded
	Settings room.Settings
	Seats    []Seat // by rising seat
}

// Seat is one console at the start of a game.
type Seat struct {
	Plan  room.SeatPlan
	Start savestate.Manifest
	Hash  Hash // of the console before its first frame
	// From is the frame at which its player came into the running game, 0 for the
	// beginning.
	From int64
}

// Mine is the first seat of the machine that recorded, or the first one of all if
// it has none.
func (h *Head) Mine() ds.Seat {
	for _, s := range h.Seats {
		if s.Plan.Machine == h.Machine {
			return s.Plan.Seat
		}
	}
	return h.Seats[0].Plan.Seat
}

// Game is the title of the game, that of the recording machine where there are
// several; Players are all nicknames by seat.
func (h *Head) Game() string {
	for _, s := range h.Seats {
		if s.Plan.Seat == h.Mine() && s.Plan.ROM.Title != "" {
			return s.Plan.ROM.Title
		}
	}
	return "unnamed game"
}

// Players are all nicknames by rising seat, each once: who comes back into a game has another seat.
func (h *Head) Players() (list []string) {
	for _, s := range h.Seats {
		if !slices.Contains(list, s.Plan.Nickname) {
			list = append(list, s.Plan.Nickname)
		}
	}
	return list
}

// beginners are the nicknames of those who began the game, by rising seat.
func (h *Head) beginners() (list []string) {
	for _, s := range h.Seats {
		if s.From == 0 {
			list = append(list, s.Plan.Nickname)
		}
	}
	return list
}

// The head in JSON. Fields that a reader does not know are skipped. Hashes are in
// hexadecimal; start is a savestate.Manifest as that package encodes it, which
// has core, options, clock and firmware settings.
type headJSON struct {
	Program string     `json:"program"`
	Began   time.Time  `json:"began"`
	Round   uint32     `json:"round"`
	Machine int        `json:"machine"`
	Room    roomJSON   `json:"room"`
	Seats   []seatJSON `json:"seats"`
}

type roomJSON struct {
	Name       string       `json:"name"`
	Seats      int          `json:"seats"`
	MinPlayers int          `json:"min_players"`
	Delay      int          `json:"delay"`
	RTC        int64        `json:"rtc"`
	HashEvery  int          `json:"hash_every"`
	Skew       int          `json:"skew"`
	Frames     int64        `json:"frames"`
	Clocked    bool         `json:"clocked,omitempty"`
	Rollback   bool         `json:"rollback,omitempty"` // consoles that hear each other stop before each frame
	Core       fileJSON     `json:"core"`
	Options    []optionJSON `json:"options"`
	BIOS       []fileJSON   `json:"bios"`
}

func (j roomJSON) sync() room.Sync {
	switch {
	case j.Rollback:
		return room.Rollback
	case j.Clocked:
		return room.Clocked
	}
	return room.Lockstep
}

type fileJSON struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	SHA256  string `json:"sha256"`
	Size    int64  `json:"size,omitempty"`
	// Fingerprint is of what a core does: see room.CoreID.
	Fingerprint string `json:"fingerprint,omitempty"`
}

type optionJSON struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

type seatJSON struct {
	Seat     ds.Seat   `json:"seat"`
	Machine  int       `json:"machine"`
	Nickname string    `json:"nickname"`
	ROM      fileJSON  `json:"rom"`
	Start    []byte    `json:"start"`
	Hash     [3]string `json:"hash"` // RAM, picture, save memory
}

// encode is the payload of the head's block.
func (h *Head) encode() ([]byte, error) {
	s := h.Settings
	j := headJSON{
		Program: h.Program, Began: h.Began.UTC().Truncate(time.Second), Round: h.Round, Machine: h.Machine,
		Room: roomJSON{
			Name: s.Room, Seats: s.Seats, MinPlayers: s.MinPlayers, Delay: s.Delay, RTC: s.RTC, HashEvery: s.HashEvery,
			Skew: s.Skew, Frames: s.Frames, Clocked: s.Sync == room.Clocked, Rollback: s.Sync == room.Rollback, Core: fileJSON{Name: s.Core.Name, Version: s.Core.Version, SHA256: hexadecimal(s.Core.SHA256)},
		},
	}
	if s.Core.Fingerprint != ([32]byte{}) {
		j.Room.Core.Fingerprint = hexadecimal(s.Core.Fingerprint)
	}
	for _, o := range s.Options {
		j.Room.Options = append(j.Room.Options, optionJSON(o))
	}
	for _, b := range s.BIOS {
		j.Room.BIOS = append(j.Room.BIOS, fileJSON{Name: b.Name, SHA256: hexadecimal(b.SHA256)})
	}
	for _, seat := range h.Seats {
		j.Seats = append(j.Seats, seat.json())
	}
	b, err := json.Marshal(j)
	if err == nil && len(b) > maxHead {
		err = fmt.Errorf("a head of %d bytes, at most %d are possible", len(b), maxHead)
	}
	if err == nil {
		// A head that could not be read again is not worth a file.
		_, err = decodeHead(b)
	}
	return b, err
}

func (s *Seat) json() seatJSON {
	p := s.Plan
	return seatJSON{
		Seat: p.Seat, Machine: p.Machine, Nickname: p.Nickname,
		ROM:   fileJSON{Name: p.ROM.Title, SHA256: hexadecimal(p.ROM.SHA256), Size: p.ROM.Size},
		Start: s.Start.Append(nil), Hash: s.Hash.text(),
	}
}

func hexadecimal(sum [32]byte) string { return hex.EncodeToString(sum[:]) }

func (h Hash) text() [3]string {
	return [3]string{fmt.Sprintf("%08x", h.RAM), fmt.Sprintf("%08x", h.Video), fmt.Sprintf("%08x", h.SRAM)}
}

// decodeHead reads what encode made, or what anybody did.
func decodeHead(b []byte) (*Head, error) {
	var j headJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return nil, fmt.Errorf("head: %w", err)
	}
	h := &Head{Program: clean(j.Program), Began: j.Began, Round: j.Round, Machine: j.Machine}
	if err := h.readRoom(j.Room); err != nil {
		return nil, fmt.Errorf("head: room: %w", err)
	}
	if n := len(j.Seats); n < 1 || n > ds.MaxSeats {
		return nil, fmt.Errorf("head: seats: %d, but there are 1 to %d", n, ds.MaxSeats)
	}
	for i, one := range j.Seats {
		seat, err := h.decodeSeat(one, 0)
		if err == nil && i > 0 && one.Seat <= h.Seats[i-1].Plan.Seat {
			err = errors.New("out of order")
		}
		if err != nil {
			return nil, fmt.Errorf("head: seat %d: %w", i, err)
		}
		h.Seats = append(h.Seats, seat)
	}
	return h, nil
}

func (h *Head) readRoom(j roomJSON) (err error) {
	s := &h.Settings
	*s = room.Settings{
		Room: clean(j.Name), Seats: j.Seats, MinPlayers: j.MinPlayers, Delay: j.Delay, RTC: j.RTC, HashEvery: j.HashEvery,
		Skew: j.Skew, Frames: j.Frames, Sync: j.sync(), Core: room.CoreID{Name: clean(j.Core.Name), Version: clean(j.Core.Version)},
	}
	within := []struct {
		name      string
		v, lo, hi int64
	}{
		{"machine", int64(h.Machine), 0, ds.MaxMachines - 1},
		{"seats", int64(s.Seats), 1, ds.MaxSeats},
		{"delay", int64(s.Delay), 0, ds.MaxDelay},
		{"hash_every", int64(s.HashEvery), 1, 3600},
		{"skew", int64(s.Skew), 0, 16},
		{"frames", s.Frames, 0, ds.MaxFrame},
		{"options", int64(len(j.Options)), 0, savestate.MaxOptions},
		{"bios", int64(len(j.BIOS)), 0, 8},
	}
	for _, w := range within {
		if w.v < w.lo || w.v > w.hi {
			return fmt.Errorf("%s: %d is not in %d to %d", w.name, w.v, w.lo, w.hi)
		}
	}
	for _, o := range j.Options {
		s.Options = append(s.Options, room.Option(o))
	}
	for _, b := range j.BIOS {
		sum, err := sum256(b.SHA256)
		if err != nil {
			return fmt.Errorf("bios: %w", err)
		}
		s.BIOS = append(s.BIOS, room.BIOSHash{Name: clean(b.Name), SHA256: sum})
	}
	if s.Core.SHA256, err = sum256(j.Core.SHA256); err != nil {
		return fmt.Errorf("core: %w", err)
	}
	if j.Core.Fingerprint != "" { // recordings of before have none
		if s.Core.Fingerprint, err = sum256(j.Core.Fingerprint); err != nil {
			return fmt.Errorf("core: fingerprint: %w", err)
		}
	}
	return nil
}

// decodeSeat reads a seat that plays from a frame on.
func (h *Head) decodeSeat(j seatJSON, from int64) (s Seat, err error) {
	s = Seat{From: from, Plan: room.SeatPlan{Seat: j.Seat, Machine: j.Machine, Nickname: clean(j.Nickname)}}
	if s.Plan.ROM.SHA256, err = sum256(j.ROM.SHA256); err != nil {
		return s, fmt.Errorf("rom: %w", err)
	}
	s.Plan.ROM.Title, s.Plan.ROM.Size = clean(j.ROM.Name), j.ROM.Size
	if s.Start, err = decodeStart(j.Start); err != nil {
		return s, err
	}
	s.Plan.Firmware = s.Start.Firmware
	switch {
	case j.Machine < 0 || j.Machine >= ds.MaxMachines:
		return s, fmt.Errorf("machine: %d is not in 0 to %d", j.Machine, ds.MaxMachines-1)
	case s.Start.Seat != j.Seat:
		return s, fmt.Errorf("its start is that of seat %v", s.Start.Seat)
	case s.Start.ROM != s.Plan.ROM.SHA256:
		return s, errors.New("its start is of another game")
	case s.Start.Core != h.Settings.Core.SHA256:
		return s, errors.New("its start is of another core")
	case s.Start.Frame != from:
		return s, fmt.Errorf("it starts at frame %d, not %d", s.Start.Frame, from)
	}
	s.Hash, err = readHash(j.Hash)
	return s, err
}

// decodeStart reads what a console starts from. Its parts are bounded.
func decodeStart(b []byte) (savestate.Manifest, error) {
	m, err := savestate.DecodeManifest(b)
	for _, p := range m.Parts {
		if p.Size > maxPart && err == nil {
			err = fmt.Errorf("%v: at most %d bytes are possible", p, maxPart)
		}
	}
	return m, err
}

func readHash(text [3]string) (Hash, error) {
	var v [3]uint32
	for i, t := range text {
		n, err := strconv.ParseUint(t, 16, 32)
		if err != nil {
			return Hash{}, fmt.Errorf("hash: %w", err)
		}
		v[i] = uint32(n)
	}
	return Hash{v[0], v[1], v[2]}, nil
}

func sum256(text string) (sum [32]byte, err error) {
	b, err := hex.DecodeString(text)
	if err == nil && len(b) != len(sum) {
		err = fmt.Errorf("a SHA-256 of %d bytes", len(b))
	}
	copy(sum[:], b)
	return sum, err
}
