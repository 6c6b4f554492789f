package session

import (
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/rollback"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/memnet"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// When the lines become worse, the delay is raised by decisions; when the game host is gone, the
// next one goes on with that. All machines stay alike, and the decisions are in the recordings.
func TestDelayKeepsItself(t *testing.T) {
	bubble(t, func(t *testing.T) {
		net := memnet.New(9, memnet.Impairment{Delay: 5 * time.Millisecond, Jitter: time.Millisecond, Loss: 0.01})
		tb := onNetwork(t, net, modelCore(), rom(t, romstest.Pad), 3)
		tb.settings.Frames, tb.settings.KeepConsoles, tb.settings.Delay, tb.settings.AutoDelay = 1500, true, 1, autodelay.Party
		var logs []*replay.Recorder
		for range 3 {
			rec := replay.NewRecorder(replay.Config{Folder: t.TempDir()})
			t.Cleanup(func() { rec.Close() })
			logs = append(logs, rec)
			tb.sit(func(c *Config) { c.Recorder, c.MaxSpeed = rec, false })
		}
		gone := tb.machines[0]
		gone.untilFrame(200)
		net.Set(memnet.Impairment{Delay: 45 * time.Millisecond, Jitter: 5 * time.Millisecond, Loss: 0.01})
		gone.untilFrame(450)
		net.Cut(gone.name)
		for _, m := range tb.machines[1:] {
			m.expect(notice.ResultOK)
		}
		alike(t, 1500, 3, tb.machines[1:]...)
		for i, rec := range logs[1:] {
			must.Succeed(t, rec.Close())
			delays, longest := 0, 0
			for _, d := range openLog(t, rec.Path()).Decisions {
				if d.Kind == timeline.SeatDelay {
					delays, longest = delays+1, max(longest, d.Delay)
				}
			}
			if delays < 2 || longest < 5 || longest > autodelay.Party.Cap() {
				t.Errorf("log %d has %d decisions on delays, the longest %d frames", i, delays, longest)
			}
		}
	})
}

// untilFigures waits for figures that are like something.
func (p *machine) untilFigures(what string, like func(f notice.Figures) bool) {
	p.t.Helper()
	p.until(what, func(n notice.Notice) bool { f, ok := n.(notice.Figures); return ok && like(f) })
}

// A number that the game host chooses while a game runs holds for who comes in later, too. When the delay is to keep
// itself again it does, and each player is told what the own delay is for.
func TestByHandAndBack(t *testing.T) {
	bubble(t, func(t *testing.T) {
		net := memnet.New(9, memnet.Impairment{Delay: 20 * time.Millisecond, Jitter: time.Millisecond})
		tb := onNetwork(t, net, modelCore(), rom(t, romstest.Pad), 2)
		tb.settings.Seats, tb.settings.KeepConsoles, tb.settings.Delay, tb.settings.AutoDelay = 3, true, 4, autodelay.Party
		control, guest := NewControl(), NewControl()
		anna := tb.sit(func(c *Config) { wireless(c); c.Control, c.MaxSpeed = control, false })
		ben := tb.sit(func(c *Config) { wireless(c); c.Control, c.MaxSpeed = guest, false })
		for _, p := range []*machine{anna, ben} {
			p.untilFigures("the delay keeps itself", func(f notice.Figures) bool { return f.Auto.Preset == "party" && f.Auto.Why == "" })
		}
		guest.AutoDelay(autodelay.Racing)
		ben.untilMessage("", "only the game host")
		control.Delay(9)
		for _, p := range []*machine{anna, ben} {
			p.untilFigures("it is a number", func(f notice.Figures) bool { return f.Auto.Preset == "" && f.Delay == 9 })
		}
		carla := tb.sit(func(c *Config) { wireless(c); c.MaxSpeed = false })
		carla.untilPlaying()
		carla.untilFigures("it is a number here, too", func(f notice.Figures) bool { return f.Auto.Preset == "" && f.Delay == 9 })
		control.AutoDelay(autodelay.Racing)
		for _, p := range []*machine{anna, ben, carla} {
			p.untilFigures("it keeps itself again", func(f notice.Figures) bool { return f.Auto.Preset == "racing" })
			p.untilFigures("its own delay is shorter, and why", func(f notice.Figures) bool {
				return f.Delay < 9 && strings.Contains(f.Auto.Why, " ms ±") && strings.Contains(f.Auto.Why, " to ")
			})
		}
		control.EndGame("enough")
		alikeEnds(t, anna, ben, carla)
	})
}

// A machine that tells of its lines what it likes spends no more decisions of a game than its time allows: what is left
// is for others.
func TestDelaysLeaveDecisions(t *testing.T) {
	if most := firstDelays + 3600*60/delayEvery; most > timeline.MaxDecisions/2-firstDelays {
		t.Errorf("an hour may have %d decisions on delays, a game %d of all kinds", most, timeline.MaxDecisions)
	}
}

// The game host is told whose connection it is for which all others' presses are held back as long as they get.
func TestWhoseConnectionIsTold(t *testing.T) {
	bubble(t, func(t *testing.T) {
		net := memnet.New(9, memnet.Impairment{Delay: 5 * time.Millisecond})
		tb := onNetwork(t, net, modelCore(), rom(t, romstest.Pad), 3)
		tb.settings.Delay, tb.settings.AutoDelay = 1, autodelay.Racing
		control := NewControl()
		anna := tb.sit(func(c *Config) { c.Control, c.MaxSpeed = control, false })
		tb.sit(func(c *Config) { c.MaxSpeed = false })
		far := tb.sit(func(c *Config) { c.MaxSpeed = false })
		for _, m := range tb.machines[:2] {
			for _, way := range [][2]string{{m.name, far.name}, {far.name, m.name}} {
				net.SetLine(way[0], way[1], memnet.Impairment{Delay: 130 * time.Millisecond})
			}
		}
		anna.untilMessage("", "because of the connection to "+far.name)
		control.EndGame("enough")
	})
}

// ownDelay waits for a delay of the own seat, as a player's figures tell it.
func (p *machine) ownDelay(what string, delay int) {
	p.t.Helper()
	p.untilFigures(what, func(f notice.Figures) bool { return f.Delay == delay })
}

// Each player chooses the delay of the own presses, before a game and while it runs; the others' stay. It holds also where the
// room's delay is a number, and all machines stay alike.
func TestOwnDelay(t *testing.T) {
	t.Parallel()
	for _, preset := range []autodelay.Preset{autodelay.Party, autodelay.Off} {
		inBubble(t, preset.String(), func(t *testing.T) {
			net := memnet.New(3, memnet.Impairment{Delay: 10 * time.Millisecond})
			tb := onNetwork(t, net, modelCore(), rom(t, romstest.Pad), 3)
			tb.settings.Sync, tb.settings.Delay, tb.settings.AutoDelay, tb.settings.KeepConsoles = room.Rollback, 1, preset, true
			var players []*machine
			var controls []*Control
			for i, own := range []autodelay.Choice{autodelay.ChoiceNamed("2"), autodelay.ChoiceNamed("3"), 0} {
				controls = append(controls, NewControl())
				players = append(players, tb.sit(func(c *Config) {
					wireless(c)
					c.OwnDelay, c.Depth, c.KeepDepth, c.Control, c.MaxSpeed = own, []int{rollback.MaxDepth, 0, 5}[i], true, controls[i], false
				}))
			}
			players[0].ownDelay("the game host has its choice", 2)
			players[1].ownDelay("a client has its choice", 3)
			controls[0].OwnDelay(autodelay.ChoiceNamed("3"))
			players[0].ownDelay("the game host has its second choice", 3)
			if preset == autodelay.Off {
				controls[1].OwnDelay(autodelay.ChoiceNamed("2"))
				players[1].ownDelay("the client has its second choice", 2)
				players[2].ownDelay("the third has the room's number", 1)
				controls[2].OwnDelay(autodelay.ChoiceNamed("0"))
				players[2].ownDelay("the third has none", 0)
				controls[2].OwnDelay(0)
				players[2].ownDelay("the third has the room's number again", 1)
				controls[0].Delay(7)
				players[2].ownDelay("the third has the new number", 7)
				players[1].ownDelay("the client keeps its choice", 2)
			}
			controls[0].EndGame("enough")
			alikeEnds(t, players...)
		})
	}
}

// In lockstep nobody has a delay of their own.
func TestNoOwnDelayInLockstep(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 2)
		tb.settings.Frames, tb.settings.Delay = 400, 4
		for range 2 {
			tb.sit(func(c *Config) { c.OwnDelay, c.MaxSpeed = autodelay.ChoiceNamed("1"), false })
		}
		for _, p := range tb.machines {
			if r := p.expect(notice.ResultOK); r.Delay != 4 {
				t.Errorf("%s has a delay of %d frames", p.name, r.Delay)
			}
		}
	})
}
