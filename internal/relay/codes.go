package relay

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
