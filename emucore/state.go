package emucore

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/zeebo/xxh3"
)

// A State is a console between two frames, as its core serializes it.
//
// A console that loads a state does not always continue exactly as the one that
// made it (some cores lose a few cycles of timing). But all fresh consoles that
// load the same state and get the same inputs stay equal.
// So a machine that hands out a state restarts from it like all others. For the
// same reason two states may differ in some bytes although their consoles are
// equal; compare a [Hash] instead.
//
// Data is opaque:
//
//	 0  "npst"
//	 4  version, 2
//	 8  frame, 64 bits signed
//	16  length of the core's state, 64 bits
//	24  XXH3 of the core's state
//	32  type of the last packet it sent, 8 bits
//	33  seat whose game it is in on the air, 8 bits; 255 none
//	34  how far it may be ahead of that one, 8 bits; then a zero
//	36  1: it is switched off, 8 bits; then three zeros
//	40  the core's state
//
// with little-endian numbers. The checksum detects damage; it does not authenticate
// the state, and a core may still crash on a forged one.
type State struct {
	Frame int64 // number of the next frame: Data's, or 0 where a new game goes on from there
	Data  []byte
}

const (
	stateMagic   = "npst"
	stateVersion = 2
	stateHeader  = 40
)

// MaxState is the largest length of State.Data, in bytes.
const MaxState = ds.MaxState

var _ [0]struct{} = [MaxState - stateHeader - blobMax]struct{}{} // they agree

// Save returns the console's current state. It does not change the console.
func (c *Console) Save() (State, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lost {
		return State{}, errUnknown
	}
	if c.stateSize == 0 {
		return State{}, c.failed(ErrNoState, "save the console")
	}
	blob, err := c.serialize(true)
	if err != nil {
		return State{}, c.failed(err, "save the console")
	}
	data := make([]byte, stateHeader, stateHeader+len(blob))
	data = append(data, blob...)
	c.coolBlob()
	putStateHeader(data, c.last.frame, c.last.tuned, c.off)
	return State{Frame: c.last.frame, Data: data}, nil
}

// serialize has the worker write a state into the blob and returns that slice.
// keep says that the state will be kept: bytes that the core does not write are then
// the same each time, which takes longer.
func (c *Console) serialize(keep bool) ([]byte, error) {
	r, err := c.call(&request{op: opSave, keep: bit[uint8](keep)}, c.limits.call)
	if err != nil {
		return nil, err
	}
	if int(r.size) != c.stateSize {
		return nil, c.misbehaved(fmt.Sprintf("a state of %d bytes", r.size))
	}
	return c.mem.blob()[:r.size], nil
}

// coolBlob gives the memory of a state back to the system, unless hashing needs
// states all the time.
func (c *Console) coolBlob() {
	if c.ramSize > 0 && c.dead == nil {
		c.mem.returnBlob()
	}
}

// Core calls do with the core's own part of the state, after all checks that do not need a
// core. do must not write to it.
func (s State) Core(do func(state []byte) error) error {
	core, err := coreState(s)
	if err != nil {
		return err
	}
	return do(core)
}

func putStateHeader(data []byte, frame int64, radio tuned, off bool) {
	core := data[stateHeader:]
	copy(data, stateMagic)
	binary.LittleEndian.PutUint32(data[4:], stateVersion)
	binary.LittleEndian.PutUint64(data[8:], uint64(frame))
	binary.LittleEndian.PutUint64(data[16:], uint64(len(core)))
	binary.LittleEndian.PutUint64(data[24:], xxh3.Hash(core))
	data[32], data[33], data[34], data[35] = radio.sent, radio.host, radio.behind, radio.ahead
	data[36] = bit[byte](off)
}

