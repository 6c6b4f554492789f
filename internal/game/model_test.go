package game

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/impair"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/virtual"
)

func scripted(seat ds.Seat, seed uint64) *inputdelay.Script {
	return inputdelay.RandomScript(seed+uint64(seat), 4000)
}

// Lines between machines, each way.
var (
	usual = impair.Impairment{Delay: 30 * time.Millisecond, Jitter: 10 * time.Millisecond}
	leaky = impair.Impairment{Delay: 30 * time.Millisecond, Jitter: 10 * time.Millisecond, Loss: 0.05, Duplicate: 0.05}
	bad   = impair.Impairment{Delay: 60 * time.Millisecond, Jitter: 50 * time.Millisecond, Loss: 0.1, Duplicate: 0.05}
)

// even is a line that loses nothing.
func even(delay, jitter time.Duration) impair.Impairment {
	return impair.Impairment{Delay: delay, Jitter: jitter}
}

// world is several machines' games with lines between them, in virtual
// time and without a socket. Machine n owns seat n; machine 0 is the game host,
// whose decisions and promises are made here by the rules of package host.
type world struct {
	*virtual.World
	t        *testing.T
	rng      *rand.Rand
	machines []*machine
	lines    [][]*virtual.Line // by from and to; usual at first
	host     int
	term     int   // of the game host: what was sent in an earlier one, nobody hears
	end      int64 // first frame that no console runs; never while undecided
	promised ds.Horizon
	delay    int // at frame 0
	longest  int
	timeline []timeline.Decision

	steady  bool // no console takes long
	sent    func(from, to int, data []byte)
	drift   map[int]float64 // by which share a machine's clock runs fast
	clocked bool
}

// machine is one of them.
type machine struct {
	g       *Game
	models  []*model.Console
	script  *inputdelay.Script
	slow    time.Duration // what a frame takes
	begins  time.Time     // it has no game before
	jobs    []finished
	gone    time.Time // when it vanished
	buried  bool      // the game host knows
	samples int64
	hashes  map[hashKey]uint64
}

type hashKey struct {
	seat  int
	frame int64
}

type finished struct {
	at time.Time
	r  Outcome
}

func newWorld(t *testing.T, seed uint64, machines, delay int) *world {
	return newWorldOf(t, seed, machines, delay, false)
}

// newWorldOf is newWorld, in lockstep or clocked.
func newWorldOf(t *testing.T, seed uint64, machines, delay int, clocked bool) *world {
	return newWorldWith(t, seed, machines, delay, func(cfg *Config) { cfg.Clocked = clocked })
}

// newWorldWith is newWorld, with other settings.
func newWorldWith(t *testing.T, seed uint64, machines, delay int, change func(*Config)) *world {
	var probe Config
	change(&probe)
	clocked := probe.Clocked
	w := &world{World: &virtual.World{}, t: t, clocked: clocked, rng: rand.New(rand.NewPCG(seed, 1)), end: Never, delay: delay, longest: delay}
	w.promised = ds.Horizon{Frame: timeline.Margin(delay), Decisions: 1}
	w.timeline = []timeline.Decision{{Kind: timeline.Start}}
	for i := range machines {
		w.lines = append(w.lines, nil)
		for to := range machines {
			w.lines[i] = append(w.lines[i], w.NewLine(usual, seed, uint64(i*machines+to)))
		}
		m := &machine{slow: 3 * time.Millisecond, hashes: make(map[hashKey]uint64), script: scripted(ds.Seat(i), seed)}
		cfg := Config{
			Round: 1, Me: i, Host: 0, Delay: delay, HashEvery: 10, Horizon: w.promised,
			Sample: func(_ ds.Seat, frame int64) inputdelay.Input {
				if frame < m.samples || frame > m.samples && !clocked { // who takes over another's clock may skip some
					t.Errorf("machine %d is asked for the input of frame %d, the next one is %d", i, frame, m.samples)
				}
				m.samples = frame + 1
				return m.script.At(frame)
			},
		}
		for seat := range machines {
			c := model.Bare()
			m.models = append(m.models, c)
			cfg.Machines = append(cfg.Machines, seat)
			cfg.Seats = append(cfg.Seats, SeatConfig{Seat: ds.Seat(seat), Owner: seat, Nickname: fmt.Sprint("player ", seat), Console: c})
		}
		change(&cfg)
		g, err := New(cfg)
		must.Succeed(t, err)
		m.g = g
		w.machines = append(w.machines, m)
		w.must(i, g.Decide(w.timeline[0]))
	}
	t.Cleanup(func() {
		for _, m := range w.machines {
			m.g.Close()
		}
	})
	return w
}

