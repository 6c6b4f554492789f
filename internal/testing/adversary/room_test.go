package adversary

import (
	"context"
	"encoding/binary"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

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
	"github.com/nettplay/nettplay/internal/testing/agenda"
	"github.com/nettplay/nettplay/internal/testing/memnet"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/wire"
)

// arena is where games are attacked: a network in memory and machines with model consoles.
type arena struct {
	t     *testing.T
	seed  uint64
	dir   string
	rom   *emucore.ROM
	turns *agenda.Agenda
	net   *memnet.Network // nil: links are sockets
	all   []*machine
	// change alters what the nth machine's session is, and may be nil.
	change func(n int, cfg *session.Config)
}

// core is of model consoles.
var core = emucore.Core{Name: "model", Version: "1", SHA256: [32]byte{1}}

func newArena(t *testing.T, seed uint64, dir string, rom *emucore.ROM) *arena {
	a := &arena{t: t, seed: seed, dir: dir, rom: rom, turns: model.NewTurns()}
	a.net = memnet.New(seed, memnet.Impairment{Delay: 2 * time.Millisecond})
	a.net.SetTurns(a.turns)
	return a
}

// machine is one machine of a room.
type machine struct {
	name   string
	evil   *mutator // nil for an honest one
	cancel context.CancelFunc
	over   chan struct{}
	report notice.Report

	mu    sync.Mutex // guards what follows
	words []string   // that its player was told
	plays bool       // a game runs
	shown int64      // the newest frame that began
	at    time.Time  // when that was
}

// rooms' settings that all games of the suite have.
const (
	frames  = 400
	players = 3
	waits   = 10 * time.Second
)

// names are of the machines in the order of their coming.
var names = []string{"Anna", "Ben", "Carla", "Dora", "Emil"}

// link is a machine's, mutating if it is evil.
func (a *arena) link(m *machine) link.Link {
	if a.net == nil {
		return nil // it is given one by change
	}
	l := a.net.Listen(m.name)
	if m.evil == nil {
		return l
	}
	m.evil.Link = l
	return m.evil
}

func (a *arena) add(evil *mutator) (m *machine, number int) {
	number = len(a.all)
	m = &machine{name: names[number], evil: evil, over: make(chan struct{})}
	a.all = append(a.all, m)
	for _, folder := range []string{"saves", "desyncs"} {
		must.Succeed(a.t, os.MkdirAll(filepath.Join(a.dir, m.name, folder), 0o700))
	}
	return m, number
}

// random is a machine's own source.
func (a *arena) random(number int) *rand.ChaCha8 {
	var seed [32]byte
	binary.LittleEndian.PutUint64(seed[:], a.seed)
	seed[8] = byte(number)
	return rand.NewChaCha8(seed)
}

func (a *arena) consoles(number int) (*model.Machine, game.StartConsole) {
	m := &model.Machine{Turns: a.turns, Class: 1 + number*model.Classes, Seed: a.seed, Slow: time.Millisecond}
	return m, game.Starter(m.Start)
}

// play has a machine open the room or come into it.
func (a *arena) play(evil *mutator) *machine {
	m, n := a.add(evil)
	consoles, start := a.consoles(n)
	script := inputdelay.RandomScript(a.seed+uint64(n), 2*frames)
	recorder := replay.NewRecorder(replay.Config{Path: filepath.Join(a.dir, m.name, "game"+replay.Extension)})
	cfg := session.Config{
		Link: a.link(m), Core: core, ROM: a.rom, Version: "test", Once: true, MaxSpeed: true, Notify: m.notice,
		Firmware: ds.Firmware{Nickname: m.name, MAC: [6]byte{0, 9, 0xbf, 0, 0, byte(n)}, Language: 1, BirthMonth: 1, BirthDay: 1},
		Input:    func(frame int64) inputdelay.Input { m.begin(frame); return script.At(frame) },
		Seams:    session.Seams{Start: start, Random: a.random(n), Background: consoles.Background},
		Files: session.Files{
			Recorder: recorder, Desyncs: filepath.Join(a.dir, m.name, "desyncs"),
			OpenSaves: func(rom *emucore.ROM, console int) (*saves.Store, []byte, error) {
				return saves.OpenOrCopy(filepath.Join(a.dir, m.name, "saves"), saves.GameOf(rom), saves.Options{Console: console, Doing: "test"})
			},
		},
	}
	if n == 0 {
		cfg.Host = &session.HostRole{AutoStart: players, Wait: waits, Settings: room.Settings{
			Room: "test", Seats: 4, MinPlayers: 2, Delay: 4, RTC: 1_256_409_000, HashEvery: 20, Skew: 1, Frames: frames, Spectators: 2,
		}}
	} else {
		cfg.Join = &session.JoinRole{Addr: names[0], Wait: waits}
	}
	if a.change != nil {
		a.change(n, &cfg)
	}
	a.run(m, func(ctx context.Context) (notice.Report, error) {
		defer recorder.Close()
		return session.Run(ctx, cfg)
	})
	return m
}

// watch has a machine come as a spectator.
func (a *arena) watch(evil *mutator) *machine {
	m, n := a.add(evil)
	_, start := a.consoles(n)
	cfg := spectate.WatchConfig{
		Link: a.link(m), Addr: names[0], Nickname: m.name, Version: "test", Core: core, ROMs: []*emucore.ROM{a.rom},
		Once: true, Notify: m.notice, Start: start, Random: a.random(n),
	}
	a.run(m, func(ctx context.Context) (notice.Report, error) { return spectate.Watch(ctx, cfg) })
	return m
}

