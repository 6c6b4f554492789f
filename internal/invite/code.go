package invite

import (
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/crypto/scrypt"

	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
)

// Code is an invitation that is short enough to be read out and typed, where a relay keeps
// the long one. The relay cannot read it: both its place there and its key come from the code.
type Code struct {
	letters string // 16, the last of them a check of the others
	// Relay is the one to ask, "host:port"; "" for those of the settings.
	Relay string
}

// The letters of codes. Each letter and digit that looks like one of them stands for it.
const (
	codeLetters = "0123456789ACDEFGHJKMNPRTVWXY"
	codeSize    = 16
	codeGroup   = 4
)

var (
	alike = strings.NewReplacer("O", "0", "Q", "0", "I", "1", "L", "1", "Z", "2", "S", "5", "B", "8", "U", "V",
		" ", "", "-", "")
	// A code has 16 letters in groups of any size, and perhaps a relay.
	codeShape  = lazily(`^((?:[0-9A-Za-z][ -]*){15}[0-9A-Za-z])(?:\s*@\s*(\S{1,64}))?$`)
	codeInside = lazily(`\b([0-9A-Za-z]{4}(?:-[0-9A-Za-z]{4}){3})\b(?:@([0-9A-Za-z.:\[\]-]{0,63}[0-9A-Za-z]))?`)

	// ErrMistyped says that a code has a mistake in it.
	ErrMistyped = errors.New("the code has a typing mistake: check each letter")
)

// CodeOf is the code of the room with a secret.
func CodeOf(secret seal.Secret) Code {
	raw := secret.Code()
	var b strings.Builder
	for i := range codeSize - 1 {
		b.WriteByte(codeLetters[int(binary.BigEndian.Uint16(raw[2*i:]))%len(codeLetters)])
	}
	return Code{letters: b.String() + check(b.String())}
}

// remainder is 0 of letters whose last one checks the others. One wrong letter or two neighbours
// that changed places never leave it 0: it is a polynomial over pairs of a number of GF(4) and one
// modulo 7, and neither its factor nor one less than that is 0 in either.
func remainder(letters string) int {
	var four, seven int
	for i := range len(letters) {
		v := strings.IndexByte(codeLetters, letters[i])
		four = (four<<1&2 ^ four&2 | four>>1) ^ v%4
		seven = (3*seven + v/4) % 7
	}
	return four + 4*seven
}

// check is the letter that makes the remainder of a whole code 0.
func check(letters string) string {
	r := remainder(letters + codeLetters[:1])
	return codeLetters[r%4+4*((7-r/4)%7):][:1]
}

// String is the code as people read it, such as "RE9C-X4JK-K757-8HF0", with its relay, if it
// names one, behind an @.
func (c Code) String() string {
	var b strings.Builder
	for i := 0; i < len(c.letters); i += codeGroup {
		if i > 0 {
			b.WriteByte('-')
		}
		b.WriteString(c.letters[i : i+codeGroup])
	}
	if c.Relay != "" {
		b.WriteString("@" + strings.TrimSuffix(c.Relay, ":"+strconv.Itoa(relay.Port)))
	}
	return b.String()
}

// FindCode finds a code: typed, in small letters or capitals, in groups or not, or written as
// this program does amid another text. Of a text that is a code with a mistake it says so.
func FindCode(text string) (c Code, found bool, err error) {
	if m := codeShape().FindStringSubmatch(strings.TrimSpace(text)); m != nil {
		c, err = codeFrom(m[1], m[2])
		// Without a digit it is rather the name of a computer.
		return c, err == nil || m[2] != "" || strings.ContainsAny(m[1], "0123456789"), err
	}
	for _, m := range codeInside().FindAllStringSubmatch(text, maxFound) {
		if c, err = codeFrom(m[1], m[2]); err == nil {
			return c, true, nil
		}
	}
	return Code{}, false, nil
}

func codeFrom(typed, at string) (c Code, err error) {
	letters := alike.Replace(strings.ToUpper(typed))
	if remainder(letters) != 0 {
		return c, ErrMistyped
	}
	if c = (Code{letters: letters}); at == "" {
		return c, nil
	}
	c.Relay, err = relay.Named(at)
	return c, err
}

// Slot is where a code's invitation is at a relay, and the key that it is sealed with.
type Slot struct{ seal.Drop }

// The work that each guess at a code costs, about a tenth of a second and 32 MiB.
const guessWork = 1 << 15

// Slot works out where a code's invitation is. It takes about a tenth of a second.
func (c Code) Slot() (s Slot, err error) {
	master, err := scrypt.Key([]byte(c.letters), []byte("nettplay code"), guessWork, 8, 1, 32)
	if err != nil {
		return s, err // only for wrong costs
	}
	secret, err := hkdf.Expand(sha256.New, master, "nettplay code's place and key", seal.DropSecret)
	if err != nil {
		return s, err
	}
	s.Drop, err = seal.NewDrop(secret)
	return s, err
}

// Seal makes what a relay keeps of an invitation.
func (s Slot) Seal(v Invitation) []byte { return s.Drop.Seal(nil, v.Bytes(), nil) }

// Open is the way back. A relay may bring anything.
func (s Slot) Open(b []byte) (v Invitation, err error) {
	raw, err := s.Drop.Open(b, nil)
	if err != nil {
		return v, fmt.Errorf("the relay gave something else than the invitation: %w", err)
	}
	return Read(raw)
}
