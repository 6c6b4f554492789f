package room

import (
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// NoRollbackWords say why rollback cannot be chosen.
const NoRollbackWords = "Rollback is not possible with this core: its check found that its consoles do not go back in time as they must."

// SyncChoice chooses one of config.Syncs: what becomes of a bad line.
// Where the core does not bear rollback, that is not among them.
func SyncChoice(u *widgets.UI, now string, noRollback bool, set func(sync string)) {
	values, names := settings.Syncs()
	if i := slices.Index(values, config.Rollback); noRollback && now != config.Rollback {
		values, names = slices.Delete(values, i, i+1), slices.Delete(names, i, i+1)
	}
	screen.Choose(u, widgets.Choice{Name: "sync", Options: names}, values, now, set)
}

// SyncWords says what one of config.Syncs means to players.
func SyncWords(sync string) string {
	switch sync {
	case config.Clocked:
		return "A player whose inputs come late stutters alone. Each press takes effect after the way to the game host and back."
	case config.Rollback:
		return "Your own presses take effect nearly at once. Where those of others come late and were guessed wrong, the picture jumps a little. Takes a fast computer."
	}
	return "All consoles wait while the inputs of one player are late."
}

// sync shows what becomes of a bad line. The game host can change it.
func (v *Lobby) sync(u *widgets.UI, r *Room) {
	values, names := settings.Syncs()
	at := slices.Index(values, r.Room.Settings.Sync.String())
	screen.Labelled(u, "On a bad connection", SyncWords(values[at]), func() {
		if r.Hosting {
			SyncChoice(u, values[at], r.NoRollback, func(sync string) { v.SetSync(room.SyncNamed(sync)) })
		} else {
			u.Label(names[at])
		}
	})
	if r.Room.Settings.Sync == room.Rollback {
		screen.Labelled(u, "Your own delay", "Your own presses take effect at least so many frames later. The others' computers then have less to guess, and their pictures jump less.", func() { v.ownDelay(u) })
	}
	if words := weakestWords(r); words != "" {
		u.Note(words)
	}
	if r.Hosting && r.NoRollback {
		u.Note(NoRollbackWords)
	}
}

// weakestWords says whose computer guesses the fewest frames, in a room with rollback, and what follows; "" where nobody's does
// too few, or nothing is known yet.
func weakestWords(r *Room) string {
	p, frames, known := r.Room.Weakest()
	switch {
	case r.Room.Settings.Sync != room.Rollback || !known || frames >= enoughDepth || r.Present() < 2:
		return ""
	case frames == 0:
		return p.Nickname + "'s computer cannot guess, and waits: the others' presses take effect about as late as if everyone waited."
	}
	return fmt.Sprintf("%s's computer guesses the fewest frames, %d (%d ms): what a connection to it needs beyond that delays the others' presses.",
		p.Nickname, frames, ds.FrameTime(int64(frames)).Round(time.Millisecond).Milliseconds())
}

// enoughDepth is the number of guessed frames beyond which nobody is named: 100 ms.
const enoughDepth = 6

// suggestClocked suggests to the game host what helps the others where one player's line is bad.
func (v *Lobby) suggestClocked(u *widgets.UI, r *Room, p room.Player) {
	if !r.Hosting || v.badLine == "" || p.Nickname != v.badLine || p.Local > 0 || r.Room.Settings.Sync == room.Clocked {
		return
	}
	screen.Offer(u, widgets.Primary, p.Nickname+" has a much worse connection. The game stays smooth for the others if they stop waiting.",
		widgets.Button{Text: "Stop waiting", Name: "clocked", Do: func() { v.SetSync(room.Clocked) }})
}
