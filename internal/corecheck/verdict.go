package corecheck

import (
	"slices"
	"strings"

	"github.com/nettplay/nettplay/emucore"
)

// Part is one of the things that are tried.
type Part uint8

// The parts, in the order in which they are tried.
const (
	Repeat Part = iota // the same game twice gives the same consoles
	State              // consoles that load one state go on alike
	Radio              // consoles hear each other by radio, with the same packets each time
	Back               // consoles go back in time, and on as if they never had
	parts
)

// String is the part in a word.
func (p Part) String() string {
	return [...]string{"repeat", "state", "radio", "back"}[p]
}

// Result is the result of a part.
type Result uint8

// The results.
const (
	NotTried Result = iota // something before it failed, or the core does not have it
	Passed
	Lacking // the core cannot do it: play is possible without
	Failed  // machines would come apart
)

// Verdict is a check's finding on a core. It is the same on each machine, as far as the check can tell.
type Verdict struct {
	Core    [32]byte // its SHA-256
	Results [parts]Result
	Why     string // of the first part that did not pass, sentences
	// Unlike is what is otherwise than in the builds that nettplay was tested with, sentences: none of it keeps
	// anybody from playing, and it may say why a part failed.
	Unlike string
	// Fingerprint is of what the core did in each frame, and of its options; zero where a part failed.
	// Cores with equal ones may share a room.
	Fingerprint [32]byte
	// Accepted tells that the player wants to play with the core although it failed.
	Accepted bool
}

// Failed reports whether machines would come apart with this core.
func (v Verdict) Failed() bool { return slices.Contains(v.Results[:], Failed) }

// Words says in sentences what was found.
func (v Verdict) Words() string {
	words := "Two consoles are the same in each run."
	switch {
	case v.Failed():
		words = ""
	case v.Results[Radio] == Passed:
		words = "Two consoles are the same in each run, also after a state was loaded, and they hear each other by radio."
	case v.Results[State] == Passed:
		words = "Two consoles are the same in each run, also after a state was loaded."
	}
	return strings.Join(slices.DeleteFunc([]string{words, v.Why, v.Unlike}, func(s string) bool { return s == "" }), " ")
}

// set notes what came of a part, and why it did not pass.
func (v *Verdict) set(p Part, r Result, why string) {
	v.Results[p] = r
	if r != Passed && v.Why == "" {
		v.Why = why
	}
}

// An UntrustedError says that a core runs with the player's rights, on a system on which nobody has seen yet that the walls
// around a core hold, and that the player has not been asked about it before.
type UntrustedError struct{ Core emucore.Core }

func (e *UntrustedError) Error() string {
	return "the core " + strings.TrimSpace(e.Core.Name+" "+e.Core.Version) + " runs with your rights: nettplay does not know this file, " +
		"and nobody has seen yet on this system that the walls around a core hold"
}

// A FailedError says that a room is not opened or joined because of the core.
type FailedError struct {
	Core    emucore.Core
	Verdict Verdict
}

func (e *FailedError) Error() string {
	return "the core " + strings.TrimSpace(e.Core.Name+" "+e.Core.Version) + " failed its check: " + e.Verdict.Words()
}
