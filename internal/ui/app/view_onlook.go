package app

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Who comes later and who watches: what a room allows, and a room that is watched.

// openness is what the room that is to be opened allows.
func (v *View) openness(u *widgets.UI, f *HostForm) {
	u.Card(func() {
		labelled(u, "Coming in later", "", func() {
			u.Check(widgets.Check{Text: "others may come into a game that runs", Name: "late"}, &f.LateJoin)
		})
		labelled(u, "Spectators", spectatorWords(f.Spectators), func() { number(u, "spectators", &f.Spectators, 0, host.MaxSpectators, "") })
		if f.Spectators > 0 {
			labelled(u, "Their delay", "", func() {
				if seconds, changed := v.delayChoice(u, "behind", int(f.SpectateDelay.Seconds())); changed {
					f.SpectateDelay = time.Duration(seconds) * time.Second
				}
			})
		}
	})
}

func spectatorWords(n int) string {
	if n == 0 {
		return "Nobody may watch."
	}
	return "They see all consoles, some time later. Nobody waits for them."
}

// delayChoice is how many seconds those who watch are behind.
func (v *View) delayChoice(u *widgets.UI, name string, seconds int) (int, bool) {
	values := []int{0, 2, 5, 10, 30, 60, 120, 300, 600}
	if i, there := slices.BinarySearch(values, seconds); !there {
		values = slices.Insert(values, i, seconds)
	}
	names := make([]string, len(values))
	for i, s := range values {
		names[i] = behindWords(s)
	}
	at := slices.Index(values, seconds)
	changed := u.Choice(widgets.Choice{Name: name, Options: names}, &at)
	return values[max(at, 0)], changed
}

// behindWords is how much later somebody sees a game.
func behindWords(seconds int) string {
	switch {
	case seconds == 0:
		return "as soon as possible"
	case seconds < 60 || seconds%60 != 0:
		return count(seconds, "second") + " later"
	}
	return count(seconds/60, "minute") + " later"
}

// onlookers are the room's terms for who comes later, and for who watches.
func (v *View) onlookers(u *widgets.UI, r *Room) {
	s, m := r.Room.Settings, v.m
	if !r.Hosting {
		words := "may come into a game that runs"
		if s.NoLateJoin {
			words = "wait until the game is over"
		}
		labelled(u, "Others", "", func() { u.Label(words) })
		if s.KeepConsoles {
			labelled(u, "Who leaves", "", func() { u.Label("leaves the console in the game") })
		}
		words = "nobody may watch"
		if s.Spectators > 0 {
			words = fmt.Sprintf("up to %d may watch, %s", s.Spectators, behindWords(s.SpectateDelay))
		}
		labelled(u, "Spectators", "", func() { u.Label(words) })
		return
	}
	labelled(u, "Coming in later", "", func() {
		late := !s.NoLateJoin
		if u.Check(widgets.Check{Text: "others may come into a game that runs", Name: "late"}, &late) {
			m.SetLateJoin(late)
		}
	})
	labelled(u, "Who leaves", "", func() {
		keep := s.KeepConsoles
		if u.Check(widgets.Check{Text: "leaves the console in the game", Name: "keep"}, &keep) {
			m.SetKeepConsoles(keep)
		}
	})
	labelled(u, "Spectators", "", func() {
		v.stepper(u, "spectators", s.Spectators, s.Spectators <= len(r.Room.Spectators), s.Spectators >= host.MaxSpectators, fmt.Sprint(s.Spectators), m.SetSpectators)
	})
	if s.Spectators > 0 {
		labelled(u, "Their delay", "", func() {
			if seconds, changed := v.delayChoice(u, "behind", s.SpectateDelay); changed {
				m.SetSpectateDelay(seconds)
			}
		})
	}
}

// spectators are those who watch.
func (v *View) spectators(u *widgets.UI, r *Room) {
	list := r.Room.Spectators
	if len(list) == 0 {
		return
	}
	u.Card(func() {
		u.Small("Watching")
		for _, s := range list {
			u.ScopeN(s.Number, func() {
				u.Row(widgets.Cells(widgets.Fill, widgets.Auto), func() {
					u.Label(s.Nickname)
					if r.Hosting && u.Button(widgets.Button{Icon: draw.IconCross, Name: "away", Kind: widgets.Quiet, Tip: "Send away"}) {
						v.m.AskKickSpectator(s)
					} else if !r.Hosting {
						u.Space(0)
					}
				})
			})
		}
	})
}

