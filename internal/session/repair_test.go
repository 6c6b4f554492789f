package session

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/assembly"
	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// sameEnds checks that players ended well, after some resyncs, with the same hashes
// in all seats.
func sameEnds(t *testing.T, resyncs int, players ...*machine) {
	t.Helper()
	for _, p := range players {
		r := p.expect(notice.ResultOK)
		if r.Resyncs != resyncs {
			t.Errorf("%s: %d resyncs, want %d", p.name, r.Resyncs, resyncs)
		}
		for i, s := range r.Seats {
			left := s.Frames < r.Frames // perhaps while the machines were not alike
			if o := players[0].report.Seats[i]; s != o || s.Hash == 0 && !left {
				t.Errorf("seat %d ends as %+v for %s and as %+v for %s", i, s, p.name, o, players[0].name)
			}
		}
	}
}

// A desync is seen, said, and repaired while the game goes on, whichever region and
// machine it is in; in the middle of a wireless game, too.
func TestDesyncIsRepaired(t *testing.T) {
	t.Parallel()
	for _, tt := range []desynced{{"ram", 3, 2}, {"hash", 2, 0}, {"sram", 2, 1}} {
		inBubble(t, tt.what, func(t *testing.T) { tt.repaired(t, modelCore()) })
	}
}

// desynced is a desync on one machine.
type desynced struct {
	what    string
	players int
	odd     int
}

func (tt desynced) repaired(t *testing.T, core emucore.Core) {
	tb := newTable(t, core, rom(t, romstest.Pad), tt.players)
	tb.settings.Frames = 300
	var traces []*traced
	for i := range tt.players {
		tr := new(traced)
		traces = append(traces, tr)
		tb.sit(func(c *Config) {
			wireless(c)
			c.Trace = tr.take
			if i == tt.odd {
				c.TestOptions["testcore_desync_at"], c.TestOptions["testcore_desync_what"] = "150", tt.what
			}
		})
	}
	tb.machines[tt.players-1].untilSaid("take their consoles from")
	sameEnds(t, 1, tb.machines...)
	if n := tb.machines[0].report.Desyncs; n != 1 {
		t.Errorf("the game host reports %d desyncs", n)
	}
	if len(traces[0].records) < 50 {
		t.Errorf("only %d packets", len(traces[0].records))
	}
}

// A console that crashes, hangs or is killed on one machine, its owner's or another,
// the game host's or not, comes back there from the others, and nobody leaves.
func TestLostConsoleIsReplaced(t *testing.T) {
	t.Parallel()
	for _, tt := range []lostConsole{
		{"the game host's own", 0, "0", "segv"},
		{"a client's copy of another", 2, "1", "segv"},
		{"a client's own, which hangs", 1, "1", "hang"},
	} {
		inBubble(t, tt.name, func(t *testing.T) { tt.replaced(t, modelCore(), time.Second) })
	}
}

// lostConsole is a console that fails on one machine.
type lostConsole struct {
	name  string
	who   int // whose machine
	which string
	fault string
}

// replaced plays with a limit for machines that send nothing, which a hanging worker may pass.
func (tt lostConsole) replaced(t *testing.T, core emucore.Core, wait time.Duration) {
	tb := newTable(t, core, rom(t, romstest.Pad), 3)
	tb.settings.Frames = 300
	for i := range 3 {
		tb.sit(func(c *Config) {
			wireless(c)
			if c.Host != nil {
				c.Host.Wait = wait
			}
			if i == tt.who {
				breaks(c, tt.fault, "150", tt.which)
			}
		})
	}
	sameEnds(t, 1, tb.machines...)
}

// The machine whose consoles all are to take loses one just then, the game host's or a
// client's: they are taken from the third.
func TestDonorLosesAConsole(t *testing.T) {
	t.Parallel()
	core, game := modelCore(), rom(t, romstest.Pad)
	for _, tt := range []struct {
		name       string
		who, donor int
	}{{"the game host", 2, 0}, {"a client", 0, 1}} {
		inBubble(t, tt.name, func(t *testing.T) {
			tb := losing(t, newTable(t, core, game, 3), tt.who, tt.donor)
			carla := tb.machines[2]
			carla.untilSaid(tb.machines[tt.donor].name + "'s computer: ")
			sameEnds(t, 1, tb.machines...)
		})
	}
}

