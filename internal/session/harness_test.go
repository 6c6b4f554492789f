package session

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/agenda"
	"github.com/nettplay/nettplay/internal/testing/memnet"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/testcore"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // bubbles make much garbage in a small heap
	os.Exit(leavesNothing(func() int { return testcore.Main(m) }))
}

// long reports whether the tests that take minutes are wanted.
func long() bool { return os.Getenv("NETTPLAY_LONG") == "1" }

// desmume is the default core; a test that needs it is skipped where there is none.
func desmume(t testing.TB) emucore.Core { return model.DeSmuME(t) }

// pocket is the project's own test core.
func pocket(t testing.TB) emucore.Core { return model.Core(t, testcore.Path(t)) }

func rom(t testing.TB, data []byte) *emucore.ROM { return model.ROM(t, data) }

// modelCore is the core of consoles in Go, for tests in a bubble of testing/synctest: they
// play in virtual time.
func modelCore() emucore.Core {
	return emucore.Core{Name: "model", Version: "1", SHA256: [32]byte{1}, Wireless: true}
}

// bubble runs a test in virtual time, beside others. At its end nothing of it may be left.
func bubble(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, test)
}

// inBubble is one bubble of several in a test.
func inBubble(t *testing.T, name string, test func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { bubble(t, test) })
}

// starter makes model consoles.
func starter(m *model.Machine) game.StartConsole { return game.Starter(m.Start) }

// machine is one machine with its session.
type machine struct {
	t      testing.TB
	name   string
	stop   context.CancelFunc
	done   chan struct{}
	report notice.Report
	err    error

	mu      sync.Mutex // guards what follows
	heard   []notice.Notice
	news    chan struct{} // closed and replaced with each notice
	started int64         // the newest frame whose input was asked for
	asked   time.Time     // when the game began to be prepared
	begun   time.Time     // when its first frame began
	last    time.Time     // when the newest one did
	still   time.Duration // the longest time between two
}

// beat notes that a frame begins. The player is locked.
func (p *machine) beat(now time.Time) {
	if !p.last.IsZero() {
		p.still = max(p.still, now.Sub(p.last))
	}
	p.last = now
}

// stood is for how long play stood still at most, since the last call.
func (p *machine) stood() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	still := p.still
	p.still = 0
	return still
}

// table is a room in the making: what all its players have in common.
type table struct {
	t        testing.TB
	core     emucore.Core
	rom      *emucore.ROM
	settings room.Settings
	players  int
	listen   func(name string) link.Link
	addr     string // where to join; set when the room is open
	seed     uint64
	machines []*machine
	turns    *agenda.Agenda // of a room on the model; nil for any other
	padding  int            // of the model's states
	watchers int
}

// plainly is a player at the speed of a DS.
func plainly(c *Config) { c.MaxSpeed = false }

// newTable is a room for some players in a network in memory.
func newTable(t testing.TB, core emucore.Core, game *emucore.ROM, players int) *table {
	return onNetwork(t, memnet.New(1, memnet.Impairment{Delay: time.Millisecond}), core, game, players)
}

func onNetwork(t testing.TB, net *memnet.Network, core emucore.Core, game *emucore.ROM, players int) *table {
	tb := &table{
		t: t, core: core, rom: game, players: players, seed: 1,
		listen: func(name string) link.Link { return net.Listen(name) },
		settings: room.Settings{
			Room: "test", Seats: max(players, 2), MinPlayers: players, Delay: 4, RTC: 1_256_409_000, HashEvery: 20, Skew: 1,
		},
	}
	if core.SHA256 == modelCore().SHA256 {
		tb.turns = turnsOf(t)
		net.SetTurns(tb.turns)
	}
	return tb
}

// turnsOf are those of a test's bubble: all its rooms have the same.
func turnsOf(t testing.TB) *agenda.Agenda {
	if turns, ok := bubbles.Load(t); ok {
		return turns.(*agenda.Agenda)
	}
	turns := model.NewTurns()
	bubbles.Store(t, turns)
	t.Cleanup(func() { bubbles.Delete(t) })
	return turns
}

