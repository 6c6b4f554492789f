package app

import (
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/gameview"
	"github.com/nettplay/nettplay/internal/ui/pads"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/sound"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// board joins what a session gives and wants (pictures, sound, inputs) with the
// stage, the sound card, and keys and controllers. It is the Stage of a session;
// what is not one of that interface's methods belongs to the main thread.
type hub struct {
	stage  *gameview.Stage
	mapper *pads.Mapper
	player *sound.Player
	main   atomic.Int64 // the seat that is heard
	muted  bool         // the consoles hear nothing, since something is open over them
	shoot  bool         // a picture of the window is wanted
	replay bool         // the stage shows a recording
	idle   []int        // own consoles that no device plays, as told
}

// newHub makes a board that is played with the keys and buttons of the settings.
func newHub(cfg config.Config, store *draw.Store, wake func()) *hub {
	b := &hub{mapper: pads.NewMapper(cfg.Keys, cfg.Pads)}
	b.stage = gameview.New(store, b.mapper, wake, viewOfSettings(cfg))
	b.player, _ = sound.NewPlayer(soundOf(cfg)) // without a sound card all goes on in silence
	return b
}

func soundOf(cfg config.Config) sound.Config {
	a := cfg.Audio
	return sound.Config{Enabled: a.Enabled, Volume: a.Volume, Latency: a.Latency, Device: a.Device}
}

// viewOfSettings is how the stage looks. Its menu is ours: see View.menu.
func viewOfSettings(cfg config.Config) gameview.View {
	v := gameview.ViewOf(cfg)
	delete(v.Hotkeys, gameview.OpenMenu)
	return v
}

// Begin implements Stage.
func (b *hub) Begin(seats []gameview.Seat, mine []int) {
	b.seat(mine)
	b.stage.Begin(seats, mine)
}

// Change implements Stage.
func (b *hub) Change(seats []gameview.Seat, mine []int) {
	b.seat(mine)
	b.stage.Change(seats, mine)
}

// seat says which consoles are the player's: whose sound is heard, and for how many the
// devices are.
func (b *hub) seat(mine []int) {
	if len(mine) > 0 {
		b.main.Store(int64(mine[0]))
	}
	b.mapper.Play(len(mine))
}

// Show implements Stage.
func (b *hub) Show(seat int, frame emucore.Frame) {
	b.stage.Show(seat, frame)
	if int64(seat) == b.main.Load() {
		b.player.Frame(frame.Audio)
	}
}

// Input implements Stage.
func (b *hub) Input(console int, _ int64) emucore.Input { return b.mapper.Input(console) }

// Notice implements Stage.
func (b *hub) Notice(n session.Notice) { b.stage.Notice(n) }

// configure brings changed settings to where they take effect.
func (b *hub) configure(before, now applied, cfg config.Config) {
	keys := !reflect.DeepEqual(now.keys, before.keys)
	if keys || !reflect.DeepEqual(now.pads, before.pads) {
		b.mapper.Configure(cfg.Keys, cfg.Pads)
	}
	if keys || now.video != before.video {
		b.stage.SetView(b.view(cfg))
	}
	if now.audio != before.audio {
		_ = b.player.Configure(soundOf(cfg)) // silence is no reason to stop
	}
}

// view is how the stage is to look by the settings. In a recording there is nobody to
// write to, and nothing to press.
func (b *hub) view(cfg config.Config) gameview.View {
	view := viewOfSettings(cfg)
	if b.replay {
		for _, a := range []gameview.Action{gameview.OpenChat, gameview.Pause, gameview.FastForward, gameview.Record} {
			delete(view.Hotkeys, a)
		}
	}
	return view
}

// mute keeps keys and stylus from the consoles while something is open over them,
// or another screen shows.
func (b *hub) mute(m *Shell) {
	r := m.session.Room
	muted := m.Current != screen.Playing || r == nil || r.Run.Menu || m.Question != nil || m.Trouble != nil
	if muted != b.muted {
		b.muted = muted
		b.mapper.Mute(muted)
	}
}

// draw draws the consoles, and does what the player wants of the program.
func (b *hub) draw(u *widgets.UI, m *Shell) {
	if replay := m.Current == screen.Watching; replay != b.replay {
		b.replay = replay
		b.stage.SetView(b.view(m.Config))
	}
	for _, e := range b.stage.Build(u) {
		b.act(m, e)
	}
	if u.Settling() {
		return
	}
	b.tellIdle(m)
	kept := m.Config
	if b.stage.View().Keep(&kept); kept.Video != m.Config.Video { // by a hotkey
		m.settings.Set(b.stage.View().Keep)
	}
	for _, k := range u.Input().Keys {
		if !k.Up && !k.Repeat && !b.muted && contains(m.Config.Hotkeys.Menu, k.Name) {
			m.session.ToggleMenu()
		}
	}
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name && n != "" {
			return true
		}
	}
	return false
}

// tellIdle says whose console nothing plays, once.
func (b *hub) tellIdle(m *Shell) {
	idle := b.mapper.Missing(len(m.local.Names) + 1)
	if m.Current != screen.Playing || m.session.Room == nil || m.session.Room.Local > 0 {
		idle = nil
	}
	for _, n := range idle {
		if !slices.Contains(b.idle, n) {
			m.Say("No device plays console " + fmt.Sprint(n+1) + " of this machine: plug in " + m.settings.Device(n, len(m.local.Names)+1) + ", or choose another in the settings, under Controller.")
		}
	}
	b.idle = idle
}

// act does what the stage leaves to the program.
func (b *hub) act(m *Shell, e gameview.Event) {
	switch e.Do {
	case gameview.Fullscreen:
		m.ToggleFullscreen()
	case gameview.Mute:
		m.ToggleSound()
	case gameview.VolumeUp:
		m.Louder(5)
	case gameview.VolumeDown:
		m.Louder(-5)
	case gameview.Pause:
		m.session.Pause(m.session.Room != nil && !m.session.Room.Run.Paused)
	case gameview.FastForward:
		b.player.Fast(e.On)
		m.session.Fast(e.On)
	case gameview.Record:
		m.ToggleRecording()
	case gameview.Settings:
		m.Go(screen.Settings)
	case gameview.SendChat:
		m.session.SendChat(e.Text)
	case gameview.Leave:
		m.session.AskLeave()
	case gameview.Screenshot:
		b.shoot = true
	}
}

// close ends the sound.
func (b *hub) close() {
	b.stage.Close()
	b.player.Close()
}
