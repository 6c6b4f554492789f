package chaos

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/agenda"
	"github.com/nettplay/nettplay/internal/testing/child"
	"github.com/nettplay/nettplay/internal/testing/impair"
	"github.com/nettplay/nettplay/internal/testing/memnet"
	"github.com/nettplay/nettplay/internal/testing/model"
)

// simulation is one plan under way, in a bubble.
type simulation struct {
	bench      *bench
	plan       *Plan
	dir        string
	turns      *agenda.Agenda
	net        *memnet.Network
	machines   []*simulated // of players, also those that are to come later
	spectators []*simulated
	began      time.Time
	acts       []Act
	hung       []string
	stop       chan struct{} // closed at the end
	jobs       sync.WaitGroup

	mu    sync.Mutex // guards what follows
	lines []entry
}

// entry is a line of the log.
type entry struct {
	at      time.Time
	machine int
	text    string
}

// Classes of turns beside those of the machines.
const (
	maxSlots   = 12
	stageClass = 1 + maxSlots*model.Classes // what is done to machines
	dialClass  = stageClass + 1             // one for each pair of machines
)

// slot is a machine's place among all.
func slot(machine int) int {
	if machine >= firstSpectator {
		return 9 + machine - firstSpectator
	}
	return machine
}

// ownFolder is the end of the name that a folder of saves has after the path of the player's
// own file: each run of the tests has a folder of its own.
var ownFolder = regexp.MustCompile(`-file-[0-9a-f]{16}\b`)

// say adds to the log.
func (s *simulation) say(machine int, format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := strings.ReplaceAll(fmt.Sprintf(format, args...), s.dir, "")
	text = ownFolder.ReplaceAllString(text, "")
	s.lines = append(s.lines, entry{time.Now(), machine, text})
}

// text is the log. Events on two machines at the same instant have no order.
func (s *simulation) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	slices.SortStableFunc(s.lines, func(a, b entry) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.machine, b.machine))
	})
	var b strings.Builder
	for _, l := range s.lines {
		name := "-"
		if l.machine >= 0 {
			name = Name(l.machine)
		}
		fmt.Fprintf(&b, "%14.9f %-4s %s\n", l.at.Sub(s.lines[0].at).Seconds(), name, l.text)
	}
	return b.String()
}

// run plays the plan.
func (s *simulation) run(ctx context.Context) Outcome {
	s.turns, s.stop = model.NewTurns(), make(chan struct{})
	s.net = memnet.New(s.plan.Seed, impair.Impairment{Delay: 5 * time.Millisecond})
	s.net.SetTurns(s.turns)
	s.net.SetTimeouts(s.plan.Silence, 5*time.Second)
	s.say(-1, "%s", s.plan.String())
	for n := range s.plan.Machines() {
		s.machines = append(s.machines, s.newMachine(n))
		s.wire(n, s.plan.Lines[n])
	}
	s.play(ctx)
	close(s.stop)
	for _, m := range s.all() {
		m.cancel()
	}
	for _, m := range s.all() {
		if m.started {
			<-m.ended
		}
	}
	s.jobs.Wait()
	return s.outcome()
}

// wire makes the lines between a machine and those before it.
func (s *simulation) wire(n int, imp impair.Impairment) {
	for other := range n {
		s.net.SetLine(Name(n), Name(other), imp)
		s.net.SetLine(Name(other), Name(n), imp)
	}
}

// core is that of the consoles.
func (s *simulation) core() emucore.Core {
	core := s.bench.core
	core.Wireless = s.plan.Radio
	return core
}

// options are those with which the consoles talk by radio.
func (s *simulation) options() map[string]string {
	if !s.plan.Radio {
		return nil
	}
	radio := []string{"mac", "broadcast", "across"}[s.plan.Seed%3]
	return map[string]string{"testcore_radio": radio}
}

func (s *simulation) all() []*simulated { return slices.Concat(s.machines, s.spectators) }

