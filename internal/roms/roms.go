// Package roms names games to the other machines of a room, finds the ROMs of the games that
// they name, and remembers those that were opened by their path.
package roms

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/phrase"
)

// ID names a game to the others.
func ID(r *emucore.ROM) room.ROMID {
	return room.ROMID{
		SHA256: r.SHA256, Title: Title(r), Size: r.Size,
		Edition: room.Edition{Code: r.Code, Revision: r.Revision, Encrypted: r.Encrypted, Patched: r.Patched},
	}
}

// Title returns the players' name of a game; see [Titles].
func Title(r *emucore.ROM) string {
	title, _ := Titles(r)
	return title
}

// Titles returns what players call a game and the rest of its title, see Names of emucore/banner.
// A game whose banner names nothing goes by the name of its file, or else by its header.
func Titles(r *emucore.ROM) (title, more string) {
	if b, err := r.Banner(); err == nil {
		if title, more = b.Names(); title != "" {
			return title, more
		}
	}
	if r.Path == "" {
		return strings.TrimSpace(r.Title), ""
	}
	return phrase.Printable(strings.TrimSuffix(filepath.Base(r.Path), filepath.Ext(r.Path))), ""
}

// Search is where ROMs are looked for.
type Search struct {
	Own     []*emucore.ROM   // looked at first; nil ones are passed over
	Library *emucore.Library // nil for none
	Quick   bool             // look only at games that are likely, see [emucore.Wanted]
}

// Found says which games of a roster are on this machine.
type Found struct {
	ROMs    map[[32]byte]*emucore.ROM // by SHA-256; nil before the first search
	Missing [][32]byte
	Near    []room.Near // of those that are missing, the nearest that is here; not of all
	Problem string      // why this machine cannot play; "" for nothing
}

// Find looks for games by hash. It may read whole folders of ROMs. When ctx ends it returns what
// it has found so far.
func (s Search) Find(ctx context.Context, wanted []room.ROMID) Found {
	f := Found{ROMs: make(map[[32]byte]*emucore.ROM)}
	for _, id := range wanted {
		if f.ROMs[id.SHA256] != nil {
			continue
		}
		rom, err := s.find(ctx, id)
		switch {
		case err == nil:
			f.ROMs[id.SHA256] = rom
		case errors.Is(err, emucore.ErrROMNotFound):
			f.Missing = append(f.Missing, id.SHA256)
			if near, ok := s.nearest(ctx, id); ok {
				f.Near = append(f.Near, room.Near{Of: id.SHA256, Game: near})
			}
		case errors.Is(err, context.Canceled):
			return f
		default:
			f.Problem = fmt.Sprintf("cannot look for %v: %v", id, err)
		}
	}
	return f
}

// nearest finds another edition of a game. No more is read of the games than their headers and banners, but of the one
// that it is.
func (s Search) nearest(ctx context.Context, id room.ROMID) (best room.ROMID, found bool) {
	near, game := 0, (*emucore.ROM)(nil)
	look := func(r *emucore.ROM) {
		if r == nil || id.Edition.Code != "" && r.Code != "" && r.Code[0] != id.Edition.Code[0] {
			return // its title need not be made
		}
		if n := ID(r).Akin(id); n > near {
			near, game = n, r
		}
	}
	for _, r := range s.Own {
		look(r)
	}
	if s.Library != nil {
		_, _ = s.Library.Scan(ctx, func(f emucore.Scanned) bool { // what cannot be looked at is not here
			for _, r := range f.ROMs {
				look(r)
			}
			return true
		})
	}
	if game == nil {
		return best, false
	}
	if game.Unread() {
		read, err := s.Library.Read(ctx, game)
		if err != nil {
			return best, false
		}
		game = read
	}
	return ID(game), true
}

func (s Search) find(ctx context.Context, id room.ROMID) (*emucore.ROM, error) {
	for _, rom := range s.Own {
		if rom == nil {
			continue
		}
		if as := rom.As(id.SHA256); as != nil {
			return as, nil
		}
	}
	if s.Library == nil {
		return nil, emucore.ErrROMNotFound
	}
	want := Wanted(id)
	want.Quick = s.Quick
	return s.Library.Find(ctx, want)
}

// Wanted is a game that another machine or a recording names, to be looked for.
func Wanted(id room.ROMID) emucore.Wanted {
	want := emucore.Wanted{SHA256: id.SHA256, Size: id.Size}
	if id.Title != "" {
		want.Like = func(r *emucore.ROM) bool {
			named, err := room.CheckROM(ID(r))
			return err == nil && named.Title == id.Title || r.BannerTitle == "" && r.Title == ""
		}
	}
	return want
}
