package host

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/client"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// A game host is killed, and the lowest of the others takes over at once.
func TestKilledHostIsFollowed(t *testing.T) {
	for machines := 3; machines <= 5; machines++ {
		r := newRealm(t, 1, machines).play()
		r.nodes[0].dead = true
		r.run(4 * time.Second)
		lord, followers := r.settled()
		if lord == nil || lord.name != 1 || followers != machines-2 {
			t.Fatalf("%d machines: machine %+v is game host with %d followers", machines, lord, followers)
		}
		if last := lord.applied[len(lord.applied)-1]; last.Kind != timeline.Leave || last.Seat != 0 {
			t.Errorf("%d machines: the last decision is %+v", machines, last)
		}
		if frame := lord.frame; frame == 0 {
			t.Errorf("%d machines: the game does not go on", machines)
		}
	}
}

// An elected game host has time to take back all who follow it, before they elect another:
// those who have just heard of it, and lose their connection to it, are enough for that.
func TestElectedHostHasTime(t *testing.T) {
	r := newRealm(t, 1, 5).play()
	dark := 0
	r.heed = func() {
		for _, n := range r.nodes[2:] {
			if n.follower(1) && !n.client.Belongs(n.main) && !r.cut[1][n.name] {
				r.cut[1][n.name] = true
				dark++
			}
		}
	}
	r.nodes[0].dead = true
	for end := r.now.Add(10 * time.Second); dark < 3 && r.now.Before(end); {
		r.step()
	}
	r.run(time.Second)
	r.heed, r.cut = nil, [8][8]bool{}
	r.run(4 * time.Second)
	lord, followers := r.settled()
	if dark != 3 || lord == nil {
		t.Fatalf("%d connections were dark; %v is game host", dark, lord)
	}
	if lord.name != 1 || followers != 3 {
		t.Errorf("machine %d is game host with %d followers", lord.name, followers)
	}
}

// With two players there is nobody to agree with: the game is over, and the other one has the room.
func TestKilledHostOfTwo(t *testing.T) {
	r := newRealm(t, 1, 2).play()
	r.nodes[0].dead = true
	r.run(55 * time.Second)
	if n := r.nodes[1]; n.host != nil || n.out {
		t.Fatal("the game host is not waited for")
	}
	r.run(15 * time.Second)
	if n := r.nodes[1]; n.host == nil || n.host.Phase() != room.PhaseLobby || !n.out || len(n.host.Roster()) != 1 {
		t.Errorf("the other one: game host %v, over %q", n.host != nil, n.over)
	}
}

// A game host that leaves hands over: to whoever is left, in the lobby, too.
func TestHostHandsOver(t *testing.T) {
	for machines := 2; machines <= 4; machines++ {
		for _, playing := range []bool{true, false} {
			r := newRealm(t, 2, machines)
			if playing {
				r.play()
				_, err := r.nodes[0].host.Decide(r.now, timeline.Decision{Kind: timeline.Pause})
				if err == nil {
					_, err = r.nodes[0].host.GiveUpSeat(r.now, 0, 5)
				}
				must.Succeed(t, err)
			}
			if !r.nodes[0].host.HandOver(r.now, "dinner", nil) {
				t.Fatal("nobody to hand over to")
			}
			r.send(r.nodes[0])
			r.nodes[0].over = "left"
			r.run(2 * time.Second)
			lord := r.nodes[1]
			if lord.host == nil || len(lord.host.Roster()) != machines-1+map[bool]int{true: 1}[playing] {
				t.Fatalf("%d machines, playing %v: not handed over: %+v", machines, playing, lord.host)
			}
			for _, n := range r.nodes[2:] {
				if !n.client.Belongs(n.main) || n.client.Room().Host != 1 || n.client.Phase() != lord.host.Phase() {
					t.Errorf("%d machines, playing %v: machine %d is in the room of machine %d, %v", machines, playing, n.name, n.client.Room().Host, n.client.Phase())
				}
			}
			if playing && (!lord.host.Decisions().Paused() || len(lord.applied) != 3) {
				t.Errorf("%d machines: %+v", machines, lord.applied)
			}
			// A joining player finds the new one.
			if !playing {
				c, err := client.New(client.Config{Config: membership.Config{Nickname: "Zoe", Firmware: testFirmware(9), Random: rand.NewChaCha8([32]byte{9})}, Core: testCore})
				must.Succeed(t, err)
				r.nodes = append(r.nodes, &node{name: machines, client: c})
				r.dial(machines, 1)
				r.run(time.Second)
				if c.Phase() != room.PhaseLobby || len(c.Room().Players) != machines {
					t.Errorf("the joining player is in phase %v of %+v", c.Phase(), c.Room().Players)
				}
			}
		}
	}
}

