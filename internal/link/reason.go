package link

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nettplay/nettplay/internal/phrase"
)

// By says which side ended a connection.
type By uint8

// The sides.
const (
	ByLocal   By = iota + 1 // this side, by Disconnect or because the peer broke the protocol
	ByRemote                // the other side
	ByTimeout               // nobody: it fell silent
	ByLoss                  // nobody: the other side has lost the connection, for silence or with its memory of it
)

var sides = [...]string{
	ByLocal:   "this side",
	ByRemote:  "the other side",
	ByTimeout: "a time-out",
	ByLoss:    "the other side has lost it",
}

func (b By) String() string { return phrase.Named(sides[:], b, "nobody") }

// Reason says why a peer was disconnected. Text is a few words for people, at
// most MaxReason bytes of valid UTF-8 in one line; when By is ByRemote or ByLoss they
// may be the other side's and say anything.
type Reason struct {
	By   By
	Text string
}

func (r Reason) String() string {
	if r.Text == "" {
		return "ended by " + r.By.String()
	}
	if r.By == ByRemote || r.By == ByLoss {
		return r.By.String() + ": " + r.Text // so the words are not ours
	}
	return r.Text
}

// Words makes s fit to be sent, shown and logged: valid UTF-8 without control
// or formatting characters, at most max bytes.
func Words(s string, max int) string {
	s = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) ||
			unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) {
			return ' '
		}
		return r
	}, phrase.Cut(s, 4*max))
	return strings.TrimSpace(phrase.Cut(s, max))
}
