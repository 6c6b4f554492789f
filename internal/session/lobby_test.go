package session

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/client"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// routed is a link whose first dials fail.
type routed struct {
	link.Link
	fails int
	why   link.DialFailure
	tries int
}

func (l *routed) Dial(ctx context.Context, addr string) (link.PeerID, error) {
	if l.tries++; l.tries <= l.fails {
		time.Sleep(link.DefaultConnect)
		return 0, &link.DialError{Addr: addr, Why: l.why}
	}
	return l.Link.Dial(ctx, addr)
}

// invited has a friend come in by an invitation through a router.
func invited(t *testing.T, l *routed, change func(*Config)) *machine {
	tb := newTable(t, modelCore(), rom(t, romstest.Save), 2)
	tb.sit(nil)
	return tb.sit(func(c *Config) {
		l.Link, c.Link = c.Link, l
		c.Join.Secret, c.Frames = seal.Secret{1}, 30
		change(c)
	})
}

// A friend for whom nothing gets through is told so once and soon, and comes in when the router
// lets it.
func TestFriendIsToldOfARouterInTheWay(t *testing.T) {
	bubble(t, func(t *testing.T) {
		friend := invited(t, &routed{fails: 4, why: link.NoAnswer}, func(*Config) {})
		began := time.Now()
		friend.until("being told", func(n notice.Notice) bool { return n == notice.Unanswered{} })
		if d := time.Since(began); d > link.DefaultConnect {
			t.Errorf("told after %v", d)
		}
		friend.untilPlaying()
		if n := strings.Count(friend.told(), "Unanswered"); n != 1 {
			t.Errorf("told %d times", n)
		}
	})
}

// A friend does not try for ever, and not on a network through which nothing comes, unless a relay
// may be reached there in another way.
func TestFriendGivesUp(t *testing.T) {
	for _, x := range []struct {
		why   link.DialFailure
		addr  string
		tries int
	}{
		{link.NoAnswer, "", int(invitedWait/link.DefaultConnect) + 1},
		{link.Deaf, "", 1},
		{link.Deaf, relay.Place("192.0.2.1:21206", relay.Mailbox{1}), 2},
	} {
		inBubble(t, x.why.String()+x.addr, func(t *testing.T) {
			l := &routed{fails: 1000, why: x.why}
			friend := invited(t, l, func(c *Config) { c.Join.Addr = cmp.Or(x.addr, c.Join.Addr) })
			<-friend.done
			if friend.err == nil || !strings.Contains(friend.err.Error(), x.why.String()) || l.tries != x.tries {
				t.Errorf("it ends after %d tries with %v", l.tries, friend.err)
			}
		})
	}
}

// The game host's clock at the start is in the recordings of all machines, whenever the room was opened; and where
// the computer's clock cannot be right, as in a test's bubble, which begins in the year 2000, its player is told.
func TestClockIsThatOfTheStart(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 2)
		tb.settings.Frames, tb.settings.RTC, tb.settings.ClockNow = 100, room.MinRTC, true
		dir := t.TempDir()
		opened := time.Now()
		var logs []string
		recorded := func(c *Config) {
			logs = append(logs, filepath.Join(dir, c.Firmware.Nickname+".nplog"))
			c.Recorder = replay.NewRecorder(replay.Config{Path: logs[len(logs)-1]})
			t.Cleanup(func() { c.Recorder.Close() })
		}
		anna := tb.sit(recorded)
		time.Sleep(2 * time.Hour)
		ben := tb.sit(recorded)
		sameHashes(t, 100, anna, ben)
		for _, path := range logs {
			l, err := replay.Open(path)
			must.Succeed(t, err)
			if d := l.Settings.RTC - room.ClockAt(opened); d < 7200 || d > 7210 {
				t.Errorf("%s begins %d s after the room was opened", path, d)
			}
			l.Close()
		}
		if words := "This computer's clock says 1 January 2000"; !anna.heardOf(words) || ben.heardOf(words) {
			t.Errorf("Anna was told %q, Ben %q", anna.said(), ben.said())
		}
	})
}

// TestPlayersKnowEachOthersKeys: everybody in the room sees the key that each machine has
// proven, and a player behind another one at the same machine has the same.
func TestPlayersKnowEachOthersKeys(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 3)
		links := map[string]link.Link{}
		for i := range 3 {
			p := tb.sit(func(c *Config) {
				c.AskReady, links[c.Firmware.Nickname] = true, c.Link
				if c.Host != nil {
					c.Host.AutoStart = 0
				}
			})
			p.untilRoom("everybody so far is there", func(r room.Room) bool { return len(r.Players) == i+1 })
		}
		for _, m := range tb.machines {
			m.untilRoom("all keys are known", func(r room.Room) bool {
				for _, p := range r.Players {
					if l := links[p.Nickname]; l == nil || p.Key != l.Key() {
						return false
					}
				}
				return len(r.Players) == 3
			})
		}
	})
}

// room2 is a room of two machines, as its game host tells it.
type room2 struct{ member }

func (room2) Room() room.Room {
	return room.Room{Players: []room.Player{{Machine: 0, Key: [32]byte{1}}, {Machine: 1, Key: [32]byte{2}}}}
}

// TestGameHostCannotBorrowAKey: what a game host says of its own key does not count, but what
// it has proven.
func TestGameHostCannotBorrowAKey(t *testing.T) {
	s := bare(room2{})
	s.client, s.peer, s.gameHost = new(client.Client), 7, 0
	s.connectionOpened(time.Now(), link.Event{Kind: link.Connected, Peer: 7, Key: [32]byte{9}})
	if r := s.seen(); r.Players[0].Key != [32]byte{9} || r.Players[1].Key != [32]byte{2} {
		t.Errorf("%x and %x", r.Players[0].Key, r.Players[1].Key)
	}
}

// One thing that happens is told once, however many of its consequences name it; when
// it happens again it is told again.
func TestSameNewsIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var heard []string
		s := &session{
			cfg:  Config{Notify: func(n notice.Notice) { heard = append(heard, n.(notice.Message).Text) }},
			said: make(map[string]time.Time),
		}
		s.Say("%s's machine failed", "Bob")
		s.Say("Bob left")
		s.Say("Bob's machine failed")
		time.Sleep(time.Minute)
		s.Say("Bob's machine failed")
		if want := []string{"Bob's machine failed", "Bob left", "Bob's machine failed"}; !slices.Equal(heard, want) {
			t.Errorf("%q", heard)
		}
	})
}

// Of a dump that may have lost its signature it is told once what it is not good for.
func TestUnsignedDumpIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var heard []string
		s := &session{
			cfg:  Config{Notify: func(n notice.Notice) { heard = append(heard, n.(notice.Message).Text) }},
			said: make(map[string]time.Time),
		}
		one, two := room.ROMID{SHA256: [32]byte{1}, Title: "One"}, room.ROMID{SHA256: [32]byte{2}, Title: "Two"}
		s.games.ROMs = map[[32]byte]*emucore.ROM{one.SHA256: {Unsigned: true}, two.SHA256: {}}
		for range 3 {
			s.tellUnsigned([]room.ROMID{one, two, one, {SHA256: [32]byte{3}}})
			time.Sleep(time.Minute)
		}
		if len(heard) != 1 || !strings.Contains(heard[0], "Your dump of One") || !strings.Contains(heard[0], "Download Play") {
			t.Errorf("%q", heard)
		}
	})
}
