package relay

import "github.com/nettplay/nettplay/internal/wire"

// indexFields are those after the header of a datagram about the index. Bodies that are read are parts
// of it.
func (m *message) indexFields(c *wire.Coder) {
	switch m.kind {
	case kindPut, kindKept:
		if c.Reading() {
			m.entries = []Entry{{Key: Locator(m.mailbox)}}
		}
		e := &m.entries[0]
		wire.Big(c, "kind", &e.Kind, 1)
		size := len(e.Body)
		if c.Reading() {
			size = len(c.Bytes())
		}
		e.bodyField(c, size)
		if m.kind == kindKept && e.Body != nil && len(e.Body) != numberSize {
			c.Fail("number", "%d bytes", len(e.Body))
		}
	case kindBrowse, kindPage:
		for _, n := range [...]*uint64{&m.page.epoch, &m.page.next, &m.page.whole} {
			wire.Big(c, "page", n, 8)
		}
		if m.kind == kindPage {
			c.Flags("flags", &m.page.more, &m.page.reset)
			entryFields(c, KindRoom, &m.page.rooms)
		}
	case kindSeek:
		n := len(m.entries)
		if wire.Big(c, "friends", &n, 1); n > maxSeek {
			c.Fail("friends", "%d, not up to %d", n, maxSeek)
			return
		}
		for i := range n {
			if c.Reading() {
				m.entries = append(m.entries, Entry{Kind: KindFriend})
			}
			c.Fixed("key", m.entries[i].Key[:])
		}
	case kindSought:
		entryFields(c, KindFriend, &m.entries)
	default:
		c.Set(errKind)
	}
}

// entryFields are entries of a kind, to the end of the datagram.
func entryFields(c *wire.Coder, of Kind, list *[]Entry) {
	for i := 0; c.Err() == nil; i++ {
		switch {
		case c.Reading() && len(c.Bytes()) > 0:
			*list = append(*list, Entry{Kind: of})
		case c.Reading() || i == len(*list):
			return
		}
		e := &(*list)[i]
		c.Fixed("key", e.Key[:])
		size := len(e.Body)
		wire.Big(c, "size", &size, 2)
		e.bodyField(c, size)
	}
}

// bodyField is the body, which has so many bytes when it is read: none of an entry that is gone.
func (e *Entry) bodyField(c *wire.Coder, size int) {
	if size > 0 {
		c.Part("body", &e.Body, size)
	}
	if c.Reading() {
		c.Set(e.check())
	}
}
