package launch

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/corestore"
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

// FindCore finds the core of the settings.
func FindCore(ctx context.Context, cfg config.Core) (emucore.Core, error) {
	folders, err := CoreFolders(cfg)
	if err != nil {
		return emucore.Core{}, err
	}
	return emucore.FindCore(ctx, cfg.Name, folders)
}

// CoreByHash finds the very build that a room has, among the kept ones and all others. Where
// it is not here the error matches emucore.ErrNoCore.
func CoreByHash(ctx context.Context, cfg config.Core, sha [32]byte) (emucore.Core, error) {
	folders, err := CoreFolders(cfg)
	if err != nil {
		return emucore.Core{}, err
	}
	if filepath.IsAbs(cfg.Name) {
		folders = append([]string{filepath.Dir(cfg.Name)}, folders...)
	}
	return emucore.FindHash(ctx, sha, folders)
}
