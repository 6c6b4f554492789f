package relay

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"net/netip"
	"time"
)

// cookieLife is how long a machine may take from prove to claim.
const cookieLife = 10 * time.Second

// cookieKey makes and checks cookies. A cookie proves by itself that it was sent to an
// address of late, for a mailbox, so nothing is kept for a stranger.
//
//	seconds:4 mac:12
type cookieKey [32]byte

func newCookieKey() (k cookieKey) {
	_, _ = rand.Read(k[:]) // does not fail
	return k
}

// mint makes the cookie for an address. at is the time since the relay was started.
func (k *cookieKey) mint(from netip.AddrPort, box Mailbox, at time.Duration) (c cookie) {
	binary.BigEndian.PutUint32(c[:], uint32(at/time.Second))
	copy(c[4:], k.sum(from, box, c[:4]))
	return c
}

// check tells whether c was minted for an address and a mailbox at most cookieLife ago.
func (k *cookieKey) check(c cookie, from netip.AddrPort, box Mailbox, at time.Duration) bool {
	age := at - time.Duration(binary.BigEndian.Uint32(c[:]))*time.Second
	return age >= 0 && age <= cookieLife && hmac.Equal(c[4:], k.sum(from, box, c[:4]))
}

func (k *cookieKey) sum(from netip.AddrPort, box Mailbox, stamp []byte) []byte {
	ip := from.Addr().As16()
	m := hmac.New(sha256.New, k[:])
	m.Write(ip[:])
	m.Write(binary.BigEndian.AppendUint16(nil, from.Port()))
	m.Write(box[:])
	m.Write(stamp)
	return m.Sum(nil)[:len(cookie{})-4]
}
