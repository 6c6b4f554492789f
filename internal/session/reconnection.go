package session

import (
	"strings"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// A connection that breaks in the middle of a game is opened again, by the game client.
// The machines' windows of input survive it: a machine that nothing is heard of
// just waits, and goes on where it was.

// redialEvery is the time to wait after an attempt that failed.
const redialEvery = time.Second

// connectionLost takes what the link says of a connection that fell silent.
func (s *session) connectionLost(now time.Time, p link.PeerID, reason string) {
	if _, inRoom := s.machine(p); inRoom {
		s.abrupt = true
	}
	s.room.Lost(now, p, reason)
}

// connectionGone looks for another connection to the game host, until the room gives up.
func (s *session) connectionGone(e event.ConnectionLost) {
	s.Say("%s", e.Words)
	s.hostLost = true
	s.notify(notice.Disconnected{
		Machine: s.gameHost, Nickname: s.nickname(s.gameHost), Words: e.Words, MayGoOn: s.game != nil && s.client.MayGoOn(),
	})
	s.peer = 0
	s.redial()
}

// redial opens another connection to the game host.
func (s *session) redial() {
	wanted := func() bool {
		return s.client != nil && s.client.Reconnecting() && !s.client.Electing() && s.peer == 0
	}
	if !wanted() {
		return
	}
	if shun := time.Until(s.standstill.shun); shun > 0 {
		s.later(shun, s.redial)
		return
	}
	s.dial(s.target(s.gameHost), func(p link.PeerID, err error) bool {
		switch {
		case err != nil:
			s.later(redialEvery, s.redial)
		case !wanted():
			return false
		default:
			s.peer = p
			s.newLine(s.gameHost)
			s.client.Connected(time.Now(), p)
		}
		return true
	})
}

// joinTries is how often a machine that joins its room again tries to connect.
const joinTries = 5

// joinAgain comes into the room again as if for the first time: its game host, who has just answered, does not
// know us any more.
func (s *session) joinAgain(tries int) {
	s.peer = 0
	s.dial(s.target(s.gameHost), func(p link.PeerID, err error) bool {
		switch {
		case s.client == nil:
			return false
		case err == nil:
			s.peer = p
			s.client.Connected(time.Now(), p)
		case tries > 1:
			s.later(redialEvery, func() { s.joinAgain(tries - 1) })
		default:
			s.fail(notice.NotReached(err))
		}
		return true
	})
}

// target is where a machine of the room can be reached: at its addresses, and through the others
// to whom there is a connection.
func (s *session) target(machine int) string {
	var through []string
	r := s.room.Room()
	to, _ := r.Player(machine)
	for _, p := range r.Players {
		if p.Local == 0 && p.Machine != machine && p.Machine != s.me() && to.Key != [32]byte{} && p.Key != [32]byte{} {
			through = append(through, link.Through(p.Key, to.Key))
		}
	}
	if s.joined != [32]byte{} && to.Sign == s.joined { // its number may be another's by now
		return strings.Join(append([]string{s.cfg.Join.Addr}, through...), ",") // first by which we came
	}
	return link.Told(to.Key, append(link.Numeric(s.cfg.Link, to.Addrs), through...)...)
}

// dial opens a connection to a machine, and hands over what came of it. It is closed where use
// returns false.
func (s *session) dial(target string, use func(p link.PeerID, err error) bool) {
	s.Background(func() (func(), func()) {
		p, err := s.cfg.Link.Dial(s.ctx, target)
		drop := func() {
			if err == nil {
				s.cfg.Link.Disconnect(p, "not needed any more")
			}
		}
		return func() {
			if s.over || !use(p, err) {
				drop()
			}
		}, drop
	})
}

// connectionFailed is called when a connection broke again, or was closed because it came at a bad
// moment, before the room took us back.
func (s *session) connectionFailed(p link.PeerID) {
	if s.client != nil && p == s.peer && s.client.Reconnecting() {
		s.peer = 0
		s.later(redialEvery, s.redial)
	}
}

// GoOnWithout does not wait any longer for a player whose connection is gone: for the game host, and for the one
// who takes over the room after it, who gives the game up with that (see notice.Disconnected).
func (c *Control) GoOnWithout(machine int) {
	c.do(func(s *session, now time.Time) error {
		if s.host != nil {
			return s.host.ContinueWithout(now, machine)
		}
		return s.client.GoOn(now)
	})
}
