package link

import (
	"encoding/base64"
	"errors"
	"strings"

	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
)

// Target is what Dial takes: addresses of one machine, and the key that it must prove
// unless that is zero.
func Target(key seal.Public, addrs ...string) string {
	list := strings.Join(addrs, ",")
	if key.IsZero() {
		return list
	}
	return base64.RawURLEncoding.EncodeToString(key[:]) + "@" + list
}

// Shown is a target as players read it.
func Shown(target string) string {
	list := strings.Split(target[strings.LastIndexByte(target, '@')+1:], ",")
	for i, addr := range list {
		list[i] = relay.ShownPlace(addr)
	}
	return strings.Join(list, " or ")
}

// SplitTarget is the way back.
func SplitTarget(target string) (key seal.Public, addrs []string, err error) {
	text, list, found := strings.Cut(target, "@")
	if !found {
		return key, strings.Split(target, ","), nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) != len(key) {
		return key, nil, errors.New("the key before @ is none")
	}
	return seal.Public(raw), strings.Split(list, ","), nil
}
