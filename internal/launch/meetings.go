package launch

import (
	"fmt"
	"sync"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/knownkeys"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// Meetings say when a player of a room comes with another key than last time, and remember
// the keys of all. One session uses them.
type Meetings struct {
	book *knownkeys.Book
	met  map[string]seal.Public // in this session, by nickname; the session's goroutine owns it
	jobs sync.WaitGroup
	// trouble is the reason why nobody is known; nil when it is said, or there is none.
	trouble error
}

// NewMeetings are those of this installation.
func NewMeetings() *Meetings {
	m := &Meetings{book: &knownkeys.Book{}, met: map[string]seal.Public{}}
	places, err := config.Data()
	if err == nil {
		m.book, err = knownkeys.Open(places.KnownKeys)
	}
	m.trouble = err
	return m
}

// Notified is a session's Notify that also says whose key is another one.
func (m *Meetings) Notified(next func(notice.Notice)) func(notice.Notice) {
	return func(n notice.Notice) {
		next(n)
		if n, ok := n.(notice.RoomNotice); ok {
			m.look(n, next)
		}
	}
}

// Close returns when the keys are written.
func (m *Meetings) Close() { m.jobs.Wait() }

func (m *Meetings) look(n notice.RoomNotice, tell func(notice.Notice)) {
	news := false
	for _, p := range n.Room.Players {
		key := seal.Public(p.Key)
		if !p.Present || p.Machine == n.Me || p.Local > 0 || key.IsZero() || m.met[p.Nickname] == key {
			continue
		}
		m.met[p.Nickname], news = key, true
		if m.book.Meet(p.Nickname, key) == knownkeys.Changed {
			tell(notice.Message{Text: fmt.Sprintf("%s has another key than last time: another computer, or somebody else", p.Nickname)})
		}
	}
	if news {
		if m.trouble != nil {
			tell(notice.Message{Text: m.trouble.Error()})
			m.trouble = nil
		}
		m.jobs.Go(func() { _ = m.book.Save() }) // without, a key is new another time
	}
}

// Fingerprint is this installation's key, in a form that people compare; "" for none that
// can be kept.
func Fingerprint() string {
	if k := key().Public(); !k.IsZero() {
		return k.Fingerprint()
	}
	return ""
}
