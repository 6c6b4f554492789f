package replay

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/testing/must"
)

var golden = flag.Bool("golden", false, "write the golden log of the present format, which must never be done twice")

// The logs of every format there ever was are read for ever. Each is of the same
// game.
func TestGoldenLogs(t *testing.T) {
	const frames = 400
	script := mashers(11, frames)
	if path := filepath.Join("testdata", fmt.Sprintf("format%d.nplog", Format)); *golden {
		must.Succeed(t, os.Rename(recordOf(t, cheated(t, beginning(t, 2, []byte("a save"))), frames, script), path))
	}
	paths, err := filepath.Glob(filepath.Join("testdata", "format*.nplog"))
	if err != nil || len(paths) != Format {
		t.Fatalf("%d golden logs, %d formats: %v", len(paths), Format, err)
	}
	for _, path := range paths {
		l := opened(t, path)
		want := beginning(t, 2, []byte("a save"))
		if filepath.Base(path) == "format3.nplog" {
			want = cheated(t, want)
			c, err := l.Cheats()
			if err != nil || c.Game != want.Seats[0].Plan.ROM.SHA256 || len(c.List) != 2 || c.List[1].Name != "Héros" || !slices.Equal(c.List[0].Code, []uint32{0x02001234, 99}) {
				t.Errorf("%s: the cheats are %+v, %v", path, c, err)
			}
		}
		if l.HasCheats() != (filepath.Base(path) == "format3.nplog") {
			t.Errorf("%s: cheats: %v", path, l.HasCheats())
		}
		if diff := cmp.Diff(want.Head, l.Head); diff != "" {
			t.Errorf("%s: the head differs:\n%s", path, diff)
		}
		if !l.Ended || l.Cut != "" || l.Length() != frames || l.Chat != 1 || l.proofs != 14 {
			t.Errorf("%s: ended %v, cut %q, length %d, %d lines, %d hashes", path, l.Ended, l.Cut, l.Length(), l.Chat, l.proofs)
		}
		if len(l.Decisions) != 2 || l.Decisions[0] != (timeline.Decision{Kind: timeline.Start}) {
			t.Errorf("%s: decisions %v", path, l.Decisions)
		}
		if b, err := l.Part(l.Seats[0], l.Seats[0].Start.Parts[0].SHA256); string(b) != "a save" {
			t.Errorf("%s: the save is %q, %v", path, b, err)
		}
		checkGame(t, l, 0, frames, script)
	}
}
