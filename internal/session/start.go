package session

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/savestate"
)

// start is a round between "prepare" and its first frame: our consoles are
// captured and offered, those of others fetched, and all of them installed.
type start struct {
	plan       host.Prepare
	repair     *game.Resync                // the consoles replace those of a running game; nil for a new one
	exchanges  map[int]*savestate.Exchange // of the session's, with those that take part; by machine
	manifests  map[int]savestate.Manifest  // by seat
	waiting    map[savestate.Part]bool     // parts still to come
	describing bool                        // our own consoles go into the store first: they may be what comes
	building   bool
	failed     bool
	consoles   map[int]game.Console
	hashes     map[int]ds.Hash
	radio      *game.Radio  // of the consoles; nil where the core has none
	evidence   *evidence    // what is kept of consoles that differ, at a resync; nil for nothing
	verdict    *host.Desync // what they differ in, also where nothing is kept; nil: they do not
}

// prepare begins a round.
func (s *session) prepare(now time.Time, p host.Prepare) {
	s.seatOwn()
	var machines []int
	for _, plan := range p.Seats {
		machines = append(machines, plan.Machine)
	}
	s.newStart(now, &start{plan: p}, machines)
}

// newStart begins to make consoles alike on some machines.
func (s *session) newStart(now time.Time, st *start, machines []int) {
	s.drop()
	s.retain()
	st.exchanges, st.manifests = make(map[int]*savestate.Exchange), make(map[int]savestate.Manifest)
	s.manifests = st.manifests
	st.waiting = make(map[savestate.Part]bool)
	st.consoles, st.hashes = make(map[int]game.Console), make(map[int]ds.Hash)
	s.start = st
	for _, machine := range machines {
		if s.connects(machine) {
			st.exchanges[machine] = s.exchange(machine)
			st.exchanges[machine].Round(startID(st.plan.Round, st.repair))
		}
	}
	s.captureOwn(st)
}

// connects tells whether a line goes, or should go, to another machine.
func (s *session) connects(machine int) bool {
	return machine != s.me() && (s.host != nil || machine == s.gameHost)
}

// lacks tells whether a part of a console is not here yet.
func (s *session) lacks(p savestate.Part) bool { return !s.store.Has(p) }

func (s *session) me() int { return s.room.Me().Machine }

// dropForAnother forgets a resync that came to nothing, with its game host or the one who
// was to give its consoles, since another one takes its place. Consoles that differ are read
// again there, at another frame, and by another one who gives its own.
func (s *session) dropForAnother() {
	st := s.start
	s.drop()
	if st != nil && st.verdict != nil {
		s.evidence = newEvidence(*st.verdict)
	}
}

// drop forgets a round that is not to be played, and its consoles.
func (s *session) drop() {
	if s.start != nil {
		if e := s.start.evidence; e != nil && !e.taking {
			e.donor, s.evidence = -1, e // there will be no resync
		}
		s.start.close()
		s.start = nil
	}
}

func (st *start) close() {
	for _, c := range st.consoles {
		c.Close()
	}
	clear(st.consoles)
	st.radio.Close()
	st.radio = nil
}

// take gives the consoles away.
func (st *start) take() map[ds.Seat]game.Fresh {
	list := make(map[ds.Seat]game.Fresh, len(st.consoles))
	for seat, c := range st.consoles {
		list[seat] = game.Fresh{Console: c, Hash: st.hashes[seat]}
	}
	clear(st.consoles)
	return list
}

// takeRadio gives the air between them away.
func (st *start) takeRadio() *game.Radio {
	r := st.radio
	st.radio = nil
	return r
}

// captureOwn describes the consoles that come from this machine to the others.
func (s *session) captureOwn(st *start) {
	if st.repair != nil {
		if st.repair.Decision.Machine == s.me() {
			s.captureAll(st)
		} else {
			s.captureSame(st)
		}
		s.bringIn(st)
		return
	}
	for _, plan := range st.plan.Seats {
		if plan.Machine == s.me() {
			s.capture(plan)
		}
	}
}

// consoleConfig is what the room has agreed on for a console.
func (s *session) consoleConfig(settings host.Settings, plan host.SeatPlan) emucore.Config {
	return emucore.Config{
		Core: s.cfg.Core, ROM: s.games.roms[plan.ROM.SHA256], Options: options(settings),
		Firmware: plan.Firmware, RTC: settings.RTC,
	}
}