// The game's decisions may let somebody in of whom the next game host has not heard otherwise: the roster came to others
// only. Whoever joins next gets neither that seat nor that number, which are in the game already.
func TestPlaceOfOneLetInUnheard(t *testing.T) {
	s, carol := admitted(t)
	known := s.clients[0].Promote(event.Elected{Promised: 200, Words: "the connection to Ann is gone"})
	known.Room.Players = slices.DeleteFunc(known.Room.Players, func(p room.Player) bool { return p.Machine == carol.Me().Machine })
	h := Promoted(s.now, known)
	if machine, seat := h.freeMachine(), h.freeSeat(); machine != 3 || seat != 3 {
		t.Errorf("the next one is machine %d in seat %v", machine, seat)
	}
}

// What was measured of the lines to the old game host says nothing of those to the next one; that one's own
// line to itself is none.
func TestLinesAreOfTheGameHost(t *testing.T) {
	r := newRealm(t, 2, 3)
	for m := 1; m < 3; m++ {
		r.nodes[0].host.Measured(m, room.Beat{Ping: 300 * time.Millisecond, Loss: 100})
	}
	r.run(3 * time.Second)
	if p, _ := r.nodes[1].client.Room().Player(1); p.Ping == 0 {
		t.Fatal("nobody was told of the lines")
	}
	if !r.nodes[0].host.HandOver(r.now, "dinner", nil) {
		t.Fatal("nobody to hand over to")
	}
	r.send(r.nodes[0])
	r.nodes[0].over = "left"
	r.run(2 * time.Second)
	for _, p := range r.nodes[1].host.Roster() {
		if p.Ping != 0 || p.Loss != 0 {
			t.Errorf("%s has a ping of %v to the next game host", p.Nickname, p.Ping)
		}
	}
}

// The donor of a resync loses a console as the game host goes, and is game host itself
// then: the others' consoles are taken.
func TestBrokenDonorIsElected(t *testing.T) {
	r := newRealm(t, 2, 3).play()
	if _, err := r.nodes[0].host.Decide(r.now, timeline.Decision{Kind: timeline.Resync, Machine: 1}); err != nil {
		t.Fatal(err)
	}
	r.run(200 * time.Millisecond)
	r.nodes[0].dead = true
	must.Succeed(t, r.nodes[1].client.RequestResync(r.now, 1, "the core crashed"))
	r.run(4 * time.Second)
	lord, _ := r.settled()
	if lord == nil || lord.name != 1 {
		t.Fatalf("%+v is game host", lord)
	}
	if m := lord.host.Decisions().Donor(); m != 2 {
		t.Errorf("all are to take the consoles of machine %d", m)
	}
}

// Two halves, and other splits: never two rooms; who is in the larger part goes on.
func TestSplits(t *testing.T) {
	for _, tt := range []struct {
		machines int
		apart    []int // from the others
		lord     int   // who is game host of the game that goes on; -1: none
	}{
		{4, []int{2, 3}, 0},
		{4, []int{3}, 0},
		{4, []int{0}, 1},
		{4, []int{0, 1}, 0},
		{4, []int{0, 3}, 0},
		{3, []int{0}, 1},
		{3, []int{1}, 0},
		{5, []int{0, 1}, 2},
		{5, []int{0, 4}, 1},
		{2, []int{1}, 0},
	} {
		r := newRealm(t, 3, tt.machines).play()
		r.split(tt.apart...)
		r.run(75 * time.Second)
		r.cut = [8][8]bool{}
		for _, n := range r.nodes {
			running := n.host != nil && n.host.Phase() == room.PhasePlaying && n.over == ""
			if running != (n.name == tt.lord) {
				t.Errorf("%d machines, %v apart: machine %d is game host: %v (%s)", tt.machines, tt.apart, n.name, running, n.over)
			}
		}
		before := r.nodes[tt.lord].frame
		r.run(10 * time.Second)
		if r.nodes[tt.lord].frame == before {
			t.Errorf("%d machines, %v apart: the game does not go on", tt.machines, tt.apart)
		}
	}
}

