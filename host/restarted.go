package host

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
)

// A program that crashed and is started again comes back before its old connection counts as lost: its
// seat, or its place among the spectators, is still taken by what it was. So whoever comes in as somebody
// does who is here, from the same installation, waits for a moment. When nothing is heard on the other
// connection meanwhile, it is the one who was there; else it is another program on that computer, and
// another player.

const (
	// restartSilence is for how long nothing is heard of a program that has ended. All others say something
	// each half second.
	restartSilence = 2500 * time.Millisecond
	// restartSpare is the age of what may still be on its way of a program that has ended.
	restartSpare = 500 * time.Millisecond
)

// doubt is whether somebody who comes in is the one at the other end of another connection.
type doubt struct {
	old   *peer     // that connection; nil: there is no doubt
	msg   []byte    // what was said to come in; nil: it is decided
	since time.Time // it was said
	gone  bool      // it is decided, and the other connection is dead
}

// isSilent tells whether somebody who comes in is the one who was at the other end of a connection. known is
// false while that is not known: what was said is said again then.
func (h *Host) isSilent(now time.Time, p, old *peer, msg []byte) (gone, known bool) {
	if p.doubt.old != old {
		p.doubt = doubt{old: old, msg: slices.Clone(msg), since: now}
		p.proves = true // it has proven the password, and need not do so twice
		return false, false
	}
	return p.doubt.gone, true
}

// Doubted are the connections of which [Host.Silent] is to be told, about ten times a second.
func (h *Host) Doubted() (list []ds.PeerID) {
	for _, p := range h.peers {
		if p.doubt.msg != nil && !slices.Contains(list, p.doubt.old.id) {
			list = append(list, p.doubt.old.id)
		}
	}
	return list
}

// Silent tells for how long nothing was heard on a connection.
func (h *Host) Silent(now time.Time, id ds.PeerID, silent time.Duration) {
	now = h.clock.At(now)
	for _, p := range slices.Clone(h.peers) {
		if p.doubt.msg == nil || p.doubt.old.id != id {
			continue
		}
		waited := now.Sub(p.doubt.since)
		if alive := silent < waited-restartSpare; alive || waited >= restartSilence {
			h.decideDoubt(now, p, !alive)
		}
	}
	h.flush(now)
}

// endDoubts lets those come in whose other connection has ended meanwhile.
func (h *Host) endDoubts(now time.Time) {
	for _, p := range slices.Clone(h.peers) {
		if old := p.doubt.old; p.doubt.msg != nil && h.peer(old.id) != old {
			h.decideDoubt(now, p, true)
		}
	}
}

// decideDoubt has somebody come in who has waited for it.
func (h *Host) decideDoubt(now time.Time, p *peer, gone bool) {
	msg := p.doubt.msg
	p.doubt.msg, p.doubt.gone = nil, gone
	h.act(now, p, msg)
}

// restarted is a member who is here, and as whom somebody wants to join: the same console of the same
// installation. It is nil where that is nobody, and where its connection is known to live. known is false
// while that is not known.
func (h *Host) restarted(now time.Time, p *peer, join *message.Join, msg []byte) (m *member, known bool) {
	i := slices.IndexFunc(h.members, func(m *member) bool {
		return m.peer != nil && m.present && m.local == 0 && p.key != [32]byte{} && p.key == m.key &&
			m.firmware.MAC == join.Firmware.MAC && m.firmware.Nickname == join.Firmware.Nickname
	})
	if i < 0 {
		return nil, true
	}
	gone, known := h.isSilent(now, p, h.members[i].peer, msg)
	if !gone {
		return nil, known
	}
	return h.members[i], true
}

// ghost is a spectator's connection that is dead, and as whom somebody wants to watch; as restarted.
func (h *Host) ghost(now time.Time, p *peer, name string, msg []byte) (old *peer, known bool) {
	i := slices.IndexFunc(h.peers, func(o *peer) bool {
		return o.stage == spectating && p.key != [32]byte{} && p.key == o.key && room.CleanNickname(o.wish) == name
	})
	if i < 0 {
		return nil, true
	}
	gone, known := h.isSilent(now, p, h.peers[i], msg)
	if !gone {
		return nil, known
	}
	return h.peers[i], true
}
