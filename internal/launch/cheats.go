package launch

import (
	"fmt"
	"strings"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/cheat"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/roms"
)

// Cheats says which cheats a room begins with.
type Cheats struct {
	Files []string // to read besides those that are found
	// Names are those that are on. Without any, the files above say which.
	Names []string
}

// FindCheats finds the cheats of a game: beside it, in the player's folder of cheats, and in further files. It waits for the
// disk.
func (m Machine) FindCheats(rom *emucore.ROM, files ...string) cheat.Found {
	g := cheat.Game{Path: rom.Path, Archive: rom.Archive, Code: rom.Code, HeaderCRC: rom.HeaderCRC}
	return cheat.Find(g, []string{m.Places.Cheats}, files...)
}

// ChooseCheats are the cheats of a game that are asked for, as a room has them.
func (m Machine) ChooseCheats(rom *emucore.ROM, c Cheats) (room.Cheats, error) {
	if len(c.Files) == 0 && len(c.Names) == 0 || rom == nil {
		return room.Cheats{}, nil
	}
	found := m.FindCheats(rom, c.Files...)
	if len(found.Problems) > 0 {
		return room.Cheats{}, fmt.Errorf("%s", strings.Join(found.Problems, " "))
	}
	var list []cheat.Cheat
	if len(c.Names) == 0 {
		list = found.On()
		if len(list) == 0 {
			return room.Cheats{}, fmt.Errorf("no cheat is on in %s: name those that you want", strings.Join(c.Files, ", "))
		}
	}
	for _, name := range c.Names {
		i, err := named(found.Entries, name)
		if err != nil {
			return room.Cheats{}, err
		}
		if p := found.Entries[i].Problem; p != "" {
			return room.Cheats{}, fmt.Errorf("the cheat %q cannot be used: %s", found.Entries[i].Agreed().Name, p)
		}
		list = found.With(list, i, true)
	}
	if err := emucore.ProfileFor(m.Core.Name).TakesCheats(list); err != nil {
		return room.Cheats{}, err
	}
	return room.Cheats{Game: roms.ID(rom).SHA256, List: list}, nil
}

// named finds the one cheat that a player means: by its whole name, or else by a part that no other has, in whatever case.
func named(entries []cheat.Entry, name string) (int, error) {
	var whole, part []int
	for i, e := range entries {
		full := e.Agreed().Name
		switch {
		case strings.EqualFold(full, name), strings.EqualFold(e.Name, name):
			whole = append(whole, i)
		case strings.Contains(strings.ToLower(full), strings.ToLower(name)):
			part = append(part, i)
		}
	}
	list := whole
	if len(list) == 0 {
		list = part
	}
	switch {
	case len(list) == 1:
		return list[0], nil
	case len(entries) == 0:
		return 0, fmt.Errorf("no cheats of this game are on this computer: put a file of them beside the game")
	case len(list) > 1:
		return 0, fmt.Errorf("%d cheats go by %q: %s", len(list), name, someOf(entries, list))
	}
	for i := range entries {
		list = append(list, i)
	}
	return 0, fmt.Errorf("no cheat of this game is called %q; there are: %s", name, someOf(entries, list))
}

// someOf names some entries.
func someOf(entries []cheat.Entry, list []int) string {
	const most = 12
	var names []string
	for _, i := range list[:min(len(list), most)] {
		names = append(names, entries[i].Agreed().Name)
	}
	words := strings.Join(names, "; ")
	if n := len(list) - most; n > 0 {
		words += "; and " + phrase.Count(n, "other")
	}
	return words
}
