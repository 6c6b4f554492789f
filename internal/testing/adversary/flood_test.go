//go:build unix

package adversary

import (
	"bytes"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

func mustAddr(s string) netip.AddrPort { return netip.MustParseAddrPort(s) }

// spy stands between a player and the game host, as somebody does through whose network the
// player's datagrams go. It passes all on and keeps some.
type spy struct {
	outer, inner *net.UDPConn

	mu   sync.Mutex // guards what follows
	kept [][]byte   // that the player has sent
	from netip.AddrPort
}

// keepMost is how many datagrams of either sort a spy keeps.
const keepMost = 60

func newSpy(t *testing.T, target string) *spy {
	t.Helper()
	outer, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	must.Succeed(t, err)
	inner, err := net.DialUDP("udp4", nil, net.UDPAddrFromAddrPort(mustAddr(target)))
	must.Succeed(t, err)
	s := &spy{outer: outer, inner: inner}
	var wg sync.WaitGroup
	wg.Go(s.out)
	wg.Go(s.back)
	t.Cleanup(func() { outer.Close(); inner.Close(); wg.Wait() })
	return s
}

// out passes on what the player sends.
func (s *spy) out() {
	for b := make([]byte, 2000); ; {
		n, from, err := s.outer.ReadFromUDPAddrPort(b)
		if err != nil {
			return
		}
		s.mu.Lock()
		s.from = from
		if kind := map[bool]string{true: greeting, false: forged}[b[0] < sealedKind]; len(overheard(kind, s.kept)) < keepMost {
			s.kept = append(s.kept, bytes.Clone(b[:n]))
		}
		s.mu.Unlock()
		_, _ = s.inner.Write(b[:n])
	}
}

// back passes on what the player gets.
func (s *spy) back() {
	for b := make([]byte, 2000); ; {
		n, err := s.inner.Read(b)
		if err != nil {
			return
		}
		s.mu.Lock()
		to := s.from
		s.mu.Unlock()
		_, _ = s.outer.WriteToUDPAddrPort(b[:n], to)
	}
}

func (s *spy) samples() [][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.kept)
}

// lateness is for how long a machine's frames came later than the DS makes them.
type lateness struct {
	mu   sync.Mutex // guards what follows
	last time.Time
	late time.Duration
	most time.Duration

	frames, behind int // all of them, and those that were late
}

// begin notes that a frame begins.
func (l *lateness) begin(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.last.IsZero() {
		if late := now.Sub(l.last) - 2*time.Second/60; late > 0 { // a frame's worth is nothing
			l.late += late
			l.behind++
		}
		l.frames++
		l.most = max(l.most, now.Sub(l.last))
	}
	l.last = now
}

// take returns what was late since the last call.
func (l *lateness) take() (g figures) {
	l.mu.Lock()
	defer l.mu.Unlock()
	g = figures{late: l.late, most: l.most, frames: l.frames, behind: l.behind}
	l.late, l.most, l.frames, l.behind = 0, 0, 0, 0
	return g
}

// flooded is a room with two players over real sockets, of whom one is overheard.
type flooded struct {
	*arena
	spy   *spy
	room  seal.Secret
	late  [2]*lateness
	links []*udp.Link
}

func newFlooded(t *testing.T) *flooded {
	t.Helper()
	dir := t.TempDir()
	f := &flooded{room: seal.NewSecret(), late: [2]*lateness{{}, {}}}
	f.arena = &arena{t: t, seed: 1, dir: dir, rom: model.ROM(t, romstest.Save), change: f.change}
	f.play(nil)
	f.until("Anna's room", func() bool { return len(f.links) == 1 })
	f.spy = newSpy(t, f.links[0].Addr())
	f.play(nil)
	f.until("the game", func() bool { return f.all[0].reached(60) && f.all[1].reached(60) })
	t.Cleanup(func() {
		for _, m := range f.all {
			m.cancel()
			<-m.over
		}
	})
	return f
}

// change has a machine play over sockets at the DS's rate until it is stopped.
func (f *flooded) change(n int, cfg *session.Config) {
	// Somebody who joins and goes again and again is not let in from one address.
	l, err := udp.Listen(udp.Config{Bind: fmt.Sprint("127.0.1.", len(f.links)+1), Room: f.room, Neighbours: true})
	must.Succeed(f.t, err)
	f.links = append(f.links, l)
	consoles := new(model.Machine)
	cfg.Link, cfg.MaxSpeed, cfg.Background, cfg.Random = l, false, nil, nil
	cfg.Start = game.Starter(consoles.Start)
	if input := cfg.Input; n < len(f.late) {
		cfg.Input = func(frame int64) inputdelay.Input {
			f.late[n].begin(time.Now())
			return input(frame)
		}
	}
	switch {
	case n == 0:
		cfg.Host.AutoStart, cfg.Host.Settings.Frames, cfg.Host.Settings.HashEvery = 2, 0, 30
		cfg.Host.Door = room.Door{Secret: f.room, Neighbours: true}
	case n == 1:
		cfg.Join.Addr = f.spy.outer.LocalAddr().String()
	default:
		cfg.Join.Addr = f.links[0].Addr()
	}
}

// until waits for something that must come.
func (f *flooded) until(what string, ok func() bool) {
	f.t.Helper()
	for end := time.Now().Add(2 * time.Minute); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			f.t.Fatalf("waited for two minutes for %s; %v", what, f.all[0].told())
		}
	}
}

// figures are what a while cost the players.
type figures struct {
	late, most time.Duration // of both
	cpu        float64       // share of one processor that this process used

	frames, behind int
}

