package online

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
)

// seenFor is the time for which a friend is there after the last word.
const seenFor = 20 * time.Second

// friend is one of cfg.Friends.
type friend struct {
	KnownKey
	to, from seal.Drop
	word     Word
	number   uint64
	seen     time.Time
}

// say publishes our word for each friend.
func (s *Service) say(w Word, number uint64) {
	for _, f := range s.met {
		body := w.publish(f.to, number)
		s.index.Put(relay.KindFriend, f.to.Place, func(string, relay.Owner) []byte { return body })
	}
}

// seek looks for the friends' words.
func (s *Service) seek() {
	var places []relay.Locator
	for _, f := range s.met {
		places = append(places, f.from.Place)
	}
	s.index.Seek(places)
}

// hear takes what is published under a friend's place.
func (s *Service) hear(e relay.Entry) {
	for _, f := range s.met {
		if f.from.Place != e.Key {
			continue
		}
		if w, number, err := openWord(f.from, e.Body); err == nil && number >= f.number {
			f.word, f.number, f.seen = w, number, time.Now()
		}
	}
}

// friends are all that are known, those who are there first.
func (s *Service) friends() (list []Friend) {
	for _, f := range s.met {
		now := Friend{Nickname: f.Nickname}
		if time.Since(f.seen) < seenFor {
			now.State, now.Game, now.Invite = f.word.State, f.word.Game, invitation(f.word.Invitation)
		}
		list = append(list, now)
	}
	slices.SortStableFunc(list, func(a, b Friend) int { return int(min(b.State, 1)) - int(min(a.State, 1)) })
	return list
}
