package host

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/migration"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
)

// realm is a room whose machines can all have lines to each other, which break. It
// drives Hosts and Clients as package session does, and checks what may never be.
type realm struct {
	t     *testing.T
	now   time.Time
	rng   *rand.Rand
	nodes []*node
	lines []*pipe
	ids   PeerID
	cut   [8][8]bool
	seed  uint64

	lords map[uint32]int // who was game host, by epoch
	front uint32         // the highest epoch in which a game has gone on
}

// node is a machine.
type node struct {
	name     int
	host     *Host
	client   *Client
	dead     bool
	over     string // how its part ended
	out      bool   // its game is over
	applied  timeline.Log
	promised int64
	kept     []SaveCommit
	frame    int64
	main     PeerID    // a client's line to the game host
	redial   time.Time // when to try again; zero: not
	tells    []int     // machines to which it says that it is game host
	told     time.Time
}

// pipe is a line between two machines.
type pipe struct {
	ends   [2]int
	ids    [2]PeerID
	queues [2][][]byte // to each end
	silent time.Time   // since when nothing passes; zero: it does
	closed bool
}

func newRealm(t *testing.T, seed uint64, machines int) *realm {
	t.Helper()
	r := &realm{t: t, now: time.Unix(1_000_000, 0), rng: rand.New(rand.NewPCG(seed, 7)), seed: seed, lords: map[uint32]int{}}
	s := &sim{t: t, now: r.now, random: rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8)})}
	settings := testSettings()
	settings.Frames = 0
	h, err := NewHost(HostConfig{
		Settings: settings, Nickname: "Ann", Firmware: testFirmware(0), ROM: testROM, Random: s.random, Addrs: []string{"0"},
	})
	s.must(err)
	r.nodes = []*node{{host: h}}
	for i := 1; i < machines; i++ {
		c, err := NewClient(JoinConfig{Nickname: names[i], Core: testCore, Firmware: testFirmware(byte(i)), Random: s.random, Addrs: []string{fmt.Sprint(i)}})
		s.must(err)
		r.nodes = append(r.nodes, &node{name: i, client: c})
		r.dial(i, 0)
		r.run(200 * time.Millisecond)
	}
	return r
}

// play brings everyone into a game.
func (r *realm) play() *realm {
	r.t.Helper()
	h := r.nodes[0].host
	ready := func(terms uint32) room.Status { return room.Status{Revision: terms, Ready: true} }
	r.run(time.Second)
	h.Report(r.now, ready(h.Room().Revision))
	for _, n := range r.nodes[1:] {
		n.client.Report(r.now, ready(n.client.Room().Revision))
	}
	r.run(time.Second)
	if err := h.Start(r.now); err != nil {
		r.t.Fatal(err)
	}
	r.step()
	var hashes []room.SeatHash
	for _, p := range h.Roster() {
		hashes = append(hashes, room.SeatHash{Seat: p.Seat, Hash: ds.Hash{RAM: 1}})
	}
	for _, n := range r.nodes[1:] {
		if err := n.client.Installed(r.now, 1, hashes); err != nil {
			r.t.Fatal(err)
		}
	}
	if err := h.Installed(r.now, 1, hashes); err != nil {
		r.t.Fatal(err)
	}
	r.run(time.Second)
	if r.front != 0 || r.nodes[0].frame == 0 {
		r.t.Fatal("the game does not run")
	}
	return r
}

func (r *realm) passes(a, b int) bool {
	return !r.cut[a][b] && !r.cut[b][a] && !r.nodes[a].dead && !r.nodes[b].dead
}

// dial opens a line from a to b, if that goes, and tells both.
func (r *realm) dial(a, b int) *pipe {
	na, nb := r.nodes[a], r.nodes[b]
	if !r.passes(a, b) || nb.over != "" || na.over != "" {
		return nil
	}
	r.ids += 2
	w := &pipe{ends: [2]int{a, b}, ids: [2]PeerID{r.ids, r.ids + 1}}
	r.lines = append(r.lines, w)
	if nb.host != nil {
		nb.host.Connected(r.now, w.ids[1], fmt.Sprint(a))
	} else {
		nb.client.PeerConnected(r.now, w.ids[1], fmt.Sprint(a))
	}
	switch {
	case na.host != nil:
		na.host.Connected(r.now, w.ids[0], fmt.Sprint(b))
		na.host.ProveLeadership(w.ids[0])
	case na.client.stage == unconnected:
		na.main = w.ids[0]
		na.client.Connected(r.now, w.ids[0])
	}
	return w
}

