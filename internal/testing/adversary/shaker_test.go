package adversary

import (
	"encoding/binary"
	"math/rand/v2"
	"net"
	"sync/atomic"

	"github.com/nettplay/nettplay/internal/seal"
)

// shaker begins handshakes from one address, as any machine of the same network can, and ends them with
// forged last messages. The datagrams are those of internal/link/udp, whose wire.go draws them.
type shaker struct {
	conn    *net.UDPConn
	greeter *seal.Greeter // of those without a secret
	key     seal.Private
	session atomic.Uint64 // that waits for a last message
}

const (
	greetVersion = 3
	knocks       = 0xA0
	challenges   = 0xA1
	opens        = 0xA2
	accepts      = 0xA3
	finishes     = 0xA5
)

func newShaker(conn *net.UDPConn) *shaker {
	key, _ := seal.NewKey()
	s := &shaker{conn: conn, greeter: seal.NewGreeter(seal.Secret{}), key: key}
	go s.answer()
	return s
}

func say(kind byte, nonce uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte{kind, greetVersion}, nonce)
}

func (s *shaker) tagged(b []byte, size int) []byte {
	return s.greeter.Append(append(b, make([]byte, max(0, size-len(b)))...))
}

// answer opens what is challenged, and notes what is accepted.
func (s *shaker) answer() {
	for b := make([]byte, 2000); ; {
		n, err := s.conn.Read(b)
		body, ok := s.greeter.Check(b[:n])
		switch {
		case err != nil:
			return
		case !ok || len(body) < 18:
		case body[0] == challenges && len(body) == 10+20:
			about := say(knocks, binary.BigEndian.Uint64(body[2:]))
			shake, err := seal.Dial(s.key, seal.Secret{}, seal.Public{}, about)
			if err != nil {
				return
			}
			open := append(say(opens, binary.BigEndian.Uint64(body[2:])), body[10:]...)
			if open, err = shake.Write(open, nil); err != nil {
				return
			}
			_, _ = s.conn.Write(s.tagged(open, 256))
		case body[0] == accepts:
			s.session.Store(binary.BigEndian.Uint64(body[10:]))
		}
	}
}

// next is a forged last message, and now and then a knock.
func (s *shaker) next(rng *rand.Rand) []byte {
	session := s.session.Load()
	if session == 0 || rng.IntN(40) == 0 {
		return s.tagged(say(knocks, rng.Uint64()), 64)
	}
	b := say(finishes, session)
	for range seal.Overhead3 {
		b = append(b, byte(rng.Uint32()))
	}
	return s.tagged(b, 0)
}
