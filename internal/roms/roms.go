// Package roms names games to the other machines of a room, finds the ROMs of the games that
// they name, and remembers those that were opened by their path.
package roms

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
)

// ID names a game to the others.
func ID(r *emucore.ROM) room.ROMID {
	return room.ROMID{SHA256: r.SHA256, Title: Title(r), Size: r.Size}
}

// Title is what players call a game: the first line of its banner. More
// lines name a part of a series, a subtitle, the maker; a line that ends in a
// colon does not stand alone.
func Title(r *emucore.ROM) string {
	banner, err := r.Banner()
	if err != nil {
		return r.Title
	}
	for _, language := range []int{1, 0} { // English, Japanese
		title, more, _ := strings.Cut(banner.Titles[language], "\n")
		if strings.HasSuffix(strings.TrimSpace(title), ":") {
			next, _, _ := strings.Cut(more, "\n")
			title += " " + next
		}
		if title = strings.Join(strings.Fields(title), " "); title != "" {
			return title
		}
	}
	return r.Title
}

// Search is where ROMs are looked for.
type Search struct {
	Own     []*emucore.ROM   // looked at first; nil ones are passed over
	Library *emucore.Library // nil for none
}

// Found says which games of a roster are on this machine.
type Found struct {
	ROMs    map[[32]byte]*emucore.ROM // by SHA-256; nil before the first search
	Missing [][32]byte
	Problem string // why this machine cannot play; "" for nothing
}

// Find looks for games by hash. It may read whole folders of ROMs. When ctx ends it returns what
// it has found so far.
func (s Search) Find(ctx context.Context, wanted []room.ROMID) Found {
	f := Found{ROMs: make(map[[32]byte]*emucore.ROM)}
	for _, id := range wanted {
		if f.ROMs[id.SHA256] != nil {
			continue
		}
		rom, err := s.find(ctx, id.SHA256)
		switch {
		case err == nil:
			f.ROMs[id.SHA256] = rom
		case errors.Is(err, emucore.ErrROMNotFound):
			f.Missing = append(f.Missing, id.SHA256)
		case errors.Is(err, context.Canceled):
			return f
		default:
			f.Problem = fmt.Sprintf("cannot look for %v: %v", id, err)
		}
	}
	return f
}

func (s Search) find(ctx context.Context, sum [32]byte) (*emucore.ROM, error) {
	for _, rom := range s.Own {
		if rom != nil && rom.SHA256 == sum {
			return rom, nil
		}
	}
	if s.Library == nil {
		return nil, emucore.ErrROMNotFound
	}
	return s.Library.Find(ctx, sum)
}
