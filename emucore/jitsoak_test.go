package emucore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/air"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
)

// TestJITSoak plays all test ROMs with 1 to 4 consoles on two machines with the JIT of the
// core that NETTPLAY_TEST_CORE names: consoles run in processes of their own, on one machine
// side by side and on the other one at a time. Between, all consoles are built anew from one
// machine's states, others join late, and every other case a third machine plays again from
// the start, or from one of the places at which all have loaded. NETTPLAY_JITSOAK is how many
// frames of consoles are compared between the two; NETTPLAY_SEEDS, as for TestRadioLong, names
// seeds instead. "make jitsoak" runs it.
//
// A difference ends it, and its case is kept in the folder that NETTPLAY_KEEP names.
func TestJITSoak(t *testing.T) {
	frames, _ := strconv.ParseInt(os.Getenv("NETTPLAY_JITSOAK"), 10, 64)
	path := os.Getenv("NETTPLAY_TEST_CORE")
	if path == "" || frames <= 0 {
		t.Skip("takes an hour: \"make jitsoak\", with NETTPLAY_TEST_CORE=/path/to/melondsds_libretro.so")
	}
	s := &jitSoak{t: t, core: opened(t, path), keep: os.Getenv("NETTPLAY_KEEP"), roms: map[string]*ROM{}, begun: time.Now()}
	if _, ok := ProfileFor(s.core.Name).JITOption(true); !ok {
		t.Skipf("NOT TESTED: %s has no JIT to choose", s.core.Name)
	}
	s.jit = true
	s.run(frames)
}

// TestMixedSoak is the same with two builds of a core, one on each machine, and with the CPUs that rooms have
// by default: NETTPLAY_MIXED is the number of frames, NETTPLAY_CORE_A and NETTPLAY_CORE_B name the builds. States
// of either are loaded by both. "make mixed" runs it.
func TestMixedSoak(t *testing.T) {
	frames, _ := strconv.ParseInt(os.Getenv("NETTPLAY_MIXED"), 10, 64)
	a, b := os.Getenv("NETTPLAY_CORE_A"), os.Getenv("NETTPLAY_CORE_B")
	if a == "" || b == "" || frames <= 0 {
		t.Skip("takes an hour: \"make mixed CORE_A=/path/to/one.so CORE_B=/path/to/other.so\"")
	}
	s := &jitSoak{t: t, core: opened(t, a), keep: os.Getenv("NETTPLAY_KEEP"), roms: map[string]*ROM{}, begun: time.Now()}
	s.other = opened(t, b)
	if s.core.Name != s.other.Name || s.core.SHA256 == s.other.SHA256 {
		t.Fatalf("%s %x and %s %x are not two builds of one core", s.core.Name, s.core.SHA256[:4], s.other.Name, s.other.SHA256[:4])
	}
	s.run(frames)
}

// run plays cases until so many frames are compared.
func (s *jitSoak) run(frames int64) {
	t := s.t
	for _, c := range []Core{s.core, s.other} {
		if c.Name != "" {
			t.Logf("%s %s, SHA-256 %x", c.Name, c.Version, c.SHA256)
		}
	}
	seeds := soak{last: 1 << 30}
	if os.Getenv("NETTPLAY_SEEDS") != "" {
		seeds = soakOf(t)
	}
	for seed := seeds.first; seed <= seeds.last && s.compared < frames && !t.Failed(); seed++ {
		for consoles := 1; consoles <= 4; consoles++ {
			for _, rom := range []string{"pad.nds", "save.nds", "draw3d.nds", "broadcast.nds", "multiplay.nds"} {
				if s.compared < frames && !t.Failed() {
					s.play(soakCase{rom, consoles, seed, soakFrames})
					t.Log(s)
				}
			}
		}
	}
	t.Logf("all in all: %v", s)
}

// soakFrames is how long a case is: a minute of play.
const soakFrames = 3600

// jitSoak is the soak while it runs.
type jitSoak struct {
	t     *testing.T
	core  Core
	other Core // of the second machine; the zero value is the same
	jit   bool
	roms  map[string]*ROM
	keep  string
	begun time.Time

	cases, resyncs, joins, hashes, replays int
	compared, replayed                     int64 // frames of consoles
	packets                                uint64
}

func (s *jitSoak) String() string {
	return fmt.Sprintf("%d cases, %d frames of consoles compared between two machines (%d hashes) and %d of them again in %d replays, %d resyncs, %d late joins, %d packets, %v",
		s.cases, s.compared, s.hashes, s.replayed, s.replays, s.resyncs, s.joins, s.packets, time.Since(s.begun).Round(time.Second))
}

// soakMoment is all consoles and their air at a frame.
type soakMoment struct {
	frame  int64
	states []State
	srams  [][]byte
	air    []byte
}

// soakLook is what two machines compare.
type soakLook struct {
	hashes []ds.Hash
	chain  uint64
}

// soakMachine is one machine of a case.
type soakMachine struct {
	*radioRoom
	soak *jitSoak
	game *radioGame
}

