package session

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/mirror"
	"github.com/nettplay/nettplay/savestate"
)

// Somebody comes while a game runs. While the others play on, the newcomer's machine
// looks for the games and hands its consoles, switched off, to the game host. Once all of
// that is there it is let in: by a resync (repair.go) in which all machines get its
// consoles as well, which are switched on at that frame. Should it vanish meanwhile,
// everybody has what it takes to go on all the same, and its seats are unplugged like
// any other's. How it looks from the newcomer's side is in entry.go.

// admitEvery is how long nobody else is let in: each time the others stand for a moment.
const admitEvery = 5 * time.Second

// newcomer is what the game host has of a machine that waits to be let in.
type newcomer struct {
	followed
	manifests map[int]savestate.Manifest // by seat
	waiting   map[savestate.Part]bool
}

// brings tells whether a seat comes in with a resync.
func (r *repair) brings(seat int) bool {
	return slices.ContainsFunc(r.joins, func(p host.SeatPlan) bool { return p.Seat == seat })
}

// newcomerEvent takes what comes from a machine that waits to be let in.
func (s *session) newcomerEvent(now time.Time, machine int, event savestate.Event) {
	if s.host == nil {
		return
	}
	plans := s.host.Plans(machine)
	if len(plans) == 0 {
		return
	}
	n := s.newcomer(machine)
	switch e := event.(type) {
	case savestate.ManifestReceived:
		if err := n.know(e.Manifest, plans, s.host.Settings()); err != nil {
			s.breaksRules(now, machine, err)
			return
		}
		s.exchange(machine).Fetch(e.Manifest.Parts)
	case savestate.PartDone:
		delete(n.waiting, e.Part)
	case savestate.PartFailed:
		err := fmt.Errorf("fetching %v: %w", e.Part, e.Err)
		if e.Garbage {
			s.breaksRules(now, machine, err)
		} else if peer, ok := s.line(machine); ok {
			s.hangUp(now, peer, "cannot come into the game: "+err.Error())
		}
	}
}

// know takes the manifest of one of a newcomer's consoles.
func (n *newcomer) know(m savestate.Manifest, plans []host.SeatPlan, settings host.Settings) error {
	i := slices.IndexFunc(plans, func(p host.SeatPlan) bool { return p.Seat == m.Seat })
	if i < 0 {
		return fmt.Errorf("manifest of seat %d, which is another's", m.Seat+1)
	}
	if _, state := m.Part(savestate.KindState); state {
		return fmt.Errorf("manifest of seat %d with a state, for a console that is switched off", m.Seat+1)
	}
	if err := agreed(m, plans[i], settings, 0); err != nil {
		return err
	}
	n.manifests[m.Seat] = m
	for _, p := range m.Parts {
		n.waiting[p] = true
	}
	return nil
}

// workNewcomers lets in who is ready, on the game host.
func (s *session) workNewcomers(now time.Time) error {
	g := s.game
	if s.host == nil || g == nil || s.start != nil || g.repair != nil || now.Sub(s.admitted) < admitEvery || g.ending() <= g.horizon.Frame {
		return nil
	}
	for _, machine := range s.host.LateJoiners() {
		n := s.newcomers[machine]
		if n == nil || len(n.manifests) < len(s.host.Plans(machine)) || len(n.waiting) > 0 {
			continue
		}
		switch here, err := s.prepared(now, machine, n); {
		case err != nil:
			return err
		case g.repair != nil:
			return nil // a place is made for it
		case !here:
			continue
		}
		err := s.host.Admit(now, machine, s.me())
		if errors.Is(err, host.ErrPhase) {
			return nil // a little later
		}
		s.admitted, s.watch, s.coming = now, nil, n.manifests // which it need not be here for
		return err
	}
	return nil
}

// bringIn makes the consoles known that come in with a resync: the game host that let
// them in has had them before, and the newcomer has its own, of which it also tells one
// that has taken its place.
func (s *session) bringIn(st *start) {
	for _, plan := range st.repair.joins {
		m, have := s.coming[plan.Seat]
		if !have {
			continue // it comes from the game host
		}
		m.Frame = st.repair.decision.Frame
		if err := s.know(plan.Machine, m); err != nil {
			s.failStart(err)
			return
		}
	}
}

