package session

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/savestate"
)

// start is a round between "prepare" and its first frame: our consoles are
// captured and offered, those of others fetched, and all of them installed.
type start struct {
	plan      host.Prepare
	repair    *repair                     // the consoles replace those of a running game; nil for a new one
	id        uint32                      // see bulkID
	exchanges map[int]*savestate.Exchange // by directly connected machine
	manifests map[int]savestate.Manifest  // by seat
	waiting   map[savestate.Part]bool     // parts still to come
	building  bool
	failed    bool
	consoles  map[int]*emucore.Console
	hashes    map[int]emucore.Hash
	radio     *radio // of the consoles; nil where the core has none
}

// bulk is a message of the bulk channel that came before its round.
type bulk struct {
	peer link.PeerID
	data []byte // with its round
}

// Bulk messages begin with a number for what they are of, because the control
// channel, which announces it, may be slower.
const (
	roundBytes = 4
	maxEarly   = 64
	repairBits = 12 // of that number: which resync; 0 for the start of a round
)

// bulkID is the number of the start of a round, or of one of its resyncs. They
// rise.
func bulkID(round uint32, r *repair) uint32 {
	id := round << repairBits
	if r != nil {
		id += uint32(min(r.number, 1<<repairBits-1))
	}
	return id
}

// prepare begins a round.
func (s *session) prepare(now time.Time, p host.Prepare) {
	var machines []int
	for _, plan := range p.Seats {
		machines = append(machines, plan.Machine)
	}
	s.newStart(now, &start{plan: p}, machines)
}

// newStart begins to make consoles alike on some machines.
func (s *session) newStart(now time.Time, st *start, machines []int) {
	s.drop()
	st.id = bulkID(st.plan.Round, st.repair)
	s.round = st.id
	s.store.Retain(nil)
	st.exchanges, st.manifests = make(map[int]*savestate.Exchange), make(map[int]savestate.Manifest)
	st.waiting = make(map[savestate.Part]bool)
	st.consoles, st.hashes = make(map[int]*emucore.Console), make(map[int]emucore.Hash)
	s.start = st
	for _, machine := range machines {
		if _, direct := s.line(machine); direct && machine != s.me() && st.exchanges[machine] == nil {
			st.exchanges[machine] = savestate.NewExchange(s.store, savestate.ExchangeConfig{
				Rate: s.cfg.Upload,
				Background: func(job func()) {
					s.background(func() (func(), func()) { job(); return func() {}, nil })
				},
			})
		}
	}
	s.captureOwn(st)
	early := s.early
	s.early = nil
	for _, b := range early {
		s.message(now, link.Event{Kind: link.Message, Peer: b.peer, Channel: link.Bulk, Data: b.data})
	}
}

func (s *session) me() int { return s.room.Me().Machine }

// drop forgets a round that is not to be played, and its consoles.
func (s *session) drop() {
	if s.start != nil {
		s.start.close()
		s.start = nil
	}
}

func (st *start) close() {
	for _, x := range st.exchanges {
		x.Close()
	}
	for _, c := range st.consoles {
		c.Close()
	}
	clear(st.consoles)
	st.radio.close()
	st.radio = nil
}

// captureOwn describes the consoles that come from this machine to the others.
func (s *session) captureOwn(st *start) {
	if st.repair != nil {
		if st.repair.decision.Machine == s.me() {
			s.captureAll(st)
		}
		return
	}
	for _, plan := range st.plan.Seats {
		if plan.Machine == s.me() {
			s.capture(plan)
		}
	}
}

// consoleConfig is what the room has agreed on for a console.
func (s *session) consoleConfig(st *start, plan host.SeatPlan) emucore.Config {
	settings := st.plan.Settings
	return emucore.Config{
		Core: s.cfg.Core, ROM: s.games.roms[plan.ROM.SHA256], Options: options(settings),
		Firmware: plan.Firmware, RTC: settings.RTC,
	}
}

