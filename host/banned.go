package host

import (
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
)

// Whom a room keeps out is known to all machines in it, since any of them may become game host.

// Banned are those who are banned, the first first.
func (h *Host) Banned() []room.Banned { return slices.Clone(h.banned) }

// ban keeps an installation out.
func (h *Host) ban(key [32]byte, nickname string) {
	if h.isBanned(key) {
		return
	}
	h.banned = append(h.banned, room.Banned{Key: key, Nickname: nickname})
	h.banned = h.banned[max(0, len(h.banned)-room.MaxBanned):]
	h.news.dirty = true
	h.tellBanned()
}

// Pardon lets an installation come again that is banned.
func (h *Host) Pardon(now time.Time, key [32]byte) error {
	i := slices.IndexFunc(h.banned, func(b room.Banned) bool { return b.Key == key })
	if h.phase == room.PhaseClosed || i < 0 {
		return fmt.Errorf("unban: nobody with that key is banned")
	}
	now = h.clock.At(now)
	name := h.banned[i].Nickname
	h.banned = slices.Delete(h.banned, i, i+1)
	h.news.dirty = true
	h.tellBanned()
	h.Say(name + " is no longer banned")
	h.flush(now)
	return nil
}

func (h *Host) isBanned(key [32]byte) bool {
	return key != [32]byte{} && slices.ContainsFunc(h.banned, func(b room.Banned) bool { return b.Key == key })
}

// tellBanned tells all machines that may become game host.
func (h *Host) tellBanned() {
	b := h.encoded(&message.Banned{List: h.banned})
	for _, p := range h.peers {
		if p.member != nil && b != nil {
			h.box.Send(p.id, b)
		}
	}
}

// turnBack refuses somebody who is banned, and tells whether it did.
func (h *Host) turnBack(p *peer, nickname string) bool {
	if !h.isBanned(p.key) {
		return false
	}
	h.refuse(p, nickname, room.Refusal{Code: room.CodeBanned, Sentence: "you are banned from this room", Hint: "the game host can let you back in"},
		"is banned and tried to come back")
	return true
}
