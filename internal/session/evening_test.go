package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/memnet"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// night is a room of several games, with players as they are in windows: the game host starts the
// games, the others say that they are ready.
type night struct {
	*table
	net      *memnet.Network
	controls map[*machine]*Control
	games    uint32
}

func newNight(t *testing.T, seats int) *night {
	net := quickNet()
	e := &night{table: onNetwork(t, net, modelCore(), rom(t, romstest.Pad), 2), net: net, controls: map[*machine]*Control{}}
	e.settings.Seats = seats
	return e
}

// comes has a player come into the room; the first one opens it.
func (e *night) comes(name string) *machine {
	e.t.Helper()
	c := NewControl()
	p := e.sitAs(name, func(cfg *Config) {
		cfg.Control, cfg.Once, cfg.AskReady, cfg.MaxSpeed = c, false, cfg.Join != nil, false
		if cfg.Host != nil {
			cfg.Host.AutoStart = 0
		}
	})
	e.controls[p] = c
	p.untilNow(name+" is in the room", func(r room.Room) bool {
		return slices.ContainsFunc(r.Players, func(p room.Player) bool { return p.Nickname == name && p.Present })
	})
	return p
}

// room is the room as a player saw it last.
func (p *machine) room() (r room.Room) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, n := range p.heard {
		if n, ok := n.(notice.RoomNotice); ok {
			r = n.Room
		}
	}
	return r
}

// untilNow waits until the room is so, at last.
func (p *machine) untilNow(what string, is func(room.Room) bool) {
	p.t.Helper()
	for range patience() / (5 * time.Millisecond) {
		if is(p.room()) {
			return
		}
		select {
		case <-p.done:
			p.t.Fatalf("%s: the session ended before %s: %v; it was told %s", p.name, what, p.err, p.told())
		case <-time.After(5 * time.Millisecond):
		}
	}
	p.t.Fatalf("%s: waited until %s; the room is %+v; it was told %s", p.name, what, p.room(), p.told())
}

// roster checks that all of them, and nobody else, are in a room which the first one hosts, and that each
// sees the same.
func (e *night) roster(hosts *machine, others ...*machine) {
	e.t.Helper()
	want := []string{hosts.name}
	for _, p := range others {
		want = append(want, p.name)
	}
	slices.Sort(want)
	for _, p := range append([]*machine{hosts}, others...) {
		p.untilNow(fmt.Sprintf("%v are here, with %s as game host", want, hosts.name), func(r room.Room) bool {
			var names []string
			seats := map[int]bool{}
			for _, p := range r.Players {
				if p.Present {
					names = append(names, p.Nickname)
					seats[int(p.Seat)] = true
				}
			}
			slices.Sort(names)
			host, is := r.Player(r.Host)
			return slices.Equal(names, want) && len(seats) == len(want) && is && host.Nickname == hosts.name
		})
	}
}

// say has everybody say something, which all others hear.
func (e *night) say(players ...*machine) {
	e.t.Helper()
	for _, p := range players {
		words := fmt.Sprintf("%s after %d games", p.name, e.games)
		e.controls[p].Chat(words)
		for _, o := range players {
			o.untilMessage(p.name, words)
		}
	}
}

// plays has the room's next game begin: the others are ready, and the game host starts it.
func (e *night) plays(hosts *machine, others ...*machine) {
	e.t.Helper()
	e.roster(hosts, others...)
	e.say(append([]*machine{hosts}, others...)...)
	for _, p := range append(others, hosts) {
		p.mu.Lock()
		p.started = 0
		p.mu.Unlock()
	}
	for _, p := range others {
		p.untilNow("the room is in the lobby", func(r room.Room) bool { return r.Phase == room.PhaseLobby })
		e.controls[p].Ready(true)
	}
	hosts.untilNow("all are ready", func(r room.Room) bool {
		return !slices.ContainsFunc(r.Players, func(p room.Player) bool { return p.Present && !p.Ready })
	})
	if b := hosts.blocked(); len(b) > 0 {
		e.t.Fatalf("%s cannot start, since %s", hosts.name, strings.Join(b, "; "))
	}
	e.games++
	e.controls[hosts].Start()
	players := append([]*machine{hosts}, others...)
	for _, p := range players {
		p.until(fmt.Sprintf("game %d begins", e.games), func(n notice.Notice) bool {
			b, ok := n.(notice.Playing)
			return ok && b.Room.Round == e.games
		})
		p.untilFrame(120)
	}
	for _, p := range players {
		begun := false
		p.until("the figures are right", func(n notice.Notice) bool {
			b, ok := n.(notice.Playing)
			begun = begun || ok && b.Room.Round == e.games
			f, ok := n.(notice.Figures)
			return ok && begun && f.Agreed > 60 && f.FPS > 50 && f.RTT > 0 && f.Delay > 0
		})
	}
}

