package game

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/rollback"
	"github.com/nettplay/nettplay/internal/testing/impair"
)

// a log is what a machine has taken down of each seat, and shown of it.
type seatLog struct {
	inputs, hashes []string
}

type logRecorder map[ds.Seat]*seatLog

func (l logRecorder) of(seat ds.Seat) *seatLog {
	if l[seat] == nil {
		l[seat] = new(seatLog)
	}
	return l[seat]
}

func (l logRecorder) Input(seat ds.Seat, frame int64, in inputdelay.Input) {
	l.of(seat).inputs = append(l.of(seat).inputs, fmt.Sprint(frame, in))
}
func (l logRecorder) Decided(timeline.Decision) {}
func (l logRecorder) Hashes(seat ds.Seat, frames int64, h ds.Hash) {
	l.of(seat).hashes = append(l.of(seat).hashes, fmt.Sprint(frames, h))
}

// shows are a seat's frames as they were shown.
type shows struct {
	heard  []int16 // the sound of each frame, as it came last
	wrong  error
	newest emucore.Frame
}

func (s *shows) show(_ ds.Seat, f emucore.Frame) {
	next := int64(len(s.heard))
	switch {
	case !f.Again && f.Number == next:
		s.heard = append(s.heard, f.Audio[0])
	case f.Again && f.Number < next:
		s.heard[f.Number] = f.Audio[0]
	default:
		s.wrong = fmt.Errorf("after %d frames, frame %d is shown, again %v", next, f.Number, f.Again)
	}
	if f.Number >= s.newest.Number {
		s.newest = f
	}
}

// rollbackWorld is a world with rollback, whose machines go as many frames ahead as depths says, one after the other. There
// is no air, but with coupled consoles are one group as if there were.
func rollbackWorld(t *testing.T, seed uint64, machines, delay int, coupled bool, depths ...int) (w *world, logs []logRecorder, shown [][]*shows) {
	w = newWorldWith(t, seed, machines, delay, func(cfg *Config) {
		cfg.Rollback, cfg.Depth = true, depths[cfg.Me%len(depths)]
	})
	w.set(bad)
	for _, m := range w.machines {
		log, list := make(logRecorder), make([]*shows, machines)
		m.g.rec = log
		for i, s := range m.g.seats {
			list[i] = new(shows)
			s.run.show = list[i].show
		}
		if coupled {
			m.g.couple()
		}
		logs, shown = append(logs, log), append(shown, list)
	}
	return w, logs, shown
}

// couple makes one group of all consoles.
func (g *Game) couple() {
	one := &group{seats: slices.Clone(g.seats), course: rollback.NewCourse(0)}
	g.rolls.groups = []*group{one}
	g.rolls.apart = false
	g.rolls.depth = g.rolls.ahead()
}

// TestRollbackLeavesNoTrace: whatever was guessed, inputs, hashes and what each console has run
// are those of a game without guesses, and of lockstep; each frame is shown and heard once, in order.
func TestRollbackLeavesNoTrace(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			machines, delay := 2+int(seed%3), int(seed%4)
			w := newWorld(t, seed, machines, delay)
			lockstep := make(logRecorder)
			w.machines[0].g.rec = lockstep
			w.decide(timeline.Decision{Kind: timeline.End, Frame: 300})
			w.run(60*time.Second, nil)
			checkTraces(t, seed, machines, delay, nil, lockstep)
		})
	}
}

// TestOwnDelaysLeaveNoTrace: the same where each player has an own delay, and changes it.
func TestOwnDelaysLeaveNoTrace(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			machines := 2 + int(seed%3)
			rng := rand.New(rand.NewPCG(seed, 3))
			var chosen []timeline.Decision
			for frame := int64(60); frame < 280; frame += 20 {
				chosen = append(chosen, timeline.Decision{Kind: timeline.SeatDelay, Frame: frame, Seat: ds.Seat(rng.IntN(machines)), Delay: rng.IntN(autodelay.MaxChosen + 1)})
			}
			w := newWorld(t, seed, machines, 1)
			lockstep := make(logRecorder)
			w.machines[0].g.rec = lockstep
			w.decideAll(chosen)
			w.decide(timeline.Decision{Kind: timeline.End, Frame: 300})
			w.run(60*time.Second, nil)
			alone := make(logRecorder)
			w = newWorld(t, seed, machines, 1)
			w.machines[0].g.rec = alone
			w.decide(timeline.Decision{Kind: timeline.End, Frame: 300})
			w.run(60*time.Second, nil)
			if reflect.DeepEqual(alone, lockstep) {
				t.Error("the log is the same whatever the delays are")
			}
			checkTraces(t, seed, machines, 1, chosen, lockstep)
		})
	}
}

