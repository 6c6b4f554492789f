package saves

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestImportAsks: what does not look like a save of the game is taken only when the player is sure. What a core said of
// the chip counts; before any was asked, the length of what the game has left.
func TestImportAsks(t *testing.T) {
	fresh, played, asked := t.TempDir(), t.TempDir(), t.TempDir()
	s, err := Open(played, padGame, Options{})
	must.Succeed(t, err)
	p, err := s.Prepare(60, bytes.Repeat([]byte{1, 0}, 4<<10), About{})
	must.Succeed(t, err)
	must.Succeed(t, p.Commit())
	must.Succeed(t, s.Close())
	OpenChips(asked).Put(padGame.SHA256, [32]byte{9}, savefile.Of(8<<10))

	random := bytes.Repeat([]byte{3, 1, 4, 1, 5}, 4000)
	for name, c := range map[string]struct {
		dir   string
		file  []byte
		asks  string // what the question says; "" for none
		bytes int    // that are taken in the end
	}{
		"too much, a core said so":      {asked, random, "20000 bytes, with data behind the 8 KB", 20000},
		"too much, by what was played":  {played, random, "20000 bytes, with data behind the 8 KB", 20000},
		"too much, nobody knows":        {fresh, random, "", 20000},
		"blank behind, by what is here": {played, erasedTo(bytes.Repeat([]byte{3}, 8<<10), 512<<10), "", 512 << 10},
		"a short text":                  {asked, []byte("rubbish\n"), "no cartridge holds less", 8 << 10},
		"a few bytes":                   {fresh, []byte{1, 2, 3}, "3 bytes, and no cartridge holds less than 512", 3},
		"a whole save":                  {played, bytes.Repeat([]byte{3}, 8<<10), "", 8 << 10},
	} {
		path := filepath.Join(t.TempDir(), "file.sav")
		must.Succeed(t, os.WriteFile(path, c.file, 0o600))
		in, err := ImportFor(c.dir, path, padGame.SHA256)
		must.Succeed(t, err)
		if (in.Loses != "") != (c.asks != "") || !strings.Contains(in.Loses, c.asks) {
			t.Errorf("%s: the question is %q", name, in.Loses)
		}
		if len(in.SRAM) != c.bytes {
			t.Errorf("%s: %d bytes are taken", name, len(in.SRAM))
		}
	}
}

// erasedTo fills a save up as flash cards do.
func erasedTo(b []byte, n int) []byte {
	return append(b, bytes.Repeat([]byte{0xff}, n-len(b))...)
}
