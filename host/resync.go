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
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/wire"
)

// resync is a resync under way: all machines take the consoles of one of them.
type resync struct {
	number int // of the game's resyncs, from 1
	donor  int
	keeps  bool // a moment is kept; nothing was wrong
	built  []room.Installation
	took   time.Duration // how long all have waited for consoles,
	here   time.Duration // since this machine has its own: all that is to be sent is here,
	rest   time.Duration // and since all have theirs but late joiners
	at     time.Time     // when that was counted last; zero: never
}

// A machine that everybody waits for is to get so many bytes of its consoles a second,
// beyond the time that it has in any case. A late joiner has lateBase, and lateMost at most.
const (
	slowest  = 16 << 10
	lateBase = 10 * time.Second
	lateMost = time.Minute
)

func (r *resync) has(machine int) bool {
	return slices.ContainsFunc(r.built, func(b room.Installation) bool { return b.Machine == machine })
}

// takeResyncRequest passes on that a machine asks for a resync. It may ask often enough
// for any honest trouble.
func (h *Host) takeResyncRequest(now time.Time, _ *peer, part *part, m *message.ResyncRequest) {
	h.resyncRequested(now, part, m.Why)
}

// DonorFailed tells that this machine, whose consoles all are to take, has lost one: they are taken
// from another then, or the game ends. Client.RequestResync is the client's twin amid such a resync.
func (h *Host) DonorFailed(now time.Time, round uint32, why string) error {
	return h.ownPart(now, round, room.PhasePlaying, "consoles cannot be given", func(now time.Time, own *part) error {
		if r := h.round.resync; r == nil || r.donor != h.me {
			return errors.New("consoles cannot be given: nobody wants them")
		}
		h.resyncRequested(now, own, why)
		return nil
	})
}

// resyncRequested is for a machine that has lost a console: it wants those of another, or, where the
// others are to take its own, cannot give them.
func (h *Host) resyncRequested(now time.Time, part *part, why string) {
	h.round.wrong = h.round.wrong.With(part.machine)
	words := wire.Clean(part.nickname+"'s machine: "+why, room.MaxSentence)
	if r := h.round.resync; r != nil && r.donor == part.machine {
		h.changeDonor(now, words)
		return
	}
	h.emit(event.ResyncRequested{Machine: part.machine, Words: words})
}

// Remade tells that this machine's consoles are made anew for the resync of that
// number, with the hashes of all that play by rising seat.
func (h *Host) Remade(now time.Time, round uint32, number int, hashes []room.SeatHash) error {
	return h.ownPart(now, round, room.PhasePlaying, "consoles are remade", func(now time.Time, own *part) error {
		return h.remade(now, own, number, hashes)
	})
}

