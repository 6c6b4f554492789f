package seal

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
)

// TagSize is the number of bytes that a Greeter's tag has.
const TagSize = 16

// Greeter tags what is said before there is a session. It may be used from several
// goroutines.
type Greeter struct{ key [32]byte }

// NewGreeter makes the greeter of a room.
func NewGreeter(s Secret) *Greeter { return &Greeter{s.derive("greeting")} }

// Greeter is for what is said to a machine by those who know its key, as each of its invitations tells it, and not
// the room's secret.
func (k Public) Greeter() *Greeter {
	key, err := hkdf.Key(sha256.New, k[:], nil, "nettplay greeting by key", 32)
	if err != nil {
		panic(err) // only for lengths that no hash allows
	}
	return &Greeter{[32]byte(key)}
}

// Append appends b's tag to b.
func (g *Greeter) Append(b []byte) []byte { return append(b, g.sum(b)...) }

// Check returns b without its tag, and whether somebody with the room's secret made it.
func (g *Greeter) Check(b []byte) (body []byte, ok bool) {
	if len(b) < TagSize {
		return nil, false
	}
	body = b[:len(b)-TagSize]
	return body, hmac.Equal(g.sum(body), b[len(body):])
}

func (g *Greeter) sum(b []byte) []byte { return mac(g.key[:], b)[:TagSize] }
