package host

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/client"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
)

// Rooms in which players do anything at any time: whatever happens, all who are
// in the room agree on it, everyone who is not was told why once, and the room
// can go on.
func TestRandomRooms(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 7))
			s := newSim(t, func(c *Config) { c.Settings.Seats = 2 + rng.IntN(15) })
			for range 120 {
				s.act(rng)
				s.pump()
				if rng.IntN(4) == 0 {
					s.wait(time.Duration(rng.IntN(20)) * 50 * time.Millisecond)
				}
				if rng.IntN(10) == 0 {
					s.agree()
				}
			}
			s.agree()
			s.settle()
		})
	}
}

// act lets someone do something, which may well be out of place.
func (s *sim) act(rng *rand.Rand) {
	var c *simClient
	if len(s.clients) > 0 {
		c = s.clients[rng.IntN(len(s.clients))]
	}
	round := s.host.Room().Round
	switch op := rng.IntN(22); {
	case op < 4 && len(s.clients) < 40 || c == nil:
		s.connect(func(j *client.Config) {
			j.Firmware.MAC[5] = byte(rng.IntN(4))
			if rng.IntN(6) == 0 {
				j.Core.SHA256[0]++
			}
			if rng.IntN(4) == 0 {
				j.ROM = &room.ROMID{SHA256: [32]byte{byte(rng.IntN(3))}}
			}
		})
	case op == 4:
		c.Leave(s.now, "")
	case op == 5 && c.linked:
		c.vanish()
	case op == 6:
		s.host.Kick(s.now, ds.Seat(rng.IntN(ds.MaxSeats)), "", rng.IntN(2) == 0)
	case op == 7:
		set := s.host.Settings()
		set.Delay = rng.IntN(ds.MaxDelay)
		s.host.SetSettings(s.now, set)
	case op == 8:
		c.SetROM(s.now, &room.ROMID{SHA256: [32]byte{byte(rng.IntN(3))}})
	case op == 9:
		c.Failed(s.now, round, room.CauseCore, "no")
	case op == 10 && rng.IntN(4) == 0:
		s.host.Failed(s.now, round, room.CauseCore, "no")
	case op < 14:
		s.ready()
		s.host.Start(s.now)
	case op < 18 && s.host.Phase() == room.PhasePreparing:
		s.installAll(rng.IntN(8) == 0)
	case op == 18 && s.host.Phase() == room.PhasePlaying:
		s.unplug()
		s.host.Decide(s.now, timeline.Decision{Kind: timeline.SetDelay, Frame: rng.Int64N(600), Delay: rng.IntN(ds.MaxDelay)})
	case op < 21 && s.host.Phase() == room.PhasePlaying:
		s.unplug()
		s.finishAll()
	case op == 21 && s.host.Phase() == room.PhasePlaying:
		s.host.Desync(s.now, message.Desync{Seat: s.host.Roster()[0].Seat})
	default:
		c.Chat(s.now, "hello")
	}
}

// installAll lets all machines say what they built; one of them something else.
func (s *sim) installAll(differ bool) {
	var hashes []room.SeatHash
	for _, p := range s.host.round.seats {
		hashes = append(hashes, room.SeatHash{Seat: p.Seat})
	}
	round := s.host.Room().Round
	s.host.Installed(s.now, round, hashes)
	for i, c := range s.clients {
		mine := append([]room.SeatHash(nil), hashes...)
		if differ && i%2 == 0 {
			mine[0].Hash.Video = 1
		}
		c.Installed(s.now, round, mine)
	}
	s.pump()
}

// unplug decides the leaving of every seat that nobody plays, as the game host's
// session does.
func (s *sim) unplug() {
	for seat := range ds.Seats {
		s.host.Decide(s.now, timeline.Decision{Kind: timeline.Leave, Seat: seat, InputEnd: 10})
	}
	s.pump()
}

func (s *sim) finishAll() {
	s.run()
	round := s.host.Room().Round
	s.host.Finished(s.now, round, 600, nil, message.Stats{})
	for _, c := range s.clients {
		c.Finished(s.now, round, 600, nil, message.Stats{})
	}
	s.pump()
}

// agree checks all views of the room.
func (s *sim) agree() {
	s.t.Helper()
	s.alike()
	in := 1
	for _, c := range s.clients {
		over := count[event.Refused](c.seen) + count[event.RoomClosed](c.seen) + count[event.RoomLost](c.seen)
		switch {
		case c.Belongs(c.id):
			in++
			if over != 0 || !c.linked {
				s.t.Errorf("%s is in the room, linked %v, and was told that it is over", c.Me().Nickname, c.linked)
			}
			if c.plays() && (c.Room().Round != s.host.Room().Round || c.Phase() != s.host.Phase()) {
				s.t.Errorf("%s is %v in game %d, the room %v in game %d", c.Me().Nickname, c.Phase(), c.Room().Round, s.host.Phase(), s.host.Room().Round)
			}
			if c.Decisions() != nil && len(c.Decisions()) != len(s.host.Decisions()) {
				s.t.Errorf("%s knows of %d of %d decisions", c.Me().Nickname, len(c.Decisions()), len(s.host.Decisions()))
			}
		case over > 1:
			s.t.Errorf("a client was told %d times that it is over: %v", over, c.seen)
		case c.linked:
			s.t.Errorf("a client has its connection still and is not in the room: %v", c.Phase())
		}
	}
	present := 0
	for _, p := range s.host.Roster() {
		if p.Present {
			present++
		}
	}
	if present != in {
		s.t.Errorf("the roster has %d players, and %d are there", present, in)
	}
}

// settle brings whatever goes on to an end, and then plays a game.
func (s *sim) settle() {
	s.t.Helper()
	if s.host.Phase() != room.PhaseLobby {
		s.must(s.host.Abort(s.now, "enough"))
		s.pump()
	}
	if len(s.host.Roster()) == 1 {
		set := s.host.Settings()
		set.MinPlayers = 1
		s.must(s.host.SetSettings(s.now, set))
	}
	s.ready()
	s.prepare()
	s.installAll(false)
	s.unplug()
	s.finishAll()
	if e := want[event.Ended](s.t, "the game host", s.seen); e.Outcome != message.OutcomeFinished || e.Round != s.host.lastRound || s.host.Phase() != room.PhaseLobby {
		s.t.Errorf("the last game ended with %+v", e)
	}
	s.agree()
}
