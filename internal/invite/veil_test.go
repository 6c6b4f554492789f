package invite

import (
	"strconv"
	"strings"
	"testing"
)

// TestVeil: secrets are hidden whatever stands around them, and what only looks a little like one is not.
func TestVeil(t *testing.T) {
	v := NewVeil([]string{"relay.friends.example.org:21206", "short"})
	for _, secret := range []string{
		"nettplay://join/1OBajAV5rKin215dMAzjPPutByClDmQhWqAU2yh39M8", "https://relay.example.org/join#1OBajAV5rKin215dMAz",
		"7K3P-9W0M-D2FA-X4GT", "7k3p-9w0m-d2fa-x4gt@relay.example.org", "7K3P-9QXM-D2FA", "192.168.1.23", "203.0.113.7:21204",
		"2001:db8::1", "[2001:db8::1]:21204", "fe80::1%eth0", "00:09:bf:00:ff:12", "somebody.example.org:21206", "relay.friends.example.org", "Short",
	} {
		for _, words := range []string{"", "Friends type ", "（", "by "} {
			for _, after := range []string{"", " now.", ", or"} {
				got := v.Hide(words + secret + after)
				if strings.Contains(strings.ToLower(got), strings.ToLower(secret[len(secret)-5:])) || !strings.Contains(got, hidden) || !strings.HasPrefix(got, words) {
					t.Errorf("%q is shown as %q", words+secret+after, got)
				}
			}
		}
	}
	for _, plain := range []string{"", "ok", "20:04", "1:02:03", "2026-05-03", "melonDS DS 1.2.0", "45,130 frames", "a well-kept secret", "3 of 4: Ann", "https://github.com/nettplay", "Advance Racer DS.nds", "12:30: Bob joined"} {
		if got := v.Hide(plain); got != plain {
			t.Errorf("%q is shown as %q", plain, got)
		}
	}
	for i := range 3 * maxVeiled {
		if v.Hide("frame " + strconv.Itoa(i)); len(v.known) > maxVeiled {
			t.Fatal("it remembers everything")
		}
	}
}
