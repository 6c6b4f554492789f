package host

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/wire"
)

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
		settings: settings, phase: room.PhaseLobby, revision: 1, chat: membership.ChatLimit(membership.ClientChat),
	}
	h.self.Door = cfg.Door
	if _, err := io.ReadFull(cfg.Random, h.self.Salt[:]); err != nil {
		return nil, fmt.Errorf("random numbers: %w", err)
	}
	if cfg.Password != "" {
		if h.self.Key, err = membership.PasswordKey(cfg.Password, h.self.Salt, cfg.Iterations); err != nil {
			return nil, err
		}
	}
	own := &member{
		sign: membership.PublicKey(h.self.Sign), key: cfg.Key, reached: reached{addrs: h.self.Addrs},
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

// Tick does what is due. It must be called at least every 100 ms.
func (h *Host) Tick(now time.Time) {
	if h.phase == room.PhaseClosed {
		return
	}
	now = h.clock.At(now)
	h.hearLater(now)
	h.endDoubts(now)
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

// checkRound looks at the deadlines of the present game.
func (h *Host) checkRound(now time.Time) {
	r, t := h.round, h.self.Timeouts
	switch {
	case h.phase == room.PhasePreparing && now.Sub(r.moved) >= t.Prepare:
		h.failLate(now, "nothing moved for "+phrase.Span(t.Prepare))
	case h.phase == room.PhasePreparing && now.Sub(r.begun) >= t.PrepareMax:
		h.failLate(now, "it took more than "+phrase.Span(t.PrepareMax))
	case h.phase == room.PhasePlaying && r.resync != nil && h.checkResyncTime(now):
	case h.phase == room.PhasePlaying && !r.finished.IsZero() && now.Sub(r.finished) >= t.Finish:
		for _, p := range r.parts {
			if p.in && p.result == nil {
				p.in, p.why = false, fmt.Sprintf("%s's computer did not come to the end of the game within %s", p.nickname, phrase.Span(t.Finish))
			}
		}
		h.endIfFinished(now)
	}
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
