package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/nettplay/nettplay/emucore"
)

// Folder is what there is to try in a folder.
type Folder struct {
	Games []*emucore.ROM         // by path; unread where only the header is known
	Not   []*emucore.NotROMError // what looks like a game and cannot be played, by path
	Left  []emucore.Skipped      // what was not looked at
}

// ScanFolder finds the games of a folder, also in archives, without reading more than their headers.
func ScanFolder(ctx context.Context, folder string) (f Folder, err error) {
	path, err := filepath.Abs(folder)
	if err != nil {
		return f, fmt.Errorf("look into %s: %w", folder, err)
	}
	walk, err := emucore.NewLibrary([]string{path}).Scan(ctx, func(l emucore.Scanned) bool {
		f.Games, f.Not = append(f.Games, l.ROMs...), append(f.Not, l.Not...)
		return true
	})
	if err != nil {
		return f, fmt.Errorf("look into %s: %w", folder, err)
	}
	f.Left = walk.Skipped
	slices.SortStableFunc(f.Games, func(a, b *emucore.ROM) int { return cmp.Compare(a.Path, b.Path) })
	slices.SortStableFunc(f.Not, func(a, b *emucore.NotROMError) int { return cmp.Compare(a.Path, b.Path) })
	return f, nil
}

// Try tries each game of the folder that is another one than those before, with g's core and options. The
// functions hear of each game, on the caller's goroutine: of one that begins, and of what was seen, or of why it is no game.
// One that fails does not end it. An error is that of ctx, or of this machine.
func (f Folder) Try(ctx context.Context, g GameTrial, begin func(number, of int, name string), seen func(*Seen), no func(*emucore.NotROMError)) error {
	for _, n := range f.Not {
		no(n)
	}
	tried := map[[32]byte]bool{}
	for i, rom := range f.Games {
		begin(i+1, len(f.Games), gameName(rom))
		read, err := rom.Read(ctx)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			no(&emucore.NotROMError{Path: rom.Path, Why: why(err)})
			continue
		case tried[read.SHA256]:
			continue
		}
		tried[read.SHA256] = true
		g.ROM = read
		s, err := g.Run(ctx)
		if err != nil {
			return err
		}
		seen(&s)
	}
	return nil
}

// why is an error without the path.
func why(err error) string {
	if not, ok := errors.AsType[*emucore.NotROMError](err); ok {
		return not.Why
	}
	return err.Error()
}
