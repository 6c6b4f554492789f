package host

import (
	"cmp"
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

// Chat says something to everyone, this machine's events included.
func (h *Host) Chat(now time.Time, text string) error {
	if h.phase == room.PhaseClosed {
		return fmt.Errorf("chat: %w, the room is closed", room.ErrPhase)
	}
	text = wire.Clean(text, room.MaxChat)
	if text == "" {
		return nil
	}
	now = h.clock.At(now)
	if !h.chat.AllowN(now, 1) {
		return membership.ErrTooFast
	}
	h.chatLine(event.ChatLine{Seat: h.own().seat, Name: h.own().nickname, Text: text})
	return nil
}

func (h *Host) handleChat(now time.Time, p *peer, m *message.Chat) {
	switch text := m.Text; {
	case text == "":
	case p.chat.AllowN(now, 1):
		h.chatLine(event.ChatLine{Seat: p.member.seat, Name: p.member.nickname, Text: text})
	default:
		h.send(p, &message.ChatLine{Seat: -1, Text: "you are chatting too fast: that line was not sent"})
	}
}

// Say is the room itself speaking to everyone.
func (h *Host) Say(text string) {
	h.chatLine(event.ChatLine{Seat: -1, Text: wire.Clean(text, room.MaxChat)})
}

// Tell says something to everyone in the room as the room itself, as what happens in it is
// said.
func (h *Host) Tell(now time.Time, text string) {
	if text = wire.Clean(text, room.MaxChat); h.phase != room.PhaseClosed && text != "" {
		h.Say(text)
		h.flush(h.clock.At(now))
	}
}

func (h *Host) chatLine(l event.ChatLine) {
	h.broadcast((*message.ChatLine)(&l))
	h.box.Emit(l)
}

// How often the room is told to everyone, at most and at least.
const (
	roomEvery      = 100 * time.Millisecond // what changes in between is told at once
	heartbeatEvery = time.Second            // pings and, while preparing, four times that often, progress
	heartbeatIdle  = 5 * time.Second        // also when nothing changes, as a sign of life
)

// flush tells everyone what has changed, unless that was just done.
func (h *Host) flush(now time.Time) {
	if h.phase == room.PhaseClosed {
		return
	}
	if h.news.dirty && (h.news.sent.IsZero() || now.Sub(h.news.sent) >= roomEvery) {
		h.publish(now)
	}
	h.beat(now)
}

// publish tells everyone the room as it is, at once.
func (h *Host) publish(now time.Time) {
	h.news.dirty, h.news.sent = false, now
	h.nameSuccessor()
	h.news.heartbeat.Beats, h.news.heartbeatAt = beats(h.Room()), now
	for _, p := range h.peers {
		if p.stage >= inRoom {
			h.send(p, &message.Room{Room: h.roomFor(p)})
		}
	}
	h.box.Emit(event.RoomChanged{})
}

// Agreed tells the newest frame of the running game after which all machines are known to
// have been alike, 0 for none. Everybody is told within about a second.
func (h *Host) Agreed(frame int64) { h.news.agreed = min(max(frame, 0), ds.MaxFrame) }

// beat tells everyone pings and progress when they have changed.
func (h *Host) beat(now time.Time) {
	if h.phase != room.PhasePlaying {
		h.news.agreed = 0
	}
	every := heartbeatEvery
	if h.phase == room.PhasePreparing {
		every /= 4
	}
	if now.Sub(h.news.heartbeatAt) < every {
		return
	}
	m := message.Heartbeat{Beats: beats(h.Room()), Agreed: h.news.agreed}
	same := wire.Same(m.Fields, h.news.heartbeat.Fields)
	if same && now.Sub(h.news.heartbeatAt) < heartbeatIdle {
		return
	}
	h.news.heartbeat, h.news.heartbeatAt = m, now
	h.broadcast(&m)
	if !same {
		h.box.Emit(event.RoomChanged{})
	}
}

func beats(r room.Room) []message.Beat {
	var list []message.Beat
	for _, p := range r.Players {
		list = append(list, message.Beat{Machine: p.Machine, Beat: p.Beat})
	}
	slices.SortFunc(list, func(a, b message.Beat) int { return cmp.Compare(a.Machine, b.Machine) })
	return list
}
