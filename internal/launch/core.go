package launch

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/corecheck"
	"github.com/nettplay/nettplay/internal/corestore"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// CoreFolders returns the folders in which cores are looked for before those where RetroArch
// and distributions put them: the settings', then one of each kept build, the newest of
// each core first.
func CoreFolders(cfg config.Core) ([]string, error) {
	folders, err := config.ExpandAll(cfg.Folders)
	if err != nil {
		return nil, fmt.Errorf("reading core.folders: %w", err)
	}
	store, err := corestore.Default()
	if err != nil {
		return nil, err
	}
	return append(folders, store.Folders()...), nil
}

// Search returns the search for cores by the settings, in CoreFolders first. Where nobody has seen yet that the walls around a
// core hold, it runs none to ask it its name that the player has not been asked about: such a core is found
// [emucore.Core.Unopened], and [Machine.Opened] asks.
func Search(cfg config.Core) (emucore.Search, error) {
	folders, err := CoreFolders(cfg)
	if err != nil || emucore.WallsProven {
		return emucore.Search{Folders: folders}, err
	}
	places, err := config.Data()
	if err != nil {
		return emucore.Search{}, err
	}
	book, store := corecheck.OpenBook(places.CoreVerdicts), corestore.Open(places.Cores)
	return emucore.Search{Folders: folders, MayRun: func(core emucore.Core) bool {
		return !asksFirst(false, core, askedBefore(book, store, core))
	}}, nil
}

// FindCore finds the core of the settings, as Search does.
func FindCore(ctx context.Context, cfg config.Core) (emucore.Core, error) {
	s, err := Search(cfg)
	if err != nil {
		return emucore.Core{}, err
	}
	return s.Find(ctx, cfg.Name)
}

// CoreByHash finds the very build that a room has, among the kept ones and all others. Where
// it is not here the error matches emucore.ErrNoCore.
func CoreByHash(ctx context.Context, cfg config.Core, sha [32]byte) (emucore.Core, error) {
	s, err := Search(cfg)
	if err != nil {
		return emucore.Core{}, err
	}
	if filepath.IsAbs(cfg.Name) {
		s.Folders = append([]string{filepath.Dir(cfg.Name)}, s.Folders...)
	}
	return s.ByHash(ctx, sha)
}

// RoomsCore finds the very build of a core that a room plays on, if err says that the room did
// not let this machine in for its core and the build is on this machine. m.Core is another one.
func (m Machine) RoomsCore(ctx context.Context, err error) (core emucore.Core, found bool) {
	f, ok := errors.AsType[*notice.Failure](err)
	if !ok || f.Core == nil || f.Core.SHA256 == m.Core.SHA256 {
		return core, false
	}
	core, err = CoreByHash(ctx, m.Settings.Core, f.Core.SHA256)
	return core, err == nil
}

// source is where the machine's core was got, as a room tells it.
func (m Machine) source() (s room.CoreSource) {
	if m.Cores != nil {
		if b, kept := m.Cores.ByHash(m.Core.SHA256); kept {
			s.Name, s.Version = b.Origin.Told()
		}
	}
	return s
}

// KnowsSource reports whether a room's core is from a source that the player's settings name too. Only
// such a source is asked for it: no address comes from another player.
func KnowsSource(cfg config.Core, used room.UsedCore) bool {
	return slices.ContainsFunc(cfg.Sources, func(text string) bool {
		s, err := config.ParseCoreSource(text)
		return err == nil && s.Name() == used.Source.Name
	})
}

// RoomsOffer finds the build that a room plays on at the sources of the player's settings.
func RoomsOffer(ctx context.Context, client *corestore.Client, used room.UsedCore) (corestore.Offer, error) {
	offers, problems := client.List(ctx)
	o, found := corestore.Match(offers, corestore.Wanted{
		Name: used.Name, Version: used.Version, SHA256: used.SHA256, Source: used.Source.Name, SourceVersion: used.Source.Version,
	})
	switch {
	case found:
		return o, nil
	case len(problems) > 0:
		return o, problems[0]
	}
	return o, &corestore.Failure{
		Reason: corestore.OtherBuild, What: "looking for " + used.CoreID.String(),
		Why: used.Source.Name + " does not have this build any more: the game host must update the core",
	}
}

// RoomsCoreWords says that a room's core is used instead of the player's own.
func RoomsCoreWords(core emucore.Core) string {
	return fmt.Sprintf("The room plays on %v. You have that build too, so it is used here.",
		room.CoreID{Name: core.Name, Version: core.Version, SHA256: core.SHA256})
}

// Cores are all cores on this machine.
func Cores(ctx context.Context, cfg config.Core) []emucore.Core {
	s, err := Search(cfg)
	if err != nil {
		return nil
	}
	found, _ := s.All(ctx) // none is no error of ours
	return found
}