// Where there is no third, the game is over, and both are told why.
func TestNobodyHasConsoles(t *testing.T) {
	t.Parallel()
	core, game := modelCore(), rom(t, romstest.Pad)
	for _, tt := range []struct {
		name       string
		who, donor int
	}{{"the game host", 1, 0}, {"a client", 0, 1}} {
		inBubble(t, tt.name, func(t *testing.T) {
			tb := losing(t, newTable(t, core, game, 2), tt.who, tt.donor)
			for i, p := range tb.machines {
				result := map[bool]notice.Result{true: notice.ResultCore, false: notice.ResultLost}[i == tt.donor]
				p.expect(result, tb.machines[tt.donor].name+"'s computer: ", "SIGSEGV", "were to take its consoles")
			}
		})
	}
}

// losing lets a machine lose a console, and the one that all are to take theirs from another
// when it gives them.
func losing(t *testing.T, tb *table, who, donor int) *table {
	t.Helper()
	tb.settings.Frames = 400
	for i := range tb.players {
		tb.sit(func(c *Config) {
			wireless(c)
			if i == who {
				breaks(c, "segv", "150", "0")
			}
			if i == donor {
				breaks(c, "segv", "serialize", "1")
			}
		})
		if i > 0 { // the second machine is the next donor
			tb.machines[i].untilSaid("You are in seat")
		}
	}
	return tb
}

// Both players lose a console, one after the other.
func TestLostConsolesOneAfterTheOther(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 2)
		tb.settings.Frames = 200
		for i, at := range []string{"80", "20"} {
			tb.sit(func(c *Config) {
				wireless(c)
				c.TestOptions["testcore_radio"] = "off"
				c.MaxSpeed = false
				breaks(c, "segv", at, strconv.Itoa(i))
			})
		}
		sameEnds(t, 2, tb.machines...)
	})
}

// A console that is lost when the end is so near that nothing can be decided any more is
// not replaced. Its machine has no hash of it, and nobody calls that a desync.
func TestConsoleLostAtTheEnd(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 2)
		tb.settings.Frames = 200
		for i := range 2 {
			tb.sit(func(c *Config) {
				wireless(c)
				c.TestOptions["testcore_radio"] = "off"
				if i == 1 {
					breaks(c, "segv", "198", "0")
				}
			})
		}
		anna, ben := tb.machines[0].expect(notice.ResultOK), tb.machines[1].expect(notice.ResultOK)
		if len(anna.Seats) != 2 || len(ben.Seats) != 2 || anna.Resyncs+ben.Resyncs != 0 {
			t.Fatalf("%+v and %+v", anna, ben)
		}
		if a, b := anna.Seats[0], ben.Seats[0]; a.Frames != 200 || b.Frames != 200 || a.Hash == 0 || b.Hash != 0 {
			t.Errorf("Anna's console is %+v, and on Ben's machine, which lost it, %+v", a, b)
		}
		if a, b := anna.Seats[1], ben.Seats[1]; a != b || a.Hash == 0 {
			t.Errorf("Ben's console is %+v and %+v", a, b)
		}
	})
}

// A machine that differs again at once is not cured by its neighbours' consoles: the
// game ends and names it.
func TestDesyncThatStays(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 2)
		tb.settings.Frames = 5000
		tb.sit(nil)
		tb.sit(func(c *Config) { c.TestOptions = map[string]string{"testcore_wall_clock": "cycles"} })
		for _, p := range tb.machines {
			if r := p.expect(notice.ResultDesync, "copy of", "console (seat"); r.Resyncs != maxRepairs {
				t.Errorf("%s: %d resyncs before the end", p.name, r.Resyncs)
			}
		}
	})
}

