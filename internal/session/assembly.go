package session

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/desync/report"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/savestate"
	"github.com/nettplay/nettplay/savestate/emustate"
)

// An assembly makes consoles alike on all machines: it puts the ones that come from this
// machine into the store, offers them to the others, fetches the rest, builds all of them
// in fresh workers and tells the room their hashes. A round's start ([roundStart]), a resync
// ([resync]) and a late join ([lateJoin]) are assemblies with another purpose each.
type assembly struct {
	purpose
	plan       event.Prepare                  // whose consoles, and from which machine each comes
	exchanges  map[int]*savestate.Exchange    // of the session's, with the machines that take part
	manifests  map[ds.Seat]savestate.Manifest // by seat
	waiting    map[savestate.Part]bool        // parts still to come
	describing bool                           // our own consoles go into the store first: they may be what comes
	building   bool
	failed     bool
	consoles   map[ds.Seat]game.Console
	hashes     map[ds.Seat]ds.Hash
	radio      *game.Radio      // of the consoles; nil where the core has none
	evidence   *report.Evidence // of consoles that differ, at a resync; nil: they do not
}

// purpose is what an assembly is for.
type purpose interface {
	// resyncing is the resync whose consoles are made; nil for a round's start.
	resyncing() *game.Resync
	// describe puts the consoles that come from this machine into the store, and tells the
	// others of them.
	describe(a *assembly)
	// openRadio makes the air for the consoles, of a core with wireless.
	openRadio(a *assembly) (*game.Radio, error)
	// assembled tells the room that all consoles stand here, and their hashes.
	assembled(a *assembly, hashes []room.SeatHash) error
	// gaveUp tells the room that this machine cannot have the consoles.
	gaveUp(a *assembly, err error)
}

// frame is the one at which the consoles stand.
func (a *assembly) frame() int64 {
	if r := a.resyncing(); r != nil {
		return r.Frame()
	}
	return 0
}

// complete tells whether all consoles stand.
func (a *assembly) complete() bool { return len(a.consoles) == len(a.plan.Seats) }

// assemble begins to make consoles alike on some machines.
func (s *session) assemble(p purpose, plan event.Prepare, machines []int) {
	s.drop()
	s.retain()
	a := &assembly{
		purpose: p, plan: plan, exchanges: make(map[int]*savestate.Exchange), manifests: make(map[ds.Seat]savestate.Manifest),
		waiting: make(map[savestate.Part]bool), consoles: make(map[ds.Seat]game.Console), hashes: make(map[ds.Seat]ds.Hash),
	}
	s.manifests, s.assembly = a.manifests, a
	for _, machine := range machines {
		if s.connects(machine) {
			a.exchanges[machine] = s.exchange(machine)
			a.exchanges[machine].Round(startID(plan.Round, a.resyncing()))
		}
	}
	a.describe(a)
}

// connects tells whether a line goes, or should go, to another machine.
func (s *session) connects(machine int) bool {
	return machine != s.me() && (s.host != nil || machine == s.gameHost)
}

// lacks tells whether a part of a console is not here yet.
func (s *session) lacks(p savestate.Part) bool { return !s.store.Has(p) }

func (s *session) me() int { return s.room.Me().Machine }

func (a *assembly) close() {
	for _, c := range a.consoles {
		c.Close()
	}
	clear(a.consoles)
	a.radio.Close()
	a.radio = nil
}

// take gives the consoles away.
func (a *assembly) take() map[ds.Seat]game.Fresh {
	list := make(map[ds.Seat]game.Fresh, len(a.consoles))
	for seat, c := range a.consoles {
		list[seat] = game.Fresh{Console: c, Hash: a.hashes[seat]}
	}
	clear(a.consoles)
	return list
}

// takeRadio gives the air between them away.
func (a *assembly) takeRadio() *game.Radio {
	r := a.radio
	a.radio = nil
	return r
}

// know takes a seat's manifest: our own, or one from a machine.
func (s *session) know(from int, m savestate.Manifest) error {
	a := s.assembly
	plan, err := a.check(from, s.host == nil, s.gameHost, m)
	if err == nil {
		err = a.agreesWithMoment(m)
	}
	if err != nil {
		return err
	}
	if _, twice := a.manifests[m.Seat]; twice {
		return nil
	}
	a.manifests[m.Seat] = m
	for machine, x := range a.exchanges {
		if machine != from && machine != s.giver(a, plan) {
			if err := x.Offer(m); err != nil {
				return err
			}
		}
	}
	if from != s.me() && !a.describing {
		s.fetch(a, from, m)
	}
	return nil
}

// check compares a manifest with what the room agreed on: a console that
// differs from that is not built.
func (a *assembly) check(from int, client bool, gameHost int, m savestate.Manifest) (room.SeatPlan, error) {
	i := slices.IndexFunc(a.plan.Seats, func(p room.SeatPlan) bool { return p.Seat == m.Seat })
	if i < 0 {
		return room.SeatPlan{}, fmt.Errorf("manifest of seat %v, which does not play", m.Seat)
	}
	plan, giver := a.plan.Seats[i], a.plan.Seats[i].Machine
	if a.continues() {
		giver = gameHost
	}
	if giver != from && (!client || from != gameHost) {
		return plan, fmt.Errorf("manifest of seat %v from machine %d, which does not own it", m.Seat, from)
	}
	return plan, agreed(m, plan, a.plan.Settings, a.frame())
}