// decideAll decides all of a list.
func (w *world) decideAll(list []timeline.Decision) {
	for _, d := range list {
		w.decide(d)
	}
}

// checkTraces plays with rollback, by guesses of several depths, and compares the logs.
func checkTraces(t *testing.T, seed uint64, machines, delay int, chosen []timeline.Decision, want logRecorder) {
	t.Helper()
	for _, depths := range [][]int{{0}, {1}, {rollback.MaxDepth}, {4, 0, 2}} {
		for _, coupled := range []bool{false, true} {
			checkTrace(t, seed, machines, delay, coupled, depths, chosen, want)
		}
	}
}

func checkTrace(t *testing.T, seed uint64, machines, delay int, coupled bool, depths []int, chosen []timeline.Decision, want logRecorder) {
	t.Helper()
	w, logs, shown := rollbackWorld(t, seed, machines, delay, coupled, depths...)
	w.decideAll(chosen)
	w.decide(timeline.Decision{Kind: timeline.End, Frame: 300})
	w.run(60*time.Second, func(int) { checkGuesses(w) })
	w.check()
	backs := 0
	for i, m := range w.machines {
		for seat, s := range shown[i] {
			if !slices.Equal(s.heard, shown[0][seat].heard) {
				t.Errorf("depths %v, coupled %v: machine %d hears other sounds of seat %d", depths, coupled, i, seat)
			}
		}
		if !reflect.DeepEqual(logs[i], want) {
			t.Errorf("depths %v, coupled %v: machine %d has another log", depths, coupled, i)
		}
		for seat, s := range shown[i] {
			if s.wrong != nil || len(s.heard) != 300 || s.newest.Number != 299 {
				t.Errorf("machine %d, seat %d: %d frames are heard; %v", i, seat, len(s.heard), s.wrong)
			}
			if back := m.models[seat].Backs(); back > 0 && (depths[i%len(depths)] == 0 || !coupled) {
				t.Errorf("depths %v, coupled %v: seat %d went back on machine %d", depths, coupled, seat, i)
			} else {
				backs += back
			}
		}
	}
	if backs == 0 && depths[0] > 0 && coupled {
		t.Errorf("depths %v, coupled %v: no console went back", depths, coupled)
	}
}

// checkGuesses checks that no console is further ahead of what is known than it may be, nor
// ahead of our own, nor beyond a barrier or what may have been decided.
func checkGuesses(w *world) {
	w.t.Helper()
	for i, m := range w.machines {
		for _, s := range m.g.seats {
			n := len(s.guesses.list)
			top := s.frame + int64(n)
			if n > m.g.rolls.most+1 || n > 1 && (top > m.g.begun || top > s.end || top > m.g.feed.horizon.Frame || top > m.g.Stop()) {
				w.t.Fatalf("machine %d, seat %v: %d guesses from frame %d; begun %d, end %d, horizon %d", i, s.number, n, s.frame, m.g.begun, s.end, m.g.feed.horizon.Frame)
			}
		}
	}
}

// TestRollbackThroughAGame: pauses, delays that change, machines that vanish and other game hosts are the same with
// guesses.
func TestRollbackThroughAGame(t *testing.T) {
	for seed := range uint64(16) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			machines := 2 + int(seed%3)
			w, _, _ := rollbackWorld(t, seed, machines, int(seed%3), seed%2 == 0, rollback.MaxDepth, int(seed%5), 3)
			w.run(60*time.Second, func(ms int) {
				checkGuesses(w)
				switch {
				case ms%700 == 350 && ms < 3000:
					w.decide(timeline.Decision{Kind: timeline.SetDelay, Delay: w.rng.IntN(9)})
				case ms == 1200:
					w.decide(timeline.Decision{Kind: timeline.Pause})
				case ms == 1700:
					w.decide(timeline.Decision{Kind: timeline.Resume})
				case ms == 2000 && machines > 2:
					w.vanish(machines - 1)
				case ms == 3500 && machines > 3:
					w.elect(1)
				case ms == 5000:
					w.decide(timeline.Decision{Kind: timeline.End})
				}
			})
			w.check()
		})
	}
}

