package host

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/client"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// hosting are the machines that host a lobby, and how many follow the last of them.
func (r *realm) hosting() (list []int, followers int) {
	for _, n := range r.nodes {
		if n.dead || n.over != "" || n.host == nil || n.host.Phase() != room.PhaseLobby {
			continue
		}
		list, followers = append(list, n.name), 0
		for _, m := range r.nodes {
			if m != n && r.follows(m.name, n) {
				followers++
			}
		}
	}
	return list, followers
}

// settles has the room in the hands of one game host with so many followers.
func (r *realm) settles(lord, followers int) {
	r.t.Helper()
	if list, n := r.hosting(); !slices.Equal(list, []int{lord}) || n != followers {
		r.t.Errorf("machines %v are game host with %d followers, want machine %d with %d", list, n, lord, followers)
		for _, n := range r.nodes {
			if n.client != nil {
				r.t.Logf("machine %d: %v %+v %s", n.name, n.client.Phase(), n.client.Room().Host, n.over)
			}
		}
	}
}

// A game host that is killed in the lobby is followed by the one that it named, with all the others.
func TestKilledInTheLobby(t *testing.T) {
	for machines := 2; machines <= 4; machines++ {
		r := newRealm(t, 1, machines)
		r.nodes[0].dead = true
		r.run(12 * time.Second)
		r.settles(1, machines-2)
		if n := len(r.nodes[1].host.Roster()); n != machines-1 {
			t.Errorf("%d are in the room", n)
		}
		// And again.
		r.nodes[1].dead = true
		r.run(12 * time.Second)
		if machines > 2 {
			r.settles(2, machines-3)
		}
	}
}

// Whoever is in the room when the game host is killed is found by its successor, be it that they have only just come
// in, and that the room had just been told to all.
func TestKilledAtAJoin(t *testing.T) {
	r := newRealm(t, 1, 2)
	newcomer := r.join()
	for newcomer.client.Phase() != room.PhaseLobby {
		r.nodes[0].host.publish(r.now)
		r.step()
	}
	r.nodes[0].dead = true
	if p, ok := r.nodes[1].client.Room().Player(2); !ok || len(p.Addrs) == 0 {
		t.Errorf("the successor knows no way to the newcomer: %+v", p)
	}
	r.run(12 * time.Second)
	r.settles(1, 1)
}

// When the game host and its successor die at once, the room is over for the others, who are told why.
func TestSuccessorDiesToo(t *testing.T) {
	r := newRealm(t, 1, 4)
	r.nodes[0].dead, r.nodes[1].dead = true, true
	r.run(40 * time.Second)
	for _, n := range r.nodes[2:] {
		if n.host != nil {
			t.Errorf("machine %d is game host", n.name)
		}
		says(t, n.client.Me().Nickname, n.over, "the connection to the game host Ann was lost", names[1]+", who was to take over the room, did not answer either", "join the room again")
	}
}

// When the successor dies some time before, another one is named.
func TestAnotherSuccessorIsNamed(t *testing.T) {
	r := newRealm(t, 1, 4)
	r.nodes[1].dead = true
	r.run(4 * time.Second)
	r.nodes[0].dead = true
	r.run(12 * time.Second)
	r.settles(2, 1)
}

// Of a game that no election can save the room is left, with all who are there.
func TestRoomOutlivesItsGame(t *testing.T) {
	r := newRealm(t, 1, 4).play()
	r.nodes[0].dead, r.nodes[3].dead = true, true // two of four elect nobody
	r.run(90 * time.Second)
	r.settles(1, 1)
}

