package udp

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"net/netip"
	"time"
)

// cookieLife is how long a dialer may take from challenge to open.
const cookieLife = 10 * time.Second

// cookieJar makes and checks cookies. Nothing is kept for a stranger: the cookie
// itself proves that it was given to this address, for this nonce, of late. So
// knocks from forged addresses cost one HMAC each and no memory.
type cookieJar struct{ key [32]byte }

func newCookieJar() (*cookieJar, error) {
	var j cookieJar
	_, err := rand.Read(j.key[:])
	return &j, err
}

// mint makes the cookie for from. at is the time since the link was opened.
func (j *cookieJar) mint(from netip.AddrPort, nonce uint64, at time.Duration) [cookieSize]byte {
	var c [cookieSize]byte
	binary.BigEndian.PutUint32(c[:], uint32(at/time.Second))
	copy(c[4:], j.sum(from, nonce, c[:4]))
	return c
}

// check says whether c was minted for from and nonce at most cookieLife ago.
func (j *cookieJar) check(c [cookieSize]byte, from netip.AddrPort, nonce uint64, at time.Duration) bool {
	age := at - time.Duration(binary.BigEndian.Uint32(c[:]))*time.Second
	if age < 0 || age > cookieLife {
		return false
	}
	return hmac.Equal(c[4:], j.sum(from, nonce, c[:4]))
}

func (j *cookieJar) sum(from netip.AddrPort, nonce uint64, stamp []byte) []byte {
	ip := from.Addr().As16()
	mac := hmac.New(sha256.New, j.key[:])
	mac.Write(ip[:])
	mac.Write(binary.BigEndian.AppendUint16(nil, from.Port()))
	mac.Write(binary.BigEndian.AppendUint64(nil, nonce))
	mac.Write(stamp)
	return mac.Sum(nil)[:cookieSize-4]
}
