package host

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/access"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/wire"
)

// Spectators see a room and its games and are no part of them: they have no seat and no
// machine number, nobody waits for them, nothing that they say reaches a console, and
// they come and go in any phase. They see a game by a copy of its log, which they
// request from the spectator server; see internal/spectate.

// spectators are all who watch, by number.
func (h *Host) spectators() []room.Spectator {
	var list []room.Spectator
	for _, p := range h.peers {
		if p.stage == spectating {
			list = append(list, p.spectator)
		}
	}
	slices.SortFunc(list, func(a, b room.Spectator) int { return a.Number - b.Number })
	return list
}

// Spectator is who watches at the other end of a connection.
func (h *Host) Spectator(id PeerID) (room.Spectator, bool) {
	if p := h.peer(id); p != nil && p.stage == spectating {
		return p.spectator, true
	}
	return room.Spectator{}, false
}

// takeSpectate lets somebody watch, or not.
func (h *Host) takeSpectate(now time.Time, p *peer, m *message.Spectate, msg []byte) {
	if p.crowded {
		h.turnAway(p)
		return
	}
	if !h.mayProve(now, p, msg) {
		return
	}
	t := access.Transcript(p.hello, p.challenge, msg, access.ProofSize)
	name := room.CleanNickname(m.Nickname)
	if r, did, ok := h.password(p, &message.Join{Proof: m.Proof}, t); !ok {
		h.refuse(p, name, r, did)
		return
	}
	bios, err := room.CheckBIOS(m.BIOS)
	if err != nil {
		h.expel(now, p, err.Error())
		return
	}
	if r, did, ok := h.maySpectate(m.Core.Cleaned(), bios, name); !ok {
		h.refuse(p, name, r, did)
		return
	}
	if r, did, ok := h.mayCome(now, p); !ok {
		h.refuse(p, name, r, did)
		return
	}
	there := h.spectators()
	number := 0
	for slices.ContainsFunc(there, func(s room.Spectator) bool { return s.Number == number }) {
		number++
	}
	p.spectator = room.Spectator{Number: number, Nickname: h.nickname(name), Program: p.program}
	p.stage, p.since, p.hello, p.challenge = spectating, now, nil, nil
	h.news.dirty = true
	h.send(p, &message.Admitted{Number: number, Proof: access.Proof(h.self.key, access.LabelHost, t), Room: h.roomFor(p)})
	h.emit(event.SpectatorJoined{Spectator: p.spectator, Peer: p.id})
	h.say(p.spectator.Nickname + " watches")
}

// maySpectate tells whether one more can watch.
func (h *Host) maySpectate(core room.CoreID, bios []room.BIOSHash, name string) (r room.Refusal, did string, ok bool) {
	switch n := len(h.spectators()); {
	case h.settings.Spectators == 0:
		return room.Refusal{Code: room.CodeFull, Sentence: "nobody may watch in this room", Hint: "ask the game host to allow spectators"},
			"cannot watch: this room has no spectators", false
	case n >= h.settings.Spectators:
		return room.Refusal{
			Code: room.CodeFull, Sentence: fmt.Sprintf("as many watch this room as may: %d", n), Hint: "ask the game host to allow one more",
		}, fmt.Sprintf("cannot watch: %d do, which is all that may", n), false
	}
	if r, ok := h.coreRefusal(core, ""); !ok {
		told, _ := h.coreRefusal(core, name)
		return r, "cannot watch: " + told.Error(), false
	}
	if r, ok := room.BiosRefusal(h.settings.BIOS, bios, ""); !ok {
		told, _ := room.BiosRefusal(h.settings.BIOS, bios, name)
		return r, "cannot watch: " + told.Error(), false
	}
	return room.Refusal{}, "", true
}

// spectatorIsThere takes a spectator's sign of life.
func (h *Host) spectatorIsThere(time.Time, *peer, *message.Status) {}

func (h *Host) spectatorLeaves(_ time.Time, p *peer, m *message.Leave) {
	h.close(p, "goodbye")
	h.loseSpectator(p, room.JoinWords("does not watch any more", room.Brackets(m.Why)))
}