// blocked is what is in the way of a start, as the player was told last.
func (p *machine) blocked() (words []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, n := range p.heard {
		if b, ok := n.(notice.Blockers); ok {
			words = b.Words()
		}
	}
	return words
}

// leaves has a player go in good order.
func (e *night) leaves(p *machine) {
	e.t.Helper()
	p.stop()
	p.expect(notice.ResultOK)
}

// killed ends a player's program without a word.
func (e *night) killed(p *machine) {
	e.net.Cut(p.name)
	p.end()
}

// after tells which of two is game host after somebody else, and which is not.
func (e *night) after(gone, a, b *machine) (next, other *machine) {
	e.t.Helper()
	a.untilNow("there is another game host", func(r room.Room) bool {
		p, is := r.Player(r.Host)
		return is && p.Nickname != gone.name
	})
	if hosts(a.name)(a.room()) {
		return a, b
	}
	return b, a
}

// A room outlives its host, again and again: three machines play, the game host leaves amid the game, the
// next one starts the next game, the first one comes back and plays, the second game host is killed amid a
// game, and the third starts again. The roster, the chat and the figures are right throughout.
func TestEvening(t *testing.T) {
	bubble(t, func(t *testing.T) {
		e := newNight(t, 4)
		anna := e.comes("Anna")
		ben, carla := e.comes("Ben"), e.comes("Carla")
		e.plays(anna, ben, carla)
		e.leaves(anna)
		e.roster(ben, carla)
		e.say(ben, carla)
		for _, p := range []*machine{ben, carla} { // nobody was told that a connection was lost
			if told := p.told(); strings.Contains(told, "The connection is back") {
				t.Errorf("%s was told %s", p.name, told)
			}
		}
		e.controls[ben].EndGame("enough")
		e.plays(ben, carla)
		e.controls[ben].EndGame("enough")
		e.addr = "Ben"
		anna = e.comes("Anna")
		e.plays(ben, carla, anna)
		e.killed(ben)
		next, other := e.after(ben, carla, anna)
		e.roster(next, other)
		e.say(next, other)
		e.controls[next].EndGame("enough")
		e.plays(next, other)
		e.addr = next.name
		ben = e.comes("Ben")
		e.controls[next].EndGame("enough")
		e.plays(next, other, ben)
		for _, p := range []*machine{next, other, ben} {
			e.leaves(p)
		}
	})
}

// However somebody becomes game host, they start the room's next game.
func TestEveryNextHostStarts(t *testing.T) {
	t.Parallel()
	for name, way := range map[string]func(e *night, anna, ben, carla *machine) (next, other *machine){
		"the game host leaves the lobby": func(e *night, anna, ben, carla *machine) (_, _ *machine) {
			e.leaves(anna)
			return ben, carla
		},
		"all were ready in the lobby": func(e *night, anna, ben, carla *machine) (_, _ *machine) {
			e.controls[ben].Ready(true)
			e.controls[carla].Ready(true)
			anna.untilNow("all are ready", func(r room.Room) bool {
				return !slices.ContainsFunc(r.Players, func(p room.Player) bool { return !p.Ready })
			})
			e.leaves(anna)
			return ben, carla
		},
		"the game host closes its window amid a start": func(e *night, anna, ben, carla *machine) (_, _ *machine) {
			e.controls[ben].Ready(true)
			e.controls[carla].Ready(true)
			anna.untilNow("all are ready", func(r room.Room) bool {
				return !slices.ContainsFunc(r.Players, func(p room.Player) bool { return !p.Ready })
			})
			e.controls[anna].Start()
			e.games++
			ben.untilRoom("the start", preparing)
			anna.stop()
			anna.end()
			return ben, carla
		},
		"amid a game": func(e *night, anna, ben, carla *machine) (_, _ *machine) {
			e.plays(anna, ben, carla)
			anna.stop()
			anna.expect(notice.ResultOK)
			e.roster(ben, carla)
			e.controls[ben].EndGame("")
			return ben, carla
		},
		"a room that was opened for three": func(e *night, anna, ben, carla *machine) (_, _ *machine) {
			e.controls[anna].Settings(func(s room.Settings) room.Settings { s.MinPlayers = 3; return s })
			carla.untilNow("three are needed", func(r room.Room) bool { return r.Settings.MinPlayers == 3 })
			e.leaves(anna)
			return ben, carla
		},
		"killed amid a game": func(e *night, anna, ben, carla *machine) (_, _ *machine) {
			e.plays(anna, ben, carla)
			e.killed(anna)
			next, other := e.after(anna, ben, carla)
			e.roster(next, other)
			e.controls[next].EndGame("")
			return next, other
		},
		"twice in a row, in the lobby": func(e *night, anna, ben, carla *machine) (_, _ *machine) {
			e.leaves(anna)
			e.roster(ben, carla)
			e.addr = "Ben"
			dora := e.comes("Dora")
			e.leaves(ben)
			return e.after(ben, carla, dora)
		},
		"twice in a row, amid a game": func(e *night, anna, ben, carla *machine) (_, _ *machine) {
			e.addr = "Anna"
			dora := e.comes("Dora")
			e.plays(anna, ben, carla, dora)
			e.leaves(anna)
			e.roster(ben, carla, dora)
			e.leaves(ben)
			e.roster(carla, dora)
			e.controls[carla].EndGame("")
			return carla, dora
		},
		"back to the first": func(e *night, anna, ben, carla *machine) (_, _ *machine) {
			e.leaves(anna)
			e.addr = "Ben"
			e.leaves(carla)
			anna = e.comes("Anna")
			e.leaves(ben)
			e.addr = "Anna"
			ben = e.comes("Ben")
			return anna, ben
		},
		"with nobody, until somebody comes": func(e *night, anna, ben, carla *machine) (_, _ *machine) {
			e.leaves(carla)
			e.plays(anna, ben)
			e.leaves(anna)
			e.roster(ben)
			e.addr = "Ben"
			return ben, e.comes("Carla")
		},
	} {
		inBubble(t, name, func(t *testing.T) {
			e := newNight(t, 4)
			anna := e.comes("Anna")
			ben, carla := e.comes("Ben"), e.comes("Carla")
			e.roster(anna, ben, carla)
			next, other := way(e, anna, ben, carla)
			e.plays(next, other)
			e.leaves(other)
			e.leaves(next)
		})
	}
}

