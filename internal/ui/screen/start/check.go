package start

import (
	"slices"
	"strings"

	"github.com/nettplay/nettplay/internal/doctor"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/room"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Check shows what would spoil play on this machine, or whether a game works.
type Check struct {
	screen.Base
	screen.Search
	Invitation string // that the player gave

	engine  Engine
	game    *library.Game // that is tried; nil: it is about this machine
	found   []doctor.Finding
	running bool
	done    float64 // share of a trial
}

// NewCheck makes the screen.
func NewCheck(s *screen.Shared, engine Engine) *Check {
	return &Check{Base: screen.Base{Shared: s, ID: screen.Check}, engine: engine}
}

// Open implements screen.Screen: it begins at once.
func (v *Check) Open() {
	v.game = nil
	v.Base.Open()
	v.begin()
}

// Try shows whether a game works, which has been read.
func (v *Check) Try(g library.Game) {
	v.game = &g
	v.Base.Open()
	v.begin()
}

// Again does once more what was done last.
func (v *Check) Again() { v.begin() }

func (v *Check) begin() {
	v.found, v.running, v.done = nil, true, 0
	v.Reset()
	if v.game != nil {
		v.engine.TryGame(v.game.ROM)
		return
	}
	v.engine.Examine(strings.TrimSpace(v.Invitation))
}

// Stop ends an examination that runs: the player has gone elsewhere.
func (v *Check) Stop() {
	if v.running {
		v.running = false
		v.engine.StopExamining()
	}
}

// Found takes what was found.
func (v *Check) Found(f doctor.Finding) {
	if v.running {
		v.found = append(v.found, f)
	}
}

// Tried takes how much of a trial is done, from 0 to 1.
func (v *Check) Tried(share float64) {
	if v.running {
		v.done = share
	}
}

// Over tells that there is no more to be found.
func (v *Check) Over() { v.running = false }

// Build implements screen.Screen: the verdict, and below it what was found, by group.
func (v *Check) Build(u *widgets.UI) {
	title := "Self-test"
	if v.game != nil {
		title = "Will it work?"
	}
	shown := slices.DeleteFunc(slices.Clone(v.found), func(f doctor.Finding) bool { return !v.Has(u, titled(f), f.Group.String()) })
	v.SearchPage(u, title, 760, &v.Search, len(v.found), func() {
		u.Scroll("found", 0, func() {
			if v.game != nil {
				v.GameCard(u, v.game)
			}
			v.verdict(u)
			if len(shown) == 0 && len(v.found) > 0 {
				u.Note(screen.NothingFound)
			}
			for i, g := range doctor.Groups() {
				its := doctor.Of(shown, g)
				u.ScopeN(i, func() {
					if len(its) > 0 && g != doctor.TheGame {
						u.Space(8)
						u.Heading(g.String())
					}
					for i, f := range its {
						u.ScopeN(i, func() { u.Message(kindOf(f.Mark), titled(f)) })
					}
				})
			}
			if !v.running && v.game == nil {
				v.friend(u)
			}
		})
	}, func() {
		copied := widgets.Button{Text: "Copy", Name: "copy", Icon: draw.IconCopy, Disabled: v.running, Tip: "All lines, to send to somebody who helps you", Do: func() { v.Copy(v.report(), "Copied.") }}
		if v.game != nil && v.running {
			screen.Foot(u, "", copied, widgets.Button{Text: "Cancel", Name: "cancel", Kind: widgets.Primary, Do: v.Pop})
			return
		}
		screen.Foot(u, "", copied,
			widgets.Button{Text: "Check again", Name: "again", Icon: draw.IconAgain, Kind: widgets.Primary, Disabled: v.running, Do: v.begin})
	})
}

// titled is a finding as a sentence behind its subject.
func titled(f doctor.Finding) string {
	return screen.Sentence(subject(f.Subject) + strings.TrimPrefix(f.String(), f.Subject))
}

// subject is the subject of a finding as it begins a line: words that every language has.
func subject(s string) string {
	switch s {
	case "alike":
		return "Alike"
	case "clock":
		return "Clock"
	case "connection":
		return "Connection"
	case "controllers":
		return "Controllers"
	case "core":
		return "Core"
	case "game":
		return "Game"
	case "helping":
		return "Helping"
	case "key":
		return "Key"
	case "network":
		return "Network"
	case "picture":
		return "Picture"
	case "port":
		return "Port"
	case "radio":
		return "Radio"
	case "relay":
		return "Relay"
	case "rollback":
		return "Rollback"
	case "router":
		return "Router"
	case "sandbox":
		return "Sandbox"
	case "save":
		return "Save"
	case "server":
		return "Server"
	case "snapshots":
		return "Snapshots"
	case "sound":
		return "Sound"
	case "speed":
		return "Speed"
	case "start":
		return "Start"
	case "untried":
		return "Untried"
	case "wireless":
		return "Wireless"
	}
	return s
}

// verdict says what all findings come to, or that more are to come.
func (v *Check) verdict(u *widgets.UI) {
	if v.running && v.game != nil {
		u.Progress(widgets.Progress{Value: v.done, Text: "Two consoles of it play: about 20 seconds"})
		return
	}
	if v.running {
		u.Progress(widgets.Progress{Value: -1, Text: "Looking: about 20 seconds"})
		return
	}
	mark, words := doctor.Verdict(v.found)
	if v.game != nil {
		mark, words = doctor.GameVerdict(v.found)
	}
	u.Card(func() {
		u.Headline(words)
		if mark == doctor.Bad {
			u.Message(kindOf(mark), v.found[slices.IndexFunc(v.found, func(f doctor.Finding) bool { return f.Mark == doctor.Bad })].Advice)
		}
	})
}

// report is all that was found, as text.
func (v *Check) report() string {
	if v.game != nil {
		return doctor.GameReport(v.found, true, 0)
	}
	return doctor.Report(v.found, true, 0)
}

// kindOf is the colour of a mark.
func kindOf(m doctor.Mark) widgets.Kind {
	return [...]widgets.Kind{doctor.Good: widgets.Good, doctor.Fair: widgets.Warning, doctor.Bad: widgets.Danger}[m]
}

// friend takes a friend's invitation: the connection to the friend is measured, too.
func (v *Check) friend(u *widgets.UI) {
	u.Heading("How good is the connection to a friend?")
	u.Bar(func() {
		if u.Field(widgets.Field{Name: "peer", Hint: "The invitation to your friend's room", Icon: draw.IconLink, Max: room.MaxPasted, Secret: v.Config.Video.Streamer}, &v.Invitation).Entered {
			v.begin()
		}
	}, widgets.Button{Text: "Paste", Name: "paste", Do: func() { v.Invitation = u.Clipboard() }})
}

// OwnKeys implements screen.Keyed.
func (v *Check) OwnKeys() []screen.KeyRow { return screen.SearchKeys() }
