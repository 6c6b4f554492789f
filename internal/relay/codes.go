package relay

import "bytes"

// publish keeps an invitation for those who ask for its locator. A holder publishes one, for
// as long as it holds its mailbox; so what bounds mailboxes bounds these, too.
func (s *Server) publish(h *holder, m message) message {
	locator := Locator(m.mailbox)
	if other := s.codes[locator]; other != nil && other != h {
		return message{kind: kindRefused, mailbox: m.mailbox, why: whyCode}
	}
	s.unpublish(h)
	h.locator, h.invitation = locator, bytes.Clone(m.body)
	s.codes[locator] = h
	return message{kind: kindPublic, mailbox: m.mailbox}
}

func (s *Server) unpublish(h *holder) {
	if h.invitation != nil {
		delete(s.codes, h.locator)
		h.invitation = nil
	}
}

// find answers a question with an invitation.
func (s *Server) find(m message) message {
	h := s.codes[Locator(m.mailbox)]
	if h == nil {
		return message{kind: kindNobody, mailbox: m.mailbox}
	}
	return message{kind: kindFound, mailbox: m.mailbox, body: h.invitation}
}
