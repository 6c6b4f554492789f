package model

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/air"
	"github.com/nettplay/nettplay/internal/cheat"
	"github.com/nettplay/nettplay/internal/ds"
)

// Start makes a console, as emucore.Start does.
func (m *Machine) Start(ctx context.Context, cfg emucore.Config) (*Console, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	if cfg.ROM == nil {
		return nil, errors.New("model: no ROM")
	}
	class := m.Class + int(cfg.Firmware.MAC[5]%16)
	if cfg.Background {
		class += 16
	}
	c := newConsole(m, cfg, class)
	if c.test.faultAt("load") {
		return nil, c.crash()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.live = append(m.live, c)
	return c, nil
}

func newConsole(m *Machine, cfg emucore.Config, class int) *Console {
	c := &Console{machine: m, cfg: cfg, class: class, turn: make(chan struct{}, 1), closed: make(chan struct{}), memory: memory{frame: cfg.Frame}}
	c.digest = firstDigest(cfg)
	c.sram = make([]byte, sramSize)
	if copy(c.sram, cfg.SRAM) == 0 {
		for i := range c.sram {
			c.sram[i] = 0xFF
		}
	}
	c.test = readOptions(cfg)
	if cfg.Radio != nil {
		c.radio = cfg.Radio.Air.Local(cfg.Radio.Seat, c.listen)
	}
	c.mix()
	return c
}

// firstDigest is that of a console before its first frame.
func firstDigest(cfg emucore.Config) uint64 {
	return xxh3.HashString(fmt.Sprint(cfg.Core.SHA256, cfg.ROM.SHA256, cfg.Options, cfg.Firmware, cfg.RTC, cfg.Frame))
}

// Step runs a frame.
func (c *Console) Step(in inputdelay.Input) (emucore.Frame, error) {
	f, err := c.Advance(in)
	if err == nil {
		f.Video = c.Video()
	}
	return f, err
}

// Advance runs a frame without a picture.
func (c *Console) Advance(in inputdelay.Input) (emucore.Frame, error) {
	if err := c.enter(); err != nil {
		if c.machine.Turns != nil { // else whether its caller hears of it now or later is chance
			c.machine.Turns.Sleep(c.class, 0, nil)
		}
		return emucore.Frame{}, err
	}
	defer c.leave()
	took := c.machine.frameTime(c)
	fails := c.test.fault != "" && c.test.faultAt(strconv.FormatInt(c.frame, 10))
	if fails && c.test.fault == "hang" {
		took = hang
	}
	if c.machine.Turns != nil {
		c.machine.Turns.Sleep(c.class, took, c.closed)
	}
	if err := c.over(); err != nil {
		return emucore.Frame{}, err
	}
	if took == hang {
		c.end(&emucore.HangError{Core: "model", After: hang})
		return emucore.Frame{}, c.why
	}
	if fails {
		return emucore.Frame{}, c.crash()
	}
	if !c.talk() {
		return emucore.Frame{}, cmp.Or(c.over(), air.ErrClosed)
	}
	if c.off {
		c.frame++
		return emucore.Frame{Number: c.frame - 1, Took: took, Off: true}, nil
	}
	in = in.Normal()
	if c.machine.Remembers {
		c.ran = append(c.ran, in)
	}
	var b [24]byte
	binary.LittleEndian.PutUint64(b[0:], c.digest)
	binary.LittleEndian.PutUint64(b[8:], uint64(c.played()))
	binary.LittleEndian.PutUint32(b[16:], uint32(in.Keys)<<16|uint32(in.X)<<8|uint32(in.Y))
	if c.test.wallClock {
		binary.LittleEndian.PutUint32(b[20:], uint32(time.Now().UnixNano()))
	}
	if sum := cheat.Sum(c.cfg.Cheats); len(c.cfg.Cheats) > 0 { // they act in each frame, and are not in a state
		binary.LittleEndian.PutUint32(b[20:], binary.LittleEndian.Uint32(sum[:]))
	}
	c.digest = xxh3.Hash(b[:])
	if in.Keys&inputdelay.KeyA != 0 && c.keys&inputdelay.KeyA == 0 || c.test.sramEvery > 0 && c.played()%c.test.sramEvery == 0 {
		c.press()
	}
	c.keys = in.Keys
	number := c.frame
	c.frame++
	c.mix()
	if c.machine.spoil(c, number); number == c.test.desyncAt {
		c.spoil(c.test.desyncWhat)
	}
	c.off = c.test.power && in.Keys&powerKeys == powerKeys
	f := emucore.Frame{Number: number, Took: took, Off: c.off}
	if c.machine.Remembers {
		f.Audio = []int16{int16(c.digest), int16(c.digest >> 16)}
	}
	return f, nil
}

// Ran returns the inputs that the console has run, without those from which it went back. It is for when nobody runs the
// console, also when that is closed.
func (c *Console) Ran() []inputdelay.Input { return c.ran }

// Backs is how often the console went back, for when nobody runs it.
func (c *Console) Backs() int { return c.backs }

// SwitchOn has a console that is off begin anew, as one that is started at its frame, with its cartridge.
func (c *Console) SwitchOn() error {
	if err := c.enter(); err != nil {
		return err
	}
	defer c.leave()
	if c.off {
		cfg := c.cfg
		cfg.Frame = c.frame
		fresh := memory{frame: c.frame, digest: firstDigest(cfg), sram: c.sram, saved: c.saved}
		c.memory, c.before = fresh, 0
		c.mix()
	}
	return nil
}

// press notes a press of A in the cartridge.
func (c *Console) press() {
	n := binary.LittleEndian.Uint32(c.sram)
	if n == 0xFFFFFFFF {
		n = 0
	}
	n++
	slots := uint32(len(c.sram)/record - 1)
	binary.LittleEndian.PutUint32(c.sram[record+n%slots*record:], n)
	binary.LittleEndian.PutUint32(c.sram, n)
	c.saved = 0
}

// Hash is of the console as it stands.
func (c *Console) Hash() (ds.Hash, error) {
	if err := c.enter(); err != nil {
		return ds.Hash{}, err
	}
	defer c.leave()
	if c.saved == 0 {
		c.saved = xxh3.Hash(c.sram)
	}
	h := ds.Hash{RAM: xxh3.Hash(c.ram[:]), Video: c.digest | 1, SRAM: c.saved}
	if c.off {
		h.RAM = ^h.RAM
	}
	switch c.flaw {
	case "video":
		h.Video ^= 2
	case "hash":
		h.RAM ^= 1
	}
	return h, nil
}

// Video is a picture of two dots.
func (c *Console) Video() emucore.Video {
	v, _ := look(c, func() emucore.Video {
		return emucore.Video{Width: 2, Height: 1, Pitch: 8, Format: emucore.XRGB8888, Pix: binary.LittleEndian.AppendUint64(nil, c.digest)}
	})
	return v
}

// SRAM is a copy of the cartridge's backup memory.
func (c *Console) SRAM() ([]byte, error) {
	return look(c, func() []byte { return bytes.Clone(c.sram) })
}

// RAM is a copy of the memory.
func (c *Console) RAM() ([]byte, error) {
	return look(c, func() []byte { return bytes.Clone(c.ram[:]) })
}

// Log returns the console's words: none.
func (c *Console) Log() []string { return nil }

// Frame returns the frames that the console has done.
func (c *Console) Frame() int64 {
	n, _ := look(c, func() int64 { return c.frame })
	return n
}

// Save is the console's state.
func (c *Console) Save() (emucore.State, error) {
	if err := c.enter(); err != nil {
		return emucore.State{}, err
	}
	defer c.leave()
	if c.test.faultAt("serialize") {
		return emucore.State{}, c.crash()
	}
	b, err := binary.Append(make([]byte, 0, c.stateSize()), binary.LittleEndian, header{c.frame, c.digest, uint64(c.keys), c.told, c.before, c.off})
	if err != nil {
		return emucore.State{}, err
	}
	b = append(append(b, c.ram[:]...), c.sram...)
	var seed [32]byte
	binary.LittleEndian.PutUint64(seed[:], c.digest)
	_, _ = rand.NewChaCha8(seed).Read(b[len(b):cap(b)]) // it never fails
	b = b[:cap(b)]
	return emucore.State{Frame: c.frame, Data: b}, nil
}

// Load puts the console into a state, which may be that of another frame at frame 0.
func (c *Console) Load(s emucore.State) error {
	if err := c.enter(); err != nil {
		return err
	}
	defer c.leave()
	if c.test.faultAt("unserialize") {
		return c.crash()
	}
	if len(s.Data) != c.stateSize() {
		return emucore.ErrBadState
	}
	var h header
	if _, err := binary.Decode(s.Data, binary.LittleEndian, &h); err != nil || h.Frame != s.Frame && s.Frame != 0 {
		return emucore.ErrBadState
	}
	c.frame, c.before = s.Frame, h.Before+h.Frame-s.Frame
	c.digest, c.keys, c.told = h.Digest, inputdelay.Keys(h.Keys), h.Told
	copy(c.ram[:], s.Data[headerSize:])
	copy(c.sram, s.Data[headerSize+ramSize:])
	c.saved, c.flaw, c.off = 0, "", h.Off
	if c.test.loses {
		c.digest ^= 1
	}
	return nil
}

func (c *Console) stateSize() int { return headerSize + ramSize + sramSize + c.machine.Padding }

// Close ends the console. A call under way returns at once.
func (c *Console) Close() error {
	c.end(emucore.ErrClosed)
	c.machine.forget(c)
	return nil
}

// Returns reports whether the console can.
func (c *Console) Returns() bool { return c.cfg.Rollback }

// snapshot notes the console as it stands, as emucore's does where the configuration has Rollback.
func (c *Console) snapshot(place int) error {
	if err := c.enter(); err != nil {
		return err
	}
	defer c.leave()
	if !c.cfg.Rollback || place < 0 || place >= emucore.MaxSnapshots {
		return emucore.ErrNoSnapshot
	}
	n := c.memory
	n.sram = bytes.Clone(c.sram)
	c.notes[place] = &n
	return nil
}

// StepFrom makes a snapshot and steps.
func (c *Console) StepFrom(place int, in inputdelay.Input) (emucore.Frame, error) {
	if err := c.snapshot(place); err != nil {
		return emucore.Frame{}, err
	}
	return c.Step(in)
}

// AdvanceFrom makes a snapshot and advances.
func (c *Console) AdvanceFrom(place int, in inputdelay.Input) (emucore.Frame, error) {
	if err := c.snapshot(place); err != nil {
		return emucore.Frame{}, err
	}
	return c.Advance(in)
}

// Return puts the console back to a snapshot. Those that were made after it are given up.
func (c *Console) Return(place int) error {
	if err := c.enter(); err != nil {
		return err
	}
	defer c.leave()
	if place < 0 || place >= emucore.MaxSnapshots || c.notes[place] == nil {
		return emucore.ErrNoSnapshot
	}
	c.memory, c.backs = *c.notes[place], c.backs+1
	c.memory.sram = bytes.Clone(c.memory.sram)
	for other, later := range c.notes {
		if later != nil && later.frame > c.frame {
			c.notes[other] = nil
		}
	}
	return nil
}