func (w *world) must(machine int, err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("machine %d at %v: %v", machine, w.Now, err)
	}
}

// each changes the lines of some machines, from and to them, or all.
func (w *world) each(change func(*virtual.Line), machines ...int) {
	for from, list := range w.lines {
		for to, l := range list {
			if len(machines) == 0 || slices.Contains(machines, from) || slices.Contains(machines, to) {
				change(l)
			}
		}
	}
}

// set makes these lines like this.
func (w *world) set(imp impair.Impairment, machines ...int) {
	w.each(func(l *virtual.Line) { l.Impairment = imp }, machines...)
}

// dark has nothing of what is sent by these lines arrive, or all again.
func (w *world) dark(is bool, machines ...int) {
	w.each(func(l *virtual.Line) { l.Dark = is }, machines...)
}

// darkFor has nothing pass for a while.
func (w *world) darkFor(d time.Duration) {
	w.dark(true)
	w.At(w.Now+d, func() { w.dark(false) })
}

// hearing is what a machine does with something that comes now and was sent in a term, if it hears it.
func (w *world) hearing(from, to int, do func(*Game) error) func() {
	term := w.term
	return func() {
		m := w.machines[to]
		if term == w.term && m.gone.IsZero() && !w.machines[from].buried && !w.Time().Before(m.begins) {
			w.must(to, do(m.g))
		}
	}
}

// decide is the game host's decision, which reaches everyone in order.
func (w *world) decide(d timeline.Decision) timeline.Decision {
	d.Frame = max(d.Frame, w.promised.Frame)
	if d.Kind == timeline.SetDelay || d.Kind == timeline.SeatDelay {
		w.longest = max(w.longest, d.Delay)
	}
	if d.Kind == timeline.End {
		w.end = min(w.end, d.Frame)
	}
	w.timeline = append(w.timeline, d)
	w.promised.Decisions++
	w.must(w.host, w.machines[w.host].g.Decide(d))
	for i := range w.machines {
		if i != w.host {
			late := w.lines[w.host][i].Delay + time.Duration(w.rng.Int64N(int64(200*time.Millisecond)))
			w.At(w.Now+late, w.hearing(w.host, i, func(g *Game) error { return g.Decide(w.timeline[g.feed.decisions]) })) // in order
		}
	}
	return d
}

// vanish ends a machine without a word.
func (w *world) vanish(machine int) { w.machines[machine].gone = w.Time() }

// bury is what the session of the game host does when a connection is lost.
func (w *world) bury(machine int) {
	g := w.machines[w.host].g
	w.machines[machine].buried = true
	g.Drop(machine)
	w.decide(timeline.Decision{Kind: timeline.Leave, Seat: ds.Seat(machine), InputEnd: g.seat(ds.Seat(machine)).queue.Newest() + 1})
	if g.Solo() {
		w.decide(timeline.Decision{Kind: timeline.End})
	}
}

func (w *world) send(from, to int, data []byte) {
	if w.sent != nil {
		w.sent(from, to, data)
	}
	data = slices.Clone(data)
	w.lines[from][to].Send(len(data), w.hearing(from, to, func(g *Game) error { return g.Receive(w.clock(to), from, data) }))
}

// clock is what a machine's own clock shows.
func (w *world) clock(machine int) time.Time {
	return w.Time().Add(time.Duration(w.drift[machine] * float64(w.Now)))
}

