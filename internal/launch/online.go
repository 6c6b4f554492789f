package launch

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/knownkeys"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/online"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// Online returns the settings of a service for open rooms and friends. It browses no rooms and takes
// all for playable with one of some cores; the caller sets Browse, Have and Tell.
func (m Machine) Online(cores []emucore.Core) online.Config {
	cfg := online.Config{Relays: m.Settings.Net.Relays, Bind: m.Settings.Net.Bind, HasCore: func(build [32]byte) bool {
		return slices.ContainsFunc(cores, func(c emucore.Core) bool { return c.SHA256 == build })
	}}
	if !m.Settings.Net.Friends {
		return cfg
	}
	if places, err := config.Data(); err == nil {
		if book, err := knownkeys.Open(places.KnownKeys); err == nil {
			cfg.Key, cfg.Friends = key(), book.Latest(relay.MaxFriends)
		}
	}
	return cfg
}

// Appearing lets others know of a session while it runs.
type Appearing struct {
	service *online.Service // nil: nobody is let know
	cancel  context.CancelFunc
	jobs    sync.WaitGroup
	next    func(notice.Notice)
	open    bool
	about   relay.Listing // what does not change
}

// Appear lets others know of a session that is about to run, until Close: everybody of a room that
// Room.Open lists, and friends, by Net.Friends, that this player is there. tell is told how it
// stands with the relays, on another goroutine. It takes over the session's Notify, and fails if a room
// is to be listed and there is no relay.
func (m Machine) Appear(cfg *session.Config, tell func(online.View)) (*Appearing, error) {
	a := &Appearing{next: cfg.Notify, cancel: func() {}}
	l, networked := cfg.Link.(*udp.Link)
	a.open = networked && cfg.Host != nil && m.Settings.Room.Open
	if !networked || !a.open && (!m.Settings.Net.Friends || len(m.Settings.Net.Relays) == 0) {
		return a, nil
	}
	from := m.Online(nil)
	from.Tell = tell
	service, err := online.New(from)
	if err != nil {
		return a, fmt.Errorf("the room cannot be listed: %w", err)
	}
	if a.open {
		a.about = relay.Listing{
			Locked: cfg.Host.Password != "", Core: m.Core.Name, Version: m.Core.Version, CoreBuild: m.Core.SHA256,
			// No address: everybody can read this, and the relay brings players together.
			Invitation: invite.Invitation{Secret: cfg.Host.Door.Secret, Key: l.Key(), Relays: m.Settings.Net.Relays}.Bytes(),
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	a.service, a.cancel = service, cancel
	a.jobs.Go(func() { _ = service.Run(ctx) }) // without a network the room tells what is wrong
	cfg.Notify = a.notice
	return a, nil
}

// Close withdraws what others were let know. It may be called twice.
func (a *Appearing) Close() {
	a.cancel()
	a.jobs.Wait()
}

func (a *Appearing) notice(n notice.Notice) {
	if n, ok := n.(notice.RoomNotice); ok {
		l, w := a.describe(n.Room, n.Me)
		a.service.Say(w)
		if a.open {
			a.service.List(l)
		}
	}
	a.next(n)
}

// describe returns what others may know of a room; the listing is nil of one that is over.
func (a *Appearing) describe(r room.Room, me int) (*relay.Listing, online.Word) {
	l, w := a.about, online.Word{State: online.InLobby, Invitation: a.about.Invitation}
	l.Room, l.Seats, l.Free = r.Settings.Room, r.Settings.Seats, r.Settings.Seats
	for _, p := range r.Players {
		if p.Present {
			l.Free--
		}
	}
	if p, is := r.Player(r.Host); is {
		l.Host, l.Game, l.ROM = p.Nickname, p.ROM.Title, p.ROM.SHA256
	}
	if p, is := r.Player(me); is {
		w.Game = p.ROM.Title
	}
	if l.Playing = r.Phase != room.PhaseLobby; l.Playing {
		w.State = online.Playing
		if r.Settings.NoLateJoin {
			l.Free = 0
		}
	}
	l.Free = max(l.Free, 0)
	if r.Phase == room.PhaseClosed || r.Phase == room.PhaseJoining {
		return nil, online.Word{State: online.There}
	}
	return &l, w
}
