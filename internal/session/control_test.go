package session

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/session/notice"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// untilMessage waits for a line of chat, or of the room.
func (p *machine) untilMessage(from, text string) {
	p.t.Helper()
	p.until("hearing "+text, func(n notice.Notice) bool {
		m, ok := n.(notice.Message)
		return ok && m.From == from && strings.Contains(m.Text, text)
	})
}

// lobbyOfTwo is a room that goes on after its games, in which two players get ready and the game host starts.
func lobbyOfTwo(t *testing.T) (tb *table, controls [2]*Control) {
	t.Helper()
	tb = newTable(t, modelCore(), rom(t, romstest.Pad), len(controls))
	for i := range controls {
		controls[i] = NewControl()
		tb.sit(func(c *Config) {
			c.Control, c.Once, c.AskReady = controls[i], false, true
			c.MaxSpeed = false
			if c.Host != nil {
				c.Host.AutoStart = 0
			}
		})
	}
	return tb, controls
}

// Two players with a lobby: they get ready, chat, start, pause and end a game and
// play a second one in the same room.
func TestLobby(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb, controls := lobbyOfTwo(t)
		anna, ben := tb.machines[0], tb.machines[1]
		tb.lobby(controls)
		for _, c := range controls {
			c.Ready(true)
		}
		anna.until("nothing is in the way", func(n notice.Notice) bool { b, ok := n.(notice.Blockers); return ok && len(b.List) == 0 })
		controls[1].Start()
		ben.untilMessage("", "only the game host")
		controls[0].Start()
		anna.untilPlaying()
		ben.untilPlaying()
		ben.untilFrame(30)
		ben.until("figures of a running game", func(n notice.Notice) bool {
			f, ok := n.(notice.Figures)
			return ok && f.Frame > 0 && f.FPS > 0 && f.RTT > 0 && f.Sent > 0 && f.Received > 0 && f.Delay == 4
		})
		tb.pause(controls)
		controls[0].Delay(2)
		ben.until("the delay is shorter", func(n notice.Notice) bool { f, ok := n.(notice.Figures); return ok && f.Delay == 2 })
		anna.until("all agree", func(n notice.Notice) bool { f, ok := n.(notice.Figures); return ok && f.Agreed > 0 })
		controls[0].EndGame("enough")
		for _, p := range tb.machines {
			p.until("the game is over", func(n notice.Notice) bool {
				o, ok := n.(notice.GameOver)
				return ok && o.Err == nil && o.Report.Frames > 0 && len(o.Report.Screens) == 2
			})
		}
		for _, c := range controls {
			c.Ready(true)
		}
		anna.until("the second game", func(n notice.Notice) bool {
			controls[0].Start()
			p, ok := n.(notice.Playing)
			return ok && p.Room.Round == 2
		})
		ben.stop()
		anna.untilMessage("", "Ben left")
		anna.stop()
		anna.end()
		ben.end()
		controls[0].Chat("nobody hears this")
	})
}

// The game host calls off a game that is being prepared. All are in the lobby again, and the next start goes well.
func TestAStartIsCalledOff(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb, controls := lobbyOfTwo(t)
		anna, ben := tb.machines[0], tb.machines[1]
		start := func(is func(notice.Notice) bool) {
			t.Helper()
			for _, c := range controls {
				c.Ready(true)
			}
			anna.until("the start", func(n notice.Notice) bool {
				if b, ok := n.(notice.Blockers); ok && len(b.List) == 0 {
					controls[0].Start()
				}
				return is(n)
			})
		}
		ben.untilRoom("both are there", func(r room.Room) bool { return len(r.Players) == 2 })
		controls[0].CallOff()
		anna.untilMessage("", "the room is")
		start(func(n notice.Notice) bool {
			r, ok := n.(notice.RoomNotice)
			return ok && r.Room.Phase == room.PhasePreparing
		})
		controls[1].CallOff()
		ben.untilMessage("", "only the game host")
		controls[0].CallOff()
		for _, p := range tb.machines {
			p.until("word of it", func(n notice.Notice) bool {
				f, ok := n.(notice.StartFailed)
				return ok && f.Cause == room.CauseCalledOff && strings.Contains(f.Why, "called it off")
			})
		}
		start(func(n notice.Notice) bool { _, ok := n.(notice.Playing); return ok })
		ben.untilPlaying()
		ben.stop()
		anna.stop()
		anna.end()
		ben.end()
	})
}

