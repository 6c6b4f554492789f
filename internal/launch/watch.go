package launch

import (
	"context"
	"slices"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/corecheck"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/spectate"
)

// Watch is one start of a spectator.
type Watch struct {
	Address  string // "host:port" of the game host, an invitation or a code
	Password string
	Port     int            // UDP port to send from, 0 for any
	ROMs     []*emucore.ROM // games that the player named; the others are found in the library
	Frames   int64          // end after so many frames of a game, 0 for all
	Once     bool           // end with the first game
}

// Watch makes the session of a spectator. Its errors are the network's, or that the player must be asked about the core
// first (a [*corecheck.UntrustedError]). The session owns
// the link from the call of [spectate.Watch] on.
func (m Machine) Watch(ctx context.Context, w Watch) (_ spectate.WatchConfig, err error) {
	if m.Core, err = m.seen(ctx, m.Core); err != nil {
		return spectate.WatchConfig{}, err
	}
	addr, v, err := m.target(ctx, w.Address)
	if err != nil {
		return spectate.WatchConfig{}, err
	}
	cfg := spectate.WatchConfig{
		Addr: addr, Moved: m.moved(v), Nickname: m.Settings.Player.Nickname, Password: w.Password, Version: m.Version,
		Core: Fingerprinted(m.Places, m.Core), ROMs: w.ROMs, Library: m.Library, Frames: w.Frames, Once: w.Once,
	}
	m.remember(w.ROMs...)
	cfg.Link, err = m.listen(w.Port, room.Door{Secret: v.Secret})
	return cfg, err
}

// Replay is one start of a recording.
type Replay struct {
	Log   *replay.Log // stays the caller's
	Core  string      // a core's name or path; "" for the recording's, where it is installed
	ROMs  []*emucore.ROM
	Force bool // another core or build than the recording's will do
}

// Replay makes the configuration of a player of a recording. needs is all that is missing
// here; where it is not empty the recording cannot be played. An error is of the search
// for it, or that the player must be asked about the core first (a [*corecheck.UntrustedError]). The machine's Core does not matter.
func (m Machine) Replay(ctx context.Context, r Replay) (cfg player.Config, needs []player.Need, err error) {
	m.remember(r.ROMs...)
	core := recordingCore(ctx, m.Settings.Core, r)
	if core, err = m.seen(ctx, core); err != nil {
		return cfg, nil, err
	}
	core = m.likeRecordings(ctx, core, r.Log.Settings.Core)
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
	all := slices.DeleteFunc(Cores(ctx, cfg), func(core emucore.Core) bool { return core.Name != want.Name })
	if i := slices.IndexFunc(all, func(core emucore.Core) bool { return core.Version == want.Version }); i >= 0 {
		return all[i] // it may be another build of the same
	}
	if len(all) > 0 {
		return all[0]
	}
	// It may be named by path in the settings, and be no DS core by its name.
	core, _ := FindCore(ctx, cfg)
	return core
}

// likeRecordings returns a core with its fingerprint where that tells whether it does for a recording of another
// build. It is checked for that if it is new here.
func (m Machine) likeRecordings(ctx context.Context, core emucore.Core, want room.CoreID) emucore.Core {
	if core.SHA256 == want.SHA256 || core.Name != want.Name || core.Version != want.Version || want.Fingerprint == ([32]byte{}) {
		return core
	}
	book := corecheck.OpenBook(m.Places.CoreVerdicts)
	_, proven := core.KnownFingerprint()
	if _, known := book.Of(core.SHA256); !known && !proven && m.Places.CoreVerdicts != "" {
		tell := m.Checking
		if tell == nil {
			tell = func(Checking) {}
		}
		_, _ = CheckCore(ctx, book, core, tell) // else the recording's own build is needed
	}
	return Fingerprinted(m.Places, core)
}
