package model

import (
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
)

// Counter is a console that counts its frames. The zero value is ready. It has only what a game without a resync calls.
type Counter struct {
	*emucore.Console
	frames int64
}

// Advance counts a frame.
func (c *Counter) Advance(inputdelay.Input) (emucore.Frame, error) {
	c.frames++
	return emucore.Frame{Number: c.frames - 1}, nil
}

// Hash is of the number of frames.
func (c *Counter) Hash() (ds.Hash, error) { return ds.Hash{RAM: uint64(c.frames)}, nil }

// SRAM is empty.
func (c *Counter) SRAM() ([]byte, error) { return nil, nil }

// Video is empty.
func (c *Counter) Video() emucore.Video { return emucore.Video{} }

// Close does nothing.
func (c *Counter) Close() error { return nil }