// A player who leaves while consoles are on their way to the others leaves like at any
// other time.
func TestLeavingAmidResync(t *testing.T) {
	t.Parallel()
	core, game := modelCore(), rom(t, romstest.Pad)
	for _, tt := range []struct {
		name    string
		players int
		result  notice.Result
		keep    bool
	}{{"one of two", 2, notice.ResultOK, false}, {"one of three", 3, notice.ResultOK, false}, {"one of three whose consoles stay", 3, notice.ResultOK, true}} {
		inBubble(t, tt.name, func(t *testing.T) {
			tb := newTable(t, core, game, tt.players).heavy()
			tb.settings.Frames, tb.settings.KeepConsoles = 400, tt.keep
			for i := range tt.players {
				tb.sit(func(c *Config) {
					wireless(c)
					c.Upload = 200 << 10
					if tt.players == 2 {
						c.TestOptions["testcore_radio"] = "off" // it would reach Ben's console, which is right if they are two
					}
					if i == 1 {
						c.TestOptions["testcore_desync_at"], c.TestOptions["testcore_desync_what"] = "150", "ram"
						c.TestOptions["testcore_only_mac"] = "0"
					}
				})
			}
			ben := tb.machines[1]
			ben.until("a quarter of the consoles is there", func(n notice.Notice) bool {
				m, ok := n.(notice.Transfer)
				return ok && m.Down.Total > 0 && m.Down.Done > m.Down.Total/4
			})
			ben.stop()
			ben.expect(notice.ResultOK)
			for i, p := range tb.machines {
				if i != 1 {
					p.expect(tt.result)
				}
			}
			if tt.keep {
				alikeBut(t, tb.machines[0], tb.machines[2])
			}
		})
	}
}

// alikeBut checks that players whose machines differed once have the same consoles to the
// end, those of who left, too.
func alikeBut(t *testing.T, players ...*machine) {
	t.Helper()
	first := players[0].report
	for _, p := range players {
		if !slices.Equal(p.report.Seats, first.Seats) {
			t.Errorf("%s's consoles end as %+v, %s's as %+v", p.name, p.report.Seats, players[0].name, first.Seats)
		}
	}
	for _, s := range first.Seats {
		if s.Frames != first.Frames || s.Hash == 0 {
			t.Errorf("seat %d ends as %+v", s.Seat, s)
		}
	}
}

// A player leaves, and before the frame at which that happens another machine loses a
// console: the resync finds the leaver off the air, and the others go on.
func TestResyncAfterSomebodyLeft(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Multiplay), 3)
		tb.settings.Frames = 400
		for i := range 3 {
			tb.sit(func(c *Config) {
				wireless(c)
				c.MaxSpeed = false
				if i == 1 {
					breaks(c, "segv", "120", "0")
				}
			})
		}
		anna, ben, carla := tb.machines[0], tb.machines[1], tb.machines[2]
		carla.untilFrame(105) // the frame at which it leaves is decided about 30 ahead
		carla.stop()
		carla.end()
		sameEnds(t, 1, anna, ben)
	})
}

// Consoles are taken from somebody who is there: the owner of the console that differs may
// have left.
func TestADonorIsThere(t *testing.T) {
	s := bare(&quiet{})
	s.game = emptyGame(t, 1, 0, 1, 2, 3)
	must.Succeed(t, s.game.Decide(timeline.Decision{Kind: timeline.Leave, Seat: 1, Frame: 9}))
	if m := s.donor(desync.Verdict{Machine: 0, Seat: 1}); !s.game.TakesPart(m) || m == 0 {
		t.Errorf("consoles are to come from machine %d", m)
	}
}

// A machine whose consoles fail again and again does not use up the repairs of others.
func TestRepairsAreCountedByMachine(t *testing.T) {
	now := time.Now()
	s := bare(&quiet{})
	for n := range maxRepairs + 1 {
		if may := s.mayRepair(now, 1); may != (n < maxRepairs) {
			t.Errorf("machine 1, time %d: %v", n+1, may)
		}
	}
	if !s.mayRepair(now, 2) || !s.mayRepair(now, allMachines) {
		t.Error("another one's first repair is refused")
	}
	if !s.mayRepair(now.Add(repairWindow+1), 1) {
		t.Error("it is refused for ever")
	}
}

// A resync that is over for the others, while this machine had not got its consoles and
// was left behind, is the end of its game, and says so, also where its consoles had not met yet.
func TestLeftBehindByAResync(t *testing.T) {
	for _, met := range []bool{false, true} {
		s := bare(&quiet{})
		s.game = emptyGame(t, 1, 0, 1)
		must.Succeed(t, s.game.Decide(timeline.Decision{Kind: timeline.Idle, Seat: 0, Frame: 9}))
		if met {
			s.assembler.Start(stands{resync{s, &game.Resync{}}}, event.Prepare{}, nil)
		}
		var f *notice.Failure
		if err := s.resynced(); !errors.As(err, &f) || f.Result != notice.ResultLost || !strings.Contains(f.Error(), "continued without this computer") {
			t.Errorf("consoles had met: %v: %v", met, err)
		}
	}
}

// stands is the purpose of a resync whose consoles nobody describes.
type stands struct{ resync }

func (stands) Describe(*assembly.Assembly) {}
