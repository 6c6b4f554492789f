package app

import (
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/gameview"
	"github.com/nettplay/nettplay/internal/ui/pads"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/sound"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// hub is the I/O hub of a game: it joins pictures, sound and inputs of a session with the
// game view, the sound card, and keys and controllers. It implements GameIO; its other
// methods belong to the main thread.
type hub struct {
	view   *gameview.View
	mapper *pads.Mapper
	player *sound.Player
	main   atomic.Int64 // the seat whose sound plays
	muted  bool         // the consoles hear nothing, since something is open over them
	shoot  bool         // a screenshot of the window is wanted
	replay bool         // the game view shows a recording
	shown  config.Video // how the game view shows consoles, as far as the settings and the memory know
	silent bool         // the player knows that nothing plays sound
	idle   []int        // own consoles that no device plays, of which the player knows
}

// newHub makes a hub that keys and buttons of the settings play.
func newHub(cfg config.Config, store *draw.Store, wake func()) *hub {
	h := &hub{mapper: pads.NewMapper(cfg), shown: cfg.Video}
	h.view = gameview.New(store, h.mapper, wake, gameview.PreferencesOf(cfg))
	h.player, _ = sound.NewPlayer(cfg.Audio) // without a sound card all goes on in silence
	return h
}

// Begin implements GameIO.
func (h *hub) Begin(consoles []gameview.Console, mine []ds.Seat) {
	h.seat(mine)
	h.view.Begin(consoles, mine)
}

// Change implements GameIO.
func (h *hub) Change(consoles []gameview.Console, mine []ds.Seat) {
	h.seat(mine)
	h.view.Change(consoles, mine)
}

// seat takes the player's own consoles: the first one's sound plays, and each gets a device.
func (h *hub) seat(mine []ds.Seat) {
	if len(mine) > 0 {
		h.main.Store(int64(mine[0]))
	}
	h.mapper.Play(len(mine))
}

// Show implements GameIO.
func (h *hub) Show(seat ds.Seat, frame emucore.Frame) {
	if !frame.Again || len(frame.Video.Pix) > 0 { // one that runs again has no picture where a newer one is there
		h.view.Show(seat, frame)
	}
	if int64(seat) == h.main.Load() {
		h.player.Frame(frame.Number, frame.Audio, frame.Again)
	}
}

// Input implements GameIO.
func (h *hub) Input(console int, _ int64) emucore.Input { return h.mapper.Input(int(ds.Seat(console))) }

// Notice implements GameIO.
func (h *hub) Notice(n notice.Notice) { h.view.Notice(n) }

// configure brings changed settings to where they take effect, but for those of the screens: see look.
func (h *hub) configure(before, now config.Config) {
	keys := func(c config.Config) any { return []any{c.Keys, c.Keys2, c.Hotkeys} }
	newKeys := !reflect.DeepEqual(keys(now), keys(before))
	if newKeys || !reflect.DeepEqual(now.Pads, before.Pads) {
		h.mapper.Configure(now)
	}
	if newKeys || now.Pads.Turn != before.Pads.Turn {
		h.view.SetPreferences(h.preferences(now))
	}
	if before.Audio.Speak = now.Audio.Speak; now.Audio != before.Audio { // the voice is not ours
		_ = h.player.Configure(now.Audio) // silence is no reason to stop
	}
}

// preferences returns how the game view looks by the settings. In a recording there is nobody to
// write to, and nothing to press.
func (h *hub) preferences(cfg config.Config) gameview.Preferences {
	cfg.Video = h.shown
	view := gameview.PreferencesOf(cfg)
	if h.replay {
		for _, a := range []gameview.Action{gameview.OpenChat, gameview.Pause, gameview.FastForward, gameview.Record, gameview.Clip} {
			view.Hotkeys[a] = nil
		}
	}
	return view
}

// mute keeps keys and stylus from the consoles while something is open over them,
// or another screen shows.
func (h *hub) mute(s *Shell) {
	r := s.session.Room
	muted := s.Current != screen.Playing || r == nil || r.Run.Menu || s.Keys || s.Question != nil || s.Trouble != nil || s.WhosePad.Asks
	if muted != h.muted {
		h.muted = muted
		h.mapper.Mute(muted)
	}
}

// draw draws the consoles, and does what the player wants of the program.
func (h *hub) draw(u *widgets.UI, s *Shell) {
	h.look(s)
	for _, e := range h.view.Build(u) {
		h.act(s, e)
	}
	if u.Input().Touch && !h.muted && !h.replay && h.view.MenuPlate(u) {
		s.session.ToggleMenu()
	}
	if u.Settling() {
		return
	}
	if h.view.Chatting() {
		s.session.ChatSeen()
	}
	h.tellIdle(s)
	tellKeys(s)
	h.tellSilence(s)
	h.keepLook(s)
	for _, k := range u.Input().Keys {
		if !k.Up && !k.Repeat && !h.muted && contains(s.Config.Hotkeys.Menu, k.Name) {
			s.session.ToggleMenu()
		}
	}
}

// look lets the consoles be shown as the settings say, and as the game that shows has it of its own.
func (h *hub) look(s *Shell) {
	h.keepLook(s)
	if replay, video := s.Current == screen.Watching, s.Video(); replay != h.replay || video != h.shown {
		h.replay, h.shown = replay, video
		h.view.SetPreferences(h.preferences(s.Config))
	}
}

// keepLook remembers what hotkeys, or a controller's buttons, have changed.
func (h *hub) keepLook(s *Shell) {
	now := h.shown
	if h.view.Preferences().Keep(&now); now != h.shown {
		h.shown = now
		s.settings.SetVideo(h.view.Preferences().Keep)
	}
}

func contains(names []string, name string) bool {
	return name != "" && slices.Contains(names, name)
}

// tellIdle says once which console no device plays.
func (h *hub) tellIdle(s *Shell) {
	var idle []int
	of := len(s.local.Names) + 1
	if r := s.session.Room; s.Current == screen.Playing && r != nil {
		of = max(of, r.Local)
		idle = h.mapper.Missing(of)
	}
	for _, n := range idle {
		if !slices.Contains(h.idle, n) {
			s.Say(fmt.Sprintf("Nothing controls console %d of this computer. Its device is “%s”: plug it in, or choose another in the settings, under Controller.",
				n+1, s.settings.DeviceName(s.settings.Device(n, of))))
		}
	}
	h.idle = idle
}

// tellSilence says once in a game, until there was sound again, that nothing plays it.
func (h *hub) tellSilence(s *Shell) {
	if s.NoSound && !h.silent {
		s.SayOf("sound", settings.NoSoundWords)
	}
	h.silent = s.NoSound
}

// tellKeys says once, at the player's first game, how to find out what the keys do.
func tellKeys(s *Shell) {
	help := s.Config.Hotkeys.Help
	if s.Memory.KeysTold || s.Current != screen.Playing || len(help) == 0 {
		return
	}
	s.Say("Press " + s.KeyLabel(help[0]) + " for keys.")
	s.Memory.KeysTold = true
	s.Engine.SaveMemory()
}

// act does what the game view leaves to the program.
func (h *hub) act(s *Shell, e gameview.Event) {
	switch e.Do {
	case gameview.Fullscreen:
		s.settings.Set(func(c *config.Config) { c.Video.Fullscreen = !c.Video.Fullscreen })
	case gameview.Mute:
		s.ToggleSound()
	case gameview.VolumeUp:
		s.Louder(5)
	case gameview.VolumeDown:
		s.Louder(-5)
	case gameview.Pause:
		s.session.Pause(s.session.Room != nil && !s.session.Room.Run.Paused)
	case gameview.FastForward:
		h.player.Fast(e.On)
		s.session.Fast(e.On)
	case gameview.Record:
		s.ToggleRecording()
	case gameview.Clip:
		s.session.Clip()
	case gameview.SendChat:
		s.session.SendChat(e.Text)
	case gameview.Screenshot:
		h.shoot = true
	}
}

// close ends the sound.
func (h *hub) close() {
	h.view.Close()
	h.player.Close()
}
