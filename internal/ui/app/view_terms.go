package app

import (
	"fmt"
	"strings"
	"time"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// terms are the room's settings; the game host can change them.
func (v *View) terms(u *widgets.UI, r *Room) {
	s := r.Room.Settings
	u.Card(func() {
		u.Heading("Settings of the room")
		v.delay(u, r, s.Delay)
		labelled(u, "Clocks begin at", "", func() { v.clock(u, r, s.RTC) })
		if r.Hosting {
			labelled(u, "Players", "", func() {
				v.stepper(u, "seats", s.Seats, s.Seats <= max(2, r.Present()), s.Seats >= ds.MaxSeats, fmt.Sprint(s.Seats), v.m.SetSeats)
			})
		}
		v.onlookers(u, r)
		labelled(u, "Core", "", func() { u.Label(strings.TrimSpace(s.Core.Name + " " + s.Core.Version)) })
		on, words := "none", "This core has no local wireless: the consoles run side by side, but do not hear each other."
		if v.m.Core.Core.Wireless {
			on, words = "on", "The consoles hear each other as if they were in one room."
		}
		labelled(u, "Local wireless", words, func() { u.Label(on) })
	})
}

// delay is the input delay with what it means and what would suit the pings.
func (v *View) delay(u *widgets.UI, r *Room, frames int) {
	words := count(frames, "frame")
	labelled(u, "Input delay", delayWords(frames), func() {
		if !r.Hosting {
			u.Label(words)
			return
		}
		v.stepper(u, "delay", frames, frames <= 0, frames >= ds.MaxDelay, words, v.m.SetDelay)
	})
	if r.Present() < 2 || !measured(r.Room) {
		return
	}
	suggested := host.SuggestRoomDelay(r.Room.Players)
	switch {
	case suggested == frames:
		u.Message(widgets.Good, "That suits the pings in this room.")
	case suggested > frames:
		u.Row(widgets.Cells(widgets.Fill, widgets.Auto), func() {
			u.Message(widgets.Warning, fmt.Sprintf("With these pings the game will stop and wait at times. %d would do.", suggested))
			v.useDelay(u, r, suggested)
		})
	default:
		u.Row(widgets.Cells(widgets.Fill, widgets.Auto), func() {
			u.Message(widgets.Primary, fmt.Sprintf("With these pings %d is enough.", suggested))
			v.useDelay(u, r, suggested)
		})
	}
}

// measured tells whether the way to every machine is known.
func measured(room host.Room) bool {
	for _, p := range room.Players {
		if p.Present && p.Machine != room.Host && p.Ping <= 0 {
			return false
		}
	}
	return true
}

func (v *View) useDelay(u *widgets.UI, r *Room, frames int) {
	if !r.Hosting {
		u.Space(0)
		return
	}
	if u.Button(widgets.Button{Text: fmt.Sprintf("Use %d", frames), Name: "use"}) {
		v.m.SetDelay(frames)
	}
}

// stepper is a number with a button to each side.
func (v *View) stepper(u *widgets.UI, name string, value int, lowest, highest bool, words string, set func(int)) {
	u.Row(widgets.Cells(widgets.Auto, 90, widgets.Auto, widgets.Fill), func() {
		if u.Button(widgets.Button{Icon: draw.IconMinus, Name: name + " less", Disabled: lowest}) {
			set(value - 1)
		}
		u.Text(widgets.StyleBody, widgets.Normal, words, draw.Middle)
		if u.Button(widgets.Button{Icon: draw.IconPlus, Name: name + " more", Disabled: highest}) {
			set(value + 1)
		}
		u.Space(0)
	})
}

// clock is what the consoles' clocks show at the start. Who hosts can bring it to
// the present again.
func (v *View) clock(u *widgets.UI, r *Room, rtc int64) {
	at := time.Unix(rtc, 0).UTC().Format("2 January 2006, 15:04")
	if !r.Hosting {
		u.Label(at)
		return
	}
	u.Row(widgets.Cells(widgets.Fill, widgets.Auto), func() {
		u.Label(at)
		if u.Button(widgets.Button{Text: "Now", Name: "now", Kind: widgets.Quiet, Tip: "Set the clocks to the time of this computer"}) {
			v.m.SetClock(config.RTC{Now: true}.At(v.m.now))
		}
	})
}