// capture describes our own console, switched off, to the others.
func (s *session) capture(plan host.SeatPlan) {
	st := s.start
	cfg := s.consoleConfig(st, plan)
	cfg.SRAM = s.cfg.backup(plan.Seat)
	if cfg.ROM == nil {
		s.failStart(fmt.Errorf("%v is not on this machine any more", plan.ROM))
		return
	}
	have := s.stores[plan.Seat]
	s.background(func() (func(), func()) {
		saved, sram, trouble, err := s.openSaves(plan.Seat, cfg.ROM, have)
		if cfg.SRAM == nil {
			cfg.SRAM = sram
		}
		var m savestate.Manifest
		if err == nil {
			m, err = savestate.Capture(plan.Seat, cfg, nil, s.store)
		}
		return func() {
			s.stores[plan.Seat] = saved
			if trouble != nil {
				s.say("Your save cannot be kept in this game: %v", trouble)
			}
			if s.start != st {
				return
			}
			if err == nil {
				err = s.know(s.me(), m)
			}
			if err != nil {
				s.failStart(err)
			}
		}, nil
	})
}

// know takes a seat's manifest: our own, or one from a machine.
func (s *session) know(from int, m savestate.Manifest) error {
	st := s.start
	plan, err := st.check(from, s.host == nil, m)
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
	if from == s.me() {
		return nil
	}
	for _, p := range m.Parts {
		if !s.store.Has(p) {
			st.waiting[p] = true
		}
	}
	st.exchanges[from].Fetch(m.Parts)
	return nil
}

// check compares a manifest with what the room agreed on: a console that
// differs from that is not built.
func (st *start) check(from int, client bool, m savestate.Manifest) (host.SeatPlan, error) {
	i := slices.IndexFunc(st.plan.Seats, func(p host.SeatPlan) bool { return p.Seat == m.Seat })
	if i < 0 {
		return host.SeatPlan{}, fmt.Errorf("manifest of seat %d, which does not play", m.Seat+1)
	}
	plan, settings := st.plan.Seats[i], st.plan.Settings
	if plan.Machine != from && (!client || from != host.HostMachine) {
		return plan, fmt.Errorf("manifest of seat %d from machine %d, which does not own it", m.Seat+1, from)
	}
	what, frame := "", int64(0)
	if st.repair != nil {
		frame = st.repair.decision.Frame
	}
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
		return plan, nil
	}
	return plan, fmt.Errorf("manifest of seat %d has another %s than the room agreed on", m.Seat+1, what)
}

// bulk takes a message of the bulk channel.
func (s *session) bulk(now time.Time, peer link.PeerID, b []byte) error {
	if len(b) < roundBytes {
		return fmt.Errorf("bulk message of %d bytes", len(b))
	}
	machine, known := s.machine(peer)
	if !known {
		return errors.New("bulk message from outside the room")
	}
	round := binary.LittleEndian.Uint32(b)
	if round > s.round {
		if s.host != nil && round > bulkID(s.round>>repairBits, s.ordered()) {
			return fmt.Errorf("bulk message for start %#x, and the newest is %#x", round, s.round)
		}
		return s.putOff(peer, b)
	}
	if s.start == nil || round < s.round {
		return nil // of a round that is over
	}
	x := s.start.exchanges[machine]
	if x == nil {
		return nil
	}
	return x.Receive(now, b[roundBytes:])
}

// putOff keeps a message for a round that was not announced here yet.
func (s *session) putOff(peer link.PeerID, b []byte) error {
	count := 0
	for _, e := range s.early {
		if e.peer == peer {
			count++
		}
	}
	if count >= maxEarly {
		return fmt.Errorf("%d bulk messages for a round that has not begun", count)
	}
	s.early = append(s.early, bulk{peer, b})
	return nil
}

// workStart moves a round on.
func (s *session) workStart(now time.Time) error {
	st := s.start
	if st == nil {
		return nil
	}
	for machine := range host.MaxMachines {
		x := st.exchanges[machine]
		if x == nil {
			continue
		}
		for _, e := range x.Events() {
			s.exchangeEvent(now, machine, e)
			if s.start != st {
				return nil
			}
		}
		s.send(now, machine, x)
	}
	s.tellProgress(now)
	s.install()
	return nil
}

