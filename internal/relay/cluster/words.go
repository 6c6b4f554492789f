package cluster

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/nettplay/nettplay/internal/relay"
)

// Relays say this to each other, by the key in the bucket:
//
//	entry.ORIGIN.KIND-KEY   an encoded relay.Entry; without a body it is gone
//	relay.ORIGIN            1 name: this relay is there; without a name it is about to end
//
// ORIGIN and KIND-KEY are hexadecimal digits.
const (
	entryWord = "entry"
	relayWord = "relay"

	wordVersion = 1
	maxWord     = relay.MaxEntry // bytes
)

var (
	errKey  = errors.New("unknown key")
	errWord = errors.New("malformed word")
)

// word is one thing that a relay says.
type word struct {
	from  relay.Origin
	entry relay.Entry // of kind 0: the relay is there
	name  string      // of the relay; "" for one that is about to end, or is no sibling
}

func (w word) key() string {
	if w.entry.Kind == 0 {
		return fmt.Sprintf("%s.%016x", relayWord, uint64(w.from))
	}
	return fmt.Sprintf("%s.%016x.%02x%x", entryWord, uint64(w.from), w.entry.Kind, w.entry.Key)
}

func (w word) bytes() []byte {
	if w.entry.Kind == 0 {
		return append([]byte{wordVersion}, w.name...)
	}
	return w.entry.Append(nil)
}

// decode reads a word. Its entry's body is a part of b.
func decode(key string, b []byte) (w word, err error) {
	kind, rest, _ := strings.Cut(key, ".")
	origin, slot, _ := strings.Cut(rest, ".")
	from, err := strconv.ParseUint(origin, 16, 64)
	if err != nil || len(origin) != 16 {
		return w, fmt.Errorf("origin: %w", errKey)
	}
	w.from = relay.Origin(from)
	switch {
	case len(b) == 0 || len(b) > maxWord:
		return w, fmt.Errorf("word of %d bytes: %w", len(b), errWord)
	case kind == entryWord:
		if w.entry, err = relay.DecodeEntry(b); err != nil {
			return w, fmt.Errorf("entry: %w", err)
		}
	case kind != relayWord:
		return w, fmt.Errorf("kind: %w", errKey)
	case b[0] != wordVersion:
		return w, fmt.Errorf("version %d: %w", b[0], errWord)
	default:
		w.name = string(b[1:])
	}
	if w.name != "" && !relay.IsName(w.name) || w.key() != key {
		return w, fmt.Errorf("name or key %q: %w", slot, errWord)
	}
	return w, nil
}
