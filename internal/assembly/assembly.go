package assembly

import (
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/cheat"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/report"
	"github.com/nettplay/nettplay/savestate"
)

// Purpose is the purpose of an assembly.
type Purpose interface {
	// Resync is the resync whose consoles are made; nil for a round's start.
	Resync() *game.Resync
	// Describe puts the consoles that come from this machine into the store, and makes them
	// known ([Assembly.Know]).
	Describe(a *Assembly)
	// Giver is the machine from which a seat's console comes at first.
	Giver(p room.SeatPlan) int
	// Agrees is an error for a console that is not what this purpose wants, besides what the
	// room agreed on.
	Agrees(m savestate.Manifest) error
	// Radio makes the air for the consoles, of a core with wireless.
	Radio(a *Assembly) (*game.Radio, error)
	// Assembled tells the room that all consoles stand here, and their hashes.
	Assembled(a *Assembly, hashes []room.SeatHash) error
	// GaveUp tells the room that this machine cannot have the consoles.
	GaveUp(a *Assembly, err error)
}

// An Assembly is one under way. It belongs to the session's goroutine.
type Assembly struct {
	Purpose
	Plan     event.Prepare    // whose consoles; it must not be changed
	Evidence *report.Evidence // of consoles that differ, at a resync; nil: they do not

	assembler  *Assembler
	exchanges  map[int]*savestate.Exchange    // of the assembler's, with the machines that take part
	manifests  map[ds.Seat]savestate.Manifest // by seat
	waiting    map[savestate.Part]bool        // parts still to come
	describing bool                           // our own consoles go into the store first: they may be what comes
	reads      bool                           // the game's consoles are read
	building   bool
	failed     bool
	rewired    bool // it began under another game host
	consoles   map[ds.Seat]game.Console
	hashes     map[ds.Seat]ds.Hash
	radio      *game.Radio // of the consoles; nil where the core has none
}

// Start begins to make consoles alike on some machines, in the place of those of an assembly
// under way. Parts of coming consoles stay in the store.
func (s *Assembler) Start(p Purpose, plan event.Prepare, machines []int, coming ...map[ds.Seat]savestate.Manifest) {
	if s.current != nil {
		s.current.Close()
	}
	s.retain(coming)
	a := &Assembly{
		Plan: plan, Purpose: p, assembler: s, exchanges: make(map[int]*savestate.Exchange), manifests: make(map[ds.Seat]savestate.Manifest),
		waiting: make(map[savestate.Part]bool), consoles: make(map[ds.Seat]game.Console), hashes: make(map[ds.Seat]ds.Hash),
	}
	s.newest, s.current = a.manifests, a
	a.exchangeWith(machines)
	p.Describe(a)
}

// HandleEvent takes what came of the exchange with a machine, unless it is about no assembly. An
// error is that machine's fault.
func (s *Assembler) HandleEvent(machine int, event savestate.Event) (taken bool, err error) {
	a := s.current
	if a == nil || a.exchanges[machine] == nil {
		return false, nil
	}
	switch e := event.(type) {
	case savestate.ManifestReceived:
		err = a.Know(machine, e.Manifest)
	case savestate.PartDone:
		delete(a.waiting, e.Part)
		s.handOn()
	case savestate.PartFailed:
		failed := fmt.Errorf("fetching %v: %w", e.Part, e.Err)
		if e.Garbage {
			return true, failed
		}
		a.GiveUp(failed)
	}
	return true, err
}

// Frame is the one at which the consoles stand.
func (a *Assembly) Frame() int64 {
	if r := a.Resync(); r != nil {
		return r.Frame()
	}
	return 0
}

// Current reports whether no other assembly has taken its place, and nothing has ended it.
func (a *Assembly) Current() bool { return a.assembler.current == a }

// Complete reports whether all consoles stand.
func (a *Assembly) Complete() bool { return len(a.consoles) == len(a.Plan.Seats) }

// Failed reports whether this machine cannot have the consoles.
func (a *Assembly) Failed() bool { return a.failed }

// Manifest describes the console of a seat, once that is known.
func (a *Assembly) Manifest(seat ds.Seat) savestate.Manifest { return a.manifests[seat] }

// Hash is that of a seat's console, if it stands.
func (a *Assembly) Hash(seat ds.Seat) (h ds.Hash, stands bool) {
	h, stands = a.hashes[seat]
	return h, stands
}

// Progress adds up how much has moved.
func (a *Assembly) Progress() (up, down room.Progress) {
	for _, x := range a.exchanges {
		serving, fetching := x.Serving(), x.Fetching()
		up.Done, up.Total = up.Done+serving.Done, up.Total+serving.Total
		down.Done, down.Total = down.Done+fetching.Done, down.Total+fetching.Total
	}
	return up, down
}

// Take gives the consoles away.
func (a *Assembly) Take() map[ds.Seat]game.Fresh {
	list := make(map[ds.Seat]game.Fresh, len(a.consoles))
	for seat, c := range a.consoles {
		list[seat] = game.Fresh{Console: c, Hash: a.hashes[seat]}
	}
	clear(a.consoles)
	return list
}

// TakeRadio gives the air between them away.
func (a *Assembly) TakeRadio() *game.Radio {
	r := a.radio
	a.radio = nil
	return r
}

