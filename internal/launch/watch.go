package launch

import (
	"context"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
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
