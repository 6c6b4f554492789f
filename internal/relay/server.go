package relay

import (
	"container/list"
	"errors"
	"net/netip"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/cookie"
)

// Limits bound what a relay keeps and carries. Zero values stand for the usual ones.
type Limits struct {
	Mailboxes int // in all, 10,000
	PerHost   int // of one IPv4 address or one IPv6 network of 64 bits, 64; WideShare times that for one of 48
	Rate      int // bytes a second that the holder of a mailbox may send, 2 MiB; a second's worth at once
	HostRate  int // the same of one address or network, 8 MiB
	PairRate  int // the same of what one mailbox's holder sends to another one, 1.5 MiB
	Rooms     int // open ones of one address or network that are listed, 16
	Heard     int // entries of other relays of the service, 65,536; each counts for 256 bytes

	PairDatagrams int // a second from one mailbox's holder to another one, 2,000; a second's worth at once
}

// askCost is how many bytes of its rate a question about a code costs a holder: who types a code
// asks seldom. putCost and browseCost are the same of what costs the relay more than to carry a
// datagram, and leastCost is the same of any datagram: small ones cost it as much.
const (
	leastCost  = 128
	askCost    = 32 << 10
	putCost    = 8 << 10
	roomCost   = 128 << 10 // the same of an open room, whose signature is checked
	browseCost = 8 << 10
)

// served are the datagrams that only the holder of a mailbox may send, and costs those that
// cost it more than their bytes.
var (
	served = map[byte]bool{kindPost: true, kindPublish: true, kindAsk: true, kindPut: true, kindBrowse: true, kindSeek: true}
	costs  = map[byte]int{kindAsk: askCost, kindPut: putCost, kindBrowse: browseCost, kindSeek: browseCost}
)

// unknownRate is how many strangers a second are told that they hold no mailbox: all that hold
// one of a relay that was started again, soon enough, and few of a flood.
const unknownRate = 10_000

const (
	// Lease is how long a mailbox is held after its holder was last heard of.
	Lease = 30 * time.Second

	usualMailboxes = 10_000
	usualPerHost   = 64
	usualRate      = 2 << 20
	usualHostRate  = 8 << 20
	usualPairRate  = 3 << 19
	usualPairs     = 2000 // datagrams of a pair a second
	usualRooms     = 16
	usualHeard     = 1 << 16
	friendsEach    = 4   // words to friends in all, for each mailbox that there may be
	heardBytes     = 256 // for each of them
)

// WithDefaults are the limits with the usual ones for zero.
func (l Limits) WithDefaults() Limits {
	for _, d := range []struct {
		value *int
		usual int
	}{{&l.Mailboxes, usualMailboxes}, {&l.PerHost, usualPerHost}, {&l.Rate, usualRate}, {&l.HostRate, usualHostRate}, {&l.Rooms, usualRooms}, {&l.Heard, usualHeard}, {&l.PairRate, usualPairRate}, {&l.PairDatagrams, usualPairs}} {
		if *d.value <= 0 {
			*d.value = d.usual
		}
	}
	return l
}

// Figures are what a relay has done since it was started.
type Figures struct {
	Mailboxes int   // held now
	Codes     int   // that are known now, here and from other relays
	Rooms     int   // open ones, the same
	Friends   int   // things that friends are let know, the same
	Heard     int   // how many of them come from other relays
	Unheard   int64 // those of other relays for which there was no room
	Carried   int64 // datagrams
	Bytes     int64 // of them, as they were sent
	Refused   int64 // datagrams of those beyond their rate
	Crowded   int64 // datagrams beyond the rate of a pair
	Full      int64 // claims for which there was no room
	Networks  int   // addresses and networks of those who hold mailboxes
	Malformed int64
}

// Server is a relay without its socket. One goroutine owns it.
type Server struct {
	limits  Limits
	jar     *cookie.Jar
	boxes   map[Mailbox]*holder
	index   *index
	at      map[netip.AddrPort]*holder
	hosts   map[netip.Prefix]*network
	wide    map[netip.Prefix]int // mailboxes held from IPv6 networks of 48 bits
	renewed *list.List           // of *holder, the one that was heard of last at the end
	figures Figures
	leaving bool

	strangers allowance // answers to those who hold no mailbox

	siblings []byte    // what the holders are told
	checks   allowance // of signatures
}

// network is one address, or one network of IPv6, from which mailboxes are held.
type network struct {
	mailboxes int
	rooms     int // open ones
	spent     allowance
}

// allowance is what was used of a rate, of bytes or answers a second. A second's worth may be used at once.
type allowance struct {
	used float64
	at   time.Duration
}

// left is how much may be used now.
func (a *allowance) left(rate int, now time.Duration) float64 {
	a.used = max(0, a.used-(now-a.at).Seconds()*float64(rate))
	a.at = now
	return float64(rate) - a.used
}

