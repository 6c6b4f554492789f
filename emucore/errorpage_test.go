package emucore

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/emucore/banner"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// changedROM is one of our ROMs with some bytes changed, and a header that goes with them.
func changedROM(t *testing.T, data []byte, change func(b []byte)) *ROM {
	t.Helper()
	b := make([]byte, max(len(data), 0x20000))
	copy(b, data)
	change(b)
	binary.LittleEndian.PutUint16(b[headerCRCAt:], banner.CRC16(b[:headerCRCAt]))
	path := filepath.Join(t.TempDir(), "changed.nds")
	must.Succeed(t, os.WriteFile(path, b, 0o600))
	r, err := OpenROM(path)
	must.Succeed(t, err)
	return r
}

// secured moves the ARM9 program to where cartridges have it, with a secure area that begins with some words.
func secured(at int, words ...uint32) func(b []byte) {
	return func(b []byte) {
		copy(b[12:16], "XNPE")
		binary.LittleEndian.PutUint16(b[logoCRCAt:], logoCRC)
		size := int(binary.LittleEndian.Uint32(b[0x2c:]))
		from := int(binary.LittleEndian.Uint32(b[0x20:]))
		copy(b[at:], b[from:from+size])
		binary.LittleEndian.PutUint32(b[0x20:], uint32(at))
		binary.LittleEndian.PutUint32(b[0x80:], uint32(len(b)))
		for i, w := range words {
			binary.LittleEndian.PutUint32(b[at+4*i:], w)
		}
	}
}

// TestWhatAHeaderTells: revision, changed headers and encrypted secure areas are seen; homebrew has none.
func TestWhatAHeaderTells(t *testing.T) {
	for name, tt := range map[string]struct {
		change             func(b []byte)
		revision           uint8
		encrypted, patched bool
	}{
		"as it is":              {change: func([]byte) {}},
		"revision 2":            {change: func(b []byte) { b[0x1e] = 2 }, revision: 2},
		"encrypted":             {change: secured(0x4000, 0x12345678, 0x9abcdef0), encrypted: true},
		"decrypted":             {change: secured(0x4000, decrypted, decrypted)},
		"behind the area":       {change: secured(0x8000, 0x12345678)},
		"homebrew at the place": {change: func(b []byte) { secured(0x4000, 0x12345678)(b); copy(b[12:16], homebrew) }},
	} {
		r := changedROM(t, romstest.Pad, tt.change)
		if r.Revision != tt.revision || r.Encrypted != tt.encrypted || r.Patched {
			t.Errorf("%s: revision %d, encrypted %v, patched %v", name, r.Revision, r.Encrypted, r.Patched)
		}
	}
}

// TestNoGameIsNoConsole: what a core does not play does not start, and says why: what the file tells by the profile, the
// rest by the core's own page.
func TestNoGameIsNoConsole(t *testing.T) {
	path := os.Getenv("NETTPLAY_TEST_CORE")
	if path == "" {
		t.Skip("NETTPLAY_TEST_CORE names no core that shows pages of its own")
	}
	core := opened(t, path)
	for name, tt := range map[string]struct {
		change func(b []byte)
		why    string
	}{
		"an encrypted game":              {secured(0x4000, 0x12345678, 0x9abcdef0), "secure area encrypted, which melonDS DS cannot read: dump it decrypted"},
		"one that the profile knows not": {secured(0x8000, 0x12345678, 0x9abcdef0), "does not play this game, but shows a page of its own that says why (last said \""},
	} {
		checkLeaks(t)
		cfg := seatConfig()
		cfg.Core, cfg.ROM = core, changedROM(t, romstest.Pad, tt.change)
		c, err := Start(context.Background(), cfg)
		if err == nil {
			c.Close()
			t.Errorf("%s: it starts", name)
			continue
		}
		if !strings.Contains(err.Error(), tt.why) {
			t.Errorf("%s: %v", name, err)
		}
		if _, is := errors.AsType[*StartError](err); name != "an encrypted game" && !is {
			t.Errorf("%s: %T", name, err)
		}
	}
	cfg := seatConfig()
	cfg.Core, cfg.ROM = core, changedROM(t, romstest.Pad, secured(0x4000, decrypted, decrypted))
	c, err := Start(context.Background(), cfg)
	must.Succeed(t, err)
	c.Close()
}
