package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/saves"
)

// numbered finds one save of a game.
func (o *savesCall) numbered(arg, number string) (*saves.Kept, *saves.Save, error) {
	n, err := strconv.Atoi(number)
	if err != nil {
		return nil, nil, usagef("N is %q, but must be a number of \"nettplay saves list %s\"", number, arg)
	}
	k, _, err := o.find(arg)
	if err != nil {
		return nil, nil, err
	}
	var have []string
	for i := range k.Saves {
		s := &k.Saves[i]
		if s.Number == n {
			if s.Damage != nil {
				return nil, nil, damaged(k, &saves.DamagedError{Number: n, Err: s.Damage})
			}
			return k, s, nil
		}
		have = append(have, strconv.Itoa(s.Number))
	}
	return nil, nil, usagef("%s has no save %d; it has %s", titleOf(k), n, strings.Join(have, ", "))
}

// damaged says what can be done about a damaged save.
func damaged(k *saves.Kept, err error) error {
	return &exitError{code: 1, err: fmt.Errorf("%s: %w", titleOf(k), err), hint: "Another one can be restored. The file itself is in " + k.Dir}
}

// find finds the saves of the game that the player names. Where there are none it
// returns an error, and the game if there is no doubt about it.
func (o *savesCall) find(arg string) (*saves.Kept, *saves.Game, error) {
	if k, game, err := o.findFile(arg); k != nil || game != nil || err != nil {
		return k, game, err
	}
	all, err := saves.All(o.dir)
	if err != nil {
		return nil, nil, err
	}
	var own []*saves.Kept
	for _, k := range all {
		if k.File == "" && k.Console == o.console1 {
			own = append(own, k)
		}
	}
	found := pick(own, arg, func(k *saves.Kept) saves.Game { return k.Game })
	switch len(found) {
	case 0:
		return o.fromLibrary(arg, own)
	case 1:
		return found[0], &found[0].Game, nil
	}
	var lines strings.Builder
	for _, k := range found {
		fmt.Fprintf(&lines, "\n  %s  %x", titleOf(k), k.Game.SHA256[:4])
	}
	return nil, nil, usagef("%q may be one of %d games; say more of the title, or the digits behind it:%s", arg, len(found), lines.String())
}

// findFile finds the saves that a path names: those of a ROM, or of a file of --sram. It
// returns nothing at all if the argument is no such path.
func (o *savesCall) findFile(arg string) (*saves.Kept, *saves.Game, error) {
	k, err := saves.Peek(o.dir, saves.Game{}, saves.Options{File: arg})
	switch {
	case err != nil:
		return nil, nil, err
	case k != nil:
		return k, &k.Game, nil
	}
	st, err := os.Stat(emucore.FileOf(arg))
	if err != nil && !emucore.IsGameFile(arg) {
		arg += ".nds"
		st, err = os.Stat(arg)
	}
	if err != nil || st.IsDir() {
		return nil, nil, nil
	}
	rom, err := emucore.OpenROM(arg)
	if err != nil {
		return nil, nil, usagef("no ROM, and no file that saves were kept in with --sram: %w", err)
	}
	game := saves.GameOf(rom)
	if k, err = saves.Peek(o.dir, game, saves.Options{Console: o.console1}); err != nil || k != nil {
		return k, &game, err
	}
	return nil, &game, usagef("there is no save of %s yet", game.Title)
}

// noSaves says which games there are instead.
func (o *savesCall) noSaves(arg string, own []*saves.Kept) error {
	if len(own) == 0 {
		return usagef("there is no file %q, and there are no saves yet in %s", arg, o.dir)
	}
	var titles []string
	for _, k := range own {
		titles = append(titles, titleOf(k))
	}
	return usagef("there is no file %q, and no game with a save of which that is the title or the SHA-256. There are saves of: %s", arg, strings.Join(titles, ", "))
}

// fromLibrary finds a game in the ROM folders, by its title or as its file is called, and its
// saves. A game that has none is an error, with the game.
func (o *savesCall) fromLibrary(arg string, own []*saves.Kept) (*saves.Kept, *saves.Game, error) {
	list, err := o.library()
	if err != nil {
		return nil, nil, err
	}
	found := pick(list, arg, func(rom *emucore.ROM) saves.Game {
		name := filepath.Base(rom.Path)
		return saves.Game{SHA256: rom.SHA256, Other: rom.Other(), Title: strings.TrimSuffix(name, filepath.Ext(name))}
	})
	if len(found) == 0 {
		found = pick(list, arg, saves.GameOf)
	}
	switch len(found) {
	case 0:
		return nil, nil, o.noSaves(arg, own)
	case 1:
		rom, err := found[0].Read(o.ctx)
		if err != nil {
			return nil, nil, err
		}
		game := saves.GameOf(rom)
		k, err := saves.Peek(o.dir, game, saves.Options{Console: o.console1})
		if err == nil && k == nil {
			err = usagef("there is no save of %s yet", game.Title)
		}
		return k, &game, err
	}
	return nil, nil, usagef("%q may be one of %d games in your ROM folders: give the ROM's file", arg, len(found))
}

// library lists the games in the ROM folders.
func (o *savesCall) library() ([]*emucore.ROM, error) {
	cfg, err := o.readSettings()
	if err != nil {
		return nil, err
	}
	places, err := config.Data()
	if err != nil {
		return nil, err
	}
	library, err := launch.NewLibrary(cfg.ROMs, places.Games)
	if err != nil {
		return nil, err
	}
	return library.List(o.ctx)
}

// pick returns the games whose SHA-256 begins with the typed text, else those with that
// title, else those with it in the title.
func pick[T any](all []T, typed string, game func(T) saves.Game) []T {
	typed = strings.ToLower(strings.TrimSpace(typed))
	title := func(x T) string { return strings.ToLower(game(x).Title) }
	for _, fits := range []func(T) bool{
		func(x T) bool {
			return len(typed) >= 4 && strings.HasPrefix(fmt.Sprintf("%x", game(x).SHA256), typed)
		},
		func(x T) bool { return title(x) == typed },
		func(x T) bool { return typed != "" && strings.Contains(title(x), typed) },
	} {
		var found []T
		for _, x := range all {
			if fits(x) {
				found = append(found, x)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}
