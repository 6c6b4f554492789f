package main

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	dsbanner "github.com/nettplay/nettplay/emucore/banner"
	"github.com/nettplay/nettplay/internal/testing/must"
)

var update = flag.Bool("update", false, "write the golden files anew")

const iconFile = "../src/icon.txt"

func testROM(save bool) *rom {
	code := "####"
	if save {
		code = "XNPT"
	}
	return &rom{
		title: "TITLE", code: code, save: save,
		arm9:   program{load: 0x02000000, entry: 0x02000040, data: bytes.Repeat([]byte{9}, 0x204)},
		arm7:   program{load: 0x03800000, entry: 0x03800000, data: bytes.Repeat([]byte{7}, 0x10)},
		banner: bytes.Repeat([]byte{0xBA}, bannerSize),
	}
}

func u32(b []byte, at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
func u16(b []byte, at int) uint16 { return binary.LittleEndian.Uint16(b[at:]) }

// The checksum's published check value, and that of nothing.
func TestCRC16(t *testing.T) {
	if got := dsbanner.CRC16([]byte("123456789")); got != 0x4B37 {
		t.Errorf("crc16 is %04X, want 4B37", got)
	}
	if got := dsbanner.CRC16(nil); got != 0xFFFF {
		t.Errorf("crc16 of nothing is %04X, want FFFF", got)
	}
}

// The header of a small ROM, every byte of it.
func TestHeaderGolden(t *testing.T) {
	for _, name := range []string{"plain", "save"} {
		b, err := testROM(name == "save").image()
		must.Succeed(t, err)
		got := hex.Dump(b[:headerSize])
		path := filepath.Join("testdata", name+"-header.txt")
		if *update {
			must.Succeed(t, os.WriteFile(path, []byte(got), 0o666))
		}
		want := must.Read(t, path)
		if got != string(want) {
			t.Errorf("%s: the header is\n%s\nwant\n%s", name, got, want)
		}
	}
}

func TestImageHoldsItsParts(t *testing.T) {
	for _, save := range []bool{false, true} {
		r := testROM(save)
		b, err := r.image()
		must.Succeed(t, err)
		for _, part := range []struct {
			name string
			at   uint32
			want []byte
		}{
			{"ARM9 program", u32(b, 0x20), r.arm9.data},
			{"ARM7 program", u32(b, 0x30), r.arm7.data},
			{"banner", u32(b, 0x68), r.banner},
		} {
			if part.at%fileAlign != 0 || !bytes.HasPrefix(b[part.at:], part.want) {
				t.Errorf("save %v: %s is not at %#x", save, part.name, part.at)
			}
		}
		if len(b)%fileAlign != 0 || u32(b, 0x80) != uint32(len(b)) {
			t.Errorf("save %v: %d bytes, the header says %d", save, len(b), u32(b, 0x80))
		}
		if got, want := u16(b, 0x15E), dsbanner.CRC16(b[:0x15E]); got != want {
			t.Errorf("save %v: header CRC %04X, want %04X", save, got, want)
		}
	}
}

// Emulators look at these before they give a cartridge an EEPROM.
func TestSaveLayout(t *testing.T) {
	b, err := testROM(true).image()
	must.Succeed(t, err)
	if at := u32(b, 0x20); at != 0x8000 {
		t.Errorf("the ARM9 program is at %#x, want 0x8000", at)
	}
	if got := u16(b, 0x15C); got != 0xCF56 {
		t.Errorf("logo CRC %04X, want CF56", got)
	}
	for _, at := range []int{0x4000, 0x4004} {
		if got := u32(b, at); got != 0xE7FFDEFF {
			t.Errorf("%#x holds %08X, want E7FFDEFF", at, got)
		}
	}
	plain, err := testROM(false).image()
	must.Succeed(t, err)
	if at := u32(plain, 0x20); at != 0x200 {
		t.Errorf("without save memory the ARM9 program is at %#x, want 0x200", at)
	}
}

func TestCapacity(t *testing.T) {
	r := testROM(false)
	for _, c := range []struct {
		size int
		want byte
	}{{1 << 10, 0}, {120 << 10, 0}, {130 << 10, 1}, {600 << 10, 3}} {
		r.arm9.data = make([]byte, c.size)
		b, err := r.image()
		must.Succeed(t, err)
		if b[0x14] != c.want {
			t.Errorf("%d bytes: capacity %d, want %d", c.size, b[0x14], c.want)
		}
	}
}

func TestImageErrors(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(r *rom)
		want   string
	}{
		{"long title", func(r *rom) { r.title = "THIRTEEN CHAR" }, "title"},
		{"title with a line", func(r *rom) { r.title = "A\nB" }, "title"},
		{"short code", func(r *rom) { r.code = "ABC" }, "game code"},
		{"homebrew with save memory", func(r *rom) { r.save = true }, "no save memory"},
		{"no ARM9", func(r *rom) { r.arm9.data = nil }, "no program"},
		{"no ARM7", func(r *rom) { r.arm7.data = nil }, "no program"},
		{"too large", func(r *rom) { r.arm9.data = make([]byte, maxROM) }, "more than"},
	} {
		r := testROM(false)
		c.change(r)
		if _, err := r.image(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}

func TestBanner(t *testing.T) {
	ic := new(icon)
	ic.pixels[0][0], ic.pixels[0][1], ic.pixels[9][17] = 1, 2, 0xF
	ic.palette[1] = 0x7FFF
	b, err := banner(ic, "one\ntwö")
	must.Succeed(t, err)
	if b[iconAt] != 0x21 {
		t.Errorf("first two pixels %02X, want 21", b[iconAt])
	}
	// Row 9, column 17: tile row 1, tile column 2, row 1 and column 1 in it.
	if at := iconAt + (4+2)*32 + (8+1)/2; b[at] != 0xF0 {
		t.Errorf("pixel 17,9 is %02X, want F0", b[at])
	}
	if u16(b, paletteAt+2) != 0x7FFF {
		t.Errorf("colour 1 is %04X", u16(b, paletteAt+2))
	}
	for i := range titles {
		var units []uint16
		for at := titlesAt + 256*i; u16(b, at) != 0; at += 2 {
			units = append(units, u16(b, at))
		}
		if got := string(utf16.Decode(units)); got != "one\ntwö" {
			t.Errorf("title %d is %q", i, got)
		}
	}
	if u16(b, 2) != dsbanner.CRC16(b[0x20:]) {
		t.Error("wrong CRC")
	}
	for _, title := range []string{strings.Repeat("x", 128), "a\nb\nc\nd"} {
		if _, err := banner(ic, title); err == nil {
			t.Errorf("no error for title %q", title)
		}
	}
}

func TestParseIcon(t *testing.T) {
	text := must.Read(t, iconFile)
	ic, err := parseIcon(string(text))
	must.Succeed(t, err)
	if ic.palette[1] != 0x7FFF || ic.pixels[0][0] != 0 {
		t.Errorf("colour 1 is %04X, the corner %d", ic.palette[1], ic.pixels[0][0])
	}
	row := strings.Repeat(".", 32) + "\n"
	for _, c := range []struct{ name, text, want string }{
		{"no rows", "1 FFFFFF", "no empty line"},
		{"colour 0", "0 FFFFFF\n\n" + strings.Repeat(row, 32), "digit from 1 to F"},
		{"no colour", "1 red\n\n" + strings.Repeat(row, 32), "not a colour"},
		{"short colour", "1 FFF\n\n" + strings.Repeat(row, 32), "not a colour"},
		{"31 rows", "1 FFFFFF\n\n" + strings.Repeat(row, 31), "31 rows"},
		{"short row", "1 FFFFFF\n\n" + strings.Repeat(row, 31) + "...\n", "row 32: 3 characters"},
		{"bad pixel", "1 FFFFFF\n\n" + strings.Repeat(row, 31) + "x" + row[1:], "row 32: 'x'"},
	} {
		if _, err := parseIcon(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}

func FuzzParseIcon(f *testing.F) {
	text := must.Read(f, iconFile)
	f.Add(string(text))
	f.Add("1 FFFFFF\n\n")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		ic, err := parseIcon(text)
		if err != nil {
			return
		}
		if _, err := banner(ic, "x"); err != nil {
			t.Error(err)
		}
	})
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "a.nds")
	arm9 := elfFile(t, 0x02000000, machineARM, [2]uint32{0x02000000, 64})
	arm7 := elfFile(t, 0x03800000, machineARM, [2]uint32{0x03800000, 64})
	args := []string{
		"rom", "-title", "HELLO", "-banner", `one\ntwo`, "-icon", iconFile, "-accent", "FF0000", arm9, arm7, out,
	}
	must.Succeed(t, run(args, io.Discard))
	first := must.Read(t, out)
	if !bytes.HasPrefix(first, []byte("HELLO\x00")) || u16(first, int(u32(first, 0x68))+paletteAt+2) != 0x1F {
		t.Error("title or accent are not in the ROM")
	}
	must.Succeed(t, run(args, io.Discard))
	if second, _ := os.ReadFile(out); !bytes.Equal(first, second) {
		t.Error("the same input gave another ROM")
	}
	if err := run([]string{"font", "../src/font.txt", filepath.Join(dir, "font.h")}, io.Discard); err != nil {
		t.Error(err)
	}
	for _, bad := range [][]string{
		nil,
		{"font"},
		{"rom"},
		{"rom", "-nonsense"},
		{"what"},
		{"font", iconFile, filepath.Join(dir, "x.h")},
		{"rom", "-icon", "../src/font.txt", arm9, arm7, out},
		{"rom", "-icon", iconFile, "-accent", "red", arm9, arm7, out},
	} {
		if err := run(bad, io.Discard); err == nil {
			t.Errorf("pack %q: no error", bad)
		}
	}
}
