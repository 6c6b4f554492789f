package relay

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/wire"
)

// Listing is an open room as its host describes it to everybody. All of it is claimed, and
// checked by nobody before the room is joined.
type Listing struct {
	Locked     bool // a password is asked for
	Playing    bool // a game runs, which can be joined late
	Seats      int  // in all, 2 to 255
	Free       int  // of them
	Away       int  // ms of the round trip between host and relay
	ROM        [32]byte
	CoreBuild  [32]byte
	Room       string // its name, 64 bytes at most
	Host       string // nickname, 40 bytes
	Game       string // title, 64 bytes
	Core       string // name, 32 bytes
	Version    string // of the core, 32 bytes
	Invitation []byte // 256 bytes
}

// A listing as relays publish it; numbers are big endian:
//
//	number:8 public:32 signature:64 tag:8
//	1 flags:1 seats:1 free:1 away:2 rom:32 build:32 (size:1 text)*5 size:2 invitation
//
// The signature is over number, tag and what follows it. Its key is that of this one room, and
// the beginning of the hash of the public part is the room's key in the index, so nobody else can
// publish under it. The tag is made from the owner number of the mailbox whose
// holder publishes it, so nobody else can publish a copy.
const (
	listingVersion = 1
	listingHeader  = numberSize + ed25519.PublicKeySize + ed25519.SignatureSize + tagSize
	tagSize        = 8
	maxListed      = 256 // bytes of the invitation
)

// the most bytes of room, host, game, core and version
var maxTexts = [...]int{64, 40, 64, 32, 32}

var errListing = errors.New("not a listing")

// RoomKey is the key in the index of the room that signs with a key.
func RoomKey(public ed25519.PublicKey) Locator {
	sum := sha256.Sum256(public)
	return Locator(sum[:])
}

// tagOf ties a listing to the mailbox of its publisher.
func tagOf(owner Owner, key Locator) []byte {
	sum := sha256.Sum256(append(append([]byte("nettplay listing"), owner[:]...), key[:]...))
	return sum[:tagSize]
}

// Sign makes what the owner of a mailbox publishes of a room. The number grows with each
// listing of it. Texts are cleaned and cut.
func (l Listing) Sign(key ed25519.PrivateKey, owner Owner, number uint64) []byte {
	public := key.Public().(ed25519.PublicKey)
	tag, content := tagOf(owner, RoomKey(public)), l.content()
	b := binary.BigEndian.AppendUint64(make([]byte, 0, MaxListing), number)
	b = append(b, public...)
	b = append(b, ed25519.Sign(key, signed(number, tag, content))...)
	return append(append(b, tag...), content...)
}

func signed(number uint64, tag, content []byte) []byte {
	b := binary.BigEndian.AppendUint64([]byte("nettplay open room"), number)
	return append(append(b, tag...), content...)
}

// content is the listing in bytes, with what does not fit in cut.
func (l Listing) content() []byte {
	l.Seats, l.Free, l.Away = min(max(l.Seats, 0), 255), min(max(l.Free, 0), 255), min(max(l.Away, 0), 1<<16-1)
	for i, text := range l.texts() {
		*text = wire.CleanPrinting(*text, maxTexts[i])
	}
	if len(l.Invitation) > maxListed {
		l.Invitation = nil
	}
	c := wire.Writer([]byte{listingVersion})
	l.fields(c)
	return c.Bytes()
}

func (l *Listing) fields(c *wire.Coder) {
	c.Flags("flags", &l.Locked, &l.Playing)
	wire.Big(c, "seats", &l.Seats, 1)
	wire.Big(c, "free", &l.Free, 1)
	wire.Big(c, "away", &l.Away, 2)
	c.Fixed("rom", l.ROM[:])
	c.Fixed("build", l.CoreBuild[:])
	for _, text := range l.texts() {
		c.ShortText("text", text)
	}
	size := len(l.Invitation)
	wire.Big(c, "invitation", &size, 2)
	c.Rest("invitation", &l.Invitation, size, min(size, maxListed))
}

func (l *Listing) texts() [len(maxTexts)]*string {
	return [...]*string{&l.Room, &l.Host, &l.Game, &l.Core, &l.Version}
}

// ReadListing reads and checks what is published under a key.
func ReadListing(key Locator, body []byte) (Listing, error) {
	if len(body) < listingHeader || len(body) > MaxListing {
		return Listing{}, fmt.Errorf("listing of %d bytes: %w", len(body), errLength)
	}
	public, rest := ed25519.PublicKey(body[numberSize:][:ed25519.PublicKeySize]), body[numberSize+ed25519.PublicKeySize:]
	signature, rest := rest[:ed25519.SignatureSize], rest[ed25519.SignatureSize:]
	if RoomKey(public) != key || !ed25519.Verify(public, signed(binary.BigEndian.Uint64(body), rest[:tagSize], rest[tagSize:]), signature) {
		return Listing{}, fmt.Errorf("signature of a listing: %w", errListing)
	}
	return readContent(rest[tagSize:])
}

func readContent(b []byte) (l Listing, err error) {
	if len(b) == 0 || b[0] != listingVersion {
		return l, fmt.Errorf("listing: %w", errVersion)
	}
	c := wire.Reader(b[1:])
	l.fields(c)
	if err := c.End(); err != nil {
		return l, fmt.Errorf("listing: %w", err)
	}
	if l.Seats < 2 || l.Free > l.Seats {
		return l, fmt.Errorf("listing of %d seats, %d of them free: %w", l.Seats, l.Free, errListing)
	}
	for i, text := range l.texts() {
		if len(*text) > maxTexts[i] {
			return l, fmt.Errorf("text %d of a listing has %d bytes: %w", i, len(*text), errListing)
		}
		*text = phrase.OrNameless(wire.CleanPrinting(*text, maxTexts[i]), *text)
	}
	l.Invitation = bytes.Clone(l.Invitation)
	return l, nil
}

// mayPublish reports whether a listing is of the holder of a mailbox and well made.
func mayPublish(owner Owner, e Entry) bool {
	if len(e.Body) < listingHeader || string(e.Body[listingHeader-tagSize:listingHeader]) != string(tagOf(owner, e.Key)) {
		return false
	}
	_, err := ReadListing(e.Key, e.Body)
	return err == nil
}
