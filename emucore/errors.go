package emucore

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrClosed is returned by the methods of a closed [Console].
var ErrClosed = errors.New("console is closed")

// ErrBadState says that data is not a state of this console's core: truncated,
// altered, or of another core. The console is unchanged.
var ErrBadState = errors.New("not a state of this console")

// ErrNoState is returned by Save and Load where the core cannot save.
var ErrNoState = errors.New("the core has no savestates")

// errUnknown is sticky after a core refused a state halfway.
var errUnknown = errors.New("console is in an unknown state since a load that failed; load again or close it")

// A StartError says why a core could not start a console: the library cannot be
// loaded, or the core refuses the ROM or the save.
type StartError struct {
	Core string   // the core's name, or its path
	Why  string   // to be read after the name: "refused the ROM"
	Log  []string // its last lines of output, oldest first
	Page bool     // the core shows a page of its own instead of the game
}

func (e *StartError) Error() string {
	return "start core: " + e.Core + " " + e.Why + lastWords(e.Log)
}

// A CrashError says that a console's worker exited, crashed or was killed.
type CrashError struct {
	Core     string
	Signal   string   // "SIGSEGV", "access violation" on Windows, or "" if it exited
	ExitCode int      // if Signal is ""
	Why      string   // how the worker broke the protocol, or ""
	Log      []string // its last lines of output, oldest first
}

func (e *CrashError) Error() string {
	how := fmt.Sprintf("exited with status %d", e.ExitCode)
	switch {
	case e.Why != "":
		how = "misbehaved: " + e.Why
	case e.Signal != "":
		how = "was ended by " + e.Signal
	}
	return "console crashed: " + e.Core + " " + how + lastWords(e.Log)
}

// A HangError says that a console's worker did not reply in time and was
// killed.
type HangError struct {
	Core  string
	After time.Duration
	Log   []string // its last lines of output, oldest first
}

func (e *HangError) Error() string {
	return fmt.Sprintf("console hangs: %s gave no answer for %v%s", e.Core, e.After.Round(100*time.Millisecond), lastWords(e.Log))
}

// CrashedOrHung reports whether err says that a console's worker ended or had to be killed.
func CrashedOrHung(err error) bool {
	_, crashed := errors.AsType[*CrashError](err)
	_, hung := errors.AsType[*HangError](err)
	return crashed || hung
}

// A FormError says that a core's states or files do not have the format that its profile knows.
type FormError struct {
	Core string
	Err  error
}

func (e *FormError) Error() string {
	return fmt.Sprintf("states of this build of %s are of a form that nettplay does not know: %v", e.Core, e.Err)
}

func (e *FormError) Unwrap() error { return e.Err }

// lastWords returns the end of an error message, which quotes the last line of a log.
func lastWords(log []string) string {
	for i := len(log) - 1; i >= 0; i-- {
		if line := strings.TrimSpace(log[i]); line != "" {
			return fmt.Sprintf(" (last said %q)", line)
		}
	}
	return ""
}
