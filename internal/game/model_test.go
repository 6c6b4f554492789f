package game

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// model is a console whose hash is a function of all its inputs, and which
// remembers them.
type model struct {
	Console
	inputs []inputdelay.Input
	hash   uint64
	broken func(frame int64) error // may be nil
	closed bool
	notes  map[int]model // by place
	backs  int
}

func (m *model) Advance(in inputdelay.Input) (emucore.Frame, error) { return m.Step(in) }

func (m *model) Step(in inputdelay.Input) (emucore.Frame, error) {
	n := int64(len(m.inputs))
	if m.broken != nil {
		if err := m.broken(n); err != nil {
			return emucore.Frame{}, err
		}
	}
	m.inputs = append(m.inputs, in)
	h := fnv.New64a()
	_ = binary.Write(h, binary.LittleEndian, []uint64{m.hash, uint64(n), uint64(in.Keys), uint64(in.X), uint64(in.Y)})
	m.hash = h.Sum64()
	return emucore.Frame{Number: n, Audio: []int16{int16(m.hash)}}, nil
}

func (m *model) Hash() (ds.Hash, error)      { return ds.Hash{RAM: m.hash}, nil }
func (m *model) Video() emucore.Video        { return emucore.Video{} }
func (m *model) SRAM() ([]byte, error)       { return nil, nil }
func (m *model) SwitchOn() error             { return nil }
func (m *model) Close() error                { m.closed = true; return nil }
func (m *model) applied() []inputdelay.Input { return m.inputs }
func scripted(seat ds.Seat, seed uint64) *inputdelay.Script {
	return inputdelay.RandomScript(seed+uint64(seat), 4000)
}

// world is several machines' games with a bad network between them, in virtual
// time and without a socket. Machine n owns seat n; machine 0 is the game host,
// whose decisions and promises are made here by the rules of package host.
type world struct {
	t        *testing.T
	rng      *rand.Rand
	now      time.Time
	machines []*machine
	host     int
	packets  []packet
	end      int64 // first frame that no console runs; never while undecided
	promised ds.Horizon
	delay    int // at frame 0
	longest  int
	timeline []timeline.Decision

	loss, twice  float64
	steady       bool // no console takes long
	sent         func(from, to int, data []byte)
	base, jitter time.Duration
	far          map[int]time.Duration // what the line of a machine takes besides, each way
	dark         time.Time             // nothing passes before it
	seed         uint64
	drift        map[int]float64 // by which share a machine's clock runs fast
	clocked      bool
	worse        map[int]float64         // what is lost of a machine's datagrams, either way
	cut          func(from, to int) bool // nothing passes this way; nil: all does
	lines        map[[2]int]*badLine     // by from and to, instead of loss, base and jitter; nil for none
}

// machine is one of them.
type machine struct {
	g       *Game
	models  []*model
	script  *inputdelay.Script
	slow    time.Duration // what a frame takes
	begins  time.Time     // it has no game before
	jobs    []finished
	gone    time.Time // when it vanished
	buried  bool      // the game host knows
	samples int64
	hashes  map[hashKey]uint64
	orders  int // decisions heard
}

type hashKey struct {
	seat  int
	frame int64
}

type finished struct {
	at time.Time
	r  Outcome
}

// packet is a datagram, or a decision on its reliable way.
type packet struct {
	at       time.Time
	from, to int
	data     []byte
	decision *timeline.Decision
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
	w := &world{
		t: t, clocked: clocked, rng: rand.New(rand.NewPCG(seed, 1)), now: time.Unix(1000, 0), end: Never, delay: delay, longest: delay, seed: seed,
		base: 30 * time.Millisecond, jitter: 10 * time.Millisecond,
	}
	w.promised = ds.Horizon{Frame: timeline.Margin(delay), Decisions: 1}
	w.timeline = []timeline.Decision{{Kind: timeline.Start}}
	for i := range machines {
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
			c := new(model)
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
		w.t.Fatalf("machine %d at %v: %v", machine, w.now.Sub(time.Unix(1000, 0)), err)
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
			w.packets = append(w.packets, packet{at: w.now.Add(w.base + time.Duration(w.rng.Int64N(int64(200*time.Millisecond)))), from: w.host, to: i, decision: &d})
		}
	}
	return d
}

// vanish ends a machine without a word.
func (w *world) vanish(machine int) { w.machines[machine].gone = w.now }

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
	if l := w.lines[[2]int{from, to}]; l != nil {
		for _, at := range l.send(w.now) {
			w.packets = append(w.packets, packet{at: at, from: from, to: to, data: slices.Clone(data)})
		}
		return
	}
	copies := 1
	if w.rng.Float64() < w.twice {
		copies = 2
	}
	for range copies {
		if w.rng.Float64() < w.loss+w.worse[from]+w.worse[to] || w.now.Before(w.dark) || w.cut != nil && w.cut(from, to) {
			continue
		}
		late := w.base + w.far[from] + w.far[to] + time.Duration((w.rng.Float64()*2-1)*float64(w.jitter))
		w.packets = append(w.packets, packet{at: w.now.Add(late), from: from, to: to, data: slices.Clone(data)})
	}
}

// deliver hands over what is due. Decisions of the timeline keep their order.
func (w *world) deliver() {
	rest := w.packets[:0]
	for _, p := range w.packets {
		m := w.machines[p.to]
		switch {
		case p.at.After(w.now):
			rest = append(rest, p)
		case !m.gone.IsZero() || w.machines[p.from].buried || w.now.Before(m.begins):
		case p.decision != nil:
			m.orders++
		default:
			w.must(p.to, m.g.Receive(w.clock(p.to), p.from, p.data))
		}
	}
	w.packets = rest
	for i, m := range w.machines {
		for i != w.host && m.orders > 0 && m.gone.IsZero() {
			m.orders--
			w.must(i, m.g.Decide(w.timeline[m.g.feed.decisions]))
		}
	}
}

// clock is what a machine's own clock shows.
func (w *world) clock(machine int) time.Time {
	return w.now.Add(time.Duration(w.drift[machine] * float64(w.now.Sub(time.Unix(1000, 0)))))
}

// work lets one machine do what it can now.
func (w *world) work(i int) {
	m := w.machines[i]
	for k := 0; k < len(m.jobs); k++ {
		if !m.jobs[k].at.After(w.now) {
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
		m.jobs = append(m.jobs, finished{w.now.Add(took), r})
	}
	slices.SortFunc(m.jobs, func(a, b finished) int { return int(a.r.seat - b.r.seat) })
}

// run plays for a virtual time or until every machine is at the end. Each
// millisecond each calls event, which may be nil.
func (w *world) run(limit time.Duration, event func(ms int)) {
	w.t.Helper()
	for ms := range int(limit / time.Millisecond) {
		w.now = w.now.Add(time.Millisecond)
		if event != nil {
			event(ms)
		}
		w.deliver()
		done := true
		for i, m := range w.machines {
			if !m.gone.IsZero() {
				if !m.buried && w.now.Sub(m.gone) > 500*time.Millisecond {
					w.bury(i)
				}
				continue
			}
			if w.now.Before(m.begins) {
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
	dead.gone, dead.buried = w.now, true
	w.packets = nil // nobody listens any more
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
			for ; m.g.feed.decisions < known; m.orders = 0 {
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
