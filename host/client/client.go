package client

import (
	"fmt"
	"slices"
	"time"

	"golang.org/x/time/rate"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// Config is what someone brings to a room.
type Config struct {
	membership.Config // of Timeouts only Join, Silence and Reconnect count, but all when we become game host
	Core              room.CoreID
	BIOS              []room.BIOSHash // empty: the core's own
	ROM               *room.ROMID     // nil: the game host's
}

// Client is one attempt to join a room and, when it succeeds, one stay in it.
// Make one with [New]. The comment of package host says who may call it and when.
type Client struct {
	self    membership.Identity
	joining joining

	stage      clientStage
	peer       ds.PeerID
	since      time.Time // when the stage began
	heard      time.Time // when the game host said something last
	lead       following
	succession succession
	election   membership.Election
	lostAt     time.Time // since when the connection is lost, in a game; zero: it is not
	flood      membership.Flood
	chat       *rate.Limiter
	clock      membership.Clock

	room      room.Room
	machine   int
	game      *game
	lastRound uint32
	banned    []room.Banned
	agreed    int64 // see Agreed
	report    report
	box       event.Outbox
}

// joining holds what a client needs to come in, and to come back.
type joining struct {
	ask        message.Join // without proof
	spectating bool         // see NewSpectator
	nonce      [32]byte
	password   string
	work       int      // iterations for a key
	hello      []byte   // as it was sent
	transcript [32]byte // of hello, challenge and join
}

// following is a client's knowledge of the game host; see [membership.Leadership].
type following struct {
	proof    message.LeaderProof // proves that the game host is
	previous int                 // the machine that was game host before
}

// report is this machine's status, as it is and as it was told.
type report struct {
	now, told room.Status
	at        time.Time // when told was sent; zero: never
}

// Outgoing returns what is to be sent and closed, in order, and forgets it.
func (c *Client) Outgoing() []event.Outgoing { return c.box.Outgoing() }

// Events returns what has happened, in order, and forgets it.
func (c *Client) Events() []event.Event { return c.box.Events() }

// Room is the room as it was last told; empty before Welcomed.
func (c *Client) Room() room.Room {
	r := c.room.Clone()
	r.Phase = c.Phase()
	return r
}

// Settings are those of the room as it was last told.
func (c *Client) Settings() room.Settings { return c.room.Settings.Clone() }

// Phase returns the room's phase.
func (c *Client) Phase() room.Phase {
	switch c.stage {
	case inside, disconnected, awaitReconnect:
		return c.room.Phase
	case over:
		return room.PhaseClosed
	}
	return room.PhaseJoining
}

// Me is this machine's player; its zero value before Welcomed.
func (c *Client) Me() room.Player {
	p, _ := c.room.Player(c.machine)
	return p
}

// Decisions is the timeline of the running game as far as it is known here, nil
// when there is none. A console runs a frame only when there are as many as the
// horizon for that frame says.
func (c *Client) Decisions() timeline.Log {
	if c.game == nil {
		return nil
	}
	return slices.Clone(c.game.Decisions)
}

// Report tells what this machine has to say of itself. It is sent when it
// differs from what was said last, not more often than makes sense; call it as
// often as is handy.
func (c *Client) Report(now time.Time, s room.Status) {
	c.report.now = s.Bounded()
	c.flush(c.clock.At(now))
}

// How often a status is sent: what matters, progress, and as a sign of life.
const (
	statusEvery   = 50 * time.Millisecond
	progressEvery = 250 * time.Millisecond
	statusIdle    = 5 * time.Second
)

func (c *Client) flush(now time.Time) {
	if c.stage != inside {
		return
	}
	since := now.Sub(c.report.at)
	progressed := c.report.now.Up != c.report.told.Up || c.report.now.Down != c.report.told.Down
	switch {
	case c.report.at.IsZero():
	case !c.report.now.Same(c.report.told) && since >= statusEvery:
	case progressed && since >= progressEvery:
	case since >= statusIdle:
	default:
		return
	}
	c.report.at, c.report.told = now, c.report.now
	c.send(&message.Status{Status: c.report.told})
}

// SetROM chooses another game for this player, nil for the game host's. It holds
// when the roster shows it. Only in the lobby.
func (c *Client) SetROM(_ time.Time, rom *room.ROMID) error {
	rom, err := room.CheckOwnROM(rom)
	if err != nil {
		return err
	}
	if c.Phase() != room.PhaseLobby {
		return fmt.Errorf("choose another game: %w, the room is %v", room.ErrPhase, c.Phase())
	}
	return c.tell(&message.Game{ROM: rom})
}

// SetLocalPlayers says who plays at this machine besides the first player. It holds when the
// roster shows it. Only in the lobby.
func (c *Client) SetLocalPlayers(_ time.Time, list []room.LocalPlayer) error {
	list, err := room.CheckLocalPlayers(list)
	if err != nil {
		return err
	}
	if c.Phase() != room.PhaseLobby {
		return fmt.Errorf("seat others: %w, the room is %v", room.ErrPhase, c.Phase())
	}
	return c.tell(&message.LocalPlayers{LocalPlayers: list})
}

// Chat says something to everyone. It comes back as a ChatLine, as it does to
// the others.
func (c *Client) Chat(now time.Time, text string) error {
	if c.stage != inside {
		return fmt.Errorf("chat: %w, the room is %v", room.ErrPhase, c.Phase())
	}
	if text = wire.Clean(text, room.MaxChat); text == "" {
		return nil
	}
	if !c.chat.AllowN(c.clock.At(now), 1) {
		return membership.ErrTooFast
	}
	return c.tell(&message.Chat{Text: text})
}

// Leave leaves the room, with the reason in words, which may be empty. Nothing
// happens after it; what is outgoing still has to be sent.
func (c *Client) Leave(_ time.Time, why string) {
	why = wire.Clean(why, room.MaxReason)
	switch c.stage {
	case over:
		return
	case unconnected:
		c.stage = over
		return
	case inside:
		c.send(&message.Leave{Why: why})
	}
	c.end(room.JoinWords("left the room", room.Brackets(why)), nil)
}
