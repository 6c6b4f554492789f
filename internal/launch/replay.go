package launch

import (
	"context"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/replay"
)

// Replay is one start of a recording.
type Replay struct {
	Log   *replay.Log // stays the caller's
	Core  string      // a core's name or path; "" for the recording's, where it is installed
	ROMs  []*emucore.ROM
	Force bool // another core or build than the recording's will do
}

// Replay makes the configuration of a player of a recording. needs is all that is missing
// here; where it is not empty the recording cannot be played. An error is of the search
// for it. The machine's Core does not matter.
func (m Machine) Replay(ctx context.Context, r Replay) (cfg player.Config, needs []player.Need, err error) {
	m.remember(r.ROMs...)
	core := recordingCore(ctx, m.Settings.Core, r)
	roms, needs, err := player.Needs(ctx, r.Log, core, r.Force, r.ROMs, m.Library)
	return player.Config{Log: r.Log, Core: core, ROMs: roms, Force: r.Force}, needs, err
}

// recordingCore finds the core to play a recording with: the one that the player named;
// else the very build of the recording, one of the same name, the one of the settings.
// The zero value is none.
func recordingCore(ctx context.Context, cfg config.Core, r Replay) emucore.Core {
	if r.Core != "" {
		cfg.Name = r.Core
		core, _ := FindCore(ctx, cfg)
		return core
	}
	want := r.Log.Settings.Core
	if core, err := CoreByHash(ctx, cfg, want.SHA256); err == nil {
		return core
	}
	for _, core := range Cores(ctx, cfg) {
		if core.Name == want.Name {
			return core
		}
	}
	// It may be named by path in the settings, and be no DS core by its name.
	core, _ := FindCore(ctx, cfg)
	return core
}
