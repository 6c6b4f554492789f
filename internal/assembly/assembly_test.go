package assembly

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/model"
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
	rom  *emucore.ROM
	s    *Assembler
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
func (m *machine) GameHost() int                        { return 0 }
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
	paths, err := romstest.WriteFiles(t.TempDir(), romstest.ROM{Name: "pad.nds", Data: romstest.Pad})
	if err != nil {
		t.Fatal(err)
	}
	rom, err := emucore.OpenROM(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	var list table
	for me := range players {
		m, consoles := &machine{t: t, me: me, rom: rom}, &model.Machine{Padding: padding}
		m.s = New(t.Context(), m, Config{Core: testCore, Start: func(ctx context.Context, cfg emucore.Config) (game.Console, error) {
			return consoles.Start(ctx, cfg)
		}})
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
	t, now := tb[0].t, time.Unix(1, 0)
	t.Helper()
	var machines []int
	for me := range tb {
		machines = append(machines, me)
	}
	for _, m := range tb {
		m.hashes, m.sent = nil, 0
		m.s.Begin(m, plan, machines)
	}
	for range 20_000 {
		now = now.Add(time.Millisecond)
		done := 0
		for _, m := range tb {
			for len(m.jobs) > 0 {
				job := m.jobs[0]
				m.jobs = m.jobs[1:]
				job()
			}
			for to, x := range m.s.Exchanges() {
				for _, msg := range append(x.Outgoing(now), x.Probes(now)...) {
					m.sent += len(msg)
					if err := tb[to].s.Exchange(m.me).Receive(now, msg); err != nil {
						t.Fatal(err)
					}
				}
				for _, e := range x.Events() {
					if _, err := m.s.Take(to, e); err != nil {
						t.Fatal(err)
					}
				}
			}
			m.s.Current().Install()
			if m.failed != nil {
				t.Fatalf("machine %d gave up: %v", m.me, m.failed)
			}
			if len(m.hashes) == len(plan.Seats) {
				done++
			}
		}
		if done == len(tb) {
			return tb.alike()
		}
	}
	t.Fatal("the consoles do not come")
	return nil
}

// alike returns the hashes that all machines have.
func (tb table) alike() map[ds.Seat]ds.Hash {
	first := make(map[ds.Seat]ds.Hash)
	for i, m := range tb {
		list := make(map[ds.Seat]ds.Hash)
		for _, h := range m.hashes {
			list[h.Seat] = h.Hash
		}
		if i == 0 {
			first = list
		} else if !maps.Equal(list, first) {
			m.t.Errorf("machine %d made %v, the first one %v", i, list, first)
		}
	}
	return first
}

// All machines get all consoles, each from its owner, through the game host; and a resync
// sends only the console that differs, to the machine that is wrong.
func TestConsolesAreMadeAlike(t *testing.T) {
	tb := newTable(t, 3)
	first := tb.run(tb.plan())
	if len(first) != 3 || first[0].SRAM == first[1].SRAM || first[1].SRAM == first[2].SRAM {
		t.Fatalf("three consoles with saves of their own begin as %v", first)
	}
	plan := tb.plan()
	for i := range plan.Seats {
		plan.Seats[i].Machine = 1 // the donor
	}
	const frames = 5
	for me, m := range tb {
		consoles := m.s.Current().Take()
		m.s.Current().Close()
		for seat := range ds.Seat(3) {
			c := consoles[seat].Console
			defer c.Close()
			for range frames {
				in := inputdelay.Input{}
				if me == 2 && seat == 0 {
					in.Keys = inputdelay.KeyA
				}
				if _, err := c.Step(in); err != nil {
					t.Fatal(err)
				}
			}
			cfg := m.config(seat)
			m.stands = append(m.stands, Standing{seat, cfg, c})
		}
		m.resync = &game.Resync{Number: 1, Decision: timeline.Decision{Kind: timeline.Resync, Machine: 1, Frame: frames}}
	}
	if again := tb.run(plan); len(again) != 3 || maps.Equal(again, first) {
		t.Errorf("after %d frames the consoles are %v", frames, again)
	}
	for me, most := range []int{padding * 3 / 2, padding / 10, padding / 10} {
		if tb[me].sent > most {
			t.Errorf("machine %d sent %d bytes, and one state has %d", me, tb[me].sent, padding)
		}
	}
	if tb[0].sent < padding {
		t.Errorf("the machine that is wrong was sent %d bytes", tb[0].sent)
	}
	for _, m := range tb {
		m.s.Current().Close()
	}
}

// A console that is not what the room agreed on, or that comes from a machine that has no
// say in it, is refused, and nothing of it is fetched.
func TestAnotherConsoleIsRefused(t *testing.T) {
	tb := newTable(t, 3)
	good, err := emustate.Capture(1, tb[1].config(1), nil, tb[1].s.Store())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		words  string
		me     int // which machine hears it
		from   int
		change func(*savestate.Manifest)
	}{
		{"another clock", 0, 1, func(m *savestate.Manifest) { m.RTC++ }},
		{"another ROM", 0, 1, func(m *savestate.Manifest) { m.ROM[0]++ }},
		{"another core than", 0, 1, func(m *savestate.Manifest) { m.Core[0]++ }},
		{"another frame", 0, 1, func(m *savestate.Manifest) { m.Frame++ }},
		{"another firmware settings", 0, 1, func(m *savestate.Manifest) { m.Firmware.MAC[5]++ }},
		{"another core options", 0, 1, func(m *savestate.Manifest) { m.Options = []ds.Option{{Key: "a", Value: "b"}} }},
		{"which does not play", 0, 1, func(m *savestate.Manifest) { m.Seat = 3 }},
		{"from machine 2, which does not own it", 0, 2, func(*savestate.Manifest) {}},
		{"from machine 1, which does not own it", 2, 1, func(m *savestate.Manifest) { m.Seat, m.Firmware = 0, firmware(0) }},
	} {
		m := tb[tt.me]
		m.s.Begin(m, tb.plan(), []int{0, 1, 2})
		bad := good
		tt.change(&bad)
		taken, err := m.s.Take(tt.from, savestate.ManifestReceived{Manifest: bad})
		if tt.me != 0 { // clients hear nobody but the game host
			taken, err = true, m.s.Current().Know(tt.from, bad)
		}
		if !taken || err == nil || !strings.Contains(err.Error(), tt.words) {
			t.Errorf("%s: taken %v, %v", tt.words, taken, err)
		}
		if x := m.s.Current(); len(x.waiting) > 0 || len(x.manifests) != 1 {
			t.Errorf("%s: it is waited for", tt.words)
		}
	}
}
