package host

import (
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/wire"
)

// The lines between members, which they open to each other when the game host is gone.

const (
	kinIdle = 15 * time.Second // a line to another member of which nothing is heard
	maxKin  = 32
)

// kin is a line to another member.
type kin struct {
	id    PeerID
	addr  string
	heard time.Time
	flood flood
	told  *bereftMsg // as it said last; nil: nothing yet
}

func (c *Client) kin(id PeerID) *kin {
	for _, k := range c.council.kin {
		if k.id == id {
			return k
		}
	}
	return nil
}

// kinGone forgets a line between members, if it is one.
func (c *Client) kinGone(id PeerID) bool {
	k := c.kin(id)
	c.council.kin = slices.DeleteFunc(c.council.kin, func(o *kin) bool { return o == k })
	return k != nil
}

// LineOpened tells of a line to a machine other than the game host's, whoever opened
// it: of another member, as far as one can know. Addr is its address.
func (c *Client) LineOpened(now time.Time, id PeerID, addr string) {
	now = c.clock.at(now)
	if c.stage == over || c.stage < inside && !c.returning() || len(c.council.kin) >= maxKin {
		c.out = append(c.out, Outgoing{Peer: id, CloseWhy: "this is not the game host's machine"})
		return
	}
	k := &kin{id: id, addr: addr, heard: now, flood: clientFlood()}
	c.council.kin = append(c.council.kin, k)
	c.tellKin(k)
}

func (c *Client) tellKin(k *kin) {
	m := &bereftMsg{Machine: c.machine, Epoch: max(c.voted, c.room.Epoch), Deaf: c.deaf()}
	if c.game != nil {
		m.Round = c.game.number
	}
	m.Sign = signature(c.sign, c.charter().bereftText(m))
	c.sendTo(k.id, m)
}

func (c *Client) sendTo(id PeerID, m message) {
	if b, err := encode(m); err == nil {
		c.out = append(c.out, Outgoing{Peer: id, Data: b})
	}
}

// fromKin takes a message of another member.
func (c *Client) fromKin(now time.Time, k *kin, msg []byte) {
	k.heard = now
	m, err := decode(msg)
	if err == nil && !k.flood.admit(now, len(msg)) {
		err = fmt.Errorf("it sends more than a member has to say")
	}
	if err != nil {
		c.dropKin(k, err.Error())
		return
	}
	switch m := m.(type) {
	case *bereftMsg:
		if ch := c.charter(); !verify(ch.keys[m.Machine], ch.bereftText(m), m.Sign) {
			c.dropKin(k, "it is not who it says it is")
			break
		}
		news := k.told == nil
		k.told = m
		if news && !c.deaf() {
			c.tellKin(k)
		}
	case *standMsg:
		c.takeStand(now, k, m)
	case *voteMsg:
		c.takeVote(now, k, m)
	case *crownMsg:
		c.takeCrown(now, k, m)
	case *refusedMsg: // the game host does not take strangers now
		c.dropKin(k, "goodbye")
	default:
		c.dropKin(k, fmt.Sprintf("%v is not for a member to say", m.kind()))
	}
	c.confer(now)
}

func (c *Client) dropKin(k *kin, why string) {
	c.out = append(c.out, Outgoing{Peer: k.id, CloseWhy: wire.Clean(why, maxReason)})
	c.kinGone(k.id)
}
