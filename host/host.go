package host

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/access"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/migration"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// Config is the configuration of a new room.
type Config struct {
	membership.Config
	Settings room.Settings
	ROM      room.ROMID // what is played by who brings no game
	Door     room.Door
	Key      [32]byte // this installation's, as others see it proven
}

// Host is the game host of one room, and the player at that machine. Make one
// with [New]. See the package comment for who may call it and when.
type Host struct {
	self  membership.Identity
	me    int // this machine
	guard access.Guard
	lead  leading

	settings  room.Settings
	phase     room.Phase
	revision  uint32
	members   []*member // by seat
	peers     []*peer   // in the order in which they connected
	round     *round    // nil in the lobby
	lastRound uint32

	clock access.Clock
	chat  access.Bucket // of the game host's own player
	news  news
	box   event.Outbox
}

// leading is a game host's state of being one; see package migration.
type leading struct {
	epoch       uint32
	voters      room.MachineSet    // of the running game
	proof       migration.ProofMsg // proves that we are the game host
	since       time.Time          // zero: from the start
	unannounced bool               // players were not told yet whom we wait for
	successor   int                // the machine that we hand over to; -1: nobody
}

// news is the last state that everybody in the room was told.
type news struct {
	dirty       bool // the roster has changed since
	sent        time.Time
	heartbeat   message.Heartbeat
	heartbeatAt time.Time
	agreed      int64 // see Host.Agreed
}

// member is a player in the room.
type member struct {
	peer           *peer // nil for the game host, and while disconnected
	machine        int
	seat           ds.Seat
	local          int // 0: the machine's primary player; else see localplayers.go
	nickname       string
	firmware       ds.Firmware
	build          build
	rom            *room.ROMID // nil: that of the machine's primary player, or else the game host's
	note, program  string
	status         room.Status
	beat           room.Beat // of its connection; the rest is in its status
	again          bool      // it has left, and joins again
	present        bool
	sign           [32]byte // its public key, which proves that a new connection is its own
	key            [32]byte // its installation's, by which players know each other again
	reached        reached
	disconnectedAt time.Time    // in a game; zero: it is connected
	pendingResult  *event.Ended // how the last game ended, if it may not have heard
}

// build is the core, and its settings, of a machine's consoles.
type build struct {
	core room.CoreID
	bios []room.BIOSHash
}

// reached is where a machine can be reached.
type reached struct {
	addrs []string // as it says itself
	seen  string   // as the game host sees it, with the port
}

// New opens a room with the game host in seat 0. With a password it takes
// about 0.1 s.
func New(cfg Config) (*Host, error) {
	settings, err := cfg.Settings.Checked()
	if err != nil {
		return nil, err
	}
	rom, err := room.CheckROM(cfg.ROM)
	if err != nil {
		return nil, err
	}
	self, err := cfg.Identity()
	if err != nil {
		return nil, err
	}
	h := &Host{
		self: self, lead: leading{successor: -1},
		settings: settings, phase: room.PhaseLobby, revision: 1, chat: access.ChatBucket(access.ClientChat),
	}
	h.self.Door = cfg.Door
	if _, err := io.ReadFull(cfg.Random, h.self.Salt[:]); err != nil {
		return nil, fmt.Errorf("random numbers: %w", err)
	}
	if cfg.Password != "" {
		if h.self.Key, err = access.PasswordKey(cfg.Password, h.self.Salt, cfg.Iterations); err != nil {
			return nil, err
		}
	}
	own := &member{
		sign: migration.PublicKey(h.self.Sign), key: cfg.Key, reached: reached{addrs: h.self.Addrs},
		machine: h.me, nickname: room.CleanNickname(cfg.Nickname), firmware: cfg.Firmware, rom: &rom,
		build: build{settings.Core, settings.BIOS}, program: h.self.Program, present: true,
	}
	if own.firmware.MAC, own.note, err = h.address(own.nickname, cfg.Firmware.MAC); err != nil {
		return nil, err
	}
	if err := h.seatKept(own); err != nil {
		return nil, err
	}
	h.members = []*member{own}
	if err := h.setLocalPlayers(own, cfg.LocalPlayers); err != nil {
		return nil, err
	}
	h.revision, h.news.dirty = 1, false
	return h, nil
}

// Outgoing returns what is to be sent and closed, in order, and forgets it.
func (h *Host) Outgoing() []event.Outgoing { return h.box.Outgoing() }

// Events returns what has happened, in order, and forgets it.
func (h *Host) Events() []event.Event { return h.box.Events() }

func (h *Host) emit(e event.Event) { h.box.Emit(e) }

// own is the game host's own player: the first one at its machine.
func (h *Host) own() *member { return h.first(h.me) }

// locals are the members on this machine.
func (h *Host) locals() []*member { return h.at(h.me) }

// Room is the room as it is now, as this machine's players see it.
func (h *Host) Room() room.Room { return h.seenBy(h.me) }

// seenBy is the room as it is now. The players at a machine are told in the second person what
// holds them up.
func (h *Host) seenBy(machine int) room.Room {
	r := room.Room{Settings: h.settings.Clone(), Phase: h.phase, Revision: h.revision, Host: h.me, Epoch: h.lead.epoch, Voters: h.lead.voters}
	if h.round != nil {
		r.Round = h.round.number
	}
	for _, m := range h.members {
		p := h.player(m)
		if m.machine == machine {
			p.Problem = wire.Clean(h.problem(m, ""), room.MaxSentence)
		}
		r.Players = append(r.Players, p)
	}
	r.Spectators = h.Spectators()
	return r
}