func (s *session) exchangeEvent(now time.Time, machine int, e savestate.Event) {
	switch e := e.(type) {
	case savestate.ManifestReceived:
		if err := s.know(machine, e.Manifest); err != nil {
			peer, _ := s.line(machine)
			s.hangUp(now, peer, "broke the rules: "+err.Error())
		}
	case savestate.PartDone:
		delete(s.start.waiting, e.Part)
		for _, x := range s.start.exchanges {
			x.Available()
		}
	case savestate.PartFailed:
		s.failStart(fmt.Errorf("fetching %v: %w", e.Part, e.Err))
	}
}

// send sends what an exchange has for a machine.
func (s *session) send(now time.Time, machine int, x *savestate.Exchange) {
	peer, ok := s.line(machine)
	if !ok {
		return
	}
	round := binary.LittleEndian.AppendUint32(nil, s.start.id)
	for _, m := range x.Outgoing(now) {
		if err := s.cfg.Link.Send(peer, link.Bulk, append(slices.Clip(round), m...)); err != nil {
			if errors.Is(err, link.ErrBacklog) {
				s.cfg.Link.Disconnect(peer, "your line does not keep up")
			}
			return
		}
	}
	for _, p := range x.Pulses(now) {
		_ = s.cfg.Link.Send(peer, link.Input, p) // may be lost like any of them
	}
}

// datagram takes a message of the input channel: inputs, or a pulse of an
// exchange.
func (s *session) datagram(now time.Time, peer link.PeerID, b []byte) error {
	machine, known := s.machine(peer)
	if !known {
		return nil // it has just left
	}
	if savestate.IsPulse(b) {
		if s.start != nil && s.start.exchanges[machine] != nil {
			return s.start.exchanges[machine].Receive(now, b)
		}
		return nil
	}
	if s.game == nil {
		return nil // others may begin, or still play, when we do not
	}
	return s.game.receive(machine, b)
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

func (st *start) wake(now time.Time) time.Duration {
	wait := tick
	for _, x := range st.exchanges {
		if at := x.NextWake(now); !at.IsZero() {
			wait = min(wait, at.Sub(now))
		}
	}
	return max(wait, 0)
}

// install builds all consoles once everything for them is here.
func (s *session) install() {
	st := s.start
	if st == nil || st.building || st.failed || len(st.manifests) < len(st.plan.Seats) || len(st.waiting) > 0 {
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
	radio := st.radio.hold()
	tweak := func(cfg *emucore.Config) {
		cfg.TestOptions = s.cfg.TestOptions
		if s.cfg.TestTweak != nil {
			s.cfg.TestTweak(cfg)
		}
		radio.plug(cfg, plan.Seat)
	}
	s.background(func() (func(), func()) {
		console, hash, err := savestate.Install(s.ctx, m, s.cfg.Core, rom, s.store, tweak)
		drop := func() {
			if console != nil {
				console.Close()
			}
			radio.close()
		}
		return func() {
			if s.start != st || st.failed || s.over {
				drop()
				return
			}
			radio.close()
			if err != nil {
				s.failStart(err)
				return
			}
			st.consoles[plan.Seat], st.hashes[plan.Seat] = console, hash
			s.installed()
		}, drop
	})
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
	st.radio, err = newRadio(seats, 0, st.plan.Settings.Skew, s.cfg.Serial, s.cfg.Trace)
	return err
}

// installed tells the room once all consoles stand.
func (s *session) installed() {
	st := s.start
	if len(st.consoles) < len(st.plan.Seats) {
		return
	}
	hashes := make([]host.SeatHash, 0, len(st.plan.Seats))
	for _, plan := range st.plan.Seats {
		hashes = append(hashes, host.SeatHash{Seat: plan.Seat, Hash: st.hashes[plan.Seat]})
	}
	var err error
	if st.repair != nil {
		err = s.room.Repaired(time.Now(), st.plan.Round, st.repair.number, hashes)
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