// A player whose program crashed is back in a full room before anybody has noticed that it did, in the lobby
// and amid a game, and plays the next one.
func TestCrashedPlayerIsBack(t *testing.T) {
	t.Parallel()
	for name, plays := range map[string]bool{"in the lobby": false, "amid a game": true} {
		inBubble(t, name, func(t *testing.T) {
			e := newNight(t, 2)
			anna, ben := e.comes("Anna"), e.comes("Ben")
			e.net.SetTimeouts(10*time.Second, 30*time.Second)
			if plays {
				e.plays(anna, ben)
			}
			e.killed(ben)
			began := time.Now()
			ben = e.comes("Ben")
			if took := time.Since(began); took > 4*time.Second {
				t.Errorf("it took %v until Ben was back", took)
			}
			if plays { // into the game that runs
				e.controls[ben].Ready(true)
				ben.untilFrame(60)
				e.controls[anna].EndGame("enough")
			}
			e.plays(anna, ben)
			e.leaves(ben)
			e.leaves(anna)
		})
	}
}

// playThrough plays a whole game and returns the consoles' hashes at its end.
func (tb *table) playThrough(frames int64) []game.Hash {
	tb.t.Helper()
	tb.settings.Frames = frames
	for range tb.players {
		tb.sit(nil)
	}
	return sameHashes(tb.t, frames, tb.machines...)
}

// A game of four over a bad line ends as over a good one.
func TestBadMemoryLine(t *testing.T) {
	bubble(t, func(t *testing.T) {
		core, game := modelCore(), rom(t, romstest.Pad)
		bad := onNetwork(t, memnet.New(3, memnet.Impairment{Delay: 40 * time.Millisecond, Jitter: 20 * time.Millisecond, Loss: 0.05, Duplicate: 0.02, Reorder: 0.02}), core, game, 4)
		bad.settings.Delay = 6
		good := newTable(t, core, game, 4)
		good.settings.Delay = 6
		if a, b := bad.playThrough(200), good.playThrough(200); !slices.Equal(a, b) {
			t.Errorf("the game ends with %v, over a good line with %v", a, b)
		}
	})
}

// At the DS' own speed a second of play takes a second.
func TestRealSpeed(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 2)
		tb.settings.Frames = 90
		for range 2 {
			tb.sit(func(c *Config) { c.MaxSpeed = false })
		}
		tb.machines[0].untilPlaying()
		began := time.Now()
		sameHashes(t, 90, tb.machines...)
		if took, want := time.Since(began), ds.FrameTime(90); took < want*19/20 || took > want*21/20 {
			t.Errorf("90 frames took %v, not %v", took, want)
		}
	})
}
