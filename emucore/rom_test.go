package emucore

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/emucore/banner"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// makeROM builds a small ROM as homebrew is: blank logo, programs behind the
// header. change, if not nil, edits the header before its CRC is set.
func makeROM(title string, change func(h []byte)) []byte {
	b := make([]byte, 0x1000)
	copy(b, title)
	copy(b[12:], "####")
	copy(b[16:], "NP")
	for i, v := range []uint32{0x200, 0x02000000, 0x02000000, 0x400, 0x600, 0x03800000, 0x03800000, 0x200} {
		binary.LittleEndian.PutUint32(b[0x20+4*i:], v)
	}
	if change != nil {
		change(b[:0x200])
	}
	binary.LittleEndian.PutUint16(b[headerCRCAt:], banner.CRC16(b[:headerCRCAt]))
	return b
}

// put32 sets a number of a header.
func put32(at int, v uint32) func([]byte) {
	return func(h []byte) { binary.LittleEndian.PutUint32(h[at:], v) }
}

// licensed gives a header a logo area with the CRC of the real logo.
func licensed(h []byte) {
	logo := h[logoAt:logoCRCAt]
	for v := range 1 << 16 {
		binary.LittleEndian.PutUint16(logo[len(logo)-2:], uint16(v))
		if banner.CRC16(logo) == logoCRC {
			return
		}
	}
	panic("no such two bytes") // a CRC of 16 bits reaches every value
}

// writeFile writes a file into a folder of the test and returns its path.
func writeFile(t *testing.T, name string, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must.Succeed(t, os.WriteFile(path, b, 0o644))
	return path
}

func TestCRC16(t *testing.T) {
	if got := banner.CRC16([]byte("123456789")); got != 0x4b37 { // the published check value of CRC-16/MODBUS
		t.Errorf("got %04x", got)
	}
}

func TestOpenROM(t *testing.T) {
	data := makeROM("PAD TEST", nil)
	path := writeFile(t, "any name.nds", data)
	r, err := OpenROM(path)
	must.Succeed(t, err)
	if r.Title != "PAD TEST" || r.Code != "####" || r.BannerTitle != "" {
		t.Errorf("header: %+v", r)
	}
	if r.FileSize != int64(len(data)) || r.FileSHA256 != sha256.Sum256(data) || r.Path != path {
		t.Errorf("file: %+v", r)
	}
	f, err := openSame("ROM", r.Path, r.FileSize, r.FileSHA256, ErrROMChanged)
	must.Succeed(t, err)
	defer f.Close()
	back := make([]byte, len(data)+1)
	if n, _ := f.ReadAt(back, 0); !bytes.Equal(back[:n], data) {
		t.Errorf("data: %d bytes", n)
	}
	if _, err := r.Banner(); err == nil {
		t.Error("a banner out of nothing")
	}
}

