package host

import (
	"cmp"
	"fmt"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/phrase"
)

// commitStep is a round of writing saves.
type commitStep struct {
	frame int64
	since time.Time
	done  room.MachineSet // machines that have
}

// A machine has so long to write its saves, or to make them current. One that does not so
// many times in a row is not waited for any more, until it does: the others' saves go on.
const (
	commitTime  = 10 * time.Second
	unsavedMost = 2
)

// CommitSaves lets all machines keep their saves as they are after so many frames, in two
// steps. At that frame all of them were known to be alike. It does nothing while the
// last time is not over.
func (h *Host) CommitSaves(now time.Time, frame int64) error {
	switch {
	case h.phase != room.PhasePlaying:
		return fmt.Errorf("commit the saves: %w, the room is %v", room.ErrPhase, h.phase)
	case h.CommittingSaves():
		return nil
	}
	now = h.clock.At(now)
	h.round.writing = &commitStep{frame: frame, since: now}
	h.round.newestOrder = event.SaveOrder{Frame: frame}
	h.tellGame(h.round.saveOrder())
	h.box.Emit(h.round.newestOrder)
	h.flush(now)
	return nil
}

// saveOrder is the newest order, as machines are told.
func (r *round) saveOrder() *message.SaveOrder {
	return &message.SaveOrder{Round: r.number, Frame: r.newestOrder.Frame, Commit: r.newestOrder.Commit}
}

// SavesWritten tells that this machine has written its saves beside the current ones, or why it
// could not.
func (h *Host) SavesWritten(now time.Time, round uint32, frame int64, why string) error {
	return h.reportOwnSaves(now, &message.SaveAnswer{Round: round, Frame: frame, Why: why})
}

// SavesCommitted tells that this machine has made them current.
func (h *Host) SavesCommitted(now time.Time, round uint32, frame int64) error {
	return h.reportOwnSaves(now, &message.SaveAnswer{Round: round, Frame: frame, Committed: true})
}

func (h *Host) reportOwnSaves(now time.Time, m *message.SaveAnswer) error {
	return h.ownPart(now, m.Round, room.PhasePlaying, "saves are written", func(now time.Time, own *part) error {
		return h.handleSaveAnswer(now, nil, own, m)
	})
}

// handleSaveAnswer notes that a machine has written.
func (h *Host) handleSaveAnswer(now time.Time, _ *peer, p *part, m *message.SaveAnswer) error {
	k := h.round.writing
	if c := h.round.committing; c != nil && c.frame == m.Frame {
		if m.Why == "" {
			p.unsaved = 0
		}
		if m.Committed { // else said again, since the connection broke
			c.done = c.done.With(p.machine)
			h.checkCommitted()
		}
		return nil
	}
	switch {
	case k == nil || k.frame != m.Frame:
		return nil // of an earlier time
	case m.Why != "":
		h.notWritten(now, fmt.Sprintf("%s's could not be written (%s)", p.nickname, m.Why), p)
		return nil
	case !k.done.Has(p.machine):
		k.done, p.unsaved = k.done.With(p.machine), 0
	}
	h.checkWritten(now)
	return nil
}

// notWritten is for machines that have not written their saves, with how that is. If it is the
// first time for one of them no machine makes any current, and the room tries again.
func (h *Host) notWritten(now time.Time, how string, parts ...*part) {
	again := false
	for _, p := range parts {
		if p.unsaved < unsavedMost {
			p.unsaved++
		}
		again = again || p.unsaved < unsavedMost
	}
	if again {
		h.round.writing = nil
		h.Say("The saves stay as they were, for all, and are tried again: " + how)
		return
	}
	h.Say("The saves of the others go on: " + how)
	h.checkWritten(now)
}

// lacking are the machines that are waited for and have not written.
func (h *Host) lacking(k *commitStep) (list []*part) {
	for _, p := range h.round.parts {
		if p.in && p.unsaved < unsavedMost && !k.done.Has(p.machine) {
			list = append(list, p)
		}
	}
	return list
}

// checkWritten makes the saves current when all have written theirs.
func (h *Host) checkWritten(now time.Time) {
	h.checkCommitted()
	if h.round == nil || h.round.writing == nil || len(h.lacking(h.round.writing)) > 0 {
		return
	}
	k := h.round.writing
	h.round.writing, h.round.committing = nil, &commitStep{frame: k.frame, since: now}
	h.round.newestOrder = event.SaveOrder{Frame: k.frame, Commit: true}
	h.broadcast(h.round.saveOrder())
	h.checkCommitted()
}

// checkCommitTime looks at the deadlines of a commit. Nobody is late while somebody is
// disconnected.
func (h *Host) checkCommitTime(now time.Time) {
	k := cmp.Or(h.round.writing, h.round.committing)
	switch {
	case k == nil:
	case h.SomeoneDisconnected():
		k.since = now
	case now.Sub(k.since) < commitTime:
	case k == h.round.committing:
		h.round.committing = nil // those who do not say that theirs are current have had the order
		h.box.Emit(h.round.newestOrder)
	default:
		late := h.lacking(k)
		var names []string
		for _, p := range late {
			names = append(names, p.nickname)
		}
		h.notWritten(now, fmt.Sprintf("of %s nothing came within %s", phrase.List(names), phrase.Span(commitTime)), late...)
	}
}

// checkCommitted makes this machine's own saves current when enough others have: whoever is
// game host after us has then heard of it, from one of those who elect it, and sees to it
// that all do. Otherwise ours could be the only ones.
func (h *Host) checkCommitted() {
	if h.round == nil || h.round.committing == nil {
		return
	}
	if membership.Sustains(h.lead.voters, h.round.committing.done.With(h.me)) {
		h.round.committing = nil
		h.box.Emit(h.round.newestOrder)
	}
}

// CommittingSaves tells whether a commit of saves is under way.
func (h *Host) CommittingSaves() bool {
	return h.phase == room.PhasePlaying && (h.round.writing != nil || h.round.committing != nil)
}
