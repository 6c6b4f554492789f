package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/atomicfile"
	"github.com/nettplay/nettplay/internal/saves"
)

// savesCall is one call of "nettplay saves".
type savesCall struct {
	*call
	dir string // of all saves
}

func savesCommand() command {
	return command{
		name: "saves", uses: onSaves, args: "list|restore|export|import ...", most: 100,
		summary: "list your saves, go back to an older one, or move them",
		help: `  saves list               the games that have a save
  saves list GAME          all saves of a game
  saves restore GAME N     make save N of the list your save again; the one that
                           it replaces is kept
  saves export GAME [N] FILE
                           write your save, or save N, to a file: DeSmuME's form
                           if its name ends in .dsv, else raw, as .sav files,
                           melonDS and RetroArch's .srm have it
  saves import GAME FILE   make what is in a file of that kind your save; the
                           one that it replaces is kept

GAME is the ROM's file, a part of the game's title, or the first digits of its
SHA-256. For a save kept with --sram, it is that file.

The last 10 saves are kept beside yours, and the last one of each of the 10
evenings before. A save that is "not confirmed" was left by a game that ended
badly or still runs: nothing uses it unless you restore it.

Example: nettplay saves list
         nettplay saves restore "mario kart" 12
         nettplay saves import game.nds ~/old/game.dsv
         nettplay saves export 9f86d081 game.sav`,
		run: func(ctx context.Context, c *call) error {
			places, err := config.Data()
			if err != nil {
				return err
			}
			return (&savesCall{call: c, dir: places.Saves}).run(ctx)
		},
	}
}

func (o *savesCall) run(ctx context.Context) error {
	return o.goOn(
		form{"list [GAME]", func(args []string) error {
			if len(args) == 0 {
				return o.overview()
			}
			return o.list(args[0])
		}},
		form{"restore GAME N", func(args []string) error { return o.restore(args[0], args[1]) }},
		form{"export GAME [N] FILE", func(args []string) error {
			number := strings.Join(args[1:len(args)-1], "") // "" without one
			return o.export(args[0], number, args[len(args)-1])
		}},
		form{"import GAME FILE", func(args []string) error { return o.imports(ctx, args[0], args[1]) }},
	)
}

// overview lists the games.
func (o *savesCall) overview() error {
	all, err := saves.All(o.dir)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		fmt.Fprintf(o.env.stdout, "There are no saves yet. They will be in %s\n", o.dir)
		return nil
	}
	t := tabwriter.NewWriter(o.env.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "GAME\tSAVED\tSIZE\tSAVES\tSHA-256")
	for _, k := range all {
		saved, size, kept := "-", "-", strconv.Itoa(len(k.Saves))
		if now := k.Current(); now != nil {
			saved, size = dateOf(now), sizeOf(now)
		}
		if n := pending(k.Saves); n > 0 {
			kept += fmt.Sprintf(", %d not confirmed", n)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%x\n", titleOf(k), saved, size, kept, k.Game.SHA256[:4])
	}
	return t.Flush()
}

// list lists the saves of one game.
func (o *savesCall) list(arg string) error {
	k, _, err := o.find(arg)
	if err != nil {
		return err
	}
	fmt.Fprintf(o.env.stdout, "%s, SHA-256 %x\nkept in %s\n\n", titleOf(k), k.Game.SHA256, k.Dir)
	t := tabwriter.NewWriter(o.env.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "N\tSAVED\tSIZE\t\tFROM")
	for i := range k.Saves {
		s := &k.Saves[i]
		fmt.Fprintf(t, "%d\t%s\t%s\t%s\t%s\n", s.Number, dateOf(s), sizeOf(s), stateOf(s), originOf(s))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for i := range k.Saves {
		if s := &k.Saves[i]; s.Damage != nil {
			fmt.Fprintf(o.env.stdout, "\nSave %d is damaged: %v.\n", s.Number, s.Damage)
		}
	}
	if used := k.InUse(); used != nil {
		fmt.Fprintf(o.env.stdout, "\n%s.\n", sentence(used.Error()))
	}
	return nil
}

// restore goes back to a save.
func (o *savesCall) restore(arg, number string) error {
	k, s, err := o.numbered(arg, number)
	if err != nil {
		return err
	}
	err = o.change(k.Game, k.Options(), func(store *saves.Store) error { return store.Restore(s.Number) })
	if errors.Is(err, saves.ErrSame) {
		fmt.Fprintf(o.env.stdout, "Save %d of %s is what your save is already.\n", s.Number, titleOf(k))
		return nil
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(o.env.stdout, "Save %d of %s, of %s, is your save again. %s\n", s.Number, titleOf(k), dateOf(s), replaced(k))
	return nil
}

// export writes a save to a file.
func (o *savesCall) export(arg, number, path string) error {
	k, _, err := o.find(arg)
	if err != nil {
		return err
	}
	s := k.Current()
	if number != "" {
		if k, s, err = o.numbered(arg, number); err != nil {
			return err
		}
	}
	if s == nil {
		return usagef("%s has no confirmed save; \"nettplay saves list\" with that game shows what there is", titleOf(k))
	}
	sram, err := k.Read(s.Number)
	if err != nil {
		return damaged(k, err)
	}
	if _, err := os.Lstat(path); err == nil && !o.force {
		return usagef("%s is there already; --force replaces it", path)
	}
	b, err := saves.Encode(path, sram)
	if err == nil {
		err = atomicfile.Write(path, b, 0o600)
	}
	if err != nil {
		return fmt.Errorf("writing the save to %s: %w", path, err)
	}
	fmt.Fprintf(o.env.stdout, "Wrote save %d of %s, of %s (%s), to %s\n", s.Number, titleOf(k), dateOf(s), sizeOf(s), path)
	return nil
}

// imports makes a file the save.
func (o *savesCall) imports(ctx context.Context, arg, path string) error {
	sram, err := saves.ReadFile(path)
	if err != nil {
		return usageError(err)
	}
	k, game, err := o.find(arg)
	if _, none := errors.AsType[noGameError](err); none {
		game, err = o.fromLibrary(ctx, arg, err)
	}
	if game == nil {
		return err
	}
	options := saves.Options{Console: o.console1} // a game without a save yet is fine
	if k != nil {
		options = k.Options()
		if now := k.Current(); now != nil && now.Size != len(sram) && !o.force {
			return usagef("your save of %s has %s, but %s has %s: it looks like another game's; --force takes it all the same",
				titleOf(k), bytesOf(now.Size), path, bytesOf(len(sram)))
		}
	}
	err = o.change(*game, options, func(store *saves.Store) error { return store.Import(sram, path) })
	title := game.Title
	if k != nil {
		title = titleOf(k)
	}
	if errors.Is(err, saves.ErrSame) {
		fmt.Fprintf(o.env.stdout, "%s has your save of %s already.\n", path, title)
		return nil
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(o.env.stdout, "The save in %s (%s) is your save of %s now. %s\n", path, bytesOf(len(sram)), title, replaced(k))
	return nil
}

// change opens saves and changes them. It says which program has them open, if one does.
func (o *savesCall) change(g saves.Game, options saves.Options, do func(*saves.Store) error) error {
	options.Doing = "nettplay saves"
	store, err := saves.Open(o.dir, g, options)
	if _, used := errors.AsType[*saves.InUseError](err); used {
		return &exitError{code: 1, err: err, hint: "End that game first: it would write over your change."}
	}
	if err != nil {
		return err
	}
	return errors.Join(do(store), store.Close())
}
