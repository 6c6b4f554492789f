package player

import (
	"context"
	"errors"
	"fmt"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/replay"
	names "github.com/nettplay/nettplay/internal/roms"
)

// A Need is something that a recording cannot be played without and that is not
// here, in words: what it is, and what to do.
type Need struct{ What, Hint string }

// Needs looks for everything that a recording is played with. The core is
// the one that is here; its zero value is none. With force another build will do.
// Games are looked for among own first, then in the library, which may be nil. All
// that is missing is returned at once. An error is a search that failed.
func Needs(ctx context.Context, log *replay.Log, core emucore.Core, force bool, own []*emucore.ROM, library *emucore.Library,
) (roms map[[32]byte]*emucore.ROM, needs []Need, err error) {
	needs = append(coreNeeds(log.Settings.Core, core, force), biosNeeds(log.Settings.BIOS)...)
	roms = make(map[[32]byte]*emucore.ROM)
	for _, r := range own {
		roms[r.FileSHA256] = r.AsFile() // which earlier versions recorded
		roms[r.SHA256] = r
	}
	asked := make(map[[32]byte]bool)
	for _, s := range log.Seats {
		id := s.Plan.ROM
		if roms[id.SHA256] != nil || asked[id.SHA256] {
			continue
		}
		asked[id.SHA256] = true
		var rom *emucore.ROM
		err := emucore.ErrROMNotFound
		if library != nil {
			rom, err = library.Find(ctx, names.Wanted(id))
		}
		switch {
		case err == nil:
			roms[id.SHA256] = rom
		case errors.Is(err, emucore.ErrROMNotFound):
			needs = append(needs, Need{
				What: fmt.Sprintf("the game %v, SHA-256 %x", id, id.SHA256),
				Hint: "Put the game into one of your ROM folders, or name its file.",
			})
		default:
			return nil, nil, fmt.Errorf("looking for %v: %w", id, err)
		}
	}
	return roms, needs, nil
}

// CoreID names a core as rooms do.
func CoreID(core emucore.Core) room.CoreID {
	return room.CoreID{Name: core.Name, Version: core.Version, SHA256: core.SHA256, Fingerprint: core.Fingerprint}
}

// OtherBuild says that a recording is played with another build of its core, which does the same; "" for the
// very build.
func OtherBuild(want room.CoreID, core emucore.Core) string {
	if core.SHA256 == want.SHA256 || !CoreID(core).Alike(want) {
		return ""
	}
	return fmt.Sprintf("It was made with another build of the same version (%v, and here it is %v). Both did the same in each frame of the check.", want, CoreID(core))
}

func coreNeeds(want room.CoreID, core emucore.Core, force bool) []Need {
	need := Need{What: fmt.Sprintf("the core %v, SHA-256 %x", want, want.SHA256)}
	switch {
	case CoreID(core).Alike(want), force && core.Name != "":
		return nil
	case core.Name == "":
		need.Hint = "Install that core, or name its file."
	case core.Name == want.Name:
		need.Hint = fmt.Sprintf("The one here, %v, is another build of it. Install the same one, or force this one: it may play the game otherwise.",
			CoreID(core))
	default:
		need.Hint = fmt.Sprintf("The one here is %s. Install that core, or name its file.", core.Name)
	}
	return []Need{need}
}

// biosNeeds are files that consoles were started with: this version starts them
// without.
func biosNeeds(list []room.BIOSHash) (needs []Need) {
	for _, b := range list {
		needs = append(needs, Need{
			What: fmt.Sprintf("the BIOS file %s, SHA-256 %x", b.Name, b.SHA256),
			Hint: "This version of nettplay plays only games of consoles without BIOS files.",
		})
	}
	return needs
}
