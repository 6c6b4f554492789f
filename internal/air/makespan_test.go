package air

import (
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/nettplay/nettplay/internal/ds"
)

// A span plays a pocketGame on an air and works out how long that takes on a machine
// on which a microsecond of a console's time takes a microsecond of a processor's,
// and each stop takes stopUS more.
type span struct {
	m medium
	machine
	frames int64
	lanes  []*lane
	now    float64
	stops  int
	left   int // polls answered by leave
	past   int // ... because the air was silent
}

// machine is what consoles run on.
type machine struct {
	processors int
	stopUS     float64
	// whole: a console that has a processor keeps it until it stands, and others come in the order
	// in which they were let run: so does a kernel whose slices are longer than what a
	// console runs between two stops. Else all that run have an equal share of the
	// processors at any time.
	whole bool
}

// lane is a console of a span.
type lane struct {
	asked  int  // which of all turns its own is
	has    bool // a processor, where they are given as a whole
	p      *pocket
	next   func() (operation, bool)
	op     operation
	rest   float64 // until op
	frame  int64
	stands bool
	over   bool
	onAir  bool
	sends  bool // stands at its first operation, a packet
	mute   bool
	grant  int
	leave  int
	stride int
	polls  int
	own    int
	got    reply
}

// spanOf plays so many frames of a game.
func spanOf(t testing.TB, g *pocketGame, m medium, on machine, frames int64) *span {
	s := &span{m: m, machine: on, frames: frames}
	for i := range g.seats() {
		m.plug(ds.Seat(i))
		l := &lane{p: g.console(ds.Seat(i))}
		l.p.hears = func() (answer, []byte) { return l.got.answer, l.got.data }
		next, stop := iter.Pull(l.p.play())
		defer stop()
		l.next = next
		s.lanes = append(s.lanes, l)
	}
	m.stopAt(frames)
	for i, l := range s.lanes {
		s.fetch(i, l)
	}
	for s.step() {
	}
	for i, l := range s.lanes {
		if !l.over && l.frame != frames {
			t.Fatalf("%+v: nobody can go on: seat %d stands in frame %d", *g, i, l.frame)
		}
	}
	return s
}

// fetch lets a console run up to its next operation that is not answered by itself.
func (s *span) fetch(i int, l *lane) {
	for {
		before := l.p.us
		op, ok := l.next()
		if l.over = !ok; l.over {
			return
		}
		l.rest += float64(l.p.us - before)
		l.op = op
		s.m.follow(i, l.p.leader, l.p.behind, l.p.ahead)
		switch {
		case op.kind == evSend && l.onAir:
			l.leave, l.stride = 0, 1
		case op.kind == evSend || op.kind == evEnd:
			return
		case l.mute:
			l.got = reply{answer: mutedAnswer(op.kind)}
			continue
		case op.kind != evPoll && l.grant > 0:
			l.grant--
			l.got = reply{answer: gaveUp}
			continue
		case op.kind == evPoll && l.alone(&s.left, &s.past):
			l.got = reply{answer: none}
			continue
		default:
			return
		}
		s.m.put(ds.Seat(i), op.data, op.to)
	}
}

// alone is as of driven.
func (l *lane) alone(left, past *int) bool {
	n := l.polls
	l.polls++
	switch {
	case l.leave > 0:
		l.leave--
		*left++
	case !l.onAir || n%l.stride == 0:
		return false
	default:
		*past++
	}
	l.own++
	return true
}

// step goes on to the next operation of any console.
func (s *span) step() bool {
	at, running := -1, s.running()
	for _, i := range running {
		if at < 0 || s.lanes[i].rest < s.lanes[at].rest {
			at = i
		}
	}
	if at < 0 {
		return false
	}
	rate := min(1, float64(s.processors)/float64(len(running)))
	rest := s.lanes[at].rest
	s.now += rest / rate
	for _, i := range running {
		s.lanes[i].rest -= rest
	}
	s.arrive(at, s.lanes[at])
	for i, l := range s.lanes {
		if l.stands {
			s.answer(i, l)
		}
	}
	return true
}

// running lists those that have a processor, or a part of one.
func (s *span) running() (list []int) {
	for i, l := range s.lanes {
		if !l.stands && !l.over {
			list = append(list, i)
		}
	}
	if !s.whole {
		return list
	}
	slices.SortStableFunc(list, func(i, j int) int {
		a, b := s.lanes[i], s.lanes[j]
		if a.has != b.has {
			return map[bool]int{true: -1, false: 1}[a.has]
		}
		return a.asked - b.asked
	})
	list = list[:min(len(list), s.processors)]
	for _, i := range list {
		s.lanes[i].has = true
	}
	return list
}

func (s *span) arrive(i int, l *lane) {
	l.stands, l.has = true, false
	switch l.op.kind {
	case evEnd:
		l.frame++
		l.mute, l.grant, l.leave, l.polls, l.own = false, 0, 0, 0, 0
	case evSend:
		l.sends = true
	default:
		s.m.passed(i, l.own)
		l.leave, l.own = 0, 0
	}
	s.m.event(ds.Seat(i), l.op.kind)
}

func (s *span) answer(i int, l *lane) {
	r, ok := s.m.answered(ds.Seat(i))
	if !ok {
		return
	}
	s.stops++
	l.asked = s.stops
	l.stands, l.onAir, l.got = false, true, r
	l.rest = s.stopUS
	l.mute, l.own = r.mute, 0
	if l.op.kind != evEnd {
		l.grant = max(r.grant, map[bool]int{true: l.grant}[r.answer == none])
	}
	l.leave, l.stride = r.leave, r.stride
	if l.sends {
		l.sends, l.stride = false, 1
		s.m.put(ds.Seat(i), l.op.data, l.op.to)
	}
	s.fetch(i, l)
}