func (h *Host) player(m *member) room.Player {
	beat := m.beat
	beat.Up, beat.Down = m.status.Up, m.status.Down
	if m.local == 0 {
		beat.Paths = m.status.Paths // told with a machine's first player
	}
	if h.phase != room.PhasePlaying {
		beat.Repeated = 0
	}
	return room.Player{
		Machine: m.machine, Seat: m.seat, Nickname: m.nickname, Firmware: m.firmware,
		ROM: h.romOf(m), OwnROM: (m.rom != nil || h.primary(m).rom != nil) && m != h.own(), Ready: h.ready(m) || h.inGame(m), Problem: wire.Clean(h.problem(m, m.nickname), room.MaxSentence),
		Note: m.note, Program: m.program, Present: m.present,
		Local: m.local, Sign: m.sign, Key: h.primary(m).key, Addrs: m.reach(), Beat: beat,
	}
}

// Settings are those of the room.
func (h *Host) Settings() room.Settings { return h.settings.Clone() }

// Roster is all players by seat.
func (h *Host) Roster() []room.Player { return h.Room().Players }

// Phase returns the room's phase.
func (h *Host) Phase() room.Phase { return h.phase }

// Me is the game host's own player.
func (h *Host) Me() room.Player { return h.player(h.own()) }

// Decisions is the timeline of the running game, nil when there is none.
func (h *Host) Decisions() timeline.Log {
	if h.phase != room.PhasePlaying {
		return nil
	}
	return slices.Clone(h.round.timeline.Decisions())
}

// Peer is the connection to a machine that is in the room.
func (h *Host) Peer(machine int) (ds.PeerID, bool) {
	if m := h.first(machine); m != nil && m.peer != nil {
		return m.peer.id, true
	}
	return 0, false
}

// Machine is the machine at the other end of a connection, when it is in the room.
func (h *Host) Machine(id ds.PeerID) (int, bool) {
	if p := h.peer(id); p != nil && p.member != nil {
		return p.member.machine, true
	}
	return 0, false
}

// Belongs tells whether somebody in the room is at the other end of a connection: a player
// or a spectator.
func (h *Host) Belongs(id ds.PeerID) bool {
	p := h.peer(id)
	return p != nil && p.stage >= inRoom
}

// Plays tells whether a machine of the game, or of one that is prepared, is at the other end of a
// connection.
func (h *Host) Plays(id ds.PeerID) bool {
	p := h.peer(id)
	return p != nil && p.member != nil && h.round != nil && h.takesPart(p.member)
}

// Close ends the room for all, with the reason in words. Nothing happens after
// it; what is outgoing still has to be sent.
func (h *Host) Close(now time.Time, why string) {
	if h.phase == room.PhaseClosed {
		return
	}
	now = h.clock.At(now)
	if h.round != nil {
		h.endRound(now, event.Ended{Outcome: message.OutcomeAborted, Why: "the room was closed"})
	}
	why = wire.Clean(why, room.MaxReason)
	for _, p := range slices.Clone(h.peers) {
		if p.member == nil && p.stage != spectating {
			h.refuse(p, "", room.Refusal{Code: room.CodeGone, Sentence: "the room was closed"}, "did not get in, because the room was closed")
			continue
		}
		h.send(p, &message.Closed{Reason: message.ClosedByHost, Why: room.JoinWords("the game host closed the room", room.Brackets(why))})
		h.close(p, "the game host closed the room")
	}
	h.phase = room.PhaseClosed
}

// Tick does what is due. It must be called at least every 100 ms.
func (h *Host) Tick(now time.Time) {
	if h.phase == room.PhaseClosed {
		return
	}
	now = h.clock.At(now)
	h.hearLater(now)
	h.dropSilent(now)
	h.checkDisconnected(now)
	if h.round != nil {
		h.checkRound(now)
	}
	if h.phase == room.PhasePlaying {
		h.checkCommitTime(now)
	}
	h.flush(now)
}

// send queues a message to one peer.
func (h *Host) send(p *peer, m message.Message) []byte {
	b := h.encoded(m)
	if b != nil {
		h.box.Send(p.id, b)
	}
	return b
}

// encoded is a message's bytes. Everything in the room is checked on its way in, so
// that it is always within the limits of its messages; should that ever not hold,
// the game host's player sees it.
func (h *Host) encoded(m message.Message) []byte {
	b, err := message.Encode(m)
	if err != nil {
		h.emit(event.ChatLine{Seat: -1, Text: wire.Clean("this room cannot say something to the others: "+err.Error(), room.MaxChat)})
	}
	return b
}

// broadcast queues a message to everyone in the room; all share its bytes.
func (h *Host) broadcast(m message.Message) {
	b := h.encoded(m)
	for _, p := range h.peers {
		if b != nil && (p.member != nil || p.stage == spectating && message.Public(m)) {
			h.box.Send(p.id, b)
		}
	}
}

// close forgets a peer and has its connection closed.
func (h *Host) close(p *peer, why string) {
	h.box.Close(p.id, wire.Clean(why, room.MaxReason))
	h.forget(p)
}

func (h *Host) forget(p *peer) {
	h.peers = slices.DeleteFunc(h.peers, func(o *peer) bool { return o == p })
}