// play starts the machines, does what is planned and waits for the end.
func (s *simulation) play(ctx context.Context) {
	for _, m := range s.machines[:s.plan.Players] {
		s.pass(time.Millisecond) // the machines before have come to rest: what they look like is sure
		if m.number > 0 && !s.until(beginLimit, func() bool { return s.host() != nil || s.machines[0].over() }) {
			s.hang("the room never opened")
			return
		}
		m.join(ctx, Name(0))
	}
	begun := func() bool {
		return !slices.ContainsFunc(s.machines[:s.plan.Players], func(m *simulated) bool { return !m.playing() && !m.over() })
	}
	if !s.until(beginLimit, begun) {
		s.hang("the game never began")
		return
	}
	s.began = time.Now()
	for _, e := range s.plan.Events {
		s.until(time.Until(s.began.Add(e.At)), s.allOver)
		if e.Kind != Fault {
			e.At = time.Since(s.began)
		}
		did, how := simulatedActs[e.Kind](s, e)
		s.say(-1, "%v %v %s", e, did, how)
		s.acts = append(s.acts, Act{e, did, how})
	}
	if !s.finish() {
		s.hang("the game did not end")
	}
}

// finish waits for the end. Late joiners that were not let in are sent home when the
// others are gone.
func (s *simulation) finish() bool {
	playing := time.Now()
	return s.until(s.limit(), func() bool {
		for _, m := range s.all() {
			if m.started && !m.over() && m.number < firstSpectator && (m.number < s.plan.Players || m.playing()) {
				playing = time.Now()
			}
		}
		if time.Since(playing) > homeAfter {
			playing = time.Now()
			for _, m := range s.machines[s.plan.Players:] {
				m.cancel()
			}
		}
		return s.allOver()
	})
}

// limit is how long after the last event a game may take.
func (s *simulation) limit() time.Duration {
	r := run{plan: s.plan, runner: &Runner{}}
	return r.limit()
}

func (s *simulation) hang(words string) {
	for _, m := range s.all() {
		if m.started && !m.over() {
			s.hung = append(s.hung, fmt.Sprintf("%s: %s's machine still runs", words, Name(m.number)))
		}
	}
}

func (s *simulation) allOver() bool {
	return !slices.ContainsFunc(s.all(), func(m *simulated) bool { return m.started && !m.over() })
}

// host is the machine that has the room; nil while there is none.
func (s *simulation) host() *simulated {
	for _, m := range s.machines {
		if m.hosts() && !m.over() {
			return m
		}
	}
	return nil
}

// until waits for something, and tells whether it came true in time.
func (s *simulation) until(limit time.Duration, ok func() bool) bool {
	for end := time.Now().Add(limit); !ok(); {
		if !time.Now().Before(end) {
			return false
		}
		s.pass(min(20*time.Millisecond, time.Until(end)))
	}
	return true
}

// pass lets time pass.
func (s *simulation) pass(d time.Duration) { s.turns.Sleep(stageClass, d, nil) }

// later does something after a while.
func (s *simulation) later(d time.Duration, do func()) {
	turn := s.turns.Turn(stageClass, d)
	s.jobs.Go(func() {
		if turn.Wait(s.stop) {
			do()
		}
	})
}

// outcome gathers what is left.
func (s *simulation) outcome() Outcome {
	o := Outcome{Hung: s.hung, Acts: s.acts}
	for i := range o.Acts {
		if a := &o.Acts[i]; a.Kind == Fault { // in a fast game its frame comes sooner than planned
			a.Did = !slices.ContainsFunc(s.machines[a.Machine].consoles.Faults, func(f model.Fault) bool { return !f.Did() })
		}
	}
	for _, m := range s.machines {
		o.Machines = append(o.Machines, m.look())
	}
	for _, m := range s.spectators {
		o.Spectators = append(o.Spectators, m.look())
	}
	o.recorded(s.plan, func(n int) string { return s.machines[n].at(recordingFile) })
	v := int(s.plan.Seed) % s.plan.Players
	s.verify(&o.Machines[v], s.machines[v])
	return o
}

