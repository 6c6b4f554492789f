package client

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
)

// A game client's part in host migration; package migration has the rules.

// leadership returns our knowledge of the game host.
func (c *Client) leadership() membership.Leadership {
	ch := membership.Leadership{Round: c.succession.round, Room: c.self.Salt, Host: c.room.Host, Epoch: c.room.Epoch, Voters: c.room.Voters, Serial: c.succession.handover.Serial, Players: c.room.Players}
	if c.game != nil {
		ch.Round = c.game.Round
	}
	return ch
}

// Promised tells up to which frame this machine may play with the decisions that it
// knows. To be told whenever it has changed, before anything else is received and before Tick:
// it falls when this machine follows another game host, which may decide for all frames that it
// has not begun.
func (c *Client) Promised(frame int64) {
	if c.game != nil && c.game.playing {
		c.game.Promised = min(frame, ds.MaxFrame)
	}
}

// view returns the client's knowledge for the election.
func (c *Client) view() membership.ElectionView {
	v := membership.ElectionView{Machine: c.machine, Key: c.self.Sign, Lead: c.leadership(), HostLost: c.reconnecting() || c.election.Voted(c.room.Epoch)}
	if g := c.game; g != nil {
		v.Plays, v.Decisions, v.Promised, v.Saves = g.playing && !g.out, g.Decisions, g.Promised, message.SavePoint(g.SaveOrder)
		for _, s := range g.Seats {
			if !g.Decisions.SeatEnded(s.Seat) {
				v.Playing = v.Playing.With(s.Machine)
			}
		}
	}
	return v
}

// Electing tells whether this machine has voted, and does not yet know for whom most
// did: then it does not go back to the old game host.
func (c *Client) Electing() bool { return c.stage != over && c.election.Voted(c.room.Epoch) }

// CanElect tells whether the others may have another game host, once they do not hear this one.
func (c *Client) CanElect() bool {
	v := c.view()
	v.HostLost = true
	return v.MayElect()
}

// Belongs tells whether somebody in the room is at the other end of a connection: the game
// host, or another member that has proven to be one.
func (c *Client) Belongs(id ds.PeerID) bool {
	return c.election.Known(id) || id == c.peer && c.stage == inside
}

// Plays tells whether a machine of our game is at the other end of a connection.
func (c *Client) Plays(id ds.PeerID) bool {
	v := c.view()
	return v.Plays && (id == c.peer && c.stage == inside || c.election.Plays(id, v))
}

// PeerLinks are the connections to other clients of a higher number, by machine.
func (c *Client) PeerLinks() map[int]ds.PeerID { return c.election.Higher(c.machine) }

// PeerConnected tells of a connection to a machine other than the game host's, whoever opened
// it: of another member, as far as one can know. Addr is its address, key the one of its
// installation, as it has proven.
func (c *Client) PeerConnected(now time.Time, id ds.PeerID, addr string, key [32]byte) {
	if now = c.clock.At(now); c.stage == over || c.stage < inside && !c.reconnecting() {
		c.election.Reject(id)
		return
	}
	c.election.Connected(now, id, addr, key, c.view())
}

// tickElection does what is due, and gives up the game host that is not followed any more.
func (c *Client) tickElection(now time.Time) {
	c.election.Tick(now, c.view())
	if c.Electing() && c.peer != 0 {
		c.dropConnection("another game host is elected")
	}
}

func (c *Client) handlePeerStatus(_ time.Time, k *membership.Link, m *message.PeerStatus) {
	c.election.HandleStatus(k, m, c.view())
}

// refusedByPeer is for a game host that takes no strangers now.
func (c *Client) refusedByPeer(_ time.Time, k *membership.Link, _ *message.Refused) {
	c.election.Drop(k, "goodbye")
}

func (c *Client) handleCandidacy(now time.Time, k *membership.Link, m *message.Candidacy) {
	c.election.HandleCandidacy(now, k, m, c.view())
}

// Vote gives what a Candidacy asks for: up to which frame this machine was promised
// that no decision comes that it does not know, and all inputs that it holds, as at
// most 32 datagrams of at most 1200 bytes.
func (c *Client) Vote(e event.Candidacy, promised int64, inputs [][]byte) {
	if c.game == nil || !c.election.Pending(e) {
		return
	}
	c.Promised(promised)
	c.election.Vote(e, inputs, c.view())
}

// handleVote counts a vote for us, and becomes game host with more than half of them.
func (c *Client) handleVote(_ time.Time, k *membership.Link, m *message.Vote) {
	won := c.election.HandleVote(k, m, c.view(), c.learn)
	if won == nil {
		return
	}
	for _, s := range won.Saves {
		if order := event.SaveOrder(s); order.Newer(c.game.SaveOrder) {
			c.game.SaveOrder = order
			c.box.Emit(order)
		}
	}
	e := event.Elected{Promised: won.Promised, Inputs: won.Inputs, Words: fmt.Sprintf("the connection to %s is gone; %s is the game host now", c.hostName(), c.Me().Nickname)}
	c.lead.proof, c.lead.previous = won.Proof, c.room.Host
	c.room.Host, c.room.Epoch = c.machine, won.Proof.Epoch
	c.box.Emit(e)
}

