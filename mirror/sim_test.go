package mirror

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/impair"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/virtual"
)

// The simulation plays whole games: a star of machines, with the game host's in
// the middle, over lines that lose, double, delay and reorder datagrams.
// Everything in it comes from one seed.

const tick = 10 * time.Millisecond

// simConfig is a game and the lines it is played over.
type simConfig struct {
	seed     uint64
	seats    [][]ds.Seat // that each machine owns
	frames   int64
	delay    int
	changes  int // one in how many frames changes the delay; 0: none
	line     impair.Impairment
	blackout [2]time.Duration // between which nothing is sent that arrives
	leave    map[int]int64    // machine: the frame at which it dies
	budget   int              // of windows in a datagram; 0: what fits
}

// sim is a game that runs.
type sim struct {
	simConfig
	*virtual.World
	t        *testing.T
	rng      *rand.Rand
	machines []*machine
	lines    map[[2]int]*virtual.Line        // from and to
	truth    [ds.MaxSeats][]inputdelay.Input // by frame, as its owner's queue said first
}

// machine is one player's computer.
type machine struct {
	id       int
	frame    int64 // next to run
	queues   [ds.MaxSeats]*inputdelay.Queue
	host     *Host
	clients  map[int]*Client
	pressure *Pressure
	gone     [ds.MaxSeats]int64 // frame from which a seat is not played; 0: played
	dead     bool
	sampled  int64 // local frames
	put      map[SeatFrame]int
	applied  [ds.MaxSeats][]inputdelay.Input
	in       Datagram
}

func newSim(t *testing.T, cfg simConfig) *sim {
	s := &sim{simConfig: cfg, World: &virtual.World{}, t: t, rng: rand.New(rand.NewPCG(cfg.seed, 99)), lines: map[[2]int]*virtual.Line{}}
	var all []ds.Seat
	for id, own := range cfg.seats {
		all = append(all, own...)
		s.machines = append(s.machines, &machine{
			id: id, host: NewHost(), clients: map[int]*Client{}, pressure: new(Pressure), put: map[SeatFrame]int{},
		})
	}
	for _, m := range s.machines {
		for _, seat := range all {
			l, err := inputdelay.NewQueue(0, cfg.delay)
			must.Succeed(t, err)
			m.queues[seat] = l
		}
		for other, own := range cfg.seats {
			m.pressure.Add(other)
			s.lines[[2]int{m.id, other}] = s.NewLine(cfg.line, cfg.seed, uint64(m.id*len(cfg.seats)+other))
			switch {
			case other == m.id:
			case m.id == 0:
				m.clients[other] = NewClient(other, own)
				m.host.AddClient(other, without(all, own))
			case other == 0:
				m.clients[0] = NewClient(0, without(all, cfg.seats[m.id]))
				m.host.AddClient(0, cfg.seats[m.id])
			}
		}
		for _, seat := range all {
			if m.id == 0 || slices.Contains(cfg.seats[m.id], seat) {
				m.host.AddSeat(seat, int64(cfg.delay))
			}
		}
	}
	for _, seat := range all {
		s.truth[seat] = make([]inputdelay.Input, cfg.delay)
	}
	return s
}

func without(all, some []ds.Seat) []ds.Seat {
	return slices.DeleteFunc(slices.Clone(all), func(x ds.Seat) bool { return slices.Contains(some, x) })
}

// run plays until every machine that lives has run all frames.
func (s *sim) run() {
	done := false
	s.Every(tick, func() {
		dark := s.Now >= s.blackout[0] && s.Now < s.blackout[1]
		for _, l := range s.lines {
			l.Dark = dark
		}
		done = true
		for _, m := range s.machines {
			if m.dead {
				continue
			}
			for range s.rng.IntN(3) { // machines hurry and dawdle
				s.step(m)
			}
			s.send(m)
			done = done && m.frame == s.frames
		}
		s.checkDrift()
	})
	if s.Run((time.Duration(s.frames)*20+5000)*tick, func() bool { return done }); !done {
		s.t.Fatalf("deadlock: after %v %s", s.Now, s.where())
	}
	s.checkEnd()
}

func (s *sim) where() (text string) {
	for _, m := range s.machines {
		text += fmt.Sprintf("machine %d is at frame %d; ", m.id, m.frame)
	}
	return text
}

