package savestate

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/wire"

	"github.com/google/go-cmp/cmp"
)

// The messages of version 2, byte by byte. A change here is a change of the
// protocol: other versions of the program will not understand it.
func TestMessageLayout(t *testing.T) {
	part := Part{KindSRAM, 0x2000, [32]byte(bytes.Repeat([]byte{0xab}, 32)), 0x1000, [32]byte(bytes.Repeat([]byte{0xcd}, 32))}
	cases := []struct {
		name string
		got  []byte
		want string
	}{
		{
			"want", encode(kindWant, &want{tag: 2, part: part, offset: 0x10203}),
			"52 00000002 02 00002000 " + strings.Repeat("ab", 32) + " 00001000 " + strings.Repeat("cd", 32) + " 00010203",
		},
		{"chunk", encode(kindChunk, &chunk{tag: 3, offset: 0x40506, bytes: []byte("abc")}), "53 00000003 00040506 616263"},
		{"refuse", encode(kindRefuse, &refuse{4, refusedWithdrawn}), "55 00000004 01"},
		{"stop", encode(kindStop, &stop{5}), "56 00000005"},
	}
	for _, c := range cases {
		want, err := hex.DecodeString(removeSpaces(c.want))
		must.Succeed(t, err)
		if !bytes.Equal(c.got, want) {
			t.Errorf("%s: % x, want % x", c.name, c.got, want)
		}
	}
}

func removeSpaces(s string) string {
	return string(bytes.ReplaceAll([]byte(s), []byte(" "), nil))
}

func TestMessagesComeBack(t *testing.T) {
	same := cmp.AllowUnexported(offer{}, want{}, chunk{}, refuse{}, stop{})
	for _, m := range []struct{ sent, got fields }{
		{&offer{round: 9, manifest: fullManifest()}, &offer{}},
		{&want{tag: 1 << 31, part: fullManifest().Parts[0], offset: 1<<26 + 5}, &want{}},
		{&chunk{tag: 7, offset: 1 << 25, bytes: noise(1, MaxChunk)}, &chunk{}},
		{&refuse{4, refusedWithdrawn}, &refuse{}},
		{&stop{1<<32 - 1}, &stop{}},
	} {
		c := wire.Reader(encode(0, m.sent)[1:])
		if m.got.code(c); c.End() != nil || !cmp.Equal(m.got, m.sent, same) {
			t.Errorf("%v came back as %v: %v", m.sent, m.got, c.Err())
		}
	}
}
