package relay

import (
	"maps"
	"net/netip"
	"time"

	"golang.org/x/time/rate"

	"github.com/nettplay/nettplay/internal/ds"
)

// Limits bound what a relay keeps and carries. Zero values stand for the usual ones. The tags are the
// names in a settings file.
type Limits struct {
	Mailboxes int `toml:"machines"`  // in all, 10,000
	PerHost   int `toml:"per_host"`  // of one IPv4 address or one IPv6 network of 64 bits, 64; WideShare times that for one of 48
	Rate      int `toml:"rate"`      // bytes a second that the holder of a mailbox may send, 2 MiB; a second's worth at once
	HostRate  int `toml:"host_rate"` // the same of one address or network, 8 MiB
	PairRate  int `toml:"pair_rate"` // the same of what one mailbox's holder sends to another one, 1.5 MiB
	Rooms     int `toml:"rooms"`     // open ones of one address or network that are listed, 16; WideShare times that for one of 48 bits
	Heard     int `toml:"heard"`     // entries of other relays of the service, 65,536; each counts for 256 bytes

	PairDatagrams int `toml:"pair_datagrams"` // a second from one mailbox's holder to another one, 2,000; a second's worth at once

	Total    int  `toml:"total_rate"` // bytes a second that are carried in all, 0 for any number; a quarter is for short datagrams alone
	Unlisted bool `toml:"unlisted"`   // no open rooms are listed: only those find it who are told of it
}

// shortDatagram is the longest that counts as short: inputs are, and pieces of saves and states are not. Where
// all is used up that a relay may carry, games go on and transfers wait.
const shortDatagram = 400

// askCost is the price to a holder of a question about a code, in bytes of its rate: one who types a
// code asks seldom. putCost and browseCost are the same of what costs the relay more than to carry a
// datagram, and leastCost is the same of any datagram: small ones cost it as much.
const (
	leastCost  = 128
	askCost    = 32 << 10
	putCost    = 8 << 10
	roomCost   = 128 << 10 // the same of an open room, whose signature is checked
	browseCost = 8 << 10
	claimCost  = 4 << 10 // the same of a claim, to its network
)

// served are the datagrams that only the holder of a mailbox may send, and costs those that
// cost it more than their bytes.
var (
	served = map[byte]bool{kindPost: true, kindPublish: true, kindAsk: true, kindPut: true, kindBrowse: true, kindSeek: true}
	costs  = map[byte]int{kindAsk: askCost, kindPut: putCost, kindBrowse: browseCost, kindSeek: browseCost}
)

// unknownRate is the number of strangers a second that are told that they hold no mailbox: all that
// hold one of a relay that was started again, soon enough, and few of a flood.
const unknownRate = 10_000

const (
	// Lease is the time that a mailbox is held after its holder was last heard of.
	Lease = 30 * time.Second

	friendsEach = 4   // words to friends in all, for each mailbox that there may be
	heardBytes  = 256 // for each of them
)

// WithDefaults are the limits with the usual ones for zero.
func (l Limits) WithDefaults() Limits {
	for _, d := range []struct {
		value *int
		usual int
	}{{&l.Mailboxes, 10_000}, {&l.PerHost, 64}, {&l.Rate, 2 << 20}, {&l.HostRate, 8 << 20}, {&l.Rooms, 16}, {&l.Heard, 1 << 16}, {&l.PairRate, 3 << 19}, {&l.PairDatagrams, 2000}} {
		if *d.value <= 0 {
			*d.value = d.usual
		}
	}
	return l
}

// allow makes the limit of a rate, of bytes or answers a second. A second's worth may be used at once.
func allow(n int) *rate.Limiter { return rate.NewLimiter(rate.Limit(n), n) }

// clock is the time of a limit, from that since the start.
func clock(now time.Duration) time.Time { return time.Unix(0, 0).Add(now) }