// play plays a case on two machines, and again on a third.
func (s *jitSoak) play(c soakCase) {
	plan := c.plan()
	machines := []*soakMachine{s.machine(c, plan.skew, false), s.machine(c, plan.skew, true)}
	defer func() {
		for _, m := range machines {
			m.close()
		}
	}()
	for _, m := range machines {
		m.begin(plan.first)
	}
	moments := map[int64]*soakMoment{}
	looks := map[int64]soakLook{}
	at, on := int64(0), plan.first
	for _, stop := range plan.stops {
		a, b := machines[0].playTo(stop.frame), machines[1].playTo(stop.frame)
		if err := a.differs(&b); err != nil {
			s.fail(c, stop.frame, err, machines)
			return
		}
		looks[stop.frame] = a
		s.hashes += on
		s.compared += (stop.frame - at) * int64(on)
		at, on = stop.frame, stop.joined
		if stop.event != soakGoesOn {
			moment := machines[stop.donor].moment()
			moments[stop.frame] = moment
			for _, m := range machines {
				m.rebuild(moment, stop.joined)
			}
			s.count(stop)
		}
	}
	s.cases++
	s.packets += machines[0].status().Packets
	if plan.replay&1 == 0 {
		s.replay(c, plan, moments, looks)
	}
}

func (s *jitSoak) count(stop soakStop) {
	if stop.event == soakJoin {
		s.joins++
	} else {
		s.resyncs++
	}
}

// replay plays a case again, from the start or from a place at which all loaded. It takes the
// states that all loaded then.
func (s *jitSoak) replay(c soakCase, plan soakPlan, moments map[int64]*soakMoment, looks map[int64]soakLook) {
	m := s.machine(c, plan.skew, plan.replay&2 == 0)
	defer func() { m.close() }()
	places := []int{-1} // the stop after which it begins
	for i, stop := range plan.stops {
		if stop.event != soakGoesOn {
			places = append(places, i)
		}
	}
	from, at, on := places[plan.replay>>2%uint64(len(places))], int64(0), plan.first
	if from < 0 {
		m.begin(plan.first)
	} else {
		at, on = plan.stops[from].frame, plan.stops[from].joined
		m.rebuild(moments[at], on)
	}
	for _, stop := range plan.stops[from+1:] {
		look, want := m.playTo(stop.frame), looks[stop.frame]
		if err := look.differs(&want); err != nil {
			s.fail(c, stop.frame, fmt.Errorf("a replay from frame %d: %w", at, err), []*soakMachine{m})
			return
		}
		s.replayed += (stop.frame - at) * int64(on)
		at, on = stop.frame, stop.joined
		if stop.event != soakGoesOn {
			m.rebuild(moments[at], on)
		}
	}
	s.replays++
}

// machine makes one without consoles.
func (s *jitSoak) machine(c soakCase, skew int, serial bool) *soakMachine {
	if s.roms[c.rom] == nil {
		rom, err := OpenROM(filepath.Join(testcore.Root(), "roms-test", c.rom))
		must.Succeed(s.t, err)
		s.roms[c.rom] = rom
	}
	core := s.core
	if serial && s.other.Name != "" {
		core = s.other
	}
	g := &radioGame{
		consoles: c.consoles, seed: c.seed, core: core, rom: s.roms[c.rom],
		air: air.Config{Skew: skew, Serial: serial}, lobby: c.rom == "multiplay.nds",
	}
	return &soakMachine{soak: s, game: g, radioRoom: &radioRoom{t: s.t, game: g}}
}

// begin starts the first consoles.
func (m *soakMachine) begin(consoles int) { m.rebuild(&soakMoment{}, consoles) }

// rebuild replaces the air and all consoles by new ones that load a moment; those that it does
// not have begin there.
func (m *soakMachine) rebuild(from *soakMoment, consoles int) {
	t := m.t
	m.close()
	cfg := m.game.air
	cfg.Frame = from.frame
	a, err := air.New(cfg)
	must.Succeed(t, err)
	if from.air != nil {
		err = a.Restore(from.air)
	}
	m.air, m.on, m.frame = a, make([]*Console, consoles), from.frame
	for seat := range m.on {
		if seat >= len(from.states) {
			err = errors.Join(err, a.Plug(ds.Seat(seat)))
		}
		must.Succeed(t, err)
		if m.on[seat], err = Start(context.Background(), m.config(seat, from)); err != nil {
			t.Fatal(err)
		}
		if seat < len(from.states) {
			err = m.on[seat].Load(from.states[seat])
		}
		must.Succeed(t, err)
	}
}

func (m *soakMachine) config(seat int, from *soakMoment) Config {
	cfg := m.game.config(m.air, ds.Seat(seat))
	if m.soak.jit {
		jit, _ := ProfileFor(m.game.core.Name).JITOption(true)
		cfg.Options = []ds.Option{jit}
	}
	if seat < len(from.states) {
		cfg.SRAM = from.srams[seat]
	} else {
		cfg.Frame = from.frame
	}
	return cfg
}

func (m *soakMachine) close() {
	if m.air != nil {
		m.radioRoom.close()
	}
	m.air = nil
}

