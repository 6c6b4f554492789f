package model

import (
	"cmp"
	"encoding/binary"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/air"
)

// Sizes of a console's memories, in bytes. The cartridge's backup memory is that of the
// test core: the number of presses of A, and from byte 16 on a record of each of them.
const (
	ramSize  = 256
	sramSize = 8 << 10
	record   = 16
)

// powerKeys switch a console off, where the test wants it, as they do the test core.
const powerKeys = inputdelay.KeyL | inputdelay.KeyR | inputdelay.KeySelect | inputdelay.KeyStart

// hang is the time that a console which hangs is waited for.
const hang = 2 * time.Second

// memory is a console's state at a frame.
type memory struct {
	frame  int64
	digest uint64
	keys   inputdelay.Keys
	told   int64 // frames that the wireless host has begun, as heard from it
	ram    [ramSize]byte
	sram   []byte
	saved  uint64 // hash of sram, 0 while not known
	flaw   string // what of its hash is wrong
	off    bool   // switched off
	ran    []inputdelay.Input
}

// header is the part of a state before the memories.
type header struct {
	Frame        int64
	Digest, Keys uint64
	Told, Before int64
	Off          bool
}

var headerSize = binary.Size(header{})

// Console is a console whose memory is a digest of all its inputs. It does what an
// [emucore.Console] promises: its methods may be called by any goroutine, one at a time;
// Close may come at any time.
type Console struct {
	machine *Machine
	cfg     emucore.Config
	class   int
	turn    chan struct{} // held by who calls
	closed  chan struct{} // closed by Close and Kill
	why     error         // for closed

	memory
	before int64 // frames of earlier games, of which this one goes on from a kept moment
	test   options
	radio  *air.Local // nil: none
	notes  [emucore.MaxSnapshots]*memory
	backs  int
}

// Bare is a console of no machine, whose frames take no time.
func Bare() *Console {
	m := &Machine{Remembers: true}
	return newConsole(m, emucore.Config{ROM: &emucore.ROM{}, Rollback: true}, 0)
}

// over returns the reason why the console is closed, nil while it is not.
func (c *Console) over() error {
	select {
	case <-c.closed:
		return c.why
	default:
		return nil
	}
}

// enter waits for the others who call.
func (c *Console) enter() error {
	if err := c.over(); err != nil {
		return err
	}
	select {
	case c.turn <- struct{}{}:
		return nil
	case <-c.closed:
		return c.why
	}
}

func (c *Console) leave() { <-c.turn }

// look returns something of the console, unless that is closed.
func look[T any](c *Console, of func() T) (what T, err error) {
	if err := c.enter(); err != nil {
		return what, err
	}
	defer c.leave()
	return of(), nil
}

// mix puts the digest into the memory.
func (c *Console) mix() {
	binary.LittleEndian.PutUint64(c.ram[c.played()*8%ramSize:], c.digest)
}

// played returns the frames that it has run since it was switched on: all that it knows of time.
func (c *Console) played() int64 { return c.before + c.frame }

func (c *Console) end(why error) {
	c.machine.mu.Lock()
	defer c.machine.mu.Unlock()
	c.endLocked(why)
}

func (c *Console) endLocked(why error) {
	if c.over() != nil {
		return
	}
	c.why = why
	close(c.closed)
	if c.radio != nil {
		_ = c.radio.Close() // nobody else can have locked it
	}
}

// crash ends the console as the test core's fault does.
func (c *Console) crash() error {
	signals := map[string]string{"segv": "SIGSEGV", "abort": "SIGABRT", "kill": "SIGKILL"}
	c.end(&emucore.CrashError{Core: "model", Signal: cmp.Or(signals[c.test.fault], "SIGSEGV")})
	return c.why
}

// spoil makes one thing wrong.
func (c *Console) spoil(what string) {
	switch what {
	case "ram":
		c.digest ^= 1
		c.mix()
	case "sram":
		c.sram[len(c.sram)/2] ^= 1
		c.saved = 0
	default:
		c.flaw = what
	}
}