// A game host who was not heard finds out that the others went on.
func TestDeposed(t *testing.T) {
	r := newRealm(t, 4, 3).play()
	r.split(0)
	r.run(10 * time.Second)
	r.cut = [8][8]bool{}
	r.run(4 * time.Second) // the new one tells the old one
	says(t, "Ann", r.nodes[0].over, "lost contact with this computer", "Carol", "join the room again at 1")
	if lord, followers := r.settled(); lord == nil || lord.name != 1 || followers != 1 {
		t.Errorf("%+v with %d followers", lord, followers)
	}
}

// Machines break, die, leave and come back at any time. goOn, event and settled check
// what must always hold.
func TestMigrationModel(t *testing.T) {
	seeds := uint64(60)
	if os.Getenv("NETTPLAY_LONG") == "1" {
		seeds = 3000
	}
	went, took := 0, 0
	for seed := range seeds {
		r := newRealm(t, seed, 3+int(seed%3)).play()
		for range 60 + r.rng.IntN(60) {
			r.trouble()
			for range r.rng.IntN(30) {
				r.step()
			}
		}
		r.cut = [8][8]bool{}
		r.run(5 * time.Second)
		if lord, _ := r.settled(); lord != nil {
			went++
			if lord.name != 0 {
				took++
			}
		}
	}
	t.Logf("%d of %d games went on, %d of them with another game host", went, seeds, took)
	if took < int(seeds)/10 || went == int(seeds) {
		t.Error("these troubles are too harmless, or too much")
	}
}

// trouble is something that happens.
func (r *realm) trouble() {
	n := r.nodes[r.rng.IntN(len(r.nodes))]
	switch k := r.rng.IntN(30); {
	case k < 6: // a connection breaks, or all of a machine, or the room in two
		r.cut[r.rng.IntN(len(r.nodes))][r.rng.IntN(len(r.nodes))] = true
	case k < 8:
		for i := range r.nodes {
			r.cut[n.name][i] = true
		}
	case k < 10:
		part := r.rng.IntN(1 << len(r.nodes))
		for a := range r.nodes {
			for b := range r.nodes {
				r.cut[a][b] = part>>a&1 != part>>b&1
			}
		}
	case k < 19:
		r.cut = [8][8]bool{}
	case k == 19 && r.rng.IntN(4) == 0:
		n.dead = true
	case n.dead || n.over != "" || n.host == nil || n.host.Phase() != room.PhasePlaying:
	case k < 23:
		_, _ = n.host.Decide(r.now, timeline.Decision{Kind: timeline.SetDelay, Delay: r.rng.IntN(9)})
	case k < 26:
		_ = n.host.CommitSaves(r.now, n.frame+1)
	case k == 26 && r.rng.IntN(4) == 0:
		if n.host.CanHandOver() {
			for _, s := range n.host.round.seats {
				if s.Machine == n.name && !n.host.round.timeline.Decisions().SeatEnded(s.Seat) {
					_, _ = n.host.GiveUpSeat(r.now, s.Seat, 0)
				}
			}
			n.host.HandOver(r.now, "", nil)
			r.events(n)
			r.send(n)
			n.over = "left"
		}
	case k == 27:
		for _, m := range n.host.members {
			if !m.disconnectedAt.IsZero() {
				_ = n.host.ContinueWithout(r.now, m.machine)
				break
			}
		}
	}
	r.events(n)
}

// A machine that does not follow a new game host into the lobby does not hold up the next
// game for long.
func TestLobbyDoesNotWaitForWhoDoesNotFollow(t *testing.T) {
	s := lobby(t, 2, nil)
	s.handOver()
	s.wait(followLobby - time.Second)
	if len(s.host.Roster()) != 2 {
		t.Fatal("Carol was not waited for")
	}
	s.wait(2 * time.Second)
	if len(s.host.Roster()) != 1 {
		t.Error("Carol is waited for still")
	}
}

