package app

import (
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/internal/lan"
	"github.com/nettplay/nettplay/internal/online"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/start"
)

// Browse implements start.Engine.
func (e *engine) Browse(on bool) {
	if e.lan.browser != nil {
		if on {
			return
		}
		e.lan.browser.Close()
		e.lan.browser = nil
	}
	if !on {
		return
	}
	var b *lan.Browser
	ready := make(chan struct{})
	b, err := lan.Browse(lan.BrowseConfig{Listen: e.lan.listen, Changed: func() {
		<-ready
		rooms := b.Rooms()
		e.post(func(m *Shell) { m.join.Rooms = rooms })
	}})
	close(ready)
	words := ""
	if err != nil {
		words = screen.Sentence(err.Error())
	}
	e.lan.browser = b
	e.post(func(m *Shell) { m.join.NoRooms, m.join.Rooms = words, nil })
}

// Announce implements room.Engine.
func (e *engine) Announce(b lan.Beacon) {
	if e.lan.announcer != nil {
		e.lan.announcer.Set(b)
		return
	}
	// A network that takes no beacon is no reason not to play.
	e.lan.announcer, _ = lan.Announce(lan.AnnounceConfig{To: e.lan.to}, b)
}

// StopAnnouncing implements room.Engine.
func (e *engine) StopAnnouncing() {
	if e.lan.announcer != nil {
		e.lan.announcer.Close()
		e.lan.announcer = nil
	}
}

// Seek implements start.Engine.
func (e *engine) Seek(what start.Seek) {
	m := e.shell
	e.seeking()
	if !what.On || len(m.Config.Net.Relays) == 0 {
		return
	}
	ctx := e.begin(&e.seeking)
	post := e.during(ctx) // rooms that come too late are of another time
	machine := e.machine()
	cores := append(slices.Clone(m.Core.All), m.Core.Core) // which a room's core is chosen from
	e.jobs.Go(func() {
		cfg := machine.Online(cores)
		cfg.Browse, cfg.Have = what.Rooms, func(rom [32]byte, title string) bool { return e.shelf.List().MayHave(rom[:], title) }
		cfg.Tell = func(v online.View) { post(func(m *Shell) { m.online.See(v) }) }
		s, err := online.New(cfg)
		if err == nil {
			err = s.Run(ctx)
		}
		if err != nil {
			post(func(m *Shell) { m.online.Failed(err) })
		}
	})
}

// AskRooms implements start.Engine.
func (e *engine) AskRooms(rooms []online.Room) {
	net := e.shell.Config.Net
	e.jobs.Go(func() {
		rooms := online.Matches(e.life, rooms, net.Relays, net.Bind)
		e.post(func(m *Shell) { m.online.Matched(rooms) })
	})
}

// listed tells the player once how it stands with the place of the room in the list.
func (e *engine) listed() func(online.View) {
	said := ""
	return func(v online.View) {
		words, good := "", false
		for _, r := range v.Relays {
			switch {
			case r.Kept:
				words, good = "Everybody can find your room now.", true
			case r.Why != "" && !good:
				words = fmt.Sprintf("Your room is not in the list of open rooms: the relay %s says: %s.", r.Name, r.Why)
			}
		}
		if words == said || words == "" {
			return
		}
		said = words
		e.post(func(m *Shell) {
			if good {
				m.Tell(words)
			} else {
				m.Say(words)
			}
		})
	}
}
