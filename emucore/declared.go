package emucore

import (
	"fmt"
	"slices"
	"strings"
)

// DeclaredOption is an option as a core declares it.
type DeclaredOption struct {
	Key, Default string
	Values       []string // the values it accepts, in the core's order; may be empty
}

// Declared returns the options that the core has declared so far, sorted by key. The texts are
// the core's own, of any length and with any characters, up to 256 KiB in all. The console does
// not change.
func (c *Console) Declared() ([]DeclaredOption, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lost {
		return nil, errUnknown
	}
	r, err := c.call(&request{op: opOptions}, c.limits.call)
	if err != nil {
		return nil, c.failed(err, "ask for the options")
	}
	if r.size > optionRoom {
		return nil, c.misbehaved(fmt.Sprintf("%d bytes of options", r.size))
	}
	list := parseDeclared(string(c.mem.blob()[:r.size]))
	c.coolBlob()
	return list, nil
}

// parseDeclared parses a worker's list of options, which begins with the last one declared. If a key was
// declared twice the last declaration counts, as it does when the core asks for its value.
func parseDeclared(text string) (list []DeclaredOption) {
	for entry := range strings.SplitSeq(text, "\x00") {
		lines := strings.Split(strings.TrimSuffix(entry, "\n"), "\n")
		if len(lines) < 2 {
			continue
		}
		list = append(list, DeclaredOption{Key: lines[0], Default: lines[1], Values: lines[2:]})
	}
	slices.SortStableFunc(list, func(a, b DeclaredOption) int { return strings.Compare(a.Key, b.Key) })
	return slices.CompactFunc(list, func(a, b DeclaredOption) bool { return a.Key == b.Key })
}
