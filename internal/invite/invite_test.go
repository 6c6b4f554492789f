package invite

import (
	"encoding/base64"
	"errors"
	"net/netip"
	"reflect"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/seal"
)

func example() Invitation {
	return Invitation{
		Secret: seal.Secret{1, 2, 3}, Key: seal.Public{4, 5, 6},
		Addresses: []netip.AddrPort{netip.MustParseAddrPort("192.168.0.7:7000"), netip.MustParseAddrPort("[2001:db8::1]:7001")},
	}
}

// TestGolden is an invitation as friends have it in their chats: a change is another version.
func TestGolden(t *testing.T) {
	const want = "nettplay://join/AQECAwAAAAAAAAAAAAAAAAAEBQYAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIEwKgABxtYBiABDbgAAAAAAAAAAAAAAAEbWdgE_Ys"
	if got := example().Text(Prefix); got != want {
		t.Errorf("got %s", got)
	}
}

func TestFindInChat(t *testing.T) {
	v := example()
	for _, text := range []string{
		v.Text(Prefix), "Come and play: " + v.Text(Prefix) + " tonight!\n", "<" + v.Text(Answer) + ">",
	} {
		got, found, err := Find(text)
		if !found || err != nil || !reflect.DeepEqual(got, v) {
			t.Errorf("%q: %+v, %v, %v", text, got, found, err)
		}
	}
	for _, text := range []string{"", "192.168.0.7:7000", "https://example.org/join/"} {
		if _, found, err := Find(text); found || err != nil {
			t.Errorf("%q: found", text)
		}
	}
}

func TestBrokenOnesSayWhy(t *testing.T) {
	good := example().Text(Prefix)
	for n := len(Prefix); n < len(good); n++ {
		if _, found, err := Find(good[:n]); !found || !errors.Is(err, ErrCut) {
			t.Fatalf("cut after %d characters: %v, %v", n, found, err)
		}
	}
	if _, _, err := Find(Prefix + strings.Repeat("A", maxText+1)); err == nil {
		t.Error("a long one is taken")
	}
	many := example()
	for range 20 {
		many.Addresses = append(many.Addresses, many.Addresses[0])
	}
	if got, _, err := Find(many.Text(Prefix)); err != nil || len(got.Addresses) != MaxAddresses {
		t.Errorf("%d addresses, %v", len(got.Addresses), err)
	}
	if len(many.Text(Prefix)) > len(Prefix)+maxText {
		t.Error("the longest that is made is not taken")
	}
}

func FuzzFind(f *testing.F) {
	f.Add(example().Text(Prefix))
	f.Add(Prefix + base64.RawURLEncoding.EncodeToString(make([]byte, 60)))
	f.Fuzz(func(t *testing.T, text string) {
		v, found, err := Find(text)
		if !found || err != nil {
			return
		}
		again, _, err := Find(v.Text(Prefix))
		if err != nil || !reflect.DeepEqual(again, v) {
			t.Fatalf("%+v became %+v, %v", v, again, err)
		}
	})
}
