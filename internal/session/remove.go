package session

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// Kick removes the player of a seat from the room, and bans them with ban; for the game host.
func (c *Control) Kick(seat ds.Seat, why string, ban bool) {
	c.asHost(func(s *session, now time.Time) error { return s.host.Kick(now, seat, why, ban) })
}

// KickSpectator removes a spectator, by number, and bans them with ban; for the game host.
func (c *Control) KickSpectator(number int, why string, ban bool) {
	c.asHost(func(s *session, now time.Time) error { return s.host.KickSpectator(now, number, why, ban) })
}

// Remove removes a player or a spectator whom the player names, in capitals or small letters, and bans them with ban;
// for the game host.
func (c *Control) Remove(nickname string, ban bool) {
	c.asHost(func(s *session, now time.Time) error {
		r := s.host.Room()
		for _, p := range r.Players {
			if p.Present && p.Machine != s.me() && strings.EqualFold(p.Nickname, nickname) {
				return s.host.Kick(now, p.Seat, "", ban)
			}
		}
		for _, o := range r.Spectators {
			if strings.EqualFold(o.Nickname, nickname) {
				return s.host.KickSpectator(now, o.Number, "", ban)
			}
		}
		return fmt.Errorf("nobody else in the room is called %q", nickname)
	})
}

// Pardon lets an installation come again that is banned; for the game host.
func (c *Control) Pardon(key [32]byte) {
	c.asHost(func(s *session, now time.Time) error { return s.host.Pardon(now, key) })
}

// PardonName is Pardon for all who had a nickname.
func (c *Control) PardonName(nickname string) {
	c.asHost(func(s *session, now time.Time) error {
		var names []string
		found := false
		for _, b := range s.host.Banned() {
			if strings.EqualFold(b.Nickname, nickname) {
				found = true
				if err := s.host.Pardon(now, b.Key); err != nil {
					return err
				}
			}
			names = append(names, b.Nickname)
		}
		switch {
		case found:
			return nil
		case len(names) == 0:
			return fmt.Errorf("nobody is banned")
		}
		return fmt.Errorf("nobody called %q is banned; these are: %s", nickname, phrase.List(names))
	})
}

// tellBanned tells the game host's player whom the room keeps out, when that has changed.
func (s *session) tellBanned() {
	if s.host == nil {
		return
	}
	if list := s.host.Banned(); !slices.Equal(list, s.banned) {
		s.banned = list
		s.notify(notice.Banned{List: list})
	}
}
