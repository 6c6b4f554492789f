package air

import (
	"fmt"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
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
// The encoding of an air is unique: it holds only what later decisions depend
// on. It leaves out counters, the place of a packet in memory, how often a
// console was let run, and the contents of unused memory.
// Only snapshots hold what a stop makes all consoles forget.
const (
	savedMagic = "npair"
	savedPlain = 128 // in the skew

	atStop     = 1 // versions
	inSnapshot = 2
	longSilent = silence + 1
)

// flying is a packet that is queued for a console.
type flying struct {
	from, to ds.Seat // to may be Everyone
	data     []byte
}

func (k *flying) valid(receiver ds.Seat) bool {
	return k.from >= 0 && k.from < ds.MaxSeats && k.from != receiver && len(k.data) > 0 && len(k.data) <= packetMax &&
		(k.to == receiver || k.to == Everyone)
}

// account is the word of a console at the end of a frame on its time, see np_radio_follow: the part
// that is looked at before it goes on.
type account struct {
	known       bool // since the last stop
	host, ahead uint8
}

// console is the saved part of a console.
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

// Save returns the air's state between frames, with all packets in flight.
// It needs the stop ([ErrNotStopped]). Two airs with the same history give
// equal bytes.
func (a *Air) Save() (b []byte, err error) {
	err = a.view(func(st *state) error {
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
	err = a.view(func(st *state) error {
		b, err = a.saved(st, frame, true)
		return err
	})
	return b, err
}

// saved returns the encoded air with all consoles at a frame.
func (a *Air) saved(st *state, frame int64, snapshot bool) ([]byte, error) {
	if err := settled(st, frame); err != nil {
		return nil, err
	}
	p, err := a.picture(st, frame, snapshot)
	if err != nil {
		return nil, err
	}
	return p.encode()
}

// Restore makes the air what it was when b was saved, stopped at that frame,
// with the same consoles plugged in; [Air.Resume] goes on. It needs the stop
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
		a.gone.clear()
		a.next, a.snapshot = p.records, p.snapshot
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
	p.stop = frame
	if b, err = p.encode(); err != nil {
		return nil, fmt.Errorf("air: saved air: %w", err)
	}
	return b, nil
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
			if !ok || !k.valid(ds.Seat(i)) {
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
		if one.said.known {
			c.known = 1
		}
	}
}

// encode returns the saved air.
func (p *picture) encode() ([]byte, error) {
	c := wire.Writer(nil)
	p.code(c)
	return c.Bytes(), c.Err()
}

// decodePicture reads a saved air and rejects anything that Save could not have
// written.
func decodePicture(b []byte) (*picture, error) {
	p, c := new(picture), wire.Reader(b)
	p.code(c)
	return p, c.End()
}

// code writes or reads a picture and rejects impossible values.
func (p *picture) code(c *wire.Coder) {
	magic, version, skew := [len(savedMagic)]byte([]byte(savedMagic)), atStop, p.skew
	if p.snapshot {
		version = inSnapshot
	}
	if p.plain {
		skew += savedPlain
	}
	if c.Fixed("magic", magic[:]); string(magic[:]) != savedMagic {
		c.Fail("magic", "not a saved air")
	}
	if wire.Big(c, "version", &version, 1); version != atStop && version != inSnapshot {
		c.Fail("version", "%d, not %d or %d", version, atStop, inSnapshot)
	}
	wire.Big(c, "skew", &skew, 1)
	p.snapshot, p.plain, p.skew = version == inSnapshot, skew >= savedPlain, skew%savedPlain
	if wire.Big(c, "frame", &p.stop, 8); p.stop > frameMax {
		c.Fail("frame", "%d", p.stop)
	}
	wire.Big(c, "round", &p.round, 8)
	wire.Big(c, "chain", &p.chain, 8)
	wire.Big(c, "records", &p.records, 8)
	if p.snapshot {
		wire.Big(c, "silence", &p.silence, 1)
	}
	if p.silence > min(longSilent, p.stop) {
		c.Fail("silence", "%d frames at frame %d", p.silence, p.stop)
	}
	wire.List(c, "consoles", &p.consoles, ds.MaxSeats, func(c *wire.Coder, one *console) { one.code(c, p.snapshot) })
	for i := 1; i < len(p.consoles); i++ {
		if seat := p.consoles[i].seat; seat <= p.consoles[i-1].seat {
			c.Fail("consoles", "that of seat %v is out of place", seat)
		}
	}
}

func (o *console) code(c *wire.Coder, snapshot bool) {
	if wire.Big(c, "seat", &o.seat, 1); o.seat >= ds.MaxSeats {
		c.Fail("seat", "%v", o.seat)
	}
	c.Bool("on the air", &o.onAir)
	if snapshot && o.onAir {
		c.Bool("known", &o.said.known)
		wire.Big(c, "host", &o.said.host, 1)
		wire.Big(c, "ahead", &o.said.ahead, 1)
	}
	if host := o.said.host; host >= uint8(ds.MaxSeats) && host != noHost {
		c.Fail("host", "seat %v is in the game of seat %v", o.seat, ds.Seat(host))
	}
	n := len(o.queue)
	if wire.Big(c, "packets", &n, 2); n > queueMax || n > 0 && !o.onAir {
		c.Fail("packets", "%d for seat %v", n, o.seat)
	}
	if c.Reading() && c.Err() == nil {
		o.queue = make([]flying, n)
	}
	for i := range o.queue {
		o.queue[i].code(c, o.seat)
	}
}

func (k *flying) code(c *wire.Coder, receiver ds.Seat) {
	wire.Big(c, "sender", &k.from, 1)
	wire.Big(c, "receiver", &k.to, 2)
	n := len(k.data)
	if wire.Big(c, "bytes", &n, 2); n > packetMax {
		c.Fail("bytes", "%d", n)
	}
	if c.Part("packet", &k.data, n); !k.valid(receiver) {
		c.Fail("packet", "%d bytes from seat %v to %d, for seat %v", n, k.from, k.to, receiver)
	}
}