var bubbles sync.Map // turns by test

// model is the nth machine of a room on the model.
func (tb *table) model(n int) *model.Machine {
	m := modelMachine(tb.turns, n)
	m.Seed, m.Padding = tb.seed, tb.padding
	return m
}

func modelMachine(turns *agenda.Agenda, n int) *model.Machine {
	return &model.Machine{Turns: turns, Class: 1 + n*model.Classes, Slow: 500 * time.Microsecond}
}

// heavy has consoles' states be as large as a real core's are, packed.
func (tb *table) heavy() *table {
	tb.padding = 270 << 10
	return tb
}

// sit starts the session of the next player: the first one hosts. Change may
// alter its configuration and may be nil.
func (tb *table) sit(change func(*Config)) *machine {
	tb.t.Helper()
	return tb.sitAs([]string{"Anna", "Ben", "Carla", "Dora"}[len(tb.machines)], change)
}

// sitAs is sit for a player of some name, who may have been here before: the name tells the installation.
func (tb *table) sitAs(name string, change func(*Config)) *machine {
	tb.t.Helper()
	n := len(tb.machines)
	p := &machine{t: tb.t, name: name, done: make(chan struct{}), news: make(chan struct{})}
	script := inputdelay.RandomScript(tb.seed+uint64(n), 8_000)
	cfg := Config{
		Link: tb.listen(p.name), Core: tb.core, ROM: tb.rom, Version: "test", Once: true, MaxSpeed: true,
		Firmware: ds.Firmware{Nickname: p.name, MAC: [6]byte{0, 9, 0xbf, 1, 2, name[0] - 'A'}, Language: 1, BirthMonth: 1, BirthDay: 1},
		Input: func(frame int64) inputdelay.Input {
			p.mu.Lock()
			if p.started = frame; frame == 0 {
				p.begun = time.Now()
			}
			p.beat(time.Now())
			p.mu.Unlock()
			return script.At(frame)
		},
		Notify: p.notice,
	}
	if n == 0 {
		cfg.Host = &HostRole{Settings: tb.settings, AutoStart: tb.players, Wait: 10 * time.Second}
	} else {
		cfg.Join = &JoinRole{Addr: tb.addr, Wait: 10 * time.Second}
	}
	if tb.turns != nil {
		m := tb.model(n)
		cfg.Start, cfg.Background = starter(m), m.Background
	}
	if change != nil {
		change(&cfg)
	}
	ctx, stop := context.WithCancel(context.Background())
	p.stop = stop
	tb.machines = append(tb.machines, p)
	go func() {
		defer close(p.done)
		p.report, p.err = Run(ctx, cfg)
	}()
	tb.t.Cleanup(func() { stop(); <-p.done })
	if n == 0 && tb.addr == "" {
		p.until("the room is open", func(n notice.Notice) bool {
			o, ok := n.(notice.Opened)
			if ok {
				tb.addr = o.Addr
			}
			return ok
		})
	}
	return p
}

func (p *machine) notice(n notice.Notice) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.heard = append(p.heard, n)
	if r, ok := n.(notice.RoomNotice); ok && r.Room.Phase == room.PhasePreparing && p.asked.IsZero() {
		p.asked = time.Now()
	}
	close(p.news)
	p.news = make(chan struct{})
}

// patience is how long a test waits for anything before it has failed. It is
// long since machines are busy; nothing is measured by it.
func patience() time.Duration {
	if long() {
		return time.Hour
	}
	return 3 * time.Minute
}

// until waits for a notice.
func (p *machine) until(what string, match func(notice.Notice) bool) {
	p.t.Helper()
	late := time.After(patience())
	for seen := 0; ; {
		p.mu.Lock()
		list, news := p.heard[seen:], p.news
		seen = len(p.heard)
		p.mu.Unlock()
		if slices.ContainsFunc(list, match) {
			return
		}
		select {
		case <-news:
		case <-p.done:
			p.t.Fatalf("%s: the session ended before %s: %v; it was told %s", p.name, what, p.err, p.told())
		case <-late:
			p.t.Fatalf("%s: waited for %v until %s; it was told %s", p.name, patience(), what, p.told())
		}
	}
}

