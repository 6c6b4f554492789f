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

// probe asks the libretro core at path about itself, in a worker that ends at
// once. A file that is not a core gives a [StartError].
func probe(ctx context.Context, path string) (coreInfo, error) {
	dir, err := newWorkdir()
	if err != nil {
		return coreInfo{}, &machineError{err}
	}
	defer dir.remove()
	c, err := launch(path, workerFiles{dir: dir}, func(mem *shared) error {
		if !setText(mem.setup().corePath[:], path) {
			return errors.New("probe a core: the path is too long")
		}
		return nil
	})
	if err != nil {
		return coreInfo{}, &machineError{err}
	}
	defer c.Close()
	return c.ask(ctx)
}

// ask sends the only request of a probe.
func (c *Console) ask(ctx context.Context) (coreInfo, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, err := c.first(ctx, "probe", opProbe, probeLimit)
	if err != nil {
		return coreInfo{}, err
	}
	w := c.mem.words()
	return coreInfo{
		Name:       text(w.name[:]),
		Version:    text(w.version[:]),
		Extensions: text(w.extensions[:]),
		Wireless:   r.hasNetpacket != 0,
	}, nil
}
