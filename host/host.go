package host

import (
	"slices"
	"time"

	"golang.org/x/time/rate"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/wire"
)

// Config is the configuration of a new room.
type Config struct {
	membership.Config
	Settings room.Settings
	ROM      room.ROMID // the game of players who bring none
	Door     room.Door
	Key      [32]byte // this installation's key, as proven to others
}

// Host is the game host of one room, and the player at that machine. Make one
// with [New]. See the package comment for who may call it and when.
type Host struct {
	self     membership.Identity
	me       int // this machine
	guard    membership.Guard
	lead     leading
	standing standing

	settings  room.Settings
	phase     room.Phase
	revision  uint32
	members   []*member // by seat
	peers     []*peer   // in the order in which they connected
	round     *round    // nil in the lobby
	lastRound uint32
	banned    []room.Banned

	clock membership.Clock
	chat  *rate.Limiter // of the game host's own player
	news  news
	box   event.Outbox
}

// leading is the state of a game host's leadership; see [membership.Leadership].
type leading struct {
	epoch       uint32
	voters      room.MachineSet     // of the running game
	proof       message.LeaderProof // proves that we are the game host
	since       time.Time           // zero: from the start
	unannounced bool                // players have not been told yet whom we wait for
	successor   int                 // the machine that we hand over to; -1: none
}

// news is the last state sent to everyone in the room.
type news struct {
	dirty       bool // the roster has changed since
	sent        time.Time
	heartbeat   message.Heartbeat
	heartbeatAt time.Time
	agreed      int64 // see Host.Agreed
}

// Outgoing returns the queued messages and closings, in order, and clears them.
func (h *Host) Outgoing() []event.Outgoing { return h.box.Outgoing() }

// Events returns the queued events, in order, and clears them.
func (h *Host) Events() []event.Event { return h.box.Events() }

// encoded returns the bytes of m. All room state is checked when it comes in, so
// messages are always within their limits; if one ever is not,
// the game host's player is told in the chat.
func (h *Host) encoded(m message.Message) []byte {
	b, err := message.Encode(m)
	if err != nil {
		h.box.Emit(event.ChatLine{Seat: -1, Text: wire.Clean("this room cannot say something to the others: "+err.Error(), room.MaxChat)})
	}
	return b
}

// Settings returns a copy of the room's settings.
func (h *Host) Settings() room.Settings { return h.settings.Clone() }

// Door returns how others get into the room.
func (h *Host) Door() room.Door { return h.self.Door }

// Locked reports whether the room has a password.
func (h *Host) Locked() bool { return h.self.Key != nil }

// Phase returns the room's phase.
func (h *Host) Phase() room.Phase { return h.phase }

// Decisions returns a copy of the running game's timeline, or nil without a game.
func (h *Host) Decisions() timeline.Log {
	if h.phase != room.PhasePlaying {
		return nil
	}
	return slices.Clone(h.round.timeline.Decisions())
}
