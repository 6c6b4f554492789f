package link

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
)

// Target returns a target for Dial: addresses of one machine, and the key that it must prove unless
// that is zero.
func Target(key seal.Public, addrs ...string) string {
	list := strings.Join(addrs, ",")
	if key.IsZero() {
		return list
	}
	return base64.RawURLEncoding.EncodeToString(key[:]) + "@" + list
}

// Told is a target whose addresses others have told: they bring no relay that is not used yet.
func Told(key seal.Public, addrs ...string) string {
	if key.IsZero() {
		return Target(key, addrs...)
	}
	return toldMark + Target(key, addrs...)
}

const toldMark = "~"

// player begins the name of a peer relay in the text of an address.
const player = "player="

// Number returns the number by which a peer relay knows a machine.
func Number(key seal.Public) relay.Mailbox { return relay.Mailbox(key[:]) }

// Through is the address of a machine to which another one of the room carries datagrams: its
// peer relay. A link uses it while it is connected to that one.
func Through(by, to seal.Public) string { return ThroughNumber(Number(by), Number(to)) }

// ThroughNumber is the same for machines of which the numbers are known.
func ThroughNumber(by, to relay.Mailbox) string {
	return relay.Place(player+hex.EncodeToString(by[:]), to)
}

// FindThrough is the way back from Through.
func FindThrough(addr string) (by, to relay.Mailbox, ok bool) {
	name, to, found := relay.FindPlace(addr)
	digits, found2 := strings.CutPrefix(name, player)
	b, err := hex.DecodeString(digits)
	if !found || !found2 || err != nil || len(b) != len(by) {
		return by, to, false
	}
	return relay.Mailbox(b), to, true
}

// Shown is a target as players read it.
func Shown(target string) string {
	list := strings.Split(target[strings.LastIndexByte(target, '@')+1:], ",")
	for i, addr := range list {
		list[i] = relay.ShownPlace(addr)
		if _, _, through := FindThrough(addr); through {
			list[i] = "another player's machine"
		}
	}
	return strings.Join(list, " or ")
}

// SplitTarget is the way back. invited tells whether the addresses may bring relays.
func SplitTarget(target string) (key seal.Public, addrs []string, invited bool, err error) {
	target, told := strings.CutPrefix(target, toldMark)
	text, list, found := strings.Cut(target, "@")
	if !found {
		return key, strings.Split(target, ","), false, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) != len(key) {
		return key, nil, false, errors.New("the text before @ is not a key")
	}
	return seal.Public(raw), strings.Split(list, ","), !told, nil
}
