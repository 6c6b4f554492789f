package savestate

import (
	"bytes"
	"encoding/hex"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/wire"
)

var update = flag.Bool("update", false, "write the golden files anew")

// fullManifest uses every field.
func fullManifest() Manifest {
	fill := func(b byte) (a [32]byte) {
		copy(a[:], bytes.Repeat([]byte{b}, 32))
		return a
	}
	return Manifest{
		Seat: 15, ROM: fill(0x11), Core: fill(0x22), RTC: 1_262_304_000, Frame: 123_456,
		Firmware: ds.Firmware{
			Nickname: "Jürgen ☆", MAC: [6]byte{0x00, 0x09, 0xbf, 0x12, 0x34, 0x56}, Language: 3, Colour: 12, BirthMonth: 2, BirthDay: 29,
		},
		Options: []Option{{Key: "desmume_cpu_mode", Value: "jit"}, {Key: "desmume_firmware_language", Value: ""}},
		Parts: []Part{
			{Kind: KindState, Size: 12_582_944, SHA256: fill(0x33), PackedSize: 345_678, PackedSHA256: fill(0x44)},
			{Kind: KindSRAM, Size: 524_288, SHA256: fill(0x55), PackedSize: 54, PackedSHA256: fill(0x66)},
		},
	}
}

// The golden file is version 1 of the encoding: other versions of the program
// must be able to read it.
func TestManifestGolden(t *testing.T) {
	const file = "testdata/manifest.golden"
	m := fullManifest()
	got := m.Append(nil)
	if *update {
		must.Succeed(t, os.WriteFile(file, got, 0o644))
	}
	golden := must.Read(t, file)
	if !bytes.Equal(got, golden) {
		t.Errorf("encodes to\n% x, the golden file is\n% x", got, golden)
	}
	if back, err := DecodeManifest(golden); err != nil || !cmp.Equal(back, m) {
		t.Errorf("the golden file decodes to %v: %v", cmp.Diff(m, back), err)
	}
}

func TestManifestRefusals(t *testing.T) {
	cases := []struct {
		want   string
		change func(*Manifest)
	}{
		{"seat: 17 is not in 1 to 16", func(m *Manifest) { m.Seat = 16 }},
		{"seat: 0", func(m *Manifest) { m.Seat = -1 }},
		{"frame: -1", func(m *Manifest) { m.Frame = -1 }},
		{"clock at start", func(m *Manifest) { m.RTC = -1 }},
		{"clock at start", func(m *Manifest) { m.RTC = 1 << 40 }},
		{"nickname", func(m *Manifest) { m.Firmware.Nickname = "elevenchars" }},
		{"nickname", func(m *Manifest) { m.Firmware.Nickname = "\xff" }},
		{"language", func(m *Manifest) { m.Firmware.Language = 6 }},
		{"colour", func(m *Manifest) { m.Firmware.Colour = 16 }},
		{"birthday", func(m *Manifest) { m.Firmware.BirthMonth = 13 }},
		{"options: 65 of them", func(m *Manifest) { m.Options = make([]Option, 65) }},
		{"a key of 0 bytes", func(m *Manifest) { m.Options[0].Key = "" }},
		{"a value of 256 bytes", func(m *Manifest) { m.Options[0].Value = strings.Repeat("x", 256) }},
		{"contains a zero byte", func(m *Manifest) { m.Options[0].Value = "a\x00b" }},
		{"out of order", func(m *Manifest) { m.Options[0], m.Options[1] = m.Options[1], m.Options[0] }},
		{"out of order", func(m *Manifest) { m.Options[1].Key = m.Options[0].Key }},
		{"two of a kind", func(m *Manifest) { m.Parts[1] = m.Parts[0] }},
		{"kind: 5 is not known", func(m *Manifest) { m.Parts[1].Kind = 5 }},
		{"state: size: 0 bytes", func(m *Manifest) { m.Parts[0].Size = 0 }},
		{"state: size: ", func(m *Manifest) { m.Parts[0].Size = MaxState + 1 }},
		{"save: size: ", func(m *Manifest) { m.Parts[1].Size = MaxSRAM + 1 }},
		{"save: packed size: ", func(m *Manifest) { m.Parts[1].PackedSize = packedLimit(524_288) + 1 }},
		{"save: packed size: 0 bytes", func(m *Manifest) { m.Parts[1].PackedSize = 0 }},
	}
	for _, c := range cases {
		m := fullManifest()
		c.change(&m)
		if err := m.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
		if _, err := DecodeManifest(m.Append(nil)); err == nil {
			t.Errorf("what %q is about can be sent", c.want)
		}
	}
}

// A stranger need not use our encoder.
func TestManifestDecodeErrors(t *testing.T) {
	m := fullManifest()
	good := m.Append(nil)
	at := func(i int, v byte) []byte {
		b := bytes.Clone(good)
		b[i] = v
		return b
	}
	const nickname = 4 + 1 + 32 + 32 + 8 + 8
	cases := []struct {
		b    []byte
		want string
	}{
		{nil, "magic"},
		{[]byte("NPX"), "magic"},
		{at(3, 2), "version: 2, and only 1 is known"},
		{at(4, 16), "seat: 17"},
		{good[:40], "core: 29 bytes are missing"},
		{at(nickname, 200), "options: "},
		{good[:nickname+5], "nickname: 7 bytes are missing"},
		{good[:len(good)-1], "packed hash: 1 bytes are missing"},
		{append(bytes.Clone(good), 0), "1 bytes too many"},
		{make([]byte, MaxManifestSize+1), "at most"},
	}
	for _, c := range cases {
		if _, err := DecodeManifest(c.b); err == nil || !strings.Contains(err.Error(), "manifest: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

func TestLargestManifestFits(t *testing.T) {
	m := fullManifest()
	m.Options = nil
	for i := range MaxOptions {
		key := strings.Repeat("k", MaxOptionText-2) + string(rune('0'+i/10)) + string(rune('0'+i%10))
		m.Options = append(m.Options, Option{Key: key, Value: strings.Repeat("v", MaxOptionText)})
	}
	b := m.Append(nil)
	if len(b) > MaxManifestSize {
		t.Errorf("%d bytes, at most %d can be read", len(b), MaxManifestSize)
	}
	if back, err := DecodeManifest(b); err != nil || !cmp.Equal(back, m) {
		t.Errorf("does not come back: %v", err)
	}
}

func FuzzDecodeManifest(f *testing.F) {
	m := fullManifest()
	f.Add(m.Append(nil))
	m.Parts, m.Options, m.Frame = nil, nil, 0
	f.Add(m.Append(nil))
	f.Add([]byte("NPM\x01"))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := DecodeManifest(b)
		if err != nil {
			return
		}
		if err := m.Validate(); err != nil {
			t.Fatalf("decoded something that cannot be: %v", err)
		}
		if again := m.Append(nil); !bytes.Equal(again, b) {
			t.Fatalf("% x is another encoding of % x", b, again)
		}
	})
}

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
		want, err := hex.DecodeString(strings.ReplaceAll(c.want, " ", ""))
		must.Succeed(t, err)
		if !bytes.Equal(c.got, want) {
			t.Errorf("%s: % x, want % x", c.name, c.got, want)
		}
	}
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