// room is what a machine has to say, and hears.
func (n *node) out_() []Outgoing {
	if n.host != nil {
		return n.host.Outgoing()
	}
	return n.client.Outgoing()
}

func (r *realm) pipe(n *node, id PeerID) (*pipe, int) {
	for _, w := range r.lines {
		for e := range 2 {
			if w.ends[e] == n.name && w.ids[e] == id && !w.closed {
				return w, e
			}
		}
	}
	return nil, 0
}

// gone ends a line at one end.
func (r *realm) gone(w *pipe, e int, lost bool) {
	n := r.nodes[w.ends[e]]
	switch {
	case n.dead || n.over != "":
	case n.host != nil && lost:
		n.host.Lost(r.now, w.ids[e], "silent")
	case n.host != nil:
		n.host.Disconnected(r.now, w.ids[e], "closed")
	case lost && n.client.link(w.ids[e]) == nil:
		n.client.Lost(r.now, w.ids[e], "silent")
	default:
		n.client.Disconnected(r.now, w.ids[e], "closed")
	}
	if n.main == w.ids[e] && n.client != nil && n.client.Reconnecting() {
		n.main, n.redial = 0, r.now.Add(500*time.Millisecond)
	}
	r.events(n)
}

// step is 50 ms.
func (r *realm) step() {
	r.now = r.now.Add(50 * time.Millisecond)
	for range 4 {
		for _, n := range r.nodes {
			r.send(n)
		}
		for _, w := range slices.Clone(r.lines) {
			r.deliver(w)
		}
	}
	r.lines = slices.DeleteFunc(r.lines, func(w *pipe) bool { return w.closed })
	for _, n := range r.nodes {
		if n.dead || n.over != "" {
			continue
		}
		if n.host != nil {
			n.host.Tick(r.now)
		} else {
			n.client.Tick(r.now)
		}
		r.events(n)
		if n.client != nil && !n.redial.IsZero() && !r.now.Before(n.redial) {
			n.redial = r.now.Add(500 * time.Millisecond)
			r.again(n)
		}
		if n.host != nil && r.now.Sub(n.told) > 3*time.Second {
			n.told = r.now
			for _, m := range n.tells {
				if !r.follows(m, n) {
					r.dial(n.name, m)
				}
			}
		}
	}
	r.goOn()
}

func (r *realm) run(d time.Duration) {
	for end := r.now.Add(d); r.now.Before(end); {
		r.step()
	}
}

// again looks for the way to the game host.
func (r *realm) again(n *node) {
	if !n.client.Reconnecting() || n.client.Electing() || n.main != 0 {
		n.redial = time.Time{}
		return
	}
	if w := r.dial(n.name, n.client.room.Host); w != nil {
		n.main = w.ids[0]
		n.client.Connected(r.now, n.main)
	}
}

func (r *realm) send(n *node) {
	if n.dead {
		return
	}
	for _, o := range n.out_() {
		w, e := r.pipe(n, o.Peer)
		if w == nil {
			continue
		}
		if o.Data != nil {
			w.queues[1-e] = append(w.queues[1-e], o.Data)
		}
		if o.CloseWhy != "" {
			r.deliver(w) // what was said before
			w.closed = true
			if r.passes(w.ends[0], w.ends[1]) {
				r.gone(w, 1-e, false)
			} else {
				r.gone(w, 1-e, true)
			}
		}
	}
}

func (r *realm) deliver(w *pipe) {
	switch {
	case w.closed:
		return
	case r.passes(w.ends[0], w.ends[1]):
		w.silent = time.Time{}
	case w.silent.IsZero():
		w.silent = r.now
		return
	case r.now.Sub(w.silent) > 2*time.Second:
		w.closed = true
		r.gone(w, 0, true)
		r.gone(w, 1, true)
		return
	default:
		return
	}
	for e := range 2 {
		n, queue := r.nodes[w.ends[e]], w.queues[e]
		w.queues[e] = nil
		for _, b := range queue {
			if n.over != "" {
				break
			}
			if n.host != nil {
				n.host.Receive(r.now, w.ids[e], b)
			} else {
				n.client.Receive(r.now, w.ids[e], b)
			}
			r.events(n)
		}
	}
}