// verify plays a machine's recording again.
func (s *simulation) verify(l *Left, m *simulated) {
	log, err := replay.Open(m.at(recordingFile))
	if err != nil {
		return // it did not get that far
	}
	defer log.Close()
	l.Checked = true
	again := &model.Machine{}
	p, err := player.New(player.Config{
		Log: log, Core: s.core(), TestOptions: s.options(), ROMs: s.bench.roms(), EndAtEnd: true, StopAtDifference: true, Start: game.Starter(again.Start),
	})
	if err == nil {
		p.Speed(player.NoLimit)
		err = p.Run(context.Background())
	}
	// How far it has got when a difference is seen, which is found beside it, is by chance.
	frames := fmt.Sprintf("%d ", p.Status().Frame)
	switch d := p.Status(); {
	case err != nil:
		l.Replay = err.Error()
	case d.Difference != nil:
		frames, l.Replay = "", d.Difference.Error()
	}
	if l.Replay == "" {
		l.Replay = s.untrue(log, l)
	}
	s.say(m.number, "recording: %s%s", frames, l.Replay)
}

// untrue tells which console a machine has at the end that is not what one is that got the
// same inputs from the first frame on, and never went wrong: one from whom all took a
// mistake. Of two machines nobody can tell which is right.
func (s *simulation) untrue(log *replay.Log, l *Left) string {
	f := factsOf(s.plan, &Outcome{Acts: s.acts})
	if l.Report == nil || l.Report.Result != notice.ResultOK || s.plan.Players < 3 || f.did(-1, ends...) || f.did(-1, Dark40, Again) || s.plan.Radio {
		return ""
	}
	for _, fault := range f.done(-1, Fault) {
		uncompared := func(frame int64) bool {
			return frame >= fault.Frame && frame <= fault.Frame+2*int64(s.plan.Hash)+60
		}
		if slices.ContainsFunc(log.Seats, func(seat replay.Seat) bool { return uncompared(seat.From) }) {
			return "" // all took the consoles of one machine for a late joiner, before they were compared
		}
		if f.did(-1, KillWorker) && slices.ContainsFunc(log.Decisions, func(d timeline.Decision) bool { return d.Kind == timeline.Resync && uncompared(d.Frame) }) {
			return "" // or to replace the one that was killed
		}
	}
	inputs := log.From(0)
	consoles := make(map[ds.Seat]*model.Console)
	for _, seat := range log.Seats {
		if seat.From == 0 {
			consoles[seat.Plan.Seat], _ = new(model.Machine).Start(context.Background(), emucore.Config{
				Core: s.bench.core, ROM: s.bench.rom, Firmware: seat.Plan.Firmware, RTC: log.Settings.RTC,
			})
		}
	}
	for frame := range l.Report.Frames {
		for _, seat := range log.Seats {
			in, ok, err := inputs.Input(seat.Plan.Seat, frame)
			if c := consoles[seat.Plan.Seat]; c != nil && ok && err == nil {
				_, _ = c.Step(in)
			}
		}
	}
	for _, seat := range l.Report.Seats {
		c := consoles[seat.Seat]
		if c == nil || seat.Frames != c.Frame() || seat.Hash == 0 {
			continue
		}
		if h, _ := c.Hash(); game.Hash(h.Sum()) != seat.Hash {
			return fmt.Sprintf("all have %s's console as %v after frame %d, and it would be %v had it never gone wrong", seat.Owner, seat.Hash, seat.Frames, game.Hash(h.Sum()))
		}
	}
	return ""
}

// at is a file of a machine.
func (m *simulated) at(name string) string { return filepath.Join(m.dir, name) }

func (m *simulated) mkdirs() {
	for _, name := range []string{child.Data, child.Temp} {
		if err := os.MkdirAll(m.at(name), 0o700); err != nil {
			panic(err)
		}
	}
}
