package seal

import (
	"encoding/binary"
	"errors"

	"github.com/flynn/noise"
)

// Overhead is the number of bytes by which a sealed datagram is longer than what it carries, besides
// the caller's prefix.
const Overhead = counterSize + tagSize

// BodyOffset is the distance in bytes from the prefix to a sealed body.
const BodyOffset = counterSize

// A sealed datagram, behind the caller's prefix of any length:
//
//	counter:6 ciphertext tag:16
//
// The tag also covers prefix and counter. The counter's upper part is the number of the key:
// each key makes the next one, as Noise defines it, and seals 65,536 datagrams.
const (
	counterSize = 6
	keyBits     = 16
	maxCounter  = 1<<(8*counterSize) - 1
)

// Errors of Open. Neither says anything about the peer: anybody can send such datagrams.
var (
	ErrForged = errors.New("not sealed by the other side")
	ErrReplay = errors.New("came before, or is far too late")
)

// errWorn cannot happen in a room: it takes thousands of years.
var errWorn = errors.New("the connection has sealed too many datagrams")

// Transport seals and opens the datagrams of one connection. Seal belongs to one
// goroutine, Open to one, which may be another.
type Transport struct {
	send    chain
	counter uint64 // of the next datagram

	recv, next, last chain // by rising key: last is the one before recv
	window           window
}

// chain is one key of a row of keys.
type chain struct {
	number uint64
	state  noise.CipherState
	cipher noise.Cipher // nil: there is none
}

func newTransport(send, recv *noise.CipherState) *Transport {
	t := &Transport{send: chainOf(0, *send), recv: chainOf(0, *recv)}
	t.next = t.recv.after()
	return t
}

func chainOf(number uint64, state noise.CipherState) chain {
	c := chain{number: number, state: state}
	used := state
	c.cipher = used.Cipher()
	return c
}

func (c chain) after() chain {
	state := c.state
	state.Rekey()
	return chainOf(c.number+1, state)
}

// Seal appends the sealed body to the prefix dst. The body may already lie where its
// ciphertext goes, BodyOffset bytes behind the prefix.
func (t *Transport) Seal(dst, body []byte) ([]byte, error) {
	if t.counter > maxCounter {
		return nil, errWorn
	}
	if key := t.counter >> keyBits; key != t.send.number {
		t.send = t.send.after()
	}
	dst = binary.BigEndian.AppendUint16(dst, uint16(t.counter>>32))
	dst = binary.BigEndian.AppendUint32(dst, uint32(t.counter))
	dst = t.send.cipher.Encrypt(dst, t.counter, dst, body)
	t.counter++
	return dst, nil
}

// Open opens a datagram with a prefix of so many bytes, in place. It tells whether it is
// the newest so far.
func (t *Transport) Open(b []byte, prefix int) (body []byte, newest bool, err error) {
	head := prefix + counterSize
	if len(b) < head+tagSize {
		return nil, false, ErrForged
	}
	counter := uint64(binary.BigEndian.Uint16(b[prefix:]))<<32 | uint64(binary.BigEndian.Uint32(b[prefix+2:]))
	c := t.chain(counter >> keyBits)
	if c == nil {
		return nil, false, ErrForged
	}
	if !t.window.fits(counter) {
		return nil, false, ErrReplay
	}
	if body, err = c.cipher.Decrypt(b[head:head], counter, b[:head], b[head:]); err != nil {
		return nil, false, ErrForged
	}
	newest = counter >= t.window.end
	t.window.mark(counter)
	if c == &t.next {
		t.last, t.recv, t.next = t.recv, t.next, t.next.after()
	}
	return body, newest, nil
}

// chain is the key with a number: the current one, or one of its neighbours.
func (t *Transport) chain(number uint64) *chain {
	for _, c := range []*chain{&t.recv, &t.next, &t.last} {
		if c.cipher != nil && c.number == number {
			return c
		}
	}
	return nil
}

const tagSize = 16

// windowSize is by how many datagrams one may be overtaken: more than are on any line at
// once, with the bytes of states on their way.
const windowSize = 4096

const words = windowSize/64 + 1 // the newest word of the ring is not full, so there is one more

// window remembers which of the newest datagrams have come. The zero value is ready.
type window struct {
	end  uint64 // one more than the highest counter taken
	seen [words]uint64
}

// fits reports whether a counter is new enough and has not been taken.
func (w *window) fits(n uint64) bool {
	switch {
	case n >= w.end:
		return true
	case w.end-n > windowSize:
		return false
	}
	return w.seen[n/64%words]&(1<<(n%64)) == 0
}

// mark notes a counter that fits.
func (w *window) mark(n uint64) {
	if n >= w.end {
		// Words from the one after the highest so far to that of n begin anew.
		from := (w.end + 63) / 64
		if n/64 >= from+words {
			from = n/64 - words + 1
		}
		for word := from; word <= n/64; word++ {
			w.seen[word%words] = 0
		}
		w.end = n + 1
	}
	w.seen[n/64%words] |= 1 << (n % 64)
}
