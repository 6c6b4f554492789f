package settings

import (
	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/helping"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// helpFriends is the setting by which friends meet at this computer, with how that goes.
func (v *Screen) helpFriends(u *widgets.UI, r row) {
	yesNo(func(c *config.Config) *bool { return &c.Net.HelpFriends })(v, u, r)
	s := v.Helping
	if !s.On {
		return
	}
	kind := widgets.Warning
	switch s.Reach {
	case helping.Open:
		kind = widgets.Good
	case helping.Asking, helping.SixOnly:
		kind = widgets.Primary
	}
	u.Message(kind, s.Words)
	if s.At != "" {
		words := "Send this address to the friend who hosts."
		if s.Reach == helping.Closed {
			words = "Send this address to the friend who hosts once friends get through."
		}
		u.Note(words + " It goes into the list of relays, above, of that friend's nettplay; the others need nothing.")
		v.copyHelp(u, s)
	}
	if s.AtSix != "" && s.AtSix != s.At {
		u.Note("The same for friends who have IPv6:")
		v.CopyLine(u, "help six", s.AtSix)
	}
	if !s.Failed {
		u.Small(phrase.Sentence(s.Use()))
	}
	u.Space(8)
}

// copyHelp draws the address at which friends meet, with a button that copies it.
func (v *Screen) copyHelp(u *widgets.UI, s helping.State) {
	u.Bar(func() { u.Column(func() { v.Mono(u, s.At) }) },
		widgets.Button{Text: "Copy", Name: "help copy", Icon: draw.IconCopy, Do: func() { v.copied(s) }})
}

func (v *Screen) copied(s helping.State) {
	v.Copy(s.At, "Copied. The friend who hosts adds it to the relays, in the settings under Network.")
}

// HelpLine says, on screens where one waits, that friends can meet at this computer, and who does. It draws nothing while that
// is off.
func (v *Screen) HelpLine(u *widgets.UI) {
	s := v.Helping
	if !s.On {
		return
	}
	words := "Friends cannot meet here yet"
	lead := widgets.Button{Text: "Why?", Name: "help why", Kind: widgets.Quiet, Do: func() { v.OpenAt(PageNetwork) }}
	switch {
	case s.Reach == helping.Asking:
		words = "Preparing the place where friends meet …"
		lead.Text = "How?"
	case s.Reach != helping.Closed:
		words = "Friends can meet here: " + s.Use()
		lead = widgets.Button{Text: "Copy address", Name: "help copy", Icon: draw.IconCopy, Kind: widgets.Quiet, Tip: "The address, for the relays of the friend who hosts: " + s.At, Do: func() { v.copied(s) }}
	case s.Meet > 0:
		words = "Friends meet here: " + s.Use()
	}
	u.Bar(func() { u.Lines(2, words) }, lead,
		widgets.Button{Text: "Stop", Name: "help stop", Kind: widgets.Quiet, Tip: "Friends do not meet here any more. The settings, under Network, switch it on again.", Do: v.stopHelping})
}

// stopHelping switches it off, after a question where somebody would lose a game by it.
func (v *Screen) stopHelping() {
	stop := func() { v.Set(func(c *config.Config) { c.Net.HelpFriends = false }) }
	meet := v.MeetHere()
	if meet == "" {
		stop()
		return
	}
	v.Question = &screen.Question{Words: meet + " Stop anyway?", Hint: HelpEnds, Yes: "Stop", No: "Go on", Do: stop}
}

// MeetHere says that friends meet at this computer now; "" where none do.
func (v *Screen) MeetHere() string {
	if v.Helping.Meet == 0 {
		return ""
	}
	return phrase.Count(v.Helping.Meet, "computer") + " meet here now."
}

// HelpEnds is what comes of the end of it for friends.
const HelpEnds = "Players with no other way to each other lose their connection."
