package relay

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
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
	listingFixed   = 6 + 32 + 32
	tagSize        = 8
	maxListed      = 256 // bytes of the invitation

	flagLocked  = 1
	flagPlaying = 2
)

// the most bytes of room, host, game, core and version
var maxTexts = [...]int{64, 40, 64, 32, 32}

var errListing = errors.New("no listing")

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

func (l Listing) content() []byte {
	var flags byte
	if l.Locked {
		flags |= flagLocked
	}
	if l.Playing {
		flags |= flagPlaying
	}
	b := []byte{listingVersion, flags, byte(min(max(l.Seats, 0), 255)), byte(min(max(l.Free, 0), 255))}
	b = binary.BigEndian.AppendUint16(b, uint16(min(max(l.Away, 0), 1<<16-1)))
	b = append(append(b, l.ROM[:]...), l.CoreBuild[:]...)
	for i, text := range l.texts() {
		clean := Clean(*text, maxTexts[i])
		b = append(append(b, byte(len(clean))), clean...)
	}
	invitation := l.Invitation
	if len(invitation) > maxListed {
		invitation = nil
	}
	return append(binary.BigEndian.AppendUint16(b, uint16(len(invitation))), invitation...)
}

func (l *Listing) texts() [len(maxTexts)]*string {
	return [...]*string{&l.Room, &l.Host, &l.Game, &l.Core, &l.Version}
}

// Clean makes a text of a stranger one line that can be shown: without what controls a
// terminal or the direction of writing, and at most so many bytes.
func Clean(text string, most int) string {
	var b strings.Builder
	for _, r := range text {
		if r == utf8.RuneError || !unicode.IsGraphic(r) || unicode.Is(unicode.Cf, r) {
			continue
		}
		if unicode.IsSpace(r) {
			r = ' '
		}
		if b.Len()+utf8.RuneLen(r) > most {
			break
		}
		b.WriteRune(r)
	}
	return strings.TrimSpace(b.String())
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
	switch {
	case len(b) < listingFixed:
		return l, fmt.Errorf("listing's content of %d bytes: %w", len(b), errLength)
	case b[0] != listingVersion:
		return l, fmt.Errorf("listing of version %d: %w", b[0], errVersion)
	}
	l.Locked, l.Playing = b[1]&flagLocked != 0, b[1]&flagPlaying != 0
	l.Seats, l.Free, l.Away = int(b[2]), int(b[3]), int(binary.BigEndian.Uint16(b[4:]))
	l.ROM, l.CoreBuild = [32]byte(b[6:]), [32]byte(b[38:])
	if l.Seats < 2 || l.Free > l.Seats {
		return l, fmt.Errorf("listing of %d seats, %d of them free: %w", l.Seats, l.Free, errListing)
	}
	rest := b[listingFixed:]
	for i, text := range l.texts() {
		if len(rest) == 0 || int(rest[0]) > maxTexts[i] || len(rest) < 1+int(rest[0]) {
			return l, fmt.Errorf("text %d of a listing: %w", i, errLength)
		}
		*text = string(rest[1:][:rest[0]])
		if *text != Clean(*text, maxTexts[i]) {
			return l, fmt.Errorf("text %d of a listing is not clean: %w", i, errListing)
		}
		rest = rest[1+int(rest[0]):]
	}
	if len(rest) < 2 || len(rest[2:]) > maxListed || int(binary.BigEndian.Uint16(rest)) != len(rest[2:]) {
		return l, fmt.Errorf("invitation of a listing: %w", errLength)
	}
	l.Invitation = slices.Clone(rest[2:])
	return l, nil
}

// mayPublish tells whether a listing is of the holder of a mailbox and well made.
func mayPublish(owner Owner, e Entry) bool {
	if len(e.Body) < listingHeader || string(e.Body[listingHeader-tagSize:listingHeader]) != string(tagOf(owner, e.Key)) {
		return false
	}
	_, err := ReadListing(e.Key, e.Body)
	return err == nil
}
