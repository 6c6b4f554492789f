package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/internal/disk"
	"github.com/nettplay/nettplay/internal/saves"
)

// savesCall is one call of "nettplay saves".
type savesCall struct {
	*call
	ctx context.Context
	dir string // of all saves
}

func savesCommand() command {
	return command{
		name: "saves", uses: onSaves, args: "list|restore|delete|export|import ...", most: 100,
		summary: "list your saves, restore an older one, move them",
		help: `  saves list               the games that have a save
  saves list GAME          all saves of a game
  saves restore GAME N     make save N of the list your save again; the one that
                           it replaces is kept
  saves delete GAME [N]    have the game begin anew, or delete save N of the
                           list; it is kept and can be restored
  saves export GAME [N] FILE
                           write your save, or save N, to a file: in the form
                           that its name asks for, raw for .sav and .srm, or in
                           that of --form
  saves import GAME FILE   make what is in a file your save; the one that it
                           replaces is kept

GAME is the ROM's file, its name without .nds, a part of the game's title, or
the first digits of its SHA-256. For a save kept with --sram, it is that file.

A file may be raw (.sav, .srm), DeSmuME's or DraStic's (.dsv), an Action
Replay's (.duc), no$gba's or a flash card's, of any length. The forms are
  ` + strings.Join(formNames(), ", ") + `

The last 10 saves are kept beside yours, and the last one of each of the 10
evenings before. A save that is "not confirmed" was left by a game that ended
badly or still runs: nothing uses it unless you restore it.

Example: nettplay saves list
         nettplay saves restore "mario kart" 12
         nettplay saves import game.nds ~/old/game.dsv
         nettplay saves export --form nogba 9f86d081 game.sav`,
		run: func(ctx context.Context, c *call) error {
			places, err := config.Data()
			if err != nil {
				return err
			}
			return (&savesCall{call: c, ctx: ctx, dir: places.Saves}).run()
		},
	}
}

// formNames are the names of the forms for --form.
func formNames() (names []string) {
	for _, f := range savefile.Forms() {
		names = append(names, f.String())
	}
	return names
}

func (o *savesCall) run() error {
	return o.goOn(
		form{"list [GAME]", func(args []string) error {
			if len(args) == 0 {
				return o.overview()
			}
			return o.list(args[0])
		}},
		form{"restore GAME N", func(args []string) error { return o.restore(args[0], args[1]) }},
		form{"delete GAME [N]", func(args []string) error {
			if len(args) == 2 {
				return o.discard(args[0], args[1])
			}
			return o.remove(args[0])
		}},
		form{"export GAME [N] FILE", func(args []string) error {
			number := strings.Join(args[1:len(args)-1], "") // "" without one
			return o.export(args[0], number, args[len(args)-1])
		}},
		form{"import GAME FILE", func(args []string) error { return o.imports(args[0], args[1]) }},
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
		fmt.Fprintf(t, "%d\t%s\t%s\t%s\t%s\n", s.Number, timeOf(k.Saves, s), sizeOf(s), stateOf(s), originOf(s))
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

// remove deletes the current save.
func (o *savesCall) remove(arg string) error {
	k, _, err := o.find(arg)
	if err != nil {
		return err
	}
	now := k.Current()
	if now == nil {
		return usagef("%s has no save that a game would begin with", titleOf(k))
	}
	if err := o.change(k.Game, k.Options(), (*saves.Store).Delete); err != nil {
		return err
	}
	fmt.Fprintf(o.env.stdout, "%s begins anew. Your old save is kept: \"nettplay saves restore\" with that game and %d brings it back.\n", titleOf(k), now.Number)
	return nil
}

// discard deletes another save. One that is deleted goes for good, which takes --force.
func (o *savesCall) discard(arg, number string) error {
	n, err := strconv.Atoi(number)
	if err != nil {
		return usagef("N is %q, but must be a number of \"nettplay saves list %s\"", number, arg)
	}
	k, _, err := o.find(arg)
	if err != nil {
		return err
	}
	if now := k.Current(); now != nil && now.Number == n {
		return o.remove(arg)
	}
	i := slices.IndexFunc(k.Saves, func(s saves.Save) bool { return s.Number == n })
	gone := i >= 0 && k.Saves[i].Deleted
	if gone && !o.force {
		return usagef("save %d of %s is deleted already; --force deletes it for good", n, titleOf(k))
	}
	if err := o.change(k.Game, k.Options(), func(store *saves.Store) error { return store.Discard(n) }); err != nil {
		return err
	}
	if gone {
		fmt.Fprintf(o.env.stdout, "Save %d of %s is gone.\n", n, titleOf(k))
		return nil
	}
	fmt.Fprintf(o.env.stdout, "Save %d of %s is deleted: \"nettplay saves restore\" with that game and %d brings it back.\n", n, titleOf(k), n)
	return nil
}

// export writes a save to a file.
func (o *savesCall) export(arg, number, path string) error {
	form := savefile.FormOf(path)
	if o.form != "" {
		f, err := savefile.ParseForm(o.form)
		if err != nil {
			return usagef("--form: %w", err)
		}
		form = f
	}
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
	b, err := savefile.Encode(form, sram, k.Game.Title)
	if err == nil {
		err = disk.Write(path, b, 0o600)
	}
	if err != nil {
		return fmt.Errorf("writing the save to %s: %w", path, err)
	}
	as := ""
	if form != savefile.Raw {
		as = ", for " + form.Words()
	}
	fmt.Fprintf(o.env.stdout, "Wrote save %d of %s, of %s (%s), to %s%s\n", s.Number, titleOf(k), dateOf(s), sizeOf(s), path, as)
	return nil
}

// imports makes a file the save.
func (o *savesCall) imports(arg, path string) error {
	if _, err := saves.ReadFile(path); err != nil {
		return usageError(err)
	}
	k, game, err := o.find(arg)
	if game == nil {
		return err
	}
	options := saves.Options{Console: o.console1} // a game without a save yet is fine
	if k != nil {
		options = k.Options()
	}
	in, err := saves.ImportFor(o.dir, path, game.SHA256)
	if err != nil {
		return usageError(err)
	}
	if in.Loses != "" && !o.force {
		return usagef("%s: %s --force takes it all the same", path, in.Loses)
	}
	err = o.change(*game, options, func(store *saves.Store) error { return store.Import(in.SRAM, path) })
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
	fmt.Fprintf(o.env.stdout, "Imported %s (%s): it is your save of %s now. %s\n", path, savefile.SizeWords(len(in.SRAM)), title, strings.TrimSpace(in.Cut+" "+replaced(k)))
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