func even(clients int, limit int64) *pocketGame {
	return &pocketGame{clients: clients, at: 2000, rounds: 1, limit: limit, phase: make([]int64, clients+1), grants: true}
}

// TestMakespan: in a shared game consoles run side by side. emucore's
// BenchmarkRadio shows how a real machine does: it lies between the two ways in which
// processors are given here.
func TestMakespan(t *testing.T) {
	// A stop takes 10 us of a machine that emulates a frame in 3.3 ms.
	const processors, stopUS, frames = 2, 50, 120
	for _, test := range []struct {
		consoles int
		limit    int64 // of acks: none, or that of roms-test/multiplay.nds
		at       int64
		want     float64 // of the time of one after the other
		whole    float64 // the same where processors are given as a whole
	}{
		{2, frameUS, 2000, 0.71, 0.71},
		{3, frameUS, 2000, 0.58, 0.68},
		{4, frameUS, 2000, 0.55, 0.58},
		{2, frameUS, 12000, 0.71, 0.71},
		{3, frameUS, 12000, 0.58, 0.68},
		{4, frameUS, 12000, 0.55, 0.58},
		{2, 12000, 12000, 0.71, 0.71},
		{3, 12000, 12000, 0.60, 0.68},
		{4, 12000, 12000, 0.58, 0.58},
	} {
		g := even(test.consoles-1, test.limit)
		g.at = test.at
		spent := func(plain, whole bool) float64 {
			m := newReal(t, Config{Skew: 1, Plain: plain})
			defer m.close()
			s := spanOf(t, g, m, machine{processors, stopUS, whole}, frames)
			x := s.now / frames / frameUS / float64(test.consoles)
			t.Logf("%d consoles, acks to %d us, command at %d us, plain %v, whole %v: %.2f of one after the other, %.1f stops a frame",
				test.consoles, test.limit, test.at, plain, whole, x, float64(s.stops)/frames)
			return x
		}
		spent(true, false)
		if x := spent(false, false); x > test.want {
			t.Errorf("%d consoles take %.2f of the time of one after the other, not %.2f", test.consoles, x, test.want)
		}
		if x := spent(false, true); x > test.whole {
			t.Errorf("%d consoles on whole processors take %.2f of the time of one after the other, not %.2f", test.consoles, x, test.whole)
		}
	}
}

// TestPlain: with leaves all is heard at the same emulated time as without, in any
// game; with grants, too, in one of a host and its clients in which nobody has to give
// up.
func TestPlain(t *testing.T) {
	seeds, left, past, healthy := uint64(30), 0, 0, 0
	if testing.Short() {
		seeds = 10
	}
	for seed := range seeds {
		for _, grants := range []bool{false, true} {
			g := randomGame(seed)
			if g.grants = grants; grants && g.bystander {
				continue // what it sends finds clients at another time than without grants
			}
			plain, with := heardIn(t, g, true), heardIn(t, g, false)
			left += with.left
			past += with.past
			well := !plain.gaveUp && !with.gaveUp
			if grants && !well {
				continue
			}
			if well {
				healthy++
			}
			if len(plain.heard) == 0 || !slices.Equal(plain.heard, with.heard) {
				t.Fatalf("seed %d, %+v: %d packets heard, and %d, or at other times", seed, *g, len(plain.heard), len(with.heard))
			}
			if !slices.EqualFunc(plain.sent, with.sent, samePacket) {
				t.Fatalf("seed %d, %+v: not the same was sent", seed, *g)
			}
		}
	}
	if uint64(left) < 100*seeds || past < 100 || uint64(healthy) < seeds/2 {
		t.Errorf("%d polls were left to consoles, %d passed in silence, %d games healthy: that shows little", left, past, healthy)
	}
}

func samePacket(a, b Record) bool {
	a.Round, b.Round = 0, 0
	return a == b
}

// history is what there was in a game.
type history struct {
	heard  []int64
	sent   []Record
	gaveUp bool
	left   int
	past   int
}

func heardIn(t *testing.T, g *pocketGame, plain bool) (h history) {
	m := newReal(t, Config{Skew: g.skew, Plain: plain})
	defer m.close()
	s := spanOf(t, g, m, machine{processors: 2, stopUS: 50}, 20)
	for i, l := range s.lanes {
		h.heard = append(h.heard, int64(i))
		h.heard = append(h.heard, l.p.heard...)
	}
	st, err := m.air.Status()
	m.must(err)
	for _, c := range st.Consoles {
		h.gaveUp = h.gaveUp || c.GiveUps > 0
	}
	h.sent, h.left, h.past = m.records(), s.left, s.past
	return h
}

func randomGame(seed uint64) *pocketGame {
	r := rand.New(rand.NewPCG(seed, 11))
	g := &pocketGame{
		clients: 1 + r.IntN(3), bystander: r.IntN(4) == 0, at: r.Int64N(frameUS), rounds: 1 + r.Int64N(3),
		limit: []int64{frameUS, 12000, 3000, 0}[r.IntN(4)], skew: r.IntN(3),
	}
	if seed%5 == 4 { // one in which there is silence
		g.clients, g.bystander, g.rest = 1, true, 5
	}
	g.phase = make([]int64, g.seats())
	for i := 1; i < g.seats(); i++ {
		if seed%2 == 0 && r.IntN(2) == 0 {
			g.phase[i] = r.Int64N(2*frameUS) - frameUS
		}
	}
	return g
}
