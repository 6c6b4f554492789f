package emucore

import (
	"path/filepath"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestTwoProgramsKeepHashes: what one of the player's programs has hashed the other one does not forget.
func TestTwoProgramsKeepHashes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hashes")
	for _, rom := range []string{"/roms/b.nds", "/roms/a.nds", "/roms/b.nds"} {
		b, err := encodeHashes([]romHash{{path: rom}})
		must.Succeed(t, err)
		writeHashes(path, b)
	}
	list, err := decodeHashes(must.Read(t, path))
	if err != nil || len(list) != 2 || list[0].path != "/roms/a.nds" || list[1].path != "/roms/b.nds" {
		t.Errorf("%+v, %v", list, err)
	}
}
