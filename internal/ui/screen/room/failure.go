package room

import (
	"errors"
	"fmt"
	"strings"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/corecheck"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/screen"
)

// explain says why a session failed, and what to do.
func explain(err error, r *Room) screen.Trouble {
	t := screen.Trouble{Title: failedTitle(r), Words: screen.Sentence(err.Error())}
	var f *notice.Failure
	var none *emucore.NoCoreError
	var core *corecheck.FailedError
	var untrusted *corecheck.UntrustedError
	switch {
	case errors.As(err, &core):
		t.Title = "This core failed its check"
		t.Words = strings.TrimSpace(core.Core.Name+" "+core.Core.Version) + ": " + core.Verdict.Why
		t.Hint = "Choose another core, or another build of it. You can still play with it: if the computers come to differ, nettplay notices and says so, but may not be able to repair it."
	case errors.As(err, &untrusted):
		t = *screen.Untrusted(untrusted)
	case errors.Is(err, link.ErrPortInUse):
		t.Title = "The room could not be opened"
		t.Words = fmt.Sprintf("Another program on this computer uses UDP port %d. Perhaps another room is open here.", r.Port)
		t.Hint = "Close the other room, or choose another port in the settings, under Network."
	case errors.As(err, &none):
		return *screen.NoCore(none)
	case errors.As(err, &f):
		t.Hint = screen.Sentence(f.Hint)
		switch {
		case f.Refused:
		case r.Called != "" && link.NobodyThere(err):
			t.Title = r.Called + " is closed"
			t.Words = "The game host's computer answers, but has no room open."
			t.Hint = "If your friends are still playing, ask one of them for a new invitation."
		case f.Result == notice.ResultDesync:
			t.Title = "The consoles went out of sync"
			t.Words = "Each computer runs the consoles of all players, and one did not do the same everywhere. " + t.Words
			if t.Hint == "" {
				t.Hint = "The game was ended so that no save is damaged. Your save is as it was. Play again; if it happens again, the core or one of the computers may be at fault."
			}
		case emucore.CrashedOrHung(err):
			t.Title = "The emulator core failed"
		}
	}
	t.Hint = screen.InWindow(t.Hint)
	return t
}

// failedTitle is the title of a failure.
func failedTitle(r *Room) string {
	switch {
	case r.Local > 0:
		return "The game could not go on"
	case !r.Known && r.Hosting:
		return "The room could not be opened"
	case !r.Known && r.Called != "":
		return "You could not join " + r.Called
	case !r.Known:
		return "You could not join the room"
	case r.Run.Playing:
		return "The game is over"
	}
	return "You are out of the room"
}
