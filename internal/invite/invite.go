// Package invite is the text with which a game host invites friends: how to reach its
// machine, how to know that it is the right one, and the secret that lets them in.
//
// An invitation looks like nettplay://join/1AbC..., of letters and digits only: chat programs
// take other characters for markup, or break lines at them. It may stand in the middle of
// other text, and be broken into lines; [Find] finds it. A part that got lost on the way is
// noticed. An invitation comes from a stranger's text: lengths are bounded.
//
// For chats that make only links of the web clickable it has a second form,
// https://relay.example.org/join#1AbC..., where a relay serves the page of relay.JoinPage.
//
// Read next: internal/seal for what the secret does, internal/link for the addresses.
package invite

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/netip"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
)

// Prefix begins every invitation, and Answer every answer to one. Desktops open links by
// their Scheme.
const (
	Scheme = "nettplay://"
	Prefix = "nettplay://join/"
	Answer = "nettplay://answer/"
)

// MaxAddresses is the limit of an invitation's addresses, and MaxRelays of its relays.
const (
	MaxAddresses = 8
	MaxRelays    = 3
)

// Invitation holds what a friend needs to come in. An answer to an invitation has the same form, with
// what the game host needs to let the friend's datagrams through its router.
type Invitation struct {
	Secret    seal.Secret
	Key       seal.Public
	Addresses []netip.AddrPort
	Answer    bool     // it is an answer
	Relays    []string // "host:port", where the machine holds a mailbox
}

// The bytes of an invitation, as a number of base 62 behind the prefix:
//
//	version:1 secret:16 key:32 count:1 (family:1 address:4|16 port:2)* (size:1 relay)* check:4
//
// family is 4 or 6, check the beginning of a SHA-256 over all before it. The version is 1
// where there is no relay, so that older programs can read it, else 2.
const (
	plain      = 1
	relayed    = 2
	headerSize = 1 + 16 + 32 + 1
	checkSize  = 4
	maxText    = 560 // characters behind the prefix
	maxBytes   = 420
	maxFound   = 8  // in one text
	maxRelay   = 64 // letters
)

// Target is where the machine is, as [link.Link.Dial] takes it.
func (v Invitation) Target() string {
	list := make([]string, len(v.Addresses))
	for i, a := range v.Addresses {
		list[i] = a.String()
	}
	for _, r := range v.Relays {
		list = append(list, relay.Place(r, v.Secret.Mailbox(v.Key)))
	}
	return link.Target(v.Key, list...)
}

// Text is the invitation as it is sent. Addresses and relays beyond the most
// are left out.
func (v Invitation) Text() string {
	prefix := Prefix
	if v.Answer {
		prefix = Answer
	}
	return prefix + v.code()
}

// Web is the invitation as a link of the web, by way of a host that serves the page for it. An answer
// has none.
func (v Invitation) Web(host string) string {
	return "https://" + host + relay.JoinPath + "#" + v.code()
}

func (v Invitation) code() string { return new(big.Int).SetBytes(v.Bytes()).Text(62) }

// Bytes are the invitation without what makes it text.
func (v Invitation) Bytes() []byte {
	b := append([]byte{plain}, v.Secret[:]...)
	b = append(b, v.Key[:]...)
	list := v.Addresses[:min(len(v.Addresses), MaxAddresses)]
	b = append(b, byte(len(list)))
	for _, a := range list {
		ip := a.Addr().Unmap().AsSlice()
		family := byte(6)
		if len(ip) == 4 {
			family = 4
		}
		b = append(append(b, family), ip...)
		b = binary.BigEndian.AppendUint16(b, a.Port())
	}
	for _, r := range v.Relays[:min(len(v.Relays), MaxRelays)] {
		b[0] = relayed
		b = append(append(b, byte(len(r))), r...)
	}
	sum := sha256.Sum256(b)
	return append(b, sum[:checkSize]...)
}

var (
	// Either form. A # may have been written as browsers write it within a link.
	pattern = lazily(`(?:nettplay://(join|answer)/|(?i:https?)://[0-9A-Za-z.:\[\]-]{1,255}` + relay.JoinPath + `/?(?:#|%23))([0-9A-Za-z]*)`)
	letters = lazily(`^[0-9A-Za-z]+`)

	// ErrCut says that a part of an invitation is missing.
	ErrCut = errors.New("a part of the invitation is missing: copy all of it")
	// ErrNewer says that a newer program made the invitation.
	ErrNewer = errors.New("a newer nettplay made this invitation: update yours")
	// ErrAnswer says that something is an answer, where an invitation is wanted.
	ErrAnswer = errors.New("this is the answer to an invitation: the game host pastes it in the lobby")
)

