package room

import (
	"slices"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/memory"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// LocalPlayers are the further players at this machine. Each has a console, a save and a
// device; the settings name the first player.
type LocalPlayers struct {
	*Session
	Names []string // in the order of their consoles; some may be no names yet

	host *HostForm
}

// NewLocalPlayers makes the list, without anybody. A room that is to be opened by the form
// gets seats for them.
func NewLocalPlayers(s *Session, form *HostForm) *LocalPlayers {
	return &LocalPlayers{Session: s, host: form}
}

// Add lets one more player play at this machine; in a room, at once.
func (l *LocalPlayers) Add() {
	if len(l.Names) >= memory.MaxLocalPlayers {
		return
	}
	n := len(l.Names) + 1
	name := config.NumberedNickname(l.Config.Player.Nickname, n+1)
	if n <= len(l.Memory.LocalPlayers) {
		name = l.Memory.LocalPlayers[n-1] // the same as last time
	}
	if l.Room == nil { // with a seat for somebody to join
		l.host.Seats = min(max(l.host.Seats, n+2), ds.MaxSeats)
	}
	if r := l.Room; r != nil && r.Hosting && r.Present() >= r.Room.Settings.Seats {
		l.SetSeats(r.Present() + 1)
	}
	l.set(append(slices.Clone(l.Names), name))
}

// Remove takes player n away; 0 is the one after the first player.
func (l *LocalPlayers) Remove(n int) {
	if n < 0 || n >= len(l.Names) {
		return
	}
	devices := l.settings.Devices(len(l.Names) + 1)
	l.settings.Set(func(c *config.Config) { c.Pads.Devices = slices.Delete(devices, n+1, n+2) })
	l.set(slices.Delete(slices.Clone(l.Names), n, n+1))
}

// Rename gives player n a name.
func (l *LocalPlayers) Rename(n int, name string) {
	if n < 0 || n >= len(l.Names) {
		return
	}
	list := slices.Clone(l.Names)
	list[n] = name
	l.set(list)
}

// Problem says why a player cannot have a name; "" for a good name.
func (l *LocalPlayers) Problem(name string) string {
	c := settings.Clone(l.Config)
	c.Player.Nickname = name
	return settings.Problems(c.Validate())["player.nickname"]
}

// set makes these the further players. The session hears of them when each has a name
// that is allowed.
func (l *LocalPlayers) set(names []string) {
	l.Names = names
	for _, name := range names {
		if l.Problem(name) != "" {
			return
		}
	}
	l.Memory.LocalPlayers = append(slices.Clone(names), l.Memory.LocalPlayers[min(len(names), len(l.Memory.LocalPlayers)):]...)
	l.Engine.SaveMemory()
	if l.control != nil && l.Room != nil && l.Room.Room.Phase == room.PhaseLobby {
		l.control.LocalPlayers(l.Names)
	}
}

// Named returns the further players that have a name.
func (l *LocalPlayers) Named() []string {
	return slices.DeleteFunc(slices.Clone(l.Names), func(name string) bool { return l.Problem(name) != "" })
}

// MayAdd tells whether one more player can join at this machine now.
func (l *LocalPlayers) MayAdd() bool {
	r := l.Room
	switch {
	case len(l.Names) >= memory.MaxLocalPlayers:
		return false
	case r == nil || !r.Known:
		return true
	case r.Run.Playing || r.Room.Phase != room.PhaseLobby:
		return false
	case r.Hosting:
		return r.Present() < ds.MaxSeats
	}
	return r.Present() < r.Room.Settings.Seats
}

// Build draws the players at this machine and their devices, to change them.
func (l *LocalPlayers) Build(u *widgets.UI) {
	of := len(l.Names) + 1
	add := widgets.Button{Text: "Add a player on this computer", Name: "add player", Icon: draw.IconPlus, Kind: widgets.Quiet, Disabled: !l.MayAdd(), Do: l.Add}
	if of == 1 {
		u.Start(add)
		return
	}
	u.Card(func() {
		u.Heading("At this computer")
		u.Row(widgets.Cells(widgets.Fill, widgets.Fill, widgets.Control), func() {
			u.Label(widgets.Verbatim(l.Config.Player.Nickname))
			l.settings.DeviceChoice(u, "device 0", 0, of)
			u.Space(0)
		})
		for i := range l.Names {
			if i < len(l.Names) { // one may just have got up
				u.ScopeN(i, func() { l.row(u, i, of) })
			}
		}
		u.Start(add)
	})
}

func (l *LocalPlayers) row(u *widgets.UI, i, of int) {
	up, problem := false, l.Problem(l.Names[i])
	u.Row(widgets.Cells(widgets.Fill, widgets.Fill, widgets.Control), func() {
		name := l.Names[i]
		if e := u.Field(widgets.Field{Name: "name", Icon: draw.IconPerson, Max: 2 * config.MaxNickname, Wrong: problem != "", Forward: true}, &name); e.Changed {
			l.Rename(i, name)
		}
		l.settings.DeviceChoice(u, "device", i+1, of)
		up = u.Button(widgets.Button{Icon: draw.IconTrash, Name: "up", Kind: widgets.Quiet, Tip: "Remove this player"})
	})
	u.Message(widgets.Danger, problem)
	if up {
		l.Remove(i)
	}
}