// TestAnotherGameIsChosen: the game host chooses another game in the lobby. All players are told,
// also one who named the file of the first game; those who were ready are not any more. The
// game stays the chosen one when the game host leaves.
func TestAnotherGameIsChosen(t *testing.T) {
	bubble(t, func(t *testing.T) {
		first, second := rom(t, romstest.Pad), rom(t, romstest.Save)
		dirs := []string{filepath.Dir(first.Path), filepath.Dir(second.Path)}
		tb := newTable(t, modelCore(), first, 3)
		tb.settings.MinPlayers = 2
		controls := [3]*Control{NewControl(), NewControl(), NewControl()}
		for i := range controls {
			p := tb.sit(func(c *Config) {
				c.Control, c.Once, c.AskReady, c.Library = controls[i], false, true, emucore.NewLibrary(dirs)
				if c.Host != nil {
					c.Host.AutoStart = 0
				} else if i == 1 {
					c.ROM = nil // Carla names the file
				}
			})
			p.untilRoom("everybody so far is there", func(r room.Room) bool { return len(r.Players) == i+1 })
		}
		anna, ben, carla := tb.machines[0], tb.machines[1], tb.machines[2]
		ready := func(who *machine, game *emucore.ROM, n int) {
			t.Helper()
			who.untilRoom(fmt.Sprintf("%d are ready", n), func(r room.Room) bool {
				left := n
				for _, p := range r.Players {
					if p.ROM.SHA256 == game.SHA256 && p.Ready {
						left--
					}
				}
				return left == 0
			})
		}
		for _, c := range controls {
			c.Ready(true)
		}
		ready(anna, first, 3)
		controls[0].ROM(second)
		for _, p := range tb.machines {
			p.untilMessage("", "the game is now")
		}
		told := false
		anna.until("nobody is ready for it", func(n notice.Notice) bool {
			m, _ := n.(notice.Message)
			told = told || strings.Contains(m.Text, "the game is now")
			b, ok := n.(notice.Blockers)
			ok = ok && told
			words := strings.Join(b.Words(), " ")
			return ok && !strings.Contains(words, "you are") && strings.Contains(words, "Ben is not ready") && strings.Contains(words, "Carla is not ready")
		})
		for _, c := range controls {
			c.Ready(true)
		}
		ready(carla, second, 3)
		anna.stop()
		anna.end()
		ben.untilRoom("Ben hosts the same game", func(r room.Room) bool {
			return len(r.Players) == 2 && r.Host == 1 && r.Players[0].ROM.SHA256 == second.SHA256 && r.Players[1].ROM.SHA256 == second.SHA256
		})
		ben.until("Carla has followed", func(n notice.Notice) bool { _, ok := n.(notice.Reconnected); return ok })
		controls[1].ROM(first) // and may choose another one
		carla.untilMessage("", "Ben chose it")
		for _, c := range controls[1:] {
			c.Ready(true)
		}
		ben.until("nothing is in the way", func(n notice.Notice) bool { b, ok := n.(notice.Blockers); return ok && len(b.List) == 0 })
		controls[1].Start()
		carla.untilPlaying()
		ben.untilPlaying()
	})
}

// lobby checks what can be done before anybody is ready.
func (tb *table) lobby(controls [2]*Control) {
	anna, ben := tb.machines[0], tb.machines[1]
	ben.untilRoom("both are there", func(r room.Room) bool { return len(r.Players) == 2 })
	controls[1].Chat("hello")
	anna.untilMessage("Ben", "hello")
	anna.until("it is said that Ben is not ready", func(n notice.Notice) bool {
		b, ok := n.(notice.Blockers)
		return ok && strings.Contains(strings.Join(b.Words(), ";"), "Ben is not ready")
	})
	controls[0].Start()
	anna.untilMessage("", "Ben is not ready")
	controls[0].Settings(func(s room.Settings) room.Settings { s.Room = "renamed"; return s })
	ben.untilRoom("the room has another name", func(r room.Room) bool { return r.Settings.Room == "renamed" })
}

// pause lets the client pause and the host go on.
func (tb *table) pause(controls [2]*Control) {
	controls[1].Pause(true)
	var frame [2]int64
	for i, p := range tb.machines {
		p.until("the pause", func(n notice.Notice) bool {
			pause, ok := n.(notice.Paused)
			if ok && pause.Paused {
				frame[i] = pause.Frame
			}
			return ok && pause.Paused
		})
	}
	if frame[0] != frame[1] || frame[0] == 0 {
		tb.t.Errorf("the machines pause at frames %v", frame)
	}
	time.Sleep(100 * time.Millisecond)
	for _, p := range tb.machines {
		p.mu.Lock()
		if p.started >= frame[0] {
			tb.t.Errorf("%s began frame %d in a pause at %d", p.name, p.started, frame[0])
		}
		p.mu.Unlock()
	}
	controls[0].Pause(false)
	for _, p := range tb.machines {
		p.untilFrame(frame[0] + 30)
	}
}

