// Package invite is the text with which a game host invites friends: how to reach its
// machine, how to know that it is the right one, and the secret that lets them in.
//
// An invitation looks like nettplay://join/AbC... and may stand in the middle of other
// text, as chat programs put it there; [Find] finds it. A part that got lost on the way is
// noticed. An invitation comes from a stranger's text: lengths are bounded.
//
// Read next: internal/seal for what the secret does, internal/reach for the addresses.
package invite

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"regexp"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/seal"
)

// Prefix begins every invitation, and Answer every answer to one.
const (
	Prefix = "nettplay://join/"
	Answer = "nettplay://answer/"
)

// MaxAddresses is how many addresses an invitation has at most.
const MaxAddresses = 8

// Invitation is what a friend needs to come in. An answer to an invitation has the same
// form, with what the game host needs to let the friend's datagrams through its router.
type Invitation struct {
	Secret    seal.Secret
	Key       seal.Public
	Addresses []netip.AddrPort
}

// The bytes of an invitation, in base64url behind the prefix:
//
//	version:1 secret:16 key:32 count:1 (family:1 address:4|16 port:2)* check:4
//
// family is 4 or 6, check the beginning of a SHA-256 over all before it.
const (
	version    = 1
	headerSize = 1 + 16 + 32 + 1
	checkSize  = 4
	maxText    = 400 // characters behind the prefix
)

// Target is where the machine is, as [link.Link.Dial] takes it.
func (v Invitation) Target() string {
	list := make([]string, len(v.Addresses))
	for i, a := range v.Addresses {
		list[i] = a.String()
	}
	return link.Target(v.Key, list...)
}

// Text is the invitation with one of the prefixes. Addresses beyond MaxAddresses are left
// out.
func (v Invitation) Text(prefix string) string {
	b := append([]byte{version}, v.Secret[:]...)
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
	sum := sha256.Sum256(b)
	return prefix + base64.RawURLEncoding.EncodeToString(append(b, sum[:checkSize]...))
}

var (
	pattern = regexp.MustCompile(`nettplay://(?:join|answer)/([A-Za-z0-9_-]*)`)

	// ErrCut says that a part of an invitation is missing.
	ErrCut = errors.New("a part of the invitation is missing: copy all of it")
	// ErrNewer says that a newer program made the invitation.
	ErrNewer = errors.New("a newer nettplay made this invitation: update yours")
)

// Find finds an invitation in a text. There is none if found is false.
func Find(text string) (v Invitation, found bool, err error) {
	m := pattern.FindStringSubmatch(text)
	if m == nil {
		return Invitation{}, false, nil
	}
	v, err = parse(m[1])
	return v, true, err
}

func parse(text string) (v Invitation, err error) {
	if len(text) > maxText {
		return v, fmt.Errorf("an invitation of %d characters: at most %d are one", len(text), maxText)
	}
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(b) < headerSize+checkSize {
		return v, ErrCut
	}
	b, check := b[:len(b)-checkSize], b[len(b)-checkSize:]
	if sum := sha256.Sum256(b); string(sum[:checkSize]) != string(check) {
		return v, ErrCut
	}
	if b[0] != version {
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
			return v, errors.New("the invitation has an address that is none")
		}
		v.Addresses, rest = append(v.Addresses, a), rest[n:]
	}
	if len(rest) > 0 {
		return v, errors.New("the invitation has more than it says")
	}
	return v, nil
}

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