// step runs a frame if everything for it is there.
func (s *sim) step(m *machine) {
	if m.frame == s.frames || m.dead {
		return
	}
	if f, dies := s.leave[m.id]; dies && m.frame == f {
		s.die(m)
		return
	}
	if m.sampled == m.frame {
		s.sample(m)
	}
	if len(m.pressure.Behind(m.frame)) > 0 {
		return
	}
	for seat, l := range m.queues {
		if l == nil || s.over(m, ds.Seat(seat)) {
			continue
		}
		if _, ok := l.At(m.frame); !ok {
			return // starved
		}
	}
	for seat, l := range m.queues {
		if l == nil || s.over(m, ds.Seat(seat)) {
			continue
		}
		in, _ := l.At(m.frame)
		m.applied[seat] = append(m.applied[seat], in)
		l.Forget(m.frame)
	}
	m.frame++
	m.pressure.Report(m.id, m.frame)
}

// over reports whether a seat is not played at the machine's frame.
func (s *sim) over(m *machine, seat ds.Seat) bool {
	return m.gone[seat] > 0 && m.frame >= m.gone[seat]
}

// sample takes the input of the machine's seats before its next frame.
func (s *sim) sample(m *machine) {
	f := m.frame
	for _, seat := range s.seats[m.id] {
		l := m.queues[seat]
		if s.changes > 0 && s.rng.IntN(s.changes) == 0 {
			at := f + s.rng.Int64N(20)
			must.Succeed(s.t, l.SetDelay(at, s.rng.IntN(ds.MaxDelay+1)))
		}
		in := inputdelay.Input{Keys: inputdelay.Keys(s.rng.Uint32()) & 0x0fff}
		if s.rng.IntN(2) == 0 && f > 0 {
			in = s.truth[seat][max(0, len(s.truth[seat])-1)]
		}
		if s.rng.IntN(5) == 0 {
			in.Keys |= inputdelay.Touch
			in.X, in.Y = uint8(s.rng.Uint32()), uint8(s.rng.IntN(192))
		}
		from, to, err := l.Push(f, in.Normal())
		must.Succeed(s.t, err)
		for g := from; g < to; g++ {
			in, _ := l.At(g)
			if g != int64(len(s.truth[seat])) {
				s.t.Fatalf("seat %d: frame %d was pushed, %d is next", seat, g, len(s.truth[seat]))
			}
			s.truth[seat] = append(s.truth[seat], in)
			must.Succeed(s.t, m.host.Put(seat, g, in))
		}
	}
	m.sampled++
}

// die takes a machine out. The game host decides at once how far its seats go
// on, and every other machine hears of it some time.
func (s *sim) die(m *machine) {
	m.dead = true
	for _, seat := range s.seats[m.id] {
		hub := s.machines[0]
		from := hub.queues[seat].Newest() + 1
		end := from + 40
		s.truth[seat] = append(s.truth[seat][:from], make([]inputdelay.Input, 40)...)
		for f := from; f < end; f++ {
			must.Succeed(s.t, hub.host.Put(seat, f, inputdelay.Input{}))
		}
		for _, other := range s.machines {
			if !other.dead {
				s.At(s.Now+time.Duration(other.id*s.rng.IntN(60))*tick, func() { s.cut(other, m.id, seat, from, end) })
			}
		}
	}
	s.machines[0].host.RemoveClient(m.id)
}

// send sends one datagram to every machine that m is connected to.
func (s *sim) send(m *machine) {
	for id := range s.machines {
		if _, connected := m.clients[id]; !connected {
			continue
		}
		d := Datagram{Machine: m.id, Round: 7, Frames: []MachineFrame{{m.id, m.frame}}}
		if m.id == 0 {
			for _, f := range m.pressure.Frames() {
				if f.Machine != 0 {
					d.Frames = append(d.Frames, f)
				}
			}
		}
		for seat, l := range m.queues {
			if l != nil {
				d.Acks = append(d.Acks, SeatFrame{ds.Seat(seat), l.Newest()})
			}
		}
		budget := d.Budget()
		if s.budget > 0 {
			budget = s.budget
		}
		d.Windows = m.host.Windows(id, budget)
		data := d.Append(nil)
		if len(data) > MaxDatagram {
			s.t.Fatalf("datagram of %d bytes", len(data))
		}
		s.lines[[2]int{m.id, id}].Send(len(data), func() { s.receive(s.machines[id], m, data) })
	}
}

// cut carries out what the game host decides when a machine dies: its seat is neutral from its last input on, and gone from
// frame end on.
func (s *sim) cut(m *machine, dead int, seat ds.Seat, from, end int64) {
	if m.dead {
		return
	}
	if err := m.queues[seat].Cut(from, end); err != nil {
		s.t.Fatalf("machine %d at frame %d: %v", m.id, m.frame, err)
	}
	m.gone[seat] = end
	m.pressure.Remove(dead)
}

