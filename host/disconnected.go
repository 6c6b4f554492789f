package host

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/access"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/migration"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
)

// Lost tells that a connection has fallen silent, without a word of the other side. In a
// game its player is waited for; else it is as Disconnected.
func (h *Host) Lost(now time.Time, id ds.PeerID, reason string) {
	p := h.peer(id)
	if p == nil || p.member == nil || !h.waitedFor(p.member) {
		h.Disconnected(now, id, reason)
		return
	}
	now = h.clock.At(now)
	h.forget(p)
	h.connectionLost(now, p)
	h.flush(now)
}

// connectionLost waits for a player whose connection is closed.
func (h *Host) connectionLost(now time.Time, p *peer) {
	m := p.member
	m.peer, m.disconnectedAt = nil, now
	h.tellDisconnected(m)
	h.news.dirty = true
}

// tellDisconnected tells everybody whom the game waits for.
func (h *Host) tellDisconnected(m *member) {
	words := fmt.Sprintf("the connection to %s is gone; waiting for it to come back", m.nickname)
	h.emit(event.PlayerDisconnected{Machine: m.machine, Words: words})
	h.say(words)
}

// takesPart tells whether a member's machine is in the running game.
func (h *Host) takesPart(m *member) bool {
	p := h.round.part(m.machine)
	return p != nil && p.in
}

// SomeoneDisconnected tells whether the connection to somebody in the game is gone.
func (h *Host) SomeoneDisconnected() bool {
	return slices.ContainsFunc(h.members, func(m *member) bool { return !m.disconnectedAt.IsZero() && h.takesPart(m) })
}

// ContinueWithout does not wait any longer for a player whose connection is gone.
func (h *Host) ContinueWithout(now time.Time, machine int) error {
	m := h.first(machine)
	if h.phase != room.PhasePlaying || m == nil || m.disconnectedAt.IsZero() {
		return errors.New("the game does not wait for that player any more")
	}
	if !h.mayContinueWithout(machine) {
		return fmt.Errorf("go on without %s: fewer than half of the players' machines are here, and the others may play on elsewhere", m.nickname)
	}
	now = h.clock.At(now)
	h.lose(now, m, "did not come back")
	h.flush(now)
	return nil
}

// checkDisconnected continues without players who stay disconnected for too long.
func (h *Host) checkDisconnected(now time.Time) {
	h.checkFollowers(now)
	for _, m := range slices.Clone(h.members) {
		limit := h.reconnectLimit()
		if h.phase == room.PhaseLobby && m.pendingResult == nil && m.disconnectedAt.Equal(h.lead.since) {
			limit = min(limit, followLobby) // it has not been here since the room was handed over
		}
		if !m.disconnectedAt.IsZero() && now.Sub(m.disconnectedAt) >= limit {
			h.lose(now, m, fmt.Sprintf("did not come back within %v", limit))
		}
	}
}

// forgetDisconnected is for the end of a game: those who are not here then are not in the
// room any more.
func (h *Host) forgetDisconnected() {
	for _, m := range h.members {
		if !m.disconnectedAt.IsZero() && m.pendingResult == nil {
			m.disconnectedAt = time.Time{}
			for _, each := range h.at(m.machine) {
				each.present = false
			}
			gone := h.player(m)
			h.emit(event.PlayerLeft{Player: gone, Words: m.nickname + " did not come back before the end"})
		}
	}
}

// takeReconnect lets a machine go on that was in the room on another connection. The other
// connection may not have been missed yet.
func (h *Host) takeReconnect(now time.Time, p *peer, m *message.Reconnect, msg []byte) {
	who, t := h.first(m.Machine), access.Transcript(p.hello, p.challenge, msg, access.SignSize)
	if who == nil || who.machine == h.me || !who.present || !migration.Verify(who.sign, access.Signed(access.LabelReconnect, t), m.Proof) || !h.mayReconnect(m) {
		h.refuse(p, "", room.Refusal{Code: room.CodeGone, Sentence: "the room does not wait for you any more", Hint: "join it again"}, "tried to come back, but nobody waits for it")
		return
	}
	if old := who.peer; old != nil {
		old.member = nil
		h.close(old, "you came back on another connection")
	}
	who.peer, who.disconnectedAt, who.reached.seen, who.key = p, time.Time{}, p.from, p.key
	p.member, p.stage, p.since, p.hello, p.challenge = who, inRoom, now, nil, nil
	h.news.dirty = true
	h.send(p, &message.Reconnected{Proof: migration.Sign(h.self.Sign, access.Signed(access.LabelReconnected, t)), Room: h.roomFor(p)})
	h.tellMissed(p, m)
	h.tellResult(p, m.Round)
	h.emit(event.PlayerReconnected{Machine: who.machine})
	if !h.lead.unannounced {
		h.say(who.nickname + " is back")
	}
}

// tellMissed tells the decisions that were made while a connection was gone.
func (h *Host) tellMissed(p *peer, m *message.Reconnect) {
	if h.phase != room.PhasePlaying || h.round.number != m.Round || !h.takesPart(p.member) {
		return
	}
	part := h.round.part(p.member.machine)
	part.reconnected = true
	t := h.round.timeline
	t.Promise(m.Promised)
	decisions := h.round.timeline.Decisions()
	for i := m.Decisions; i < len(decisions); i++ {
		h.send(p, &message.Decision{Round: h.round.number, Number: i, Decision: decisions[i]})
	}
	if h.round.newestOrder.Frame > 0 {
		h.send(p, h.round.saveOrder())
	}
}
