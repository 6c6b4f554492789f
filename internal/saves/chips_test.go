package saves

import (
	"testing"

	"github.com/nettplay/nettplay/emucore/savefile"
)

// TestTwoProgramsRememberChips: what one of the player's programs was told the other one does not forget.
func TestTwoProgramsRememberChips(t *testing.T) {
	dir := t.TempDir()
	one, two := OpenChips(dir), OpenChips(dir)
	core, chip := [32]byte{9}, savefile.Chip{Known: true, Min: 8192, Max: 65536}
	if one.Asked([32]byte{1}, core) || two.Asked([32]byte{2}, core) { // both have read the file
		t.Fatal("something is known")
	}
	for n := range byte(3) {
		one.Put([32]byte{1, n}, core, chip)
		two.Put([32]byte{2, n}, core, chip)
	}
	for n := range byte(3) {
		for _, by := range []byte{1, 2} {
			if got := OpenChips(dir).Get([32]byte{by, n}, core); got != chip {
				t.Errorf("chip %d of program %d is forgotten: %+v", n, by, got)
			}
		}
	}
}
