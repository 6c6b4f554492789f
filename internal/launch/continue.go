package launch

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/roms"
)

// Continued is a kept moment from which this machine can go on.
type Continued struct {
	Core         emucore.Core
	ROM          *emucore.ROM // of the player's own console
	LocalPlayers []string     // who played at the player's machine besides, and do again
	Players      int

	log  *replay.Log
	open []string
}

// Close lets go of the file, which a session does otherwise. Nil is none.
func (c *Continued) Close() {
	if c != nil {
		c.log.Close()
	}
}

// A StrangerError tells that the player had no console in a kept moment.
type StrangerError struct {
	Nickname string
	Players  []string
}

func (e *StrangerError) Error() string {
	return fmt.Sprintf("nobody was called %s in this game of %s", e.Nickname, phrase.List(e.Players))
}

// Continue opens a kept moment, and finds what it takes to go on from there: its core, the
// player's game, where rom is nil, and the player. Open are those whose consoles anybody may
// play. An error says what differs.
func (m Machine) Continue(ctx context.Context, path string, rom *emucore.ROM, open []string) (c *Continued, err error) {
	l, err := replay.OpenMoment(path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			l.Close()
		}
	}()
	c = &Continued{log: l, open: open, Players: len(l.Seats)}
	if c.Core, err = m.coreOf(ctx, l.Settings.Core); err != nil {
		return nil, err
	}
	kept, err := l.Kept().Opened(open...)
	if err != nil {
		return nil, err
	}
	own, there := kept.Of(m.Settings.Player.Nickname, func(ds.Seat) bool { return true })
	if !there {
		return nil, &StrangerError{m.Settings.Player.Nickname, kept.Players()}
	}
	if c.ROM, err = m.gameOf(ctx, own.ROM, rom); err != nil {
		return nil, err
	}
	if own.Nickname == m.Settings.Player.Nickname {
		c.LocalPlayers = localPlayers(l, own.Seat)
	}
	return c, nil
}

// gameOf finds a game of a moment.
func (m Machine) gameOf(ctx context.Context, want room.ROMID, given *emucore.ROM) (*emucore.ROM, error) {
	if given != nil {
		if as := given.As(want.SHA256); as != nil {
			return as, nil
		}
		return nil, fmt.Errorf("this moment is of %v, and yours is %v", want, roms.ID(given))
	}
	rom, err := m.Library.Find(ctx, roms.Wanted(want))
	if errors.Is(err, emucore.ErrROMNotFound) {
		return nil, fmt.Errorf("this moment is of %v, which is in none of your ROM folders", want)
	}
	return rom, err
}

// localPlayers returns the names of the other local players at the machine of a seat.
func localPlayers(l *replay.Log, seat ds.Seat) (names []string) {
	i := slices.IndexFunc(l.Seats, func(s replay.Seat) bool { return s.Plan.Seat == seat })
	for _, s := range l.Seats {
		if s.Plan.Machine == l.Seats[i].Plan.Machine && s.Plan.Seat != seat {
			names = append(names, s.Plan.Nickname)
		}
	}
	return names
}

// coreOf finds the very core of a moment: that of the settings, or another one that is here; else
// the settings' where it is another build that does the same.
func (m Machine) coreOf(ctx context.Context, want room.CoreID) (emucore.Core, error) {
	if m.Core.SHA256 == want.SHA256 {
		return m.Core, nil
	}
	if core, err := CoreByHash(ctx, m.Settings.Core, want.SHA256); err == nil {
		return core, nil
	}
	own, err := m.Opened(ctx, m.Core)
	if err != nil {
		return own, err
	}
	if core := m.likeRecordings(ctx, own, want); player.CoreID(core).Alike(want) {
		return core, nil
	}
	return emucore.Core{}, fmt.Errorf("this moment was kept with another core: %v, and yours is %v",
		want, room.CoreID{Name: own.Name, Version: own.Version, SHA256: own.SHA256})
}
