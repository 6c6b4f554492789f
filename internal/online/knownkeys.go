package online

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/nettplay/nettplay/internal/disk"
	"github.com/nettplay/nettplay/internal/seal"
)

// The keys of the players that somebody met are remembered by nickname, so that the program can say when a nickname comes with another one.
//
// A nickname proves nothing: anybody can take it. The key of an installation is proven by
// each connection. The memory is bounded, and the file is no more trusted than anything
// from the network: an invalid line is left out.

// The file has a line for each nickname, the one that was met last at the end:
//
//	64 hexadecimal digits of the key, a space, the nickname
const (
	maxEntries  = 500
	maxNickname = 72 // bytes
	maxFile     = maxEntries * (64 + 1 + maxNickname + 1)
)

// Meeting is the comparison of a player's key with the one of last time.
type Meeting uint8

// The meetings.
const (
	FirstMet   Meeting = iota // nobody of that nickname was met before
	MetBefore                 // with the same key
	KeyChanged                // with another one
)

// KnownKeys has the keys of one player's friends, whose programs may all use it at once. Its methods may
// be called on any goroutine, and wait for the disk.
type KnownKeys struct {
	path string // "" for memory alone

	mu      sync.Mutex // guards what follows
	entries []KnownKey // as the file was last read or written, and those that could not be written
	unkept  []KnownKey // these, in the order in which they were met
}

// KnownKey is a player who was met.
type KnownKey struct {
	Nickname string
	Key      seal.Public
}

// OpenKnownKeys reads the book of a file; one that is not there is empty. Without a file that can be
// read, the book is empty too, the error says why, and nothing is written over it.
func OpenKnownKeys(path string) (*KnownKeys, error) {
	list, err := readKeys(path)
	if err != nil {
		return &KnownKeys{}, fmt.Errorf("read the keys of players met before: %w", err)
	}
	return &KnownKeys{path: path, entries: list}, nil
}

// readKeys reads a file; one that is not there is empty.
func readKeys(path string) ([]KnownKey, error) {
	text, err := disk.Read(path, maxFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return parseKeys(string(text)), nil
}

// Meet compares a player's key with the one of last time, whichever of the player's programs that was,
// and remembers it. It is one step: no other program changes the book meanwhile. Where it cannot be read or written, the
// error says so, and the comparison is with what this one knows.
func (b *KnownKeys) Meet(nickname string, key seal.Public) (m Meeting, err error) {
	if !validKey(nickname) || key.IsZero() {
		return FirstMet, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := KnownKey{nickname, key}
	if b.path == "" {
		m, b.entries = compareKeys(b.entries, now)
		return m, nil
	}
	met := false
	err = disk.Changing(b.path, func() error {
		list, err := readKeys(b.path)
		if err != nil {
			return err
		}
		for _, f := range b.unkept {
			_, list = compareKeys(list, f)
		}
		m, list = compareKeys(list, now)
		b.entries, met = list, true
		return disk.WritePrivate(b.path, []byte(formatKeys(list)))
	})
	if err == nil {
		b.unkept = nil
		return m, nil
	}
	if !met {
		m, b.entries = compareKeys(b.entries, now)
	}
	_, b.unkept = compareKeys(b.unkept, now)
	return m, fmt.Errorf("remember the keys of players met: %w", err)
}

// compareKeys compares a player's key with that of a list, and puts the player at its end.
func compareKeys(list []KnownKey, now KnownKey) (Meeting, []KnownKey) {
	m, i := FirstMet, slices.IndexFunc(list, func(f KnownKey) bool { return f.Nickname == now.Nickname })
	if i >= 0 {
		m = KeyChanged
		if list[i].Key == now.Key {
			m = MetBefore
		}
		list = slices.Delete(list, i, i+1)
	}
	list = append(list, now)
	return m, list[max(0, len(list)-maxEntries):]
}

// Latest are those who were met last, at most so many, the last one first, as this program knows it.
func (b *KnownKeys) Latest(most int) []KnownKey {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := slices.Clone(b.entries[max(0, len(b.entries)-most):])
	slices.Reverse(list)
	return list
}

// Name is the nickname with which a key was met last, as this program knows it; "" for a stranger's.
func (b *KnownKeys) Name(key seal.Public) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range slices.Backward(b.entries) {
		if f.Key == key {
			return f.Nickname
		}
	}
	return ""
}

func formatKeys(list []KnownKey) string {
	var text strings.Builder
	for _, f := range list {
		fmt.Fprintf(&text, "%x %s\n", f.Key[:], f.Nickname)
	}
	return text.String()
}

// parseKeys reads a file. Of a nickname that stands twice, the last line counts.
func parseKeys(text string) (list []KnownKey) {
	for line := range strings.Lines(text) {
		digits, nickname, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		raw, err := hex.DecodeString(digits)
		if !ok || err != nil || len(raw) != len(seal.Public{}) || !validKey(nickname) {
			continue
		}
		list = slices.DeleteFunc(list, func(f KnownKey) bool { return f.Nickname == nickname })
		list = append(list, KnownKey{nickname, seal.Public(raw)})
	}
	return list[max(0, len(list)-maxEntries):]
}

func validKey(nickname string) bool {
	return nickname != "" && len(nickname) <= maxNickname && utf8.ValidString(nickname) &&
		!strings.ContainsFunc(nickname, func(r rune) bool { return unicode.IsControl(r) })
}