// A game begins with the depth that the machine bore before, as far as it may go now, else with that of an unknown one.
func TestDepthGoesOn(t *testing.T) {
	for _, tt := range []struct {
		bore *int
		most int
		want int
	}{{nil, rollback.MaxDepth, rollback.FirstDepth}, {new(8), rollback.MaxDepth, 8}, {new(8), 5, 5}, {new(8), 0, 0}} {
		w := newWorldWith(t, 1, 2, 1, func(cfg *Config) { cfg.Rollback, cfg.Depth, cfg.Bore = true, tt.most, tt.bore })
		g := w.machines[0].g
		if g.couple(); g.Rollbacks().Depth != tt.want || g.rolls.depth != tt.want {
			t.Errorf("of a depth of %d at the most it begins with %d, and needs are less by %d, want %d", tt.most, g.Rollbacks().Depth, g.rolls.depth, tt.want)
		}
	}
}

// A need of an input is less by the frames that this machine guesses, and follows when it guesses fewer.
func TestNeedsAreLessByGuesses(t *testing.T) {
	sum := func(depth int) (needs [2]int) {
		w, _, _ := rollbackWorld(t, 3, 2, 6, true, depth)
		w.set(impair.Impairment{Delay: 60 * time.Millisecond, Jitter: 5 * time.Millisecond, Duplicate: 0.05})
		for _, m := range w.machines {
			m.g.rolls.keep, m.g.rolls.depth = true, depth
		}
		w.run(20*time.Second, nil)
		for i, m := range w.machines {
			needs[i] = m.g.Arrivals(autodelay.Party)[ds.Seat(1-i)].Middle
		}
		return needs
	}
	plain, guessing := sum(0), sum(2)
	for i := range plain {
		if less := plain[i] - guessing[i]; less < 7 || less > 9 {
			t.Errorf("machine %d: a need of %d quarters, with 2 frames of guesses %d", i, plain[i], guessing[i])
		}
	}
}

// Whatever a machine bears, with rollback its players have no longer an input delay than in lockstep over the same lines: what it
// waits for is not sampled late on top, for which the others would wait in their turn.
func TestDelayIsNoLongerThanInLockstep(t *testing.T) {
	kept := func(seed uint64, first int, change func(*Config)) (longest int) {
		w := newWorldWith(t, seed, 2, first, change)
		w.steady = true
		w.set(impair.Impairment{Delay: 50 * time.Millisecond, Jitter: 10 * time.Millisecond, Loss: 0.02})
		for _, m := range w.machines {
			if m.slow = 6 * time.Millisecond; m.g.rolls.on {
				m.g.couple()
			}
		}
		w.run(60*time.Second, keep(w, autodelay.NewKeeper(autodelay.Party, w.Time()), autodelay.Party))
		for _, s := range w.machines[0].g.Delays() {
			longest = max(longest, s.Delay)
		}
		w.over()
		return longest
	}
	for seed := range uint64(2) {
		lockstep := kept(seed, 4, func(*Config) {})
		for _, depth := range []int{0, 1, 2, 4, rollback.MaxDepth} {
			const first = 1 // which is too short where it bears nothing
			got := kept(seed, first, func(cfg *Config) { cfg.Rollback, cfg.Depth, cfg.KeepDepth = true, depth, true })
			t.Logf("seed %d: depth %d, delay %d; in lockstep %d", seed, depth, got, lockstep)
			if got > max(lockstep-depth+1, 1) || depth == 0 && got > lockstep {
				t.Errorf("seed %d: with a depth of %d the delay is %d, in lockstep %d", seed, depth, got, lockstep)
			}
		}
	}
}