// waitingRoom is a room that is watched while there is no game to be seen.
func (v *View) waitingRoom(u *widgets.UI, w *Watching) {
	r := v.place(u, 460)
	u.In(r, func() {
		u.Space(max((r.H-240)/2, 0))
		u.Card(func() {
			title, words := waitingRoomWords(w)
			u.Heading(title)
			if words != "" {
				u.Paragraph(words)
			}
			if !w.Room.Known || w.Room.Room.Phase != host.PhaseLobby {
				u.Progress(widgets.Progress{Value: -1})
			}
			if w.Room.Said != "" {
				u.Note(w.Room.Said)
			}
			u.Row(widgets.Cells(widgets.Fill, widgets.Auto), func() {
				u.Space(0)
				if u.Button(widgets.Button{Text: "Leave", Name: "leave"}) {
					v.m.Back()
				}
			})
		})
	})
}

// waitingRoomWords are what room it is, and why nothing is to be seen.
func waitingRoomWords(w *Watching) (title, words string) {
	r := w.Room
	if !r.Known {
		return "Connecting …", r.Address
	}
	switch {
	case r.Room.Phase == host.PhasePlaying:
		words = "The game so far is fetched."
	case r.Room.Phase == host.PhasePreparing:
		words = "A game is about to begin."
	case r.Games > 0:
		words = "The game is over. The next one shows here as soon as it begins."
	default:
		words = "The game has not begun. It shows here as soon as it does."
	}
	return r.Room.Settings.Room, roomPlayers(r.Room) + words
}

// roomPlayers are the names of those in a room who play.
func roomPlayers(room host.Room) string {
	var names []string
	for _, p := range room.Players {
		if p.Present {
			names = append(names, p.Nickname)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "With " + strings.Join(names, ", ") + ". "
}

// liveBar is below a game that is watched while it runs.
func (v *View) liveBar(u *widgets.UI, w *Watching) {
	s := w.Status
	cells := []float32{widgets.Auto, widgets.Auto, widgets.Fill, widgets.Auto}
	if len(w.Seats) > 1 {
		cells = append(cells, widgets.Auto)
	}
	u.Row(widgets.Cells(cells...), func() {
		if u.Button(widgets.Button{Icon: draw.IconLeft, Name: "back", Kind: widgets.Quiet, Tip: "Do not watch any more"}) {
			v.m.Back()
		}
		v.playButton(u, w)
		kind, words := liveWords(s, w.Room.Room.Settings.SpectateDelay)
		u.Text(widgets.StyleBody, kind, words, draw.Start)
		at := minutes(ds.FrameTime(s.Frame))
		if u.Canvas().Bounds().W >= wide {
			at = w.Title + " · " + at
		}
		u.Small(at)
		if len(w.Seats) > 1 {
			v.largeChoice(u, w)
		}
	})
}

// lateFrames is how much there must be to play for somebody who watches to be late: more
// than comes at once.
const lateFrames = 180

// liveWords say how the watching stands.
func liveWords(s session.PlayerStatus, delay int) (widgets.Kind, string) {
	behind := s.Length - s.Frame
	switch {
	case s.Difference != nil:
		return widgets.Warning, "This is not the game any more: the core here does something else."
	case !s.Live:
		return widgets.Normal, "The game is over. You see the end of it."
	case !s.Playing:
		return widgets.Normal, "You have stopped it: " + minutes(ds.FrameTime(behind)) + " late."
	case behind > lateFrames:
		return widgets.Normal, "Catching up: " + minutes(ds.FrameTime(behind)) + " late."
	case s.Waiting:
		return widgets.Normal, "Waiting for the game to go on …"
	}
	if delay > 0 {
		return widgets.Normal, "Live, " + behindWords(delay)
	}
	return widgets.Normal, "Live"
}
