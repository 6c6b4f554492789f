package host

import (
	"crypto/ed25519"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/client"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// realm is a room whose machines can all have connections to each other, which break. It
// drives Hosts and Clients as package session does, and checks what may never be.
type realm struct {
	t     *testing.T
	now   time.Time
	rng   *rand.Rand
	nodes []*node
	lines []*pipe
	ids   ds.PeerID
	cut   [8][8]bool
	seed  uint64
	heed  func() // called whenever messages have arrived; may be nil
	walls bool   // nobody reaches anybody to whom there is no connection

	lords map[uint32]int // who was game host, by epoch
	front uint32         // the highest epoch in which a game has gone on
}

// node is a machine.
type node struct {
	name     int
	host     *Host
	client   *client.Client
	dead     bool
	over     string // how its part ended
	out      bool   // its game is over
	applied  timeline.Log
	promised int64
	kept     []event.SaveOrder
	frame    int64
	main     ds.PeerID // a client's connection to the game host
	redial   time.Time // when to try again; zero: not
	tells    []int     // machines to which it says that it is game host
	told     time.Time
	returns  bool // it was game host, and goes back to another one
}

// follower reports whether this machine is a client that knows a machine as game host.
func (n *node) follower(host int) bool { return n.client != nil && n.client.Room().Host == host }

// pipe is a connection between two machines.
type pipe struct {
	ends   [2]int
	ids    [2]ds.PeerID
	queues [2][][]byte // to each end
	silent time.Time   // since when nothing passes; zero: it does
	closed bool
	slow   bool // what is said comes later
}

func newRealm(t *testing.T, seed uint64, machines int) *realm {
	t.Helper()
	r := &realm{t: t, now: time.Unix(1_000_000, 0), rng: rand.New(rand.NewPCG(seed, 7)), seed: seed, lords: map[uint32]int{}}
	s := &sim{t: t, now: r.now, random: rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8)})}
	settings := testSettings()
	settings.Frames = 0
	h, err := New(Config{Config: membership.Config{Nickname: "Ann", Firmware: testFirmware(0), Random: s.random, Addrs: []string{"0"}}, Settings: settings, ROM: testROM, Key: installation(0)})
	s.must(err)
	r.nodes = []*node{{host: h}}
	for range machines - 1 {
		r.join()
		r.run(200 * time.Millisecond)
	}
	return r
}

// join has one more machine ask the game host in.
func (r *realm) join() *node {
	r.t.Helper()
	i := len(r.nodes)
	c, err := client.New(client.Config{Config: membership.Config{Nickname: names[i], Firmware: testFirmware(byte(i)), Random: r.random(i), Addrs: []string{fmt.Sprint(i)}}, Core: testCore})
	must.Succeed(r.t, err)
	n := &node{name: i, client: c}
	r.nodes = append(r.nodes, n)
	r.dial(i, 0)
	return n
}

// installation is the key of a machine's installation.
func installation(machine int) [32]byte { return [32]byte{byte(machine + 1)} }

// random are the random numbers of a client's machine.
func (r *realm) random(machine int) io.Reader {
	return rand.NewChaCha8([32]byte{byte(r.seed), byte(r.seed >> 8), byte(machine)})
}

// key is the one with which a client signs: it is made of its machine's first random numbers.
func (r *realm) key(machine int) ed25519.PrivateKey {
	key, err := membership.NewKey(r.random(machine))
	must.Succeed(r.t, err)
	return key
}

// leadership is what a client knows of who is game host.
func (r *realm) leadership(machine int) membership.Leadership {
	known := r.nodes[machine].client.Room()
	return membership.Leadership{
		Room: r.nodes[0].host.self.Salt, Round: known.Round, Host: known.Host, Epoch: known.Epoch, Voters: known.Voters, Players: known.Players,
	}
}

// play brings everyone into a game.
func (r *realm) play() *realm {
	r.t.Helper()
	h := r.nodes[0].host
	ready := func(revision uint32) room.Status { return room.Status{Revision: revision, Ready: true} }
	r.run(time.Second)
	h.Report(r.now, ready(h.Room().Revision))
	for _, n := range r.nodes[1:] {
		n.client.Report(r.now, ready(n.client.Room().Revision))
	}
	r.run(time.Second)
	must.Succeed(r.t, h.Start(r.now))
	r.step()
	var hashes []room.SeatHash
	for _, p := range h.Roster() {
		hashes = append(hashes, room.SeatHash{Seat: p.Seat, Hash: ds.Hash{RAM: 1}})
	}
	for _, n := range r.nodes[1:] {
		must.Succeed(r.t, n.client.Installed(r.now, 1, hashes))
	}
	must.Succeed(r.t, h.Installed(r.now, 1, hashes))
	r.run(time.Second)
	if r.front != 0 || r.nodes[0].frame == 0 {
		r.t.Fatal("the game does not run")
	}
	return r
}

func (r *realm) passes(a, b int) bool {
	return !r.cut[a][b] && !r.cut[b][a] && !r.nodes[a].dead && !r.nodes[b].dead
}

// split has nothing pass between some machines and the others.
func (r *realm) split(apart ...int) {
	for a := range r.nodes {
		for b := range r.nodes {
			r.cut[a][b] = slices.Contains(apart, a) != slices.Contains(apart, b)
		}
	}
}