// capture describes our own console, switched off, to the others.
func (s *session) capture(plan host.SeatPlan) {
	st := s.start
	s.captureOff(plan, s.consoleConfig(st.plan.Settings, plan), func(m savestate.Manifest, err error) {
		if s.start != st {
			return
		}
		if err == nil {
			err = s.know(s.me(), m)
		}
		if err != nil {
			s.failStart(err)
		}
	})
}

// captureOff describes one of our own consoles, switched off, with the save that is
// current, and calls done with it, unless the session is over before.
func (s *session) captureOff(plan host.SeatPlan, cfg emucore.Config, done func(savestate.Manifest, error)) {
	if cfg.SRAM = s.backup(plan.Seat); cfg.ROM == nil {
		done(savestate.Manifest{}, fmt.Errorf("%v is not on this machine any more", plan.ROM))
		return
	}
	console := 1 + s.locals[plan.Seat]
	have := s.stores[console]
	s.background(func() (func(), func()) {
		saved, sram, trouble, err := s.openSaves(console, cfg.ROM, have)
		if cfg.SRAM == nil {
			cfg.SRAM = sram
		}
		var m savestate.Manifest
		if err == nil {
			m, err = savestate.Capture(plan.Seat, cfg, nil, s.store)
		}
		return func() {
			s.stores[console] = saved
			if trouble != nil {
				s.say("Your save cannot be kept in this game: %v", trouble)
			}
			done(m, err)
		}, nil
	})
}

// know takes a seat's manifest: our own, or one from a machine.
func (s *session) know(from int, m savestate.Manifest) error {
	st := s.start
	plan, err := st.check(from, s.host == nil, s.gameHost, m)
	if err != nil {
		return err
	}
	if _, twice := st.manifests[m.Seat]; twice {
		return nil
	}
	st.manifests[m.Seat] = m
	for machine, x := range st.exchanges {
		if machine != from && machine != plan.Machine {
			if err := x.Offer(m); err != nil {
				return err
			}
		}
	}
	if from != s.me() && !st.describing {
		s.fetch(st, from, m)
	}
	return nil
}

// check compares a manifest with what the room agreed on: a console that
// differs from that is not built.
func (st *start) check(from int, client bool, gameHost int, m savestate.Manifest) (host.SeatPlan, error) {
	i := slices.IndexFunc(st.plan.Seats, func(p host.SeatPlan) bool { return p.Seat == m.Seat })
	if i < 0 {
		return host.SeatPlan{}, fmt.Errorf("manifest of seat %d, which does not play", m.Seat+1)
	}
	plan := st.plan.Seats[i]
	if plan.Machine != from && (!client || from != gameHost) {
		return plan, fmt.Errorf("manifest of seat %d from machine %d, which does not own it", m.Seat+1, from)
	}
	frame := int64(0)
	if st.repair != nil {
		frame = st.repair.Frame()
	}
	return plan, agreed(m, plan, st.plan.Settings, frame)
}

// agreed tells what about a console differs from what the room agreed on.
func agreed(m savestate.Manifest, plan host.SeatPlan, settings host.Settings, frame int64) error {
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
	return fmt.Errorf("manifest of seat %d has another %s than the room agreed on", m.Seat+1, what)
}

// workStart moves a round on.
func (s *session) workStart(now time.Time) error {
	st := s.start
	if st == nil {
		return nil
	}
	s.tellProgress(now)
	s.install()
	return nil
}

// datagram takes a message of the input channel: inputs, or a pulse of an
// exchange.
func (s *session) datagram(now time.Time, peer link.PeerID, b []byte) error {
	machine, known := s.machine(peer)
	if !known {
		return nil // it has just left
	}
	if savestate.IsPulse(b) {
		return s.exchange(machine).Receive(now, b)
	}
	if s.game == nil {
		return nil // others may begin, or still play, when we do not
	}
	return s.game.Receive(machine, b)
}

// tellProgress tells the room and the player how much has moved.
func (s *session) tellProgress(now time.Time) {
	if now.Sub(s.reported) < 200*time.Millisecond {
		return
	}
	s.reported = now
	s.reportStatus(now)
	up, down := s.start.progress()
	if up.Total > 0 || down.Total > 0 {
		s.notify(Transfer{Up: up, Down: down})
	}
}

