package assembly

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
	"github.com/nettplay/nettplay/savestate"
	"github.com/nettplay/nettplay/savestate/emustate"
)

const padding = 100_000 // bytes of a state, at least

var testCore = emucore.Core{Name: "model", Version: "1", SHA256: [32]byte{1}}

// machine is a session with one seat, of its own number, in a round's start.
type machine struct {
	t    *testing.T
	me   int
	host int // the game host
	rom  *emucore.ROM
	s    *Assembler
	now  time.Time // on the first machine
	gone bool
	jobs []func() // that are over
	sent int      // bytes

	resync *game.Resync
	stands []Standing // our consoles as they stand, for a resync
	radio  *game.Radio
	hashes []room.SeatHash
	failed error
}

func (m *machine) Background(job func() (after, drop func())) {
	if after, _ := job(); after != nil {
		m.jobs = append(m.jobs, after)
	}
}
func (m *machine) Me() int                              { return m.me }
func (m *machine) GameHost() int                        { return m.host }
func (m *machine) ROM([32]byte) *emucore.ROM            { return m.rom }
func (m *machine) Resync() *game.Resync                 { return m.resync }
func (m *machine) Giver(p room.SeatPlan) int            { return p.Machine }
func (m *machine) Agrees(savestate.Manifest) error      { return nil }
func (m *machine) Radio(*Assembly) (*game.Radio, error) { return nil, nil }
func (m *machine) GaveUp(_ *Assembly, err error)        { m.failed = err }

func (m *machine) Assembled(_ *Assembly, hashes []room.SeatHash) error {
	m.hashes = hashes
	return nil
}

func (m *machine) Describe(a *Assembly) {
	switch {
	case m.resync == nil:
		manifest, err := emustate.Capture(ds.Seat(m.me), m.config(ds.Seat(m.me)), nil, m.s.Store())
		if err = errors.Join(err, a.Know(m.me, manifest)); err != nil {
			m.t.Error(err)
		}
	case m.resync.Decision.Machine == m.me:
		a.CaptureAll(m.stands, m.radio, func(err error) { m.failed = err })
	default:
		a.CaptureSame(m.stands, m.radio)
	}
}

// config is what the room has agreed on for a seat's console, with a save of its own.
func (m *machine) config(seat ds.Seat) emucore.Config {
	return emucore.Config{Core: testCore, ROM: m.rom, Firmware: firmware(seat), RTC: 77, SRAM: bytes.Repeat([]byte{byte(seat + 1)}, 512)}
}

func firmware(seat ds.Seat) ds.Firmware {
	return ds.Firmware{Nickname: "P", MAC: [6]byte{0, 9, 0xbf, 0, 0, byte(seat)}}
}

// table is a room of machines, the first of which is game host and connected with all others.
type table []*machine

func newTable(t *testing.T, players int) table {
	t.Helper()
	rom := model.ROM(t, romstest.Pad)
	var list table
	for me := range players {
		m, consoles := &machine{t: t, me: me, rom: rom, now: time.Unix(1, 0)}, &model.Machine{Padding: padding}
		m.s = New(t.Context(), m, Config{Core: testCore, Start: game.Starter(consoles.Start)})
		list = append(list, m)
	}
	return list
}

func (tb table) plan() event.Prepare {
	p := event.Prepare{Round: 1, Settings: room.Settings{Core: room.CoreID{SHA256: testCore.SHA256}, RTC: 77}}
	for me, m := range tb {
		p.Seats = append(p.Seats, room.SeatPlan{Seat: ds.Seat(me), Machine: me, Firmware: firmware(ds.Seat(me)), ROM: room.ROMID{SHA256: m.rom.SHA256}})
	}
	return p
}

// run makes consoles alike on all machines, and returns their hashes.
func (tb table) run(plan event.Prepare) map[ds.Seat]ds.Hash {
	tb[0].t.Helper()
	tb.begin(plan)
	tb.until(func(m *machine) bool { return len(m.hashes) == len(plan.Seats) })
	return tb.alike()
}

func (tb table) begin(plan event.Prepare) {
	var machines []int
	for me := range tb {
		machines = append(machines, me)
	}
	for _, m := range tb {
		m.hashes, m.sent = nil, 0
		m.s.Start(m, plan, machines)
	}
}

// until goes on until something is true of all machines that are here.
func (tb table) until(done func(*machine) bool) {
	t := tb[0].t
	t.Helper()
	for range 20_000 {
		tb.tick()
		if !slices.ContainsFunc(tb, func(m *machine) bool { return !m.gone && !done(m) }) {
			return
		}
	}
	t.Fatal("the consoles do not come")
}

// tick is a millisecond.
func (tb table) tick() {
	tb[0].now = tb[0].now.Add(time.Millisecond)
	for _, m := range tb {
		if m.gone {
			continue
		}
		for len(m.jobs) > 0 {
			job := m.jobs[0]
			m.jobs = m.jobs[1:]
			job()
		}
		m.exchange(tb, tb[0].now)
		m.s.Current().Install()
		if m.failed != nil {
			m.t.Fatalf("machine %d gave up: %v", m.me, m.failed)
		}
	}
}

// exchange sends what a machine has for the others, and takes what has come.
func (m *machine) exchange(tb table, now time.Time) {
	for to, x := range m.s.Exchanges() {
		for _, msg := range x.Outgoing(now, 0, 0) {
			m.sent += len(msg)
			if tb[to].gone {
				continue
			}
			must.Succeed(m.t, tb[to].s.Exchange(m.me).Receive(now, msg))
		}
		for _, e := range x.Events() {
			if _, err := m.s.HandleEvent(to, e); err != nil {
				m.t.Fatalf("machine %d sends machine %d away: %v", m.me, to, err)
			}
		}
	}
}

// alike returns the hashes that all machines have.
func (tb table) alike() map[ds.Seat]ds.Hash {
	first := make(map[ds.Seat]ds.Hash)
	for i, m := range tb {
		if m.gone {
			continue
		}
		list := make(map[ds.Seat]ds.Hash)
		for _, h := range m.hashes {
			list[h.Seat] = h.Hash
		}
		if len(first) == 0 {
			first = list
		} else if !maps.Equal(list, first) {
			m.t.Errorf("machine %d made %v, the first one %v", i, list, first)
		}
	}
	return first
}

// stand has the consoles of a start run for some frames, those of one machine not as on the
// others, up to a resync from a donor.
func (tb table) stand(donor, wrong int) {
	const frames = 5
	t := tb[0].t
	for me, m := range tb {
		consoles := m.s.Current().Take()
		m.s.Current().Close()
		for seat := range ds.Seat(len(tb)) {
			c := consoles[seat].Console
			t.Cleanup(func() { c.Close() })
			for range frames {
				in := inputdelay.Input{}
				if me == wrong && seat == 0 {
					in.Keys = inputdelay.KeyA
				}
				if _, err := c.Step(in); err != nil {
					t.Fatal(err)
				}
			}
			m.stands = append(m.stands, Standing{seat, m.config(seat), c})
		}
		m.resync = &game.Resync{Number: 1, Decision: timeline.Decision{Kind: timeline.Resync, Machine: donor, Frame: frames}}
	}
}
