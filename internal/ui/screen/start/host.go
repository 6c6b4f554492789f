package start

import (
	"fmt"
	"strings"
	"time"

	"github.com/nettplay/nettplay/config"
	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/room"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Host is the form of a room that the player opens.
type Host struct {
	screen.Base
	Game *library.Game
	Form *room.HostForm
	// Moment is the kept moment from which the room's game goes on; nil: it begins anew.
	Moment *Moment

	More    bool   // all that can be chosen of the room shows
	instead string // the player of the moment whose place ours takes; "" for nobody's

	settings *settings.Screen
	session  *room.Session
	local    *room.LocalPlayers
}

// NewHost makes the screen.
func NewHost(set *settings.Screen, s *room.Session, local *room.LocalPlayers, form *room.HostForm) *Host {
	v := &Host{Base: screen.Base{Shared: s.Shared, ID: screen.Host}, Form: form, settings: set, session: s, local: local}
	v.Fill()
	return v
}

// GoOn shows the form of a room in which a kept moment goes on. Instead is the player of that game
// whose place ours takes; "" where ours was there.
func (v *Host) GoOn(m Moment, instead string) {
	v.Game, v.Moment, v.instead = nil, &m, instead
	v.Fill()
	v.Open()
}

// Fill puts the settings into the form. The password is the new room's own.
func (v *Host) Fill() { *v.Form = room.HostForm{Room: v.Config.Room} }

// OpenRoom opens the room of the form.
func (v *Host) OpenRoom() {
	if v.Game == nil && v.Moment == nil || v.NeedCore() {
		return
	}
	cfg := v.Config
	cfg.Room.Name = strings.TrimSpace(v.Form.Name)
	cfg.Room.Seats, cfg.Room.Delay, cfg.Room.LateJoin = v.Form.Seats, v.Form.Delay, v.Form.LateJoin
	cfg.Room.AutoDelay, cfg.Room.Sync = v.Form.AutoDelay, v.Form.Sync
	cfg.Room.Spectators, cfg.Room.SpectateDelay = v.Form.Spectators, v.Form.SpectateDelay
	if err := cfg.Validate(); err != nil {
		v.Trouble = &screen.Trouble{Title: "The room cannot be opened like this", Words: v.settings.ProblemWords(err)}
		return
	}
	v.Config = cfg
	v.Engine.SaveSettings()
	form, game, open := *v.Form, v.Game, room.OpenSession{}
	if m := v.Moment; m != nil {
		open.Moment = m.Path
		if v.instead != "" {
			open.Places = []string{v.instead}
		}
	} else {
		open.LocalPlayers = v.local.Named()
	}
	open.Host, open.Game = &form, game
	v.session.Enter(room.Room{Hosting: true, Game: game, Password: form.Password != "", Port: cfg.Net.Port}, open, v.OpenRoom)
}

// Build implements screen.Screen.
func (v *Host) Build(u *widgets.UI) {
	f := v.Form
	v.Page(u, "Open a room", 620, func() {
		u.Scroll("form", 0, func() {
			v.GameCard(u, v.Game)
			v.momentCard(u)
			if v.Moment == nil { // which has its core
				v.session.WarnDeaf(u)
			}
			u.Card(func() {
				screen.Labelled(u, "Room name", "", func() {
					u.Field(widgets.Field{Name: "name", Hint: v.Config.Player.Nickname + "'s room", Max: 40, Forward: true}, &f.Name)
				})
				if v.Moment == nil {
					screen.Labelled(u, "Players", "", func() { screen.Number(u, "players", &f.Seats, 2, 16) })
				}
				screen.Labelled(u, "Password", "Players need it to join. Leave it empty to let everybody in.", func() {
					u.Field(widgets.Field{Name: "password", Hint: "none", Secret: true, Max: 64, Forward: true}, &f.Password)
				})
			})
			if v.Moment == nil && len(v.local.Names) > 0 {
				v.local.Build(u)
			}
			v.moreOf(u, f)
		})
	}, func() {
		u.Bar(func() { u.Small(portWords(v.Config.Net.Port)) },
			widgets.Button{Text: "Open the room", Name: "open", Kind: widgets.Primary, Do: v.OpenRoom})
	})
}

// moreOf draws what hardly anybody changes of a room, or what it is like without it.
func (v *Host) moreOf(u *widgets.UI, f *room.HostForm) {
	icon := draw.IconRight
	if v.More {
		icon = draw.IconDown
	}
	u.Start(widgets.Button{Text: "More", Name: "more", Icon: icon, Kind: widgets.Quiet, Do: func() { v.More = !v.More }})
	if !v.More {
		u.Note(v.asUsual(f))
		return
	}
	u.Card(func() {
		v.delay(u, f)
		v.sync(u, f)
	})
	v.openness(u, f)
	if v.Moment == nil && len(v.local.Names) == 0 {
		v.local.Build(u)
	}
	public := v.Config.Room.Announce
	v.everybody(u)
	if u.Check(widgets.Check{Text: "Show the room to others on the local network"}, &public) {
		v.settings.Set(func(c *config.Config) { c.Room.Announce = public })
	}
}

// sync chooses what becomes of a bad connection.
func (v *Host) sync(u *widgets.UI, f *room.HostForm) {
	now := v.syncOf(f)
	screen.Labelled(u, "On a bad connection", room.SyncWords(now), func() {
		room.SyncChoice(u, now, v.Core.NoRollback, func(sync string) { f.Sync = sync })
	})
	if v.Core.NoRollback {
		u.Note(room.NoRollbackWords)
	}
}

// syncOf is how the room will keep together: a core that does not bear rollback has everyone wait, whatever the settings
// say, which stay for other cores.
func (v *Host) syncOf(f *room.HostForm) string {
	if v.Core.NoRollback && f.Sync == config.Rollback {
		return config.Lockstep
	}
	return f.Sync
}

// asUsual says in short what the room is like beyond the form.
func (v *Host) asUsual(f *room.HostForm) string {
	words := []string{"The input delay adjusts itself"}
	if autodelay.Named(f.AutoDelay) == autodelay.Off {
		words[0] = "Input delay: " + phrase.Count(f.Delay, "frame")
	}
	switch v.syncOf(f) {
	case config.Clocked:
		words = append(words, "nobody waits for a bad connection")
	case config.Rollback:
		words = append(words, "presses are felt at once")
	}
	switch {
	case f.Spectators > 0:
		words = append(words, "up to "+phrase.Count(f.Spectators, "spectator"))
	default:
		words = append(words, "no spectators")
	}
	if f.LateJoin {
		words = append(words, "others may join during the game")
	}
	switch relays := len(v.Config.Net.Relays) > 0; {
	case f.Open && relays:
		words = append(words, "anyone can find the room")
	case v.Config.Room.Announce:
		words = append(words, "shown on the local network")
	default:
		words = append(words, "shown to nobody")
	}
	return strings.Join(words, ", ") + "."
}

// portWords names a port that is not the usual one: a router or a firewall may have to know it.
func portWords(port int) string {
	if port == config.DefaultPort {
		return ""
	}
	return fmt.Sprintf("UDP port %d", port)
}

// delay chooses a preset of the automatic input delay, or a number.
func (v *Host) delay(u *widgets.UI, f *room.HostForm) {
	auto, sync := autodelay.Named(f.AutoDelay), hostroom.SyncNamed(f.Sync)
	screen.Labelled(u, "Input delay", room.AutoWords(auto, sync), func() { room.AutoChoice(u, auto, func(p autodelay.Preset) { f.AutoDelay = p.String() }) })
	if auto == autodelay.Off {
		screen.Labelled(u, "", phrase.Count(f.Delay, "frame")+". "+room.DelayWords(f.Delay, sync)+" In the room, nettplay measures the pings and suggests one.", func() {
			screen.Number(u, "delay", &f.Delay, 0, 30)
		})
	}
}

// everybody lists the room at the relays, or not.
func (v *Host) everybody(u *widgets.UI) {
	relays := len(v.Config.Net.Relays) > 0
	open := v.Form.Open && relays
	if u.Check(widgets.Check{Text: "Anyone can find this room", Name: "everybody", Disabled: !relays}, &open) {
		v.Form.Open = open
	}
	if relays {
		u.Note("Under Play online, all who use your relays see its name, your nickname, the game and the free seats, and can join if they know the password or there is none.")
	} else {
		u.Note("For this you need a relay: see Settings, Network.")
	}
}

// momentCard draws the moment from which the game goes on.
func (v *Host) momentCard(u *widgets.UI) {
	m := v.Moment
	if m == nil {
		return
	}
	u.Card(func() {
		screen.Pictured(u, m.thumb, draw.IconClock, m.Title(), m.About()+" · "+m.Played())
		u.Note("The game continues from here. Its players have the seats they had; each needs the same nickname.")
	})
}

// openness draws what the room allows: late joiners and spectators.
func (v *Host) openness(u *widgets.UI, f *room.HostForm) {
	u.Card(func() {
		screen.Labelled(u, "Late joining", "", func() {
			u.Check(widgets.Check{Text: "others may join a running game", Name: "late"}, &f.LateJoin)
		})
		screen.Labelled(u, "Spectators", spectatorWords(f.Spectators), func() { screen.Number(u, "spectators", &f.Spectators, 0, hostroom.MaxSpectators) })
		if f.Spectators > 0 {
			screen.Labelled(u, "Their delay", "", func() {
				screen.DelayChoice(u, "behind", int(f.SpectateDelay.Seconds()), func(seconds int) {
					f.SpectateDelay = time.Duration(seconds) * time.Second
				})
			})
		}
	})
}

func spectatorWords(n int) string {
	if n == 0 {
		return "Nobody may watch."
	}
	return "They see all consoles a little later. Nobody waits for them."
}
