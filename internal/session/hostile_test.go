package session

import (
	"context"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// villain is the link of a machine that is let in like any other, and then sends
// what it likes.
type villain struct {
	link.Link
	peer atomic.Uint64 // the game host
}

func (v *villain) Dial(ctx context.Context, addr string) (link.PeerID, error) {
	p, err := v.Link.Dial(ctx, addr)
	v.peer.CompareAndSwap(0, uint64(p))
	return p, err
}

// send sends behind the back of its session.
func (v *villain) send(ch link.Channel, data []byte) {
	_ = v.Link.Send(link.PeerID(v.peer.Load()), ch, data)
}

// garbage is what nobody sends who keeps to the rules.
func garbage(ch link.Channel) [][]byte {
	rng := rand.New(rand.NewPCG(1, uint64(ch)))
	noise := make([]byte, 300)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	switch ch {
	case link.Bulk:
		return [][]byte{
			{},
			{1, 2},
			noise,
			append([]byte{0x51, 1, 0, 0, 0}, noise...), // a manifest of the game that is prepared
			{0x51, 255, 255, 255, 255, 255},            // one that is cut off
			{0x53, 0, 0, 0, 9, 0, 0, 0, 0, 1, 2, 3, 4}, // a chunk that nobody wanted
		}
	case link.Input:
		return [][]byte{{}, noise, {1}, make([]byte, link.MaxInput), {1, 1, 1, 255, 255, 255, 255}}
	}
	return [][]byte{{}, noise, {0}, {255}, noise[:1]}
}

// A machine that sends garbage, on whatever channel and at whatever stage, ends
// its own part and nobody else's.
func TestGarbage(t *testing.T) {
	t.Parallel()
	core, game := modelCore(), rom(t, romstest.Pad)
	for _, ch := range []link.Channel{link.Control, link.Bulk, link.Input} {
		send := func(v *villain) {
			for _, b := range garbage(ch) {
				v.send(ch, b)
			}
		}
		open := func(t *testing.T) (*table, *villain, func(*Config)) {
			tb, v := newTable(t, core, game, 2), new(villain)
			tb.settings.Seats, tb.settings.Frames = 4, 150
			return tb, v, func(c *Config) {
				v.Link = c.Link
				c.Link = v
			}
		}
		inBubble(t, ch.String()+" in the lobby", func(t *testing.T) {
			tb, v, evil := open(t)
			anna := tb.sit(func(c *Config) { c.Host.AutoStart = 3 })
			ben := tb.sit(evil)
			anna.untilRoom("Ben is there", full(2))
			send(v)
			if ch == link.Input { // nothing is played, so it is not even looked at
				ben.stop()
				ben.expect(notice.ResultOK)
			} else {
				ben.expect(notice.ResultLost)
			}
			anna.untilRoom("Ben is gone", full(1))
			tb.sit(nil)
			tb.sit(nil)
			for _, p := range []*machine{anna, tb.machines[2], tb.machines[3]} {
				p.expect(notice.ResultOK)
			}
		})
		inBubble(t, ch.String()+" while preparing", func(t *testing.T) {
			tb, v, evil := open(t)
			anna := tb.sit(func(c *Config) { c.Once = false })
			ben := tb.sit(func(c *Config) { evil(c); holdUp(c) })
			ben.untilRoom("the game is prepared", preparing)
			send(v)
			if ch == link.Input {
				ben.stop()
				ben.expect(notice.ResultOK)
			} else {
				ben.expect(notice.ResultLost)
			}
			anna.untilSaid("The game did not start")
			anna.untilRoom("Ben is gone", func(r room.Room) bool { return r.Revision > 1 && len(r.Players) == 1 })
			carla := tb.sit(nil)
			carla.expect(notice.ResultOK)
			anna.stop()
			anna.expect(notice.ResultOK)
		})
		inBubble(t, ch.String()+" while playing", func(t *testing.T) {
			tb, v, evil := open(t)
			tb.players, tb.settings.Frames = 3, forever
			anna := tb.sit(func(c *Config) { c.Frames = 400 })
			ben := tb.sit(evil)
			carla := tb.sit(nil)
			ben.untilFrame(30)
			send(v)
			ben.expect(notice.ResultLost)
			a, c := anna.expect(notice.ResultOK), carla.expect(notice.ResultOK)
			for i := range a.Seats {
				if a.Seats[i] != c.Seats[i] || a.Seats[i].Hash == 0 {
					t.Errorf("seat %d ends as %+v and as %+v", i, a.Seats[i], c.Seats[i])
				}
			}
			if !strings.Contains(strings.Join(anna.said(), "\n"), "Ben") {
				t.Errorf("the game host is not told of Ben: %q", anna.said())
			}
		})
	}
}

// A stranger who is not in the room can do nothing at all.
func TestStranger(t *testing.T) {
	bubble(t, func(t *testing.T) {
		net := quickNet()
		tb := onNetwork(t, net, modelCore(), rom(t, romstest.Pad), 2)
		tb.settings.Frames = 150
		anna := tb.sit(nil)
		for _, ch := range []link.Channel{link.Control, link.Bulk, link.Input} {
			l := net.Listen("stranger " + ch.String())
			defer l.Close()
			peer, err := l.Dial(t.Context(), tb.addr)
			must.Succeed(t, err)
			for _, b := range garbage(ch) {
				_ = l.Send(peer, ch, b)
			}
		}
		ben := tb.sit(nil)
		sameHashes(t, 150, anna, ben)
	})
}

// said is every line that the player was told.
func (p *machine) said() (lines []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, n := range p.heard {
		if m, ok := n.(notice.Message); ok {
			lines = append(lines, m.Text)
		}
	}
	return lines
}
