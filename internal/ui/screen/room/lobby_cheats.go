package room

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/cheat"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// cheats are the cheats among which the game host chooses.
type cheats struct {
	game  [32]byte     // whose; zeros: none were looked for
	found *cheat.Found // nil: not yet
	files []string     // that the player named for this game
	on    []cheat.Cheat
	open  bool   // the list shows
	find  string // what is looked for in it
}

// maxShown is the number of cheats of the list that are drawn.
const maxShown = 100

// lookForCheats looks for those of the room's game, if the game host has another one now.
func (s *Session) lookForCheats() {
	r := s.Room
	id, known := hostGame(r.Room)
	if !known || !r.Hosting || r.Room.Phase != room.PhaseLobby {
		return
	}
	r.cheats.on = r.Room.Settings.Cheats.Of(id.SHA256)
	g := s.Games.Find(id.SHA256)
	if g == nil && r.Game != nil && r.Game.Is(id.SHA256) {
		g = r.Game
	}
	if id.SHA256 == r.cheats.game || g == nil || g.ROM == nil {
		return
	}
	r.cheats = cheats{game: id.SHA256, files: s.Memory.Cheats(id.SHA256).Files, on: r.cheats.on}
	s.engine.FindCheats(id.SHA256, g.ROM, r.cheats.files)
}

// CheatsFound takes what was found of a game's cheats. Those that were on in the last room of ours are on again.
func (s *Session) CheatsFound(game [32]byte, f cheat.Found) {
	r := s.Room
	if r == nil || r.cheats.game != game {
		return
	}
	first := r.cheats.found == nil
	r.cheats.found = &f
	if !first || s.entered.Host == nil || len(r.cheats.on) > 0 || r.Room.Settings.Continues.Any() {
		return
	}
	var list []cheat.Cheat
	before := s.Memory.Cheats(game)
	for i, e := range f.Entries {
		if e.Problem == "" && before.Has(e.Agreed()) && s.takes(e.Agreed()) == nil {
			list = f.With(list, i, true)
		}
	}
	if cheat.Check(list) == nil && len(list) > 0 {
		s.useCheats(list)
	}
}

// takes tells why the core does not take a cheat.
func (s *Session) takes(c cheat.Cheat) error { return emucore.ProfileFor(s.core().Name).TakesCheat(c) }

// useCheats has the room's next game have some cheats.
func (s *Session) useCheats(list []cheat.Cheat) {
	game := s.Room.cheats.game
	s.Room.cheats.on = list
	s.change(func(to *room.Settings) { to.Cheats = room.Cheats{Game: game, List: cheat.Clone(list)} })
}

// rememberCheats remembers what is on for the next room with this game.
func (s *Session) rememberCheats() {
	c := &s.Room.cheats
	s.Memory.SetCheats(c.game, c.on, c.files, s.Now)
	s.Engine.SaveMemory()
}

// switchCheat switches an entry of the list on or off.
func (s *Session) switchCheat(i int, on bool) {
	c := &s.Room.cheats
	list := c.found.With(c.on, i, on)
	if err := cheat.Check(list); err != nil {
		s.SayOf("cheats", screen.Sentence(err.Error()))
		return
	}
	s.useCheats(list)
	s.rememberCheats()
}

// TakeCheats adds a file with cheats, and shows the list. It returns false where nobody chooses cheats now.
func (s *Session) TakeCheats(path string) bool {
	r := s.Room
	if r == nil || !r.Hosting || r.Room.Phase != room.PhaseLobby || r.cheats.game == [32]byte{} {
		return false
	}
	if g := s.Games.Find(r.cheats.game); g != nil && g.ROM != nil {
		c := &r.cheats
		c.files = append(slices.DeleteFunc(slices.Clone(c.files), func(f string) bool { return f == path }), path)
		c.open = true
		s.rememberCheats()
		c.files = s.Memory.Cheats(c.game).Files
		s.engine.FindCheats(c.game, g.ROM, c.files)
	}
	return true
}

// cheatsRow shows which cheats are on. The game host can choose.
func (v *Lobby) cheatsRow(u *widgets.UI, r *Room) {
	list := r.Room.Settings.Cheats
	on := "off"
	if n := len(list.List); n > 0 {
		on = fmt.Sprintf("%d on", n)
	}
	words := ""
	if len(list.List) > 0 {
		words = list.Words()
	}
	screen.Labelled(u, "Cheats", words, func() {
		if !r.Hosting {
			u.Label(on)
			return
		}
		u.Bar(func() { u.Label(on) }, widgets.Button{
			Text: "Choose", Name: "cheats", Kind: widgets.Quiet, Disabled: r.Room.Phase != room.PhaseLobby || r.cheats.game == [32]byte{},
			Tip: "Action Replay codes, for everybody who plays this game. All must press Ready again.", Do: func() { r.cheats.open = true },
		})
	})
}

