package host

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/wire"
)

// handleResyncRequest is for a machine that has lost a console: it wants those of another, or, where the
// others are to take its own, cannot give them. It may ask often enough for any honest trouble.
func (h *Host) handleResyncRequest(now time.Time, _ *peer, part *part, m *message.ResyncRequest) error {
	h.round.wrong = h.round.wrong.With(part.machine)
	words := wire.Clean(part.nickname+"'s computer: "+m.Why, room.MaxSentence)
	if r := h.round.resync; r != nil && r.donor == part.machine {
		h.changeDonor(now, words)
		return nil
	}
	h.box.Emit(event.ResyncRequested{Machine: part.machine, Words: words})
	return nil
}

// DonorFailed tells that this machine, whose consoles all are to take, has lost one: they are taken
// from another then, or the game ends. Client.RequestResync is the client's twin amid such a resync.
func (h *Host) DonorFailed(now time.Time, round uint32, why string) error {
	return h.ownPart(now, round, room.PhasePlaying, "consoles cannot be given", func(now time.Time, own *part) error {
		if r := h.round.resync; r == nil || r.donor != h.me {
			return errors.New("consoles cannot be given: nobody wants them")
		}
		return h.handleResyncRequest(now, nil, own, &message.ResyncRequest{Why: why})
	})
}

// Remade tells that this machine's consoles are made anew for the resync of that
// number, with the hashes of all that play by rising seat.
func (h *Host) Remade(now time.Time, round uint32, number int, hashes []room.SeatHash) error {
	return h.ownPart(now, round, room.PhasePlaying, "consoles are remade", func(now time.Time, own *part) error {
		return h.remade(now, own, number, hashes)
	})
}

func (h *Host) handleRemade(now time.Time, _ *peer, part *part, m *message.Remade) error {
	if r := h.round.resync; m.Number < h.round.resyncs || part.reconnected && (r == nil || r.has(part.machine)) {
		return nil // of one that was replaced meanwhile, or said again, since the connection broke
	}
	return h.remade(now, part, m.Number, m.Hashes)
}

// remade notes what a machine has built anew and, when it was the last, compares.
func (h *Host) remade(now time.Time, p *part, number int, hashes []room.SeatHash) error {
	r := h.round.resync
	switch {
	case r == nil || number != r.number:
		return fmt.Errorf("consoles are remade for resync %d, which is not under way", number)
	case r.has(p.machine):
		return errors.New("consoles are remade twice")
	case !slices.EqualFunc(hashes, h.playing(), func(a room.SeatHash, b room.SeatPlan) bool { return a.Seat == b.Seat }):
		return fmt.Errorf("consoles are remade, but not those of all %d seats", len(h.playing()))
	}
	h.round.moved = now
	r.built = append(r.built, room.Installation{Machine: p.machine, Nickname: p.nickname, Hashes: slices.Clone(hashes)})
	h.checkResync(now)
	return nil
}

// A machine that everybody waits for is to get so many bytes of its consoles a second,
// beyond the time that it has in any case. A late joiner has lateBase, and lateMost at most.
const (
	slowest  = 16 << 10
	lateBase = 10 * time.Second
	lateMost = time.Minute
)

// checkResyncTime leaves behind the machines for whom all have waited too long, and tells
// whether there were any. While somebody is disconnected, or the game is paused, consoles may
// stand before the frame of the resync, and nobody waits for others.
func (h *Host) checkResyncTime(now time.Time) bool {
	r, t := h.round.resync, h.self.Timeouts
	since := cmp.Or(r.at, now)
	r.at = now
	if h.SomeoneDisconnected() || h.round.timeline.Decisions().Paused() {
		h.round.moved = now
		return false
	}
	r.count(now.Sub(since), h.me, h.round.parts, h.round.timeline.Decisions().Incoming())
	over := now.Sub(h.round.moved) >= t.Prepare || r.took >= t.PrepareMax
	return h.resyncLate(now, func(p *part) bool { return over || h.tooSlow(p) })
}

// count counts how long is waited.
func (r *resync) count(d time.Duration, me int, parts []*part, coming room.MachineSet) {
	r.took += d
	if r.has(me) {
		r.here += d
	}
	if !slices.ContainsFunc(parts, func(p *part) bool { return p.in && !r.has(p.machine) && !coming.Has(p.machine) }) {
		r.rest += d
	}
}

// tooSlow tells whether the others have waited long enough for a machine, by what it has got.
func (h *Host) tooSlow(p *part) bool {
	r, moving := h.round.resync, time.Duration(p.done())*time.Second/slowest
	if h.round.timeline.Decisions().Incoming().Has(p.machine) {
		return r.rest >= min(lateBase+moving, lateMost)
	}
	return r.here >= h.self.Timeouts.Prepare+moving
}

// resyncLate leaves behind those of the machines that lack their consoles for whom everyone
// has waited, and tells whether there were any; or it gives the resync up where the game can do without.
func (h *Host) resyncLate(now time.Time, late func(*part) bool) (some bool) {
	for _, p := range h.round.parts {
		r := h.round.resync
		if r == nil {
			return some
		}
		if !p.in || r.has(p.machine) || !late(p) {
			continue
		}
		some = true
		words := fmt.Sprintf("%s's computer did not get its consoles in time", p.nickname)
		if h.giveUpResync(now, words) {
			return some
		}
		if p.machine == h.me {
			h.endRound(now, event.Ended{Outcome: message.OutcomeAborted, Why: words})
			return some
		}
		h.Say(words)
		h.outOfGame(now, p.machine, words)
		if h.round == nil {
			return some
		}
	}
	return some
}