// receive takes a datagram in.
func (s *sim) receive(m, from *machine, data []byte) {
	if m.dead || from.dead {
		return
	}
	must.Succeed(s.t, m.in.Decode(data))
	fresh, err := m.clients[from.id].Receive(m.in, func(seat ds.Seat) *inputdelay.Queue { return m.queues[seat] })
	if err != nil {
		s.t.Fatalf("machine %d: %v", m.id, err)
	}
	for _, f := range fresh {
		m.put[f]++
		if m.id == 0 {
			s.relay(m, f.Seat)
		}
	}
	if err := m.host.Ack(from.id, m.in.Acks); err != nil {
		s.t.Fatalf("machine %d: %v", m.id, err)
	}
	for _, f := range m.in.Frames {
		if f.Machine == from.id || from.id == 0 {
			m.pressure.Report(f.Machine, f.Frame)
		}
	}
}

// relay passes on what the game host's machine holds of a seat.
func (s *sim) relay(m *machine, seat ds.Seat) {
	l := m.queues[seat]
	for f, _ := m.host.Next(seat); f <= l.Newest(); f++ {
		in, ok := l.At(f)
		if !ok {
			s.t.Fatalf("frame %d of seat %d was forgotten before it was passed on", f, seat)
		}
		must.Succeed(s.t, m.host.Put(seat, f, in))
	}
}

// checkDrift checks that nobody ran further ahead than the rules allow.
func (s *sim) checkDrift() {
	for _, a := range s.machines {
		for _, b := range s.machines {
			if !a.dead && !b.dead && a.frame-b.frame > ds.MaxBehind+1 {
				s.t.Fatalf("after %v: %s", s.Now, s.where())
			}
		}
	}
}

// checkEnd compares what every machine applied with what the owners gave.
func (s *sim) checkEnd() {
	for _, m := range s.machines {
		if m.dead {
			continue
		}
		for sf, n := range m.put {
			if n != 1 {
				s.t.Errorf("machine %d got frame %d of seat %d %d times", m.id, sf.Frame, sf.Seat, n)
			}
		}
		for owner, seats := range s.seats {
			for _, seat := range seats {
				want := s.truth[seat]
				end := s.frames
				if s.machines[owner].dead {
					end = m.gone[seat]
				}
				if got := m.applied[seat]; int64(len(got)) != end || !slices.Equal(got, want[:end]) {
					s.t.Errorf("machine %d applied %d frames of seat %d, want %d, or other inputs than its owner's",
						m.id, len(got), seat, end)
				}
			}
		}
	}
}

// Whole games over connections of all kinds, each with several seeds.
func TestGames(t *testing.T) {
	pair := [][]ds.Seat{{0}, {1}}
	star := [][]ds.Seat{{0}, {1}, {2}}
	full := [][]ds.Seat{{0, 1}, {2}, {3, 4}, {5}, {6}, {7}, {8, 9}, {10}}
	bad := simConfig{frames: 1500, delay: 4, line: impair.Impairment{Loss: 0.2, Duplicate: 0.1, Delay: 6 * tick, Jitter: 3 * tick}}
	tests := []struct {
		name   string
		change func(*simConfig)
	}{
		{"a perfect connection", func(c *simConfig) { *c = simConfig{frames: 500, delay: 4, seats: pair} }},
		{"no delay", func(c *simConfig) { c.seats, c.delay, c.frames = pair, 0, 300 }},
		{"two players", func(c *simConfig) { c.seats = pair }},
		{"three players", func(c *simConfig) { c.seats = star }},
		{"ten seats on eight machines", func(c *simConfig) { c.seats, c.frames = full, 400 }},
		{"the delay changes", func(c *simConfig) { c.seats, c.changes = star, 30 }},
		{"the delay changes all the time", func(c *simConfig) { c.seats, c.changes = pair, 2 }},
		{"half of it lost", func(c *simConfig) { c.seats, c.line.Loss, c.changes = star, 0.5, 50 }},
		{"a blackout", func(c *simConfig) {
			c.seats, c.blackout, c.changes = star, [2]time.Duration{200 * tick, 1200 * tick}, 50
		}},
		{"tiny datagrams", func(c *simConfig) { c.seats, c.budget, c.frames = star, 40, 500 }},
		{"a machine dies", func(c *simConfig) { c.seats, c.leave = star, map[int]int64{2: 700} }},
		{"all but one die", func(c *simConfig) {
			c.seats, c.leave, c.changes = full, map[int]int64{1: 30, 2: 30, 3: 31, 4: 90, 5: 91, 6: 100, 7: 200}, 30
			c.frames = 400
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for seed := range uint64(6) {
				cfg := bad
				cfg.seed = seed
				tt.change(&cfg)
				newSim(t, cfg).run()
			}
		})
	}
}