// holder is who holds a mailbox.
type holder struct {
	box   Mailbox
	owner Owner
	addr  netip.AddrPort
	heard time.Duration
	spent allowance
	place *list.Element

	entries []*entry // all that it publishes
	peers   map[Mailbox]*pair
}

// entry is one of a kind of which a holder has one at most; nil for none.
func (h *holder) entry(of Kind) *entry {
	if i := slices.IndexFunc(h.entries, func(e *entry) bool { return e.Kind == of }); i >= 0 {
		return h.entries[i]
	}
	return nil
}

// rooms is how many open rooms a holder has, 0 or 1.
func (h *holder) rooms() int {
	if h.entry(KindRoom) != nil {
		return 1
	}
	return 0
}

// friends is how many friends it lets know.
func (h *holder) friends() (n int) {
	for _, e := range h.entries {
		if e.Kind == KindFriend {
			n++
		}
	}
	return n
}

func (h *holder) forget(e *entry) {
	h.entries = slices.DeleteFunc(h.entries, func(of *entry) bool { return of == e })
}

// NewServer makes a relay.
func NewServer(limits Limits) *Server {
	return &Server{
		limits: limits.WithDefaults(), jar: cookie.New(),
		boxes: map[Mailbox]*holder{}, index: newIndex(), at: map[netip.AddrPort]*holder{}, hosts: map[netip.Prefix]*network{}, wide: map[netip.Prefix]int{},
		renewed: list.New(),
	}
}

// Figures are those of now.
func (s *Server) Figures() Figures {
	s.figures.Mailboxes, s.figures.Networks, s.figures.Heard = len(s.boxes), len(s.hosts), s.index.heard.Len()
	s.figures.Codes, s.figures.Rooms, s.figures.Friends = s.index.counts[KindCode], s.index.counts[KindRoom], s.index.counts[KindFriend]
	return s.figures
}

// Receive acts on a datagram that came at a time since the start, and returns what to send
// and where: nil for nothing, never more bytes than came. The answer may use b's memory.
func (s *Server) Receive(b []byte, from netip.AddrPort, now time.Duration) (out []byte, to netip.AddrPort) {
	s.expire(now)
	m, err := decode(b)
	switch {
	case errors.Is(err, errVersion) && m.kind == kindClaim && len(b) >= claimSize:
		return message{kind: kindRefused, mailbox: m.mailbox, why: whyVersion}.append(nil), from
	case err == nil && served[m.kind]:
		return s.serve(b, m, from, now)
	case err == nil && m.kind == kindClaim:
		return s.claim(m, from, now).append(nil), from
	}
	s.figures.Malformed++
	return nil, from
}

// serve does what only the holder of a mailbox may ask for.
func (s *Server) serve(b []byte, m message, from netip.AddrPort, now time.Duration) ([]byte, netip.AddrPort) {
	sender, cost := s.at[from], max(len(b), leastCost, costs[m.kind])
	if sender == nil {
		if s.strangers.left(unknownRate, now) < 1 {
			s.figures.Refused++
			return nil, from
		}
		s.strangers.used++
		return message{kind: kindUnknown, mailbox: m.mailbox}.append(b[:0]), from
	}
	if !s.affords(sender, cost, now) {
		s.figures.Refused++
		return nil, from
	}
	s.renew(sender, now)
	switch m.kind {
	case kindPublish:
		return s.publish(sender, m).append(b[:0]), from
	case kindAsk:
		return s.find(m).append(b[:0]), from
	case kindPut:
		if m.entries[0].Kind == KindRoom && !s.mayCheck(sender, m.entries[0], now) {
			s.figures.Refused++
			return nil, from
		}
		return s.put(sender, m).append(nil), from
	case kindBrowse:
		return s.browse(m).append(b[:0]), from
	case kindSeek:
		return s.seek(m).append(b[:0]), from
	}
	return s.carry(b, m, sender, now)
}

// carry brings a datagram from the holder of one mailbox to that of another.
func (s *Server) carry(b []byte, m message, sender *holder, now time.Duration) ([]byte, netip.AddrPort) {
	to := s.boxes[m.mailbox]
	if to == nil {
		return message{kind: kindNobody, mailbox: m.mailbox}.append(b[:0]), sender.addr
	}
	if !s.mayCarry(sender, m.mailbox, len(b), now) {
		s.figures.Crowded++
		return nil, sender.addr
	}
	s.figures.Carried++
	s.figures.Bytes += int64(len(b))
	b[0] = kindBrought
	copy(b[2:], sender.box[:])
	return b, to.addr
}

// affords tells whether a holder may send so many bytes more, and counts them.
func (s *Server) affords(h *holder, size int, now time.Duration) bool {
	of, need := s.hosts[Network(h.addr.Addr())], float64(size)
	if h.spent.left(s.limits.Rate, now) < need || of.spent.left(s.limits.HostRate, now) < need {
		return false
	}
	h.spent.used += need
	of.spent.used += need
	return true
}

