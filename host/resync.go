package host

import (
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/wire"
)

// resync is a resync under way: all machines take the consoles of one of them.
type resync struct {
	number int // of the game's resyncs, from 1
	donor  int
	alike  bool // nothing was wrong: it can be given up
	keeps  bool // then: a moment is kept
	built  []room.Installation
	took   time.Duration // how long all have waited for consoles,
	here   time.Duration // since this machine has its own: all that is to be sent is here,
	rest   time.Duration // and since all have theirs but late joiners
	at     time.Time     // when that was counted last; zero: never
}

func (r *resync) has(machine int) bool {
	return slices.ContainsFunc(r.built, func(b room.Installation) bool { return b.Machine == machine })
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
		if !h.giveUpResync(now, d.Words) {
			h.resyncDiffers(now, d, out)
		}
		return
	}
	h.round.resync = nil
	why := fmt.Sprintf("all consoles match again (resync %d)", r.number)
	coming := h.round.timeline.Decisions().Incoming() != 0
	if r.keeps || (r.alike || coming) && h.round.wrong == 0 { // nothing differed, so nobody wants to hear that nothing does
		why = ""
	}
	h.goOn(now, timeline.Decision{Kind: timeline.Resynced, Why: why})
}

// goOn decides that a resync is over, or ends the game.
func (h *Host) goOn(now time.Time, d timeline.Decision) {
	if _, err := h.Decide(now, d); err != nil {
		h.endRound(now, event.Ended{Outcome: message.OutcomeAborted, Why: wire.Clean("the game cannot go on: "+err.Error(), room.MaxSentence)})
	}
}

// giveUpResync has all go on with the consoles that they have, and tells whether they can: where nobody was wrong,
// nobody has lost a console since, and nobody is coming in with it.
func (h *Host) giveUpResync(now time.Time, why string) bool {
	r := h.round.resync
	if !r.alike || h.round.wrong != 0 || h.round.timeline.Decisions().Incoming() != 0 {
		return false
	}
	h.round.resync = nil
	if r.keeps {
		why = "this moment is not kept: " + why
	}
	h.goOn(now, timeline.Decision{Kind: timeline.GiveUp, Why: wire.Clean(why, room.MaxReason)})
	return true
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
	h.Say(words)
	h.outOfGame(now, out, words) // and looks again
}

// A machine that goes out of the game may end a resync, or leave it without its donor, and a resync
// may put a machine out: so both stand here.

// outOfGame takes a machine out of the running game and asks the caller to
// unplug its seats.
func (h *Host) outOfGame(now time.Time, machine int, words string) {
	p := h.round.part(machine)
	if p == nil || !p.in {
		return
	}
	p.in, p.why, h.news.dirty = false, words, true
	h.strikeLate(now, p)
	if h.endIfFinished(now) || h.resyncWithout(now, p, words) {
		return
	}
	h.checkWritten(now)
	again := slices.ContainsFunc(h.members, func(m *member) bool { return m.machine == machine && m.again })
	for _, s := range h.round.seats {
		if s.Machine == machine {
			h.box.Emit(event.SeatLeft{Seat: s.Seat, Machine: machine, Again: again, Words: words})
		}
	}
}

// shortStay is the least time to stay for one who was let into a game, for which all have stood; else
// nobody from its address comes in for a while.
const shortStay = time.Minute

// strikeLate notes that a late joiner is out of the game again.
func (h *Host) strikeLate(now time.Time, p *part) {
	coming := h.round.timeline.Decisions().Incoming().Has(p.machine)
	if !coming && (p.came.IsZero() || now.Sub(p.came) >= shortStay) {
		return
	}
	if m := h.first(p.machine); m != nil {
		wait, where := h.guard.Strike(now, m.addr(), m.key), "address"
		if relayed(m.reached.seen) {
			where = "relay"
		}
		h.Say(fmt.Sprintf("Nobody new can join the game from %s's %s for %s: the attempt made everyone wait", m.nickname, where, phrase.Span(wait)))
	}
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
		_, err := h.Decide(now, timeline.Decision{Kind: timeline.Resync, Machine: next, Why: room.Reason(words, tail)})
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
	for _, p := range append([]*part{h.round.part(h.me)}, h.round.parts...) {
		if p != nil && p.in && !h.round.wrong.Has(p.machine) && !coming.Has(p.machine) {
			return p.machine, true
		}
	}
	return 0, false
}
