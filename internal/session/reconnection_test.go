package session

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/memnet"
	romstest "github.com/nettplay/nettplay/roms-test"
)

func broken(n notice.Notice) bool { _, ok := n.(notice.Disconnected); return ok }

func restored(n notice.Notice) bool { _, ok := n.(notice.Reconnected); return ok }

// A blackout that is longer than the line's patience stops the game, but nobody loses
// anything: it goes on where it was, with the same consoles.
func TestBlackoutIsSurvived(t *testing.T) {
	bubble(t, func(t *testing.T) {
		net := quickNet()
		tb := onNetwork(t, net, modelCore(), rom(t, romstest.Pad), 3)
		tb.settings.Frames = 800
		for range 3 {
			tb.sit(wireless)
		}
		anna, ben, carla := tb.machines[0], tb.machines[1], tb.machines[2]
		ben.untilFrame(100)
		net.Blackout(5*time.Second, "Ben")
		anna.until("Ben's connection is gone", broken)
		ben.until("the connection is gone", broken)
		anna.until("Ben is back", restored)
		ben.until("the connection is back", restored)
		sameHashes(t, 800, anna, ben, carla)
		for _, p := range tb.machines {
			if p.report.Resyncs != 0 {
				t.Errorf("%s: %d resyncs", p.name, p.report.Resyncs)
			}
		}
	})
}

// Nothing reaches one machine any more, which gives its line up: the other side hears
// of that, but nobody has left, and the game goes on when there is a connection again.
func TestLineThatOneSideGivesUp(t *testing.T) {
	t.Parallel()
	for _, deaf := range []string{"Anna", "Ben"} {
		inBubble(t, deaf, func(t *testing.T) {
			net := quickNet()
			tb := onNetwork(t, net, modelCore(), rom(t, romstest.Pad), 2)
			tb.settings.Frames = 600
			for range 2 {
				tb.sit(nil)
			}
			anna, ben := tb.machines[0], tb.machines[1]
			ben.untilFrame(60)
			other := map[string]string{"Anna": "Ben", "Ben": "Anna"}[deaf]
			net.SetLine(other, deaf, memnet.Impairment{Loss: 1})
			anna.until("Ben's connection is gone", broken)
			ben.until("the connection is gone", broken)
			net.SetLine(other, deaf, memnet.Impairment{})
			ben.until("the connection is back", restored)
			sameHashes(t, 600, anna, ben)
		})
	}
}

// A player who does not come back is gone, and the others play on; with a word of the game
// host, at once.
func TestGoingOnWithout(t *testing.T) {
	bubble(t, func(t *testing.T) {
		net := quickNet()
		tb := onNetwork(t, net, modelCore(), rom(t, romstest.Pad), 3)
		tb.settings.Frames = 800
		control := NewControl()
		tb.sit(func(c *Config) { c.Control = control })
		tb.sit(nil)
		tb.sit(func(c *Config) { c.Join.Wait = 4 * time.Second })
		anna, ben, carla := tb.machines[0], tb.machines[1], tb.machines[2]
		for _, way := range [][2]string{{"Anna", "Carla"}, {"Carla", "Anna"}} {
			net.SetLine(way[0], way[1], memnet.Impairment{Delay: 60 * time.Millisecond})
		}
		ping := func(n notice.Notice) time.Duration { f, _ := n.(notice.Figures); return f.RTT }
		anna.until("Carla's ping", func(n notice.Notice) bool { return ping(n) > 100*time.Millisecond })
		carla.untilFrame(100)
		net.Blackout(time.Hour, "Carla")
		gone := 0
		anna.until("Carla's connection is gone", func(n notice.Notice) bool {
			b, ok := n.(notice.Disconnected)
			if ok {
				gone = b.Machine
			}
			return ok && b.Nickname == "Carla"
		})
		control.GoOnWithout(gone)
		anna.untilSaid("Carla did not come back")
		anna.until("a ping without Carla's", func(n notice.Notice) bool { return ping(n) > 0 && ping(n) < 50*time.Millisecond })
		carla.expect(notice.ResultLost, "disconnected for too long")
		anna.expect(notice.ResultOK)
		ben.expect(notice.ResultOK)
		if a, b := anna.report.Seats, ben.report.Seats; a[0] != b[0] || a[1] != b[1] || a[2] != b[2] {
			t.Errorf("seats end as %+v and as %+v", a, b)
		}
	})
}

// A connection that breaks while consoles are on their way to the other machine is no
// reason to send them from the beginning, or not at all.
func TestBlackoutAmidResync(t *testing.T) {
	bubble(t, func(t *testing.T) {
		net := quickNet()
		tb := onNetwork(t, net, modelCore(), rom(t, romstest.Pad), 3).heavy()
		tb.settings.Frames = 400
		for i := range 3 {
			tb.sit(func(c *Config) {
				wireless(c)
				c.Upload = 200 << 10
				if i == 1 {
					c.TestOptions["testcore_desync_at"], c.TestOptions["testcore_desync_what"] = "150", "ram"
				}
			})
		}
		anna, ben := tb.machines[0], tb.machines[1]
		half := int64(0) // of what Ben is to get
		ben.until("half of the consoles is there", func(n notice.Notice) bool {
			m, ok := n.(notice.Transfer)
			if ok && m.Down.Total > 0 && m.Down.Done > m.Down.Total/4 {
				half = m.Down.Done
			}
			return half > 0
		})
		net.Blackout(5*time.Second, "Ben")
		ben.until("the connection is gone", broken)
		anna.until("Ben is back", restored)
		sameEnds(t, 1, tb.machines...)
	})
}
