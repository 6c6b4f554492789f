package session

import (
	"errors"

	"github.com/nettplay/nettplay/emucore"
)

// Failure is why a session ended other than well: the kind, the words, and
// what the player can do about it, if anything.
type Failure struct {
	Result  Result
	Err     error
	Hint    string
	Refused bool // the room did not let us in; nothing is broken
}

// Error is what happened, without the hint.
func (f *Failure) Error() string { return f.Err.Error() }

// Unwrap gives the cause.
func (f *Failure) Unwrap() error { return f.Err }

// coreHint is what a player can do when a core or a ROM fails.
func coreHint(err error) string {
	var crash *emucore.CrashError
	var hang *emucore.HangError
	switch {
	case errors.As(err, &crash), errors.As(err, &hang):
		return "The emulator core failed, not the network. Try the game alone in RetroArch with the same core, or another core (\"nettplay cores\")."
	case errors.Is(err, emucore.ErrROMChanged):
		return "The ROM file has changed since it was opened. Start again."
	}
	return ""
}

// conclude fills in how it ended.
func (r *Report) conclude(err error) {
	if err == nil {
		r.Result = ResultOK
		return
	}
	r.Error = err.Error()
	r.Result = ResultLost
	var f *Failure
	if errors.As(err, &f) {
		r.Result = f.Result
	}
}
