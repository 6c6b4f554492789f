package launch

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/corecheck"
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
	ctx, cancel := context.WithTimeoutCause(ctx, checkTime, fmt.Errorf("it was not over after %v", checkTime))
	defer cancel()
	words := fmt.Sprintf("%s %s is new on this computer: it is checked once, which takes some seconds.", core.Name, core.Version)
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
func (m Machine) checkCore(ctx context.Context) (emucore.Core, error) {
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
	if asksFirst(emucore.WallsProven, m.Core, known) && !m.TrustCore && !m.AnyCore {
		return &corecheck.UntrustedError{Core: m.Core}
	}
	if !known {
		v, err = CheckCore(ctx, book, m.Core, tell)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		tell(Checking{Words: fmt.Sprintf("%s could not be checked (%v). If machines differ, choose another core.", m.Core.Name, err)})
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

// asksFirst reports whether a player is asked before a core is played with, whose check is known or not: once, where nobody
// has seen yet that the walls around a core hold, if it is none that we name by its hash. What was checked was asked about.
func asksFirst(walls bool, core emucore.Core, checked bool) bool {
	return !walls && !checked && core.Standing() != emucore.Proven
}

// passedWords says whether a core that passed its check is good to play with. Which build it is, and what was tried,
// stands on the page of the cores.
func passedWords(core emucore.Core, v corecheck.Verdict) string {
	if limits := strings.TrimSpace(v.Why + " " + v.Unlike); limits != "" {
		return fmt.Sprintf("Your core, %s, passed its check, but: %s", core.Name, limits)
	}
	return fmt.Sprintf("Your core, %s, passed its check: it is good to play with.", core.Name)
}