// TestOpenROMTakes is what a core would play and so must pass.
func TestOpenROMTakes(t *testing.T) {
	cut := makeROM("CUT", nil)[:0x800]
	for name, data := range map[string][]byte{
		"licensed":              makeROM("GAME", licensed),
		"cut after its last":    cut,
		"DSi enhanced":          makeROM("DUAL", func(h []byte) { h[0x12] = 2 }),
		"odd RAM addresses":     makeROM("RAM", put32(0x28, 0x037f8000)),
		"banner out of reach":   makeROM("BANNER", put32(0x68, 0xfffffff0)),
		"title like an archive": makeROM("PK\x03\x04", nil),
		"translated":            damagedTitle(makeROM("GAME", licensed)),
		"secure area": makeROM("SECURE", func(h []byte) {
			put32(0x20, 0x800)(h)
			put32(0x6c, 0x1234)(h)
		}),
	} {
		if _, err := OpenROM(writeFile(t, "a.nds", data)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// damagedTitle changes a header without its CRC, as some patches do.
func damagedTitle(b []byte) []byte {
	b[1] ^= 1
	return b
}

func TestOpenROMRefuses(t *testing.T) {
	gba := make([]byte, 1024)
	gba[0xb2] = 0x96
	gba[0xbd] = 0x51 // -(0x19 + 0x96)
	at := func(off int, s string) []byte {
		b := make([]byte, 1024)
		copy(b[off:], s)
		return b
	}
	for name, tt := range map[string]struct {
		data []byte
		want string
	}{
		"empty":         {nil, "the file is empty"},
		"short":         {makeROM("SHORT", nil)[:511], "511 bytes are too few"},
		"zip":           {[]byte("PK\x03\x04........"), "beginning of a zip archive"},
		"7z":            {at(0, "7z\xbc\xaf\x27\x1c"), "damaged 7z archive"},
		"rar":           {at(0, "Rar!\x1a\x07\x01"), "unpack it"},
		"web page":      {[]byte("<!DOCTYPE html>"), "web page"},
		"core":          {at(0, "\x7fELF"), "a program or a core"},
		"GBA":           {gba, "Game Boy Advance"},
		"3DS cartridge": {at(0x100, "NCSD"), "3DS"},
		"CIA":           {at(0, "\x20\x20\x00\x00\x00\x00\x00"), "3DS"},
		"zeros":         {make([]byte, 4096), "its header's checksum does not fit (0000, not "},
		"damaged":       {damagedTitle(makeROM("DAMAGED", nil)), "a damaged file"},
		"ARM9 empty":    {makeROM("A", put32(0x2c, 0)), "ARM9 program is empty"},
		"ARM7 empty":    {makeROM("A", put32(0x3c, 0)), "ARM7 program is empty"},
		"ARM9 cut":      {makeROM("A", put32(0x2c, 0xe01)), "ARM9 program ends at byte 4097, the file at 4096"},
		"ARM9 wraps":    {makeROM("A", put32(0x20, 0xffffff00)), "ARM9 program ends"},
		"ARM7 inside":   {makeROM("A", put32(0x30, 0x100)), "ARM7 program begins at 0x100"},
		"DSi only":      {makeROM("A", func(h []byte) { h[0x12] = 3 }), "DSi only"},
	} {
		path := writeFile(t, "a.nds", tt.data)
		r, err := OpenROM(path)
		var not *NotROMError
		if !errors.As(err, &not) || !strings.Contains(not.Why, tt.want) || not.Path != path {
			t.Errorf("%s: got %v, %v; want a NotROMError with %q", name, r, err, tt.want)
		}
	}
}

func TestOpenROMRefusesWhatIsNoFile(t *testing.T) {
	must.HaveLinux(t, "pipes that have a path")
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe.nds")
	makePipe(t, pipe)
	huge := filepath.Join(dir, "huge.nds")
	must.Succeed(t, os.WriteFile(huge, makeROM("HUGE", nil), 0o600))
	if err := os.Truncate(huge, MaxROMSize+1); err != nil { // sparse: it takes no room
		t.Fatal(err)
	}
	for path, want := range map[string]string{dir: "folder", pipe: "named pipe", huge: "too many"} {
		_, err := OpenROM(path)
		var not *NotROMError
		if !errors.As(err, &not) || !strings.Contains(not.Why, want) {
			t.Errorf("%s: got %v, want a NotROMError with %q", path, err, want)
		}
	}
	if _, err := OpenROM(filepath.Join(dir, "missing.nds")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	secret := filepath.Join(dir, "secret.nds")
	must.Succeed(t, os.WriteFile(secret, nil, 0))
	if _, err := OpenROM(secret); os.Geteuid() != 0 && !errors.Is(err, fs.ErrPermission) {
		t.Errorf("unreadable: %v", err)
	}
}

func TestOpenChangedROM(t *testing.T) {
	data := makeROM("CHANGE", nil)
	path := writeFile(t, "a.nds", data)
	r, err := OpenROM(path)
	must.Succeed(t, err)
	for name, now := range map[string][]byte{
		"one byte":  append(bytes.Clone(data[:len(data)-1]), 1),
		"longer":    append(bytes.Clone(data), 0),
		"cut short": data[:100],
	} {
		must.Succeed(t, os.WriteFile(path, now, 0o644))
		if f, err := openSame("ROM", r.Path, r.FileSize, r.FileSHA256, ErrROMChanged); !errors.Is(err, ErrROMChanged) || f != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestHeaderTextIsPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"MARIO\x00\x00XX": "MARIO",
		"A\x1b[2J":        "A?[2J",
		"\xff\xfeB":       "?B",
		"  PAD  ":         "PAD",
		"ÄB":              "?B",
	} {
		if got := headerText([]byte(in)); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
}

func FuzzParseHeader(f *testing.F) {
	f.Add(makeROM("PAD", nil)[:512], int64(4096))
	f.Add(makeROM("GAME", licensed)[:512], int64(4096))
	f.Add([]byte("PK\x03\x04"), int64(4))
	f.Add([]byte{}, int64(0))
	f.Fuzz(func(t *testing.T, b []byte, size int64) {
		if len(b) > MinROMSize || int64(len(b)) > size {
			return // OpenROM reads at most that
		}
		h, err := parseHeader(b, size)
		if err != nil {
			return
		}
		for _, s := range []string{h.title, h.code} {
			if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) {
				t.Fatalf("%q is not printable", s)
			}
		}
		if size < MinROMSize || size > MaxROMSize || h.banner < 0 {
			t.Fatalf("size %d, banner at %d", size, h.banner)
		}
	})
}
