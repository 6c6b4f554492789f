package relay

import (
	"bytes"
	"slices"
	"time"
)

// put publishes an entry for a holder, or withdraws it.
func (s *Server) put(h *holder, m message) message {
	e := m.entries[0]
	s.listed.Add(h.addr.Addr(), -h.count(KindRoom))
	defer func() { s.listed.Add(h.addr.Addr(), h.count(KindRoom)) }()
	old := s.index.entries[e.slot()]
	mine := old != nil && old.holder == h
	if e.Body == nil {
		if mine {
			s.index.remove(old)
		}
		return message{kind: kindKept, mailbox: m.mailbox, entries: m.entries}
	}
	if w := s.refusal(h, e); w != 0 && !mine {
		return message{kind: kindRefused, mailbox: m.mailbox, why: w}
	}
	if e.Kind == KindRoom && !(mine && bytes.Equal(old.Body, e.Body)) && !mayPublish(h.owner, e) {
		return message{kind: kindRefused, mailbox: m.mailbox, why: whyListing}
	}
	s.index.put(h, e)
	e.Body = e.Body[:numberSize]
	return message{kind: kindKept, mailbox: m.mailbox, entries: []Entry{e}}
}

// mostChecks is the number of rooms' signatures checked a second, so that strangers with many addresses
// cannot keep the relay from carrying.
const mostChecks = 500

// mayCheck reports whether an open room of a holder may be looked at now. One that came before needs no check.
func (s *Server) mayCheck(h *holder, e Entry, now time.Duration) bool {
	if old := h.entry(KindRoom); e.Body == nil || old != nil && old.Key == e.Key && bytes.Equal(old.Body, e.Body) {
		return true
	}
	return s.checks.TokensAt(clock(now)) >= 1 && affords(h, roomCost, now) && s.checks.AllowN(clock(now), 1)
}

// refusal returns the reason why a holder may not publish one thing more, 0 if it may: what it has,
// what its network has, and what the relay has are bounded.
func (s *Server) refusal(h *holder, e Entry) why {
	old := s.index.entries[e.slot()]
	switch {
	case e.Kind == KindCode:
		return whyListing // it has datagrams of its own
	case e.Kind == KindRoom && s.limits.Unlisted:
		return whyUnlisted
	case old != nil && old.holder != nil:
		return whyListed
	case e.Kind == KindRoom && !s.listed.Fits(h.addr.Addr(), s.limits.Rooms):
		return whyListings
	case e.Kind == KindFriend && (s.index.owned[KindFriend] >= friendsEach*s.limits.Mailboxes || h.count(KindFriend) >= MaxFriends):
		return whyListings
	}
	return 0
}

// browse answers a question about open rooms.
func (s *Server) browse(m message) message {
	m.kind = kindPage
	m.page = s.index.rooms.since(m.page, browseSize-pageHeader, func(key Locator) []byte { return s.index.find(KindRoom, key) })
	return m
}

// seek answers a question about friends.
func (s *Server) seek(m message) message {
	m.kind = kindSought
	for i, e := range m.entries {
		m.entries[i].Body = s.index.find(KindFriend, e.Key)
	}
	m.entries = slices.DeleteFunc(m.entries, func(e Entry) bool { return e.Body == nil })
	return m
}
