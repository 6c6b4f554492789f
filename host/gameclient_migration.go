package host

import (
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/migration"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
)

// A game client's part in host migration; package migration has the rules.

// How long members wait for each other while the game host is gone.
const (
	connectEvery   = 2 * time.Second        // between two attempts to reach who is not there
	gatherTime     = 300 * time.Millisecond // for those who are slower to notice
	yieldTime      = time.Second            // for a candidate with a lower machine number
	candidacyEvery = 2 * time.Second        // between two elections
	namedWait      = 3 * time.Second        // for a game host that was named, before it is given up
)

// hostLost tells whether we do not hear the game host.
func (c *Client) hostLost() bool { return c.reconnecting() || c.lead.voted > c.room.Epoch }

// dropConnection gives up a connection to the game host that is not wanted any more.
func (c *Client) dropConnection(why string) {
	if c.peer != 0 {
		c.out = append(c.out, event.Outgoing{Peer: c.peer, CloseWhy: why})
	}
	c.stage, c.peer = disconnected, 0
}

// leadership is what we know of who is game host.
func (c *Client) leadership() migration.Leadership {
	ch := migration.Leadership{Room: c.self.salt, Host: c.room.Host, Epoch: c.room.Epoch, Voters: c.room.Voters, Keys: migration.Keys(c.room.Players)}
	if c.game != nil {
		ch.Round = c.game.number
	}
	return ch
}

// Promised tells up to which frame this machine may play with the decisions that it
// knows. To be told before Tick.
func (c *Client) Promised(frame int64) {
	if c.game != nil && c.game.playing {
		c.game.promised = min(max(c.game.promised, frame), ds.MaxFrame)
	}
}

// takeLeaderProof follows the game host that is proven, on this connection.
func (c *Client) takeLeaderProof(now time.Time, k *peerLink, m *migration.ProofMsg) {
	was := c.leadership()
	ch, err := was.Follow(m)
	same := m.Epoch == was.Epoch && m.Machine == was.Host
	switch {
	case same && c.reconnecting() && c.lead.voted <= m.Epoch && (c.stage == disconnected || now.Sub(c.since) > namedWait):
	case err != nil || m.Epoch < c.lead.voted || m.Machine == c.machine:
		c.dropLink(k, "we do not follow that game host")
		return
	default:
		c.changeHost(ch)
		c.election.namedSince = now // it has time to take us back before another is elected
	}
	if !same { // else it proves nothing new, and nothing of it was looked at
		c.lead.proof = *m
	}
	c.linkGone(k.id)
	c.dropConnection("another line is there")
	c.lostAt = orTime(c.lostAt, now)
	e := event.HostChanged{Machine: c.room.Host, Peer: k.id}
	if !same {
		e.Words = c.hostName() + " goes on in its place"
	}
	c.emit(e)
	c.Connected(now, k.id)
}

// changeHost notes who is game host now.
func (c *Client) changeHost(ch migration.Leadership) {
	c.lead.previous = c.room.Host
	c.room.Host, c.room.Epoch, c.room.Voters = ch.Host, ch.Epoch, ch.Voters
}

// orTime is a, or b where there is no a.
func orTime(a, b time.Time) time.Time {
	if a.IsZero() {
		return b
	}
	return a
}

// takeHandover follows the game host's word on who comes after it.
func (c *Client) takeHandover(now time.Time, m *migration.HandoverMsg) error {
	proof := c.lead.proof
	proof.Machine, proof.Epoch = m.Handover.To, m.Handover.Epoch
	proof.Handovers = append(slices.Clone(proof.Handovers), m.Handover)
	ch, err := c.leadership().Follow(&proof)
	if err != nil {
		return fmt.Errorf("handover: %w", err)
	}
	words := room.JoinWords(c.hostName(), "left", room.Brackets(m.Why))
	c.lead.proof = proof
	c.Promised(m.Promised)
	c.changeHost(ch)
	c.dropConnection("goodbye")
	c.lostAt, c.election.namedSince = now, now
	next, there := c.room.Player(ch.Host)
	if !there {
		return fmt.Errorf("handover: machine %d is not in the room", ch.Host)
	}
	words += "; " + next.Nickname + " is the game host now"
	if ch.Host == c.machine {
		e := event.Elected{Inputs: m.Inputs, Named: true, Words: words}
		if c.game != nil {
			e.Promised = c.game.promised
		}
		c.emit(e)
		return nil
	}
	c.emit(event.HostChanged{Machine: ch.Host, Inputs: m.Inputs, Words: words})
	return nil
}

func (c *Client) takeCommit(_ time.Time, m *message.Commit) error {
	if !c.plays(m.Round) {
		return nil
	}
	c.game.commit = event.SaveCommit{Frame: m.Frame, Commit: m.Commit}
	c.emit(c.game.commit)
	return nil
}

func (c *Client) statusOfHost(_ time.Time, m *migration.PeerStatusMsg, _ []byte) error {
	return c.likeMember(m)
}

func (c *Client) candidacyOfHost(_ time.Time, m *migration.CandidacyMsg, _ []byte) error {
	return c.likeMember(m)
}

func (c *Client) voteOfHost(_ time.Time, m *migration.VoteMsg, _ []byte) error {
	return c.likeMember(m)
}

// likeMember is for a game host that speaks as a member does: while we reconnect it may
// not know yet that it is game host.
func (c *Client) likeMember(m message.Message) error {
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
func (c *Client) proofOfHost(time.Time, *migration.ProofMsg, []byte) error { return nil }
