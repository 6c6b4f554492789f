package relay

import (
	"bytes"
	"time"
)

// codes are a machine's wishes of short codes: to publish its room's, or to ask for one.
type codes struct {
	locator    Locator
	invitation []byte      // to publish
	answers    chan Answer // to the question; nil for none
}

// codeAgain is the time between tries to publish what another machine publishes still: the last game host of
// the room, which may be about to go, or is gone without a word.
const codeAgain = 2 * time.Second

// Withdraw returns datagrams that have the relays give our invitation to nobody any more: the room's next game
// host publishes its own in its place.
func (c *Client) Withdraw() (list []Datagram) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.codes.invitation == nil {
		return nil
	}
	for _, a := range c.relays {
		if a.held && a.code.done {
			m := message{kind: kindPut, mailbox: Mailbox(c.codes.locator), token: a.shown(), entries: []Entry{{Kind: KindCode, Key: c.codes.locator}}}
			list = append(list, Datagram{a.addr, m.append(nil)})
		}
	}
	c.codes = codes{}
	return list
}

// tellAgain is the time after which what a relay publishes for this machine is said again: the relay may have lost it, or,
// an older one, have taken it back for somebody who forged our address.
const tellAgain = 20 * time.Second

// exchange is the state of that at one relay.
type exchange struct {
	done bool
	said time.Time // the last time
}

// Answer is a relay's answer to a locator. A relay may give anything.
type Answer struct {
	Relay      string
	Invitation []byte // nil: there is nothing
}

// Publish has all relays give an invitation, of at most MaxInvitation bytes, to those who
// know its locator, for as long as this machine holds its mailbox.
func (c *Client) Publish(locator Locator, invitation []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if locator == c.codes.locator && bytes.Equal(invitation, c.codes.invitation) {
		return
	}
	c.change(codes{locator: locator, invitation: bytes.Clone(invitation)})
}

// Ask asks all relays what is under a locator. Each answers once, when it holds our mailbox.
func (c *Client) Ask(locator Locator) <-chan Answer {
	c.mu.Lock()
	defer c.mu.Unlock()
	answers := make(chan Answer, MaxRelays)
	c.change(codes{locator: locator, answers: answers})
	return answers
}

func (c *Client) change(to codes) {
	defer c.stir()
	c.codes = to
	for _, a := range c.relays {
		a.code = exchange{}
	}
}

// dueCode says something to a relay about a code, if that is due.
func (c *Client) dueCode(a *account, d *due) {
	asking := c.codes.answers != nil
	if a.code.done && asking || c.codes.invitation == nil && !asking {
		return
	}
	interval := claimFirst
	switch {
	case a.code.done:
		interval = tellAgain
	case !asking && a.refused == whyCode:
		interval = codeAgain
	}
	m := message{kind: kindPublish, mailbox: Mailbox(c.codes.locator), body: c.codes.invitation}
	if asking {
		m.kind = kindAsk
	}
	if d.again(&a.code.said, interval) {
		d.say(m)
	}
}

// heardCode takes what a relay says about our code, and tells whether it did.
func (c *Client) heardCode(a *account, m message) bool {
	asking := c.codes.answers != nil
	if m.mailbox != Mailbox(c.codes.locator) || a.code.done && asking {
		return false
	}
	switch {
	case m.kind == kindPublic && !asking:
		a.code.done, a.refused = true, 0
	case m.kind == kindRefused && !asking:
		a.code.done, a.refused = false, m.why
	case (m.kind == kindFound || m.kind == kindNobody) && asking:
		a.code.done = true
		select {
		case c.codes.answers <- Answer{a.name, bytes.Clone(m.body)}:
		default: // there is room for one of each
		}
	default:
		return false
	}
	return true
}
