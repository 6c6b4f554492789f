package session

import (
	"cmp"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/savestate"
)

// What is alike need not travel. All machines stand at the frame of a resync, and most
// of them have, byte for byte, what the donor is about to send. So each of them has its
// store expect its own consoles' states and its air before it asks for anything: what the
// donor names by the same hash is here then. All the same everyone installs the donor's
// bytes, since what differs by a byte is fetched.

// standing is a console that stands between two frames.
type standing struct {
	seat    int
	cfg     emucore.Config
	console game.Console
}

// standing are our own consoles that a resync replaces.
func (s *session) standing(st *start) []standing {
	var list []standing
	for _, plan := range st.plan.Seats {
		if !st.repair.Joined(plan.Seat) {
			list = append(list, standing{plan.Seat, s.consoleConfig(st.plan.Settings, plan), s.game.Consoles()[plan.Seat]})
		}
	}
	return list
}

// captureStanding describes consoles as they stand, side by side, and the air beside the
// first of them. What could not be described has an error in its place. It runs on any
// goroutine.
func captureStanding(list []standing, radio *game.Radio, store *savestate.Store) ([]savestate.Manifest, []error) {
	manifests, errs := make([]savestate.Manifest, len(list)), make([]error, len(list))
	air, airErr := captureAir(radio, store)
	_ = together(list, func(i int, c standing) error {
		manifests[i], errs[i] = captureNow(c.seat, c.cfg, c.console, store)
		return nil
	})
	if len(list) > 0 && radio != nil && errs[0] == nil {
		manifests[0].Parts = append(manifests[0].Parts, air)
		errs[0] = cmp.Or(airErr, manifests[0].Validate())
	}
	return manifests, errs
}

// captureAir puts the air, which is stopped, into a store.
func captureAir(r *game.Radio, store *savestate.Store) (savestate.Part, error) {
	b, err := r.Save()
	if b == nil || err != nil {
		return savestate.Part{}, err
	}
	return store.Put(savestate.KindAir, b)
}

// captureSame puts our own consoles as they stand into the store, so that of the donor's
// only that is fetched which differs. A console that is gone is fetched like any other.
func (s *session) captureSame(st *start) {
	if s.game == nil {
		s.followTo(st) // we come in
		return
	}
	all, radio := s.standing(st), s.game.Radio().Hold()
	var list []game.Console
	for _, c := range all {
		list = append(list, c.console)
	}
	handsOn := s.host != nil // to those who lack something
	st.describing = true
	s.background(func() (func(), func()) {
		if handsOn {
			captureStanding(all, radio, s.store)
		} else {
			expectStanding(list, radio, s.store)
		}
		radio.Close()
		return func() {
			if st.describing = false; s.start == st && !st.failed {
				s.fetchLacking(st)
			}
		}, nil
	})
}

// settleParts packs, beside the game, what was not sent since it was here.
func (s *session) settleParts(manifests map[int]savestate.Manifest, then func()) {
	parts, _ := partsOf(manifests)
	pack := s.store.Settle(parts)
	s.background(func() (func(), func()) {
		pack()
		return then, nil
	})
}

// fetchLacking fetches what is known of a start and not here, and hands on what is.
func (s *session) fetchLacking(st *start) {
	for _, plan := range st.plan.Seats {
		from := s.source(plan)
		if m, known := st.manifests[plan.Seat]; known && st.exchanges[from] != nil {
			s.fetch(st, from, m)
		}
	}
	s.handOn()
}

// source is the machine from which a seat's console comes here: the one that has it, or the
// game host, which hands it on.
func (s *session) source(plan host.SeatPlan) int {
	if s.host == nil {
		return s.gameHost
	}
	return plan.Machine
}

// handOn tells all exchanges that something has come.
func (s *session) handOn() {
	for _, x := range s.exchanges {
		x.Available()
	}
}

// fetch gets what lacks of a seat's console.
func (s *session) fetch(st *start, from int, m savestate.Manifest) {
	for _, p := range m.Parts {
		if s.lacks(p) {
			st.waiting[p] = true
		}
	}
	st.exchanges[from].Fetch(m.Parts)
	if s.host != nil {
		s.settleParts(st.manifests, s.handOn) // it may have become the game host just now
	}
}
