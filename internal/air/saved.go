package air

import (
	"encoding/binary"
	"fmt"

	"github.com/nettplay/nettplay/internal/ds"
)

// A saved air, all numbers big-endian:
//
//	"npair"       5 bytes
//	version       u8: 1 saved at a stop, 2 a snapshot
//	skew          u8, with 128 added if there are no grants and leaves
//	stop          i64, the frame at which all consoles stand
//	round, chain, records   u64 each
//	silence       u8, only in a snapshot: frames since the air was last noisy, 3 for more
//	consoles      u8, then for each, in the order of their seats:
//	  seat u8, 1 if on the air u8
//	  known, host, ahead   u8 each, only in a snapshot, and if on the air
//	  packets u16, then for each packet:
//	    from u8, to u16, length u16, bytes
//
// There is one encoding for one air: it holds what later decisions depend on
// and nothing else. Counters, the place of a packet in memory, how often a
// console was let run and what is left over in unused memory are not in it.
// Snapshots alone have what a stop makes all consoles forget.
const (
	savedMagic  = "npair"
	savedHeader = len(savedMagic) + 1 + 1 + 8 + 3*8 + 1
	savedPlain  = 128 // in the skew

	atStop     = 1 // versions
	inSnapshot = 2
	longSilent = silence + 1
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

// account is what a console at the end of a frame has said of its time, see np_radio_follow:
// the part that is looked at before it goes on.
type account struct {
	known       bool // since the last stop
	host, ahead uint8
}

// console is what is saved of one.
type console struct {
	seat  ds.Seat
	onAir bool
	said  account // in a snapshot
	queue []flying
}

// picture is a saved air, decoded.
type picture struct {
	skew                  int
	plain                 bool
	stop                  int64
	round, chain, records uint64
	snapshot              bool
	silence               int64 // in a snapshot
	consoles              []console
}

// Save returns the air as it stands between frames, with all packets in flight.
// It needs the stop ([ErrNotStopped]). Two airs in which the same happened have
// equal bytes.
func (a *Air) Save() (b []byte, err error) {
	err = a.look(func(st *state) error {
		b, err = a.saved(st, int64(st.stop), false)
		return err
	})
	return b, err
}

// Snapshot returns the air with all consoles at the beginning of a frame that none may begin
// yet: see [Air.Open]. There is no stop, and nothing happens to the air. Another one that is
// restored from it goes on exactly as this one does; after a stop it would not, since
// consoles forget there what they knew of each other's time. It needs all consoles to stand at
// that frame ([ErrNotStopped]).
func (a *Air) Snapshot(frame int64) (b []byte, err error) {
	err = a.look(func(st *state) error {
		b, err = a.saved(st, frame, true)
		return err
	})
	return b, err
}

// saved is the air with all consoles at a frame.
func (a *Air) saved(st *state, frame int64, snapshot bool) ([]byte, error) {
	if err := settled(st, frame); err != nil {
		return nil, err
	}
	p, err := a.picture(st, frame, snapshot)
	if err != nil {
		return nil, err
	}
	return p.append(nil), nil
}

// Restore makes the air what it was when b was saved, stopped at that frame,
// with the consoles of then plugged in; [Air.Resume] goes on. It needs the stop
// ([ErrNotStopped]); a new Air will do. Skew and Plain must be the same.
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
		a.gone, a.next, a.snapshot = 0, p.records, p.snapshot
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

func (a *Air) picture(st *state, frame int64, snapshot bool) (*picture, error) {
	p := &picture{
		skew: a.skew, plain: a.plain, stop: frame, snapshot: snapshot,
		round: uint64(st.round), chain: uint64(st.chain), records: uint64(st.records),
	}
	if snapshot {
		p.silence = min(max(0, frame-int64(st.noise)), longSilent)
	}
	for i := range st.seat {
		c := &st.seat[i]
		if where(c.where) == absent {
			continue
		}
		one := console{seat: ds.Seat(i), onAir: where(c.where) == parked}
		if snapshot && one.onAir {
			one.said = a.in.account(ds.Seat(i))
			one.said.known = c.known != 0
		}
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

// hang puts the packets of p into the queues' memory, and what consoles said to where they
// said it.
func (a *Air) hang(p *picture) {
	for _, c := range p.consoles {
		if p.snapshot {
			a.in.tell(c.seat, c.said)
		}
		for n, k := range c.queue {
			a.in.enqueue(c.seat, uint32(n), k)
		}
	}
}

// apply makes st the state of p. sent says what to ignore in the outboxes.
func (p *picture) apply(st *state, sent func(seat ds.Seat) uint32) {
	st.stop, st.round, st.chain, st.records = cInt64(p.stop), cUint64(p.round), cUint64(p.chain), cUint64(p.records)
	st.noise = cInt64(p.stop - p.silence)
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
		c.known = cUint8(flag(one.said.known))
	}
}

func (p *picture) append(b []byte) []byte {
	b = append(b, savedMagic...)
	b = append(b, atStop, byte(p.skew))
	if p.snapshot {
		b[len(b)-2] = inSnapshot
	}
	if p.plain {
		b[len(b)-1] |= savedPlain
	}
	b = binary.BigEndian.AppendUint64(b, uint64(p.stop))
	b = binary.BigEndian.AppendUint64(b, p.round)
	b = binary.BigEndian.AppendUint64(b, p.chain)
	b = binary.BigEndian.AppendUint64(b, p.records)
	if p.snapshot {
		b = append(b, byte(p.silence))
	}
	b = append(b, byte(len(p.consoles)))
	for _, c := range p.consoles {
		b = append(b, byte(c.seat), flag(c.onAir))
		if p.snapshot && c.onAir {
			b = append(b, flag(c.said.known), c.said.host, c.said.ahead)
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

func flag(on bool) byte {
	if on {
		return 1
	}
	return 0
}