// coreState checks a state's frame and header and returns the core's part.
func coreState(s State) ([]byte, error) {
	d := s.Data
	if len(d) < stateHeader || string(d[:4]) != stateMagic {
		return nil, fmt.Errorf("%w: no header", ErrBadState)
	}
	if v := binary.LittleEndian.Uint32(d[4:]); v != stateVersion {
		return nil, fmt.Errorf("%w: version %d, not %d", ErrBadState, v, stateVersion)
	}
	core := d[stateHeader:]
	if n := binary.LittleEndian.Uint64(d[16:]); n != uint64(len(core)) {
		return nil, fmt.Errorf("%w: length %d, should be %d", ErrBadState, len(core), n)
	}
	if binary.LittleEndian.Uint32(d[36:]) > 1 {
		return nil, fmt.Errorf("%w: power % x", ErrBadState, d[36:stateHeader])
	}
	if d[33] >= ds.MaxSeats && d[33] != noHost {
		return nil, fmt.Errorf("%w: radio % x", ErrBadState, d[32:stateHeader])
	}
	if binary.LittleEndian.Uint64(d[24:]) != xxh3.Hash(core) {
		return nil, fmt.Errorf("%w: sum does not match", ErrBadState)
	}
	frame := int64(binary.LittleEndian.Uint64(d[8:]))
	if frame < 0 || frame != s.Frame && s.Frame != 0 {
		return nil, fmt.Errorf("%w: frame %d, should be %d", ErrBadState, frame, s.Frame)
	}
	return core, nil
}

// Load puts the console into a saved state, with its frame number and its
// clock. After an error that matches [ErrBadState] the console is unchanged;
// after a refusal by the core only Load and Close work.
//
// Load into a console that has just been started, if possible: see [State]. The
// air has a state of its own, with the packets in flight: the owner of a console with a
// radio saves and restores both at the same stop.
func (c *Console) Load(s State) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	core, err := c.checkState(s)
	if err != nil {
		return c.failed(err, "load a state")
	}
	off := s.Data[36] == 1
	if c.off && !off {
		if err := c.switchOn(); err != nil { // cores' states do not hold the power
			return c.failed(err, "load a state")
		}
	}
	q := request{op: opRestore, size: uint64(len(core)), frame: s.Frame, repeat: 1, tuned: tunedIn(s), off: bit[uint8](off)}
	if c.profile.LoadTwice {
		q.repeat = 2
	}
	if err := c.setEdges(&q, core); err != nil {
		return c.failed(err, "load a state")
	}
	copy(c.mem.blob(), core)
	_, err = c.call(&q, c.limits.call)
	c.off, c.stale, c.video = off, false, Video{}
	c.lost = err != nil
	c.coolBlob()
	return c.failed(err, "load a state")
}

// tunedIn returns the state of the radio from a checked state's header.
func tunedIn(s State) tuned {
	return tuned{sent: s.Data[32], host: s.Data[33], behind: s.Data[34], ahead: s.Data[35]}
}

// checkState does all checks that can be done without the core.
func (c *Console) checkState(s State) ([]byte, error) {
	if c.dead != nil {
		return nil, c.dead
	}
	if c.stateSize == 0 {
		return nil, ErrNoState
	}
	core, err := coreState(s)
	if err != nil {
		return nil, err
	}
	if len(core) != c.stateSize {
		return nil, fmt.Errorf("%w: %d bytes, this core's have %d", ErrBadState, len(core), c.stateSize)
	}
	if c.profile.CheckState != nil {
		if err := c.profile.CheckState(core); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrBadState, err)
		}
	}
	return core, nil
}

// errEdges: see setEdges.
var errEdges = errors.New("the lid has been moved, and this core's states do not hold it: start a new console to load")

// setEdges tells the worker where the state leaves the lid, so that it knows
// when to press the lid's button. If loading does not move the lid (the same goes
// for a microphone that is toggled), it has to be as in a fresh
// console, or the two would diverge.
func (c *Console) setEdges(q *request, core []byte) error {
	left := c.last.edges
	if c.profile.LidState != nil {
		shut, rest, err := c.profile.LidState(core)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrBadState, err)
		}
		q.edges.lidLevel, q.edges.lidWait = bit[uint8](shut), uint8(max(0, min(rest, 255)))
		left.lidLevel, left.lidWait = 0, 0
	}
	if left != (edges{}) {
		return errEdges
	}
	return nil
}
