package session

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/memnet"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// stayed checks that all consoles came to the end of the game on these players' machines,
// also those that nobody played any more, and that nobody's recording is another game.
func stayed(t *testing.T, core emucore.Core, frames int64, consoles int, logs []*replay.Recorder, players ...*machine) {
	t.Helper()
	alike(t, frames, consoles, players...)
	for i, rec := range logs {
		must.Succeed(t, rec.Close())
		l := openLog(t, rec.Path())
		if l.Length() != frames {
			t.Errorf("log %d has %d frames", i, l.Length())
		}
		s := replayed(t, playedBy(wireless, l, core, rom(t, romstest.Pad)))
		if s.Difference != nil || s.Frame != frames || s.Proofs == 0 {
			t.Errorf("log %d played again: %d frames, %d proofs, %v", i, s.Frame, s.Proofs, s.Difference)
		}
	}
}

// In a room that keeps consoles, those of players who leave, who are lost, or who were game
// host, run on with nothing pressed, on the air too: the others hear them as before.
func TestConsolesStay(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"leaves", "lost", "game host leaves", "game host lost"} {
		inBubble(t, how, func(t *testing.T) { consolesStay(t, modelCore(), how) })
	}
}

func consolesStay(t *testing.T, core emucore.Core, how string) {
	net := memnet.New(7, memnet.Impairment{Delay: 5 * time.Millisecond, Jitter: 3 * time.Millisecond, Loss: 0.02})
	tb := onNetwork(t, net, core, rom(t, romstest.Pad), 3)
	tb.settings.Frames, tb.settings.KeepConsoles = 300, true
	var traces []*traced
	var logs []*replay.Recorder
	for range 3 {
		tr, rec := new(traced), replay.NewRecorder(replay.Config{Folder: t.TempDir()})
		t.Cleanup(func() { rec.Close() })
		traces, logs = append(traces, tr), append(logs, rec)
		tb.sit(func(c *Config) {
			wireless(c)
			c.Trace, c.Recorder = tr.take, rec
		})
	}
	who := 1
	if how == "game host leaves" || how == "game host lost" {
		who = 0
	}
	gone := tb.machines[who]
	gone.untilFrame(100)
	if how == "leaves" || how == "game host leaves" {
		gone.stop()
		gone.expect(notice.ResultOK)
	} else {
		net.Cut(gone.name)
	}
	others := slices.Delete(slices.Clone(tb.machines), who, who+1)
	logs = slices.Delete(logs, who, who+1)
	if core.Name != modelCore().Name {
		logs = logs[:1] // all are compared on the model
	}
	stayed(t, core, 300, 3, logs, others...)
	traces = slices.Delete(traces, who, who+1)
	sameTraces(t, traces)
	late := 0
	for _, r := range traces[0].records {
		if r.Frame > 240 && r.Seat == seatOwned(others[0].report, gone.name) {
			late++
		}
	}
	if late == 0 {
		t.Error("the console that stayed is not heard any more")
	}
}

// seatOwned is the seat of a player's console.
func seatOwned(r notice.Report, owner string) ds.Seat {
	return r.Seats[slices.IndexFunc(r.Seats, func(s game.SeatReport) bool { return s.Owner == owner })].Seat
}

// Consoles that stayed are made alike anew with the others, and those who come later get
// them too.
func TestConsolesStayThroughRepairs(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 3)
		tb.settings.Frames, tb.settings.KeepConsoles, tb.settings.Seats = 700, true, 4
		for i := range 3 {
			tb.sit(func(c *Config) {
				wireless(c)
				c.MaxSpeed = false
				if i == 2 {
					c.TestOptions["testcore_desync_at"], c.TestOptions["testcore_desync_what"] = "200", "ram"
				}
			})
		}
		ben := tb.machines[1]
		ben.untilFrame(100)
		ben.stop()
		ben.expect(notice.ResultOK)
		tb.machines[2].untilSaid("all consoles match again")
		dora := tb.sit(wireless)
		dora.untilPlaying()
		anna, carla := tb.machines[0], tb.machines[2]
		for _, p := range []*machine{anna, carla, dora} {
			p.expect(notice.ResultOK)
		}
		alikeBut(t, anna, carla, dora)
		if n := anna.report.Resyncs; len(anna.report.Seats) != 4 || n != 1 || anna.heardOf("(resync 2)") {
			t.Errorf("%d consoles, %d resyncs, Anna was told %q", len(anna.report.Seats), n, anna.said())
		}
	})
}

// lobby is a room in which nothing has begun.
type lobby struct {
	quiet
	game [32]byte
}

func (l *lobby) Room() room.Room {
	return room.Room{Phase: room.PhaseLobby, Revision: 1, Players: []room.Player{{ROM: room.ROMID{SHA256: l.game}}}}
}

func (l *lobby) Report(time.Time, room.Status) {}

// While games are looked for, what a session was told can change: it becomes game host, or
// its player chooses another game.
func TestLookingForGames(t *testing.T) {
	pad := rom(t, romstest.Pad)
	s := bare(&lobby{game: pad.SHA256})
	s.cfg.ROM = pad
	s.checkGames(time.Now())
	s.cfg.Host, s.cfg.ROM = new(HostRole), nil
	s.jobsDone()
	if s.games.revision != 1 || !s.games.ready || fmt.Sprint(s.games.Missing) != "[]" {
		t.Errorf("%+v", s.games)
	}
}
