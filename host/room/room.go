package room

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/cheat"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/wire"
)

// MinSeats is the least number of seats of a room.
const MinSeats = 2

// Phase is the present activity of a room.
type Phase uint8

// The phases. A room goes from the lobby to preparing to playing and back.
const (
	PhaseJoining   Phase = iota // a client that is not in the room yet
	PhaseLobby                  // players come and go, settings change
	PhasePreparing              // every machine builds every console
	PhasePlaying                // the consoles run
	PhaseClosed                 // over: the machine does nothing any more
)

// String is the phase's name in lower case.
func (p Phase) String() string {
	names := [...]string{"joining", "lobby", "preparing", "playing", "closed"}
	if int(p) < len(names) {
		return names[p]
	}
	return fmt.Sprintf("phase %d", uint8(p))
}

// ErrPhase reports an action that is not possible in the room's present phase.
var ErrPhase = errors.New("not now")

// ROMID identifies a game by the hash of its ROM; the title is only for display.
type ROMID struct {
	SHA256 [32]byte
	Title  string
	Size   int64 // bytes
	// Edition comes from the ROM's header; it is unknown for games of recordings and kept moments.
	Edition Edition
}

// MaxROM bounds the size of a game, in bytes.
const MaxROM = 1 << 30

// String is the game's title with the start of its hash, for people.
func (id ROMID) String() string {
	if id.Title == "" {
		return fmt.Sprintf("an unnamed game (%s)", short(id.SHA256))
	}
	return fmt.Sprintf("%s (%s)", id.Title, short(id.SHA256))
}

// short is the start of a hash, enough for people to compare.
func short(sum [32]byte) string { return fmt.Sprintf("%x", sum[:4]) }

// CheckROM cleans the texts of id and returns an error if its size is out of range.
func CheckROM(id ROMID) (ROMID, error) {
	id.Title, id.Edition.Code = wire.Clean(id.Title, MaxName), wire.Clean(id.Edition.Code, codeLength)
	if id.Size < 0 || id.Size > MaxROM {
		return id, fmt.Errorf("the game %s: %d bytes are not in 0..%d", id.Title, id.Size, MaxROM)
	}
	return id, nil
}

// CheckOwnROM is CheckROM for a player's own game; nil stands for the game host's.
func CheckOwnROM(id *ROMID) (*ROMID, error) {
	if id == nil {
		return nil, nil
	}
	checked, err := CheckROM(*id)
	return &checked, err
}

// Option is one core option, as the core spells it.
type Option = ds.Option

// BIOSHash identifies a BIOS or firmware file that the core uses.
type BIOSHash struct {
	Name   string
	SHA256 [32]byte
}

// Settings are the settings of a room. Only the game host changes them, and they are equal
// on all machines.
type Settings struct {
	Room       string // the room's name
	Seats      int    // 2..16
	MinPlayers int    // players needed to start, 1..Seats
	Delay      int    // input delay at the start of a game, frames, 0..30
	// AutoDelay keeps the delay where the lines need it; Delay is then for a start at which no ping
	// is known yet.
	AutoDelay autodelay.Preset
	// RTC is what the consoles' clocks show at frame 0, in seconds since 1970 of a clock without time zones, in the
	// years 2000 to 2099. With ClockNow each start sets it to the time on the game host's wall, but never back: in
	// the lobby it is then the earliest that a start may choose, which is where the last game ended.
	RTC        int64
	ClockNow   bool
	HashEvery  int  // frames between two hash reports, 1..3600
	Skew       int  // of the air, frames, 0..16
	NoLateJoin bool // no late joiners
	// KeepConsoles lets the console of a player who leaves a running game stay in it, with
	// nothing pressed, instead of being switched off.
	KeepConsoles bool
	Sync         Sync
	Core         CoreID
	Options      []Option   // the room's choices, sorted by key, at most 64
	BIOS         []BIOSHash // sorted by name, at most 8; empty: the core's own
	Frames       int64      // a game ends by itself after so many; 0: open end
	// Spectators is the limit of spectators, 0..16; SpectateDelay is the seconds by which their view of
	// a running game is behind it, 0..600.
	Spectators, SpectateDelay int
	// Continues is the kept moment from which the next game goes on.
	Continues Kept
	Cheats    Cheats
}

// Cheats are the codes that a room has agreed on. They act on the consoles that play one game, whoever plays them.
type Cheats struct {
	Game [32]byte // its SHA-256; zeros without a cheat
	List []cheat.Cheat
}

// Of returns the cheats for a console that plays the given game.
func (l Cheats) Of(rom [32]byte) []cheat.Cheat {
	if rom != l.Game {
		return nil
	}
	return l.List
}

// Clone returns a deep copy.
func (s Settings) Clone() Settings {
	s.Options, s.BIOS, s.Continues.Seats = slices.Clone(s.Options), slices.Clone(s.BIOS), slices.Clone(s.Continues.Seats)
	s.Cheats.List = cheat.Clone(s.Cheats.List)
	return s
}

// Words lists the names of the cheats, "" if there are none.
func (l Cheats) Words() string {
	var names []string
	for _, x := range l.List {
		names = append(names, x.Name)
	}
	return strings.Join(names, ", ")
}

// News returns the text that tells the room how its cheats changed since those with the sum told, or "" if they
// did not, and the present sum.
func (l Cheats) News(told [32]byte) (words string, now [32]byte) {
	switch now = cheat.Sum(l.List); {
	case now == told:
		return "", now
	case len(l.List) == 0:
		return "No cheats are on any more.", now
	}
	return fmt.Sprintf("%s on, for all who play this game: %s.", phrase.Capital(phrase.Count(len(l.List), "cheat")), l.Words()), now
}

