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

// Book has the keys of one player's friends. Its methods may be called on any goroutine;
// only Save waits for the disk.
type Book struct {
	path    string
	writing sync.Mutex // one writes at a time

	mu      sync.Mutex // guards what follows
	entries []Friend
}

// Friend is a player who was met.
type Friend struct {
	Nickname string
	Key      seal.Public
}

// Open reads the book of a file; one that is not there is empty. Without a file that can be
// read, the book is empty too, the error says why, and nothing is written over it.
func Open(path string) (*Book, error) {
	b := &Book{path: path}
	text, err := regular.Read(path, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return &Book{}, fmt.Errorf("read the keys of players met before: %w", err)
	default:
		b.entries = parse(string(text))
	}
	return b, nil
}

// Meet compares a player's key with the one of last time, and remembers it. Save writes it.
func (b *Book) Meet(nickname string, key seal.Public) Meeting {
	if !valid(nickname) || key.IsZero() {
		return New
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	m, i := New, slices.IndexFunc(b.entries, func(f Friend) bool { return f.Nickname == nickname })
	if i >= 0 {
		m = Changed
		if b.entries[i].Key == key {
			m = Same
		}
		b.entries = slices.Delete(b.entries, i, i+1)
	}
	b.entries = append(b.entries, Friend{nickname, key})
	b.entries = b.entries[max(0, len(b.entries)-maxEntries):]
	return m
}

// Save writes the book.
func (b *Book) Save() error {
	if b.path == "" {
		return nil
	}
	b.writing.Lock()
	defer b.writing.Unlock()
	if err := atomicfile.WritePrivate(b.path, []byte(b.text())); err != nil {
		return fmt.Errorf("remember the keys of players met: %w", err)
	}
	return nil
}

// Latest are those who were met last, at most so many, the last one first.
func (b *Book) Latest(most int) []Friend {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := slices.Clone(b.entries[max(0, len(b.entries)-most):])
	slices.Reverse(list)
	return list
}

func (b *Book) text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var text strings.Builder
	for _, f := range b.entries {
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
