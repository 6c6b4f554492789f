package launch

import (
	"fmt"
	"sync"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/online"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// Meetings say when a player of a room comes with another key than last time, and remember
// the keys of all. One session uses them.
type Meetings struct {
	book *online.KnownKeys
	met  map[string]seal.Public // in this session, by nickname; the session's goroutine owns it
	jobs sync.WaitGroup

	mu      sync.Mutex // guards what follows
	due     []online.KnownKey
	working bool  // a goroutine has the book compare those who are due
	trouble error // why nobody is known; nil when it is said, or there is none
}

// NewMeetings are those of this installation.
func NewMeetings() *Meetings {
	m := &Meetings{book: &online.KnownKeys{}, met: map[string]seal.Public{}}
	places, err := config.Data()
	if err == nil {
		m.book, err = online.OpenKnownKeys(places.KnownKeys)
	}
	m.trouble = err
	return m
}

// Notified is a session's Notify that also says whose key is another one: by tell, on a goroutine
// of its own, for the book waits for the disk.
func (m *Meetings) Notified(tell func(text string), next func(notice.Notice)) func(notice.Notice) {
	return func(n notice.Notice) {
		next(n)
		if n, ok := n.(notice.RoomNotice); ok {
			m.update(n, tell)
		}
	}
}

// Close returns when the keys are written.
func (m *Meetings) Close() { m.jobs.Wait() }

func (m *Meetings) update(n notice.RoomNotice, tell func(text string)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range n.Room.Players {
		key := seal.Public(p.Key)
		if !p.Present || p.Machine == n.Me || p.Local > 0 || key.IsZero() || m.met[p.Nickname] == key {
			continue
		}
		m.met[p.Nickname] = key
		m.due = append(m.due, online.KnownKey{Nickname: p.Nickname, Key: key})
	}
	if len(m.due) > 0 && !m.working {
		m.working = true
		m.jobs.Go(func() { m.work(tell) })
	}
}

// work has the book compare who is due, one after the other as they came.
func (m *Meetings) work(tell func(text string)) {
	for {
		m.mu.Lock()
		list, trouble := m.due, m.trouble
		m.due, m.trouble, m.working = nil, nil, len(list) > 0
		m.mu.Unlock()
		if len(list) == 0 {
			return
		}
		if trouble != nil {
			tell(trouble.Error())
		}
		for _, f := range list {
			if how, _ := m.book.Meet(f.Nickname, f.Key); how == online.KeyChanged { // unwritten, a key is new another time
				tell(fmt.Sprintf("%s has another key than last time: another computer, or somebody else", f.Nickname))
			}
		}
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
