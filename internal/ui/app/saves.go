package app

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/nettplay/nettplay/internal/atomicfile"
)

// Saves is the folder with the player's saves, one file for each game: its backup
// memory, raw, as other emulators have it in .sav files. Beside a save stand the
// generations before it, the newest first: name.sav.1, name.sav.2, ...
type Saves struct {
	Dir string
}

const (
	generations = 5
	maxSave     = 16 << 20 // bytes: the largest cartridges with memory of this kind
)

// Path is where the save of a game is, for one of the consoles on this machine:
// 0 is the player's own. The hash tells games apart; the title makes the file
// findable, and counts only for a new one.
func (s Saves) Path(title string, sha [32]byte, console int) string {
	end := fmt.Sprintf("-%x.sav", sha[:6])
	if console > 0 {
		end = fmt.Sprintf("-%x.%d.sav", sha[:6], console+1)
	}
	entries, err := os.ReadDir(s.Dir)
	if err == nil {
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), end) {
				return filepath.Join(s.Dir, e.Name())
			}
		}
	}
	return filepath.Join(s.Dir, fileName(title)+end)
}

// fileName makes a name for a file out of a title.
func fileName(title string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_. ", r):
			return r
		case unicode.IsSpace(r):
			return ' '
		}
		return -1
	}, title)
	name = strings.Trim(strings.Join(strings.Fields(name), " "), ". ")
	for len(name) > 80 {
		runes := []rune(name)
		name = strings.TrimSpace(string(runes[:len(runes)-1]))
	}
	if name == "" {
		return "game"
	}
	return name
}

// Read reads a save; nil when there is none yet.
func (s Saves) Read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading your save: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxSave+1))
	if err != nil {
		return nil, fmt.Errorf("reading your save %s: %w", path, err)
	}
	if len(b) > maxSave {
		return nil, fmt.Errorf("your save %s is larger than any cartridge's (%d MB)", path, maxSave>>20)
	}
	return b, nil
}

// Keep writes what a game left. When the game ended well, that is the save, and
// the one before moves to the generations; else the save stays as it was, and
// what the game left goes beside it. It returns the file that was written, "" if
// nothing was to be.
func (s Saves) Keep(path string, sram []byte, well bool) (string, error) {
	if len(sram) == 0 || len(sram) > maxSave {
		return "", nil
	}
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("keeping your save: %w", err)
	}
	if string(old) == string(sram) {
		return "", nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", fmt.Errorf("keeping your save: %w", err)
	}
	if !well {
		path += ".unconfirmed"
	} else if old != nil {
		if err := shiftGenerations(path, old); err != nil {
			return "", fmt.Errorf("keeping the save before: %w", err)
		}
	}
	if err := atomicfile.Write(path, sram, 0o600); err != nil {
		return "", fmt.Errorf("keeping your save: %w", err)
	}
	return path, nil
}

// shiftGenerations makes old the newest of the generations. The save itself is
// there all the time.
func shiftGenerations(path string, old []byte) error {
	name := func(n int) string { return fmt.Sprintf("%s.%d", path, n) }
	for n := generations - 1; n >= 1; n-- {
		if err := os.Rename(name(n), name(n+1)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return atomicfile.Write(name(1), old, 0o600)
}
