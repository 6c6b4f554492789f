package launch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/online"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// Online returns the settings of a service for open rooms and friends. It browses no rooms and takes
// all for playable with one of some cores; the caller sets Browse, Have and Tell.
func (m Machine) Online(cores []emucore.Core) online.Config {
	cfg := online.Config{Relays: m.Settings.Net.Relays, Own: m.Settings.Net.Relays, Bind: m.Settings.Net.Bind, Here: m.Helping.Here, HasCore: func(build [32]byte) bool {
		return slices.ContainsFunc(cores, func(c emucore.Core) bool { return c.SHA256 == build })
	}}
	if !m.Settings.Net.Friends {
		return cfg
	}
	if places, err := config.Data(); err == nil {
		if book, err := online.OpenKnownKeys(places.KnownKeys); err == nil {
			cfg.Key, cfg.Friends = key(), book.Latest(relay.MaxFriends)
		}
	}
	return cfg
}

// Appearing lets others know of a session while it runs.
type Appearing struct {
	from    online.Config
	service *online.Service // nil: nobody is let know
	life    context.Context
	cancel  context.CancelFunc
	jobs    sync.WaitGroup
	next    func(notice.Notice)
	key     seal.Public
	open    bool          // the room is listed, and ours
	listed  atomic.Bool   // the same, for the service
	about   relay.Listing // what does not change
}

// Appear lets others know of a session that is about to run, until Close: everybody of a room that
// Room.Open lists, and friends, by Net.Friends, that this player is there. A listed room stays in the list when
// this machine becomes its game host. tell is told how it stands with the relays of a room that
// is listed, on another goroutine. It takes
// over the session's Notify, and fails if a room is to be listed and there is no relay.
func (m Machine) Appear(cfg *session.Config, tell func(online.View)) (*Appearing, error) {
	a := &Appearing{next: cfg.Notify, from: m.Online(nil), about: relay.Listing{Core: cfg.Core.Name, Version: cfg.Core.Version, CoreBuild: cfg.Core.SHA256}}
	if tell != nil {
		a.from.Tell = func(v online.View) {
			if a.listed.Load() {
				tell(v)
			}
		}
	}
	a.life, a.cancel = context.WithCancel(context.Background())
	l, networked := cfg.Link.(*udp.Link)
	if !networked {
		return a, nil
	}
	a.key = l.Key()
	cfg.Notify = a.notice
	if cfg.Host != nil && m.Settings.Room.Open {
		return a, a.list(cfg.Host.Door, cfg.Host.Password != "")
	}
	if m.Settings.Net.Friends && len(a.from.Relays) > 0 {
		return a, a.start()
	}
	return a, nil
}

// list begins to list our room.
func (a *Appearing) list(door room.Door, locked bool) error {
	a.open, a.about.Locked = true, locked
	a.listed.Store(true)
	if a.service == nil { // else it speaks to the relays of the settings, as it has begun to
		a.from.Relays = boundRelays(append(slices.Clone(door.Relays), a.from.Relays...)...)
	}
	// No address: everybody can read this, and the relay brings players together.
	a.about.Invitation = invite.Invitation{Secret: door.Secret, Key: a.key, Relays: a.from.Relays}.Bytes()
	return a.start()
}

// start begins the service, if it has not begun.
func (a *Appearing) start() error {
	if a.service != nil {
		return nil
	}
	service, err := online.New(a.from)
	if err != nil {
		return fmt.Errorf("the room cannot be listed: %w", err)
	}
	a.service = service
	a.jobs.Go(func() { _ = service.Run(a.life) }) // without a network the room tells what is wrong
	return nil
}

// Close withdraws what others were let know. It may be called twice.
func (a *Appearing) Close() {
	a.cancel()
	a.jobs.Wait()
}

func (a *Appearing) notice(n notice.Notice) {
	switch n := n.(type) {
	case notice.Opened:
		if n.Door.Listed && !a.open && a.life.Err() == nil {
			_ = a.list(n.Door, n.Locked) // without a relay, the room goes on unlisted
		}
	case notice.RoomNotice:
		if a.service == nil {
			break
		}
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

// EnterTime is the time that a room of a quick match has to let a player in: longer than that takes by
// WebSocket, with the time in which UDP is tried first.
const EnterTime = 10 * time.Second

// Enter runs a session that joins a room, and gives up if it is not in the room after EnterTime. entered tells
// whether it was; if not, err says why.
func Enter(ctx context.Context, cfg session.Config) (report notice.Report, entered bool, err error) {
	trying, giveUp := context.WithCancel(ctx)
	defer giveUp()
	late := time.AfterFunc(EnterTime, giveUp)
	defer late.Stop()
	next := cfg.Notify
	cfg.Notify = func(n notice.Notice) {
		if _, there := n.(notice.RoomNotice); there {
			entered = entered || late.Stop() // false: it was too late
		}
		if next != nil {
			next(n)
		}
	}
	report, err = session.Run(trying, cfg)
	if !entered && trying.Err() != nil && ctx.Err() == nil {
		err = &notice.Failure{Result: notice.ResultLost, Err: errors.New("it does not answer")}
	}
	return report, entered, err
}

// NextRoom reports whether a quick match tries another room after one that it could not enter: there is nothing
// wrong with this machine.
func NextRoom(err error) bool {
	f, ok := errors.AsType[*notice.Failure](err)
	return ok && (f.Refused || f.Result == notice.ResultLost)
}
