package saves

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/internal/disk"
)

// Chips remembers what cores know of the chips of cartridges, so that a core is asked once for each
// game. Its methods may be called from any goroutine.
//
// The file is text, beside the folders of saves:
//
//	nettplay chips 1
//	9f86d081... 87742cea... 8192 65536      SHA-256 of the game, SHA-256 of the core, from, to, in bytes
//
// What cannot be read is asked of the core once more.
type Chips struct {
	path string // "" remembers until the program ends

	mu    sync.Mutex
	read  bool
	known []chipLine // the newest last
}

type chipLine struct {
	game, core [32]byte
	chip       savefile.Chip
}

const (
	chipsName = "chips"
	chipsHead = "nettplay chips 1"
	maxChips  = 2000
)

// OpenChips remembers in the folder of all saves; "" is nowhere, until the program ends.
func OpenChips(dir string) *Chips {
	if dir == "" {
		return new(Chips)
	}
	return &Chips{path: filepath.Join(dir, chipsName)}
}

// Get returns what a core said of a game's chip; the zero Chip if it was not asked, or did not know.
func (c *Chips) Get(game, core [32]byte) savefile.Chip {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.load()
	if i := c.find(game, core); i >= 0 {
		return c.known[i].chip
	}
	return savefile.Chip{}
}

// Asked reports whether a core was asked for a game's chip.
func (c *Chips) Asked(game, core [32]byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.load()
	return c.find(game, core) >= 0
}

// Of returns what any core said of a game's chip: the closest. The zero Chip is that none knew it, or that
// those who were asked say that there is none.
func (c *Chips) Of(game [32]byte) (best savefile.Chip) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.load()
	for _, l := range c.known {
		if l.game == game && l.chip.Known && !l.chip.None() && (!best.Known || l.chip.Max-l.chip.Min < best.Max-best.Min) {
			best = l.chip
		}
	}
	return best
}

// Put remembers what a core said of a game's chip. It is a convenience: where the disk does not take it,
// the core is asked another day.
func (c *Chips) Put(game, core [32]byte, chip savefile.Chip) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.load()
	if i := c.find(game, core); i >= 0 {
		if c.known[i].chip == chip {
			return
		}
		c.known = slices.Delete(c.known, i, i+1)
	}
	c.known = append(c.known, chipLine{game, core, chip})
	c.known = c.known[max(0, len(c.known)-maxChips):]
	if c.path == "" {
		return
	}
	_ = disk.Changing(c.path, func() error {
		c.learn()
		return disk.Write(c.path, encodeChips(c.known), 0o600)
	})
}

// learn takes what the player's other programs have written since, as older than what this one knows.
func (c *Chips) learn() {
	b, err := readFile(c.path, maxChips*200)
	if err != nil {
		return
	}
	others := slices.DeleteFunc(decodeChips(b), func(l chipLine) bool { return c.find(l.game, l.core) >= 0 })
	c.known = append(others, c.known...)
	c.known = c.known[max(0, len(c.known)-maxChips):]
}

func (c *Chips) find(game, core [32]byte) int {
	return slices.IndexFunc(c.known, func(l chipLine) bool { return l.game == game && l.core == core })
}

// load reads the file, once.
func (c *Chips) load() {
	if c.read || c.path == "" {
		return
	}
	c.read = true
	b, err := readFile(c.path, maxChips*200)
	if err != nil {
		return
	}
	c.known = decodeChips(b)
}

func encodeChips(list []chipLine) []byte {
	var b bytes.Buffer
	fmt.Fprintln(&b, chipsHead)
	for _, l := range list {
		from, to := l.chip.Min, l.chip.Max
		if !l.chip.Known {
			from, to = -1, -1
		}
		fmt.Fprintf(&b, "%x %x %d %d\n", l.game, l.core, from, to)
	}
	return b.Bytes()
}

// decodeChips reads the lines that are whole.
func decodeChips(b []byte) (list []chipLine) {
	head, rest, _ := strings.Cut(string(b), "\n")
	if head != chipsHead {
		return nil
	}
	for line := range strings.Lines(rest) {
		f := strings.Fields(line)
		if len(f) != 4 || len(list) == maxChips {
			continue
		}
		var l chipLine
		game, err1 := hex.DecodeString(f[0])
		core, err2 := hex.DecodeString(f[1])
		from, err3 := strconv.Atoi(f[2])
		to, err4 := strconv.Atoi(f[3])
		if errors.Join(err1, err2, err3, err4) != nil || len(game) != len(l.game) || len(core) != len(l.core) {
			continue
		}
		l.game, l.core = [32]byte(game), [32]byte(core)
		if from != -1 || to != -1 {
			l.chip = savefile.Chip{Known: true, Min: from, Max: to}
		}
		if l.chip.Valid() {
			list = append(list, l)
		}
	}
	return list
}