// dial opens a connection from a to b, if that goes, and tells both.
func (r *realm) dial(a, b int) *pipe {
	na, nb := r.nodes[a], r.nodes[b]
	if r.walls || !r.passes(a, b) || nb.over != "" || na.over != "" {
		return nil
	}
	r.ids += 2
	w := &pipe{ends: [2]int{a, b}, ids: [2]ds.PeerID{r.ids, r.ids + 1}}
	r.lines = append(r.lines, w)
	if nb.host != nil {
		nb.host.Connected(r.now, w.ids[1], fmt.Sprint(a))
		nb.host.Proven(w.ids[1], installation(a))
	} else {
		nb.client.PeerConnected(r.now, w.ids[1], fmt.Sprint(a), [32]byte{})
	}
	switch {
	case na.host != nil:
		na.host.Connected(r.now, w.ids[0], fmt.Sprint(b))
		na.host.Proven(w.ids[0], installation(b))
		na.host.ProveLeadership(w.ids[0])
	case na.client.Phase() == room.PhaseJoining:
		na.main = w.ids[0]
		na.client.Connected(r.now, w.ids[0])
	}
	return w
}

func (r *realm) pipe(n *node, id ds.PeerID) (*pipe, int) {
	for _, w := range r.lines {
		for e := range 2 {
			if w.ends[e] == n.name && w.ids[e] == id && !w.closed {
				return w, e
			}
		}
	}
	return nil, 0
}

// gone ends a connection at one end.
func (r *realm) gone(w *pipe, e int, lost bool) {
	n := r.nodes[w.ends[e]]
	switch {
	case n.dead || n.over != "":
	case n.host != nil && lost:
		n.host.Lost(r.now, w.ids[e], "silent")
	case n.host != nil:
		n.host.Disconnected(r.now, w.ids[e], "closed")
	case lost && w.ids[e] == n.main:
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
		if r.heed != nil {
			r.heed()
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
	if n.client.Phase() == room.PhaseJoining && n.main == 0 {
		r.dial(n.name, n.client.Room().Host) // which is when it says so
		return
	}
	if !n.client.Reconnecting() || n.client.Electing() || n.main != 0 {
		n.redial = time.Time{}
		return
	}
	if w := r.dial(n.name, n.client.Room().Host); w != nil {
		n.main = w.ids[0]
		n.client.Connected(r.now, n.main)
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

// follows reports whether a machine hears this game host, and sends it its inputs.
func (r *realm) follows(machine int, lord *node) bool {
	n := r.nodes[machine]
	if n.dead || n.over != "" || n.client == nil || !n.client.Belongs(n.main) || !r.passes(machine, lord.name) {
		return false
	}
	w, e := r.pipe(n, n.main)
	return w != nil && w.ends[1-e] == lord.name && n.client.Room().Epoch == lord.host.lead.epoch
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
		if n == lord || n.out || !r.follows(n.name, lord) { // out: it is back in the room, without the game
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

func (r *realm) send(n *node) {
	if n.dead {
		return
	}
	var out []event.Outgoing
	if n.host != nil {
		out = n.host.Outgoing()
	} else {
		out = n.client.Outgoing()
	}
	for _, o := range out {
		w, e := r.pipe(n, o.Peer)
		if w == nil {
			continue
		}
		if o.Data != nil {
			w.queues[1-e] = append(w.queues[1-e], o.Data)
		}
		if o.CloseWhy != "" && !w.slow {
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
	case w.closed, w.slow:
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
		var list []event.Event
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

func (r *realm) event(n *node, e event.Event) {
	switch e := e.(type) {
	case event.Begin:
		n.applied, n.promised = slices.Clone(e.Decisions), e.Horizon.Frame
	case event.Decided:
		if e.Number != len(n.applied) || e.Decision.Frame < n.promised {
			r.t.Fatalf("seed %d: machine %d has %d decisions and was promised frame %d, and is told number %d: %+v", r.seed, n.name, len(n.applied), n.promised, e.Number, e.Decision)
		}
		n.applied = append(n.applied, e.Decision)
	case event.SaveOrder:
		n.keep(r, e)
	case event.ConnectionLost:
		n.main, n.redial = 0, r.now
	case event.ConnectPeers:
		for _, p := range e.Players {
			if p.Machine >= len(r.nodes) {
				continue // it has joined again, under a number that is no node's
			}
			if w := r.dial(n.name, p.Machine); w != nil && n.client != nil {
				n.client.PeerConnected(r.now, w.ids[0], fmt.Sprint(p.Machine), [32]byte{})
			}
		}
	case event.Candidacy:
		n.main = 0
		n.client.Vote(e, n.promised, nil)
	case event.HostChanged:
		n.main = e.Peer
		if n.main == 0 {
			n.redial = r.now
		}
	case event.Elected:
		r.send(n)
		n.tells = nil
		for _, m := range r.nodes {
			if m != n {
				n.tells = append(n.tells, m.name)
			}
		}
		n.host, n.client = Promoted(r.now, n.client.Promote(e)), nil
	case event.SeatLeft:
		_, _ = n.host.Decide(r.now, timeline.Decision{Kind: timeline.Leave, Seat: e.Seat, Why: e.Words})
	case event.Ended:
		n.out = true
	case event.JoinAgain:
		n.main, n.redial = 0, r.now
	case event.SteppedDown:
		n.over, n.returns = e.Words, e.Return
	case event.RoomLost:
		n.over = e.Words
	case event.RoomClosed:
		n.over = e.Words
	}
}

// keep writes saves.
func (n *node) keep(r *realm, k event.SaveOrder) {
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
