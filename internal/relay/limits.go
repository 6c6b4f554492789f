package relay

import (
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