// Several consoles on one machine, each with its own input, and no network.
func TestLocal(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hashes := func() []game.Hash {
			tb := newTable(t, modelCore(), rom(t, romstest.Pad), 1)
			tb.settings.Frames, tb.settings.Seats = 60, 3
			p := tb.sit(func(c *Config) {
				for i := range 2 {
					script := inputdelay.RandomScript(uint64(50+i), 100)
					c.LocalPlayers = append(c.LocalPlayers, LocalPlayer{
						Firmware: ds.Firmware{Nickname: "Other", MAC: [6]byte{0, 9, 0xbf, 9, 9, byte(i)}, Language: 1, BirthMonth: 1, BirthDay: 1},
						Input:    script.At,
					})
				}
			})
			r := p.expect(notice.ResultOK)
			if len(r.Seats) != 3 || r.Seats[1].Owner == r.Seats[2].Owner {
				t.Fatalf("%+v", r.Seats)
			}
			var list []game.Hash
			for _, s := range r.Seats {
				if s.Frames != 60 || s.Hash == 0 {
					t.Errorf("%+v", s)
				}
				list = append(list, s.Hash)
			}
			return list
		}
		a, b := hashes(), hashes()
		for i := range a {
			if a[i] != b[i] || i > 0 && a[i] == a[0] {
				t.Errorf("hashes %v and %v", a, b)
			}
		}
	})
}

// A player who pauses and leaves leaves no game that stands for ever.
func TestWhoPausesLeaves(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 2)
		control := NewControl()
		tb.sit(nil)
		tb.sit(func(c *Config) { c.Control = control })
		anna, ben := tb.machines[0], tb.machines[1]
		ben.untilFrame(60)
		control.Pause(true)
		ben.until("it is paused", func(n notice.Notice) bool { p, ok := n.(notice.Paused); return ok && p.Paused })
		ben.stop()
		ben.end()
		anna.end()
	})
}

// A game that stands can be ended, with the same last frame for all.
func TestAPausedGameIsEnded(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 2)
		control := NewControl()
		tb.sit(func(c *Config) { c.Control = control })
		tb.sit(nil)
		anna, ben := tb.machines[0], tb.machines[1]
		ben.untilFrame(60)
		control.Pause(true)
		anna.until("it is paused", func(n notice.Notice) bool { p, ok := n.(notice.Paused); return ok && p.Paused })
		control.EndGame("enough")
		for _, m := range []*machine{anna, ben} {
			m.end()
		}
	})
}

// Somebody who was removed may come again; who is banned may not, also when another player is game
// host, until that one says so. Names may be typed as one likes.
func TestRemoveAndBan(t *testing.T) {
	bubble(t, func(t *testing.T) {
		e := newNight(t, 4)
		anna, ben, carla := e.comes("Anna"), e.comes("Ben"), e.comes("Carla")
		e.controls[ben].Remove("Carla", true)
		ben.untilMessage("", "only the game host")
		e.controls[anna].Remove("dora", false)
		anna.untilMessage("", `nobody else in the room is called "dora"`)
		e.controls[anna].Remove("carla", false)
		carla.expect(notice.ResultLost, "the game host removed you from the room")
		carla = e.comes("Carla")
		p, _ := carla.me()
		e.controls[anna].Kick(p.Seat, "no manners", true)
		carla.expect(notice.ResultLost, "the game host banned you from this room (no manners)")
		anna.until("Carla is kept out", func(n notice.Notice) bool {
			b, ok := n.(notice.Banned)
			return ok && len(b.List) == 1 && b.List[0].Nickname == "Carla"
		})
		e.turnedAway("Carla")
		e.leaves(anna)
		e.roster(ben)
		e.addr = "Ben"
		e.turnedAway("Carla")
		e.controls[ben].PardonName("Dora")
		ben.untilMessage("", "these are: Carla")
		e.controls[ben].PardonName("carla")
		ben.until("nobody is kept out", func(n notice.Notice) bool { b, ok := n.(notice.Banned); return ok && len(b.List) == 0 })
		carla = e.comes("Carla")
		e.plays(ben, carla)
		e.leaves(carla)
		e.leaves(ben)
	})
}

// me is the player's own entry in the roster.
func (p *machine) me() (room.Player, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := len(p.heard) - 1; i >= 0; i-- {
		if n, ok := p.heard[i].(notice.RoomNotice); ok {
			return n.Room.Player(n.Me)
		}
	}
	return room.Player{}, false
}

// turnedAway has somebody try to come in who is kept out.
func (e *night) turnedAway(name string) {
	e.t.Helper()
	p := e.sitAs(name, func(c *Config) { c.Once = false })
	p.expect(notice.ResultLost, "you are banned from this room")
}