// A room that fell apart in the lobby is one again when its parts hear each other, where one of them is a
// machine that is alone. Who lost its connection for a moment comes back as if it were for the first time.
func TestLobbyFallsApart(t *testing.T) {
	for _, tt := range []struct {
		name      string
		machines  int
		apart     []int // from the others
		amid      []int // who hosts meanwhile
		lord      int   // who does at last, and with how many
		followers int
	}{
		{"the successor of two", 2, []int{1}, []int{0, 1}, 0, 0},
		{"the successor of three", 3, []int{1}, []int{0, 1}, 0, 1},
		{"the game host of three", 3, []int{0}, []int{0, 1}, 1, 1},
		{"the game host of four", 4, []int{0}, []int{0, 1}, 1, 2},
		{"another one", 3, []int{2}, []int{0}, 0, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRealm(t, 3, tt.machines)
			r.split(tt.apart...)
			r.run(15 * time.Second)
			if list, _ := r.hosting(); !slices.Equal(list, tt.amid) {
				t.Fatalf("machines %v are game host while it is apart", list)
			}
			r.cut = [8][8]bool{}
			r.run(10 * time.Second)
			r.settles(tt.lord, tt.followers)
			if !slices.Contains(tt.amid, tt.apart[0]) {
				return
			}
			for _, n := range r.nodes { // who goes back is told so
				if n.host != nil && n.name != tt.lord && !n.returns {
					t.Errorf("machine %d stays game host: %q", n.name, n.over)
				}
			}
		})
	}
}

// Two parts of several stay two rooms, and are told so.
func TestLobbyFallsInHalves(t *testing.T) {
	r := newRealm(t, 3, 4)
	r.split(0, 3)
	r.run(15 * time.Second)
	r.cut = [8][8]bool{}
	r.run(10 * time.Second)
	if list, n := r.hosting(); !slices.Equal(list, []int{0, 1}) || n != 1 {
		t.Errorf("machines %v are game host, the last with %d", list, n)
	}
	for _, n := range []*node{r.nodes[0], r.nodes[1]} {
		if !n.host.standing.apart {
			t.Errorf("machine %d was told nothing of the other part", n.name)
		}
	}
}

// A short break is no reason for another game host: who was lost comes in again.
func TestShortBreakInTheLobby(t *testing.T) {
	r := newRealm(t, 3, 3)
	for range 2 {
		r.split(0)
		r.run(3 * time.Second) // lost after two
		r.cut = [8][8]bool{}
		r.run(4 * time.Second)
		r.settles(0, 2)
		if n := len(r.nodes[0].host.Roster()); n != 3 {
			t.Errorf("%d are in the room", n)
		}
	}
}

// Nobody but the named successor is followed, and it only by those who have lost the game host.
func TestForgedSuccession(t *testing.T) {
	// certificate is what the game host of a room gave a machine, and shows that it is game host.
	certificate := func(r *realm) *message.LeaderProof {
		h := r.nodes[0].host.standing.handover
		return &message.LeaderProof{Machine: h.To, Epoch: h.Epoch, Handovers: []message.SignedHandover{h}}
	}
	shown := func(r *realm, n *node, m message.Message) bool {
		id := ds.PeerID(9000)
		n.client.PeerConnected(r.now, id, "198.51.100.1:1", [32]byte{})
		b, err := message.Encode(m)
		must.Succeed(t, err)
		n.client.Receive(r.now, id, b)
		return n.client.Room().Host != 0
	}
	orphaned := func(seed uint64) *realm {
		r := newRealm(t, seed, 4)
		r.nodes[0].dead, r.nodes[1].dead = true, true
		r.run(3 * time.Second)
		return r
	}
	r := orphaned(1)
	if !shown(r, r.nodes[2], certificate(r)) {
		t.Fatal("the certificate does not hold at all")
	}
	for name, lie := range map[string]func(r *realm, m *message.LeaderProof){
		"another machine's": func(_ *realm, m *message.LeaderProof) { m.Machine, m.Handovers[0].To = 3, 3 },
		"a later epoch's":   func(_ *realm, m *message.LeaderProof) { m.Epoch, m.Handovers[0].Epoch = 2, 2 },
		"an earlier one's":  func(_ *realm, m *message.LeaderProof) { m.Handovers[0].Serial-- },
		"a later one's":     func(_ *realm, m *message.LeaderProof) { m.Handovers[0].Serial++ },
		"another room's":    func(_ *realm, m *message.LeaderProof) { *m = *certificate(newRealm(t, 2, 4)) },
		"the successor's own": func(r *realm, m *message.LeaderProof) {
			m.Handovers[0].Sign = membership.Sign(r.key(1), r.leadership(2).HandoverText(m.Handovers[0]))
		},
		"one as the last word": func(_ *realm, m *message.LeaderProof) { m.Handovers[0].Serial = 0 },
	} {
		r := orphaned(1)
		m := certificate(r)
		lie(r, m)
		if shown(r, r.nodes[2], m) {
			t.Errorf("%s certificate is followed", name)
		}
	}
	r = newRealm(t, 1, 4)
	if shown(r, r.nodes[2], certificate(r)) {
		t.Error("the successor is followed while the game host is heard")
	}
	r = newRealm(t, 1, 4).play()
	r.nodes[0].dead, r.nodes[1].dead, r.nodes[3].dead = true, true, true
	r.run(10 * time.Second)
	if shown(r, r.nodes[2], certificate(r)) {
		t.Error("the successor is followed while the game may go on")
	}
}

