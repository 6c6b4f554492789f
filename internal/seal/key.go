package seal

import (
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/nettplay/nettplay/internal/disk"
)

// Public is an installation's public key. The zero value stands for none.
type Public [32]byte

// Private is an installation's key pair. It never leaves the machine.
type Private struct {
	secret [32]byte
	public Public
}

// NewKey makes a key pair.
func NewKey() (Private, error) {
	k, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		return Private{}, fmt.Errorf("make a key: %w", err)
	}
	return privateOf(k), nil
}

func privateOf(k *ecdh.PrivateKey) Private {
	return Private{secret: [32]byte(k.Bytes()), public: Public(k.PublicKey().Bytes())}
}

// Public is the half that others know.
func (p Private) Public() Public { return p.public }

// IsZero tells whether there is no key.
func (k Public) IsZero() bool { return k == Public{} }

// digits leave out what looks or sounds alike.
const digits = "23456789ABCDEFGHJKMNPQRSTVWXYZ"

// Fingerprint is a key in a form that people compare, such as "7K3P-9QXM-D2FA".
func (k Public) Fingerprint() string {
	sum := sha256.Sum256(append([]byte("nettplay fingerprint "), k[:]...))
	var b strings.Builder
	for i := range 12 {
		if i > 0 && i%4 == 0 {
			b.WriteByte('-')
		}
		b.WriteByte(digits[int(sum[i])%len(digits)])
	}
	return b.String()
}

// LoadKey reads an installation's key, or makes one where there is none. The file is 64
// hexadecimal digits, readable by its owner only.
func LoadKey(path string) (Private, error) {
	p, err := readKey(path)
	if errors.Is(err, fs.ErrNotExist) {
		return createKey(path)
	}
	return p, err
}

func readKey(path string) (Private, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Private{}, fmt.Errorf("read this installation's key: %w", err)
	}
	raw, err := hex.DecodeString(strings.TrimSpace(string(text)))
	k, wrong := ecdh.X25519().NewPrivateKey(raw) // it refuses another length
	if err != nil || wrong != nil {
		return Private{}, fmt.Errorf("read this installation's key: %s is not a key of 64 hexadecimal digits; remove it, and a new one is made", path)
	}
	return privateOf(k), nil
}

// createKey makes a key in a file, unless another program has done so meanwhile.
func createKey(path string) (p Private, err error) {
	err = disk.Changing(path, func() (err error) {
		if p, err = readKey(path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if p, err = NewKey(); err != nil {
			return err
		}
		return disk.WritePrivate(path, []byte(hex.EncodeToString(p.secret[:])+"\n"))
	})
	if err != nil {
		return Private{}, fmt.Errorf("keep this installation's key: %w", err)
	}
	return p, nil
}

// Secret is known to the players of a room and not to strangers. Its invitation carries it. The zero
// value is a secret that everybody knows.
type Secret [16]byte

// NewSecret makes a room's secret.
func NewSecret() (s Secret) {
	_, _ = rand.Read(s[:]) // does not fail
	return s
}

// derive makes a key for one purpose.
func (s Secret) derive(purpose string) [32]byte {
	k, err := hkdf.Key(sha256.New, s[:], nil, "nettplay "+purpose, 32)
	if err != nil {
		panic(err) // only for lengths that no hash allows
	}
	return [32]byte(k)
}

// Mailbox is the number under which others of a room find a machine at a relay. Only those
// who know the secret can tell whose it is.
func (s Secret) Mailbox(k Public) [12]byte {
	key := s.derive("mailbox")
	return [12]byte(mac(key[:], k[:]))
}

// Code returns the bytes from which the short code of a room is made. It tells nothing of the secret.
func (s Secret) Code() [32]byte { return s.derive("code") }

// Owner shows a relay that a mailbox is this machine's. Another relay is told another one.
func (p Private) Owner(relay string, box [12]byte) [16]byte {
	return [16]byte(mac(p.secret[:], []byte("nettplay owner "), box[:], []byte(relay)))
}

// mac is the HMAC of some parts, one behind the other.
func mac(key []byte, parts ...[]byte) []byte {
	sum := hmac.New(sha256.New, key)
	for _, part := range parts {
		sum.Write(part)
	}
	return sum.Sum(nil)
}
