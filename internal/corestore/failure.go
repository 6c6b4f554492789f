package corestore

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"strings"
	"time"

	"github.com/nettplay/nettplay/internal/disk"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/sockets"
)

// A Reason is that of a failure, for callers that do not show every failure alike.
type Reason int

// The reasons.
const (
	Unreachable  Reason = iota + 1 // no connection, or no answer
	Untrusted                      // TLS: somebody else answers, or the certificate is not valid
	Refused                        // the server answered, but with an error
	Limited                        // the server answers no more questions for now
	Redirected                     // to a host that does not belong to the source, or without TLS
	Stalled                        // the server sends nothing any more
	CutOff                         // the connection ended too early
	TooLarge                       // more than the source said, or than is allowed
	NotAList                       // the source's list is none
	Altered                        // not what the source announced: size or sum differ
	NotAnArchive                   // not a zip file with one core in it
	NotACore                       // not a DS core, or it fails when it runs
	WrongMachine                   // a core for another machine
	NotTried                       // no worker could be started to try it
	OtherBuild                     // a good core, but not the build that the room wants
	Disk                           // full, or not to be written
	NotKept                        // not in the store
	Unsupported                    // no source has cores for this machine
)

// A Failure says what failed and why.
type Failure struct {
	Reason Reason
	Host   string // the server, "" for none
	What   string // what was tried: "getting melondsds 1.2.0 from github.com"
	Why    string // for people
	Err    error  // beneath it, or nil
}

func (f *Failure) Error() string { return f.What + ": " + f.Why }

// Unwrap returns the error beneath it.
func (f *Failure) Unwrap() error { return f.Err }

const (
	tryAgain   = "Try again; nothing of it was kept."
	otherBytes = "Try again later; nothing of it was kept. The file may just be replaced at the source, or damaged on the way."
)

// advice is what the player can do, by the reason; {host} stands for the server.
var advice = map[Reason]string{
	Unreachable:  "Is this computer online? A firewall may block {host}. Try again later.",
	Untrusted:    "Perhaps a network login page answered: open a web page first. Also check this computer's date.",
	Refused:      "Try again later. If it stays so, the address under core.sources in the settings may be out of date.",
	Limited:      "Wait that long, or take the core from another source.",
	Redirected:   "Nothing was fetched from there. Try again later; if it stays so, look for a newer nettplay, which may know the source's new address.",
	Stalled:      tryAgain,
	CutOff:       tryAgain,
	TooLarge:     otherBytes,
	NotAList:     "A network that asks for a login answers like that: open a web page first. Otherwise try again later.",
	Altered:      otherBytes,
	NotAnArchive: otherBytes,
	NotACore:     "Nothing was kept. Take another version, or another source.",
	WrongMachine: "Nothing was kept. Take another source, or build the core for this computer.",
	NotTried:     "Nothing was kept. \"nettplay doctor\" looks for what keeps consoles from starting.",
	OtherBuild:   "Nothing was kept. The game host and you need the same build: let one of you change to the other's.",
	Disk:         "Free some space or choose another folder with XDG_DATA_HOME, and try again; nothing of it was kept.",
	NotKept:      "\"nettplay cores\" lists the kept cores.",
	Unsupported:  "Build a core for it, and give its path as core.name in the settings.",
}

// Advice returns what the player can do about it, one or two sentences.
func (f *Failure) Advice() string { return strings.ReplaceAll(advice[f.Reason], "{host}", f.Host) }

// diskFailure is a failure of the player's disk.
func diskFailure(what, path string, err error) error {
	if is[*Failure](err) {
		return err
	}
	why := err.Error()
	switch {
	case disk.Full(err):
		why = "the disk is full"
	case errors.Is(err, fs.ErrPermission) || disk.ReadOnly(err):
		why = path + " cannot be written"
	}
	return &Failure{Reason: Disk, What: what, Why: why, Err: err}
}

// Why a transfer ends that its caller has not ended.
var (
	errSilent  = errors.New("no answer")
	errStalled = errors.New("nothing arrives any more")
	errSlow    = errors.New("it takes too long")
)

// maxTransfer is the time that a transfer may take in all.
const maxTransfer = 30 * time.Minute

// netFailure is a failure of the way to a server.
func netFailure(ctx context.Context, what, host string, err error) error {
	if known, ok := errors.AsType[*Failure](err); ok {
		known.What, known.Host = what, host
		return known
	}
	f := &Failure{Reason: Unreachable, Host: host, What: what, Err: err}
	timeout, slow := errors.AsType[net.Error](err)
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errSilent):
		f.Reason, f.Why = Stalled, host+" does not answer"
	case errors.Is(cause, errStalled):
		f.Reason, f.Why = Stalled, host+" sends nothing any more"
	case errors.Is(cause, errSlow):
		f.Reason, f.Why = Stalled, fmt.Sprintf("%s has not sent all of it in %s", host, phrase.Span(maxTransfer))
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", what, cause)
	case untrusted(err):
		f.Reason, f.Why = Untrusted, "the server that answered could not prove that it is "+host
	case is[*net.DNSError](err):
		f.Why = "this computer cannot find " + host
	case slow && timeout.Timeout():
		f.Why = host + " does not answer"
	case sockets.Refused(err):
		f.Why = host + " takes no connection"
	default:
		f.Why = "no connection with " + host + ": " + innermost(err)
	}
	return f
}

func untrusted(err error) bool {
	return is[*tls.CertificateVerificationError](err) || is[tls.RecordHeaderError](err) ||
		is[x509.UnknownAuthorityError](err) || is[x509.HostnameError](err) || is[x509.CertificateInvalidError](err)
}

// is reports whether an error is, or wraps, one of a type.
func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// innermost is the text of the error at the bottom, without the request that failed.
func innermost(err error) string {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err.Error()
		}
		err = next
	}
}