func (st *start) progress() (up, down host.Progress) {
	for _, x := range st.exchanges {
		serving, fetching := x.Serving(), x.Fetching()
		up.Done, up.Total = up.Done+serving.Done, up.Total+serving.Total
		down.Done, down.Total = down.Done+fetching.Done, down.Total+fetching.Total
	}
	return up, down
}

// install builds all consoles once everything for them is here.
func (s *session) install() {
	st := s.start
	if st == nil || st.describing || st.building || st.failed || len(st.manifests) < len(st.plan.Seats) || len(st.waiting) > 0 {
		return
	}
	st.building = true
	if err := s.openRadio(st); err != nil {
		s.failStart(err)
		return
	}
	for _, plan := range st.plan.Seats {
		s.installSeat(st, plan)
	}
}

func (s *session) installSeat(st *start, plan host.SeatPlan) {
	m, rom := st.manifests[plan.Seat], s.games.roms[plan.ROM.SHA256]
	if rom == nil {
		s.failStart(fmt.Errorf("%v is not on this machine any more", plan.ROM))
		return
	}
	radio := st.radio.Hold()
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
			st.evidence.installs(m, console)
		}
		drop := func() {
			if console != nil {
				console.Close()
			}
			radio.Close()
		}
		return func() {
			if s.start != st || st.failed || s.over {
				drop()
				return
			}
			radio.Close()
			if err != nil {
				s.failStart(err)
				return
			}
			st.consoles[plan.Seat], st.hashes[plan.Seat] = console, hash
			s.installed()
		}, drop
	})
}

// build is [savestate.InstallBy], once more if somebody else kills the console meanwhile: that
// says nothing of the console. It runs on any goroutine.
func (s *session) build(m savestate.Manifest, rom *emucore.ROM, tweak func(*emucore.Config)) (game.Console, ds.Hash, error) {
	console, hash, err := savestate.InstallBy(s.ctx, s.cfg.Start.OrProcess(), m, s.cfg.Core, rom, s.store, tweak)
	var crash *emucore.CrashError
	if errors.As(err, &crash) && crash.Signal == "SIGKILL" && s.ctx.Err() == nil {
		return savestate.InstallBy(s.ctx, s.cfg.Start.OrProcess(), m, s.cfg.Core, rom, s.store, tweak)
	}
	return console, hash, err
}

// openRadio makes the air for the consoles of a round, where the core has
// wireless.
func (s *session) openRadio(st *start) (err error) {
	if !s.cfg.Core.Wireless {
		return nil
	}
	if st.repair != nil {
		st.radio, err = s.restoreRadio(st)
		return err
	}
	var seats []int
	for _, plan := range st.plan.Seats {
		seats = append(seats, plan.Seat)
	}
	st.radio, err = game.NewRadio(game.RadioConfig{
		Seats: seats, Skew: st.plan.Settings.Skew, Serial: s.cfg.Serial, Trace: s.cfg.Trace,
	})
	return err
}

// installed tells the room once all consoles stand.
func (s *session) installed() {
	st := s.start
	if len(st.consoles) < len(st.plan.Seats) || st.evidence.pending() {
		return
	}
	hashes := make([]host.SeatHash, 0, len(st.plan.Seats))
	for _, plan := range st.plan.Seats {
		hashes = append(hashes, host.SeatHash{Seat: plan.Seat, Hash: st.hashes[plan.Seat]})
	}
	var err error
	if st.repair != nil {
		err = s.room.Repaired(time.Now(), st.plan.Round, st.repair.Number, hashes)
	} else {
		err = s.room.Installed(time.Now(), st.plan.Round, hashes)
	}
	if err != nil {
		s.failStart(err)
	}
}

// failStart tells the room that this machine cannot start.
func (s *session) failStart(err error) {
	st := s.start
	if st == nil || st.failed {
		return
	}
	st.failed = true
	if st.repair != nil {
		s.loseGame(err)
		return
	}
	s.err = &Failure{Result: ResultCore, Err: err, Hint: coreHint(err)}
	if err := s.room.Failed(time.Now(), st.plan.Round, err.Error()); err != nil {
		s.drop()
	}
}
