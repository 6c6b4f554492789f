package saves

import (
	"bytes"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/must"
)

func TestDecodeWhatOthersWrite(t *testing.T) {
	raw := bytes.Repeat([]byte{0x5a, 1}, 4096)
	dsv, err := Encode("x.dsv", raw)
	if err != nil || len(dsv) != len(raw)+122 {
		t.Fatalf("%d bytes, %v", len(dsv), err)
	}
	for name, file := range map[string][]byte{"DeSmuME": dsv, "raw": raw} {
		if got, err := Decode(file); err != nil || !bytes.Equal(got, raw) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
	for _, name := range []string{"x.sav", "x.srm", "x", "dsv"} {
		if got, err := Encode(name, raw); err != nil || !bytes.Equal(got, raw) {
			t.Errorf("for %s: %d bytes, %v", name, len(got), err)
		}
	}
}

func TestDecodeSaysWhatElseItIs(t *testing.T) {
	for magic, want := range map[string]string{
		"PK\x03\x04": "zip archive", "#RZIPv\x01#": "SaveRAM Compression", "MELN": "savestate of melonDS",
		"DeSmuME SState\x00": "savestate of DeSmuME", "ARDS000000000001": "Action Replay",
		"<html": "web page", "RASTATE\x01": "savestate of RetroArch", "NocashGbaBackupMediaSavDataFile": "no$gba",
	} {
		file := append([]byte(magic), make([]byte, 8192-len(magic))...)
		if _, err := Decode(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %q", magic, err, want)
		}
	}
	for name, file := range map[string][]byte{
		"nothing": nil, "a footer alone": []byte(dsvMark), "a large file": make([]byte, MaxSize+1),
		"a footer that says too much": append(make([]byte, 8192), dsvMark...),
	} {
		if b, err := Decode(file); err == nil {
			t.Errorf("%s: %d bytes", name, len(b))
		}
	}
}

func TestCheckSize(t *testing.T) {
	for _, n := range []int{512, 8 << 10, 32 << 10, 64 << 10, 128 << 10, 256 << 10, 512 << 10, 1 << 20, 8 << 20, 16 << 20} {
		if err := CheckSize(n); err != nil {
			t.Errorf("%d: %v", n, err)
		}
	}
	for _, n := range []int{-1, 0, 1, 511, 1024, 16 << 10, 8<<10 + 122, 50_000, 32 << 20} {
		if err := CheckSize(n); err == nil {
			t.Errorf("%d bytes were taken", n)
		}
	}
}

func FuzzDecode(f *testing.F) {
	dsv, err := Encode("x.dsv", make([]byte, 512))
	must.Succeed(f, err)
	f.Add(dsv)
	f.Add(dsv[1:])
	f.Add([]byte("#RZIPv"))
	f.Add(make([]byte, 512))
	f.Fuzz(func(t *testing.T, file []byte) {
		b, err := Decode(file)
		if err == nil && (len(b) == 0 || len(b) > MaxSize || !bytes.HasPrefix(file, b)) {
			t.Fatalf("a file of %d bytes gives %d", len(file), len(b))
		}
	})
}
