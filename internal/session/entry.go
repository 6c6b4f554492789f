package session

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/mirror"
	"github.com/nettplay/nettplay/savestate"
)

// entry is our own way into a game that runs: from being let in to the resync with
// which our consoles are in it. See newcomer.go.
type entry struct {
	round     uint32
	settings  host.Settings
	seats     []host.SeatPlan // that have played in it so far
	decisions []host.Decision
	first, at int             // which of them is the resync with which we come in, as decided first, and now; -1: not yet
	joins     []host.SeatPlan // who comes in with it
}

// offerOwn hands our own consoles, switched off, to the game host, before we are let
// into the game that runs. It is called when the games are found, and when a line is back
// that was gone at that time.
func (s *session) offerOwn() {
	room := s.room.Room()
	if s.client == nil || !s.client.Waiting() || !s.games.ready || s.games.terms != room.Revision || s.offered != nil {
		return
	}
	s.seatOwn()
	s.offered = make(map[int]savestate.Manifest)
	for _, p := range room.Players {
		if p.Machine != s.me() {
			continue
		}
		plan := host.SeatPlan{Seat: p.Seat, Machine: p.Machine, Nickname: p.Nickname, Firmware: p.Firmware, ROM: p.ROM}
		s.captureOff(plan, s.consoleConfig(room.Settings, plan), func(m savestate.Manifest, err error) {
			if s.offered == nil {
				return // the game is over
			}
			if err == nil {
				s.offered[m.Seat] = m
				err = s.exchange(s.gameHost).Offer(m)
			}
			if err != nil {
				s.fail(&Failure{Result: ResultCore, Err: err, Hint: coreHint(err)})
			}
		})
	}
}

