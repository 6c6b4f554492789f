package invite

import (
	"crypto/sha256"
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

func example() Invitation {
	return Invitation{
		Secret: seal.Secret{1, 2, 3}, Key: seal.Public{4, 5, 6},
		Addresses: []netip.AddrPort{netip.MustParseAddrPort("192.168.0.7:7000"), netip.MustParseAddrPort("[2001:db8::1]:7001")},
	}
}

// TestGolden is an invitation as friends have it in their chats: a change is another version.
func TestGolden(t *testing.T) {
	const want = "nettplay://join/1OBajAV5rKin215dMAzjPPutByClDmQhWqAU2yh39M8gW7RmlzPfA0bJeix46DWL21x2B8fwOwzg8Pb1LM73LkKDGVsjx9eNqFhNAGWlAQH"
	if got := example().Text(); got != want {
		t.Errorf("got %s", got)
	}
}

// TestFindInChat: whatever chat programs, mail and terminals put around an invitation and into
// it, it is found.
func TestFindInChat(t *testing.T) {
	v := example()
	answer := v
	answer.Answer = true
	text := v.Text()
	for _, chat := range []string{
		text, "Come and play: " + text + " tonight!\n", "<" + text + ">", text + ".", "(" + text + "...)", "\u201c" + text + "\u201d",
		"[join](" + text + "), or do not", "> " + text[:60] + "\n> " + text[60:100] + "\r\n> " + text[100:] + "\n> tonight",
		"cut: " + text[:60] + ", again: " + text, text[:70] + "\u200b" + text[70:], text[:40] + "\n   " + text[40:], "*" + text + "*", "`" + text + "`", text + "\u00a0:)",
	} {
		for _, chat := range []string{chat, strings.ReplaceAll(chat, Prefix, "https://relay.example.org/join#")} {
			got, found, err := Find(chat)
			if !found || err != nil || !reflect.DeepEqual(got, v) {
				t.Errorf("%q: %+v, %v, %v", chat, got, found, err)
			}
		}
	}
	if got, found, err := Find("here: " + answer.Text() + "!"); !found || err != nil || !reflect.DeepEqual(got, answer) {
		t.Errorf("the answer: %+v, %v, %v", got, found, err)
	}
	for _, text := range []string{"", "192.168.0.7:7000", "https://example.org/join/", "https://example.org/joining#abc", "https:///join#abc", "ftp://example.org/join#abc"} {
		if _, found, err := Find(text); found || err != nil {
			t.Errorf("%q: found", text)
		}
	}
}

func TestBrokenOnesSayWhy(t *testing.T) {
	good := example().Text()
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
	if got, _, err := Find(many.Text()); err != nil || len(got.Addresses) != MaxAddresses {
		t.Errorf("%d addresses, %v", len(got.Addresses), err)
	}
	if len(many.Text()) > len(Prefix)+maxText {
		t.Error("the longest that is made is not taken")
	}
}

// TestWebLink: an invitation as a link of the web is the same invitation, however it was wrapped or broken.
// It is a link for this program to open; other links of the web are not.
func TestWebLink(t *testing.T) {
	v := example()
	web := v.Web("relay.example.org")
	if want := "https://relay.example.org/join#" + strings.TrimPrefix(v.Text(), Prefix); web != want {
		t.Fatalf("it is %s, want %s", web, want)
	}
	for _, text := range []string{
		web, "Come: <" + web + "|join>", strings.Replace(web, "https", "HTTPS", 1), strings.Replace(web, "#", "%23", 1),
		strings.Replace(web, "/join#", "/join/#", 1), v.Web("[2001:db8::5]:8443"), "https://www.example.com/url?q=" + strings.Replace(web, "#", "%23", 1) + "&sa=D",
		strings.Replace(web, "#", "#\n> ", 1), web[:70] + "\r\n" + web[70:], web[:len(web)-9] + " cut, whole: " + web,
	} {
		if got, found, err := Find(text); !found || err != nil || !reflect.DeepEqual(got, v) {
			t.Errorf("%q: %+v, %v, %v", text, got, found, err)
		}
	}
	if _, found, err := Find(web[:len(web)-1]); !found || !errors.Is(err, ErrCut) {
		t.Errorf("of a cut one it says %v, %v", found, err)
	}
	for text, want := range map[string]bool{web: true, v.Text(): true, "nettplay://answer/1": true, "see " + web: false, "https://example.org/": false, "game.nds": false} {
		if got := IsLink(text); got != want {
			t.Errorf("%q is a link: %v", text, got)
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add(example().Text())
	f.Add(example().Web("relay.example.org"))
	f.Add(Prefix + "10abcdefghijkl\n> mnopqrstuvwxyz")
	f.Fuzz(func(t *testing.T, text string) { looksAtText(t, []byte(text)) })
}

func looksAtText(t *testing.T, b []byte) (well bool) {
	v, found, err := Find(string(b))
	if !found || err != nil {
		return false
	}
	again, _, err := Find(v.Text())
	if err != nil || !reflect.DeepEqual(again, v) {
		t.Fatalf("%+v became %+v, %v", v, again, err)
	}
	again.Answer = false
	if web, _, err := Find(again.Web("a.example")); err != nil || !reflect.DeepEqual(web, again) {
		t.Fatalf("%+v became %+v by the web, %v", again, web, err)
	}
	return true
}

// TestManyInputs is the fuzz targets of invitations with ten million inputs each.
func TestManyInputs(t *testing.T) {
	v := example()
	body := func(v Invitation) []byte { return v.Bytes()[:len(v.Bytes())-checkSize] }
	seeds, texts := [][]byte{body(v)}, [][]byte{[]byte("come to " + v.Text() + " now")}
	v.Relays = []string{"relay.example.org:21205", "[2001:db8::5]:21205"}
	seeds, texts = append(seeds, body(v)), append(texts, []byte(v.Text()), []byte(v.Web("relay.example.org")))
	t.Run("bytes", func(t *testing.T) { must.SurviveInputs(t, seeds, looksAtBytes) })
	t.Run("text", func(t *testing.T) { must.SurviveInputs(t, texts, looksAtText) })
	codes := [][]byte{[]byte(CodeOf(seal.Secret{1}).String() + "@relay.example.org"), []byte("7k3p 9wom d2fa x4gt")}
	t.Run("code", func(t *testing.T) { must.SurviveInputs(t, codes, looksAtCode) })
}

// FuzzRead: what is in a listing or a friend's word.
func FuzzRead(f *testing.F) {
	v := example()
	f.Add(v.Bytes()[:len(v.Bytes())-checkSize])
	v.Relays = []string{"relay.example.org:21205"}
	f.Add(v.Bytes()[:len(v.Bytes())-checkSize])
	f.Fuzz(func(t *testing.T, b []byte) { looksAtBytes(t, b) })
}

// looksAtBytes adds their check: else hardly anything is read.
func looksAtBytes(t *testing.T, b []byte) (well bool) {
	sum := sha256.Sum256(b)
	v, err := Read(slices.Concat(b, sum[:checkSize]))
	if err != nil {
		return false
	}
	if again, err := Read(v.Bytes()); err != nil || !reflect.DeepEqual(again, v) || len(v.Addresses) > MaxAddresses || len(v.Relays) > MaxRelays {
		t.Fatalf("%+v became %+v, %v", v, again, err)
	}
	v.Target()
	return true
}

func TestRelaysTravelAlong(t *testing.T) {
	v := example()
	v.Relays = []string{"relay.example.org:21205", "[2001:db8::5]:21205"}
	got, _, err := Find(v.Text())
	if err != nil || !reflect.DeepEqual(got, v) {
		t.Fatalf("%+v, %v", got, err)
	}
	if !strings.HasSuffix(v.Target(), relay.Place(v.Relays[1], v.Secret.Mailbox(v.Key))) {
		t.Errorf("the relay is not among what is dialled: %s", v.Target())
	}
	for _, bad := range []string{"nohost", "a b:1", "a,b:1", "host@x:1", strings.Repeat("x", 70) + ":1"} {
		v.Relays = []string{bad}
		if _, _, err := Find(v.Text()); err == nil {
			t.Errorf("%q is taken for a relay", bad)
		}
	}
	for range 20 {
		v.Addresses = append(v.Addresses, v.Addresses[1])
	}
	v.Relays = slices.Repeat([]string{strings.Repeat("x", maxRelay-2) + ":1"}, MaxRelays)
	if _, _, err := Find(v.Text()); err != nil {
		t.Errorf("the longest that is made is not taken: %v", err)
	}
}
