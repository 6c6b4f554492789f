package host

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/client"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// The machines under fire. A script of bytes drives a room in which one peer is
// hostile: it sends garbage, messages that were changed, messages out of turn, a
// great many of them, and comes and goes. Nothing panics,
// nothing grows without bound, and the others keep the room and agree on it.

// script reads a fuzzer's bytes as decisions.
type script struct{ b []byte }

func (s *script) next() int {
	if len(s.b) == 0 {
		return 0
	}
	n := int(s.b[0])
	s.b = s.b[1:]
	return n
}

func (s *script) take(n int) []byte {
	n = min(n, len(s.b))
	b := append([]byte(nil), s.b[:n]...)
	s.b = s.b[n:]
	return b
}

// message makes one: a sample, a sample with changed bytes, or garbage.
func (s *script) message(all [][]byte) []byte {
	m := append([]byte(nil), all[s.next()%len(all)]...)
	switch s.next() % 4 {
	case 0:
		return s.take(s.next())
	case 1:
		for range s.next()%4 + 1 {
			m[(s.next()<<8|s.next())%len(m)] = byte(s.next())
		}
	case 2:
		m = m[:s.next()%(len(m)+1)]
	}
	return m
}

// samples are all messages of package message's golden file.
func samples(f testing.TB) [][]byte {
	golden := must.Read(f, filepath.Join("message", "testdata", fmt.Sprintf("protocol%d.golden", message.Protocol)))
	var all [][]byte
	for line := range strings.Lines(string(golden)) {
		_, digits, _ := strings.Cut(strings.TrimSpace(line), ": ")
		b, err := hex.DecodeString(digits)
		must.Succeed(f, err)
		all = append(all, b)
	}
	return all
}

// encoded are all samples, and messages that fit the game that is played here.
func encoded(f *testing.F) [][]byte {
	own := []message.Message{
		&message.Installed{Round: 1, Hashes: []room.SeatHash{{Seat: 0}, {Seat: 1}, {Seat: 2}}},
		&message.Installed{Round: 1, Hashes: []room.SeatHash{{Seat: 0, Hash: ds.Hash{RAM: 9}}, {Seat: 1}, {Seat: 2}}},
		&message.Failed{Round: 1, Why: "no"}, &message.Hashes{Round: 1, Frame: 1, Hashes: []room.SeatHash{{Seat: 1}}}, &message.Finished{Round: 1, Frames: 600},
		&message.Prepare{Round: 1, Settings: testSettings(), Seats: []room.SeatPlan{{Seat: 1, Machine: 1}}}, &message.Begin{Round: 1, Horizon: 28, Decisions: []timeline.Decision{{Kind: timeline.Start}}},
		&message.Decision{Round: 1, Number: 2, Decision: timeline.Decision{Kind: timeline.End, Frame: 9}}, &message.Ended{Round: 1, Outcome: message.OutcomeFinished},
		&message.StartFailed{Round: 1}, &message.Status{Status: room.Status{Revision: 2, Ready: true}},
	}
	all := samples(f)
	for _, m := range own {
		b, err := message.Encode(m)
		must.Succeed(f, err)
		all = append(all, b)
	}
	return all
}

// fuzzStages bring a room of Ann, Bob (who is hostile) and Carol to some point.
var fuzzStages = []func(s *sim){
	func(*sim) {},
	func(s *sim) { s.ready() },
	func(s *sim) { s.ready(); s.prepare() },
	func(s *sim) { s.ready(); s.prepare(); s.install() },
	func(s *sim) { s.ready(); s.prepare(); s.install(); s.host.Horizon(600) },
}

