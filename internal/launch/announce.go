package launch

import (
	"net"
	"net/netip"
	"strconv"

	"github.com/nettplay/nettplay/internal/lan"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// announcing tells the local network of a room, as its notices come, while this machine hosts it.
type announcing struct {
	next     func(notice.Notice)
	about    lan.Beacon // what does not change
	to       []netip.AddrPort
	hosts    bool
	announce *lan.Announcer
}

// Announce announces the room of a session that is about to run, on all local networks or at one address, until
// stop is called: that of a room which is joined once this machine is its game host. It takes over the session's
// Notify.
func Announce(cfg *session.Config, to ...netip.AddrPort) (stop func()) {
	a := &announcing{to: to, next: cfg.Notify, about: lan.Beacon{Wireless: cfg.Core.Wireless, Core: cfg.Core.Name, Program: cfg.Version}}
	if _, port, err := net.SplitHostPort(cfg.Link.Addr()); err == nil {
		a.about.Port, _ = strconv.Atoi(port)
	}
	cfg.Notify = a.notice
	return a.close
}

func (a *announcing) notice(n notice.Notice) {
	switch n := n.(type) {
	case notice.Opened:
		a.hosts, a.about.Password = true, n.Locked
	case notice.RoomNotice:
		if a.hosts {
			a.tell(n)
		}
	}
	a.next(n)
}

// tell tells of the room as it is now.
func (a *announcing) tell(n notice.RoomNotice) {
	about := a.about
	if own, is := n.Room.Player(n.Me); is {
		about.ROM = [8]byte(own.ROM.SHA256[:8])
	}
	b := about.With(n.Room)
	if a.announce == nil {
		// A network that takes no beacon is no reason not to play.
		a.announce, _ = lan.Announce(lan.AnnounceConfig{To: a.to}, b)
	} else {
		a.announce.Set(b)
	}
}

func (a *announcing) close() {
	if a.announce != nil {
		a.announce.Close()
	}
}
