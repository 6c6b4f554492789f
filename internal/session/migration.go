package session

import (
	"errors"
	"net/netip"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// When the game host leaves or is gone, another machine takes its place; packages host/membership
// and host say which. Here are the connections that this takes, and what becomes of the game, of
// which migration.go of package game has the pure part.

// seek is the state of the search for another game host.
type seek struct {
	probing bool
	probed  time.Time
	tried   link.PeerID // the connection on which its machine was asked while it was heard
	refuses bool        // and said that nobody listens there, which is no sign of an end then
}

const (
	// silentFor is the time the game host says nothing, of which something is heard each half second, until we
	// look whether its program still runs.
	silentFor  = time.Second
	probeEvery = 2 * time.Second
	// seekEvery and seekFor: interval and time of a new game host's calls to those who do not know of it.
	seekEvery = 3 * time.Second
	// seekFirst is the time before the first call of one who takes over a room without a game: nobody there knows
	// where it is, and all wait.
	seekFirst = time.Second
	seekFor   = time.Minute
	// wasHostEvery and wasHostFor are those of its calls after that to the game host before it, which may only have
	// lost its connection.
	wasHostEvery = 10 * time.Second
	wasHostFor   = 10 * time.Minute
)

// connectPeers opens connections to other members.
func (s *session) connectPeers(players []room.Player) {
	for _, p := range players {
		s.dial(s.target(p.Machine), func(peer link.PeerID, err error) bool {
			switch {
			case err != nil:
			case s.client != nil:
				s.client.PeerConnected(time.Now(), peer, s.opened[peer].Addr, p.Key)
			default:
				s.proveTo(peer)
			}
			return true
		})
	}
}

// watchHost notices that the game host's program has ended: then its machine says that nobody listens there, long
// before the connection counts as lost. A router may say that of a program that runs, since the question comes from a
// port that it does not know: so it is asked once while the game host is heard, and what it says is not believed then.
// Without that only machines of our own network are believed.
func (s *session) watchHost(now time.Time) {
	if s.client == nil || s.client.Phase() == room.PhaseJoining || s.peer == 0 || s.seek.probing || now.Sub(s.seek.probed) < probeEvery || s.client.Reconnecting() {
		return
	}
	addr, silent, tried := s.opened[s.peer].Addr, s.silent(s.peer), s.seek.tried == s.peer
	believed := tried && !s.seek.refuses || !tried && isNear(addr)
	if addr == "" || silent && !believed || !silent && tried {
		return
	}
	if s.seek.probing = true; silent {
		s.seek.probed = now
	}
	peer := s.peer
	s.Background(func() (func(), func()) {
		absent := s.cfg.Link.Absent(s.ctx, addr)
		return func() {
			s.seek.probing = false
			if s.over || s.client == nil || s.peer != peer {
				return
			}
			switch nowSilent := s.silent(peer); {
			case !silent && !nowSilent:
				s.seek.tried, s.seek.refuses = peer, absent
			case absent && silent && nowSilent:
				s.cfg.Link.Disconnect(peer, "nobody is there any more")
				s.connectionLost(time.Now(), peer, "its program has ended")
				if s.client.Reconnecting() {
					s.client.HostEnded(time.Now())
				}
			}
		}, nil
	})
}

// isNear reports whether an address is of our own network, to which no router stands between. One that is no IP
// address is another program's in a test.
func isNear(addr string) bool {
	at, err := netip.ParseAddrPort(addr)
	return err != nil || ds.IsLocal(at.Addr())
}

// silent tells whether nothing is heard on a connection for a while.
func (s *session) silent(p link.PeerID) bool {
	stats, ok := s.cfg.Link.Stats(p)
	return ok && stats.Silent >= silentFor
}

// giveVote tells a candidate what we know of the game.
func (s *session) giveVote(e event.Candidacy) {
	if s.game != nil && s.client != nil {
		s.peer = 0
		s.client.Vote(e, s.game.Promised(), s.game.Bundle())
	}
}

// promote makes this machine the game host.
func (s *session) promote(now time.Time, e event.Elected) error {
	missing, wasHost := s.missing(e), s.gameHost
	if s.game != nil {
		s.game.AddBundle(e.Inputs)
	}
	known := s.client.Promote(e)
	if s.cfg.AskReady { // with the old game host, there may never be as many as the room was opened for
		known.Room.Settings.MinPlayers = min(known.Room.Settings.MinPlayers, room.MinSeats)
	}
	s.flush()
	h := host.Promoted(now, known)
	for peer, e := range s.opened {
		h.Proven(peer, e.Key)
	}
	s.host, s.room, s.client, s.peer = h, h, nil, 0
	s.gameHost, s.abrupt = s.me(), false
	role := &HostRole{Wait: s.cfg.Join.Wait}
	if !s.cfg.AskReady {
		role.AutoStart = max(h.Settings().MinPlayers, room.MinSeats)
	}
	s.cfg.Host = role
	s.notify(notice.Opened{Addr: s.cfg.Link.Addr(), Door: h.Door(), Locked: h.Locked()})
	for _, m := range missing {
		m.wasHost, m.waits = m.machine == wasHost, s.game == nil && !e.Named
		s.tellMissing(m, now)
	}
	if s.game == nil {
		s.joining = nil
		s.endCatchUp()
		s.roomChanged(now)
		return nil
	}
	return s.takeOver(now, e.Words)
}

// takeOver goes on with the game as its game host.
func (s *session) takeOver(now time.Time, words string) error {
	g := s.game
	if err := g.Rewire(s.me()); err != nil {
		return err
	}
	clear(s.repaired)
	s.exchangeAnew()
	if g.Resync() == nil {
		s.comparer = desync.NewComparer(g.Machines(), g.Owners())
	}
	s.spectators.Lacks(g.Round()) // a late joiner has no log of the game's beginning
	return s.endIfAlone(now, words)
}

// absentee is a machine of the room that may not know who is game host.
type absentee struct {
	machine int
	key     [32]byte // of its installation
	target  string   // where it can be reached
	wasHost bool
	waits   bool // for our first call
}

// missing are the other machines of the room. One that handed the room over knows.
func (s *session) missing(e event.Elected) (list []absentee) {
	for _, p := range s.seen().Players {
		if p.Local == 0 && p.Present && p.Machine != s.me() && (!e.Named || p.Machine != s.gameHost) {
			list = append(list, absentee{machine: p.Machine, key: p.Key, target: s.target(p.Machine)})
		}
	}
	return list
}

// isHere reports whether a machine has come to us, or somebody at its installation.
func (s *session) isHere(m absentee) bool {
	if _, here := s.peerOf(m.machine); here {
		return true
	}
	return slices.ContainsFunc(s.room.Room().Players, func(p room.Player) bool {
		return p.Present && p.Key == m.key && p.Key != [32]byte{} && p.Machine != m.machine
	})
}

// tellMissing tells a machine, once it can be reached, who is game host, unless it has come
// by itself: it may be one that was game host itself, or was elected, and of which nobody
// here has heard.
func (s *session) tellMissing(m absentee, since time.Time) {
	every, long := seekEvery, seekFor
	switch {
	case m.waits:
		m.waits, every = false, seekFirst
	case m.wasHost && time.Since(since) >= seekFor:
		every = wasHostEvery
	}
	if m.wasHost {
		long = wasHostFor
	}
	s.later(every, func() {
		if s.host == nil || time.Since(since) >= long || s.isHere(m) {
			return
		}
		s.dial(m.target, func(peer link.PeerID, err error) bool {
			if s.host == nil {
				return false
			}
			if err == nil {
				s.proveTo(peer) // its event may be still to come
			}
			s.tellMissing(m, since) // it may not follow yet
			return true
		})
	})
}

// proveTo tells a machine that we are game host.
func (s *session) proveTo(peer link.PeerID) {
	s.host.Connected(time.Now(), peer, s.opened[peer].Addr)
	s.host.ProveLeadership(peer)
}

// hostChanged looks for the way to another game host.
func (s *session) hostChanged(e event.HostChanged) error {
	if s.game != nil {
		s.game.AddBundle(e.Inputs)
	}
	same := e.Machine == s.gameHost
	s.gameHost, s.peer = e.Machine, e.Peer
	s.newLine(e.Machine)
	if e.Words != "" {
		s.Say("%s", e.Words)
	}
	if e.Peer == 0 {
		s.redial()
	}
	if same {
		return nil // only the connection is another
	}
	s.hostLost = false
	s.exchangeAnew()
	if s.game == nil {
		if s.joining == nil {
			s.endCatchUp() // the next one's log is another
		}
		return s.offerConsolesAgain()
	}
	return s.game.Rewire(e.Machine)
}

// exchangeAnew goes on with a resync over other connections: what is here is offered again,
// and what is lacking asked for again.
func (s *session) exchangeAnew() {
	for machine := range ds.MaxMachines {
		if !s.assembler.Connects(machine) {
			s.endExchange(machine)
		}
	}
	a := s.assembler.Current()
	if a == nil || a.Resync() == nil {
		return
	}
	machines := []int{s.gameHost}
	if s.host != nil {
		machines = s.game.Machines()
		for _, p := range a.Resync().Joins {
			machines = append(machines, p.Machine)
		}
	}
	a.Rewire(machines)
}

// steppedDown ends the session of a game host that is not the one of its room any more. One that goes back to
// another one takes an invitation along.
func (s *session) steppedDown(e event.SteppedDown) error {
	f := &notice.Failure{Result: notice.ResultLost, Err: errors.New(e.Words)}
	if e.Return {
		to, door := s.opened[e.Peer], s.host.Door()
		back := invite.Invitation{Secret: door.Secret, Key: to.Key, Relays: door.Relays}
		if at, err := netip.ParseAddrPort(to.Addr); err == nil {
			back.Addresses = []netip.AddrPort{at}
		}
		if f.Back = back.Text(); door.Secret == [16]byte{} {
			f.Back = to.Addr // on the local network
		}
	}
	return f
}
