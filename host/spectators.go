package host

import (
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// Spectators see a room and its games and are no part of them: they have no seat and no
// machine number, nobody waits for them, nothing that they say reaches a console, and
// they come and go in any phase. They see a game by a copy of its log, which they
// request from the spectator server; see internal/spectate.

// handleSpectate lets somebody watch, or not.
func (h *Host) handleSpectate(now time.Time, p *peer, m *message.Spectate, msg []byte) {
	name := room.CleanNickname(m.Nickname)
	t, ok := h.admissible(now, p, name, m.Proof, &m.BIOS, msg)
	if !ok {
		return
	}
	old, known := h.ghost(now, p, name, msg)
	if !known {
		return // until it is
	}
	if old != nil {
		h.close(old, "you started again")
		h.loseSpectator(old, "starts again")
	}
	if r, did, ok := h.maySpectate(build{m.Core.Cleaned(), m.BIOS}, name); !ok {
		h.refuse(p, name, r, did)
		return
	}
	if r, did, ok := h.mayCome(now, p); !ok {
		h.refuse(p, name, r, did)
		return
	}
	there := h.Spectators()
	number := 0
	for slices.ContainsFunc(there, func(s room.Spectator) bool { return s.Number == number }) {
		number++
	}
	p.spectator = room.Spectator{Number: number, Nickname: h.nickname(name), Program: p.program}
	p.stage, p.since, p.hello, p.challenge, p.wish = spectating, now, nil, nil, name
	h.news.dirty = true
	h.send(p, &message.Admitted{Number: number, Proof: membership.Proof(h.self.Key, membership.LabelHost, t), Room: h.roomFor(p)})
	h.box.Emit(event.SpectatorJoined{Peer: p.id})
	h.Say(p.spectator.Nickname + " watches")
}

// maySpectate tells whether one more can watch.
func (h *Host) maySpectate(b build, name string) (r room.Refusal, did string, ok bool) {
	switch n := len(h.Spectators()); {
	case h.settings.Spectators == 0:
		return room.Refusal{Code: room.CodeFull, Sentence: "nobody may watch in this room", Hint: "ask the game host to allow spectators"},
			"cannot watch: this room has no spectators", false
	case n >= h.settings.Spectators:
		return room.Refusal{
			Code: room.CodeFull, Sentence: fmt.Sprintf("as many watch this room as may: %d", n), Hint: "ask the game host to allow one more",
		}, fmt.Sprintf("cannot watch: %d do, which is all that may", n), false
	}
	return h.sameBuild(b, name, "cannot watch: ")
}

// SpectatorPeer is the connection to a spectator.
func (h *Host) SpectatorPeer(number int) (ds.PeerID, bool) {
	for _, p := range h.peers {
		if p.stage == spectating && p.spectator.Number == number {
			return p.id, true
		}
	}
	return 0, false
}

// KickSpectator removes somebody who watches, with the reason in words; with ban as Kick does.
func (h *Host) KickSpectator(now time.Time, number int, why string, ban bool) error {
	i := slices.IndexFunc(h.peers, func(p *peer) bool { return p.stage == spectating && p.spectator.Number == number })
	if h.phase == room.PhaseClosed || i < 0 {
		return fmt.Errorf("remove spectator %d: nobody of that number is there", number+1)
	}
	now = h.clock.At(now)
	p, why := h.peers[i], wire.Clean(why, room.MaxReason)
	if err := h.remove(p, p.spectator.Nickname, why, ban); err != nil {
		return err
	}
	h.loseSpectator(p, room.JoinWords(removed(ban), room.Brackets(why)))
	h.flush(now)
	return nil
}

// spectatorIsThere takes a spectator's sign of life.
func (h *Host) spectatorIsThere(time.Time, *peer, *message.Status) {}

func (h *Host) spectatorLeaves(_ time.Time, p *peer, m *message.Leave) {
	h.close(p, "goodbye")
	h.loseSpectator(p, room.JoinWords("does not watch any more", room.Brackets(m.Why)))
}