// events does what a session does.
func (r *realm) events(n *node) {
	for {
		var list []Event
		if n.host != nil {
			list = n.host.Events()
		} else {
			list = n.client.Events()
		}
		if len(list) == 0 {
			return
		}
		for _, e := range list {
			r.event(n, e)
		}
	}
}

func (r *realm) event(n *node, e Event) {
	switch e := e.(type) {
	case Begin:
		n.applied, n.promised = slices.Clone(e.Decisions), e.Horizon.Frame
	case Decided:
		if e.Number != len(n.applied) || e.Decision.Frame < n.promised {
			r.t.Fatalf("seed %d: machine %d has %d decisions and was promised frame %d, and is told number %d: %+v", r.seed, n.name, len(n.applied), n.promised, e.Number, e.Decision)
		}
		n.applied = append(n.applied, e.Decision)
	case SaveCommit:
		n.keep(r, e)
	case ConnectionLost:
		n.main, n.redial = 0, r.now
	case ConnectPeers:
		for _, p := range e.Players {
			if w := r.dial(n.name, p.Machine); w != nil && n.client != nil {
				n.client.PeerConnected(r.now, w.ids[0], fmt.Sprint(p.Machine))
			}
		}
	case Candidacy:
		n.main = 0
		n.client.Vote(e, n.promised, nil)
	case HostChanged:
		n.main = e.Peer
		if n.main == 0 {
			n.redial = r.now
		}
	case Elected:
		r.send(n)
		n.tells = nil
		for _, m := range r.nodes {
			if m != n && (!e.Named || m.name != n.client.lead.previous) {
				n.tells = append(n.tells, m.name)
			}
		}
		n.host, n.client = n.client.Promote(r.now, e), nil
	case SeatLeft:
		_, _ = n.host.Decide(r.now, timeline.Decision{Kind: timeline.Leave, Seat: e.Seat, Why: e.Words})
	case Ended:
		n.out = true
	case SteppedDown:
		n.over = e.Words
	case RoomLost:
		n.over = e.Words
	case RoomClosed:
		n.over = e.Words
	}
}

// keep writes saves.
func (n *node) keep(r *realm, k SaveCommit) {
	n.kept = append(n.kept, k)
	switch {
	case n.host != nil && k.Commit:
		_ = n.host.SavesCommitted(r.now, 1, k.Frame)
	case n.host != nil:
		_ = n.host.SavesWritten(r.now, 1, k.Frame, "")
	case k.Commit:
		_ = n.client.SavesCommitted(r.now, 1, k.Frame)
	default:
		_ = n.client.SavesWritten(r.now, 1, k.Frame, "")
	}
}

// goOn lets the game go on where all are there that are in it: consoles need the inputs
// of all of them. It checks that no game does that some of whose players play elsewhere.
func (r *realm) goOn() {
	for _, n := range r.nodes {
		if n.dead || n.over != "" || n.host == nil || n.host.Phase() != room.PhasePlaying {
			continue
		}
		h := n.host
		if lord, twice := r.lords[h.lead.epoch]; twice && lord != n.name {
			r.t.Fatalf("seed %d: machines %d and %d are game host in epoch %d", r.seed, lord, n.name, h.lead.epoch)
		}
		r.lords[h.lead.epoch] = n.name
		all := true
		for _, p := range h.round.parts {
			left := !slices.ContainsFunc(h.round.seats, func(s room.SeatPlan) bool {
				return s.Machine == p.machine && !h.round.timeline.Decisions().SeatEnded(s.Seat)
			})
			if p.machine != n.name && !left {
				all = all && r.follows(p.machine, n)
			}
		}
		if !all {
			continue
		}
		if h.lead.epoch < r.front {
			r.t.Fatalf("seed %d: the game goes on with machine %d in epoch %d, and went on in epoch %d", r.seed, n.name, h.lead.epoch, r.front)
		}
		r.front = h.lead.epoch
		n.frame += 3
		horizon := h.Horizon(n.frame)
		n.promised = horizon.Frame
		for _, m := range r.nodes {
			if m.client != nil && r.follows(m.name, n) && len(m.applied) >= int(horizon.Decisions) && r.rng.IntN(3) > 0 {
				m.promised = max(m.promised, horizon.Frame)
				m.client.Promised(m.promised)
			}
		}
	}
}

