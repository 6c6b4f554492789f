package savefile

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// goldenFooter is the end of a .dsv with 8 KiB of EEPROM that is all in use: the
// text, then in use, padded, type, address bytes, chip, version, the cookie.
const goldenFooter = "7c3c2d2d536e69702061626f7665206865726520746f20637265617465206120726177207361762062" +
	"79206578636c7564696e672074686973204465536d754d4520736176656461746120666f6f7465723a" +
	"00200000" + "00200000" + "02000000" + "02000000" + "00200000" + "00000000" +
	"7c2d4445534d554d4520534156452d7c"

func TestDSVGolden(t *testing.T) {
	raw := bytes.Repeat([]byte{0x5a}, 8<<10)
	file, err := EncodeDSV(raw)
	must.Succeed(t, err)
	if dsvFooter != 122 || len(file) != 8<<10+122 {
		t.Fatalf("footer of %d bytes, file of %d", dsvFooter, len(file))
	}
	if got := hex.EncodeToString(file[8<<10:]); got != goldenFooter {
		t.Errorf("footer\n%s\nwant\n%s", got, goldenFooter)
	}
	if !bytes.Equal(file[:8<<10], raw) {
		t.Error("the memory is not what went in")
	}
}

// TestDSVOfTheCore takes the footer that DeSmuME wrote when a program had used
// the first 0x259 bytes of an 8 KiB EEPROM.
func TestDSVOfTheCore(t *testing.T) {
	foot, err := hex.DecodeString(strings.Replace(goldenFooter, "3a00200000", "3a59020000", 1))
	must.Succeed(t, err)
	raw, err := DecodeDSV(append(bytes.Repeat([]byte{0xff}, 8<<10), foot...))
	if err != nil || len(raw) != 8<<10 {
		t.Errorf("%d bytes, %v", len(raw), err)
	}
}

func TestDSVRoundTrip(t *testing.T) {
	for _, tt := range []struct{ in, out int }{
		{1, 512},
		{512, 512},
		{513, 8 << 10},
		{32 << 10, 32 << 10},
		{64 << 10, 64 << 10},
		{64<<10 + 1, 128 << 10},
		{256 << 10, 256 << 10},
		{300 << 10, 512 << 10},
		{8 << 20, 8 << 20},
	} {
		raw := bytes.Repeat([]byte{7}, tt.in)
		file, err := EncodeDSV(raw)
		if err != nil {
			t.Fatalf("%d bytes: %v", tt.in, err)
		}
		back, err := DecodeDSV(file)
		if err != nil {
			t.Fatalf("%d bytes: %v", tt.in, err)
		}
		if len(back) != tt.out || !bytes.Equal(back[:tt.in], raw) {
			t.Errorf("%d bytes became %d, want %d with the same beginning", tt.in, len(back), tt.out)
		}
		if pad := back[tt.in:]; !bytes.Equal(pad, bytes.Repeat([]byte{0xff}, len(pad))) {
			t.Errorf("%d bytes: padding is not ff", tt.in)
		}
		if cap(back) != len(back) {
			t.Error("appending to the memory would write over the footer")
		}
	}
}

// TestDSVChips: the address size is what the core builds the game's addresses
// with; a wrong one makes a save unreadable.
func TestDSVChips(t *testing.T) {
	for size, want := range map[int][2]byte{ // type, address bytes
		512: {1, 1}, 8 << 10: {2, 2}, 32 << 10: {4, 2}, 64 << 10: {3, 2},
		128 << 10: {0, 3}, 256 << 10: {5, 3}, 512 << 10: {6, 3}, 1 << 20: {7, 3}, 8 << 20: {10, 3},
	} {
		file, err := EncodeDSV(make([]byte, size))
		must.Succeed(t, err)
		num := file[size+len(dsvSnip):]
		if got := [2]byte{num[8], num[12]}; got != want {
			t.Errorf("%d bytes: type and address size %v, want %v", size, got, want)
		}
	}
}

func TestDSVEmpty(t *testing.T) {
	if file, err := EncodeDSV(nil); len(file) != 0 || err != nil {
		t.Errorf("no memory gives %d bytes, %v", len(file), err)
	}
	for _, n := range []int{0, 1, 121, 511} { // the core leaves such a file before the first write
		if raw, err := DecodeDSV(make([]byte, n)); raw != nil || err != nil {
			t.Errorf("a file of %d bytes gives %d bytes, %v", n, len(raw), err)
		}
	}
	if _, err := EncodeDSV(make([]byte, maxSRAM+1)); err == nil {
		t.Error("more memory than the largest chip was taken")
	}
}

func TestDSVRefuses(t *testing.T) {
	good, err := EncodeDSV(make([]byte, 512))
	must.Succeed(t, err)
	change := func(at int, v byte) []byte {
		b := bytes.Clone(good)
		b[at] = v
		return b
	}
	num := 512 + len(dsvSnip)
	for name, tt := range map[string]struct {
		file []byte
		want string
	}{
		"raw memory":       {make([]byte, 8<<10), "footer"},
		"cookie damaged":   {change(len(good)-1, 'x'), "footer"},
		"text damaged":     {change(513, 'x'), "footer"},
		"other version":    {change(num+20, 1), "version 1"},
		"other size":       {change(num+5, 9), "footer says"},
		"cut in front":     {good[1:], "footer says"},
		"more than a chip": {make([]byte, maxSRAM+dsvFooter+1), "not in 1 to"},
	} {
		if _, err := DecodeDSV(tt.file); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want an error with %q", name, err, tt.want)
		}
	}
}

func FuzzDecodeDSV(f *testing.F) {
	foot, err := hex.DecodeString(goldenFooter)
	must.Succeed(f, err)
	f.Add(uint16(8<<10), foot)
	f.Add(uint16(8<<10), foot[1:])
	f.Add(uint16(512), foot)
	f.Add(uint16(0), foot)
	f.Add(uint16(600), []byte{})
	f.Fuzz(func(t *testing.T, size uint16, foot []byte) {
		file := append(make([]byte, size), foot...)
		raw, err := DecodeDSV(file)
		if err != nil || raw == nil {
			return
		}
		if len(raw)+dsvFooter != len(file) {
			t.Fatalf("a file of %d bytes gives %d", len(file), len(raw))
		}
		again, err := EncodeDSV(raw)
		if err != nil {
			t.Fatalf("memory of %d bytes does not encode: %v", len(raw), err)
		}
		back, err := DecodeDSV(again)
		if err != nil || !bytes.HasPrefix(back, raw) {
			t.Fatalf("memory of %d bytes came back as %d, %v", len(raw), len(back), err)
		}
	})
}
