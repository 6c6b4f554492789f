package session

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/client"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/spectate"
	"github.com/nettplay/nettplay/internal/testing/memnet"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
	"github.com/nettplay/nettplay/savestate"
)

// alikeEnds checks that all players ended well and agree on every seat that both know.
func alikeEnds(t testing.TB, players ...*machine) {
	t.Helper()
	seats := make(map[int]game.SeatReport)
	for _, p := range players {
		for _, s := range p.expect(notice.ResultOK).Seats {
			if o, ok := seats[int(s.Seat)]; ok && o != s {
				t.Errorf("seat %d ends as %+v, for %s as %+v", s.Seat, o, p.name, s)
			}
			seats[int(s.Seat)] = s
		}
	}
}

// Somebody comes while two play, over a bad line, and plays with them from then on; on
// cores with and without wireless.
func TestComingLater(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		change func(*Config)
	}{{"wireless", wireless}, {"alone", nil}} {
		inBubble(t, tt.name, func(t *testing.T) { comesLater(t, modelCore(), tt.change) })
	}
}

func comesLater(t *testing.T, core emucore.Core, change func(*Config)) {
	net := memnet.New(5, memnet.Impairment{Delay: 10 * time.Millisecond, Jitter: 5 * time.Millisecond, Loss: 0.05})
	tb := onNetwork(t, net, core, rom(t, romstest.Pad), 2)
	tb.settings.Seats, tb.settings.Frames = 3, 450
	tb.sit(change)
	tb.sit(change)
	anna, ben := tb.machines[0], tb.machines[1]
	anna.untilFrame(100)
	carla := tb.sit(change)
	carla.untilPlaying()
	alikeEnds(t, anna, ben, carla)
	for _, p := range tb.machines {
		if n := len(p.report.Seats); n != 3 {
			t.Errorf("%s reports %d seats", p.name, n)
		}
		if p.report.Resyncs != 0 || p.report.Desyncs != 0 {
			t.Errorf("%s: %d resyncs, %d desyncs", p.name, p.report.Resyncs, p.report.Desyncs)
		}
	}
	if carla.started < 200 {
		t.Errorf("Carla was asked for input up to frame %d only", carla.started)
	}
}

// A late joiner who vanishes on the way in, at whatever stage, leaves a game that goes on.
func TestLateJoinerVanishes(t *testing.T) {
	t.Parallel()
	core, game := modelCore(), rom(t, romstest.Pad)
	for _, tt := range []struct {
		name  string
		until func(*machine)
	}{
		{"in the room", func(p *machine) { p.untilSaid("You are in seat") }},
		{"let in", func(p *machine) { p.untilSaid("You are joining the game") }},
		{"playing", func(p *machine) { p.untilPlaying() }},
	} {
		inBubble(t, tt.name, func(t *testing.T) {
			tb := onNetwork(t, quickNet(), core, game, 2)
			tb.settings.Seats, tb.settings.Frames = 4, 700
			tb.sit(wireless)
			tb.sit(wireless)
			anna, ben := tb.machines[0], tb.machines[1]
			anna.untilFrame(60)
			carla := tb.sit(wireless)
			tt.until(carla)
			carla.stop()
			carla.end()
			alikeEnds(t, anna, ben)
		})
	}
}

// The player who came into the room first comes into the game after another one, who has a
// higher seat.
func TestComingOutOfOrder(t *testing.T) {
	bubble(t, func(t *testing.T) {
		core, game := modelCore(), rom(t, romstest.Pad)
		tb := newTable(t, core, game, 2)
		tb.settings.Seats, tb.settings.Frames = 4, forever
		ends, ready := NewControl(), NewControl()
		r := replay.NewRecorder(replay.Config{Path: filepath.Join(t.TempDir(), "game.nplog")})
		tb.sit(func(c *Config) { wireless(c); c.Recorder, c.Control, c.MaxSpeed = r, ends, false })
		tb.sit(wireless)
		tb.machines[0].untilFrame(30)
		carla := tb.sit(func(c *Config) { wireless(c); c.AskReady, c.Control = true, ready })
		carla.untilSaid("You are in seat 3")
		dora := tb.sit(wireless)
		dora.untilPlaying()
		ready.Ready(true)
		carla.untilPlaying()
		carla.untilFrame(carla.newest() + 60)
		ends.EndGame("enough")
		alikeEnds(t, tb.machines...)
		must.Succeed(t, r.Close())
		l := openLog(t, r.Path())
		if len(l.Seats) != 4 || l.Seats[2].Plan.Nickname != "Dora" || l.Seats[3].Plan.Nickname != "Carla" {
			t.Fatalf("seats of the log: %+v", l.Seats)
		}
		if s := replayed(t, playedBy(wireless, l, core, game)); s.Difference != nil || s.Frame != l.Length() {
			t.Errorf("%+v, %v", s, s.Difference)
		}
	})
}

