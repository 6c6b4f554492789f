package notice

import (
	"errors"
	"fmt"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/link"
)

// Failure is the reason why a session did not end well: its kind, its words, and a remedy for the
// player, if there is one.
type Failure struct {
	Result  Result
	Err     error
	Hint    string
	Refused bool      // the room did not let us in; nothing is broken
	Code    room.Code // why it did not, where Refused is set
	Closed  bool      // the room is over for us: the game host has closed it, or removed us
	// Back is an invitation to the room of another game host: ours fell apart, we were alone in our part of it, and
	// join the other one. "" otherwise.
	Back string
	// Core is the room's, if it did not let us in because ours is another; else nil.
	Core *room.UsedCore
}

// AsksPassword reports whether a session ended because the room has a password and we gave none, or
// another one.
func AsksPassword(err error) bool {
	var f *Failure
	return errors.As(err, &f) && f.Refused && f.Code == room.CodePassword
}

// RefusedFor returns the reason why a room did not let us in, if that is what an error tells.
func RefusedFor(err error) (code room.Code, refused bool) {
	f, is := errors.AsType[*Failure](err)
	if !is || !f.Refused {
		return 0, false
	}
	return f.Code, true
}

// WayBack returns the invitation to the other part of a room that fell apart, if a session ended to join it.
func WayBack(err error) (invitation string, is bool) {
	f, is := errors.AsType[*Failure](err)
	if !is || f.Back == "" {
		return "", false
	}
	return f.Back, true
}

// RoomIsOver reports whether an error tells that there is no way back into a room: it is closed, or has sent us
// away.
func RoomIsOver(err error) bool {
	f, is := errors.AsType[*Failure](err)
	return is && (f.Closed || f.Refused && f.Code == room.CodeBanned)
}

// Error tells what happened, without the hint.
func (f *Failure) Error() string { return f.Err.Error() }

// Unwrap gives the cause.
func (f *Failure) Unwrap() error { return f.Err }

// The sentences of [CoreHint], each of which is translated.
const (
	notTheNetwork = "It was not the network."
	anotherCore   = "If it happens again, play on another core."
)

// CoreHint returns advice for the player of a core or a ROM that fails.
func CoreHint(err error) string {
	var crash *emucore.CrashError
	var hang *emucore.HangError
	switch {
	case errors.As(err, &crash), errors.As(err, &hang):
		return notTheNetwork + " " + anotherCore
	case errors.Is(err, emucore.ErrROMChanged):
		return "The ROM file has changed since it was opened. Start again."
	}
	return ""
}

// Conclude fills in how it ended.
func (r *Report) Conclude(err error) {
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

// NotReached is a connection that was not made, and what the player can do about it.
func NotReached(err error) error {
	return &Failure{Result: ResultLost, Err: link.NotReached(err), Hint: link.Hint(err)}
}

// Refused returns the failure of one who was not let in.
func Refused(r room.Refusal) error {
	f := &Failure{Result: ResultLost, Err: errors.New(r.Sentence), Hint: r.Hint, Refused: true, Code: r.Code}
	if r.Code == room.CodeCore || r.Code == room.CodeBIOS {
		f.Result = ResultCore
	}
	if r.Code == room.CodeCore && r.Core.SHA256 != [32]byte{} {
		f.Core = &r.Core
	}
	return f
}

// Desynced is that of machines that are not alike any more.
func Desynced(words string) *Failure {
	return &Failure{
		Result: ResultDesync, Err: fmt.Errorf("desync: %s", words),
		Hint: "All computers started from the same state, so this is a fault of the core, its options or nettplay. The reports of both sides help to find it.",
	}
}
