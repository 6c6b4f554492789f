package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/sha256"
	"fmt"
)

// Drop is a place that only those with a secret can compute, and the key of what is left there.
type Drop struct {
	Place [12]byte
	aead  cipher.AEAD
}

// DropSecret is the number of bytes of a drop's secret.
const DropSecret = len(Drop{}.Place) + 32

// NewDrop is the drop of a secret of DropSecret bytes.
func NewDrop(secret []byte) (d Drop, err error) {
	copy(d.Place[:], secret)
	block, err := aes.NewCipher(secret[len(d.Place):])
	if err != nil {
		return d, err
	}
	d.aead, err = cipher.NewGCMWithRandomNonce(block)
	return d, err
}

// DropTo is where an installation leaves something for a friend, DropFrom where the friend
// leaves something for it. They fail for an invalid key.
func (p Private) DropTo(friend Public) (Drop, error) { return p.drop(friend, p.public, friend) }

// DropFrom is the other direction.
func (p Private) DropFrom(friend Public) (Drop, error) { return p.drop(friend, friend, p.public) }

func (p Private) drop(friend, from, to Public) (d Drop, err error) {
	mine, _ := ecdh.X25519().NewPrivateKey(p.secret[:]) // neither fails for 32 bytes
	theirs, _ := ecdh.X25519().NewPublicKey(friend[:])
	shared, err := mine.ECDH(theirs) // fails for points of low order
	if err != nil {
		return d, fmt.Errorf("a friend's key: %w", err)
	}
	secret, err := hkdf.Key(sha256.New, shared, nil, "nettplay drop "+string(from[:])+string(to[:]), DropSecret)
	if err != nil {
		return d, err // only for lengths that no hash allows
	}
	return NewDrop(secret)
}

// DropOverhead is by how many bytes what is sealed is longer.
const DropOverhead = 12 + 16

// Seal appends what is left for the other to b; everybody may read open, and nobody change it.
func (d Drop) Seal(b, body, open []byte) []byte {
	return d.aead.Seal(b, nil, body, append(d.Place[:len(d.Place):len(d.Place)], open...))
}

// Open is the way back.
func (d Drop) Open(b, open []byte) ([]byte, error) {
	return d.aead.Open(nil, nil, b, append(d.Place[:len(d.Place):len(d.Place)], open...))
}
