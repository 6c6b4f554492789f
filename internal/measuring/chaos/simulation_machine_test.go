package chaos

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/spectate"
	"github.com/nettplay/nettplay/internal/testing/child"
	"github.com/nettplay/nettplay/internal/testing/memnet"
	"github.com/nettplay/nettplay/internal/testing/model"
)

// simulated is one machine of a simulation.
type simulated struct {
	s        *simulation
	number   int
	dir      string
	consoles *model.Machine
	cancel   context.CancelFunc
	started  bool
	killed   bool
	ended    chan struct{}
	brought  int
	frozen   time.Time
	jobs     int
	left     *Left // its saves, when it was killed

	mu      sync.Mutex // guards what follows
	words   strings.Builder
	told    []int64
	opened  bool
	begun   bool
	traffic uint64 // hash of all that it sent
	report  notice.Report
	overAt  time.Time
}

func (s *simulation) newMachine(n int) *simulated {
	m := &simulated{s: s, number: n, dir: fmt.Sprintf("%s/%s", s.dir, strings.ToLower(Name(n))), ended: make(chan struct{}), cancel: func() {}}
	m.consoles = &model.Machine{Turns: s.turns, Class: 1 + slot(n)*model.Classes, Seed: s.plan.Seed, Slow: 2 * time.Millisecond}
	if s.plan.Max {
		m.consoles.Slow = time.Millisecond
	}
	for _, e := range s.plan.Events {
		if e.Kind == Fault && e.Machine == n {
			m.consoles.Faults = append(m.consoles.Faults, model.Fault{MAC: byte(macOf(e.Owner)), Frame: e.Frame, What: e.Region})
		}
	}
	m.mkdirs()
	return m
}

func (b *bench) roms() map[[32]byte]*emucore.ROM {
	return map[[32]byte]*emucore.ROM{b.rom.SHA256: b.rom}
}

// random is a machine's own.
func (m *simulated) random() *rand.ChaCha8 {
	var seed [32]byte
	binary.LittleEndian.PutUint64(seed[:], m.s.plan.Seed)
	seed[8] = byte(m.number)
	return rand.NewChaCha8(seed)
}

// join starts the machine's session: the first machine's opens the room, others come to
// that of addr.
func (m *simulated) join(ctx context.Context, addr string) {
	p := m.s.plan
	cfg := session.Config{
		Link: m.link(), Core: m.s.core(), ROM: m.s.bench.rom, Version: "test", Once: true, MaxSpeed: p.Max,
		Firmware: ds.Firmware{Nickname: p.player(m.number), MAC: [6]byte{0, 9, 0xbf, 0, 0, byte(p.mac(m.number))}, Language: 1, BirthMonth: 1, BirthDay: 1},
		Input:    m.input, Notify: m.notice, Files: session.Files{OpenSaves: m.openSaves},
		Seams: session.Seams{Start: game.Starter(m.consoles.Start), Random: m.random(), Background: m.background},
	}
	cfg.Depth = int((p.Seed + uint64(m.number)) % 6) // leaves no trace in what is judged
	cfg.OwnDelay = p.ownDelay(m.number)
	cfg.TestOptions = m.s.options()
	recorder := paced{replay.NewRecorder(replay.Config{Path: m.at(recordingFile)}), m}
	cfg.Recorder = recorder
	if m.number == 0 {
		cfg.Host = &session.HostRole{AutoStart: p.Players, Wait: p.Wait, Settings: room.Settings{
			Room: "simulation", Seats: p.Machines(), MinPlayers: p.Players, Delay: p.Delay, AutoDelay: p.Auto, RTC: 1_256_409_000, HashEvery: p.Hash, Skew: 1,
			Frames: p.Frames, KeepConsoles: p.Keep, Sync: p.Sync, Spectators: 4, SpectateDelay: 2,
		}}
	} else {
		cfg.Join = &session.JoinRole{Addr: addr, Wait: p.Wait}
	}
	m.start(ctx, func(ctx context.Context) (notice.Report, error) {
		report, err := session.Run(ctx, cfg)
		recorder.Close()
		return report, err
	})
}

// watch starts a spectator.
func (m *simulated) watch(ctx context.Context, addr string) {
	cfg := spectate.WatchConfig{
		Link: m.link(), Addr: addr, Nickname: Name(m.number), Version: "test", Core: m.s.core(), TestOptions: m.s.options(), ROMs: []*emucore.ROM{m.s.bench.rom},
		Once: true, Notify: m.notice, Start: game.Starter(m.consoles.Start), Random: m.random(),
	}
	m.start(ctx, func(ctx context.Context) (notice.Report, error) { return spectate.Watch(ctx, cfg) })
}

func (m *simulated) start(ctx context.Context, run func(context.Context) (notice.Report, error)) {
	ctx, m.cancel = context.WithCancel(ctx)
	m.started = true
	go func() {
		defer close(m.ended)
		report, err := run(ctx)
		m.mu.Lock()
		defer m.mu.Unlock()
		m.report, m.overAt = report, time.Now()
		if err != nil {
			fmt.Fprintln(&m.words, err)
		}
		m.s.say(m.number, "over: %s after %d frames: %s; %v, %d desyncs, %d resyncs, traffic %x", report.Result, report.Frames, report.Error, report.Seats, report.Desyncs, report.Resyncs, m.traffic)
	}()
}

