package relay

import (
	"crypto/rand"
	"net/netip"
	"time"
)

// Resolved sets the addresses of a relay.
func (c *Client) Resolved(n int, addrs []netip.AddrPort) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.number(n)
	addrs = c.allowed(a, addrs)
	a.addrs = addrs[:min(len(addrs), maxAddresses)]
	a.waiting, a.nowhere = 0, false
	c.stir()
}

// Nowhere notes that no server has the name of a relay, until it is [Client.Resolved].
func (c *Client) Nowhere(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.number(n).nowhere = true
}

// Due returns the datagrams to send now, and the time in which nothing more is to be sent if nothing comes.
func (c *Client) Due(now time.Time) (list []Datagram, wait time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := due{now: now, wait: claimAgain}
	for i, a := range c.relays {
		left := a.interval() - now.Sub(a.claimed)
		if left <= 0 && len(a.addrs) > 0 {
			d.list = append(d.list, c.claimAll(i+1, a, now)...)
			left = a.interval()
		}
		d.within(max(left, claimFirst/4))
		if d.to, d.token = a.addr, a.shown(); a.held {
			c.dueCode(a, &d)
			a.dueSiblings(&d)
			c.duePuts(a, &d)
			c.dueQuestions(a, &d)
		}
	}
	return d.list, d.wait
}

// claimAll claims at all addresses that a relay may have.
func (c *Client) claimAll(n int, a *account, now time.Time) (list []Datagram) {
	if a.waiting >= claimLost {
		a.held, a.shows = false, false // an older relay may come to be there
	}
	to := a.addrs
	b := c.claim(a, now)
	switch {
	case a.tunnel == tunnelOpen:
		list = []Datagram{{TunnelAt(n), b}}
		b = message{kind: kindClaim, mailbox: c.box, owner: c.owner(a.name), token: a.token}.append(nil) // does UDP get through again?
	case a.held:
		to = []netip.AddrPort{a.addr}
	}
	for _, addr := range to {
		list = append(list, Datagram{addr, b})
	}
	return list
}

// claim returns the next message to a relay.
func (c *Client) claim(a *account, now time.Time) []byte {
	a.claimed = now
	a.waiting++
	a.again = false
	for a.token == (token{}) {
		_, _ = rand.Read(a.token[:]) // does not fail
	}
	return message{kind: kindClaim, mailbox: c.box, owner: c.owner(a.name), cookie: a.cookie, token: a.token}.append(nil)
}

// shown is what shows a relay that a question is ours; zero for an older one.
func (a *account) shown() token {
	if a.shows {
		return a.token
	}
	return token{}
}

// believes reports whether something from a relay's address may be the relay's. Anybody can forge one, but does not see our
// token.
func (a *account) believes(m message) bool {
	switch {
	case m.kind == kindUnknown: // has us claim again, at the usual pace
		return true
	case m.token == token{}:
		return !a.shows
	case m.token != a.token:
		return false
	}
	a.shows = true
	return true
}

// interval returns the time from the last claim to the next one.
func (a *account) interval() time.Duration {
	switch {
	case a.held && a.waiting == 0 && !a.again:
		return claimAgain
	case a.waiting < claimHurry:
		return claimFirst
	case a.family.learned:
		return claimAgain // whoever is there may not want to be asked
	}
	return claimSlowly
}

// Doubt has all relays told at once where we are, as our router may have forgotten us or have
// another address.
func (c *Client) Doubt(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, a := range c.relays {
		if a.held && a.waiting == 0 && now.Sub(a.claimed) >= claimDoubt {
			a.again = true
			c.stir()
		}
	}
}

// Unwrap acts on a datagram that IsFrame. The body that a relay brought from another machine
// is returned, a part of b, with that machine's address; answer is what to send back. An address without a body is that of
// a mailbox which nobody has, as a relay says that is known to be it.
func (c *Client) Unwrap(b []byte, from netip.AddrPort, now time.Time) (body []byte, at netip.AddrPort, answer []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := c.account(from)
	m, err := decode(b)
	if i < 0 || err != nil {
		return nil, at, nil
	}
	a := c.relays[i]
	if m.kind == kindBrought && from == a.addr {
		return m.body, m.mailbox.At(i + 1), nil
	}
	if !a.believes(m) {
		return nil, at, nil
	}
	defer c.stir()
	switch {
	case m.kind == kindUnknown:
		a.again = true
	case from == a.addr && (a.heardSiblings(m) || c.heardCode(a, m) || c.heardIndex(a, m, now)):
	case m.kind == kindNobody && a.shows && from == a.addr:
		return nil, m.mailbox.At(i + 1), nil
	case m.kind == kindLeaving && m.mailbox == c.box && from == a.addr:
		a.leaving = true
	case m.mailbox == c.box:
		return nil, at, c.answered(a, m, from, now)
	}
	return nil, at, nil
}

// answered takes what a relay says about our own mailbox.
func (c *Client) answered(a *account, m message, from netip.AddrPort, now time.Time) []byte {
	switch m.kind {
	case kindProve:
		if m.cookie == a.cookie {
			return nil // answered already
		}
		if a.tunnel == tunnelOpen && !IsTunnel(from) {
			a.tunnel = tunnelNone // UDP gets through again
		}
		a.cookie, a.waiting, a.leaving = m.cookie, 0, false
		a.code, a.index.puts, a.index.known = exchange{}, nil, page{} // it knows nothing of us
		return c.claim(a, now)
	case kindHeld:
		if a.waiting == 1 {
			a.rtt = now.Sub(a.claimed)
		}
		a.held, a.refused, a.waiting, a.again = true, 0, 0, false
		a.addr, a.seen = from, m.seen
		if IsTunnel(from) {
			a.seen = netip.AddrPort{} // nobody reaches it there
		}
	case kindRefused:
		if a.waiting == 0 { // nobody has asked: one who forges an older relay's answers, or by UDP what a tunnel has
			return nil
		}
		a.held, a.refused, a.waiting = false, m.why, claimHurry
		a.addr = netip.AddrPort{}
	}
	return nil
}