// delayAt is the input delay at the frame of a resync, in a game that began with delay,
// as far as it was decided before: what is decided later is for those who are in the
// game by then.
func (r *repair) delayAt(delay int, decisions []host.Decision) int {
	resyncs := 0
	for _, d := range decisions {
		switch {
		case d.Kind == host.SetDelay && d.Frame <= r.decision.Frame:
			delay = d.Delay
		case d.Kind == host.Resync:
			if resyncs++; resyncs == r.number {
				return delay
			}
		}
	}
	return delay
}

// decisions is the timeline as far as it is known here.
func (s *session) decisions() []host.Decision {
	if s.host != nil {
		return s.host.Decisions()
	}
	return s.client.Decisions()
}

// comeIn gives the newcomers' consoles seats in the running game.
func (s *session) comeIn(st *start) error {
	g := s.game
	frame := st.repair.decision.Frame
	delay := st.repair.delayAt(st.plan.Settings.Delay, s.decisions())
	for _, plan := range st.repair.joins {
		console := st.consoles[plan.Seat]
		delete(st.consoles, plan.Seat)
		if err := g.comesIn(plan, console, st.hashes[plan.Seat], frame, delay); err != nil {
			console.Close()
			return err
		}
	}
	return g.serveAnew(st.repair)
}

// comesIn gives a newcomer's console a seat.
func (g *game) comesIn(plan host.SeatPlan, c console, hash ds.Hash, frame int64, delay int) error {
	line, err := inputdelay.NewQueue(frame, delay)
	if err != nil {
		return err
	}
	s := &seat{
		number: plan.Seat, owner: plan.Machine, nickname: plan.Nickname, rom: fmt.Sprintf("%x", plan.ROM.SHA256), line: line,
		end: g.last, offered: frame + int64(delay), frame: frame, sampled: frame, recorded: frame, reported: frame,
		run: startRunner(plan.Seat, c, g.show, g.done, unknown), final: hash,
	}
	s.closed = s.frame >= s.end
	g.seats, g.plan = append(g.seats, s), append(g.plan, plan)
	slices.SortFunc(g.seats, func(a, b *seat) int { return a.number - b.number })
	sortPlans(g.plan)
	g.pressure.Add(plan.Machine)
	g.pressure.Report(plan.Machine, frame)
	if g.hosting {
		g.out.AddSeat(plan.Seat, s.offered)
	}
	return nil
}

// sortPlans puts seats in their order, in which hashes of all are told. Who has a lower one
// may come in later.
func sortPlans(list []host.SeatPlan) {
	slices.SortFunc(list, func(a, b host.SeatPlan) int { return a.Seat - b.Seat })
}

// serveAnew has the game host serve the inputs of all seats to all machines, newcomers
// included, who lack everything from the frame of the resync on.
func (g *game) serveAnew(r *repair) error {
	if !g.hosting || len(r.joins) == 0 {
		return nil
	}
	again := slices.DeleteFunc(slices.Clone(g.seats), func(s *seat) bool { return s.closed || r.brings(s.number) })
	for _, s := range again {
		s.offered = s.frame
		g.out.AddSeat(s.number, s.frame)
	}
	// All who are served before the first input, which would not be kept otherwise.
	for _, m := range g.machines() {
		if m == g.me {
			continue
		}
		owned, others := g.split(m)
		g.out.AddClient(m, others)
		if g.in[m] == nil {
			g.in[m] = mirror.NewClient(m, owned)
		}
	}
	for _, s := range again {
		if err := g.offer(s); err != nil {
			return err
		}
	}
	return nil
}

// endIfAlone ends a game in which no other machine plays any more, unless somebody
// waits to be let in.
func (s *session) endIfAlone(now time.Time, words string) error {
	if s.host == nil || s.game == nil || len(s.game.in) > 0 || s.game.expects() || s.host.AnyWaiting() {
		return nil
	}
	if s.broken {
		s.lost = words
	}
	if _, err := s.host.End(now, words); !errors.Is(err, host.ErrPhase) {
		return err
	}
	return nil // it has ended meanwhile
}

// expects tells whether somebody is just coming into the game.
func (g *game) expects() bool {
	return len(g.entering) > 0 || g.repair != nil && len(g.repair.joins) > 0
}

// goneMeanwhile unplugs the seats of those who left before they had come in.
func (s *session) goneMeanwhile() error {
	gone := s.gone
	s.gone = nil
	for _, e := range gone {
		if err := s.seatLeft(time.Now(), e); err != nil {
			return err
		}
	}
	return nil
}
