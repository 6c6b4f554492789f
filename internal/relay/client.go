package relay

import (
	"net/netip"
	"slices"
	"sync"
	"time"
)

// MaxRelays is the greatest number of relays that a machine uses, and maxAddresses of addresses of one
// that are tried.
const (
	MaxRelays    = 4
	maxAddresses = 4
)

const (
	claimFirst  = 200 * time.Millisecond // between claims that nobody answers, the first few
	claimSlowly = 2 * time.Second        // and after those
	claimHurry  = 10
	claimAgain  = 10 * time.Second // between claims of what is held: routers remember for longer
	claimDoubt  = time.Second      // the same, while it is in doubt
	claimLost   = 5                // claims without an answer after which nobody is there
	blockedFrom = 4                // the same, after which UDP may be blocked
)

// Status is a machine's state with a relay.
type Status struct {
	Relay   string // as it was named
	Held    bool   // others can send to this machine through it
	Public  bool   // it gives our invitation to those who know the short code
	Tunnel  bool   // it is spoken to by WebSocket, as UDP does not get through
	Refused string // why not, in words; "" while it did not say no
	Nowhere bool   // no server has its name
	RTT     time.Duration
	Seen    netip.AddrPort // where the relay sees this machine
}

// Datagram is one to send.
type Datagram struct {
	To    netip.AddrPort
	Bytes []byte
}

// Client is a machine's side of all its relays, without a socket. It may be used from
// several goroutines.
type Client struct {
	mu     sync.Mutex
	box    Mailbox
	owner  func(relay string) Owner
	own    []string // names of relays that the player's settings have
	relays []*account
	codes  codes
	wants  wants
	wake   chan struct{} // has one when something may be due
}

// account is the mailbox at one relay.
type account struct {
	name    string
	addrs   []netip.AddrPort // of the relay, as its name was resolved
	addr    netip.AddrPort   // the one that answered; not valid before
	held    bool
	nowhere bool // its name could not be found out: there is none
	refused why
	cookie  proof
	token   token // shows our questions and its answers; drawn with the first claim
	shows   bool  // it answers with the token: answers without it are not its own
	rtt     time.Duration
	seen    netip.AddrPort
	claimed time.Time // the last claim
	waiting int       // claims since the last answer
	again   bool      // the relay does not know us any more
	leaving bool      // it ends soon
	code    exchange  // about a short code
	index   indexState
	tunnel  tunnelState
	family  family
}

// tunnelState is the state of the way to a relay that is taken where UDP is blocked.
type tunnelState uint8

const (
	tunnelNone tunnelState = iota
	tunnelDialled
	tunnelOpen
)

// NewClient makes a client with no relay, for a machine with this mailbox. owner makes the
// number that shows a relay who owns it.
func NewClient(box Mailbox, owner func(relay string) Owner) *Client {
	return &Client{box: box, owner: owner, wants: wants{puts: map[slot]func(string, Owner) []byte{}}, wake: make(chan struct{}, 1)}
}

// Wake has something when more may be Due than the last call told.
func (c *Client) Wake() <-chan struct{} { return c.wake }

func (c *Client) stir() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// Move changes the mailbox, for another room. All relays are told.
func (c *Client) Move(box Mailbox, owner func(relay string) Owner) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if box == c.box {
		return
	}
	defer c.stir()
	c.box, c.owner = box, owner
	c.codes = codes{}
	for i, a := range c.relays {
		c.relays[i] = &account{name: a.name, addrs: a.addrs, family: family{learned: a.family.learned}}
	}
}

// Use adds a relay and returns its number, from 1. It is 0 when there are too many. One that
// is new has no address before Resolved.
func (c *Client) Use(name string) (n int, added bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.IndexFunc(c.relays, func(a *account) bool { return a.name == name }); i >= 0 {
		return i + 1, false
	}
	if len(c.relays) == MaxRelays {
		return 0, false
	}
	c.relays = append(c.relays, &account{name: name})
	return len(c.relays), true
}

// Own says of relays, in use or not, that the player's settings name them: they may be spoken to by WebSocket
// wherever they are.
func (c *Client) Own(names ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, name := range names {
		if !slices.Contains(c.own, name) {
			c.own = append(c.own, name)
		}
	}
}

// Mailbox is this machine's; held tells whether a relay holds it.
func (c *Client) Mailbox() (box Mailbox, held bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.box, slices.ContainsFunc(c.relays, func(a *account) bool { return a.held })
}

// Number is the number of a relay that is used, 0 for another one.
func (c *Client) Number(name string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return 1 + slices.IndexFunc(c.relays, func(a *account) bool { return a.name == name })
}

// Leaving reports whether the relay of a mailbox's address has said that it ends soon.
func (c *Client) Leaving(at netip.AddrPort) bool {
	if !IsRelayed(at) {
		return false
	}
	_, n := MailboxOf(at)
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.number(n).leaving
}

// Name returns a relay's name, "" for a number that none has.
func (c *Client) Name(n int) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.number(n).name
}

// number returns the account at a relay, an empty one for a number that none has.
func (c *Client) number(n int) *account {
	if n < 1 || n > len(c.relays) {
		return new(account)
	}
	return c.relays[n-1]
}

// Status tells about all relays.
func (c *Client) Status() []Status {
	c.mu.Lock()
	defer c.mu.Unlock()
	var list []Status
	for _, a := range c.relays {
		st := Status{Relay: a.name, Held: a.held, Nowhere: a.nowhere && !a.held, RTT: a.rtt, Seen: a.seen}
		st.Tunnel = a.tunnel == tunnelOpen
		st.Public = a.held && a.code.done && c.codes.invitation != nil
		if a.refused != 0 {
			st.Refused = a.refused.String()
		}
		if a.leaving {
			st.Held, st.Public, st.Refused = false, false, whyLeaving.String()
		}
		list = append(list, st)
	}
	return list
}

// Wrap makes what goes to a relay of a datagram to an address that IsRelayed. It is not ok
// before the relay knows this machine: the datagram is lost.
func (c *Client) Wrap(to netip.AddrPort, b []byte) (d Datagram, ok bool) {
	box, n := MailboxOf(to)
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.number(n)
	if !a.addr.IsValid() || len(b) == 0 || len(b) > MaxDatagram-HeaderSize {
		return d, false
	}
	return Datagram{a.addr, message{kind: kindPost, mailbox: box, body: b}.append(make([]byte, 0, HeaderSize+len(b)))}, true
}

// IsFrame reports whether a datagram may be a relay's.
func IsFrame(b []byte) bool { return len(b) > 0 && b[0] >= kindClaim && b[0] <= kindSought }

// due collects what is to be sent now, and when to look again.
type due struct {
	now   time.Time
	to    netip.AddrPort
	token token
	list  []Datagram
	wait  time.Duration
}

func (d *due) within(wait time.Duration) { d.wait = min(d.wait, wait) }

// again reports whether something is to be said that was said last at a time, which becomes now.
func (d *due) again(said *time.Time, every time.Duration) bool {
	if left := every - d.now.Sub(*said); left > 0 {
		d.within(left)
		return false
	}
	*said = d.now
	d.within(every)
	return true
}

func (d *due) say(m message) {
	m.token = d.token
	d.list = append(d.list, Datagram{d.to, m.append(nil)})
}
