package relay

import (
	"encoding/binary"
	"fmt"
)

// appendIndex writes what follows the header of a datagram about the index.
func (m message) appendIndex(b []byte, start int) []byte {
	switch m.kind {
	case kindPut, kindKept:
		return append(append(b, byte(m.entries[0].Kind)), m.entries[0].Body...)
	case kindBrowse, kindPage:
		for _, n := range [...]uint64{m.page.epoch, m.page.next, m.page.whole} {
			b = binary.BigEndian.AppendUint64(b, n)
		}
		if m.kind == kindPage {
			return appendEntries(append(b, m.page.flags()), m.page.rooms)
		}
	case kindSeek:
		b = append(b, byte(len(m.entries)))
		for _, e := range m.entries {
			b = append(b, e.Key[:]...)
		}
	case kindSought:
		return appendEntries(b, m.entries)
	}
	return append(b, make([]byte, start+browseSize-len(b))...)
}

func (p page) flags() (f byte) {
	if p.more {
		f |= flagMore
	}
	if p.reset {
		f |= flagReset
	}
	return f
}

func appendEntries(b []byte, list []Entry) []byte {
	for _, e := range list {
		b = binary.BigEndian.AppendUint16(append(b, e.Key[:]...), uint16(len(e.Body)))
		b = append(b, e.Body...)
	}
	return b
}

// decodeIndex reads it. Bodies are parts of b.
func (m *message) decodeIndex(b []byte) (err error) {
	switch m.kind {
	case kindPut, kindKept:
		e := Entry{Kind: Kind(b[0]), Key: Locator(m.mailbox)}
		if len(b) > 1 {
			e.Body = b[1:]
		}
		if err = e.check(); err == nil && m.kind == kindKept && e.Body != nil && len(e.Body) != numberSize {
			err = fmt.Errorf("datagram %#x about %d bytes: %w", m.kind, len(e.Body), errLength)
		}
		m.entries = []Entry{e}
	case kindBrowse, kindPage:
		if len(b) < pageHeader-HeaderSize {
			return fmt.Errorf("page of %d bytes: %w", len(b), errLength)
		}
		for i, n := range [...]*uint64{&m.page.epoch, &m.page.next, &m.page.whole} {
			*n = binary.BigEndian.Uint64(b[8*i:])
		}
		if m.kind == kindPage {
			m.page.more, m.page.reset = b[24]&flagMore != 0, b[24]&flagReset != 0
			m.page.rooms, err = readEntries(KindRoom, b[25:])
		}
	case kindSeek:
		if b[0] > maxSeek {
			return fmt.Errorf("question about %d friends: %w", b[0], errLength)
		}
		for i := range int(b[0]) {
			m.entries = append(m.entries, Entry{Kind: KindFriend, Key: Locator(b[1+12*i:])})
		}
	case kindSought:
		m.entries, err = readEntries(KindFriend, b)
	}
	return err
}

func readEntries(of Kind, b []byte) (list []Entry, err error) {
	for len(b) > 0 {
		if len(b) < len(Locator{})+2 {
			return nil, fmt.Errorf("entry of %d bytes: %w", len(b), errLength)
		}
		e, size := Entry{Kind: of, Key: Locator(b)}, int(binary.BigEndian.Uint16(b[len(Locator{}):]))
		b = b[len(Locator{})+2:]
		if size > len(b) {
			return nil, fmt.Errorf("entry of %d bytes, of which %d are there: %w", size, len(b), errLength)
		}
		if size > 0 {
			e.Body = b[:size:size]
		}
		if err := e.check(); err != nil {
			return nil, err
		}
		list, b = append(list, e), b[size:]
	}
	return list, nil
}