// playTo plays to a stop and returns what there is to compare.
func (m *soakMachine) playTo(frame int64) soakLook {
	must.Succeed(m.t, errors.Join(m.run(frame)...))
	m.trace = nil
	return soakLook{hashes: m.hashes(), chain: m.status().Chain}
}

func (m *soakMachine) moment() *soakMoment {
	k := &soakMoment{frame: m.frame}
	var err error
	if k.air, err = m.air.Save(); err != nil {
		m.t.Fatal(err)
	}
	for _, c := range m.on {
		state, err := c.Save()
		must.Succeed(m.t, err)
		sram, err := c.SRAM()
		must.Succeed(m.t, err)
		k.states, k.srams = append(k.states, state), append(k.srams, sram)
	}
	return k
}

func (l *soakLook) differs(other *soakLook) error {
	for i := range l.hashes {
		if region := l.hashes[i].Differs(other.hashes[i]); region != "" {
			return fmt.Errorf("seat %d differs in %s: %v and %v", i, region, l.hashes[i], other.hashes[i])
		}
	}
	if l.chain != other.chain || len(l.hashes) != len(other.hashes) {
		return errors.New("what was sent by radio differs")
	}
	return nil
}

// fail keeps what differs.
func (s *jitSoak) fail(c soakCase, frame int64, err error, machines []*soakMachine) {
	s.t.Errorf("%v: at frame %d: %v", c, frame, err)
	s.t.Errorf("again with SEED=%d", c.seed)
	if s.keep == "" {
		return
	}
	dir := filepath.Join(s.keep, fmt.Sprintf("%s-%d-%d-frame%d", c.rom, c.consoles, c.seed, frame))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		s.t.Error(err)
		return
	}
	files := map[string][]byte{"case.txt": fmt.Appendf(nil, "%v\nat frame %d: %v\ncore %s %s, SHA-256 %x\n", c, frame, err, s.core.Name, s.core.Version, s.core.SHA256)}
	for i, m := range machines {
		for seat, console := range m.on {
			if state, err := console.Save(); err == nil {
				files[fmt.Sprintf("machine%d-seat%d.state", i+1, seat+1)] = state.Data
			}
		}
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			s.t.Error(err)
		}
	}
	s.t.Logf("kept in %s", dir)
}

// TestSoakPlans: cases of the soak have all that it is for.
func TestSoakPlans(t *testing.T) {
	var resyncs, joins int
	for seed := range uint64(50) {
		c := soakCase{"pad.nds", 1 + int(seed%4), seed, soakFrames}
		p := c.plan()
		at, on := int64(0), p.first
		for _, s := range p.stops {
			if s.frame <= at || s.joined < on || s.joined > c.consoles || (s.event == soakJoin) != (s.joined > on) {
				t.Fatalf("%v: %+v after frame %d with %d consoles", c, s, at, on)
			}
			at, on = s.frame, s.joined
			if s.event == soakResync {
				resyncs++
			} else if s.event == soakJoin {
				joins++
			}
		}
		if at != c.frames || !slices.Equal(p.stops, c.plan().stops) {
			t.Fatalf("%v: it ends at %d, or is another one each time", c, at)
		}
	}
	if resyncs < 50 || joins < 10 {
		t.Errorf("%d resyncs and %d late joins in 50 cases", resyncs, joins)
	}
}

// A soakCase is one game of the JIT soak. Everything about it follows from its fields.
type soakCase struct {
	rom      string
	consoles int // at its end
	seed     uint64
	frames   int64
}

func (c soakCase) String() string {
	return fmt.Sprintf("%s, %d consoles, seed %d, %d frames", c.rom, c.consoles, c.seed, c.frames)
}

// Events between two stretches of a case.
const (
	soakGoesOn = iota // hashes are compared
	soakResync        // all consoles are built anew from one machine's states
	soakJoin          // so, and another console comes in
)

// A soakStop is a frame at which all consoles of a case stand, and what happens there.
type soakStop struct {
	frame  int64
	event  int
	donor  int // the machine whose states are loaded
	joined int // consoles from here on
}

// A soakPlan is what becomes of a case.
type soakPlan struct {
	first int // consoles that begin
	stops []soakStop
	skew  int
	// Every other case is played again, from the start or from where consoles were built anew.
	replay uint64
}

// plan draws stretches of 60 to 900 frames, a resync at about every third stop, and late joins.
func (c soakCase) plan() soakPlan {
	r := rand.New(rand.NewPCG(c.seed, uint64(c.consoles)))
	p := soakPlan{first: 1 + r.IntN(c.consoles), skew: r.IntN(3), replay: r.Uint64()}
	on := p.first
	for at := int64(0); at < c.frames; {
		at = min(at+60+r.Int64N(841), c.frames)
		s := soakStop{frame: at, donor: r.IntN(2), joined: on}
		switch dice := r.IntN(6); {
		case at == c.frames:
		case dice < 2:
			s.event = soakResync
		case on < c.consoles && (dice == 2 || c.frames-at < c.frames/2):
			s.event, on = soakJoin, on+1
			s.joined = on
		}
		p.stops = append(p.stops, s)
	}
	return p
}
