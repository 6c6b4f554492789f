package online

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/wire"
)

// State is somebody's present activity.
type State uint8

// The states.
const (
	Away    State = iota // not there, or not seen
	There                // nettplay runs
	InLobby              // in a room whose game has not begun
	Playing
)

// Word is a player's word to friends.
type Word struct {
	State      State
	Game       string // title, 64 bytes at most; "" for none
	Invitation []byte // to the room, if friends may come; nil for none
}

// A word as it is sealed, always of the same length:
//
//	1 state:1 size:1 game size:2 invitation zeros
//
// and as it is published:
//
//	number:8 nonce:12 sealed tag:16
const (
	wordVersion = 1
	numberSize  = 8
	wordSize    = relay.MaxSighting - numberSize - seal.DropOverhead
	maxGame     = 64
	maxInvited  = wordSize - 3 - maxGame - 2
)

var errWord = errors.New("not a message of a friend")

func (w Word) append(b []byte) []byte {
	game := wire.CleanPrinting(w.Game, maxGame)
	invited := w.Invitation
	if len(invited) > maxInvited {
		invited = nil
	}
	start := len(b)
	b = append(append(b, wordVersion, byte(w.State), byte(len(game))), game...)
	b = append(binary.BigEndian.AppendUint16(b, uint16(len(invited))), invited...)
	return append(b, make([]byte, start+wordSize-len(b))...)
}

func readWord(b []byte) (w Word, err error) {
	if len(b) != wordSize || b[0] != wordVersion {
		return w, fmt.Errorf("%d bytes: %w", len(b), errWord)
	}
	w.State = State(b[1])
	size, rest := int(b[2]), b[3:]
	if w.State > Playing || size > maxGame {
		return w, fmt.Errorf("state %d, game of %d bytes: %w", w.State, size, errWord)
	}
	w.Game, rest = wire.CleanPrinting(string(rest[:size]), maxGame), rest[size:]
	if size = int(binary.BigEndian.Uint16(rest)); size > maxInvited {
		return w, fmt.Errorf("invitation of %d bytes: %w", size, errWord)
	}
	if size > 0 {
		w.Invitation = rest[2:][:size:size]
	}
	return w, nil
}

// publish seals a word for one friend.
func (w Word) publish(to seal.Drop, number uint64) []byte {
	open := binary.BigEndian.AppendUint64(nil, number)
	return to.Seal(open, w.append(nil), open)
}

// openWord reads what a friend has published.
func openWord(from seal.Drop, body []byte) (w Word, number uint64, err error) {
	if len(body) < numberSize {
		return w, 0, fmt.Errorf("%d bytes: %w", len(body), errWord)
	}
	plain, err := from.Open(body[numberSize:], body[:numberSize])
	if err != nil {
		return w, 0, fmt.Errorf("open a friend's message: %w", err)
	}
	w, err = readWord(plain)
	return w, binary.BigEndian.Uint64(body), err
}

// invitation is the text of an invitation's bytes, "" for none.
func invitation(b []byte) string {
	v, err := invite.Read(b)
	if err != nil || v.Answer {
		return ""
	}
	return v.Text()
}
