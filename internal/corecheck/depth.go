package corecheck

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/rollback"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// How a machine's depth is measured: so many frames, each with a note of how the consoles stand before, and so many ways
// back of a frame.
const (
	unmeasured  = 75 // first frames: a JIT compiles, and consoles find each other
	depthFrames = 120
	depthBacks  = 30
)

// MaxMeasured is the most consoles with which a depth is measured.
const MaxMeasured = len(names)

// Depth measures how many frames this machine can go back in time with so many consoles of a core, and run again, within the
// time of one: what package rollback finds while a game runs. It is 0 for a core whose consoles do not go back. Options are
// a room's choices. It takes some seconds, and is worth something only while the machine does nothing else.
func Depth(ctx context.Context, core emucore.Core, number int, options []ds.Option) (int, error) {
	if len(emucore.SnapshotWays()) == 0 {
		return 0, nil
	}
	dir, err := os.MkdirTemp("", "nettplay-depth-")
	if err != nil {
		return 0, fmt.Errorf("measure how far consoles go back: %w", err)
	}
	defer os.RemoveAll(dir)
	m := measure{core: core, options: options}
	rom := romstest.ROM{Name: "draw3d.nds", Data: romstest.Draw3D}
	if core.Wireless {
		rom = together.rom
	}
	if m.rom, err = open(dir, rom); err == nil {
		err = m.run(ctx, min(number, MaxMeasured))
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return 0, fmt.Errorf("measure how far consoles go back: %w", err)
	}
	return rollback.Bears(m.frames, m.backs), nil
}

// measure is the consoles of a measurement, and what it found.
type measure struct {
	*Pair
	core          emucore.Core
	rom           *emucore.ROM
	options       []ds.Option
	radio         []byte // the air before the last frame
	frames, backs []time.Duration
}

func (m *measure) run(ctx context.Context, number int) (err error) {
	if m.Pair, err = NewPair(m.core.Wireless, 0); err != nil {
		return err
	}
	defer m.Close()
	for seat := range ds.Seat(number) {
		cfg := m.ConsoleConfig(m.core, m.rom, seat)
		cfg.Rollback, cfg.Options = true, m.options
		c, err := m.Start(ctx, cfg)
		if err != nil {
			return err
		}
		if !c.Returns() {
			return &staysError{}
		}
		if m.Air != nil {
			if err := m.Air.Plug(seat); err != nil {
				return err
			}
		}
	}
	defer context.AfterFunc(ctx, m.End)()
	for m.At < unmeasured+depthFrames {
		took, err := m.frame()
		if err == nil && m.At > unmeasured {
			m.frames = append(m.frames, took)
		}
		if err == nil && m.At > unmeasured+depthFrames-depthBacks {
			if err = m.back(); err == nil {
				_, err = m.frame()
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// frame plays one, before which all are noted.
func (m *measure) frame() (took time.Duration, err error) {
	began := time.Now()
	if m.Air != nil {
		if m.radio, err = m.Air.Save(); err != nil {
			return 0, err
		}
	}
	err = m.PlayTo(m.At+1, func(seat int, c *emucore.Console, f int64) error {
		_, err := c.AdvanceFrom(place(f), meets(seat, f, inputdelay.Input{}))
		return err
	})
	return time.Since(began), err
}

// back goes back by a frame, and notes how long that takes.
func (m *measure) back() error {
	began := time.Now()
	errs := make([]error, len(m.Consoles))
	var all sync.WaitGroup
	m.At--
	for i, c := range m.Consoles {
		all.Go(func() { errs[i] = c.Return(place(m.At)) })
	}
	all.Wait()
	err := errors.Join(errs...)
	if err == nil && m.Air != nil {
		err = m.Air.Restore(m.radio)
	}
	m.backs = append(m.backs, time.Since(began))
	return err
}
