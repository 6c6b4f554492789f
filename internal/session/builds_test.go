package session

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/corecheck"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/memnet"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/testcore"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// build is a build of the test core, which says that it does what all of them do.
func build(t *testing.T, flags, defines string) emucore.Core {
	core := model.Core(t, testcore.Build(t, flags, defines))
	core.Fingerprint = [32]byte{7}
	return core
}

// builtTable is a room whose players have builds of their own.
func builtTable(t *testing.T, frames int64, builds ...emucore.Core) *table {
	tb := newTable(t, builds[0], rom(t, romstest.Pad), len(builds))
	tb.settings.Frames = frames
	for _, core := range builds {
		tb.sit(func(c *Config) { wireless(c); c.Core = core })
	}
	return tb
}

// settled are the room's settings when a player's game began.
func (p *machine) settled() (s room.Settings) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, n := range p.heard {
		if playing, ok := n.(notice.Playing); ok {
			s = playing.Room.Settings
		}
	}
	return s
}

// TestTwoBuildsInOneRoom: two builds that do the same play together, after a state of each has loaded in the other;
// every frame is compared, and all are told.
func TestTwoBuildsInOneRoom(t *testing.T) {
	t.Parallel()
	tb := builtTable(t, 80, build(t, "-O2", ""), build(t, "-O1", ""), build(t, "-O0", ""))
	for _, p := range tb.machines {
		p.until("the lobby says so", func(n notice.Notice) bool {
			r, ok := n.(notice.RoomNotice)
			return ok && slices.ContainsFunc(r.Room.Players, func(p room.Player) bool {
				return p.Note == "Ben plays on another build of the same version; nettplay compares every frame"
			})
		})
	}
	sameEnds(t, 0, tb.machines...)
	for _, p := range tb.machines {
		if s := p.settled(); s.HashEvery != 1 {
			t.Errorf("%s: compared each %d frames", p.name, s.HashEvery)
		}
		if p.report.Desyncs != 0 {
			t.Errorf("%s: %d desyncs", p.name, p.report.Desyncs)
		}
	}
}

// TestStateOfAnotherBuildDoesNotLoad: then nobody starts, and both are told what to get.
func TestStateOfAnotherBuildDoesNotLoad(t *testing.T) {
	t.Parallel()
	tb := builtTable(t, 200, build(t, "-O2", ""), build(t, "-O2", "-DTESTCORE_STATE_VERSION=2"))
	tb.machines[0].until("it is blocked", func(n notice.Notice) bool {
		b, ok := n.(notice.Blockers)
		if !ok {
			return false
		}
		words := ""
		for _, x := range b.List {
			words += x.Words + "\n"
		}
		return strings.Contains(words, "a state of Ben's") && strings.Contains(words, "a state of Anna's") &&
			strings.Contains(words, "Both must get the same build (\"nettplay cores get\")")
	})
	for _, p := range tb.machines {
		p.stop()
		p.end()
	}
	if s := tb.machines[0].settled(); s.Seats != 0 {
		t.Error("a game began")
	}
}

// TestAnotherFingerprint: such a build does not come in, nor does one of which nothing is known.
func TestAnotherFingerprint(t *testing.T) {
	t.Parallel()
	a, b := build(t, "-O2", ""), build(t, "-O1", "")
	for _, tt := range []struct {
		theirs byte
		words  string
	}{{8, "which does not do the same in every frame"}, {0, "yours was not checked, or failed its check"}} {
		tb := newTable(t, a, rom(t, romstest.Pad), 2)
		tb.sit(func(c *Config) { wireless(c); c.Core = a })
		other := b
		other.Fingerprint = [32]byte{tt.theirs}
		p := tb.sit(func(c *Config) { wireless(c); c.Core = other })
		p.expect(notice.ResultCore, tt.words)
		if f, ok := errors.AsType[*notice.Failure](p.err); !ok || !strings.Contains(f.Hint, "from the same place") {
			t.Errorf("%v", p.err)
		}
		tb.machines[0].stop()
		tb.machines[0].end()
	}
}

// TestLyingBuild: a machine whose core is not what it says gets a desync, which is repaired, and after
// the second one all are told who has which build.
func TestLyingBuild(t *testing.T) {
	t.Parallel()
	liar := build(t, "-O2", "-DTESTCORE_DESYNC_EVERY=110")
	tb := builtTable(t, 600, build(t, "-O2", ""), liar)
	tb.machines[0].untilSaid("no longer agree, and their builds of nettplay test core 1 differ: build ")
	tb.machines[1].untilSaid("Play the next game on equal builds (\"nettplay cores get\")")
	for _, p := range tb.machines {
		p.stop()
		p.end()
	}
}

