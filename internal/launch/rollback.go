package launch

import (
	"fmt"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/corecheck"
	"github.com/nettplay/nettplay/internal/rollback"
	"github.com/nettplay/nettplay/internal/session"
)

// Depth is the number of frames that consoles may run by guesses on this machine at the most, in rooms with rollback: what is
// asked for, or with less than 0 what the core is known to bear. It is 0 where consoles cannot go back.
func Depth(places config.Places, core emucore.Core, asked int) int {
	back := backOf(places, core)
	switch {
	case len(emucore.SnapshotWays()) == 0 || back == corecheck.Lacking:
		return 0
	case asked >= 0:
		return asked
	case back != corecheck.Passed && !emucore.ProfileFor(core.Name).GoesBack:
		return 0 // nobody has tried with this core
	}
	return rollback.MaxDepth
}

// Rollback reports whether rooms may play with rollback on a core: not if its check has found that its consoles do not
// go back as they must.
func Rollback(places config.Places, core emucore.Core) bool {
	return backOf(places, core) != corecheck.Lacking
}

// backOf is what a core's check has found.
func backOf(places config.Places, core emucore.Core) corecheck.Result {
	v, _ := corecheck.OpenBook(places.CoreVerdicts).Of(core.SHA256)
	return v.Results[corecheck.Back]
}

// withoutRollback has a room that is opened play with everyone waiting, where it was to be with rollback and the core does not
// bear that.
func (m Machine) withoutRollback(host *session.HostRole) {
	if host == nil || host.Settings.Sync != room.Rollback || Rollback(m.Places, m.Core) {
		return
	}
	host.Settings.Sync = room.Lockstep
	if m.Checking != nil {
		m.Checking(Checking{Words: fmt.Sprintf("Rollback is not possible with %s: its consoles do not go back in time as they must. Everyone waits for inputs that come late.", m.Core.Name)})
	}
}
