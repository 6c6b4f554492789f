package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/corecheck"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// Exit codes, as `nettplay help` lists them.
const (
	exitOK     = 0
	exitUsage  = 2
	exitLost   = 3
	exitDesync = 4
	exitCore   = 5
)

// exitCodes are the codes in words.
const exitCodes = `Exit codes: 0 all well, 2 wrong usage, 3 could not connect or lost the room,
4 the machines disagreed (desync), 5 the core or a ROM failed, 1 anything else.`

// exitError is a failure with an exit code of its own and, where there is one,
// a hint on what to do about it.
type exitError struct {
	code int
	err  error
	hint string
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// usageError is a mistake in how the program was called.
func usageError(err error) error { return &exitError{code: exitUsage, err: err} }

func usagef(format string, args ...any) error { return usageError(fmt.Errorf(format, args...)) }

// conclude says what went wrong, if anything did, and picks the exit code.
func conclude(env *environment, name string, err error) int {
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	fmt.Fprintf(env.stderr, "nettplay %s: %v\n", name, err)
	exit, known := errors.AsType[*exitError](err)
	switch {
	case !known:
		return 1
	case exit.hint != "":
		fmt.Fprintln(env.stderr, sentence(exit.hint))
	case exit.code == exitUsage:
		fmt.Fprintf(env.stderr, "\"nettplay %s --help\" shows what it takes.\n", name)
	}
	return exit.code
}

// sentence begins with a capital and ends in a full stop, unless it ends in
// something to type.
func sentence(hint string) string {
	if strings.Contains(hint, "\n") {
		return phrase.Capital(hint)
	}
	return phrase.Sentence(hint)
}

// sessionError gives a session's failure its exit code.
func sessionError(err error) error {
	f, ok := errors.AsType[*notice.Failure](err)
	if !ok {
		return err
	}
	code := map[notice.Result]int{
		notice.ResultLost: exitLost, notice.ResultDesync: exitDesync, notice.ResultCore: exitCore,
	}[f.Result]
	return &exitError{code: code, err: err, hint: f.Hint}
}

// coreError adds what to do to an error of a core or a ROM.
func coreError(err error) error {
	e := &exitError{code: exitCore, err: err}
	if _, untrusted := errors.AsType[*corecheck.UntrustedError](err); untrusted {
		e.hint = "It may be able to read and change whatever you can. If you trust the place that it came from, say so once with --any-core."
		return e
	}
	none, ok := errors.AsType[*emucore.NoCoreError](err)
	switch {
	case !ok:
	case none.AptLine != "":
		e.hint = "To install it, type:\n\n  " + none.AptLine
	case strings.HasPrefix(strings.ToLower(none.Name), "melonds"):
		e.hint = getCore + "\n\nnettplay also finds it where RetroArch's Online Updater puts it."
	case strings.HasPrefix(strings.ToLower(none.Name), "desmume"): // which the system does not have
		e.hint = getDesmume
	case len(none.Found) > 0:
		e.hint = "\"nettplay cores\" lists the cores of this computer."
	default:
		e.hint = installCore()
	}
	return e
}

// getCore says how to get the core with local wireless.
const getCore = "To get it, type:\n\n  nettplay cores get"

// getDesmume says how to get DeSmuME where the system does not have it.
const getDesmume = getCore + " desmume"

// installCore says how to get a core.
func installCore() string {
	return "nettplay needs a Nintendo DS core. To get melonDS DS, on which games find each other, type:\n\n  nettplay cores get" +
		"\n\nor, for DeSmuME, which has no local wireless:\n\n  " + cmp.Or(emucore.AptLine, "nettplay cores get desmume")
}

// startError says what to do when a session cannot begin: because of the core, or of the network.
func startError(err error) error {
	if _, failed := errors.AsType[*corecheck.FailedError](err); failed {
		return &exitError{
			code: exitCore, err: err,
			hint: "Choose another core or another build of it with --core (\"nettplay cores\" lists those that are here). --any-core plays with this one all the same: nettplay finds out when machines differ, and says so, but may not be able to repair it.",
		}
	}
	if ofCore(err) {
		return coreError(err)
	}
	if _, cheats := errors.AsType[*launch.CheatError](err); cheats {
		return usageError(err)
	}
	return networkError(err)
}

// ofCore reports whether an error is about the core's file, or what became of it as it was asked its name.
func ofCore(err error) bool {
	_, untrusted := errors.AsType[*corecheck.UntrustedError](err)
	_, none := errors.AsType[*emucore.NotCoreError](err)
	_, start := errors.AsType[*emucore.StartError](err)
	return untrusted || none || start || emucore.CrashedOrHung(err)
}

// networkError says what to do when the network cannot be opened.
func networkError(err error) error {
	inUse, ok := errors.AsType[*launch.PortError](err)
	if !ok {
		return &exitError{code: exitLost, err: err}
	}
	example := ""
	if inUse.Free > 0 {
		example = fmt.Sprintf(", such as --port %d", inUse.Free)
	}
	return &exitError{
		code: exitLost, err: fmt.Errorf("UDP port %d is in use: is another room open on this computer?", inUse.Port),
		hint: "Choose another with --port" + example + "; the other players then join with that port.",
	}
}

// openROM opens the game that a command names.
func openROM(path string) (*emucore.ROM, error) {
	rom, err := emucore.OpenROM(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &exitError{
			code: exitCore, err: fmt.Errorf("there is no file %s", filepath.Clean(path)),
			hint: "Give the path of a Nintendo DS game (.nds).",
		}
	}
	if err != nil {
		return nil, coreError(err)
	}
	return rom, nil
}

// openROMs opens the games that a command names.
func openROMs(paths []string) (list []*emucore.ROM, err error) {
	for _, path := range paths {
		rom, err := openROM(path)
		if err != nil {
			return nil, err
		}
		list = append(list, rom)
	}
	return list, nil
}
