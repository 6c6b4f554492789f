package membership

import (
	"crypto/ed25519"
	"fmt"
	"io"
)

// NewKey makes a machine's key for one stay in a room.
func NewKey(random io.Reader) (ed25519.PrivateKey, error) {
	var seed [ed25519.SeedSize]byte
	if _, err := io.ReadFull(random, seed[:]); err != nil {
		return nil, fmt.Errorf("random numbers: %w", err)
	}
	return ed25519.NewKeyFromSeed(seed[:]), nil
}

// PublicKey returns the half of a key that everybody may know.
func PublicKey(k ed25519.PrivateKey) [32]byte {
	return [32]byte(k.Public().(ed25519.PublicKey))
}

// Sign returns the signature of a text.
func Sign(k ed25519.PrivateKey, text []byte) [64]byte {
	return [64]byte(ed25519.Sign(k, text))
}

// Verify reports whether a text is signed with the other half of a public key. A zero key
// has signed nothing.
func Verify(key [32]byte, text []byte, sign [64]byte) bool {
	return key != [32]byte{} && ed25519.Verify(key[:], text, sign[:])
}