// Who is removed, or leaves, takes over nothing: neither by the others, nor by the game host that is alone.
func TestSuccessorSentAway(t *testing.T) {
	for name, ban := range map[string]bool{"for now": false, "for good": true} {
		r := newRealm(t, 1, 3)
		old := r.nodes[0].host.standing.handover
		if ban {
			r.nodes[0].host.Proven(r.nodes[0].host.first(1).peer.id, [32]byte{5})
		}
		must.Succeed(t, r.nodes[0].host.Kick(r.now, 1, "", ban))
		r.run(time.Second)
		if h := r.nodes[0].host.standing.handover; h.To != 2 || h.Serial <= old.Serial {
			t.Fatalf("%s: the successor is %+v", name, h)
		}
		m := &message.LeaderProof{Machine: 1, Epoch: 1, With: 3, Handovers: []message.SignedHandover{old}}
		b, err := message.Encode(m)
		must.Succeed(t, err)
		r.nodes[2].client.Leave(r.now, "")
		r.run(time.Second)
		h := r.nodes[0].host
		h.Connected(r.now, 9000, "198.51.100.1:1")
		h.Receive(r.now, 9000, b)
		if h.Phase() != room.PhaseLobby {
			t.Errorf("%s: the game host goes to the one that it removed", name)
		}
	}
	r := newRealm(t, 1, 3)
	old := r.nodes[0].host.standing.handover
	must.Succeed(t, r.nodes[0].host.Kick(r.now, 1, "", false))
	r.run(time.Second)
	r.nodes[0].dead = true
	r.run(3 * time.Second)
	b, err := message.Encode(&message.LeaderProof{Machine: 1, Epoch: 1, Handovers: []message.SignedHandover{old}})
	must.Succeed(t, err)
	c := r.nodes[2].client
	c.PeerConnected(r.now, 9000, "198.51.100.1:1", [32]byte{})
	c.Receive(r.now, 9000, b)
	if c.Room().Host != 0 {
		t.Error("one who was removed is followed")
	}
}

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
	key, err := membership.NewKey(rand.NewChaCha8([32]byte{1}))
	must.Succeed(t, err)
	v := membership.ElectionView{
		Machine: 1, Key: key, Plays: true, Playing: 0b111,
		Lead: membership.Leadership{Round: 1, Players: []room.Player{{Machine: 2, Present: true, Key: [32]byte{2}, Sign: membership.PublicKey(key)}}},
	}
	status := &message.PeerStatus{Machine: 2, Round: 1}
	status.Sign = membership.Sign(key, v.Lead.PeerStatusText(status))
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
