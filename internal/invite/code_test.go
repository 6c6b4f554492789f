package invite

import (
	"encoding/hex"
	"errors"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestGoldenCode: all programs make the same code of a room, and find the same place for it.
func TestGoldenCode(t *testing.T) {
	c := CodeOf(seal.Secret{1, 2, 3})
	s, err := c.Slot()
	must.Succeed(t, err)
	const code, locator = "RE9C-X4JK-K757-8HF0", "8bd1be8bc4dd2c990ac3e6b8"
	if c.String() != code {
		t.Errorf("the code is %s", c)
	}
	if got := hex.EncodeToString(s.Place[:]); got != locator {
		t.Errorf("its locator is %s", got)
	}
}

// TestCodesAreTypedAnyhow: in small letters, in other groups or none, with letters that look
// alike, with a relay, and amid a chat.
func TestCodesAreTypedAnyhow(t *testing.T) {
	c := CodeOf(seal.Secret{5})
	text := c.String()
	if len(text) != codeSize+3 || strings.ContainsAny(text, "OQILZSBU") {
		t.Fatalf("the code is %s", text)
	}
	lookalike := strings.NewReplacer("0", "O", "1", "l", "2", "z", "5", "s", "8", "B", "V", "u").Replace(text)
	for _, typed := range []string{
		text, strings.ToLower(text), strings.ReplaceAll(text, "-", ""), strings.ReplaceAll(text, "-", " "), "  " + text + "\n", lookalike,
		strings.Join(strings.Split(text, ""), " "), "come: " + text + " tonight", "(" + text + ").",
	} {
		if got, found, err := FindCode(typed); !found || err != nil || got != c {
			t.Errorf("%q: %v, %v, %v", typed, got, found, err)
		}
	}
	c.Relay = "relay.example.org:21206"
	if c.String() != text+"@relay.example.org" {
		t.Errorf("with its relay it is %s", c)
	}
	for _, typed := range []string{c.String(), strings.ToLower(text) + " @ relay.example.org:21206", "come: " + c.String() + "."} {
		if got, found, err := FindCode(typed); !found || err != nil || got != c {
			t.Errorf("%q: %v, %v, %v", typed, got, found, err)
		}
	}
}

// TestMistakesInCodesAreSaid: each wrong letter and each two that changed places; and addresses
// are no codes.
func TestMistakesInCodesAreSaid(t *testing.T) {
	for n := range 20 {
		text := strings.ReplaceAll(CodeOf(seal.Secret{byte(n)}).String(), "-", "")
		for i := range text {
			wrong := make([]string, 0, len(codeLetters))
			for _, other := range codeLetters {
				wrong = append(wrong, text[:i]+string(other)+text[i+1:])
			}
			if i > 0 {
				wrong = append(wrong, text[:i-1]+text[i:i+1]+text[i-1:i]+text[i+1:])
			}
			for _, typed := range wrong {
				if _, _, err := FindCode(typed); typed != text && !errors.Is(err, ErrMistyped) {
					t.Errorf("%s for %s: %v", typed, text, err)
				}
			}
		}
	}
	text := CodeOf(seal.Secret{5}).String()
	for _, other := range []string{"", "192.168.1.5", "192.168.111.222:21204", "fe80::1234:5678:9abc", "friend.example.org", "ann@example.org", "mybedroomcomputer", "a-friends-desktop"} {
		if _, found, _ := FindCode(other); found {
			t.Errorf("%q is taken for a code", other)
		}
	}
	for _, at := range []string{"a,b", "a:0", "a:b", "a:1:b", "[a:1:b", "[fe80::1%eth0]:5"} {
		if _, found, err := FindCode(text + "@" + at); !found || err == nil {
			t.Errorf("the relay %q is none and is taken", at)
		}
	}
}

// TestOnlyTheCodeOpens: what a relay keeps fits into its datagram, and neither another code
// opens it nor does a relay change it unnoticed.
func TestOnlyTheCodeOpens(t *testing.T) {
	v := Invitation{
		Secret: seal.Secret{5}, Key: seal.Public{6},
		Addresses: slices.Repeat([]netip.AddrPort{netip.MustParseAddrPort("[2001:db8::1]:7001")}, MaxAddresses),
		Relays:    slices.Repeat([]string{strings.Repeat("x", maxRelay-2) + ":1"}, MaxRelays),
	}
	s, err := CodeOf(v.Secret).Slot()
	must.Succeed(t, err)
	kept := s.Seal(v)
	if len(kept) > relay.MaxInvitation {
		t.Fatalf("the longest is %d bytes: relays keep %d", len(kept), relay.MaxInvitation)
	}
	if got, err := s.Open(kept); err != nil || !reflect.DeepEqual(got, v) {
		t.Errorf("%+v, %v", got, err)
	}
	for i := range kept {
		changed := slices.Clone(kept)
		changed[i] ^= 1
		if _, err := s.Open(changed); err == nil {
			t.Errorf("byte %d can be changed", i)
		}
	}
	other, err := CodeOf(seal.Secret{7}).Slot()
	must.Succeed(t, err)
	if _, err := other.Open(kept); err == nil || other.Place == s.Place {
		t.Error("another code opens it")
	}
	for n := range 40 {
		if _, err := s.Open(kept[:n]); err == nil {
			t.Errorf("%d bytes are taken", n)
		}
	}
}

func FuzzFindCode(f *testing.F) {
	f.Add(CodeOf(seal.Secret{1}).String() + "@relay.example.org")
	f.Add("7k3p 9wom d2fa x4gt")
	f.Add(CodeOf(seal.Secret{1}).String() + "@" + strings.Repeat("relay:21206", 5) + "relay:212")
	f.Fuzz(func(t *testing.T, text string) { looksAtCode(t, []byte(text)) })
}

func looksAtCode(t *testing.T, b []byte) (well bool) {
	text := string(b)
	c, found, err := FindCode(text)
	if !found || err != nil {
		return false
	}
	if again, found, err := FindCode(c.String()); !found || err != nil || again != c {
		t.Fatalf("%q: %v became %v, %v, %v", text, c, again, found, err)
	}
	return true
}
