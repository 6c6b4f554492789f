package session

import (
	"time"

	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// When the game host leaves or is gone, another machine takes its place; packages host/election
// and host say which. Here are the connections that this takes, and what becomes of the game, of
// which migration.go of package game has the pure part.

// seek is the state of the search for another game host.
type seek struct {
	probing bool
	probed  time.Time
}

const (
	// silentFor is the time the game host says nothing, in a game in which it says
	// something each frame, until we look whether its program still runs.
	silentFor  = time.Second
	probeEvery = 2 * time.Second
	// seekEvery and seekFor: interval and time of a new game host's calls to those who do not know of it.
	seekEvery = 3 * time.Second
	seekFor   = time.Minute
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

// watchHost notices that the game host's program has ended: then its machine says that
// nobody listens there, long before the connection counts as lost.
func (s *session) watchHost(now time.Time) {
	if s.client == nil || s.game == nil || s.peer == 0 || s.seek.probing || now.Sub(s.seek.probed) < probeEvery || s.client.Reconnecting() {
		return
	}
	addr := s.opened[s.peer].Addr
	if addr == "" || !s.silent(s.peer) {
		return
	}
	s.seek.probing, s.seek.probed = true, now
	peer := s.peer
	s.Background(func() (func(), func()) {
		absent := s.cfg.Link.Absent(s.ctx, addr)
		return func() {
			s.seek.probing = false
			if absent && !s.over && s.client != nil && s.peer == peer && s.silent(peer) {
				s.cfg.Link.Disconnect(peer, "nobody is there any more")
				s.connectionLost(time.Now(), peer, "its program has ended")
			}
		}, nil
	})
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
	missing := s.missing(e)
	if s.game != nil {
		s.game.TakeBundle(e.Inputs)
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
	for _, machine := range missing {
		s.tellMissing(machine, now.Add(seekFor))
	}
	if s.game == nil {
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

// missing are the other machines of the room. One that handed the room over knows.
func (s *session) missing(e event.Elected) (machines []int) {
	for _, p := range s.room.Room().Players {
		if p.Local == 0 && p.Machine != s.me() && (!e.Named || p.Machine != s.gameHost) {
			machines = append(machines, p.Machine)
		}
	}
	return machines
}

// tellMissing tells a machine, once it can be reached, who is game host, unless it has come
// by itself: it may be one that was game host itself, or was elected, and of which nobody
// here has heard.
func (s *session) tellMissing(machine int, until time.Time) {
	s.later(seekEvery, func() {
		if _, here := s.peerOf(machine); here || s.host == nil || !time.Now().Before(until) {
			return
		}
		s.dial(s.target(machine), func(peer link.PeerID, err error) bool {
			switch {
			case s.host == nil:
				return false
			case err != nil:
				s.tellMissing(machine, until)
			default:
				s.proveTo(peer) // its event may be still to come
			}
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
		s.game.TakeBundle(e.Inputs)
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
