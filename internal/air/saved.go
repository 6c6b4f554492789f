package air

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/nettplay/nettplay/internal/ds"
)

// A saved air, all numbers big-endian:
//
//	"npair" 1     6 bytes: format and version
//	skew          u8, with 128 added if there are no grants and leaves
//	stop          i64, the frame at which all consoles stand
//	round, chain, records   u64 each
//	consoles      u8, then for each, in the order of their seats:
//	  seat u8, 1 if on the air u8, packets u16, then for each packet:
//	    from u8, to u16, length u16, bytes
//
// There is one encoding for one air: it holds what later decisions depend on
// and nothing else. Counters, the place of a packet in memory, how often a
// console was let run and what is left over in unused memory are not in it.
const (
	savedMagic  = "npair\x01"
	savedHeader = len(savedMagic) + 1 + 8 + 3*8 + 1
	savedPlain  = 128 // in the skew
)

// flying is a packet that waits for a console.
type flying struct {
	from, to ds.Seat // to may be Everyone
	data     []byte
}

func (p *flying) valid(receiver ds.Seat) bool {
	return p.from >= 0 && p.from < ds.MaxSeats && p.from != receiver && len(p.data) > 0 && len(p.data) <= packetMax &&
		(p.to == receiver || p.to == Everyone)
}

// console is what is saved of one.
type console struct {
	seat  ds.Seat
	onAir bool
	queue []flying
}

// picture is a saved air, decoded.
type picture struct {
	skew                  int
	plain                 bool
	stop                  int64
	round, chain, records uint64
	consoles              []console
}

// Save returns the air as it stands between frames, with all packets in flight.
// It needs the stop ([ErrNotStopped]). Two airs in which the same happened have
// equal bytes.
func (a *Air) Save() ([]byte, error) {
	var b []byte
	err := a.look(func(st *state) error {
		if err := settled(st); err != nil {
			return err
		}
		p, err := a.picture(st)
		if err == nil {
			b = p.append(nil)
		}
		return err
	})
	return b, err
}

// Hash is of the bytes that [Air.Save] returns.
func (a *Air) Hash() (uint64, error) {
	b, err := a.Save()
	if err != nil {
		return 0, err
	}
	sum := sha256.Sum256(b)
	return binary.BigEndian.Uint64(sum[:]), nil
}

// Restore makes the air what it was when b was saved, stopped at that frame,
// with the consoles of then plugged in. It needs the stop ([ErrNotStopped]); a
// new Air will do. Skew and Plain must be the same.
func (a *Air) Restore(b []byte) error {
	p, err := decodePicture(b)
	if err != nil {
		return fmt.Errorf("air: saved air: %w", err)
	}
	if p.skew != a.skew {
		return fmt.Errorf("air: saved air: it has a skew of %d frames, not %d", p.skew, a.skew)
	}
	if p.plain != a.plain {
		return fmt.Errorf("air: saved air: it has grants: %v, should be %v", !p.plain, !a.plain)
	}
	return a.settled(func(st *state) error {
		a.hang(p) // nobody is there to look at the queues
		p.apply(st, a.in.sent)
		a.gone, a.next = 0, p.records
		return nil
	})
}

// Renumber is a saved air whose consoles stand at another frame: frames only count, and an
// air that goes on in another game counts from there.
func Renumber(b []byte, frame int64) ([]byte, error) {
	p, err := decodePicture(b)
	if err != nil {
		return nil, fmt.Errorf("air: saved air: %w", err)
	}
	if frame < 0 || frame > frameMax {
		return nil, fmt.Errorf("air: saved air: frame %d", frame)
	}
	p.stop = frame
	return p.append(nil), nil
}

func (a *Air) picture(st *state) (*picture, error) {
	p := &picture{
		skew: a.skew, plain: a.plain, stop: int64(st.stop),
		round: uint64(st.round), chain: uint64(st.chain), records: uint64(st.records),
	}
	for i := range st.seat {
		c := &st.seat[i]
		if where(c.where) == absent {
			continue
		}
		one := console{seat: ds.Seat(i), onAir: where(c.where) == parked}
		for n := uint32(c.head); one.onAir && n != uint32(c.tail); n++ {
			k, ok := a.in.queued(ds.Seat(i), n)
			if !ok {
				return nil, fmt.Errorf("air: a packet for seat %d has been spoilt", i)
			}
			one.queue = append(one.queue, k)
		}
		p.consoles = append(p.consoles, one)
	}
	return p, nil
}

// hang puts the packets of p into the queues' memory.
func (a *Air) hang(p *picture) {
	for _, c := range p.consoles {
		for n, k := range c.queue {
			a.in.enqueue(c.seat, uint32(n), k)
		}
	}
}

// apply makes st the state of p. sent says what to ignore in the outboxes.
func (p *picture) apply(st *state, sent func(seat ds.Seat) uint32) {
	st.stop, st.round, st.chain, st.records = cInt64(p.stop), cUint64(p.round), cUint64(p.chain), cUint64(p.records)
	for i := range st.seat {
		turn := st.seat[i].turn // goes on: doors count with it
		st.seat[i] = seatState{turn: turn, merged: cUint32(int(sent(ds.Seat(i))))}
	}
	for _, one := range p.consoles {
		c := &st.seat[one.seat]
		c.frame, c.tail, c.where = st.stop, cUint32(len(one.queue)), cUint8(off)
		if one.onAir {
			c.where = cUint8(parked)
		}
	}
}

func (p *picture) append(b []byte) []byte {
	b = append(b, savedMagic...)
	b = append(b, byte(p.skew))
	if p.plain {
		b[len(b)-1] |= savedPlain
	}
	b = binary.BigEndian.AppendUint64(b, uint64(p.stop))
	b = binary.BigEndian.AppendUint64(b, p.round)
	b = binary.BigEndian.AppendUint64(b, p.chain)
	b = binary.BigEndian.AppendUint64(b, p.records)
	b = append(b, byte(len(p.consoles)))
	for _, c := range p.consoles {
		b = append(b, byte(c.seat), 0)
		if c.onAir {
			b[len(b)-1] = 1
		}
		b = binary.BigEndian.AppendUint16(b, uint16(len(c.queue)))
		for _, k := range c.queue {
			b = append(b, byte(k.from))
			b = binary.BigEndian.AppendUint16(b, uint16(k.to))
			b = binary.BigEndian.AppendUint16(b, uint16(len(k.data)))
			b = append(b, k.data...)
		}
	}
	return b
}
