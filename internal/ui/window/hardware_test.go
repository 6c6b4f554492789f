package window

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// A machine without a graphics card is known by its devices. One that only shows pictures, as in a virtual machine, is
// none.
func TestMachineWithoutACard(t *testing.T) {
	t.Setenv(cardVariable, "")
	for file, want := range map[string]bool{"dri/card0": false, "null": false, "dri/renderD128": true, "nvidia0": true, "mali0": true} {
		dev := t.TempDir()
		path := filepath.Join(dev, file)
		must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must.Succeed(t, os.WriteFile(path, nil, 0o600))
		if got := hasCard(dev); got != want {
			t.Errorf("with /dev/%s: a card: %v", file, got)
		}
	}
	t.Setenv(cardVariable, "opengl")
	if !hasCard(t.TempDir()) {
		t.Error("the player's choice does not count")
	}
}
