package seal

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/flynn/noise"
)

// The messages of a handshake are so many bytes longer than what they carry.
const (
	Overhead1 = 32 + tagSize           // a key of this handshake alone
	Overhead2 = 32 + 32 + 2*tagSize    // the same, and the answering machine's own
	Overhead3 = 32 + tagSize + tagSize // the dialing machine's own
)

// ErrOtherKey says that an address is not answered by the machine that was meant.
var ErrOtherKey = errors.New("another machine than the invitation's answers there")

// Handshake is one of three messages between two machines:
//
//	dialing machine    e                 →
//	                                     ←  e, ee, s, es
//	                   s, se, psk        →
//
// After the third both have a Transport. It belongs to one goroutine.
type Handshake struct {
	config    noise.Config
	state     *noise.HandshakeState
	curve     *curve
	want      Public
	done      []step // to stand where we stood after a forged message
	transport *Transport
}

// step is a message that was written, with its payload, or read.
type step struct {
	written bool
	data    []byte
}

// Dial begins a handshake with the machine whose key is want; any machine of the room if
// want is zero. Both sides must name the same context: what they agreed on before.
func Dial(key Private, room Secret, want Public, context []byte) (*Handshake, error) {
	return newHandshake(key, room, want, context, true)
}

// Answer begins the other side of a handshake.
func Answer(key Private, room Secret, context []byte) (*Handshake, error) {
	return newHandshake(key, room, Public{}, context, false)
}

func newHandshake(key Private, room Secret, want Public, context []byte, dialer bool) (*Handshake, error) {
	shared := room.derive("room")
	c := &curve{DHFunc: noise.DH25519}
	h := &Handshake{want: want, curve: c, config: noise.Config{
		CipherSuite: noise.NewCipherSuite(c, noise.CipherChaChaPoly, noise.HashBLAKE2s), Pattern: noise.HandshakeXX, Initiator: dialer,
		Prologue: context, PresharedKey: shared[:], PresharedKeyPlacement: 3,
		StaticKeypair: noise.DHKey{Private: key.secret[:], Public: key.public[:]},
	}}
	if err := h.restore(); err != nil {
		return nil, fmt.Errorf("begin a handshake: %w", err)
	}
	return h, nil
}

// restore goes through all steps again, with what the curve remembers. The library cannot undo a
// message of which only the last part proves to be forged.
func (h *Handshake) restore() (err error) {
	if h.state, err = noise.NewHandshakeState(h.config); err != nil {
		return err
	}
	for _, s := range h.done {
		if s.written {
			_, _, _, err = h.state.WriteMessage(nil, s.data)
		} else {
			_, _, _, err = h.state.ReadMessage(nil, s.data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Write appends the next message to out, with a payload: nobody else reads it from the
// second message on.
func (h *Handshake) Write(out, payload []byte) ([]byte, error) {
	out, a, b, err := h.state.WriteMessage(out, payload)
	if err != nil {
		return nil, fmt.Errorf("handshake: %w", err)
	}
	h.did(step{true, bytes.Clone(payload)}, a, b)
	return out, nil
}

// Read takes the other side's message and returns its payload. After an error the
// handshake stands where it stood, and the right message may still come. A forged third message
// costs next to nothing: who did not make the first one fails before anything is computed on the
// curve, and for who did that happens once.
func (h *Handshake) Read(message []byte) ([]byte, error) {
	known, asked := len(h.curve.known), h.curve.asked
	payload, a, b, err := h.state.ReadMessage(nil, message)
	if err != nil && h.curve.asked == asked { // the library has undone it
		return nil, fmt.Errorf("handshake: %w", err)
	}
	if peer := h.Peer(); err == nil && !h.want.IsZero() && !peer.IsZero() && peer != h.want {
		err = ErrOtherKey
	}
	if err != nil {
		if h.config.Initiator { // anybody may have sent it: the right one has other keys
			h.curve.known = h.curve.known[:known]
		}
		return nil, fmt.Errorf("handshake: %w", errors.Join(err, h.restore()))
	}
	h.did(step{false, bytes.Clone(message)}, a, b)
	return payload, nil
}

// did notes a step. The last one gives the two keys, that of the dialing machine first.
func (h *Handshake) did(s step, dialing, answering *noise.CipherState) {
	h.done = append(h.done, s)
	switch {
	case dialing == nil:
	case h.config.Initiator:
		h.transport = newTransport(dialing, answering)
	default:
		h.transport = newTransport(answering, dialing)
	}
}

// Transport returns the handshake's result, nil before its end.
func (h *Handshake) Transport() *Transport { return h.transport }

// Peer is the other machine's key, zero while it is not known. It is proven once there is
// a transport.
func (h *Handshake) Peer() (k Public) {
	copy(k[:], h.state.PeerStatic())
	return k
}

// products is how often the two sides of a handshake multiply on the curve, each: ee, es and se.
const products = 3

// errOtherStatic says that a dialing machine has shown another key of its own before.
var errOtherStatic = errors.New("the key is not the one used before")

// curve is X25519 for one handshake. It computes nothing twice.
type curve struct {
	noise.DHFunc
	once  noise.DHKey // this handshake's own key
	known []product
	asked int // calls of DH
}

type product struct{ private, public, result []byte }

// GenerateKeypair returns the same key each time.
func (c *curve) GenerateKeypair(random io.Reader) (k noise.DHKey, err error) {
	if c.once.Private == nil {
		c.once, err = c.DHFunc.GenerateKeypair(random)
	}
	return c.once, err
}

// DH multiplies, as often as a handshake needs it.
func (c *curve) DH(private, public []byte) ([]byte, error) {
	c.asked++
	for _, p := range c.known {
		if bytes.Equal(p.private, private) && bytes.Equal(p.public, public) {
			return p.result, nil
		}
	}
	if len(c.known) == products {
		return nil, errOtherStatic
	}
	result, err := c.DHFunc.DH(private, public)
	if err == nil {
		c.known = append(c.known, product{bytes.Clone(private), bytes.Clone(public), result})
	}
	return result, err
}
