package savestate

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The messages of version 1, byte by byte. A change here is a change of the
// protocol: other versions of the program will not understand it.
func TestMessageLayout(t *testing.T) {
	part := Part{KindSRAM, 0x2000, [32]byte(bytes.Repeat([]byte{0xab}, 32)), 0x1000, [32]byte(bytes.Repeat([]byte{0xcd}, 32))}
	cases := []struct {
		name string
		got  []byte
		want string
	}{
		{
			"want", want{tag: 2, part: part, offset: 0x10203}.append(nil),
			"52 00000002 02 00002000 " + strings.Repeat("ab", 32) + " 00001000 " + strings.Repeat("cd", 32) + " 00010203",
		},
		{"chunk", chunk{tag: 3, offset: 0x40506, clock: 0x708090a, bytes: []byte("abc")}.append(nil), "53 00000003 00040506 0708090a 616263"},
		{"ack", ack{tag: 1, offset: 0x100, echo: 0x200, clock: 0x300}.append([]byte{kindAck}), "54 00000001 00000100 00000200 00000300"},
		{"refuse", refuseMessage(4, refusedWithdrawn), "55 00000004 01"},
		{"stop", stopMessage(5), "56 00000005"},
		{"probe", probeMessage(6), "57 00000006"},
		{"echo", echoMessage(7, 8), "58 00000007 00000008"},
	}
	for _, c := range cases {
		want, err := hex.DecodeString(removeSpaces(c.want))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(c.got, want) {
			t.Errorf("%s: % x, want % x", c.name, c.got, want)
		}
	}
}

func removeSpaces(s string) string {
	return string(bytes.ReplaceAll([]byte(s), []byte(" "), nil))
}

func TestMessagesComeBack(t *testing.T) {
	same := cmp.AllowUnexported(want{}, chunk{}, ack{})
	w := want{tag: 1 << 31, part: fullManifest().Parts[0], offset: 1<<26 + 5}
	if got, err := readWant(&reader{b: w.append(nil)[1:]}); err != nil || !cmp.Equal(got, w, same) {
		t.Errorf("want %v came back as %v: %v", w, got, err)
	}
	c := chunk{tag: 7, offset: 1 << 25, clock: 1<<32 - 1, bytes: noise(1, MaxChunk)}
	if got, err := readChunk(&reader{b: c.append(nil)[1:]}); err != nil || !cmp.Equal(got, c, same) {
		t.Errorf("a chunk came back as another: %v", err)
	}
	acks := []ack{{1, 2, 3, 4}, {5, 6, 7, 8}}
	if got, err := readAcks(&reader{b: acks[1].append(acks[0].append(nil))}); err != nil || !cmp.Equal(got, acks, same) {
		t.Errorf("acks %v came back as %v: %v", acks, got, err)
	}
}

func TestProbesAreTellable(t *testing.T) {
	for _, m := range [][]byte{probeMessage(1), echoMessage(1, 2)} {
		if !IsProbe(m) {
			t.Errorf("% x is not known as a probe", m)
		}
	}
	for _, m := range [][]byte{nil, {1}, stopMessage(1), {kindAck, 0x57}} {
		if IsProbe(m) {
			t.Errorf("% x is taken for a probe", m)
		}
	}
}