// Close ends it, and closes what nobody has taken.
func (a *Assembly) Close() {
	if a.Current() {
		a.assembler.current = nil
	}
	for _, c := range a.consoles {
		c.Close()
	}
	clear(a.consoles)
	a.radio.Close()
	a.radio = nil
}

// GiveUp tells the room, once, that this machine cannot have the consoles.
func (a *Assembly) GiveUp(err error) {
	if !a.failed {
		a.failed = true
		a.GaveUp(a, err)
	}
}

// exchangeWith begins with those of some machines to which connections go.
func (a *Assembly) exchangeWith(machines []int) {
	for _, machine := range machines {
		if a.assembler.Connects(machine) && a.exchanges[machine] == nil {
			a.exchanges[machine] = a.assembler.Exchange(machine)
			a.exchanges[machine].Round(startID(a.Plan.Round, a.Resync()))
		}
	}
}

// Rewire goes on with a resync over the connections that there are now, to those of some
// machines: what is here is offered again, and what is lacking asked for again. A game
// client offers what it gives itself, and not what it has from an earlier game host.
func (a *Assembly) Rewire(machines []int) {
	a.rewired = true
	a.exchangeWith(machines)
	for _, plan := range a.Plan.Seats {
		m, known := a.manifests[plan.Seat]
		if !known {
			continue
		}
		for machine, x := range a.exchanges {
			if giver := a.Giver(plan); machine != giver && (a.assembler.hosting() || giver == a.assembler.session.Me()) {
				_ = x.Offer(m) // it was offered before
			}
		}
		if x := a.exchanges[a.source(plan)]; x != nil && slices.ContainsFunc(m.Parts, a.assembler.lacks) {
			x.Fetch(m.Parts)
		}
	}
}

// Know takes a seat's manifest: our own, or one from a machine. It is handed on to the
// machines that do not have it.
func (a *Assembly) Know(from int, m savestate.Manifest) error {
	if from == a.assembler.session.Me() {
		m.Core = a.Plan.Settings.Core.SHA256 // it is of ours, which does the same
	}
	plan, err := a.check(from, m)
	if err == nil {
		err = a.Agrees(m)
	}
	if err != nil {
		return err
	}
	if _, twice := a.manifests[m.Seat]; twice {
		return nil
	}
	a.manifests[m.Seat] = m
	for machine, x := range a.exchanges {
		if machine != from && machine != a.Giver(plan) {
			if err := x.Offer(m); err != nil {
				return err
			}
		}
	}
	if from != a.assembler.session.Me() && !a.describing {
		a.fetch(from, m)
	}
	return nil
}

// check compares a manifest with what the room agreed on: a console that
// differs from that is not built.
func (a *Assembly) check(from int, m savestate.Manifest) (room.SeatPlan, error) {
	i := slices.IndexFunc(a.Plan.Seats, func(p room.SeatPlan) bool { return p.Seat == m.Seat })
	if i < 0 {
		return room.SeatPlan{}, fmt.Errorf("manifest of seat %v, which does not play", m.Seat)
	}
	plan := a.Plan.Seats[i]
	if a.Giver(plan) != from && (a.assembler.hosting() || from != a.assembler.session.GameHost()) {
		return plan, fmt.Errorf("manifest of seat %v from machine %d, which does not own it", m.Seat, from)
	}
	return plan, Agreed(m, plan, a.Plan.Settings, a.Frame())
}

// Agreed tells what about a console at a frame differs from what the room agreed on.
func Agreed(m savestate.Manifest, plan room.SeatPlan, settings room.Settings, frame int64) error {
	what := ""
	switch {
	case m.Frame != frame:
		what = "frame"
	case m.ROM != plan.ROM.SHA256:
		what = "ROM"
	case m.Core != settings.Core.SHA256:
		what = "core"
	case m.RTC != settings.RTC:
		what = "clock"
	case m.Firmware != plan.Firmware:
		what = "firmware settings"
	case !slices.Equal(m.Options, settings.Options):
		what = "core options"
	case cheatsOf(m) != cheat.Sum(settings.Cheats.Of(m.ROM)):
		what = "list of cheats"
	default:
		return nil
	}
	return fmt.Errorf("manifest of seat %v has another %s than the room agreed on", m.Seat, what)
}

// cheatsOf is the SHA-256 of a console's cheats, zeros for none.
func cheatsOf(m savestate.Manifest) [32]byte {
	p, _ := m.Part(savestate.KindCheats)
	return p.SHA256
}

// source is the machine from which a seat's console comes here: the one that has it, or the
// game host, which hands it on.
func (a *Assembly) source(plan room.SeatPlan) int {
	if !a.assembler.hosting() {
		return a.assembler.session.GameHost()
	}
	return a.Giver(plan)
}

// fetch gets what lacks of a seat's console.
func (a *Assembly) fetch(from int, m savestate.Manifest) {
	for _, p := range m.Parts {
		if a.assembler.lacks(p) {
			a.waiting[p] = true
		}
	}
	a.exchanges[from].Fetch(m.Parts)
	if a.assembler.hosting() {
		a.settle(a.assembler.handOn) // it may have become the game host just now
	}
}

// Settle packs, in the background, what was not sent since it was here.
func (a *Assembly) Settle() { a.settle(func() {}) }

func (a *Assembly) settle(then func()) {
	parts, _ := partsOf(a.manifests)
	pack := a.assembler.store.PackExpected(parts)
	a.assembler.session.Background(func() (func(), func()) {
		pack()
		return then, nil
	})
}