// cheatsBox is the list among which the game host chooses.
func (v *Lobby) cheatsBox(u *widgets.UI, r *Room) {
	c := &r.cheats
	if !c.open || !r.Hosting || r.Room.Phase != room.PhaseLobby {
		c.open = false
		return
	}
	buttons := []widgets.Button{
		{Text: "Open a file", Name: "cheat file", Icon: draw.IconFolder, Do: v.askCheats},
		{Text: "None", Name: "no cheats", Disabled: len(c.on) == 0, Do: func() {
			v.useCheats(nil)
			v.rememberCheats()
			c.open = true
		}},
		{Text: "Done", Name: "done", Kind: widgets.Primary},
	}
	screen.Dialog(u, widgets.Modal{Name: "cheats", Title: "Cheats", Width: 520}, func() { c.open, c.find = false, "" }, func() { v.cheatList(u, c) }, buttons...)
}

// askCheats asks for a file with cheats.
func (v *Lobby) askCheats() {
	v.AskPath(screen.PathRequest{
		Want: screen.WantFile, Title: "Which file has the cheats?", Note: "melonDS' .mch, DeSmuME's .dct, or usrcheat.dat", Take: "Open", Key: "cheats",
		Fits: cheat.IsFile, Do: func(path string) { v.TakeCheats(path) },
	})
}

func (v *Lobby) cheatList(u *widgets.UI, c *cheats) {
	profile := emucore.ProfileFor(v.core().Name)
	switch {
	case profile.Cheats.Lines == 0:
		u.Message(widgets.Warning, profile.Library+" takes no cheats.")
		return
	case c.found == nil:
		u.Soft("Looking for cheats …")
		return
	}
	for _, words := range c.found.Problems {
		u.Message(widgets.Warning, words)
	}
	if len(c.found.Entries) == 0 {
		u.Paragraph("No cheats of this game are here. Put its .mch or .dct file, or usrcheat.dat, beside the game or into nettplay's folder “cheats”. Or open a file, or drop it on this window.")
		return
	}
	if !profile.Cheats.Known {
		u.Message(widgets.Warning, "nettplay does not know whether cheats work on this core.")
	}
	u.Note("They apply to everybody who plays this game, from its next start. nettplay remembers them for this game.")
	if len(c.found.Entries) > 8 {
		u.Field(widgets.Field{Name: "find cheat", Hint: "Find a cheat", Icon: draw.IconSearch, Max: 60}, &c.find)
	}
	shown, folder := 0, ""
	for i, e := range c.found.Entries {
		full := e.Agreed()
		if c.find != "" && !strings.Contains(strings.ToLower(full.Name+" "+e.Note), strings.ToLower(strings.TrimSpace(c.find))) {
			continue
		}
		if shown++; shown > maxShown {
			continue
		}
		if e.Folder != folder {
			folder = e.Folder
			if e.Single > 0 {
				u.Small(folder + ": one at a time")
			} else if folder != "" {
				u.Small(folder)
			}
		}
		u.ScopeN(i, func() { v.cheatEntry(u, c, i, e) })
	}
	switch {
	case shown == 0:
		u.Soft("No cheat has that name.")
	case shown > maxShown:
		u.Note(fmt.Sprintf("And %s. Type a part of its name to find one.", phrase.Count(shown-maxShown, "other")))
	}
}

// cheatEntry is one of the list.
func (v *Lobby) cheatEntry(u *widgets.UI, c *cheats, i int, e cheat.Entry) {
	full, problem := e.Agreed(), e.Problem
	if err := v.takes(full); problem == "" && err != nil {
		problem = err.Error()
	}
	on := slices.ContainsFunc(c.on, full.Equal)
	if u.Check(widgets.Check{Text: e.Name, Name: "cheat", Tip: e.Note, Disabled: problem != "" && !on}, &on) {
		v.switchCheat(i, on)
	}
	switch {
	case problem != "":
		u.Note(screen.Sentence("cannot be used: " + problem))
	case e.Note != "":
		u.Note(e.Note)
	}
}
