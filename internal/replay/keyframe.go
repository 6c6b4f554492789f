package replay

import (
	"encoding/binary"
	"errors"
	"slices"
	"sync"

	"github.com/zeebo/xxh3"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// A Keyframe is a whole game between two frames: the states of all consoles and
// of the air between them.
type Keyframe struct {
	Frame  int64
	States []State // of the consoles that had not left, by rising seat
	Air    []byte  // empty where there is none
}

// State is one console of a keyframe.
type State struct {
	Seat ds.Seat
	Data []byte // as emucore.State has it
}

// Has reports whether a seat's console is in it.
func (k *Keyframe) Has(seat ds.Seat) bool {
	return slices.ContainsFunc(k.States, func(s State) bool { return s.Seat == seat })
}

// A keyframe's file: "NPKEY2", checksum:u64 of the rest (XXH3), frame:u64, then for
// each state seat:u8 size:u32 packed:u32 and the zstd frame; the air is the last,
// as seat 255.
const (
	keyMagic     = "NPKEY2"
	keyExtension = ".key"
	airSeat      = 255
	maxState     = 96 << 20
	maxAir       = 16 << 20
)

// encode packs a keyframe as its file has it. It takes some 15 ms a state.
func (k *Keyframe) encode() ([]byte, error) {
	b := binary.LittleEndian.AppendUint64(nil, uint64(k.Frame))
	parts := slices.Clone(k.States)
	if len(k.Air) > 0 {
		parts = append(parts, State{Seat: airSeat, Data: k.Air})
	}
	for _, s := range parts {
		packed, err := pack(s.Data)
		if err != nil {
			return nil, err
		}
		b = append(b, byte(s.Seat))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(s.Data)))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(packed)))
		b = append(b, packed...)
	}
	whole := binary.LittleEndian.AppendUint64([]byte(keyMagic), xxh3.Hash(b))
	return append(whole, b...), nil
}

func decodeKeyframe(b []byte) (Keyframe, error) {
	c := wire.Reader(b)
	if string(c.Take("magic", len(keyMagic))) != keyMagic {
		return Keyframe{}, errors.New("it is not a keyframe")
	}
	if sum := little(c, "checksum", 8); c.Err() == nil && sum != xxh3.Hash(c.Bytes()) {
		return Keyframe{}, errors.New("it is damaged")
	}
	key := Keyframe{Frame: int64(little(c, "frame", 8))}
	var list []packedState
	for len(c.Bytes()) > 0 && c.Err() == nil {
		p := packedState{seat: ds.Seat(little(c, "seat", 1)), size: int64(little(c, "size", 4))}
		p.data = c.Take("state", int(little(c, "packed size", 4)))
		most := int64(maxState)
		if p.seat == airSeat {
			most = maxAir
		}
		if c.Err() == nil && (p.size > most || len(list) > 16) {
			c.Fail("state", "%d bytes, the %dth", p.size, len(list)+1)
		}
		list = append(list, p)
	}
	if c.Err() != nil {
		return Keyframe{}, c.Err()
	}
	return key, key.unpack(list)
}

// packedState is a state, or the air, as the file has it.
type packedState struct {
	seat ds.Seat
	size int64
	data []byte
}

// unpack unpacks the states, side by side.
func (k *Keyframe) unpack(list []packedState) error {
	raw, errs := make([][]byte, len(list)), make([]error, len(list))
	var wait sync.WaitGroup
	for i, p := range list {
		wait.Go(func() { raw[i], errs[i] = unpack(p.data, p.size) })
	}
	wait.Wait()
	for i, p := range list {
		switch {
		case errs[i] != nil:
			return errs[i]
		case p.seat == airSeat:
			k.Air = raw[i]
		default:
			k.States = append(k.States, State{p.seat, raw[i]})
		}
	}
	return nil
}
