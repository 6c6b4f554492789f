package session

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/badline"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// Games of model consoles over real sockets, at the DS' pace.

// bySockets is a room whose players sit down one after the other, each with a link of its own.
func bySockets(t *testing.T, frames int64, players int) *table {
	tb := newTable(t, modelCore(), rom(t, romstest.Pad), players)
	tb.settings.Frames, tb.turns = frames, nil
	return tb
}

// sitWith is sit with a link, for a player who joins at an address.
func (tb *table) sitWith(l link.Link, addr string, change func(*Config)) *machine {
	tb.addr = addr
	tb.listen = func(string) link.Link { return l }
	n := len(tb.machines)
	p := tb.sit(func(c *Config) {
		c.MaxSpeed, c.Start = false, starter(&model.Machine{Seed: tb.seed})
		if change != nil {
			change(c)
		}
	})
	tb.machines[0].untilRoom("the player is there", full(n+1))
	return p
}

func listenAt(t *testing.T, bind string, secret seal.Secret) *udp.Link {
	t.Helper()
	l, err := udp.Listen(udp.Config{Bind: bind, Room: secret, ConnectTimeout: patience()})
	must.Succeed(t, err)
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// line is a line to an address that shows another one than its own.
func line(t *testing.T, to string) *badline.Relay {
	t.Helper()
	r, err := badline.Start(badline.Config{Target: to})
	must.Succeed(t, err)
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// Ben speaks IPv4 only and Carla IPv6 only, so they cannot meet. Ben's router forgets him amid
// play; then the game host leaves, Ben becomes it, and Carla plays on through Dora, whom both
// reach. Nobody's connection breaks for the first, and all end with the same consoles.
func TestPlayersWhoCannotMeetPlayOn(t *testing.T) {
	t.Parallel()
	if c, err := net.ListenPacket("udp6", "[::1]:0"); err != nil {
		t.Skip("NOT TESTED: no IPv6 here: ", err)
	} else {
		c.Close()
	}
	secret := seal.NewSecret()
	tb := bySockets(t, 0, 4) // Ben ends it once all has come to pass, however long that takes
	links := []*udp.Link{listenAt(t, "", secret), listenAt(t, "127.0.0.1", secret), listenAt(t, "::1", secret), listenAt(t, "", secret)}
	port := links[0].Port()
	toAnna := line(t, fmt.Sprint("127.0.0.1:", port))
	anna := tb.sitWith(links[0], "", nil)
	control := NewControl()
	ben := tb.sitWith(links[1], toAnna.Addr(), func(c *Config) { c.Control = control })
	carla := tb.sitWith(links[2], fmt.Sprintf("[::1]:%d", port), nil)
	stay := func(c *Config) { c.Once = false } // until Carla has heard how the game has ended
	dora := tb.sitWith(links[3], fmt.Sprint("127.0.0.1:", port), stay)
	anna.untilRoom("all pairs have a way of their own", func(r room.Room) bool {
		have := 0
		for _, p := range r.Pairs() {
			if p.Path != nil && (p.Path.Way == "") == (p.Names() != "Ben and Carla") {
				have++
			}
		}
		return have == 3
	})
	ben.untilFrame(30)
	toAnna.Rebind()
	ben.untilFrame(150)
	for _, p := range tb.machines {
		p.mu.Lock()
		for _, n := range p.heard {
			if n, lost := n.(notice.Disconnected); lost {
				t.Errorf("%s was told %+v", p.name, n)
			}
		}
		p.mu.Unlock()
	}
	anna.stop()
	anna.expect(notice.ResultOK)
	dora.untilRoom("Carla plays through Dora", func(r room.Room) bool {
		return hosts("Ben")(r) && slices.ContainsFunc(r.Players, func(p room.Player) bool {
			return p.Nickname == "Carla" && strings.HasPrefix(p.Way, "through Dora")
		})
	})
	carla.goesOn()
	control.EndGame("enough")
	for _, p := range []*machine{ben, carla} {
		p.end()
	}
	dora.stop()
	alike(t, ben.report.Frames, 3, ben, carla, dora)
	for _, p := range []*machine{ben, carla, dora} {
		t.Logf("%s stood still for %v at most", p.name, p.stood())
	}
}

// enemy does something to every second datagram, once the players have met.
type enemy struct {
	words []byte // that nobody may read
	dice  *rand.Rand
	past  [200][]byte // some that it has carried
	n     int
	seen  atomic.Bool
	done  atomic.Int64
}

func (e *enemy) torment(b []byte, send func([]byte)) {
	if bytes.Contains(b, e.words) {
		e.seen.Store(true)
	}
	old := &e.past[e.n%len(e.past)]
	e.n++
	chance := e.dice.IntN(6)
	if e.n <= len(e.past) || chance < 3 {
		*old = bytes.Clone(b)
		send(b)
		return
	}
	e.done.Add(1)
	switch chance {
	case 3: // an old one instead
		send(*old)
	case 4: // rewritten
		b[relay.HeaderSize+e.dice.IntN(len(b)-relay.HeaderSize)] ^= 1 << e.dice.IntN(8)
		send(b)
	}
}

// A relay run by an enemy can delay and drop, and nothing else: the game goes on, all consoles are
// alike, and it reads no word. TestRelayOfAnEnemy of package udp has all that it can do.
func TestEnemysRelay(t *testing.T) {
	t.Parallel()
	const end, words = 300, "nobody may read this"
	secret := seal.NewSecret()
	tb := bySockets(t, end, 2)
	e := &enemy{words: []byte(words), dice: rand.New(rand.NewPCG(1, 2))}
	by := newKillable(t, e.torment)
	host, friend := listenAt(t, "127.0.0.1", secret), listenAt(t, "127.0.0.1", secret)
	box := secret.Mailbox(host.Key())
	host.SetMailbox(box, []string{by.near.Addr()})
	control := NewControl()
	anna := tb.sitWith(host, "", func(c *Config) { c.Control = control })
	ben := tb.sitWith(friend, link.Target(host.Key(), relay.Place(by.far.Addr(), box)), nil)
	for frame := int64(50); frame < 250; frame += 50 {
		anna.untilFrame(frame)
		control.Chat(words)
	}
	sameHashes(t, end, anna, ben)
	if e.seen.Load() || e.done.Load() < 100 {
		t.Errorf("it has read what was said: %v; it has done %d things", e.seen.Load(), e.done.Load())
	}
}