// follows tells whether a machine hears this game host, and sends it its inputs.
func (r *realm) follows(machine int, lord *node) bool {
	n := r.nodes[machine]
	if n.dead || n.over != "" || n.client == nil || n.client.stage != inside || !r.passes(machine, lord.name) {
		return false
	}
	w, e := r.pipe(n, n.client.peer)
	return w != nil && w.ends[1-e] == lord.name && n.client.room.Epoch == lord.host.lead.epoch
}

// settled checks at the end that there is one room, and that who is in it agrees.
func (r *realm) settled() (lord *node, followers int) {
	r.t.Helper()
	for _, n := range r.nodes {
		if n.dead || n.over != "" || n.host == nil || n.host.Phase() != room.PhasePlaying {
			continue
		}
		if lord != nil {
			r.t.Fatalf("seed %d: machines %d and %d are both game host in the end", r.seed, lord.name, n.name)
		}
		lord = n
	}
	if lord == nil {
		return nil, 0
	}
	for _, n := range r.nodes {
		if n == lord || !r.follows(n.name, lord) {
			continue
		}
		followers++
		if !slices.Equal(n.applied, lord.applied) {
			r.t.Fatalf("seed %d: machine %d has applied\n%+v, the game host\n%+v", r.seed, n.name, n.applied, lord.applied)
		}
		if a, b := committed(n), committed(lord); a != b {
			r.t.Fatalf("seed %d: machine %d has the save of frame %d, the game host that of frame %d", r.seed, n.name, a, b)
		}
	}
	return lord, followers
}

// committed is the frame of a machine's current save.
func committed(n *node) int64 {
	frame := int64(0)
	for _, k := range n.kept {
		if k.Commit {
			frame = max(frame, k.Frame)
		}
	}
	return frame
}

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

