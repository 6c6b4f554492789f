package player

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/replay"
)

// Config holds all that a [Player] needs.
type Config struct {
	Log  *replay.Log // stays the caller's
	Core emucore.Core
	ROMs map[[32]byte]*emucore.ROM // the games of all seats, by SHA-256; see [Needs]
	// Force plays with a core that is not the one of the recording.
	Force bool
	// Keyframes are used to get to places in the middle, and made on the way, which
	// does not change it. Nil: every way begins at the first frame. With a core whose
	// states are not exact a console that came from a keyframe can drift, see
	// Status.Drifted; where its picture is another one than in the game, the
	// keyframe is forgotten and an earlier one, or the start, takes its place. They are
	// left out in recordings of games whose states are of no use to one machine alone: there
	// every way begins where all machines of the game loaded one.
	Keyframes *replay.Keyframes
	// Build has Keyframes made for all of the recording while it is played, by more
	// consoles in the background. They take as much memory as those that are seen,
	// and processor time that nobody else wants.
	Build bool
	// Show gets each frame of each console, on that console's goroutine, also on
	// the way to another place; but not the first ones after a keyframe, whose picture
	// may be wrong. The frame is valid until Show returns. The console waits for it.
	// It may be nil.
	Show func(seat ds.Seat, f emucore.Frame)
	// Notify tells that [Player.Status] has changed: on the goroutine of Run, at
	// most some hundred times a second; it must not block and may be nil.
	Notify func()
	// End is after how many frames it is over, 0 for all of the recording.
	End int64
	// StopAtDifference ends Run when a console differs from its recording.
	StopAtDifference bool
	// EndAtEnd ends Run when the last frame is done; else the player waits there
	// to be sent elsewhere.
	EndAtEnd bool
	// Near begins at the newest place up to this frame from which consoles go on
	// exactly as they did: the last resync before it, or else the first frame.
	Near int64
	// Hashed gets the hash of each console after each of the frames HashFrom + 1 to
	// HashTo, and what it has sent by radio, on the goroutine of Run.
	Hashed           func(seat ds.Seat, frames int64, h ds.Hash, air uint64)
	HashFrom, HashTo int64
	// Background lets everything else on the machine go first.
	Background bool
	// Join is for a late joiner, which follows a game until it comes into it; nil for a
	// replay.
	Join *Joining
	// Start, TestOptions and TestTweak are as in [Config].
	Start       game.StartConsole
	TestOptions map[string]string
	TestTweak   func(*emucore.Config)
}

// The speeds of a player.
const (
	SlowestSpeed = 0.25
	FastestSpeed = 8.0
	NoLimit      = 0 // as fast as the machine can
)

// A Player plays a recording again: the consoles, their air and the loop around
// them are those of a game, and only the inputs come from a log. All methods but
// [Player.Run] may be called from any goroutine, at any time, also before Run and
// after its end, and return at once.
type Player struct {
	cfg Config
	// With some options a core's states are no place from which one machine can go on alone: see
	// emucore.Profile.ExactStates. A cold player makes no keyframes, and goes on from where all
	// machines of the game built their consoles anew from the same states.
	cold bool

	mu       sync.Mutex // guards what follows
	length   int64
	ended    []game.SeatReport // the consoles as Run has left them
	consoles []consoleSpan
	decided  int     // decisions of the log that consoles know of
	places   []int64 // from which a cold player goes on, rising
	orders   []func(*playing)
	status   Status
	wake     chan struct{} // has room for one
	ran      bool
}

// Status is a player's state.
type Status struct {
	Frame   int64 // frames that all consoles have done
	Length  int64 // of the recording, in frames
	Live    bool  // the game still runs, or more of it is still to come
	Waiting bool  // a live one has played all there is, or waits for it to come
	Playing bool  // else it stands still, unless it seeks
	Still   bool  // it stands, and no console is in the middle of a frame
	Speed   float64
	Seeking bool  // on the way to another place
	Target  int64 // of the seeking
	From    int64 // where the way there began
	AtEnd   bool
	Proofs  int64 // hashes that were as recorded
	Loading bool  // consoles are being built
	// Drifted tells that a console that was started from a keyframe is not exactly
	// what it was in the game. It is set right at the next keyframe.
	Drifted    bool
	Difference *Difference // the first one, of consoles that ran from the first frame on
	// Mended tells that the players repaired what differed: all was as recorded after the
	// resync that came next.
	Mended bool
}

// A Difference is where a replay is not what was recorded.
type Difference struct {
	Frames   int64 // that the console had done
	Agreed   int64 // frames after which it still was as recorded; -1 for none
	Seat     ds.Seat
	Nickname string
	Region   string // of the console that differs
}

// Error is the difference in words.
func (d *Difference) Error() string {
	words := fmt.Sprintf("seat %v (%s) differs from the recording in %s after frame %d", d.Seat, d.Nickname, d.Region, d.Frames)
	if d.Agreed >= 0 {
		words += fmt.Sprintf("; all was equal after frame %d", d.Agreed)
	}
	return words
}

// New makes a player that stands before the first frame. Nothing is started
// before [Player.Run].
func New(cfg Config) (*Player, error) {
	switch {
	case cfg.Log == nil:
		return nil, errors.New("player without a recording")
	case !CoreID(cfg.Core).Alike(cfg.Log.Settings.Core) && !cfg.Force:
		return nil, fmt.Errorf("the recording was made with %v, and this is another core", cfg.Log.Settings.Core)
	}
	for _, s := range cfg.Log.Seats {
		if cfg.ROMs[s.Plan.ROM.SHA256] == nil {
			return nil, fmt.Errorf("%v is missing", s.Plan.ROM)
		}
	}
	p := &Player{cfg: cfg, length: playable(cfg.Log), wake: make(chan struct{}, 1)}
	p.cold = !emucore.ProfileFor(cfg.Core.Name).ExactStates(cfg.Log.Settings.Options, cfg.Log.HasCheats())
	if p.cold {
		p.cfg.Keyframes = nil
	}
	if cfg.End > 0 {
		p.length = min(p.length, cfg.End)
	}
	p.status = Status{Length: p.length, Playing: true, Speed: 1}
	p.know()
	return p, nil
}

// playable returns the number of frames of a log that are played. A log that just stops misses what the
// consoles did last, so its last frame is not compared with anything.
func playable(l *replay.Log) int64 {
	n := l.Length()
	for _, d := range l.Decisions {
		if d.Frame == n && (d.Kind == timeline.End || d.Kind == timeline.Leave) {
			return n
		}
	}
	return max(n-1, 0)
}

// Status returns the player's state.
func (p *Player) Status() Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.status
}

// Length is the recording's, in frames.
func (p *Player) Length() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.length
}

// Keyframes are the places from which it can go on at once, rising.
func (p *Player) Keyframes() []int64 {
	if p.cold {
		p.mu.Lock()
		defer p.mu.Unlock()
		return slices.Clone(p.places)
	}
	if p.cfg.Keyframes == nil {
		return nil
	}
	return p.cfg.Keyframes.Frames()
}

// order has something done by Run.
func (p *Player) order(do func(*playing)) {
	p.mu.Lock()
	const many = 1000 // nobody carries them out any more
	if len(p.orders) < many {
		p.orders = append(p.orders, do)
	}
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

func (p *Player) takeOrders() []func(*playing) {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := p.orders
	p.orders = nil
	return list
}

// Seats are the consoles as Run has left them, with their hashes where they came to
// their last frame; nil before that.
func (p *Player) Seats() []game.SeatReport {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.ended)
}