// background runs a slow job of the session, in a turn of its own.
func (m *simulated) background(job func()) {
	took := 200 * time.Microsecond
	if m.jobs++; m.jobs%5 == 0 {
		took = time.Duration(m.jobs%64) * 2 * time.Millisecond // a slow disk
	}
	m.consoles.BackgroundIn(took, job)
}

// paced is a recorder whose file grows in turns.
type paced struct {
	*replay.Recorder
	m *simulated
}

// Flush has all written a moment later.
func (p paced) Flush() { p.m.background(p.Recorder.Flush) }

// input is what the player presses.
func (m *simulated) input(frame int64) inputdelay.Input {
	if wait := time.Until(m.frozen); wait > 0 {
		m.s.turns.Sleep(m.consoles.JobClass(), wait, nil)
	}
	var in inputdelay.Input
	if slices.Contains(m.s.plan.Presses[m.number], frame) {
		in.Keys = inputdelay.KeyA
	}
	dice := xxh3.Hash([]byte{byte(m.s.plan.Seed), byte(m.number), byte(frame >> 3), byte(frame >> 11)})
	in.Keys |= inputdelay.Keys(dice) & (inputdelay.KeyUp | inputdelay.KeyB | inputdelay.KeyLeft)
	return in
}

func (m *simulated) openSaves(rom *emucore.ROM, console int) (*saves.Store, []byte, error) {
	o := saves.Options{Console: console, Doing: "simulation"}
	if m.s.plan.InFile[m.number] {
		o.File = m.at(saveFile)
	}
	return saves.OpenOrCopy(m.at(child.Data)+"/nettplay/saves", saves.GameOf(rom), o)
}

// notice takes what the session tells.
func (m *simulated) notice(n notice.Notice) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch n := n.(type) {
	case notice.Opened:
		m.opened = true
	case notice.Playing:
		m.begun = true
		fmt.Fprintln(&m.words, "the game begins")
	case notice.Message:
		fmt.Fprintln(&m.words, n.Text)
		m.s.say(m.number, "%s %s", n.From, n.Text)
		return
	case notice.Saved:
		if !m.killed { // a killed process does nothing at its end
			m.told = append(m.told, n.Frame)
		}
	case notice.RoomNotice:
		m.s.say(m.number, "room: round %d, %v, game host %d, %d players", n.Room.Round, n.Room.Phase, n.Room.Host, len(n.Room.Players))
		return
	case notice.Figures, notice.Transfer:
		return
	}
	m.s.say(m.number, "%T %+v", n, n)
}

func (m *simulated) playing() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.begun
}

func (m *simulated) hosts() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.opened
}

func (m *simulated) over() bool {
	select {
	case <-m.ended:
		return true
	default:
		return false
	}
}

// look gathers what the machine leaves behind.
func (m *simulated) look() Left {
	if !m.started {
		return Left{Absent: true}
	}
	l := Left{Exit: "killed", Words: m.words.String(), Told: m.told, Brought: m.brought, Until: m.overAt.Sub(m.s.began)}
	if !m.killed {
		l.Exit, l.Report = codes[m.report.Result], &m.report
	}
	if l.readSaves(m); m.left != nil {
		l.Saves, l.Damage = m.left.Saves, m.left.Damage
	}
	for _, s := range l.Saves {
		m.s.say(m.number, "save %+v", s)
	}
	return l
}

func (l *Left) readSaves(m *simulated) {
	if err := l.lookAtSaves(m.at(child.Data), m.at(saveFile), m.s.plan.Core); err != nil {
		l.Damage = append(l.Damage, err.Error())
	}
}

// link is the machine's link, which takes down what it sends.
func (m *simulated) link() link.Link {
	return &taken{m.s.net.Listen(Name(m.number)), m}
}

type taken struct {
	*memnet.Link
	m *simulated
}

// Dial opens one line at a time.
func (l *taken) Dial(ctx context.Context, addr string) (link.PeerID, error) {
	for to := range l.m.s.machines {
		if Name(to) == addr {
			l.m.s.turns.Sleep(dialClass+slot(l.m.number)*maxSlots+to, 0, ctx.Done())
		}
	}
	return l.Link.Dial(ctx, addr)
}

// Send takes down what is sent.
func (l *taken) Send(p link.PeerID, ch link.Channel, data []byte) error {
	m := l.m
	sum := xxh3.Hash(data)
	m.mu.Lock()
	var b [32]byte
	for i, v := range []uint64{m.traffic, sum, uint64(p)<<8 | uint64(ch), uint64(time.Now().UnixNano())} {
		binary.LittleEndian.PutUint64(b[i*8:], v)
	}
	m.traffic = xxh3.Hash(b[:])
	m.mu.Unlock()
	if m.s.bench.full {
		m.s.say(m.number, "sends %d bytes to %d by %v: %x", len(data), p, ch, sum)
	}
	return l.Link.Send(p, ch, data)
}
