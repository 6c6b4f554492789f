package host

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/client"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
)

func clockNow(c *Config) { c.Settings.ClockNow = true }

// lastClock is the clock with which the game host and all clients prepared their last game.
func (s *sim) lastClock() int64 {
	s.t.Helper()
	clock := want[event.Prepare](s.t, "the game host", s.seen).Settings.RTC
	for _, c := range s.clients {
		if got := want[event.Prepare](s.t, "a client", c.seen).Settings.RTC; got != clock {
			s.t.Errorf("%s begins at %s, the game host at %s", c.Me().Nickname, room.ClockWords(got), room.ClockWords(clock))
		}
	}
	return clock
}

// play plays a game of 600 frames and tells with which clock it began.
func (s *sim) play() int64 {
	s.t.Helper()
	s.ready()
	s.prepare()
	s.install()
	s.finish()
	if s.host.Phase() != room.PhaseLobby {
		s.t.Fatalf("the game did not end: %v", s.seen)
	}
	s.alike()
	return s.lastClock()
}

// Each game of a room begins with the time on the game host's wall when it starts; and none before the end of the last
// one, also where the next game host lives further west.
func TestClockOfEachStart(t *testing.T) {
	s := lobby(t, 3, clockNow)
	tokyo, berlin := time.FixedZone("", 9*3600), time.FixedZone("", 3600)
	s.now = time.Date(2026, 5, 6, 20, 0, 0, 0, tokyo)
	first := s.play()
	if got := time.Unix(first, 0).UTC(); got.Hour() != 20 || got.Day() != 6 || got.Minute() > 0 {
		t.Errorf("the first game begins at %v", got)
	}
	s.now = s.now.Add(2 * time.Hour)
	second := s.play()
	if d := second - first; d < 7200 || d > 7260 {
		t.Errorf("the second game begins %d s after the first", d)
	}
	ended := second + int64(ds.FrameTime(600)/time.Second)
	s.now = s.now.In(berlin)
	s.handOver()
	for i, c := range s.clients {
		c.linked, c.id = true, ds.PeerID(100+i)
		s.host.Connected(s.now, c.id, "10.0.0.9:7000")
		c.Connected(s.now, c.id)
	}
	s.pump()
	if third := s.play(); third < ended || third > ended+60 {
		t.Errorf("after the game of %s the next game host begins at %s", room.ClockWords(second), room.ClockWords(third))
	}
}

// The clock goes on while somebody comes in late: what they are told is what the game began with.
func TestClockOfLateJoiner(t *testing.T) {
	s := playing(t, 1, func(c *Config) { clockNow(c); c.Settings.Frames = 0 })
	began := s.lastClock()
	s.now = s.now.Add(time.Hour)
	c := s.join(func(*client.Config) {})
	if got := c.Room().Settings.RTC; got != began {
		t.Errorf("the late joiner is told of %s, the game began at %s", room.ClockWords(got), room.ClockWords(began))
	}
}

// A clock that the game host set stays as it is, and a start that fails is no game.
func TestClockThatStays(t *testing.T) {
	s := lobby(t, 1, nil)
	s.now = time.Date(2026, 5, 6, 20, 0, 0, 0, time.UTC)
	if first, second := s.play(), s.play(); first != room.MinRTC || second != room.MinRTC {
		t.Errorf("a fixed clock begins at %s, then at %s", room.ClockWords(first), room.ClockWords(second))
	}
	s = lobby(t, 1, clockNow)
	s.now = time.Date(2098, 1, 1, 0, 0, 0, 0, time.UTC) // which is wrong, as is seen in time
	s.prepare()
	s.abort("the clock is wrong")
	if got := s.host.Settings().RTC; got != room.MinRTC {
		t.Errorf("after a start that failed no game begins before %s", room.ClockWords(got))
	}
}

// A kept game goes on with its own clock, and the game after it is no earlier.
func TestClockOfKeptGame(t *testing.T) {
	kept := time.Date(2030, 5, 6, 20, 0, 0, 0, time.UTC).Unix()
	for _, now := range []bool{true, false} {
		s := newSim(t, func(c *Config) {
			c.Settings.Continues, c.Settings.RTC, c.Settings.ClockNow = keptOf("Ann", "Bob"), kept, now
		})
		s.join(nil)
		if got := s.play(); got != kept {
			t.Errorf("it goes on at %s", room.ClockWords(got))
		}
		if got := s.play(); got < kept+10 || got > kept+20 {
			t.Errorf("the game after it begins at %s", room.ClockWords(got))
		}
	}
}

// A player switches on what is their own, and nobody else's; whoever asks too often is passed over.
func TestSwitchOn(t *testing.T) {
	s := playing(t, 2, nil)
	s.must(s.clients[0].SwitchOn(s.now, 1))
	s.pump()
	decided := func() (n int) {
		for _, d := range s.host.Decisions() {
			if d.Kind == timeline.SwitchOn {
				n++
			}
		}
		return n
	}
	if decided() != 1 || s.host.Decisions()[len(s.host.Decisions())-1].Seat != 1 {
		t.Fatalf("decisions %+v", s.host.Decisions())
	}
	if err := s.host.SwitchOn(s.now, 1); err == nil {
		t.Error("the game host switches on a console that somebody plays")
	}
	if err := s.host.SwitchOn(s.now, 9); err == nil {
		t.Error("the game host switches on a console that does not play")
	}
	s.must(s.host.SwitchOn(s.now, 0))
	for range 100 {
		_ = s.clients[0].SwitchOn(s.now, 1)
	}
	s.pump()
	if n := decided(); n > 20 {
		t.Errorf("%d decisions by one player in no time", n)
	}
	before := decided()
	b, err := message.Encode(&message.SwitchOn{Round: 1, Seat: 1})
	s.must(err)
	s.host.Receive(s.now, s.clients[1].id, b)
	if n := decided(); n != before {
		t.Errorf("a player switches on another's console: %d decisions, were %d", n, before)
	}
}
