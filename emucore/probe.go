package emucore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// OpenCore inspects the core at path. The core is loaded in a worker process,
// never in this one, so a broken core only causes an error. A file that is not a DS
// core for this machine gives a *NotCoreError.
func OpenCore(ctx context.Context, path string) (Core, error) {
	c, err := LookAt(path)
	if err != nil {
		return Core{}, err
	}
	return c.ask(ctx)
}

// Open asks a core that was only looked at about itself and returns it as OpenCore does.
func (c Core) Open(ctx context.Context) (Core, error) {
	if !c.Unopened {
		return c, nil
	}
	opened, err := OpenCore(ctx, c.Path)
	if err == nil && opened.SHA256 != c.SHA256 {
		return Core{}, fmt.Errorf("opening core %s: %w", c.Path, errCoreChanged)
	}
	return opened, err
}

// ask runs a core that was looked at to ask it about itself.
func (c Core) ask(ctx context.Context) (Core, error) {
	c.Unopened = false
	extensions, err := probe(ctx, &c)
	if err != nil {
		return Core{}, err // has the path in it
	}
	if !playsDS(extensions) {
		files := "no files"
		if extensions != "" {
			files = "." + strings.ReplaceAll(extensions, "|", ", .")
		}
		return Core{}, &NotCoreError{c.Path, fmt.Sprintf("%q plays %s, not DS games (.nds)", c.Name, files)}
	}
	return c, nil
}

// playsDS reports whether a core with these valid_extensions is a DS core.
func playsDS(extensions string) bool {
	return slices.ContainsFunc(strings.Split(extensions, "|"), func(ext string) bool {
		return strings.EqualFold(strings.TrimSpace(ext), "nds")
	})
}

// probeLimit is the time a core may take to report its name.
const probeLimit = 5 * time.Second

// A machineError means that no worker could be started, which is not the core's
// fault.
type machineError struct{ err error }

func (e *machineError) Error() string { return e.err.Error() }
func (e *machineError) Unwrap() error { return e.err }

// probe asks the libretro core at a path about itself, in a worker that ends at once: for its name, its
// version, whether it has the netpacket interface, and its valid_extensions, "nds|ids|bin". A file that is
// not a core gives a [StartError].
func probe(ctx context.Context, core *Core) (extensions string, err error) {
	dir, err := newWorkdir()
	if err != nil {
		return "", &machineError{err}
	}
	defer dir.remove()
	c, err := launch(core.Path, workerFiles{dir: dir}, func(mem *shared) error {
		if !setText(mem.setup().corePath[:], core.Path) {
			return errors.New("probe a core: the path is too long")
		}
		return nil
	})
	if err != nil {
		return "", &machineError{err}
	}
	defer c.Close()
	c.mu.Lock()
	r, err := c.first(ctx, "probe", opProbe, probeLimit)
	c.mu.Unlock()
	if err != nil {
		return "", err
	}
	w := c.mem.words()
	core.Name, core.Version, core.Wireless = text(w.name[:]), text(w.version[:]), r.hasNetpacket != 0
	return text(w.extensions[:]), nil
}
