package session

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/spectate"
	"github.com/nettplay/nettplay/internal/testing/memnet"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// latecomers is a game of two at the DS' speed into which others come, over lines on which
// three consoles' states take three seconds.
type latecomers struct {
	*table
	net   *memnet.Network
	ends  *Control
	lines []*weighed
}

func newLatecomers(t *testing.T, core emucore.Core) *latecomers {
	l := &latecomers{net: memnet.New(5, memnet.Impairment{Delay: 10 * time.Millisecond}), ends: NewControl()}
	l.net.SetTimeouts(2*time.Second, 5*time.Second)
	l.table = onNetwork(t, l.net, core, rom(t, romstest.Pad), 2)
	l.heavy().settings.Seats, l.settings.Frames = 4, forever
	slow := memnet.Impairment{Delay: 20 * time.Millisecond, Bandwidth: 300 << 10}
	for _, from := range []string{"Anna", "Ben"} {
		for _, to := range []string{"Carla", "Dora"} {
			l.net.SetLine(from, to, slow)
			l.net.SetLine(to, from, slow)
		}
	}
	l.come(func(c *Config) { c.Control = l.ends })
	l.come(nil)
	return l
}

// come has the next player come.
func (l *latecomers) come(change func(*Config)) *machine {
	return l.sit(func(c *Config) {
		wireless(c)
		c.MaxSpeed = false
		l.lines = append(l.lines, weigh(c))
		if change != nil {
			change(c)
		}
	})
}

// sent are all bytes of consoles and of the log that were sent since the last call.
func (l *latecomers) sent() (bytes int) {
	for _, line := range l.lines {
		bytes += line.sent()
	}
	return bytes
}

// over ends the game.
func (l *latecomers) over(players ...*machine) {
	l.t.Helper()
	players[len(players)-1].untilFrame(players[len(players)-1].newest() + 60)
	l.ends.EndGame("enough")
}

// whole checks that nothing was wrong in a game.
func whole(t testing.TB, players ...*machine) {
	t.Helper()
	for _, p := range players {
		if p.report.Resyncs != 0 || p.report.Desyncs != 0 {
			t.Errorf("%s: %d resyncs, %d desyncs", p.name, p.report.Resyncs, p.report.Desyncs)
		}
	}
}

// heardOf reports whether a player was told some words.
func (p *machine) heardOf(words string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.heard, func(n notice.Notice) bool {
		m, ok := n.(notice.Message)
		return ok && strings.Contains(m.Text, words)
	})
}

// A late joiner follows the game while the others play on, from its beginning or from a
// checkpoint, and then has the same consoles: nothing large is sent while all stand.
func TestComingInByFollowing(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		after int64
		made  bool // a place is
	}{{"from the start", 240, false}, {"from a place", spectate.OldCheckpoint + 60, true}} {
		inBubble(t, tt.name, func(t *testing.T) { newLatecomers(t, modelCore()).follow(tt.after, tt.made) })
	}
}

func (l *latecomers) follow(after int64, made bool) {
	anna, ben := l.machines[0], l.machines[1]
	anna.untilFrame(after)
	carla := l.come(nil)
	carla.untilSaid("catching up with the game while the others keep playing")
	began := anna.newest()
	carla.untilSaid("You are joining the game")
	if n := anna.newest() - began; n < 1 {
		l.t.Errorf("the others played %d frames meanwhile", n)
	}
	l.sent()
	carla.untilPlaying()
	if n := l.sent(); n > 40_000 {
		l.t.Errorf("%d bytes were sent while the others stood", n)
	}
	l.over(anna, ben, carla)
	alikeEnds(l.t, anna, ben, carla)
	whole(l.t, anna, ben, carla)
	if ben.heardOf("Carla is catching up") != made || ben.heardOf("take their consoles") {
		l.t.Errorf("Ben was told %s", ben.told())
	}
	if !slices.ContainsFunc(carla.heard, func(n notice.Notice) bool { _, ok := n.(notice.CatchingUp); return ok }) {
		l.t.Errorf("Carla was told %s", carla.told())
	}
}

// A late joiner whose machine differs while it follows the game is let in all the same, with
// the others' states.
func TestWhoCannotFollowComesIn(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLatecomers(t, modelCore())
		anna, ben := l.machines[0], l.machines[1]
		anna.untilFrame(120)
		l.sent()
		carla := l.come(func(c *Config) {
			c.TestOptions["testcore_desync_at"], c.TestOptions["testcore_desync_what"] = "30", "ram"
			c.TestOptions["testcore_only_mac"] = "0" // Anna's console, which is beyond that when Carla comes in
		})
		carla.untilPlaying()
		if n := l.sent(); n < 400_000 {
			t.Errorf("Carla got %d bytes only", n)
		}
		if !ben.heardOf("Carla's computer cannot catch up") {
			t.Errorf("Ben was told %s", ben.told())
		}
		l.over(anna, ben, carla)
		alikeEnds(t, anna, ben, carla)
		whole(t, anna, ben, carla)
	})
}

// A follower that goes leaves nothing behind, and the game goes on; so does the end of the
// game.
func TestFollowerGoes(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"the late joiner", "the game", "the line"} {
		inBubble(t, how, func(t *testing.T) {
			l := newLatecomers(t, modelCore())
			anna, ben := l.machines[0], l.machines[1]
			anna.untilFrame(120)
			carla := l.come(func(c *Config) { c.Once = false })
			carla.untilSaid("catching up with the game while the others keep playing")
			switch how {
			case "the late joiner":
				carla.stop()
			case "the line":
				l.net.Cut("Carla")
			}
			if how == "the game" {
				l.ends.EndGame("enough")
			} else {
				came := false
				anna.until("Carla is gone", func(n notice.Notice) bool {
					r, ok := n.(notice.RoomNotice)
					there := slices.ContainsFunc(r.Room.Players, func(p room.Player) bool { return p.Nickname == "Carla" && p.Present })
					came = came || there
					return ok && came && !there
				})
				l.over(anna, ben)
			}
			alikeEnds(t, anna, ben)
			carla.stop()
			carla.end()
		})
	}
}

// When the game host goes while somebody follows its game, that one comes in with the next
// game host.
func TestGameHostGoesWhileSomebodyFollows(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLatecomers(t, modelCore())
		anna, ben := l.machines[0], l.machines[1]
		anna.untilFrame(120)
		carla := l.come(nil)
		carla.untilSaid("catching up with the game while the others keep playing")
		anna.stop()
		anna.end()
		carla.untilPlaying()
		carla.untilFrame(carla.newest() + 60)
		ben.stop()
		alikeEnds(t, carla)
	})
}

// The log is for those who come in: nobody else in the room gets any of it.
func TestOnlyLateJoinersGetTheLog(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLatecomers(t, modelCore())
		anna, ben := l.machines[0], l.machines[1]
		anna.untilFrame(60)
		l.sent()
		prying := l.lines[1]
		line := prying.line()
		for range 20 {
			must.Succeed(t, prying.Link.Send(line, link.Bulk, spectate.Ask{Round: 1}.Append(nil)))
		}
		ben.untilFrame(ben.newest() + 60)
		if n := l.sent(); n != 0 {
			t.Errorf("%d bytes were sent to one who plays", n)
		}
		l.over(anna, ben)
		alikeEnds(t, anna, ben)
	})
}