// With two players there is nobody to agree with.
func TestKilledHostOfTwo(t *testing.T) {
	r := newRealm(t, 1, 2).play()
	r.nodes[0].dead = true
	r.run(70 * time.Second)
	if n := r.nodes[1]; n.host != nil || n.over == "" {
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
				if err != nil {
					t.Fatal(err)
				}
			}
			if !r.nodes[0].host.HandOver(r.now, "dinner", nil) {
				t.Fatal("nobody to hand over to")
			}
			r.send(r.nodes[0])
			r.nodes[0].over = "left"
			r.run(2 * time.Second)
			lord := r.nodes[1]
			if lord.host == nil || len(lord.host.Roster())-btoi(playing) != machines-1 {
				t.Fatalf("%d machines, playing %v: not handed over: %+v", machines, playing, lord.host)
			}
			for _, n := range r.nodes[2:] {
				if n.client.stage != inside || n.client.room.Host != 1 || n.client.Phase() != lord.host.Phase() {
					t.Errorf("%d machines, playing %v: machine %d is in stage %d of the room of machine %d", machines, playing, n.name, n.client.stage, n.client.room.Host)
				}
			}
			if playing && (!lord.host.Decisions().Paused() || len(lord.applied) != 3) {
				t.Errorf("%d machines: %+v", machines, lord.applied)
			}
			// A newcomer finds the new one.
			if !playing {
				c, err := NewClient(JoinConfig{Nickname: "Zoe", Core: testCore, Firmware: testFirmware(9), Random: rand.NewChaCha8([32]byte{9})})
				if err != nil {
					t.Fatal(err)
				}
				r.nodes = append(r.nodes, &node{name: machines, client: c})
				r.dial(machines, 1)
				r.run(time.Second)
				if c.Phase() != room.PhaseLobby || len(c.Room().Players) != machines {
					t.Errorf("the newcomer is in phase %v of %+v", c.Phase(), c.Room().Players)
				}
			}
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
	if err := r.nodes[1].client.RequestResync(r.now, 1, "the core crashed"); err != nil {
		t.Fatal(err)
	}
	r.run(4 * time.Second)
	lord, _ := r.settled()
	if lord == nil || lord.name != 1 {
		t.Fatalf("%+v is game host", lord)
	}
	if m := lord.host.Decisions().Donor(); m != 2 {
		t.Errorf("all are to take the consoles of machine %d", m)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
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
		for a := range tt.machines {
			for b := range tt.machines {
				r.cut[a][b] = slices.Contains(tt.apart, a) != slices.Contains(tt.apart, b)
			}
		}
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
	r.cut[0][1], r.cut[0][2] = true, true
	r.run(10 * time.Second)
	r.cut = [8][8]bool{}
	r.run(4 * time.Second) // the new one tells the old one
	says(t, "Ann", r.nodes[0].over, "went on without this machine", "Carol", "join the room again at 1")
	if lord, followers := r.settled(); lord == nil || lord.name != 1 || followers != 1 {
		t.Errorf("%+v with %d followers", lord, followers)
	}
}

// Whatever breaks, dies, leaves and comes back, and when: see goOn, event and settled
// for what may never be.
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
	case k < 6: // a line breaks, or all of a machine, or the room in two
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

// Who does not follow a new game host into the lobby does not hold up the next game for
// long.
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
				if n.client == nil || liar == nil || !n.client.hostLost() || lied[n.name] || n.client.lead.voted > 0 {
					continue
				}
				lied[n.name] = true
				id := PeerID(9000 + n.name)
				m := &migration.PeerStatusMsg{Machine: 3, Round: 1, Epoch: highest, HostLost: true}
				last := uint32(highest) >> migration.TermBits << migration.TermBits
				stand := &migration.CandidacyMsg{Round: 1, Epoch: last, Decisions: len(liar.game.decisions), Digest: liar.game.decisions.Digest(), Vote: migration.Ballot{Machine: 3}}
				if member {
					m.Sign = migration.Sign(liar.self.sign, liar.leadership().PeerStatusText(m))
					stand.Vote.Sign = migration.Sign(liar.self.sign, liar.leadership().VoteText(3, last))
				}
				for _, m := range []message{m, stand} {
					n.client.PeerConnected(r.now, id, "198.51.100.1:1")
					b, err := encode(m)
					if err != nil {
						t.Fatal(err)
					}
					n.client.Receive(r.now, id, b)
				}
			}
		}
		if lord, followers := r.settled(); lord == nil || followers != 2 || lord.host.lead.epoch>>migration.TermBits > 100 || len(lied) == 0 {
			t.Errorf("a member %v: after a minute %+v is game host of %d", member, lord, followers)
		}
	}
}

// What comes with a vote is the voter's own word: nobody on the way changes it.
func TestVoteIsSignedAsAWhole(t *testing.T) {
	r := newRealm(t, 1, 3).play()
	bob := r.nodes[1].client
	v := &migration.VoteMsg{Round: 1, Epoch: 256, First: 1, Vote: migration.Ballot{Machine: 1}, Inputs: [][]byte{{1}}}
	v.Sign = migration.Sign(bob.self.sign, bob.leadership().TailText(v))
	key := bob.leadership().Keys[1]
	if !migration.Verify(key, bob.leadership().TailText(v), v.Sign) {
		t.Fatal("an honest vote")
	}
	for name, lie := range map[string]func(*migration.VoteMsg){
		"decisions": func(v *migration.VoteMsg) { v.Tail = []timeline.Decision{{Kind: timeline.End, Frame: 900}} },
		"promised":  func(v *migration.VoteMsg) { v.Promised++ },
		"keep":      func(v *migration.VoteMsg) { v.Saves.Frame = 60 },
		"inputs":    func(v *migration.VoteMsg) { v.Inputs = [][]byte{{2}} },
	} {
		false_ := *v
		lie(&false_)
		if migration.Verify(key, bob.leadership().TailText(&false_), v.Sign) {
			t.Errorf("with other %s it counts", name)
		}
	}
	b, err := encode(v)
	if err != nil {
		t.Fatal(err)
	}
	m, err := decode(b)
	if err != nil || !migration.Verify(key, bob.leadership().TailText(m.(*migration.VoteMsg)), v.Sign) {
		t.Errorf("as it arrives it does not count: %v", err)
	}
}
