package relay

import (
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

// A relay that is one of several tells the holders of its mailboxes where the others are, its
// siblings. They ask as for a short code, under the locator that is no code's: zeros. The
// answer is a list of "host:port" with commas.

// MaxSiblings is the limit of siblings that a relay tells, and MaxName that of the name of one.
const (
	MaxSiblings = 7
	MaxName     = 64
)

// UsedTogether is the number of relays of one service that a machine uses: one carries, the others
// stand by.
const UsedTogether = 3

const (
	siblingsAgain = 20 * time.Second // between questions that were answered
	siblingsRetry = time.Second
)

// SetSiblings tells a relay the others of its service, the ones to be used first at the
// beginning. Those beyond MaxSiblings, and names that are none, are left out.
func (s *Server) SetSiblings(names []string) {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !IsName(name) })
	s.siblings = []byte(strings.Join(names[:min(len(names), MaxSiblings)], ","))
}

// IsName reports whether a text is the name of a relay, with its port.
func IsName(text string) bool {
	named, err := Named(text)
	return err == nil && named == text && len(text) <= MaxName && !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' })
}

// tellSiblings answers a question for the siblings.
func (s *Server) tellSiblings(m message) message {
	if len(s.siblings) == 0 {
		return message{kind: kindNobody, mailbox: m.mailbox}
	}
	return message{kind: kindFound, mailbox: m.mailbox, body: s.siblings}
}

// family is a machine's knowledge of the siblings of one relay.
type family struct {
	names   []string
	asked   time.Time
	told    bool // in answer to the last question
	learned bool // the relay itself is one that another one told
}

// dueSiblings asks for a relay's siblings, if that is due.
func (a *account) dueSiblings(d *due) {
	every := siblingsRetry
	if a.family.told {
		every = siblingsAgain
	}
	if d.again(&a.family.asked, every) {
		a.family.told = false
		d.say(message{kind: kindAsk})
		d.within(siblingsRetry)
	}
}

// heardSiblings takes the answer, and tells whether it was one. A relay may tell anything: only
// names of relays are taken, and only one on its own network may name machines of that.
func (a *account) heardSiblings(m message) bool {
	if m.mailbox != (Mailbox{}) || m.kind != kindFound && m.kind != kindNobody {
		return false
	}
	a.family.told, a.family.names = true, nil
	for name := range strings.SplitSeq(string(m.body), ",") {
		if len(a.family.names) < MaxSiblings && IsName(name) && name != a.name {
			a.family.names = append(a.family.names, name)
		}
	}
	return true
}

// Learned are siblings of relays that answer, which are to be used from now on. Each is told
// once: it is in use then, without an address before Resolved.
func (c *Client) Learned() (list []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, a := range slices.Clone(c.relays) {
		for _, name := range a.family.names {
			known := slices.ContainsFunc(c.relays, func(a *account) bool { return a.name == name })
			if a.family.learned || known || len(c.relays) >= UsedTogether {
				continue
			}
			c.relays = append(c.relays, &account{name: name, family: family{learned: true}})
			list = append(list, name)
		}
	}
	return list
}

// Together are the relays, by number, through which a machine that is reached by relay n can be
// reached, too: those of the same service where this one holds a mailbox.
func (c *Client) Together(n int) (list []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	by := c.number(n)
	for i, a := range c.relays {
		if a != by && a.held && c.together(a, by) {
			list = append(list, i+1)
		}
	}
	return list
}

// together reports whether two relays are known to be of one service: one names the other, or a
// third names both.
func (c *Client) together(a, b *account) bool {
	return slices.ContainsFunc(c.relays, func(by *account) bool {
		return by.calls(a.name) && by.calls(b.name)
	})
}

// calls reports whether a relay is of that name, or has told it.
func (a *account) calls(name string) bool {
	return a.name == name || slices.Contains(a.family.names, name)
}

// allowed are the addresses of a relay that may be used. Those of one that another relay named
// are in this machine's own networks only if the other one is, too.
func (c *Client) allowed(a *account, addrs []netip.AddrPort) []netip.AddrPort {
	near := !a.family.learned || slices.ContainsFunc(c.relays, func(by *account) bool {
		return by != a && by.held && by.calls(a.name) && isNear(by.addr)
	})
	return slices.DeleteFunc(slices.Clone(addrs), func(at netip.AddrPort) bool {
		i := c.account(at)
		return !near && isNear(at) || at.Addr().IsMulticast() || a.family.learned && i >= 0 && c.relays[i] != a
	})
}

// isNear reports whether an address is none of the internet.
func isNear(at netip.AddrPort) bool {
	return ds.IsLocal(at.Addr()) || at.Addr().Unmap().IsUnspecified()
}