// offerAgain hands them to another game host.
func (s *session) offerAgain() error {
	for seat := range ds.MaxSeats {
		if m, ok := s.offered[seat]; ok && s.entry == nil {
			if err := s.exchange(s.gameHost).Offer(m); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *session) entered(e host.LateJoined) {
	s.entry = &entry{round: e.Round, settings: e.Settings, seats: e.Seats, first: -1, at: -1}
}

// entryDecided takes a decision of the game before we are in it.
func (s *session) entryDecided(d host.Decision) error {
	e := s.entry
	e.decisions = append(e.decisions, d)
	switch {
	case d.Kind == host.Enter:
		e.seats = append(e.seats, d.Plan)
		sortPlans(e.seats)
	case d.Kind == host.Resync && e.at >= 0: // in place of one that came to nothing
		e.at = len(e.decisions) - 1
		s.enter()
	case d.Kind == host.Resync:
		joins := e.entering()
		if slices.ContainsFunc(joins, func(p host.SeatPlan) bool { return p.Machine == s.me() }) {
			e.first, e.at, e.joins = len(e.decisions)-1, len(e.decisions)-1, joins
			s.enter()
		}
	case d.Kind == host.Resynced && e.at >= 0:
		return s.enterGame()
	}
	return nil
}

// entering are those who come in with the newest decision, if that is a resync.
func (e *entry) entering() []host.SeatPlan {
	var list []host.SeatPlan
	for _, d := range e.decisions[:len(e.decisions)-1] {
		switch d.Kind {
		case host.Enter:
			list = append(list, d.Plan)
		case host.Resync:
			list = nil
		}
	}
	return list
}

// frame is where we come in.
func (e *entry) frame() int64 {
	frame := e.decisions[e.at].Frame
	for _, d := range e.decisions[:e.at] {
		if d.Kind == host.End {
			frame = min(frame, d.Frame)
		}
	}
	return frame
}

// playing are the seats whose consoles are built with our resync, by rising seat.
func (e *entry) playing() []host.SeatPlan {
	left := make(map[int]bool)
	for i, d := range e.decisions[:e.at] {
		if d.Kind == host.Leave && (i < e.first || d.Frame < e.frame()) {
			left[d.Seat] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(e.seats), func(p host.SeatPlan) bool { return left[p.Seat] })
}

// enter begins to build the consoles, as all others do.
func (s *session) enter() {
	e := s.entry
	r := &repair{decision: e.decisions[e.at], joins: e.joins}
	r.decision.Frame = e.frame()
	for _, o := range e.decisions {
		if o.Kind == host.Resync {
			r.number++
		}
	}
	plan := host.Prepare{Round: e.round, Settings: e.settings, Seats: e.playing()}
	for i, p := range plan.Seats {
		if !r.brings(p.Seat) {
			plan.Seats[i].Machine = r.decision.Machine
		}
	}
	s.coming = s.offered
	if e.first == e.at {
		s.say("You come into the game.")
	}
	s.newStart(time.Now(), &start{plan: plan, repair: r}, []int{s.gameHost})
}

// enterGame turns the consoles into a game that begins in the middle.
func (s *session) enterGame() error {
	e, st := s.entry, s.start
	if st != nil && st.failed {
		return nil
	}
	if st == nil || st.repair == nil || len(st.consoles) < len(st.plan.Seats) {
		return errors.New("the game goes on with us, but our consoles are not there")
	}
	s.start, s.entry = nil, nil
	frame := st.repair.decision.Frame
	cfg := s.gameConfig(e.round, e.settings)
	cfg.delay, cfg.first = st.repair.delayAt(e.settings.Delay, e.decisions), frame
	cfg.horizon, cfg.radio, st.radio = mirror.Horizon{Frame: frame}, st.radio, nil
	saves := s.take(&cfg, st, e.playing())
	st.close()
	s.settleParts(st.manifests, func() {})
	g, err := newGame(cfg)
	if err != nil {
		return err
	}
	g.repairs = st.repair.number
	s.offered, s.coming = nil, nil
	s.play(g, cfg.seats)
	for i, d := range e.decisions {
		if err := g.catchUp(d, i > e.first, i > e.at, frame); err != nil {
			return err
		}
	}
	s.notify(Transfer{})
	s.notify(Playing{Room: s.room.Room(), Saves: saves, Mine: s.own()})
	if s.cfg.Recorder != nil {
		s.say("This game is not recorded here, since you came while it ran; the others record it.")
	}
	return nil
}

// gameConfig is what a game begins with, but for its consoles.
func (s *session) gameConfig(round uint32, settings host.Settings) gameConfig {
	return gameConfig{
		round: round, me: s.me(), host: s.gameHost, delay: settings.Delay,
		hashEvery: int64(settings.HashEvery), unlimited: s.cfg.MaxSpeed, sample: s.sample, show: s.cfg.Show,
	}
}

// take gives the consoles of a start to the game, and tells whether one of our own has
// anything to save.
func (s *session) take(cfg *gameConfig, st *start, plans []host.SeatPlan) (saves bool) {
	cfg.plan = plans
	for _, p := range plans {
		c := st.consoles[p.Seat]
		delete(st.consoles, p.Seat)
		cfg.seats = append(cfg.seats, seatConfig{
			number: p.Seat, owner: p.Machine, nickname: p.Nickname, rom: fmt.Sprintf("%x", p.ROM.SHA256), console: s.withFault(p.Seat, c), sram: st.hashes[p.Seat].SRAM,
		})
		if p.Machine == cfg.me {
			backup, _ := c.SRAM() // if the core died, its first frame will tell
			saves = saves || len(backup) > 0
		}
		if !slices.Contains(cfg.machines, p.Machine) {
			cfg.machines = append(cfg.machines, p.Machine)
		}
	}
	return saves
}

// play begins to run a game.
func (s *session) play(g *game, seats []seatConfig) {
	s.saving = newSaving()
	for _, c := range seats {
		s.saving.hashes[c.number] = c.sram
	}
	s.evidence, s.history, s.alike = nil, desync.History{}, 0
	s.placed.frame, s.placed.comes = g.slowest(), false
	for _, n := range s.newcomers {
		n.followed = followed{}
	}
	s.game, s.waiting, s.lost, s.broken, s.broke, s.ready, s.gauge = g, false, "", false, nil, false, gauge{}
}

// lead is how many frames at the beginning of a line have no sample because of the
// delay. Who comes later gets those of the others as they are.
func (cfg gameConfig) lead(c seatConfig) int {
	if cfg.first > 0 && c.owner != cfg.me {
		return 0
	}
	return cfg.delay
}

// catchUp applies a decision that was made before we came in at a frame, or while we
// did: since a resync was decided first, or since the one with which we came in.
func (g *game) catchUp(d host.Decision, meanwhile, since bool, first int64) error {
	applies := false
	switch d.Kind {
	case host.End:
		applies = true
	case host.Leave, host.Pause, host.Resume:
		applies = meanwhile && (d.Frame >= first || d.Kind == host.Resume)
	case host.Idle:
		applies, d.Frame = true, max(d.Frame, first)
	case host.SetDelay:
		applies = since // else delayAt knows
	}
	if applies {
		// Who left meanwhile may have had no input for frames that we have never seen.
		d.InputEnd = min(max(d.InputEnd, first), d.Frame)
		return g.decide(d)
	}
	g.decisions++
	return nil
}

// endEntry is for a game that is over before we were in it.
func (s *session) endEntry(e host.Ended) {
	if s.entry == nil || s.entry.round != e.Round {
		return
	}
	s.drop()
	s.entry, s.offered, s.coming = nil, nil, nil
	s.say("The game was over before you could come in: %s", e.Why)
}