// Progress is how much of a transfer is done.
type Progress struct{ Done, Total int64 } // bytes

// Player is one seat of the roster, as everyone in the room sees it.
type Player struct {
	Machine  int     // whose console this is, 0..15
	Seat     ds.Seat // 0..15
	Local    int     // 0: came with the machine; 1..15: a further local player, in their order
	Nickname string
	Firmware ds.Firmware // the console's own settings
	ROM      ROMID
	OwnROM   bool     // chosen by the player; else it is the game host's and follows that
	Ready    bool     // for the present revision, or in the game that is played
	Problem  string   // why it holds up the start, in words; "" when it does not
	Cause    Cause    // of Problem
	Note     string   // something that others should know, in words; usually ""
	Program  string   // version of the player's nettplay
	Present  bool     // false: left during the game that is being played
	Sign     [32]byte // the machine's public key in this room
	Build    [32]byte // SHA-256 of the machine's core; another than the settings' where builds differ
	Key      [32]byte // its installation's, as proven to the game host; see internal/seal. Zero: unknown
	Addrs    []string // where the machine may be reached, at most 5: as the game host sees it, then as it says itself
	Beat
}

// Beat is the part of a player that changes constantly.
type Beat struct {
	Ping     time.Duration    // round trip to the game host
	Jitter   time.Duration    // mean deviation of the ping
	Loss     int              // how many of 1000 datagrams from the game host do not arrive
	Repeated int              // clocked: for how many of the newest inputdelay.Recent frames no input had arrived in time
	Way      string           // how datagrams go to the game host where that is not directly, in words; else ""
	Depth    Depth            // of the machine in rollback
	OwnDelay autodelay.Choice // of the machine in rollback
	Paths    []Path           // from the machine to other clients of a higher number
	Up, Down Progress         // of what the machine sends and fetches before a game
}

// Room is the state of a room at one moment.
type Room struct {
	Settings Settings
	Players  []Player // by seat
	// Spectators are sorted by number.
	Spectators []Spectator
	Phase      Phase
	Round      uint32 // number of the game being prepared or played, 0 for none
	// Revision counts the changes that every machine has to check before it can
	// report that it is ready: to the settings, to the games played, and the end
	// of a game. A [Status] is valid for the revision that it names.
	Revision uint32

	Host   int        // the game host's machine
	Epoch  uint32     // which of the room's game hosts that is; see membership.Leadership
	Voters MachineSet // whose votes count when the running game needs another game host
}

// Clone returns a copy with lists of its own.
func (r Room) Clone() Room {
	r.Settings, r.Players, r.Spectators = r.Settings.Clone(), slices.Clone(r.Players), slices.Clone(r.Spectators)
	return r
}

// Player finds the player who came with a machine.
func (r Room) Player(machine int) (Player, bool) {
	i := slices.IndexFunc(r.Players, func(p Player) bool { return p.Machine == machine && p.Local == 0 })
	if i < 0 {
		return Player{}, false
	}
	return r.Players[i], true
}

// BuildsDiffer reports whether the consoles of those who are here are emulated with different builds of the
// room's core.
func (r Room) BuildsDiffer() bool {
	return slices.ContainsFunc(r.Players, func(p Player) bool { return p.Present && p.Build != r.Settings.Core.SHA256 })
}

// BuildsWords says who has which build of the room's core, as in "build 0a1b2c3d (Ann, Cleo) and build 4e5f6071 (Bob)".
func (r Room) BuildsWords() string {
	var builds [][32]byte
	names := map[[32]byte][]string{}
	for _, p := range r.Players {
		if !p.Present || p.Local > 0 {
			continue
		}
		if names[p.Build] == nil {
			builds = append(builds, p.Build)
		}
		names[p.Build] = append(names[p.Build], p.Nickname)
	}
	var words []string
	for _, b := range builds {
		words = append(words, fmt.Sprintf("build %s (%s)", short(b), strings.Join(names[b], ", ")))
	}
	return phrase.List(words)
}

// Machines returns how many machines of players are here.
func (r Room) Machines() (n int) {
	for _, p := range r.Players {
		if p.Present && p.Local == 0 {
			n++
		}
	}
	return n
}

// Continues reports whether r continues the room before, maybe with another game host. A
// new game host must have been in the earlier room, by its key, and have a higher epoch. This
// does not prove that the key is its own.
func (r Room) Continues(before Room) bool {
	was, there := before.Player(r.Host)
	is, ok := r.Player(r.Host)
	newer := r.Epoch > before.Epoch || r.Epoch == before.Epoch && r.Host == before.Host
	return there && ok && was.Sign == is.Sign && newer
}

// SeatPlan is one console of a game that is about to start.
type SeatPlan struct {
	Seat     ds.Seat
	Machine  int
	Nickname string
	Firmware ds.Firmware
	ROM      ROMID
}

// SeatHash is the hash of one console.
type SeatHash struct {
	Seat ds.Seat
	Hash ds.Hash
	Air  uint64 // hash of everything it has sent over the radio
}

// Short returns h as sent in the reports during a game, twice a second for each console: its
// hashes folded to 32 bits. That is enough: a difference in memory persists, so it would have to
// escape every later report, too. Equal hashes stay equal; 0 stays 0.
func (h SeatHash) Short() SeatHash {
	for _, v := range []*uint64{&h.Hash.RAM, &h.Hash.Video, &h.Hash.SRAM, &h.Air} {
		*v = uint64(uint32(*v ^ *v>>32))
	}
	return h
}
