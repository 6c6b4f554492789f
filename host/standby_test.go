package host

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/client"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/migration"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// between counts the open connections between two machines.
func (r *realm) between(a, b int) (n int) {
	for _, w := range r.lines {
		if !w.closed && (w.ends == [2]int{a, b} || w.ends == [2]int{b, a}) {
			n++
		}
	}
	return n
}

// standbyLinks checks that of some machines each two have one connection.
func (r *realm) standbyLinks(machines ...int) {
	r.t.Helper()
	for i, a := range machines {
		for _, b := range machines[:i] {
			if n := r.between(a, b); n != 1 {
				r.t.Errorf("there are %d connections between machines %d and %d", n, b, a)
			}
		}
	}
}

// While a game runs each two clients have a connection, and when the game host is killed, twice,
// these are enough: behind many a router no new one could be opened.
func TestClientsGoOnByTheirPeerLinks(t *testing.T) {
	r := newRealm(t, 1, 5).play()
	r.standbyLinks(1, 2, 3, 4)
	r.walls = true
	r.nodes[0].dead = true
	r.run(6 * time.Second)
	if lord, followers := r.settled(); lord == nil || lord.name != 1 || followers != 3 {
		t.Fatalf("machine %+v is game host with %d followers", lord, followers)
	}
	r.standbyLinks(1, 2, 3, 4)
	r.run(20 * time.Second)
	r.standbyLinks(1, 2, 3, 4)
	r.nodes[1].dead = true
	r.run(6 * time.Second)
	if lord, followers := r.settled(); lord == nil || lord.name != 2 || followers != 2 {
		t.Errorf("machine %+v is the next game host with %d followers", lord, followers)
	}
}

// The same where the game host leaves, also when others hear of it before its successor does.
func TestHandoverByPeerLinks(t *testing.T) {
	for _, late := range []bool{false, true} {
		r := newRealm(t, 2, 4).play()
		r.walls = true
		first := r.lines[0]
		if first.ends != [2]int{1, 0} {
			t.Fatal("the first connection is another one")
		}
		first.slow = late
		if !r.nodes[0].host.HandOver(r.now, "dinner", nil) {
			t.Fatal("nobody to hand over to")
		}
		r.send(r.nodes[0])
		r.run(300 * time.Millisecond)
		if late && !r.nodes[2].client.Reconnecting() {
			t.Error("machine 2 is in the room of one that is not game host yet")
		}
		first.slow = false
		r.run(300 * time.Millisecond)
		r.nodes[0].over = "left"
		r.run(2 * time.Second)
		lord, followers := r.settled()
		if lord == nil || lord.name != 1 || followers != 2 {
			t.Errorf("late %v: machine %+v is game host with %d followers", late, lord, followers)
		}
	}
}

// A peer link that breaks is opened again. Nobody in the lobby, and nobody who waits for the
// next game, is told where players are.
func TestPeerLinksAreForThoseWhoPlay(t *testing.T) {
	r := newRealm(t, 3, 4)
	r.run(20 * time.Second)
	if len(r.lines) != 3 {
		t.Errorf("%d connections in the lobby", len(r.lines))
	}
	r.play()
	r.cut[1][2] = true
	r.run(5 * time.Second)
	if r.between(1, 2) != 0 {
		t.Fatal("the connection is not lost")
	}
	r.cut[1][2] = false
	r.run(time.Minute)
	r.standbyLinks(1, 2, 3)
	zoe, err := client.New(client.Config{Config: membership.Config{Nickname: "Zoe", Firmware: testFirmware(9), Random: r.random(4)}, Core: testCore})
	must.Succeed(t, err)
	r.nodes = append(r.nodes, &node{name: 4, client: zoe})
	r.dial(4, 0)
	r.run(30 * time.Second)
	for i := 1; i < 4; i++ {
		if r.between(4, i) != 0 {
			t.Errorf("there is a connection between Zoe, who waits, and machine %d", i)
		}
	}
}

// A machine that passes on what another one has signed is not taken for that one.
func TestPeerLinkWithAnotherKeyIsClosed(t *testing.T) {
	now := time.Unix(1000, 0)
	key, err := migration.NewKey(rand.NewChaCha8([32]byte{1}))
	must.Succeed(t, err)
	v := membership.ElectionView{
		Machine: 1, Key: key, Plays: true, Playing: 0b111,
		Lead: migration.Leadership{Round: 1, Players: []room.Player{{Machine: 2, Present: true, Key: [32]byte{2}, Sign: migration.PublicKey(key)}}},
	}
	status := &migration.PeerStatusMsg{Machine: 2, Round: 1}
	status.Sign = migration.Sign(key, v.Lead.PeerStatusText(status))
	for installation, plays := range map[byte]bool{2: true, 3: false} {
		var box event.Outbox
		e := membership.NewElection(&box)
		e.Connected(now, 7, "there", [32]byte{installation}, v)
		e.HandleStatus(e.Link(7), status, v)
		if e.Plays(7, v) != plays {
			t.Errorf("with the key of installation %d: it is machine 2: %v", installation, !plays)
		}
	}
}
