package seal

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"time"
)

func TestCookies(t *testing.T) {
	for _, size := range []int{16, 20} {
		t.Run(fmt.Sprint(size), func(t *testing.T) { cookies(t, size) })
	}
}

func cookies(t *testing.T, size int) {
	jar, other := NewCookies(), NewCookies()
	from := netip.MustParseAddrPort("192.0.2.1:7000")
	at, five, six := 100*time.Second, []byte{5}, []byte{6}
	c := make([]byte, size)
	jar.Mint(c, from, five, at)
	if !jar.Check(c, from, five, at) || !jar.Check(c, from, five, at+CookieLife) {
		t.Error("a good cookie is refused")
	}
	bent, last, newer := slices.Clone(c), slices.Clone(c), slices.Clone(c)
	bent[10] ^= 1
	last[size-1] ^= 1
	newer[3]++
	for name, ok := range map[string]bool{
		"another address": jar.Check(c, netip.MustParseAddrPort("192.0.2.2:7000"), five, at),
		"another port":    jar.Check(c, netip.MustParseAddrPort("192.0.2.1:7001"), five, at),
		"something else":  jar.Check(c, from, six, at),
		"too old":         jar.Check(c, from, five, at+CookieLife+time.Second),
		"from the future": jar.Check(c, from, five, at-2*time.Second),
		"bent":            jar.Check(bent, from, five, at),
		"bent at its end": jar.Check(last, from, five, at),
		"made newer":      jar.Check(newer, from, five, at+time.Second),
		"another key":     other.Check(c, from, five, at),
	} {
		if ok {
			t.Errorf("a cookie is good for %s", name)
		}
	}
}