// Somebody says that it has voted in the last epoch there is, or stands for it: a stranger,
// or a member who lies. The others find a game host all the same.
func TestNobodyUsesUpTheEpochs(t *testing.T) {
	const highest = 1<<32 - 1
	for _, member := range []bool{false, true} {
		r := newRealm(t, 1, 4).play()
		r.nodes[0].dead = true
		lied := map[int]bool{}
		for range 20 * 60 {
			r.step()
			liar := r.nodes[3].client
			for _, n := range r.nodes[1:3] {
				if n.client == nil || liar == nil || !n.client.Reconnecting() || lied[n.name] || n.client.Electing() {
					continue
				}
				lied[n.name] = true
				id := ds.PeerID(9000 + n.name)
				m := &message.PeerStatus{Machine: 3, Round: 1, Epoch: highest, HostLost: true}
				last := uint32(highest) >> membership.TermBits << membership.TermBits
				stand := &message.Candidacy{Round: 1, Epoch: last, Decisions: len(liar.Decisions()), Digest: liar.Decisions().Digest(), Vote: message.Ballot{Machine: 3}}
				if member {
					m.Sign = membership.Sign(r.key(3), r.leadership(3).PeerStatusText(m))
					stand.Vote.Sign = membership.Sign(r.key(3), r.leadership(3).VoteText(3, last))
				}
				for _, m := range []message.Message{m, stand} {
					n.client.PeerConnected(r.now, id, "198.51.100.1:1", [32]byte{})
					b, err := message.Encode(m)
					must.Succeed(t, err)
					n.client.Receive(r.now, id, b)
				}
			}
		}
		if lord, followers := r.settled(); lord == nil || followers != 2 || lord.host.lead.epoch>>membership.TermBits > 100 || len(lied) == 0 {
			t.Errorf("a member %v: after a minute %+v is game host of %d", member, lord, followers)
		}
	}
}

// The content of a vote is the voter's own word: nobody on the way changes it.
func TestVoteIsSignedAsAWhole(t *testing.T) {
	r := newRealm(t, 1, 3).play()
	lead := r.leadership(1)
	v := &message.Vote{Round: 1, Epoch: 256, First: 1, Vote: message.Ballot{Machine: 1}, Inputs: [][]byte{{1}}}
	v.Sign = membership.Sign(r.key(1), lead.TailText(v))
	key := lead.Key(1)
	if !membership.Verify(key, lead.TailText(v), v.Sign) {
		t.Fatal("an honest vote")
	}
	for name, lie := range map[string]func(*message.Vote){
		"decisions": func(v *message.Vote) { v.Tail = []timeline.Decision{{Kind: timeline.End, Frame: 900}} },
		"promised":  func(v *message.Vote) { v.Promised++ },
		"keep":      func(v *message.Vote) { v.Saves.Frame = 60 },
		"inputs":    func(v *message.Vote) { v.Inputs = [][]byte{{2}} },
	} {
		false_ := *v
		lie(&false_)
		if membership.Verify(key, lead.TailText(&false_), v.Sign) {
			t.Errorf("with other %s it counts", name)
		}
	}
	b, err := message.Encode(v)
	must.Succeed(t, err)
	m, err := message.Decode(b)
	if err != nil || !membership.Verify(key, lead.TailText(m.(*message.Vote)), v.Sign) {
		t.Errorf("as it arrives it does not count: %v", err)
	}
}

// Who is banned stays away from the room, whoever becomes its game host, and however.
func TestBannedStayAway(t *testing.T) {
	for _, killed := range []bool{false, true} {
		r := newRealm(t, 3, 3)
		mallory := room.Banned{Key: [32]byte{9}, Nickname: "Mallory"}
		r.nodes[0].host.ban(mallory.Key, mallory.Nickname)
		if r.play(); killed {
			r.nodes[0].dead = true
		} else {
			_, err := r.nodes[0].host.GiveUpSeat(r.now, 0, 5)
			must.Succeed(t, err)
			r.nodes[0].host.HandOver(r.now, "", nil)
			r.send(r.nodes[0])
			r.nodes[0].over = "left"
		}
		r.run(4 * time.Second)
		lord, _ := r.settled()
		if lord == nil {
			t.Fatalf("killed %v: nobody is game host", killed)
		}
		if b := lord.host.Banned(); !slices.Equal(b, []room.Banned{mallory}) {
			t.Errorf("killed %v: the next game host keeps out %v", killed, b)
		}
	}
}
