// Package cookie shows that somebody gets what is sent to their address, without keeping
// anything for them: the cookie proves by itself that it was given to that address of late,
// about one thing. So datagrams from forged addresses cost one HMAC each and no memory.
//
// Read next: internal/link/udp and internal/relay, which ask for one before they keep anything.
package cookie

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"net/netip"
	"time"
)

// Life is the time that a cookie is good.
const Life = 10 * time.Second

// stamp is the size in bytes of the time, in seconds, at which a cookie was made.
const stamp = 4

// Jar makes and checks cookies with a key of its own:
//
//	seconds:4 mac:rest
//
// Its methods may be called on any goroutine.
type Jar struct{ key [32]byte }

// New makes a jar with a new key.
func New() *Jar {
	j := new(Jar)
	_, _ = rand.Read(j.key[:]) // does not fail
	return j
}

// Mint fills c, of 16 to 36 bytes, with a cookie for an address, about something. At is the
// time since the program or its socket began.
func (j *Jar) Mint(c []byte, from netip.AddrPort, about []byte, at time.Duration) {
	binary.BigEndian.PutUint32(c, uint32(at/time.Second))
	copy(c[stamp:], j.sum(from, about, c[:stamp]))
}

// Check reports whether c was minted for an address and about something, at most Life ago.
func (j *Jar) Check(c []byte, from netip.AddrPort, about []byte, at time.Duration) bool {
	age := at - time.Duration(binary.BigEndian.Uint32(c))*time.Second
	return age >= 0 && age <= Life && hmac.Equal(c[stamp:], j.sum(from, about, c[:stamp])[:len(c)-stamp])
}

func (j *Jar) sum(from netip.AddrPort, about, when []byte) []byte {
	ip := from.Addr().As16()
	mac := hmac.New(sha256.New, j.key[:])
	mac.Write(ip[:])
	mac.Write(binary.BigEndian.AppendUint16(nil, from.Port()))
	mac.Write(about)
	mac.Write(when)
	return mac.Sum(nil)
}
