package session

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/session/notice"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// liar is the link of a machine that lies to the room, or keeps things to itself: what it
// sends becomes what lie makes of it, nil for nothing. Nothing is sent on channels that it
// is mute on.
type liar struct {
	link.Link
	lie  func(message.Message) message.Message
	mute func(ch link.Channel) bool
}

func (l *liar) Send(p link.PeerID, ch link.Channel, data []byte) error {
	if l.mute != nil && l.mute(ch) {
		return nil
	}
	if m, err := message.Decode(data); ch == link.Control && l.lie != nil && err == nil {
		if m = l.lie(m); m == nil {
			return nil
		}
		if data, err = message.Encode(m); err != nil {
			return err
		}
	}
	return l.Link.Send(p, ch, data)
}

// lies has a machine do so.
func lies(l *liar) func(*Config) {
	return func(c *Config) { l.Link, c.Link = c.Link, l }
}

// seen is a source of inputs of which each frame is told to do, too.
func seen(input func(int64) inputdelay.Input, do func(frame int64)) func(int64) inputdelay.Input {
	return func(frame int64) inputdelay.Input {
		do(frame)
		return input(frame)
	}
}

// A machine that says again and again that its consoles are not what they are for the others
// is put out, and the others play on.
func TestOneLiarEndsNoGame(t *testing.T) {
	inBubble(t, "", func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 3)
		tb.settings.Frames = 1200
		anna := tb.sit(nil)
		ben := tb.sit(lies(&liar{lie: func(m message.Message) message.Message {
			if h, is := m.(*message.Hashes); is && h.Frame > 100 {
				h.Hashes[0].Hash.RAM++
			}
			return m
		}}))
		carla := tb.sit(nil)
		ben.expect(notice.ResultLost, "was not like the others again and again")
		sameEnds(t, oddMost-1, anna, carla)
	})
}

// A machine that does not tell the hashes of its consoles keeps nobody from saving for long,
// and hides nothing.
func TestHashesMustBeTold(t *testing.T) {
	inBubble(t, "", func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 3)
		tb.settings.Frames = 3000
		anna := tb.sit(nil)
		ben := tb.sit(lies(&liar{lie: func(m message.Message) message.Message {
			if _, is := m.(*message.Hashes); is {
				return nil
			}
			return m
		}}))
		carla := tb.sit(nil)
		ben.expect(notice.ResultLost, "does not tell what its consoles have become")
		alike(t, 3000, 2, anna, carla)
	})
}

// A machine whose connection lives, and that sends no inputs, is waited for as long as one
// whose connection is gone, and no longer. Nobody is mistaken for it, whoever has the lower seat.
func TestMutePeerIsNotWaitedForWithoutEnd(t *testing.T) {
	for mutes := 2; mutes <= 3; mutes++ {
		inBubble(t, "", func(t *testing.T) {
			tb := newTable(t, modelCore(), rom(t, romstest.Pad), 3)
			tb.settings.Frames = 600
			mute := false
			for n := 1; n <= 3; n++ {
				m := tb.sit(func(c *Config) {
					if n == mutes {
						lies(&liar{mute: func(ch link.Channel) bool { return ch == link.Input && mute }})(c)
						c.Input = seen(c.Input, func(frame int64) { mute = frame >= 200 })
					}
				})
				if n > 1 {
					m.untilSaid("You are in seat")
				}
			}
			anna, silent, other := tb.machines[0], tb.machines[mutes-1], tb.machines[4-mutes]
			anna.until("Anna waits", func(n notice.Notice) bool { w, ok := n.(notice.Waiting); return ok && len(w.For) > 0 })
			waits := time.Now()
			silent.expect(notice.ResultLost, "has sent nothing to play on with for 15 seconds")
			if d := time.Since(waits); d < 14*time.Second || d > 17*time.Second {
				t.Errorf("%s was waited for %v, and 15 s were to be", silent.name, d)
			}
			alike(t, 600, 2, anna, other)
		})
	}
}

// The same of the game host: with three machines another becomes it, with two the game is over.
func TestMuteGameHostIsNotWaitedForWithoutEnd(t *testing.T) {
	for players := 2; players <= 3; players++ {
		inBubble(t, "", func(t *testing.T) {
			tb := newTable(t, modelCore(), rom(t, romstest.Pad), players)
			tb.settings.Frames = 600
			mute := false
			tb.sit(func(c *Config) {
				lies(&liar{mute: func(ch link.Channel) bool { return ch == link.Input && mute }})(c)
				c.Input = seen(c.Input, func(frame int64) { mute = frame >= 200 })
				c.Host.Wait = time.Hour // it drops nobody
			})
			ben := tb.sit(nil)
			if players == 2 {
				ben.expect(notice.ResultLost, "the game host's computer has sent nothing to play on with for 25 seconds")
				return
			}
			carla := tb.sit(nil)
			alike(t, 600, 2, ben, carla)
		})
	}
}
