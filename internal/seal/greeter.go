package seal

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"net/netip"
	"time"
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

// A cookie shows that somebody gets what is sent to their address, without keeping
// anything for them: it proves by itself that it was given to that address of late,
// about one thing. So datagrams from forged addresses cost one HMAC each and no memory.

// CookieLife is the time that a cookie is good.
const CookieLife = 10 * time.Second

// cookieStamp is the size in bytes of the time, in seconds, at which a cookie was made.
const cookieStamp = 4

// Cookies makes and checks cookies with a key of its own:
//
//	seconds:4 mac:rest
//
// Its methods may be called on any goroutine.
type Cookies struct{ key [32]byte }

// NewCookies makes a jar with a new key.
func NewCookies() *Cookies {
	j := new(Cookies)
	_, _ = rand.Read(j.key[:]) // does not fail
	return j
}

// Mint fills c, of 16 to 36 bytes, with a cookie for an address, about something. At is the
// time since the program or its socket began.
func (j *Cookies) Mint(c []byte, from netip.AddrPort, about []byte, at time.Duration) {
	binary.BigEndian.PutUint32(c, uint32(at/time.Second))
	copy(c[cookieStamp:], j.sum(from, about, c[:cookieStamp]))
}

// Check reports whether c was minted for an address and about something, at most CookieLife ago.
func (j *Cookies) Check(c []byte, from netip.AddrPort, about []byte, at time.Duration) bool {
	age := at - time.Duration(binary.BigEndian.Uint32(c))*time.Second
	return age >= 0 && age <= CookieLife && hmac.Equal(c[cookieStamp:], j.sum(from, about, c[:cookieStamp])[:len(c)-cookieStamp])
}

func (j *Cookies) sum(from netip.AddrPort, about, when []byte) []byte {
	ip := from.Addr().As16()
	mac := hmac.New(sha256.New, j.key[:])
	mac.Write(ip[:])
	mac.Write(binary.BigEndian.AppendUint16(nil, from.Port()))
	mac.Write(about)
	mac.Write(when)
	return mac.Sum(nil)
}