// told is what the player was told, but for figures.
func (p *machine) told() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var words []string
	for _, n := range p.heard {
		switch n := n.(type) {
		case notice.Figures, notice.RoomNotice, notice.Transfer, notice.Waiting:
		default:
			words = append(words, fmt.Sprintf("%T%+v", n, n))
		}
	}
	return strings.Join(words, "; ")
}

func (p *machine) untilPlaying() {
	p.t.Helper()
	p.until("the game begins", func(n notice.Notice) bool { _, ok := n.(notice.Playing); return ok })
}

// untilFrame waits until our own console has begun a frame.
func (p *machine) untilFrame(frame int64) {
	p.t.Helper()
	for range patience() / (5 * time.Millisecond) {
		p.mu.Lock()
		now := p.started
		p.mu.Unlock()
		if now >= frame {
			return
		}
		select {
		case <-p.done:
			p.t.Fatalf("%s: the session ended before frame %d: %v", p.name, frame, p.err)
		case <-time.After(5 * time.Millisecond):
		}
	}
	p.t.Fatalf("%s: frame %d does not come", p.name, frame)
}

// end waits for the session's end.
func (p *machine) end() notice.Report {
	p.t.Helper()
	select {
	case <-p.done:
	case <-time.After(patience()):
		stacks := make([]byte, 1<<20)
		p.t.Fatalf("%s: the session does not end; it was told %s\n%s", p.name, p.told(), stacks[:runtime.Stack(stacks, true)])
	}
	return p.report
}

// expect waits for the session's end and checks the result and the words.
func (p *machine) expect(result notice.Result, words ...string) notice.Report {
	p.t.Helper()
	r := p.end()
	if r.Result != result {
		p.t.Errorf("%s: result %q, want %q (%v)", p.name, r.Result, result, p.err)
	}
	if (result == notice.ResultOK) != (p.err == nil) || (p.err == nil) != (r.Error == "") {
		p.t.Errorf("%s: result %q with error %v and words %q", p.name, r.Result, p.err, r.Error)
	}
	for _, w := range words {
		if !strings.Contains(r.Error, w) {
			p.t.Errorf("%s: %q does not tell of %q", p.name, r.Error, w)
		}
	}
	return r
}

// sameHashes checks that all reports have the same seats with the same hashes,
// and returns them in the order of their owners' names: seats go to those who
// join first.
func sameHashes(t testing.TB, frames int64, players ...*machine) []game.Hash {
	t.Helper()
	var first []game.Hash
	for i, p := range players {
		r := p.expect(notice.ResultOK)
		var list []game.Hash
		slices.SortFunc(r.Seats, func(a, b game.SeatReport) int { return strings.Compare(a.Owner, b.Owner) })
		for _, s := range r.Seats {
			if s.Frames != frames || s.Hash == 0 {
				t.Errorf("%s: seat %d ran %d frames, want %d; hash %v", p.name, s.Seat, s.Frames, frames, s.Hash)
			}
			list = append(list, s.Hash)
		}
		if i == 0 {
			first = list
		}
		if !slices.Equal(list, first) || len(list) != len(players) || r.Desyncs != 0 {
			t.Errorf("%s: hashes %v, %s has %v; %d desyncs", p.name, list, players[0].name, first, r.Desyncs)
		}
	}
	return first
}

// log writes what a session counted.
func (p *machine) log() {
	r := p.report
	p.t.Logf("%s: %d frames, delay %d, stalls %d (%.0f ms), rtt %.1f ms, sent %d, received %d, step %.2f/%.2f ms, %s",
		p.name, r.Frames, r.Delay, r.Stalls.Count, r.Stalls.MS, r.RTT, r.BytesSent, r.BytesReceived, r.Step.P50, r.Step.P99, fmt.Sprint(r.Seats[0].Hash))
}
