package host

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/wire"
)

// Disconnected tells that a connection is gone, for whatever reason.
func (h *Host) Disconnected(now time.Time, id ds.PeerID, reason string) {
	p := h.peer(id)
	if p == nil || h.phase == room.PhaseClosed {
		return
	}
	now = h.clock.At(now)
	reason = wire.Clean(reason, room.MaxReason)
	h.forget(p)
	if p.stage == spectating {
		h.loseSpectator(p, room.JoinWords("lost the connection", room.Brackets(reason)))
	} else if p.member == nil {
		h.box.Emit(event.JoinFailed{Peer: p.id, Addr: p.addr, Code: room.CodeGone, Words: room.JoinWords(someone("", p.addr), "left while joining", room.Brackets(reason))})
	} else {
		h.lose(now, p.member, room.JoinWords("lost the connection", room.Brackets(reason)))
	}
	h.flush(now)
}

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

// dropSilent closes the connections of those who do not answer.
func (h *Host) dropSilent(now time.Time) {
	t := h.self.Timeouts
	limits := [stages]time.Duration{awaitHello: t.Hello, awaitJoin: t.Join, inRoom: t.Silence, spectating: t.Silence}
	for _, p := range slices.Clone(h.peers) {
		since, limit := p.since, limits[p.stage]
		if p.stage >= inRoom {
			since = p.heard
		}
		if now.Sub(since) < limit {
			continue
		}
		did := "has said nothing for " + phrase.Span(limit)
		switch {
		case p.stage == inRoom && h.phase == room.PhasePlaying && h.takesPart(p.member):
			h.close(p, "your computer "+did)
			h.connectionLost(now, p)
		case p.stage >= inRoom:
			h.drop(now, p, did)
		case p.later != nil:
			h.refuse(p, "", room.Refusal{
				Code: room.CodeBusy, Sentence: "too many passwords are tried from your address", Hint: "try again in some seconds",
			}, "had no turn: too many passwords are tried from that address")
		default:
			h.refuse(p, "", room.Refusal{
				Code: room.CodeTimeout, Sentence: "your computer did not answer the room for " + phrase.Span(limit), Hint: "try again",
			}, "connected, but did not answer for "+phrase.Span(limit))
		}
	}
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
	h.box.Emit(event.PlayerDisconnected{Machine: m.machine})
	h.Say(fmt.Sprintf("the connection to %s is gone; waiting for it to come back", m.nickname))
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

const (
	followSoon  = 3 * time.Second  // until it is said whom a new game host waits for
	followLobby = 10 * time.Second // until they are not waited for any more in the lobby
	resultLimit = 30 * time.Second // until a machine that played is not waited for any more in the lobby: that holds up the next game
)

// checkDisconnected continues without players who stay disconnected for too long.
func (h *Host) checkDisconnected(now time.Time) {
	h.checkFollowers(now)
	for _, m := range slices.Clone(h.members) {
		limit := h.self.Timeouts.Reconnect
		if h.phase == room.PhaseLobby {
			limit = min(limit, resultLimit)
		}
		if h.phase == room.PhaseLobby && m.pendingResult == nil && m.disconnectedAt.Equal(h.lead.since) {
			limit = min(limit, followLobby) // it has not been here since the room was handed over
		}
		if !m.disconnectedAt.IsZero() && now.Sub(m.disconnectedAt) >= limit {
			h.lose(now, m, "did not come back within "+phrase.Span(limit))
		}
	}
}

// checkFollowers tells, some time after this machine became game host, who did not
// follow.
func (h *Host) checkFollowers(now time.Time) {
	if !h.lead.unannounced || now.Sub(h.lead.since) < followSoon {
		return
	}
	h.lead.unannounced = false
	for _, m := range h.members {
		if !m.disconnectedAt.IsZero() {
			h.tellDisconnected(m)
		}
	}
}

// FollowersDue is until when those who have not followed this machine yet, which is game host since a moment ago, may be on
// their way; zero: nobody is.
func (h *Host) FollowersDue() time.Time {
	if h.lead.unannounced && slices.ContainsFunc(h.members, func(m *member) bool { return m.present && m.machine != h.me && m.peer == nil }) {
		return h.lead.since.Add(followSoon)
	}
	return time.Time{}
}

// handleReconnect lets a machine go on that was in the room on another connection. The other
// connection may not have been missed yet.
func (h *Host) handleReconnect(now time.Time, p *peer, m *message.Reconnect, msg []byte) {
	who, t := h.first(m.Machine), membership.Transcript(p.hello, p.challenge, msg, membership.SignSize)
	if who == nil || who.machine == h.me || !who.present || !membership.Verify(who.sign, membership.Signed(membership.LabelReconnect, t), m.Proof) || !h.mayReconnect(m) {
		h.refuse(p, "", room.Refusal{Code: room.CodeGone, Sentence: "the room does not wait for you any more", Hint: "join it again"}, "tried to come back, but nobody waits for it")
		return
	}
	if old := who.peer; old != nil {
		old.member = nil
		h.close(old, "you came back on another connection")
	}
	who.peer, who.disconnectedAt, who.reached.seen, who.key = p, time.Time{}, p.from, p.key
	p.member, p.stage, p.since, p.hello, p.challenge = who, inRoom, now, nil, nil
	h.send(p, &message.Reconnected{Proof: membership.Sign(h.self.Sign, membership.Signed(membership.LabelReconnected, t)), Room: h.roomFor(p)})
	h.send(p, &message.Banned{List: h.banned})
	h.nameSuccessorTo(p)
	h.publish(now)
	h.tellMissed(p, m)
	h.tellResult(p, m.Round)
	h.box.Emit(event.PlayerReconnected{Machine: who.machine})
	if !h.lead.unannounced {
		h.Say(who.nickname + " is back")
	}
}

// mayReconnect tells whether who comes back has done nothing in the game that is not so
// here: it may come from another game host than the one that it was with before.
func (h *Host) mayReconnect(m *message.Reconnect) bool {
	if h.phase != room.PhasePlaying || h.round.number != m.Round {
		return true
	}
	t := h.round.timeline
	if m.Decisions > len(t.Decisions()) || m.Promised > max(t.Announced().Frame, h.round.earlierPromise) || t.Decisions()[:m.Decisions].Digest() != m.Digest {
		return false
	}
	return !slices.ContainsFunc(t.Decisions()[m.Decisions:], func(d timeline.Decision) bool { return d.Frame < m.Promised })
}

// tellMissed tells the decisions that were made while a connection was gone, among them that a machine has been let in.
func (h *Host) tellMissed(p *peer, m *message.Reconnect) {
	if h.phase != room.PhasePlaying || !h.takesPart(p.member) {
		return
	}
	t := h.round.timeline
	switch {
	case h.round.number == m.Round:
		h.round.part(p.member.machine).reconnected = true
		t.Promise(m.Promised)
		h.tellDecisions(p, m.Decisions)
	case t.Decisions().Incoming().Has(p.member.machine):
		h.tellLetIn(p)
	default:
		return
	}
	if h.round.newestOrder.Frame > 0 {
		h.send(p, h.round.saveOrder())
	}
}
