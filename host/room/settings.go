package room

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/cheat"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/rollback"
	"github.com/nettplay/nettplay/internal/wire"
)

// Equal tells whether two settings are the same, byte for byte on the wire.
func (s Settings) Equal(o Settings) bool { return wire.Same(s.Fields, o.Fields) }

// Checked cleans and sorts settings and tells what is wrong with them.
func (s Settings) Checked() (Settings, error) {
	s = s.Clone()
	if s.Room = wire.Clean(s.Room, MaxName); s.Room == "" {
		s.Room = "A room"
	}
	s.Core, s.Continues = s.Core.Cleaned(), s.Continues.cleaned()
	for i := range s.Options {
		o := &s.Options[i]
		o.Key, o.Value = wire.Clean(o.Key, MaxKey), wire.Clean(o.Value, MaxKey)
	}
	for i := range s.Cheats.List {
		s.Cheats.List[i].Name = wire.Clean(s.Cheats.List[i].Name, cheat.MaxName)
	}
	if len(s.Cheats.List) == 0 {
		s.Cheats = Cheats{}
	}
	slices.SortFunc(s.Options, func(a, b Option) int { return cmp.Compare(a.Key, b.Key) })
	var err error
	if s.BIOS, err = CheckBIOS(s.BIOS); err != nil {
		return s, err
	}
	return s, s.Check()
}

// Check tells what is wrong with settings.
func (s Settings) Check() error {
	if err := s.Continues.check(s.Seats); err != nil {
		return err
	}
	c := wire.Writer(nil) // its fields have bounds
	if c.Within("room settings", s.Fields); c.Err() != nil {
		return c.Err()
	}
	if s.MinPlayers > s.Seats {
		return fmt.Errorf("room settings: players needed to start: %d is not in 1..%d", s.MinPlayers, s.Seats)
	}
	for i, o := range s.Options {
		if o.Key == "" || i > 0 && o.Key == s.Options[i-1].Key {
			return fmt.Errorf("room settings: core option %q stands twice or has no name", o.Key)
		}
	}
	return nil
}

// CheckBIOS cleans and sorts the names of BIOS files.
func CheckBIOS(files []BIOSHash) ([]BIOSHash, error) {
	if len(files) > MaxBIOS {
		return nil, fmt.Errorf("bios files: %d, at most %d", len(files), MaxBIOS)
	}
	files = slices.Clone(files)
	for i := range files {
		files[i].Name = wire.Clean(files[i].Name, MaxName)
	}
	slices.SortFunc(files, func(a, b BIOSHash) int { return cmp.Compare(a.Name, b.Name) })
	for i, f := range files {
		if f.Name == "" || i > 0 && f.Name == files[i-1].Name {
			return nil, fmt.Errorf("bios file %q stands twice or has no name", f.Name)
		}
	}
	return files, nil
}

// MaxRelays is the limit of a door's relays, and MaxRelay of the bytes of one's name.
const (
	MaxRelays = 3
	MaxRelay  = 64
)

// Door says how machines come into a room, whoever is its game host.
type Door struct {
	Secret     [16]byte // that connections are made with; see internal/seal
	Neighbours bool     // machines of a member's own network come in without it
	Listed     bool     // relays list the room for everybody
	Relays     []string // "host:port", by which friends come in, as the one says who opened the room
}

// Fields lists the door's fields for a codec.
func (d *Door) Fields(c *wire.Coder) {
	c.Fixed("secret", d.Secret[:])
	c.Bool("neighbours", &d.Neighbours)
	c.Bool("listed", &d.Listed)
	wire.List(c, "relays", &d.Relays, MaxRelays, func(c *wire.Coder, name *string) { c.Text("relay", name, MaxRelay) })
}

// Sync is how the machines of a room keep together.
type Sync uint8

// The ways.
const (
	// Lockstep: each machine stamps its own inputs, and all wait for those that come late.
	Lockstep Sync = iota
	// Clocked: the game host stamps the inputs of all seats at a steady clock, so that nobody waits for a machine
	// whose inputs come late.
	Clocked
	// Rollback: each machine stamps its own inputs, and nobody waits for a while: consoles run on with guesses,
	// and go back where those were wrong.
	Rollback
)

var syncNames = [...]string{"lockstep", "clocked", "rollback"}

// String is the way's name.
func (s Sync) String() string { return syncNames[min(int(s), len(syncNames)-1)] }

// SyncNamed is the way of a name, Lockstep for any other.
func SyncNamed(name string) Sync {
	for s, n := range syncNames {
		if n == name {
			return Sync(s)
		}
	}
	return Lockstep
}

// Slack is the number of frames that consoles may be ahead of those that their machine tells.
func (s Settings) Slack() int {
	if s.Sync == Rollback {
		return rollback.MaxDepth
	}
	return 0
}

// ClockAt returns what the clock on the wall shows at a time, in that time's zone, as consoles' clocks have it:
// in seconds since 1970, without a zone. Years that no console shows become the nearest that it does.
func ClockAt(now time.Time) int64 {
	_, offset := now.Zone()
	return min(max(now.Unix()+int64(offset), MinRTC), maxRTC)
}

// WrongClock tells in words that a computer's clock cannot be right, as that of a board without a battery, which
// begins in 1970; "" for one that may be.
func WrongClock(now time.Time) string {
	if now.Year() >= 2026 && now.Year() <= 2099 { // there was no nettplay before
		return ""
	}
	return fmt.Sprintf("this computer's clock says %s", now.Format("2 January 2006"))
}

// ClockWords are what a console's clock shows, for people.
func ClockWords(rtc int64) string { return time.Unix(rtc, 0).UTC().Format("2 January 2006, 15:04") }

// StartClock is what the consoles' clocks show at the first frame of a game that starts now.
func (s Settings) StartClock(now time.Time) int64 {
	if !s.ClockNow || s.Continues.Any() { // a kept game goes on with its own
		return s.RTC
	}
	return max(s.RTC, ClockAt(now))
}

// NextClock is the RTC of the lobby after a game with these settings of which so many frames may have been played: the next
// one begins no earlier, whatever the next game host's clock says.
func (s Settings) NextClock(frames int64) int64 {
	if !s.ClockNow && !s.Continues.Any() {
		return s.RTC
	}
	return min(s.RTC+int64((ds.FrameTime(frames)+time.Second-1)/time.Second), maxRTC)
}