// claim answers a claim.
func (s *Server) claim(m message, from netip.AddrPort, now time.Duration) message {
	h := s.boxes[m.mailbox]
	known := h != nil && h.addr == from && h.owner == m.owner
	switch {
	case !known && !s.jar.Check(m.cookie[:], from, m.mailbox[:], now):
		prove := message{kind: kindProve, mailbox: m.mailbox}
		s.jar.Mint(prove.cookie[:], from, m.mailbox[:], now)
		return prove
	case h != nil && h.owner != m.owner:
		return message{kind: kindRefused, mailbox: m.mailbox, why: whyTaken}
	case h == nil:
		if s.leaving {
			return message{kind: kindRefused, mailbox: m.mailbox, why: whyLeaving}
		}
		s.drop(s.at[from]) // one that changes its room
		if s.full(from.Addr()) {
			s.figures.Full++
			return message{kind: kindRefused, mailbox: m.mailbox, why: whyFull}
		}
		h = &holder{box: m.mailbox, owner: m.owner, heard: now}
		h.place = s.renewed.PushBack(h)
		s.boxes[h.box] = h
		s.settle(h, from)
	case !known:
		if s.at[from] != nil {
			s.drop(s.at[from])
		}
		s.leave(h)
		s.settle(h, from)
	}
	s.renew(h, now)
	return message{kind: kindHeld, mailbox: h.box, life: Lease, seen: from}
}

// settle and leave note where a holder is.
func (s *Server) settle(h *holder, addr netip.AddrPort) {
	h.addr = addr
	s.at[addr] = h
	n := Network(addr.Addr())
	if s.hosts[n] == nil {
		s.hosts[n] = new(network)
	}
	s.hosts[n].mailboxes++
	if wide, ok := Wide(addr.Addr()); ok {
		s.wide[wide]++
	}
	s.hosts[n].rooms += h.rooms()
}

func (s *Server) leave(h *holder) {
	delete(s.at, h.addr)
	if wide, ok := Wide(h.addr.Addr()); ok {
		if s.wide[wide]--; s.wide[wide] == 0 {
			delete(s.wide, wide)
		}
	}
	n := Network(h.addr.Addr())
	s.hosts[n].rooms -= h.rooms()
	if s.hosts[n].mailboxes--; s.hosts[n].mailboxes == 0 {
		delete(s.hosts, n)
	}
}

// Network is what one who has many addresses cannot change: an IPv4 address, or an IPv6
// network of 64 bits.
func Network(ip netip.Addr) netip.Prefix {
	ip = ip.WithZone("").Unmap()
	bits := 64
	if ip.Is4() {
		bits = 32
	}
	p, _ := ip.Prefix(bits) // fails for no address with so many bits
	return p
}

// WideShare is how many times as much as one network of 64 bits all those of 48 bits together have.
const WideShare = 4

// Wide is the IPv6 network of 48 bits that an address is in: some have all of one. It is not ok
// for IPv4.
func Wide(ip netip.Addr) (p netip.Prefix, ok bool) {
	if ip = ip.WithZone("").Unmap(); !ip.Is6() {
		return p, false
	}
	p, err := ip.Prefix(48)
	return p, err == nil
}

// full tells whether there is no room for a mailbox more from an address.
func (s *Server) full(from netip.Addr) bool {
	of := s.hosts[Network(from)]
	wide, six := Wide(from)
	return len(s.boxes) >= s.limits.Mailboxes || of != nil && of.mailboxes >= s.limits.PerHost ||
		six && s.wide[wide] >= WideShare*s.limits.PerHost
}

func (s *Server) renew(h *holder, now time.Duration) {
	h.heard = now
	s.renewed.MoveToBack(h.place)
}

// drop forgets a holder, if there is one.
func (s *Server) drop(h *holder) {
	if h == nil {
		return
	}
	s.leave(h)
	s.index.withdraw(h)
	delete(s.boxes, h.box)
	s.renewed.Remove(h.place)
}

// expire forgets those that were not heard of for too long.
func (s *Server) expire(now time.Duration) {
	s.index.expire(now)
	for e := s.renewed.Front(); e != nil; e = s.renewed.Front() {
		h := e.Value.(*holder)
		if now-h.heard < Lease {
			return
		}
		s.drop(h)
	}
}

// Leave begins the end: nobody new is taken, and all holders are to be told what it returns.
func (s *Server) Leave() (list []Datagram) {
	s.leaving = true
	for _, h := range s.boxes {
		list = append(list, Datagram{h.addr, message{kind: kindLeaving, mailbox: h.box}.append(nil)})
	}
	return list
}

// Leaving tells whether the end has begun.
func (s *Server) Leaving() bool { return s.leaving }