// newest is the newest frame whose input was asked for.
func (p *machine) newest() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.started
}

// A late joiner who vanishes on the way in, or right after that, does so in the log, too: its
// console comes in with a resync and leaves at the same frame, or a few later.
func TestALateJoinerVanishesInTheLog(t *testing.T) {
	t.Parallel()
	core, game := modelCore(), rom(t, romstest.Pad)
	for _, tt := range []struct {
		name  string
		until func(*machine)
	}{
		{"let in", func(p *machine) { p.untilSaid("You are joining the game") }},
		{"playing", func(p *machine) { p.untilPlaying() }},
	} {
		inBubble(t, tt.name, func(t *testing.T) {
			tb := onNetwork(t, slowNet(), core, game, 2)
			tb.settings.Seats, tb.settings.Frames = 3, 400
			r := replay.NewRecorder(replay.Config{Path: filepath.Join(t.TempDir(), "game.nplog")})
			tb.sit(func(c *Config) { wireless(c); c.Recorder = r })
			tb.sit(wireless)
			anna, ben := tb.machines[0], tb.machines[1]
			anna.untilFrame(60)
			carla := tb.sit(wireless)
			tt.until(carla)
			carla.stop()
			carla.end()
			alikeEnds(t, anna, ben)
			must.Succeed(t, r.Close())
			l := openLog(t, r.Path())
			if n := len(l.Seats); n != 3 || l.Length() != 400 {
				t.Fatalf("the log has %d seats and %d frames", n, l.Length())
			}
			if s := replayed(t, playedBy(wireless, l, core, game)); s.Difference != nil || s.Frame != 400 {
				t.Errorf("came in at frame %d: %+v, %v", l.Seats[2].From, s, s.Difference)
			}
		})
	}
}

// A player who lost the connection for good, or whose program was killed, comes again and
// plays on with the others; a changed delay holds for late joiners, too.
func TestComingAgain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		net := quickNet()
		tb := onNetwork(t, net, modelCore(), rom(t, romstest.Pad), 2)
		tb.settings.Seats, tb.settings.Frames, tb.settings.KeepConsoles = 2, 2500, true
		tb.listen = func(name string) link.Link { // the same machine, from another port
			return net.Listen(map[string]string{"Anna": "Anna", "Ben": "Ben:1", "Carla": "Ben:2"}[name])
		}
		control := NewControl()
		anna := tb.sit(func(c *Config) { wireless(c); c.Control = control; c.MaxSpeed = false })
		ben := tb.sit(wireless)
		anna.untilFrame(30)
		control.Delay(7)
		anna.untilFrame(90)
		net.Blackout(time.Hour, "Ben:1")
		anna.until("Ben's connection is gone", broken)
		ben.stop()
		again := tb.sit(func(c *Config) {
			wireless(c)
			c.Firmware.Nickname, c.Firmware.MAC[5] = "Ben", 1
		})
		again.untilPlaying()
		anna.untilSaid("Ben is joining the game")
		from := again.started
		again.untilFrame(from + 120)
		control.EndGame("enough")
		alikeEnds(t, anna, again)
		if first := anna.report.Seats[ben.seat()]; first.Owner != "Ben" || first.Frames >= anna.report.Frames {
			t.Errorf("the console of Ben's first time stays: %+v", first)
		}
	})
}

// seat is in which of the report's seats a player's console was at the beginning.
func (p *machine) seat() int {
	for _, n := range p.heard {
		if b, ok := n.(notice.Playing); ok && len(b.Mine) > 0 {
			return int(b.Mine[0])
		}
	}
	p.t.Fatalf("%s has not played", p.name)
	return 0
}