func (h *Host) takeRemade(now time.Time, p *peer, part *part, m *message.Remade) {
	if r := h.round.resync; m.Number < h.round.resyncs || part.reconnected && (r == nil || r.has(part.machine)) {
		return // of one that was replaced meanwhile, or said again, since the connection broke
	}
	if err := h.remade(now, part, m.Number, m.Hashes); err != nil {
		h.expel(now, p, err.Error())
	}
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

// playing are the seats that are made anew with the last resync.
func (h *Host) playing() []room.SeatPlan { return h.round.timeline.Decisions().Remade(h.round.seats) }

// checkResync lets the game go on when all machines have built alike consoles.
func (h *Host) checkResync(now time.Time) {
	r := h.round.resync
	for _, p := range h.round.parts {
		if p.in && !r.has(p.machine) {
			return
		}
	}
	if d, out := h.compareResync(); d.Words != "" {
		h.resyncDiffers(now, d, out)
		return
	}
	h.round.resync = nil
	why := fmt.Sprintf("all consoles are alike again (resync %d)", r.number)
	if r.keeps {
		why = ""
	}
	if _, err := h.Decide(now, timeline.Decision{Kind: timeline.Resynced, Why: why}); err != nil {
		h.endRound(now, event.Ended{Outcome: message.OutcomeAborted, Why: wire.Clean("the game cannot go on: "+err.Error(), room.MaxSentence)})
	}
}

// compareResync compares what all have built, and says whom the game can go on without
// if that is not alike, -1 for nobody. Consoles of late joiners do not
// count: they are no reason to end the game of the others.
func (h *Host) compareResync() (d room.Difference, out int) {
	r, coming := h.round.resync, h.round.timeline.Decisions().Incoming()
	judges := slices.DeleteFunc(slices.Clone(r.built), func(b room.Installation) bool { return coming.Has(b.Machine) })
	d = room.Compare(h.playing(), r.built, judges, r.donor)
	if i := slices.IndexFunc(d.Odd, coming.Has); i >= 0 {
		return d, d.Odd[i]
	}
	if 2*len(d.Odd) >= len(judges) || slices.Contains(d.Odd, r.donor) || slices.Contains(d.Odd, h.me) || len(d.Odd) == 0 {
		return d, -1
	}
	return d, d.Odd[0]
}

// resyncDiffers goes on without a machine whose consoles are not those of the others, or
// ends the game.
func (h *Host) resyncDiffers(now time.Time, d room.Difference, out int) {
	if out < 0 {
		v := message.Desync{Machine: d.Odd[0], Seat: d.Seat, Words: "the consoles cannot be made alike again: " + d.Words}
		h.endRound(now, event.Ended{Outcome: message.OutcomeDesync, Why: wire.Clean(v.Words, room.MaxSentence), Desync: &v})
		return
	}
	words := wire.Clean("the game goes on without "+h.round.part(out).nickname+": "+d.Words, room.MaxSentence)
	h.say(words)
	h.outOfGame(now, out, words) // and looks again
}

// resyncWithout goes on with a resync when a machine is gone, and tells whether
// that ended the game.
func (h *Host) resyncWithout(now time.Time, gone *part, words string) (ended bool) {
	r := h.round.resync
	if r == nil {
		return false
	}
	if r.donor == gone.machine {
		return h.changeDonor(now, words)
	}
	r.built = slices.DeleteFunc(r.built, func(b room.Installation) bool { return b.Machine == gone.machine })
	round := h.round
	h.checkResync(now)
	return h.round != round
}

// changeDonor lets all take the consoles of another machine than was decided, which cannot
// give them. Where there is none the game ends, and it tells so. A moment that was to be kept
// is not: all are told that, too.
func (h *Host) changeDonor(now time.Time, words string) (ended bool) {
	if next, ok := h.anotherDonor(); ok {
		h.round.timeline.Orphan()
		tail := "; all take the consoles of " + h.round.part(next).nickname
		if h.round.resync.keeps {
			tail += ", and this moment is not kept"
		}
		_, err := h.Decide(now, timeline.Decision{Kind: timeline.Resync, Machine: next, Why: wire.Clean(words, room.MaxReason-len(tail)) + tail})
		if err == nil {
			return false
		}
	}
	h.endRound(now, event.Ended{Outcome: message.OutcomeAborted, Why: wire.Clean(words+", and the others were to take its consoles", room.MaxSentence)})
	return true
}

// anotherDonor is a machine that all can take their consoles from in place of one that
// cannot give them: this one if it can be; none that is known to have wrong ones, or that is just
// coming in.
func (h *Host) anotherDonor() (machine int, ok bool) {
	coming := h.round.timeline.Decisions().Incoming()
	fit := func(p *part) bool {
		return p != nil && p.in && !h.round.wrong.Has(p.machine) && !coming.Has(p.machine)
	}
	if fit(h.round.part(h.me)) {
		return h.me, true
	}
	for _, p := range h.round.parts {
		if fit(p) {
			return p.machine, true
		}
	}
	return 0, false
}

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
// has waited, and tells whether there were any.
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
		words := fmt.Sprintf("%s's machine did not get its consoles in time", p.nickname)
		if p.machine == h.me {
			h.endRound(now, event.Ended{Outcome: message.OutcomeAborted, Why: words})
			return some
		}
		h.say(words)
		h.outOfGame(now, p.machine, words)
		if h.round == nil {
			return some
		}
	}
	return some
}