// work lets one machine do what it can now.
func (w *world) work(i int) {
	m := w.machines[i]
	for k := 0; k < len(m.jobs); k++ {
		if !m.jobs[k].at.After(w.Time()) {
			w.must(i, m.g.Finish(m.jobs[k].r))
			m.jobs = slices.Delete(m.jobs, k, k+1)
			k--
		}
	}
	if i == w.host {
		w.promised.Frame = max(w.promised.Frame, m.g.Slowest()+timeline.Margin(w.longest))
		m.g.SetHorizon(w.promised)
	}
	begun := m.g.begun
	err := m.g.Advance(w.clock(i))
	w.must(i, err)
	if m.g.begun > begun && !w.clocked {
		w.checkAhead(i)
	}
	w.collect(m)
	if now := w.clock(i); m.g.Due(now) <= 0 {
		m.g.Datagrams(now, func(to int, b []byte) { w.send(i, to, b) })
	}
	for _, h := range m.g.Hashed() {
		key := hashKey{int(h.Seat), h.Frame}
		if _, twice := m.hashes[key]; twice {
			w.t.Fatalf("machine %d reports the hash of seat %d after frame %d twice", i, h.Seat, h.Frame)
		}
		m.hashes[key] = h.Hash.RAM
	}
}

// collect waits for the consoles that were let run; that they take virtual time
// shows when their outcome is handed to the game. The order in which goroutines end
// decides nothing.
func (w *world) collect(m *machine) {
	running := -len(m.jobs)
	for _, s := range m.g.seats {
		if s.busy {
			running++
		}
	}
	var ended []Outcome
	for ; running > 0; running-- {
		ended = append(ended, <-m.g.done)
	}
	slices.SortFunc(ended, func(a, b Outcome) int { return int(a.seat - b.seat) })
	for _, r := range ended {
		took := m.slow
		if !w.steady && w.rng.IntN(500) == 0 {
			took += 100 * time.Millisecond
		}
		m.jobs = append(m.jobs, finished{w.Time().Add(took), r})
	}
	slices.SortFunc(m.jobs, func(a, b finished) int { return int(a.r.seat - b.r.seat) })
}

// run plays for a virtual time or until every machine is at the end. Each
// millisecond each calls event, which may be nil.
func (w *world) run(limit time.Duration, event func(ms int)) {
	w.t.Helper()
	for ms := range int(limit / time.Millisecond) {
		w.Pass(time.Millisecond)
		if event != nil {
			event(ms)
		}
		done := true
		for i, m := range w.machines {
			if !m.gone.IsZero() {
				if !m.buried && w.Time().Sub(m.gone) > 500*time.Millisecond {
					w.bury(i)
				}
				continue
			}
			if w.Time().Before(m.begins) {
				done = false
				continue
			}
			w.work(i)
			done = done && m.g.Finished()
		}
		if done {
			return
		}
	}
}

// elect has the game host vanish and another machine take its place, with what all others
// know.
func (w *world) elect(host int) {
	w.t.Helper()
	dead := w.machines[w.host]
	dead.gone, dead.buried = w.Time(), true
	w.term++
	var bundle [][]byte
	known := uint32(0)
	for _, m := range w.machines {
		if m.gone.IsZero() {
			bundle = append(bundle, m.g.Bundle()...)
			w.promised.Frame = max(w.promised.Frame, m.g.Promised())
			known = max(known, m.g.feed.decisions)
		}
	}
	w.machines[host].g.AddBundle(bundle)
	for i, m := range w.machines {
		if m.gone.IsZero() {
			for m.g.feed.decisions < known {
				w.must(i, m.g.Decide(w.timeline[m.g.feed.decisions]))
			}
			w.must(i, m.g.Rewire(host))
		}
	}
	old := w.host
	w.host = host
	g := w.machines[host].g
	g.Drop(old)
	w.decide(timeline.Decision{Kind: timeline.Leave, Seat: ds.Seat(old), InputEnd: g.seat(ds.Seat(old)).queue.Newest() + 1})
}