// learn takes the decisions that a voter knows from a number on, and we may not. It tells
// whether the two lists agree: one game host made them all, so the longer begins with the shorter.
func (c *Client) learn(first int, tail []timeline.Decision) bool {
	for i, d := range tail {
		switch n := first + i; {
		case n < len(c.game.Decisions) && c.game.Decisions[n] != d:
			return false
		case n < len(c.game.Decisions):
		case n > len(c.game.Decisions) || c.game.Decisions.Check(d, c.game.Seats) != nil:
			return false
		default:
			c.game.apply(d)
			c.box.Emit(event.Decided{Number: n, Decision: d})
		}
	}
	return true
}

// handleLeaderProof follows the game host that is proven, on this connection.
func (c *Client) handleLeaderProof(now time.Time, k *membership.Link, m *message.LeaderProof) {
	was := c.leadership()
	ch, err := was.Follow(m)
	same := m.Epoch == was.Epoch && m.Machine == was.Host
	switch {
	case same && c.reconnecting() && !c.election.Voted(m.Epoch) && (c.stage == disconnected || now.Sub(c.since) > membership.NamedWait):
	case err != nil || !c.election.MayFollow(now, m.Epoch) || m.Machine == c.machine || was.Stands(m) && !c.mayFollow(m):
		c.election.Drop(k, "we do not follow that game host")
		return
	default:
		if was.Stands(m) {
			c.lostAt = now // it has as long to take us back as any other
		}
		c.changeHost(ch)
		c.election.Named(now) // it has time to take us back before another is elected
	}
	if !same { // else it proves nothing new, and nothing of it was looked at
		c.lead.proof = *m
	}
	c.election.Disconnected(k.ID)
	c.dropConnection("another connection is there")
	c.lostAt = cmp.Or(c.lostAt, now)
	e := event.HostChanged{Machine: c.room.Host, Peer: k.ID}
	if !same {
		p, _ := c.room.Player(c.room.Host)
		e.Words = p.Nickname + " is the game host now"
	}
	c.box.Emit(e)
	c.Connected(now, k.ID)
}

// changeHost notes who is game host now.
func (c *Client) changeHost(ch membership.Leadership) {
	c.lead.previous, c.succession = c.room.Host, succession{}
	c.room.Host, c.room.Epoch, c.room.Voters = ch.Host, ch.Epoch, ch.Voters
}

// handleHandover follows the game host's word on who comes after it.
func (c *Client) handleHandover(now time.Time, m *message.Handover) error {
	proof := c.lead.proof
	proof.Machine, proof.Epoch = m.Handover.To, m.Handover.Epoch
	proof.Handovers = append(slices.Clone(proof.Handovers), m.Handover)
	ch, err := c.leadership().Follow(&proof)
	if err != nil {
		return fmt.Errorf("handover: %w", err)
	}
	words := room.JoinWords(c.hostName(), "left the room", room.Brackets(m.Why))
	c.lead.proof = proof
	if c.game != nil {
		c.Promised(max(c.game.Promised, m.Promised))
	}
	c.changeHost(ch)
	c.dropConnection("goodbye")
	c.lostAt = now
	c.election.Named(now)
	next, there := c.room.Player(ch.Host)
	if !there {
		return fmt.Errorf("handover: machine %d is not in the room", ch.Host)
	}
	words += "; " + next.Nickname + " is the game host now"
	if ch.Host == c.machine {
		e := event.Elected{Inputs: m.Inputs, Named: true, Words: words}
		if c.game != nil {
			e.Promised = c.game.Promised
		}
		c.box.Emit(e)
		return nil
	}
	e := event.HostChanged{Machine: ch.Host, Inputs: m.Inputs, Words: words}
	k := c.election.To(ch.Host)
	if k != nil {
		e.Peer = k.ID
		c.election.Disconnected(k.ID)
	}
	c.box.Emit(e)
	if k != nil {
		c.Connected(now, k.ID)
	}
	return nil
}

func (c *Client) handleSaveOrder(_ time.Time, m *message.SaveOrder) error {
	if !c.plays(m.Round) {
		return nil
	}
	c.game.SaveOrder = event.SaveOrder{Frame: m.Frame, Commit: m.Commit}
	c.box.Emit(c.game.SaveOrder)
	return nil
}

// likeMember is for a game host that speaks as a member does: while we reconnect it may
// not know yet that it is game host.
func likeMember[P message.Message](c *Client, _ time.Time, m P, _ []byte) error {
	if c.reconnecting() {
		return nil
	}
	if c.stage != inside { // a spectator asks everywhere where the room may be
		c.end("you are no game host", event.RoomLost{Words: "there is no game host"})
		return nil
	}
	return fmt.Errorf("%v is not for a game host to say", message.KindOf(m))
}

// proofOfHost is for the game host that says again who it is.
func (c *Client) proofOfHost(time.Time, *message.LeaderProof, []byte) error { return nil }

// Promote ends this client, after Elected, and returns what it knows, for host.Promoted to make
// the game host of. It does nothing any more, but what it has to send is to be sent, and its
// events are to be taken, before those of the game host.
func (c *Client) Promote(e event.Elected) membership.Promotion {
	p := membership.Promotion{
		Elected: e, Self: c.self, Machine: c.machine, Room: c.Room(), Previous: c.lead.previous, Proof: c.lead.proof,
		Status: c.report.now, LastRound: c.lastRound, Banned: c.banned, Links: c.election.Links(), Clock: c.clock,
	}
	if c.game != nil && c.game.playing {
		p.Game = &c.game.Game
	}
	c.stage, c.game, c.election = over, nil, membership.Election{} // its peer links are the game host's now
	return p
}