// share of the frames that were late.
func (g figures) share() float64 { return float64(g.behind) / float64(max(1, g.frames)) }

// measure lets players play for a while.
func (f *flooded) measure(d time.Duration) (g figures) {
	for _, l := range f.late {
		l.take()
	}
	began, before := time.Now(), used()
	time.Sleep(d)
	g.cpu = float64(used()-before) / float64(time.Since(began))
	for _, l := range f.late {
		of := l.take()
		g.late, g.most = g.late+of.late, max(g.most, of.most)
		g.frames, g.behind = g.frames+of.frames, g.behind+of.behind
	}
	return g
}

// used is the processor time of this process.
func used() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// third has somebody join the game, and leave; it returns how long that took until the first frame.
func (f *flooded) third() time.Duration {
	began := time.Now()
	m := f.play(nil)
	f.until(m.name+" to play", func() bool { return m.playing() || m.ended() })
	took := time.Since(began)
	if !m.playing() {
		f.t.Errorf("%s does not get in: %s", m.name, m.report.Error)
	}
	m.cancel()
	<-m.over
	frame := f.all[0].frame() + 30
	f.until("the others to go on", func() bool { return f.all[0].reached(frame) && f.all[1].reached(frame) })
	f.all = f.all[:2]
	return took
}

func (m *machine) frame() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.shown
}

// Strangers who flood a room where two play, with noise, with greetings that they have overheard, with a
// player's own datagrams and with forged ones, neither end nor spoil the game, and keep nobody out.
// In "make adversary" it is measured, at 12,000 and at 100,000 datagrams a second.
func TestFloods(t *testing.T) {
	f := newFlooded(t)
	length, rates := 300*time.Millisecond, []int{12_000}
	if long() {
		length, rates = 10*time.Second, []int{12_000, 100_000}
	}
	quiet := f.measure(length)
	joined := f.third()
	if long() {
		joined = f.third() // from the second on they follow the log
	}
	t.Logf("%-20s %9s  late %8v, longest %8v, CPU %3.0f %%; the third joins in %v", "no flood", "", quiet.late.Round(time.Millisecond),
		quiet.most.Round(time.Millisecond), 100*quiet.cpu, joined.Round(time.Millisecond))
	for _, rate := range rates {
		for _, kind := range []string{noise, greeting, replayed, forged} {
			stop := flood{
				Kind: kind, From: "127.0.0.2", To: f.links[0].Addr(), Rate: rate, Samples: overheard(kind, f.spy.samples()),
			}.start(t)
			g := f.measure(length)
			if long() || kind == forged {
				joined = f.third()
			}
			reached := stop()
			t.Logf("%-20s %7.0f/s  late %8v, longest %8v, CPU %3.0f %%; the third joins in %v", kind, reached, g.late.Round(time.Millisecond),
				g.most.Round(time.Millisecond), 100*g.cpu, joined.Round(time.Millisecond))
			if !long() || rate > 12_000 {
				continue
			}
			if g.late > quiet.late+length/50 {
				t.Errorf("%s: the players' frames are %v late, and %v without a flood", kind, g.late, quiet.late)
			}
			if joined > 5*time.Second {
				t.Errorf("%s: somebody joins in %v", kind, joined)
			}
		}
	}
	f.finish()
}

// finish ends a game that must have gone on until now.
func (f *flooded) finish() {
	t := f.t
	frame := f.all[0].frame() + 60
	f.until("the game to go on", func() bool { return f.all[0].reached(frame) && f.all[1].reached(frame) })
	for _, m := range f.all {
		if m.ended() {
			t.Errorf("%s's game is over: %s", m.name, m.report.Error)
		}
		m.cancel()
		if <-m.over; m.report.Desyncs > 0 {
			t.Errorf("%s: %d desyncs", m.name, m.report.Desyncs)
		}
	}
}

// A machine of one's own network needs no secret to begin handshakes. One that ends 10,000 of them a second
// with forged last messages, from one address or from 256, ends no game. In "make adversary" it is measured that it
// does not make the players' frames late, and keeps nobody out.
func TestForgedHandshakes(t *testing.T) {
	f := newFlooded(t)
	length := 300 * time.Millisecond
	if long() {
		length = 20 * time.Second
		f.third() // from the second on they follow the log
	}
	for _, addrs := range []int{1, 256} {
		quiet := f.measure(length)
		stop := flood{Kind: shakes, From: "127.0.2.1", Addrs: addrs, To: f.links[0].Addr(), Rate: 10_000}.start(t)
		g := f.measure(length)
		joined := time.Duration(0)
		if long() { // within a time, which a busy machine may not have
			joined = f.third()
		}
		reached := stop()
		t.Logf("%3d addresses, %6.0f/s: %5.2f %% of the frames are late, and %5.2f %% before; longest %v and %v, CPU %.0f %% and %.0f %%; the third joins in %v",
			addrs, reached, 100*g.share(), 100*quiet.share(), g.most.Round(time.Millisecond), quiet.most.Round(time.Millisecond), 100*g.cpu, 100*quiet.cpu,
			joined.Round(time.Millisecond))
		if !long() {
			continue
		}
		if g.share() > quiet.share()+0.01 {
			t.Errorf("from %d addresses: %.2f %% of the frames are late, and %.2f %% without a flood", addrs, 100*g.share(), 100*quiet.share())
		}
		if joined > 2*time.Second {
			t.Errorf("from %d addresses: somebody joins in %v", addrs, joined)
		}
	}
	f.finish()
}