// A game into which somebody came has that in the log of each who played before, and
// replays with it to the same hashes, also from a place behind that.
func TestComingLaterIsRecorded(t *testing.T) {
	t.Parallel()
	core, game := modelCore(), rom(t, romstest.Pad)
	for _, tt := range []struct {
		name   string
		change func(*Config)
	}{{"wireless", wireless}, {"alone", func(*Config) {}}} {
		inBubble(t, tt.name, func(t *testing.T) {
			tb := newTable(t, core, game, 2)
			tb.settings.Seats, tb.settings.Frames = 3, 500
			var recorders []*replay.Recorder
			for range 2 {
				r := replay.NewRecorder(replay.Config{Path: filepath.Join(t.TempDir(), "game.nplog")})
				recorders = append(recorders, r)
				tb.sit(func(c *Config) { tt.change(c); c.Recorder = r })
			}
			tb.machines[0].untilFrame(60)
			carla := tb.sit(tt.change)
			carla.untilPlaying()
			alikeEnds(t, tb.machines...)
			for i, r := range recorders {
				must.Succeed(t, r.Close())
				l := openLog(t, r.Path())
				if n := len(l.Seats); n != 3 || l.Length() != 500 || l.Seats[n-1].From == 0 {
					t.Errorf("log %d has %d seats and %d frames; the last came in at frame %d", i, n, l.Length(), l.Seats[n-1].From)
				}
				s := replayed(t, playedBy(tt.change, l, core, game))
				if s.Difference != nil || !s.AtEnd || s.Proofs < 2*500/20+12 {
					t.Errorf("log %d: %+v, %v", i, s, s.Difference)
				}
			}
		})
	}
}

// A waiting late joiner's consoles stay here while the others' consoles are made alike.
func TestALateJoinersPartsStay(t *testing.T) {
	s := bare(&quiet{})
	p, err := s.assembler.Store().Put(savestate.KindSRAM, bytes.Repeat([]byte{1, 2, 3}, 1000))
	must.Succeed(t, err)
	s.lateJoiners[3] = &lateJoiner{manifests: map[ds.Seat]savestate.Manifest{2: {Seat: 2, Parts: []savestate.Part{p}}}}
	s.assemble(roundStart{s}, event.Prepare{}, nil)
	if !s.assembler.Store().Has(p) {
		t.Error("the late joiner's save is not here any more, and it counts as ready")
	}
}

// A late joiner that could not come into one game may come into the next.
func TestAFailedEntryIsOver(t *testing.T) {
	s := bare(&quiet{})
	s.client = &client.Client{}
	s.joining = &spectate.Entry{Round: 1}
	s.assembler.Start(stands{resync{s, &game.Resync{}}}, event.Prepare{}, nil)
	a := s.assembler.Current()
	a.GiveUp(errors.New("out of memory"))
	must.Succeed(t, s.ended(event.Ended{Round: 1, Outcome: message.OutcomeFinished}))
	s.cfg.TestConsole = func(ds.Seat, game.Console) game.Console { return model.Bare() }
	must.Succeed(t, s.play(game.Config{Round: 2, HashEvery: 10}, a, []room.SeatPlan{{Nickname: "Anna"}}))
	t.Cleanup(s.game.Close)
	if err := s.outcome(event.Ended{Round: 2, Outcome: message.OutcomeFinished}); err != nil {
		t.Errorf("the next game, which ended well: %v", err)
	}
}

// The game host's console is found to be gone at the moment at which a late joiner is let in:
// the resync that this takes replaces it.
func TestConsoleIsLostAsSomebodyComesIn(t *testing.T) {
	bubble(t, func(t *testing.T) {
		net := quickNet()
		tb := onNetwork(t, net, modelCore(), rom(t, romstest.Pad), 3)
		tb.settings.Seats, tb.settings.Frames = 4, 400
		consoles := modelMachine(tb.turns, 0)
		anna := tb.sit(func(c *Config) { c.Start, c.Background = starter(consoles), consoles.Background })
		ben, carla := tb.sit(nil), tb.sit(nil)
		carla.untilFrame(60)
		net.Cut("Carla")
		ben.untilSaid("the connection to Carla is gone") // all wait for her, and nobody is let in
		dora := tb.sit(nil)
		dora.untilSaid("Dora joined")
		time.Sleep(time.Second)
		consoles.KillOf(0)
		dora.untilPlaying()
		alikeEnds(t, anna, ben, dora)
	})
}
