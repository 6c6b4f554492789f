package membership

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// How a password is proven. With K the key that PBKDF2-HMAC-SHA256 makes from
// the password and the room's salt, and T the hash of hello, challenge and join
// as they were sent (join without its last field, the proof), each with its
// length before it:
//
//	client's proof = HMAC-SHA256(K, "nettplay client 1" T)
//	host's proof   = HMAC-SHA256(K, "nettplay host 1" T)
//
// A reconnecting machine proves that it is the machine that it was, since the address may
// be another, with a signature (Ed25519, the key is made for this stay and its public
// half stands in the roster) of label and T; so does the game host whom it comes back
// to. Any member can check that, so a game host that took over from another can.
//
// Both nonces are in T, so a proof is good for this one attempt; the labels keep either side from
// sending back what it was sent. Someone who watches, or who poses as the room, can still try passwords
// against what it saw, each at the price of the key; this price is the purpose of the iterations.
// Somebody who only poses as a client can try as many as the room allows; see [Guard].
const (
	// Iterations make a key cost about 0.1 s. The number is fixed: a room that
	// could lower it could make guessing cheap.
	Iterations       = 200_000
	maxPassword      = 256 // bytes
	LabelClient      = "nettplay client 1"
	LabelHost        = "nettplay host 1"
	LabelReconnect   = "nettplay reconnect 1"
	LabelReconnected = "nettplay reconnected 1"
	ProofSize        = sha256.Size
	SignSize         = ed25519.SignatureSize
)

// PasswordKey is slow on purpose.
func PasswordKey(password string, salt [16]byte, iterations int) ([]byte, error) {
	key, err := pbkdf2.Key(sha256.New, password, salt[:], iterations, sha256.Size)
	if err != nil {
		return nil, fmt.Errorf("make a key from the password: %w", err)
	}
	return key, nil
}

// CheckPassword tells whether a password can be used.
func CheckPassword(password string) error {
	if len(password) > maxPassword {
		return fmt.Errorf("the password has %d bytes, at most %d", len(password), maxPassword)
	}
	return nil
}

// Transcript is T, from the messages as they were sent; the last one ends with so many
// bytes of proof.
func Transcript(hello, challenge, join []byte, proof int) [32]byte {
	sum := sha256.New()
	for _, b := range [][]byte{hello, challenge, join[:max(len(join)-proof, 0)]} {
		sum.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(b))))
		sum.Write(b)
	}
	return [32]byte(sum.Sum(nil))
}

// Proof is one side's proof, or zero when there is no password.
func Proof(key []byte, label string, t [32]byte) [32]byte {
	if key == nil {
		return [32]byte{}
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(label))
	mac.Write(t[:])
	return [32]byte(mac.Sum(nil))
}

// Proven compares in constant time.
func Proven(got, want [32]byte) bool { return hmac.Equal(got[:], want[:]) }

// Signed returns the text whose signature proves on a new connection who we were; see the page above.
func Signed(label string, t [32]byte) []byte { return append([]byte(label), t[:]...) }
