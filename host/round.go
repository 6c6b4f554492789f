package host

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
)

// round is one game, from the moment at which it is prepared.
type round struct {
	number      uint32
	seats       []room.SeatPlan    // that play or have played
	parts       []*part            // those that began it by machine, then late joiners
	begun       time.Time          // of preparing
	moved       time.Time          // when anything last went on while preparing
	timeline    *timeline.Timeline // nil while preparing
	lobbyEvery  int                // the settings' HashEvery before the start; 0: a game that another game host began
	lobbyClock  int64              // the settings' RTC before the start, should it fail
	finished    time.Time          // when the game host's own machine was at the end
	resync      *resync            // consoles are being made anew
	resyncs     int                // how often that was decided
	wrong       room.MachineSet    // machines of whose consoles that is known, until they have others
	writing     *commitStep        // saves are being written; nil when none are
	committing  *commitStep        // saves are being made current; nil when none are
	newestOrder event.SaveOrder    // as last ordered
	// earlierPromise is the bound of an earlier game host's promises to those who come to us from it; 0
	// when there was none.
	earlierPromise int64
}

// part is one machine's part in a game.
type part struct {
	machine     int
	nickname    string
	in          bool            // takes part still
	why         string          // in words, when it does not
	came        time.Time       // into the running game; zero: it began it
	moved       int64           // bytes that have moved between it and us, as measured here; -1: not known
	base        int64           // of them, before what is under way
	total       int64           // bytes to move, as it says
	installed   []room.SeatHash // nil before it said so
	hashed      [ds.MaxSeats]int64
	result      *message.Result
	reconnected bool // on another connection: what it says may have been said before
	unsaved     int  // how often in a row it has not written its saves; see notWritten
}

func newPart(m *member) *part {
	p := &part{machine: m.machine, nickname: m.nickname, in: true, moved: -1, base: -1}
	for seat := range p.hashed {
		p.hashed[seat] = -1
	}
	return p
}

func (r *round) part(machine int) *part {
	for _, p := range r.parts {
		if p.machine == machine {
			return p
		}
	}
	return nil
}

// frames returns how many frames the consoles can have run, at most.
func (r *round) frames() int64 {
	frames := r.timeline.Announced().Frame
	if end, decided := r.timeline.Decisions().EndFrame(); decided {
		frames = min(frames, end)
	}
	return frames
}

// plan is the console of a seat, nil where nobody plays or has played.
func (r *round) plan(seat ds.Seat) *room.SeatPlan {
	if i := slices.IndexFunc(r.seats, func(s room.SeatPlan) bool { return s.Seat == seat }); i >= 0 {
		return &r.seats[i]
	}
	return nil
}

// done returns the bytes that have moved for what is under way.
func (p *part) done() int64 { return p.moved - p.base }

func (p *part) finish(m *message.Finished) {
	p.result = &message.Result{Machine: p.machine, Nickname: p.nickname, Finished: true, Frames: m.Frames, Hashes: m.Hashes, Stats: m.Stats}
}

// takesPart tells whether a member's machine is in the running game.
func (h *Host) takesPart(m *member) bool {
	p := h.round.part(m.machine)
	return p != nil && p.in
}

// waits tells whether a member is not in the game that runs.
func (h *Host) waits(m *member) bool {
	return h.phase == room.PhasePlaying && m.present && h.round.part(m.machine) == nil
}

// inGame tells whether a member is in the game that runs.
func (h *Host) inGame(m *member) bool {
	return h.phase == room.PhasePlaying && m.present && h.round.part(m.machine) != nil
}

// SomeoneDisconnected tells whether the connection to somebody in the game is gone.
func (h *Host) SomeoneDisconnected() bool {
	return slices.ContainsFunc(h.members, func(m *member) bool { return !m.disconnectedAt.IsZero() && h.takesPart(m) })
}