func FuzzHost(f *testing.F) {
	all := encoded(f)
	for stage := range fuzzStages {
		f.Add(byte(stage), []byte{1, 3, 2, 3, 4, 3, 0, 9, 3, 1, 1, 0, 5, 77})
		f.Add(byte(stage), []byte("\x08\x03\x00\x08\x03\x00\x08\x03\x00 some garbage that goes on"))
	}
	for kind := range byte(32) {
		f.Add(kind, []byte{kind, 3, 0, kind + 1, 3, 1, kind + 2, 3, 2})
	}
	f.Fuzz(func(t *testing.T, stage byte, b []byte) {
		s := newSim(t, nil)
		s.join(nil)
		carol := s.join(nil)
		fuzzStages[int(stage)%len(fuzzStages)](s)
		id, in := s.clients[0].id, &script{b}
		s.clients[0].mute, s.clients[0].linked = true, false
		for step := 0; len(in.b) > 0 && step < 200; step++ {
			switch op := in.next() % 10; op {
			case 0:
				s.host.Disconnected(s.now, id, string(in.take(4)))
			case 1:
				id++
				s.host.Connected(s.now, id+100, string(in.take(3)))
				id += 100
			case 2:
				s.wait(time.Duration(in.next()%40) * 50 * time.Millisecond)
			case 3:
				m := in.message(all)
				for range in.next() * 4 {
					s.host.Receive(s.now, id, m)
				}
			default:
				s.host.Receive(s.now, id, in.message(all))
			}
			s.pump()
			s.check(carol)
		}
	})
}

// check looks at what must hold whatever a peer does.
func (s *sim) check(carol *simClient) {
	s.t.Helper()
	if carol.Phase() == room.PhaseClosed {
		s.t.Fatalf("Carol lost the room: %v", carol.seen)
	}
	if phase := s.host.Phase(); phase == room.PhaseClosed || carol.Phase() != phase {
		s.t.Fatalf("the room is %v, Carol thinks %v", phase, carol.Phase())
	}
	if n := len(s.host.peers); n > maxJoining+ds.MaxMachines {
		s.t.Fatalf("%d lines", n)
	}
	if n := len(s.host.Roster()); n > ds.MaxSeats || n < 2 {
		s.t.Fatalf("%d players", n)
	}
	if _, err := message.Encode(&message.Room{Room: s.host.Room()}); err != nil {
		s.t.Fatalf("the room cannot be told: %v", err)
	}
	if n := len(s.host.Outgoing()) + len(s.host.Events()); n > 0 {
		s.t.Fatalf("%d outputs were not drained", n)
	}
}

func FuzzClient(f *testing.F) {
	all := encoded(f)
	for stage := range len(fuzzStages) + 2 {
		f.Add(byte(stage), []byte{1, 3, 2, 3, 4, 3, 0, 9, 3, 1, 1, 0, 5, 77})
	}
	for kind := range byte(40) {
		f.Add(kind, []byte{kind, 3, kind + 1, 3, kind + 2, 3})
	}
	f.Fuzz(func(t *testing.T, stage byte, b []byte) {
		s := newSim(t, nil)
		var bob *simClient
		if n := int(stage) % (len(fuzzStages) + 2); n < len(fuzzStages) {
			bob = s.join(nil)
			s.join(nil)
			fuzzStages[n](s)
		} else {
			bob = s.connect(nil)
			if n == len(fuzzStages) {
				s.host.Receive(s.now, bob.id, bob.Outgoing()[0].Data)
				bob.deliver(s.host.Outgoing()[0]) // now it waits for welcome
			}
		}
		bob.Outgoing()
		prepared, _ := last[event.Prepare](bob.seen)
		in := &script{b}
		for step := 0; len(in.b) > 0 && step < 200; step++ {
			bob.Receive(s.now, bob.id, in.message(all))
			bob.Tick(s.now)
			bob.Report(s.now, room.Status{Revision: bob.Room().Revision, Ready: true})
			hashes := make([]room.SeatHash, len(prepared.Seats))
			for i := range hashes {
				hashes[i].Seat = prepared.Seats[i].Seat
			}
			_ = bob.Installed(s.now, prepared.Round, hashes)
			closed := false
			for _, o := range bob.Outgoing() {
				if closed {
					t.Fatal("it speaks after closing the line")
				}
				if closed = o.CloseWhy != ""; closed && bob.Phase() != room.PhaseClosed {
					t.Fatal("it closed the line and goes on")
				}
			}
			over := 0
			for _, e := range bob.Events() {
				switch e := e.(type) {
				case event.Prepare:
					prepared = e
				case event.Refused, event.RoomClosed, event.RoomLost:
					over++
				}
			}
			if over > 1 || (over == 1) != closed {
				t.Fatalf("closed %v with %d last events", closed, over)
			}
			if len(bob.Decisions()) > timeline.MaxDecisions || len(bob.Room().Players) > ds.MaxSeats {
				t.Fatal("it keeps too much")
			}
			s.now = s.now.Add(time.Millisecond)
		}
	})
}

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
		s.abort("enough")
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