// TestLateJoinOfAnotherBuild: somebody comes into a game that runs, with another build.
func TestLateJoinOfAnotherBuild(t *testing.T) {
	t.Parallel()
	a, b := build(t, "-O2", ""), build(t, "-O1", "")
	tb := newTable(t, a, rom(t, romstest.Pad), 2)
	tb.settings.Seats = 3
	control := NewControl()
	slow := func(core emucore.Core) func(*Config) {
		return func(c *Config) {
			wireless(c)
			if c.Core, c.MaxSpeed = core, false; c.Host != nil {
				c.Control = control
			}
		}
	}
	tb.sit(slow(a))
	tb.sit(slow(a))
	tb.machines[0].untilFrame(60)
	late := tb.sit(slow(b))
	late.untilPlaying()
	late.goesOn()
	control.EndGame("enough")
	sameEnds(t, 0, tb.machines...)
}

// TestStateThatCannotBeTried: then nothing is said against the other's build; the room says what is amiss, and
// plays once the trial is over.
func TestStateThatCannotBeTried(t *testing.T) {
	t.Parallel()
	a, b := build(t, "-O2", ""), build(t, "-O1", "")
	tb := newTable(t, a, rom(t, romstest.Pad), 2)
	tb.settings.Frames = 60
	var made, tried atomic.Int32
	tb.sit(func(c *Config) {
		wireless(c)
		c.Core, c.Trial = a, func(context.Context, emucore.Core) (StateTrial, error) {
			if made.Add(1) == 1 {
				return nil, errors.New("no space left on device")
			}
			return fakeTrial{}, nil
		}
	})
	tb.sit(func(c *Config) {
		wireless(c)
		c.Core, c.Trial = b, func(context.Context, emucore.Core) (StateTrial, error) {
			return tryFunc(func() error {
				if tried.Add(1) == 1 {
					return errors.New("core changed: its file is gone")
				}
				return nil
			}), nil
		}
	})
	for words := range map[string]bool{
		"could not make a state for those with another build of the core (no space left on device), and tries again":             true,
		"could not try whether a state of Anna's build of the core loads here (core changed: its file is gone), and tries again": true,
	} {
		tb.machines[0].until(words, func(n notice.Notice) bool {
			blocked, ok := n.(notice.Blockers)
			return ok && slices.ContainsFunc(blocked.List, func(x room.Blocker) bool {
				return strings.Contains(x.Words, words) && x.Cause != room.CauseBuild
			})
		})
	}
	sameEnds(t, 0, tb.machines...)
	if made.Load() != 2 || tried.Load() != 2 {
		t.Errorf("made %d times, tried %d times", made.Load(), tried.Load())
	}
}

// tryFunc is a trial that is what it does.
type tryFunc func() error

func (tryFunc) State() emucore.State { return fakeTrial{}.State() }

func (f tryFunc) Try(context.Context, []byte) error { return f() }

// fakeTrial is a trial that refuses states.
type fakeTrial struct{ why error }

func (f fakeTrial) State() emucore.State { return emucore.State{Frame: 1, Data: []byte("a state")} }

func (f fakeTrial) Try(context.Context, []byte) error { return f.why }

// TestLateJoinerWhoseStatesDoNotLoad is told so, and the others play on.
func TestLateJoinerWhoseStatesDoNotLoad(t *testing.T) {
	t.Parallel()
	a, b := build(t, "-O2", ""), build(t, "-O1", "")
	tb := newTable(t, a, rom(t, romstest.Pad), 2)
	tb.settings.Seats = 3
	control := NewControl()
	with := func(core emucore.Core, why error) func(*Config) {
		return func(c *Config) {
			wireless(c)
			if c.Core, c.MaxSpeed = core, false; c.Host != nil {
				c.Control = control
			}
			c.Trial = func(context.Context, emucore.Core) (StateTrial, error) { return fakeTrial{why}, nil }
		}
	}
	tb.sit(with(a, &corecheck.RefusedError{Why: "no"}))
	tb.sit(with(a, nil))
	tb.machines[0].untilFrame(60)
	late := tb.sit(with(b, nil))
	late.end()
	if late.err == nil || !strings.Contains(late.err.Error(), "a state of Carla's") {
		t.Errorf("%v", late.err)
	}
	tb.machines[0].untilSaid("a state of Carla's")
	tb.machines[0].goesOn()
	control.EndGame("enough")
	sameEnds(t, 0, tb.machines[:2]...)
}

// TestTrialStateBeforeTheRoom: on a line that jitters, the game host's trial state may overtake the word of who is in the
// room; whoever comes then must not wait for it for ever.
func TestTrialStateBeforeTheRoom(t *testing.T) {
	t.Parallel()
	a, b := build(t, "-O2", ""), build(t, "-O1", "")
	for seed := range uint64(6) {
		tb := onNetwork(t, memnet.New(seed, memnet.Impairment{Delay: 20 * time.Millisecond, Jitter: 20 * time.Millisecond}), a, rom(t, romstest.Pad), 3)
		tb.settings.Frames = 2
		for _, core := range []emucore.Core{a, b, b} {
			p := tb.sit(func(c *Config) {
				wireless(c)
				c.Core, c.Trial = core, func(context.Context, emucore.Core) (StateTrial, error) { return fakeTrial{}, nil }
			})
			if len(tb.machines) == 2 {
				p.untilRoom("both are there", func(r room.Room) bool { return len(r.Players) == 2 })
			}
		}
		sameEnds(t, 0, tb.machines...)
	}
}