// dropSpectator closes the line of one that cannot be kept, with what it did.
func (h *Host) dropSpectator(p *peer, did string) {
	h.send(p, &message.Closed{Reason: message.ClosedDropped, Why: "your machine " + did})
	h.close(p, "your machine "+did)
	h.loseSpectator(p, "watches no longer: the machine "+did)
}

// loseSpectator is for one whose connection is closed.
func (h *Host) loseSpectator(p *peer, did string) {
	words := wire.Clean(p.spectator.Nickname+" "+did, room.MaxSentence)
	h.news.dirty = true
	h.emit(event.SpectatorLeft{Spectator: p.spectator, Peer: p.id, Words: words})
	h.say(words)
}

// KickSpectator sends somebody away who watches, with the reason in words; with ban for
// good, as Kick does.
func (h *Host) KickSpectator(now time.Time, number int, why string, ban bool) error {
	i := slices.IndexFunc(h.peers, func(p *peer) bool { return p.stage == spectating && p.spectator.Number == number })
	if h.phase == room.PhaseClosed || i < 0 {
		return fmt.Errorf("send away spectator %d: nobody of that number is there", number+1)
	}
	now = h.clock.At(now)
	p, why := h.peers[i], wire.Clean(why, room.MaxReason)
	if ban {
		h.guard.Ban(p.addr)
	}
	words := room.JoinWords("the game host sent you away", room.Brackets(why))
	h.send(p, &message.Closed{Reason: message.ClosedKicked, Why: words})
	h.close(p, words)
	h.loseSpectator(p, room.JoinWords("was sent away by the game host", room.Brackets(why)))
	h.flush(now)
	return nil
}

// NewSpectator prepares to watch a room: a [Client] that has no seat, hears what happens
// in the room, and plays no game. Of cfg only Nickname, Password, Core, BIOS, Version,
// Random and Timeouts count.
func NewSpectator(cfg JoinConfig) (*Client, error) {
	cfg.LocalPlayers, cfg.ROM = nil, nil
	c, err := NewClient(cfg)
	if err != nil {
		return nil, err
	}
	c.joining.spectating, c.machine = true, -1
	return c, nil
}

// joinRequest is what a client comes with: it wants to play, or to watch.
func (c *Client) joinRequest() (m message.Message, prove func(proof [32]byte)) {
	if c.joining.spectating {
		w := &message.Spectate{Nickname: c.joining.ask.Nickname, Core: c.joining.ask.Core, BIOS: c.joining.ask.BIOS}
		return w, func(p [32]byte) { w.Proof = p }
	}
	join := c.joining.ask
	return &join, func(p [32]byte) { join.Proof = p }
}

func (c *Client) takeAdmitted(now time.Time, m *message.Admitted, _ []byte) error {
	if c.stage != awaitWelcome || !c.joining.spectating {
		return errors.New("it lets us watch, which was not asked for")
	}
	if !access.Proven(m.Proof, access.Proof(c.self.key, access.LabelHost, c.joining.transcript)) {
		c.refuse(impostor())
		return nil
	}
	if err := c.checkRoom(m.Room); err != nil {
		return err
	}
	c.stage, c.since, c.room, c.joining.hello = inside, now, m.Room, nil
	c.emit(event.Admitted{Number: m.Number})
	c.emit(event.RoomChanged{})
	c.tellUnasked()
	return nil
}

// impostor is why not to stay with somebody who poses as a room.
func impostor() room.Refusal {
	return room.Refusal{
		Code: room.CodePassword, Sentence: "the room took your password without knowing it: it only pretends to be the room that you mean", Hint: "check the address",
	}
}

// SpectatorPeer is the connection to a spectator.
func (h *Host) SpectatorPeer(number int) (PeerID, bool) {
	for _, p := range h.peers {
		if p.stage == spectating && p.spectator.Number == number {
			return p.id, true
		}
	}
	return 0, false
}
