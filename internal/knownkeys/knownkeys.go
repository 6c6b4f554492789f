// Package knownkeys remembers the keys of the players that somebody met, by nickname, so
// that it can say when a nickname comes with another one.
//
// A nickname proves nothing: anybody can take it. The key of an installation is proven by
// each connection. The memory is bounded, and the file is no more trusted than anything
// from the network: an invalid line is left out.
//
// Read next: internal/seal for the keys, internal/launch, which says what changed.
package knownkeys

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

	"github.com/nettplay/nettplay/internal/atomicfile"
	"github.com/nettplay/nettplay/internal/filelock"
	"github.com/nettplay/nettplay/internal/regular"
	"github.com/nettplay/nettplay/internal/seal"
)

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
	New     Meeting = iota // nobody of that nickname was met before
	Same                   // with the same key
	Changed                // with another one
)

// Book has the keys of one player's friends, whose programs may all use it at once. Its methods may
// be called on any goroutine, and wait for the disk.
type Book struct {
	path string // "" for memory alone

	mu      sync.Mutex // guards what follows
	entries []Friend   // as the file was last read or written, and those that could not be written
	unkept  []Friend   // these, in the order in which they were met
}

// Friend is a player who was met.
type Friend struct {
	Nickname string
	Key      seal.Public
}

// Open reads the book of a file; one that is not there is empty. Without a file that can be
// read, the book is empty too, the error says why, and nothing is written over it.
func Open(path string) (*Book, error) {
	list, err := read(path)
	if err != nil {
		return &Book{}, fmt.Errorf("read the keys of players met before: %w", err)
	}
	return &Book{path: path, entries: list}, nil
}

// read reads a file; one that is not there is empty.
func read(path string) ([]Friend, error) {
	text, err := regular.Read(path, maxFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return parse(string(text)), nil
}

// Meet compares a player's key with the one of last time, whichever of the player's programs that was,
// and remembers it. It is one step: no other program changes the book meanwhile. Where it cannot be read or written, the
// error says so, and the comparison is with what this one knows.
func (b *Book) Meet(nickname string, key seal.Public) (m Meeting, err error) {
	if !valid(nickname) || key.IsZero() {
		return New, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := Friend{nickname, key}
	if b.path == "" {
		m, b.entries = compare(b.entries, now)
		return m, nil
	}
	met := false
	err = filelock.Changing(b.path, func() error {
		list, err := read(b.path)
		if err != nil {
			return err
		}
		for _, f := range b.unkept {
			_, list = compare(list, f)
		}
		m, list = compare(list, now)
		b.entries, met = list, true
		return atomicfile.WritePrivate(b.path, []byte(format(list)))
	})
	if err == nil {
		b.unkept = nil
		return m, nil
	}
	if !met {
		m, b.entries = compare(b.entries, now)
	}
	_, b.unkept = compare(b.unkept, now)
	return m, fmt.Errorf("remember the keys of players met: %w", err)
}

// compare compares a player's key with that of a list, and puts the player at its end.
func compare(list []Friend, now Friend) (Meeting, []Friend) {
	m, i := New, slices.IndexFunc(list, func(f Friend) bool { return f.Nickname == now.Nickname })
	if i >= 0 {
		m = Changed
		if list[i].Key == now.Key {
			m = Same
		}
		list = slices.Delete(list, i, i+1)
	}
	list = append(list, now)
	return m, list[max(0, len(list)-maxEntries):]
}

// Latest are those who were met last, at most so many, the last one first, as this program knows it.
func (b *Book) Latest(most int) []Friend {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := slices.Clone(b.entries[max(0, len(b.entries)-most):])
	slices.Reverse(list)
	return list
}

// Name is the nickname with which a key was met last, as this program knows it; "" for a stranger's.
func (b *Book) Name(key seal.Public) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range slices.Backward(b.entries) {
		if f.Key == key {
			return f.Nickname
		}
	}
	return ""
}

func format(list []Friend) string {
	var text strings.Builder
	for _, f := range list {
		fmt.Fprintf(&text, "%x %s\n", f.Key[:], f.Nickname)
	}
	return text.String()
}

// parse reads a file. Of a nickname that stands twice, the last line counts.
func parse(text string) (list []Friend) {
	for line := range strings.Lines(text) {
		digits, nickname, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		raw, err := hex.DecodeString(digits)
		if !ok || err != nil || len(raw) != len(seal.Public{}) || !valid(nickname) {
			continue
		}
		list = slices.DeleteFunc(list, func(f Friend) bool { return f.Nickname == nickname })
		list = append(list, Friend{nickname, seal.Public(raw)})
	}
	return list[max(0, len(list)-maxEntries):]
}

func valid(nickname string) bool {
	return nickname != "" && len(nickname) <= maxNickname && utf8.ValidString(nickname) &&
		!strings.ContainsFunc(nickname, func(r rune) bool { return unicode.IsControl(r) })
}
