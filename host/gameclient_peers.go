package host

import (
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/access"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/migration"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/wire"
)

// The connections between members, which they open to each other when the game host is gone.

const (
	linkIdle = 15 * time.Second // a connection to another member of which nothing is heard
	linkLate = 5 * time.Second  // one of which is not known whose it is
	maxLinks = 32
)

// peerLink is a connection to another member.
type peerLink struct {
	id    PeerID
	addr  string
	since time.Time
	heard time.Time
	flood access.Flood
	told  *migration.PeerStatusMsg // as it said last; nil: nothing yet
}

// Belongs tells whether somebody in the room is at the other end of a connection: the game
// host, or another member that has proven to be one.
func (c *Client) Belongs(id PeerID) bool {
	k := c.link(id)
	return k != nil && k.told != nil || id == c.peer && c.stage == inside
}

func (c *Client) link(id PeerID) *peerLink {
	for _, k := range c.election.links {
		if k.id == id {
			return k
		}
	}
	return nil
}

// linkGone forgets a connection between members, if it is one.
func (c *Client) linkGone(id PeerID) bool {
	k := c.link(id)
	c.election.links = slices.DeleteFunc(c.election.links, func(o *peerLink) bool { return o == k })
	return k != nil
}

// PeerConnected tells of a connection to a machine other than the game host's, whoever opened
// it: of another member, as far as one can know. Addr is its address.
func (c *Client) PeerConnected(now time.Time, id PeerID, addr string) {
	now = c.clock.At(now)
	if c.stage == over || c.stage < inside && !c.reconnecting() || len(c.election.links) >= maxLinks {
		c.out = append(c.out, event.Outgoing{Peer: id, CloseWhy: "this is not the game host's machine"})
		return
	}
	k := &peerLink{id: id, addr: addr, since: now, heard: now, flood: access.ClientFlood()}
	c.election.links = append(c.election.links, k)
	c.greetLink(k)
}

func (c *Client) greetLink(k *peerLink) {
	m := &migration.PeerStatusMsg{Machine: c.machine, Epoch: max(c.lead.voted, c.room.Epoch), HostLost: c.hostLost()}
	if c.game != nil {
		m.Round = c.game.number
	}
	m.Sign = migration.Sign(c.self.sign, c.leadership().PeerStatusText(m))
	c.sendTo(k.id, m)
}

func (c *Client) sendTo(id PeerID, m message.Message) {
	if b, err := message.Encode(m); err == nil {
		c.out = append(c.out, event.Outgoing{Peer: id, Data: b})
	}
}

// fromLink takes a message of another member.
func (c *Client) fromLink(now time.Time, k *peerLink, msg []byte) {
	k.heard = now
	m, err := message.Decode(msg)
	if err == nil && !k.flood.Admit(now, len(msg)) {
		err = fmt.Errorf("it sends more than a member has to say")
	}
	if err != nil {
		c.dropLink(k, err.Error())
		return
	}
	if take := registry[message.KindOf(m)].fromPeer; take != nil {
		take(c, now, k, m)
	} else {
		c.dropLink(k, fmt.Sprintf("%v is not for a member to say", message.KindOf(m)))
	}
	c.tickElection(now)
}

func (c *Client) takePeerStatus(_ time.Time, k *peerLink, m *migration.PeerStatusMsg) {
	if ch := c.leadership(); !migration.Verify(ch.Keys[m.Machine], ch.PeerStatusText(m), m.Sign) {
		c.dropLink(k, "it is not who it says it is")
		return
	}
	news := k.told == nil
	k.told = m
	if news && !c.hostLost() {
		c.greetLink(k)
	}
}

// refusedByPeer is for a game host that takes no strangers now.
func (c *Client) refusedByPeer(_ time.Time, k *peerLink, _ *message.Refused) {
	c.dropLink(k, "goodbye")
}

func (c *Client) dropLink(k *peerLink, why string) {
	c.out = append(c.out, event.Outgoing{Peer: k.id, CloseWhy: wire.Clean(why, room.MaxReason)})
	c.linkGone(k.id)
}