// lazily compiles a pattern when it is first used: most starts of the program use none.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// Find finds an invitation, or an answer to one, in a text: the first that is whole. There is
// none if found is false.
func Find(text string) (v Invitation, found bool, err error) {
	for _, at := range pattern().FindAllStringSubmatchIndex(text, maxFound) {
		got, wrong := read(text[at[4]:at[5]], text[at[1]:])
		got.Answer = at[2] >= 0 && text[at[2]:at[3]] == "answer"
		if !found || wrong == nil {
			v, found, err = got, true, wrong
		}
		if wrong == nil {
			break
		}
	}
	return v, found, err
}

// IsLink reports whether a text is a link that this program opens: one of its own scheme, or an invitation
// as a link of the web.
func IsLink(text string) bool {
	if strings.HasPrefix(text, Scheme) {
		return true
	}
	at := pattern().FindStringIndex(text)
	return at != nil && at[0] == 0
}

// read reads a code that may go on in the rest of the text, as lines were broken.
func read(code, rest string) (Invitation, error) {
	v, err := parse(code)
	for errors.Is(err, ErrCut) {
		next := letters().FindString(strings.TrimLeftFunc(rest, between))
		if next == "" || len(code)+len(next) > maxText {
			break
		}
		code += next
		_, rest, _ = strings.Cut(rest, next)
		if whole, err := parse(code); !errors.Is(err, ErrCut) {
			return whole, err
		}
	}
	return v, err
}

// between reports whether a character may stand where a chat program or a terminal has broken a
// line: spaces, marks of a quotation, and those that cannot be seen.
func between(r rune) bool {
	return unicode.IsSpace(r) || r == '>' || r == '|' || unicode.Is(unicode.Cf, r)
}

func parse(text string) (v Invitation, err error) {
	if len(text) > maxText {
		return v, fmt.Errorf("an invitation of %d characters: at most %d are one", len(text), maxText)
	}
	n, ok := new(big.Int).SetString(text, 62)
	if !ok || text[0] == '0' { // as it is never written
		return v, ErrCut
	}
	return Read(n.Bytes())
}

// Read reads the bytes of an invitation, which may come from anybody.
func Read(b []byte) (v Invitation, err error) {
	if len(b) > maxBytes {
		return v, fmt.Errorf("an invitation of %d bytes: at most %d are one", len(b), maxBytes)
	}
	if len(b) < headerSize+checkSize {
		return v, ErrCut
	}
	b, check := b[:len(b)-checkSize], b[len(b)-checkSize:]
	if sum := sha256.Sum256(b); string(sum[:checkSize]) != string(check) {
		return v, ErrCut
	}
	if b[0] != plain && b[0] != relayed {
		return v, ErrNewer
	}
	copy(v.Secret[:], b[1:])
	copy(v.Key[:], b[17:])
	count, rest := int(b[49]), b[headerSize:]
	if count > MaxAddresses {
		return v, fmt.Errorf("the invitation has %d addresses: at most %d are allowed", count, MaxAddresses)
	}
	for range count {
		a, n := address(rest)
		if n == 0 {
			return v, errors.New("the invitation has an invalid address")
		}
		v.Addresses, rest = append(v.Addresses, a), rest[n:]
	}
	if b[0] == relayed {
		v.Relays, rest, err = relays(rest)
	}
	if err == nil && len(rest) > 0 {
		err = errors.New("the invitation has more than it says")
	}
	return v, err
}

// relays reads the relays at an invitation's end.
func relays(b []byte) (list []string, rest []byte, err error) {
	for len(b) > 0 {
		size := int(b[0])
		if len(list) == MaxRelays || size == 0 || size > maxRelay || len(b) < 1+size {
			return nil, nil, errors.New("the invitation has an invalid relay")
		}
		name := string(b[1 : 1+size])
		if !IsRelay(name) {
			return nil, nil, errors.New("the invitation has an invalid relay")
		}
		list, b = append(list, name), b[1+size:]
	}
	return list, b, nil
}

// IsRelay reports whether a text can be the "host:port" of a relay.
func IsRelay(name string) bool {
	host, port, err := net.SplitHostPort(name)
	return err == nil && host != "" && port != "" && len(name) <= maxRelay && !strings.ContainsFunc(name, outOfPlace)
}

// outOfPlace reports whether a letter is none of a server's address.
func outOfPlace(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(",@/=", r) }

// address reads one address; n is its length, 0 for none.
func address(b []byte) (a netip.AddrPort, n int) {
	if len(b) == 0 {
		return a, 0
	}
	size := map[byte]int{4: 4, 6: 16}[b[0]]
	if size == 0 || len(b) < 1+size+2 {
		return a, 0
	}
	ip, _ := netip.AddrFromSlice(b[1 : 1+size])
	if port := binary.BigEndian.Uint16(b[1+size:]); port != 0 && !ip.Is4In6() && ip.IsValid() {
		return netip.AddrPortFrom(ip, port), 1 + size + 2
	}
	return a, 0
}