// mayClaim reports whether a network may claim a mailbox once more, and counts it. Who claims from
// there has shown that it is there.
func (s *Server) mayClaim(from netip.Addr, now time.Duration) bool {
	n := s.hosts[ds.Origin(from)]
	if n == nil {
		return true
	}
	return n.limit.AllowN(clock(now), claimCost)
}

// mayPass reports whether so many bytes more may be carried, and counts them.
func (s *Server) mayPass(size int, now time.Duration) bool {
	if s.limits.Total <= 0 {
		return true
	}
	kept := 0
	if size > shortDatagram {
		kept = s.limits.Total / 4
	}
	return s.carrying.TokensAt(clock(now)) >= float64(size+kept) && s.carrying.AllowN(clock(now), size)
}

// affords reports whether a holder may send so many bytes more, and counts them.
func affords(h *holder, size int, now time.Duration) bool {
	at := clock(now)
	return h.from.limit.TokensAt(at) >= float64(size) && h.limit.AllowN(at, size) && h.from.limit.AllowN(at, size)
}

// WideShare is the factor by which a network of 48 bits may have more than one of 64 bits within it.
const WideShare = 4

// Crowd counts machines by where they are: at one IPv4 address, or in one IPv6 network of 64 bits,
// which is what one who has many addresses cannot change, and in one of 48 bits: some have all of that.
type Crowd map[netip.Prefix]int

func networks(ip netip.Addr) []netip.Prefix {
	if ip = ip.WithZone("").Unmap(); ip.Is4() {
		return []netip.Prefix{netip.PrefixFrom(ip, 32)}
	}
	return []netip.Prefix{netip.PrefixFrom(ip, 64).Masked(), netip.PrefixFrom(ip, 48).Masked()}
}

// Fits reports whether there may be one more at an address, if a network may have so many.
func (c Crowd) Fits(from netip.Addr, most int) bool {
	for _, n := range networks(from) {
		if c[n] >= most {
			return false
		}
		most *= WideShare
	}
	return true
}

// Add counts more machines at an address, or less.
func (c Crowd) Add(from netip.Addr, more int) {
	for _, n := range networks(from) {
		if c[n] += more; c[n] == 0 {
			delete(c, n)
		}
	}
}

// A relay knows no rooms. It sees of one only the pairs: one machine that sends to another one. Each has a
// rate of its own, in bytes and in datagrams, so that a state on its way to one machine leaves room for
// the inputs to the others, and small datagrams cannot cost more than large ones.

// maxPeers is the number of others that one machine sends to at once: a game host with 15 players and 16
// spectators needs 31.
const maxPeers = 32

// pair counts what a machine has sent to another one.
type pair struct{ bytes, datagrams *rate.Limiter }

// mayCarry reports whether a holder may send so many bytes more to a mailbox, and counts them.
func (s *Server) mayCarry(h *holder, to Mailbox, size int, now time.Duration) bool {
	p := h.peers[to]
	if p == nil {
		if p = s.meet(h, to, now); p == nil {
			return false
		}
	}
	at := clock(now)
	return p.bytes.TokensAt(at) >= float64(size) && p.datagrams.AllowN(at, 1) && p.bytes.AllowN(at, size)
}

// meet makes a pair of a holder and a mailbox, in the place of those that are silent if there is no room; nil if
// there is none all the same.
func (s *Server) meet(h *holder, to Mailbox, now time.Duration) *pair {
	if len(h.peers) >= maxPeers {
		maps.DeleteFunc(h.peers, func(_ Mailbox, p *pair) bool {
			return p.bytes.TokensAt(clock(now)) == float64(p.bytes.Burst()) && p.datagrams.TokensAt(clock(now)) == float64(p.datagrams.Burst())
		})
	}
	if len(h.peers) >= maxPeers {
		return nil
	}
	if h.peers == nil {
		h.peers = map[Mailbox]*pair{}
	}
	p := &pair{allow(s.limits.PairRate), allow(s.limits.PairDatagrams)}
	h.peers[to] = p
	return p
}