func (a *arena) run(m *machine, do func(context.Context) (notice.Report, error)) {
	var ctx context.Context
	ctx, m.cancel = context.WithCancel(context.Background())
	m.at = time.Now()
	go func() {
		defer close(m.over)
		m.report, _ = do(ctx)
	}()
}

// begin notes that a frame begins.
func (m *machine) begin(frame int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.shown, m.at = frame, time.Now()
}

// notice takes what the player is told.
func (m *machine) notice(n notice.Notice) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch n := n.(type) {
	case notice.Message:
		m.words = append(m.words, n.Text, n.From)
	case notice.Blockers:
		m.words = append(m.words, n.Words()...)
	case notice.StartFailed:
		m.words = append(m.words, n.Why, n.Hint)
	case notice.JoinFailed:
		m.words = append(m.words, n.Nickname, n.Words)
	case notice.Waiting:
		m.words = append(m.words, n.For...)
	case notice.RoomNotice:
		m.words = append(m.words, n.Room.Settings.Room)
		for _, p := range n.Room.Players {
			m.words = append(m.words, p.Nickname, p.Problem, p.Note, p.Program)
		}
	case notice.Playing:
		m.plays, m.at = true, time.Now()
	case notice.GameOver:
		m.plays = false
	}
}

// still is for how long a game has stood still; 0 without one.
func (m *machine) still() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.plays || m.ended() {
		return 0
	}
	return time.Since(m.at)
}

func (m *machine) ended() bool {
	select {
	case <-m.over:
		return true
	default:
		return false
	}
}

func (m *machine) told() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.words
}

// pass lets virtual time pass until something is true, and tells whether it is.
func (a *arena) pass(limit time.Duration, ok func() bool) bool {
	for end := time.Now().Add(limit); !ok(); {
		if !time.Now().Before(end) {
			return false
		}
		a.turns.Sleep(1023, 20*time.Millisecond, nil)
	}
	return true
}

// Bounds of what an attack may do to honest machines.
const (
	standMost = 3 * time.Minute      // that a game stands still, or is not over after its last frame
	gameMost  = 4 * time.Minute      // until it is over; after that everybody is sent home
	homeMost  = 20 * time.Second     // that this takes
	heapMost  = 512 << 20            // bytes of all machines of a game
	wordsMost = 2 * room.MaxSentence // bytes of a line that players are told
)

// finish waits for the end, and sends those home who wait in a lobby.
func (a *arena) finish() {
	a.pass(gameMost, func() bool {
		all := true
		for _, m := range a.honest() {
			if d := m.still(); d > standMost {
				a.t.Errorf("%s's game stands still for %v", m.name, d)
				return true
			}
			all = all && m.ended()
		}
		return all
	})
	for _, m := range a.all {
		m.cancel()
	}
	if !a.pass(homeMost, func() bool {
		return !slices.ContainsFunc(a.all, func(m *machine) bool { return !m.ended() })
	}) {
		for _, m := range a.all {
			if !m.ended() {
				a.t.Errorf("%s's session does not end", m.name)
				a.net.Cut(m.name)
			}
		}
	}
	for _, m := range a.all {
		<-m.over
	}
}

func (a *arena) honest() (list []*machine) {
	for _, m := range a.all {
		if m.evil == nil {
			list = append(list, m)
		}
	}
	return list
}

// judge looks at what the honest machines have come to.
func (a *arena) judge() {
	seats := map[string]string{} // what honest machines say that a seat has become after a frame
	for _, m := range a.honest() {
		r := m.report
		if (r.Result == notice.ResultOK) != (r.Error == "") {
			a.t.Errorf("%s ends with %q and the words %q", m.name, r.Result, r.Error)
		}
		a.readable(m.name, r.Error)
		for _, w := range m.told() {
			a.readable(m.name, w)
		}
		if r.Desyncs > 0 || r.Result != notice.ResultOK {
			continue // it knows
		}
		for _, s := range r.Seats {
			key, value := fmt.Sprint(s.Seat, " after frame ", s.Frames), fmt.Sprint(s.Hash)
			if s.Hash == 0 {
				continue
			}
			if other, known := seats[key]; known && other != value {
				a.t.Errorf("in silence seat %s is %s for %s, and %s for another", key, value, m.name, other)
			}
			seats[key] = value
		}
	}
	a.folders()
}

// badWords are what nobody should read.
var badWords = regexp.MustCompile(`%!|panic|runtime error|goroutine|<nil>|0x[0-9a-f]{6}`)

func (a *arena) readable(name, words string) {
	switch {
	case len(words) > wordsMost:
		a.t.Errorf("%s is told %d bytes: %.200q", name, len(words), words)
	case wire.Clean(words, len(words)) != words:
		a.t.Errorf("%s is told what cannot be shown: %q", name, words)
	case badWords.MatchString(words):
		a.t.Errorf("%s is told: %q", name, words)
	}
}

// files are those that a game may leave: a save and its text, a recording, a report.
var files = regexp.MustCompile(`^(game\.[a-z]+|saves/[^/]+/([0-9]+\.[a-z]+|[a-z]+(\.[a-z]+)?)|desyncs/[^/]+\.zip)$`)

// folders looks for files where none should be.
func (a *arena) folders() {
	err := filepath.WalkDir(a.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(a.dir, path)
		name, rest, _ := strings.Cut(filepath.ToSlash(rel), "/")
		if known := strings.Contains(strings.Join(names, " "), name); !known || !files.MatchString(rest) {
			a.t.Errorf("there is a file %q", rel)
		}
		return nil
	})
	if err != nil {
		a.t.Error(err)
	}
}
