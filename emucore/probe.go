package emucore

import (
	"context"
	"errors"
	"time"
)

// probeLimit is the time a core may take to say its name.
const probeLimit = 5 * time.Second

// A machineError says that no worker could be started, which is not the core's
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