// agreed tells what about a console differs from what the room agreed on.
func agreed(m savestate.Manifest, plan room.SeatPlan, settings room.Settings, frame int64) error {
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
	default:
		return nil
	}
	return fmt.Errorf("manifest of seat %v has another %s than the room agreed on", m.Seat, what)
}

// workStart moves a round on.
func (s *session) workStart(now time.Time) error {
	a := s.assembly
	if a == nil {
		return nil
	}
	s.tellProgress(now)
	s.install()
	return nil
}

// tellProgress tells the room and the player how much has moved.
func (s *session) tellProgress(now time.Time) {
	if now.Sub(s.reported) < 200*time.Millisecond {
		return
	}
	s.reported = now
	s.reportStatus(now)
	up, down := s.assembly.progress()
	if up.Total > 0 || down.Total > 0 {
		s.notify(notice.Transfer{Up: up, Down: down})
	}
}

func (a *assembly) progress() (up, down room.Progress) {
	for _, x := range a.exchanges {
		serving, fetching := x.Serving(), x.Fetching()
		up.Done, up.Total = up.Done+serving.Done, up.Total+serving.Total
		down.Done, down.Total = down.Done+fetching.Done, down.Total+fetching.Total
	}
	return up, down
}

// install builds all consoles once everything for them is here.
func (s *session) install() {
	a := s.assembly
	if a == nil || a.describing || a.building || a.failed || len(a.manifests) < len(a.plan.Seats) || len(a.waiting) > 0 {
		return
	}
	a.building = true
	if s.cfg.Core.Wireless {
		var err error
		if a.radio, err = a.openRadio(a); err != nil {
			s.giveUp(err)
			return
		}
	}
	for _, plan := range a.plan.Seats {
		s.installSeat(a, plan)
	}
}

func (s *session) installSeat(a *assembly, plan room.SeatPlan) {
	m, rom := a.manifests[plan.Seat], s.games.ROMs[plan.ROM.SHA256]
	if rom == nil {
		s.giveUp(fmt.Errorf("%v is not on this machine any more", plan.ROM))
		return
	}
	radio := a.radio.Hold()
	tweak := func(cfg *emucore.Config) {
		cfg.TestOptions = s.cfg.TestOptions
		if s.cfg.TestTweak != nil {
			s.cfg.TestTweak(cfg)
		}
		radio.Connect(cfg, plan.Seat)
	}
	s.background(func() (func(), func()) {
		console, hash, err := s.build(m, rom, tweak)
		if err == nil {
			a.evidence.Received(m, console)
		}
		drop := func() {
			if console != nil {
				console.Close()
			}
			radio.Close()
		}
		return func() {
			if s.assembly != a || a.failed || s.over {
				drop()
				return
			}
			radio.Close()
			if err != nil {
				s.giveUp(err)
				return
			}
			a.consoles[plan.Seat], a.hashes[plan.Seat] = console, hash
			s.installed()
		}, drop
	})
}

// build is [emustate.InstallBy], once more if somebody else kills the console meanwhile: that
// says nothing of the console. It runs on any goroutine.
func (s *session) build(m savestate.Manifest, rom *emucore.ROM, tweak func(*emucore.Config)) (game.Console, ds.Hash, error) {
	console, hash, err := emustate.InstallBy(s.ctx, s.cfg.Start.OrProcess(), m, s.cfg.Core, rom, s.store, tweak)
	var crash *emucore.CrashError
	if errors.As(err, &crash) && crash.Signal == "SIGKILL" && s.ctx.Err() == nil {
		return emustate.InstallBy(s.ctx, s.cfg.Start.OrProcess(), m, s.cfg.Core, rom, s.store, tweak)
	}
	return console, hash, err
}

// installed tells the room once all consoles stand.
func (s *session) installed() {
	a := s.assembly
	if !a.complete() || a.evidence.Reading() {
		return
	}
	hashes := make([]room.SeatHash, 0, len(a.plan.Seats))
	for _, plan := range a.plan.Seats {
		hashes = append(hashes, room.SeatHash{Seat: plan.Seat, Hash: a.hashes[plan.Seat]})
	}
	if err := a.assembled(a, hashes); err != nil {
		s.giveUp(err)
	}
}

// giveUp tells the room that this machine cannot have the consoles.
func (s *session) giveUp(err error) {
	if a := s.assembly; a != nil && !a.failed {
		a.failed = true
		a.gaveUp(a, err)
	}
}

// dropForAnother forgets a resync that came to nothing, with its game host or the one who
// was to give its consoles, since another one takes its place. Consoles that differ are read
// again there, at another frame, and by another one who gives its own.
func (s *session) dropForAnother() {
	a := s.assembly
	s.drop()
	if a != nil {
		s.reports.Again(a.evidence)
	}
}

// drop forgets a round that is not to be played, and its consoles.
func (s *session) drop() {
	if s.assembly != nil {
		s.reports.Dropped(s.assembly.evidence)
		s.assembly.close()
		s.assembly = nil
	}
}
