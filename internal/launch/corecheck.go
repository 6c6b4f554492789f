package launch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/corecheck"
	"github.com/nettplay/nettplay/internal/corestore"
	"github.com/nettplay/nettplay/internal/phrase"
)

// checkTime is the limit of a core's check, after which play goes on without a verdict. It takes some
// seconds.
const checkTime = 2 * time.Minute

// Checking is the progress of a core's check.
type Checking struct {
	Words string // a sentence for the player
	// Done of All steps are done. When All is 0, the check is over, and Words say what was found.
	Done, All int
}

// CheckCore checks a core and keeps the verdict. tell hears how far it is, on the caller's
// goroutine. An error says that the core could not be checked.
func CheckCore(ctx context.Context, book *corecheck.Book, core emucore.Core, tell func(Checking)) (corecheck.Verdict, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, checkTime, errors.New("it was not over after "+phrase.Span(checkTime)))
	defer cancel()
	words := fmt.Sprintf("%s %s is new on this computer: it is checked once, which takes a few seconds.", core.Name, core.Version)
	v, err := corecheck.Run(ctx, corecheck.Config{Core: core, Tell: func(done, all int) {
		tell(Checking{words, done, all})
	}})
	if err == nil {
		_ = book.Keep(v) // else it is checked another time
	}
	return v, err
}

// Fingerprinted returns a core with its fingerprint, where that is known without a check: from an earlier
// one, or since this very file was measured.
func Fingerprinted(places config.Places, core emucore.Core) emucore.Core {
	if print, known := core.KnownFingerprint(); known {
		core.Fingerprint = print
	} else if v, known := corecheck.OpenBook(places.CoreVerdicts).Of(core.SHA256); known {
		core.Fingerprint = v.Fingerprint
	}
	return core
}

// checkCore is asked by whatever opens or joins a room, and returns the core with its fingerprint. Only a core
// with which machines would come apart is an error, a [*corecheck.FailedError], unless the player wants it all the same; and
// one that the player must be asked about, a [*corecheck.UntrustedError].
func (m Machine) checkCore(ctx context.Context) (core emucore.Core, err error) {
	if m.Core, err = m.Opened(ctx, m.Core); err != nil {
		return m.Core, err
	}
	if err := m.judgeCore(ctx); err != nil {
		return m.Core, err
	}
	return Fingerprinted(m.Places, m.Core), nil
}

func (m Machine) judgeCore(ctx context.Context) error {
	if _, known := m.Core.KnownFingerprint(); m.Places.CoreVerdicts == "" || known {
		return nil
	}
	tell := m.Checking
	if tell == nil {
		tell = func(Checking) {}
	}
	book := corecheck.OpenBook(m.Places.CoreVerdicts)
	v, known := book.Of(m.Core.SHA256)
	var err error
	if !known {
		v, err = CheckCore(ctx, book, m.Core, tell)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		tell(Checking{Words: fmt.Sprintf("%s could not be checked (%v). If computers differ, choose another core.", m.Core.Name, err)})
	case v.Failed() && !v.Accepted && !m.AnyCore:
		return &corecheck.FailedError{Core: m.Core, Verdict: v}
	case v.Failed():
		_ = book.Accept(v.Core) // else it is asked another time
		tell(Checking{Words: "You play with a core that failed its check. " + v.Why})
	case !known:
		tell(Checking{Words: passedWords(m.Core, v)})
	}
	return nil
}

// Opened returns a core that may run, or none, with its own words if it was only looked at. Where the player must be asked about it
// first, it does not run, and the error is a [*corecheck.UntrustedError].
func (m Machine) Opened(ctx context.Context, core emucore.Core) (emucore.Core, error) {
	book := corecheck.OpenBook(m.Places.CoreVerdicts)
	asked := m.Places.CoreVerdicts == "" || m.AnyCore || slices.Contains(m.Trusted, core.SHA256) || askedBefore(book, m.Cores, core)
	if core.Path != "" && asksFirst(emucore.WallsProven, core, asked) {
		return core, &corecheck.UntrustedError{Core: core}
	}
	return core.Open(ctx)
}

// seen is Opened for those who only watch. A core that runs for the first time is checked then, as before a game: by its verdict
// it is known that the player was asked. What the check finds keeps nobody from watching.
func (m Machine) seen(ctx context.Context, core emucore.Core) (emucore.Core, error) {
	opened, err := m.Opened(ctx, core)
	if err == nil && core.Unopened && !askedBefore(corecheck.OpenBook(m.Places.CoreVerdicts), m.Cores, core) {
		m.Core = opened
		_ = m.judgeCore(ctx)
	}
	return opened, err
}

// askedBefore reports whether the player has been asked about a core: one that was checked, or that was got here.
func askedBefore(book *corecheck.Book, store *corestore.Store, core emucore.Core) bool {
	_, asked := book.Of(core.SHA256)
	if !asked && store != nil {
		_, asked = store.ByHash(core.SHA256)
	}
	return asked
}

// asksFirst reports whether a player is asked before any of a core runs, about which they were asked before or not: once, where
// nobody has seen yet that the walls around a core hold, if it is none that we name by its hash.
func asksFirst(walls bool, core emucore.Core, asked bool) bool {
	return !walls && !asked && core.Standing() != emucore.Proven
}

// passedWords says whether a core that passed its check is good to play with. Which build it is, and what was tried,
// stands on the page of the cores.
func passedWords(core emucore.Core, v corecheck.Verdict) string {
	if limits := strings.TrimSpace(v.Why + " " + v.Unlike); limits != "" {
		return fmt.Sprintf("Your core, %s, passed its check, but: %s", core.Name, limits)
	}
	return fmt.Sprintf("Your core, %s, passed its check: it is good to play with.", core.Name)
}
