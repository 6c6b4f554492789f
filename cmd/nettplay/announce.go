package main

import (
	"net"
	"net/netip"
	"os"
	"strconv"

	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/lan"
	"github.com/nettplay/nettplay/internal/session"
)

// announceVariable names the one address that rooms are announced at, instead of all
// local networks, for tests.
const announceVariable = "NETTPLAY_ANNOUNCE_TO"

// announcing tells the local network of a room that is hosted in a terminal, as the
// window does.
type announcing struct {
	next     func(session.Notice)
	about    lan.Beacon // what does not change
	to       []netip.AddrPort
	announce *lan.Announcer
}

// announced lets a session's room be announced until the returned function is called.
func announced(cfg *session.Config) (stop func()) {
	a := &announcing{next: cfg.Notify, about: lan.Beacon{
		ROM: [8]byte(cfg.ROM.SHA256[:8]), Password: cfg.Host.Password != "", Wireless: cfg.Core.Wireless,
		Core: cfg.Core.Name, Program: cfg.Version,
	}}
	if at, err := netip.ParseAddrPort(os.Getenv(announceVariable)); err == nil {
		a.to = []netip.AddrPort{at}
	}
	if _, port, err := net.SplitHostPort(cfg.Link.Addr()); err == nil {
		a.about.Port, _ = strconv.Atoi(port)
	}
	cfg.Notify = a.notice
	return a.close
}

func (a *announcing) notice(n session.Notice) {
	if r, ok := n.(session.RoomNotice); ok {
		a.room(r.Room)
	}
	a.next(n)
}

// room announces the room as it is now.
func (a *announcing) room(r host.Room) {
	b := a.about.With(r)
	if a.announce != nil {
		a.announce.Set(b)
		return
	}
	// A network that takes no beacon is no reason not to play.
	a.announce, _ = lan.Announce(lan.AnnounceConfig{To: a.to}, b)
}

func (a *announcing) close() {
	if a.announce != nil {
		a.announce.Close()
	}
}
