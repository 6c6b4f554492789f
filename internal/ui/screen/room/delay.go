package room

import (
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// AutoChoice chooses a preset of the automatic input delay, or a number.
func AutoChoice(u *widgets.UI, now autodelay.Preset, set func(autodelay.Preset)) {
	screen.Choose(u, widgets.Choice{Name: "auto delay", Options: []string{"Fixed", "Auto: trading", "Auto: party", "Auto: racing"}},
		[]autodelay.Preset{autodelay.Off, autodelay.Trading, autodelay.Party, autodelay.Racing}, now, set)
}

// AutoWords says what a preset means to a player, "" for a number.
func AutoWords(p autodelay.Preset, sync room.Sync) string {
	if p == autodelay.Off {
		return ""
	}
	longest := ds.FrameTime(int64(p.Cap())).Round(time.Millisecond).Milliseconds()
	if sync == room.Clocked {
		return fmt.Sprintf("The delay is chosen from the pings when the game begins, up to %d frames (%d ms).", p.Cap(), longest)
	}
	if sync == room.Rollback {
		return fmt.Sprintf("Only what a connection needs beyond the frames that the computers guess delays presses. nettplay adjusts that while you play, up to %d frames (%d ms).", p.Cap(), longest)
	}
	aim := map[autodelay.Preset]string{
		autodelay.Trading: "hardly any press comes late",
		autodelay.Party:   "1 press in 2,000 comes late",
		autodelay.Racing:  "1 press in 500 comes late",
	}[p]
	return fmt.Sprintf("Each press takes effect some frames later, on every computer. nettplay adjusts the delay while you play, so that %s, up to %d frames (%d ms).", aim, p.Cap(), longest)
}

// delay shows the input delay, its meaning, and a suggestion by the pings.
func (v *Lobby) delay(u *widgets.UI, r *Room) {
	s := r.Room.Settings
	switch {
	case s.AutoDelay == autodelay.Off:
		v.delayByHand(u, r, s.Delay, s.Sync)
	case r.Hosting:
		screen.Labelled(u, "Input delay", AutoWords(s.AutoDelay, s.Sync), func() { AutoChoice(u, s.AutoDelay, v.SetAutoDelay) })
	default:
		screen.Labelled(u, "Input delay", AutoWords(s.AutoDelay, s.Sync), func() { u.Label("auto, " + s.AutoDelay.String()) })
	}
}

// delayByHand shows a delay that the game host chose.
func (v *Lobby) delayByHand(u *widgets.UI, r *Room, frames int, sync room.Sync) {
	words := phrase.Count(frames, "frame")
	if !r.Hosting {
		screen.Labelled(u, "Input delay", DelayWords(frames, sync), func() { u.Label(words) })
	} else {
		screen.Labelled(u, "Input delay", "", func() { AutoChoice(u, autodelay.Off, v.SetAutoDelay) })
		screen.Labelled(u, "", DelayWords(frames, sync), func() {
			screen.Stepper(u, "delay", frames, frames <= 0, frames >= ds.MaxDelay, words, v.SetDelay)
		})
	}
	if r.Present() < 2 || !measured(r.Room) {
		return
	}
	suggested := room.SuggestRoomDelay(r.Room.Players, sync)
	use := widgets.Button{}
	if r.Hosting {
		use = widgets.Button{Text: fmt.Sprintf("Use %d", suggested), Name: "use", Do: func() { v.SetDelay(suggested) }}
	}
	switch {
	case suggested == frames:
		u.Message(widgets.Good, "This delay suits the pings in this room.")
	case suggested > frames:
		screen.Offer(u, widgets.Warning, fmt.Sprintf("%s %d would do.", tooShort(sync), suggested), use)
	default:
		screen.Offer(u, widgets.Primary, fmt.Sprintf("With these pings %d is enough.", suggested), use)
	}
}

// tooShort says what comes of a delay that is too short for the pings.
func tooShort(sync room.Sync) string {
	if sync == room.Clocked {
		return "With these pings presses take effect later than that."
	}
	return "With these pings the game will stop and wait at times."
}

// measured reports whether the ping of every machine is known.
func measured(r room.Room) bool {
	return !slices.ContainsFunc(r.Players, func(p room.Player) bool { return p.Present && p.Machine != r.Host && p.Ping <= 0 })
}

// ownDelay chooses the delay of the player's own presses, which each has for themselves in a room with rollback.
func (s *Session) ownDelay(u *widgets.UI) {
	screen.Choose(u, widgets.Choice{Name: "own delay", Options: settings.OwnDelayNames(), Tip: "The longer it is, the less the others' pictures jump"},
		config.OwnDelays(), s.Config.Net.OwnDelay, func(own string) {
			s.settings.Set(func(c *config.Config) { c.Net.OwnDelay = own })
		})
}

// menuDelay changes the input delay while a game runs, or makes it automatic. A number that the player
// chooses stays until the delay is made automatic again.
func (v Play) menuDelay(u *widgets.UI, r *Room) {
	if r.Room.Settings.Sync == room.Rollback && r.Local == 0 {
		u.Row(widgets.Cells(widgets.Fill, widgets.Fill), func() {
			u.Label("Your own delay")
			v.ownDelay(u)
		})
	}
	if !r.Hosting || r.Local > 0 {
		return
	}
	delay, auto := r.Run.Figures.Delay, r.Run.Figures.Auto
	u.Row(widgets.Cells(widgets.Fill, widgets.Auto), func() {
		u.Label("Input delay")
		screen.Stepper(u, "delay", delay, delay <= 0, delay >= ds.MaxDelay, phrase.Count(delay, "frame"), v.SetDelay)
	})
	if r.Room.Settings.Sync == room.Clocked {
		return
	}
	AutoChoice(u, autodelay.Named(auto.Preset), v.SetAutoDelay)
	if auto.Why != "" {
		u.Note("Long enough for your connection: " + auto.Why + ".")
	}
}
