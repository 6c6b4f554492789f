package relay

import (
	"encoding/hex"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// Mailbox is where others leave what is for a machine. Its number is a secret of the room.
type Mailbox [12]byte

// Port is where relays usually are.
const Port = 21206

// Named adds the usual port to the name or address of a relay that has none.
func Named(typed string) (string, error) {
	host, port, err := net.SplitHostPort(typed)
	if err != nil {
		host, port = strings.TrimSuffix(strings.TrimPrefix(typed, "["), "]"), strconv.Itoa(Port)
	}
	ip, _ := netip.ParseAddr(host)
	number, _ := strconv.ParseUint(port, 10, 16)
	if host == "" || number == 0 || strings.ContainsAny(host, ",@/= []%") || strings.Contains(host, ":") && !ip.Is6() {
		return "", fmt.Errorf("%q is no address of a relay: it is HOST or HOST:PORT", typed)
	}
	return net.JoinHostPort(host, strconv.FormatUint(number, 10)), nil
}

// Locator is derived from a short code; under it its room's invitation is published. It does not tell
// the code.
type Locator [12]byte

// The address of a machine behind a relay, for code that knows addresses only: in a block
// that the internet does not route (RFC 6666), so that no machine has it.
//
//	0100:0000 mailbox:12   port: number of the relay, from 1
const virtual = 0x01

// At is the address of a mailbox at a relay, numbered from 1 as the Client counts them.
func (m Mailbox) At(relay int) netip.AddrPort {
	ip := [16]byte{virtual}
	copy(ip[4:], m[:])
	return netip.AddrPortFrom(netip.AddrFrom16(ip), uint16(relay))
}

// IsRelayed reports whether an address is that of a mailbox.
func IsRelayed(a netip.AddrPort) bool {
	ip := a.Addr()
	if !ip.Is6() || ip.Is4In6() {
		return false
	}
	b := ip.As16()
	return [4]byte(b[:]) == [4]byte{virtual}
}

// MailboxOf is the way back from an address that IsRelayed.
func MailboxOf(a netip.AddrPort) (m Mailbox, relay int) {
	ip := a.Addr().As16()
	return Mailbox(ip[4:]), int(a.Port())
}

// place begins the text of a mailbox at a relay.
const place = "relay="

// Place is the text of a mailbox at a relay, "host:port", among other addresses of a machine.
func Place(relay string, m Mailbox) string { return place + relay + "/" + hex.EncodeToString(m[:]) }

// FindPlace is the way back. It is not ok for another sort of address, nor for one that would
// be several in a list of them.
func FindPlace(text string) (relay string, m Mailbox, ok bool) {
	rest, found := strings.CutPrefix(text, place)
	relay, digits, both := strings.Cut(rest, "/")
	b, err := hex.DecodeString(digits)
	if !found || !both || relay == "" || strings.ContainsAny(relay, ",@") || err != nil || len(b) != len(m) {
		return "", m, false
	}
	return relay, Mailbox(b), true
}

// ShownPlace is an address as players read it.
func ShownPlace(text string) string {
	if relay, _, ok := FindPlace(text); ok {
		return "the relay " + relay
	}
	return text
}

// publish keeps an invitation for those who ask for its locator. A holder publishes one, for
// as long as it holds its mailbox; so what bounds mailboxes bounds these, too.
func (s *Server) publish(h *holder, m message) message {
	code := Entry{KindCode, Locator(m.mailbox), m.body}
	if e := s.index.entries[code.slot()]; e != nil && e.holder != nil && e.holder != h || code.Key == (Locator{}) {
		return message{kind: kindRefused, mailbox: m.mailbox, why: whyCode}
	}
	s.index.put(h, code)
	return message{kind: kindPublic, mailbox: m.mailbox}
}

// find answers a question with an invitation.
func (s *Server) find(m message) message {
	if m.mailbox == (Mailbox{}) {
		return s.tellSiblings(m)
	}
	if body := s.index.find(KindCode, Locator(m.mailbox)); body != nil {
		return message{kind: kindFound, mailbox: m.mailbox, body: body}
	}
	return message{kind: kindNobody, mailbox: m.mailbox}
}

// Meetings are the machines that a relay brings together now.
type Meetings struct {
	Machines int // that have sent something to another one, or got something
	Rooms    int // groups of such machines; a relay knows no others
	// Far4 and Far6 report whether one is there, by itself or with others, from an address of IPv4, or of IPv6, that
	// is far: who holds a mailbox has shown that it gets what is sent to its address.
	Far4, Far6 bool
}

// Meetings looks at all machines: for a relay with few.
func (s *Server) Meetings(far func(netip.Addr) bool) (m Meetings) {
	group := map[*holder]*holder{} // to another one of its group; to itself for one of each
	var find func(h *holder) *holder
	find = func(h *holder) *holder {
		if next := group[h]; next != nil && next != h {
			group[h] = find(next)
		}
		return group[h]
	}
	for _, h := range s.boxes {
		if a := h.addr.Addr().WithZone("").Unmap(); far(a) {
			m.Far4, m.Far6 = m.Far4 || a.Is4(), m.Far6 || a.Is6()
		}
		for to := range h.peers {
			peer := s.boxes[to]
			if peer == nil || peer == h {
				continue
			}
			for _, one := range [...]*holder{h, peer} {
				if group[one] == nil {
					group[one] = one
				}
			}
			group[find(h)] = find(peer)
		}
	}
	for h, next := range group {
		if m.Machines++; h == next {
			m.Rooms++
		}
	}
	return m
}
