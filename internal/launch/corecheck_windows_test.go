package launch

import (
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/corecheck"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
)

// TestAskedBeforeItRuns: nothing of a core that nettplay does not know runs before the player was asked, whoever looks for it; by
// its check it is known ever after.
func TestAskedBeforeItRuns(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_DATA_HOME", home)
	folder := t.TempDir()
	library := must.Read(t, testcore.Path(t))
	must.Succeed(t, os.WriteFile(filepath.Join(folder, "desmume_libretro.dll"), library, 0o600))
	cfg := config.Core{Name: "desmume", Folders: []string{folder}}
	named := func(core emucore.Core, err error) emucore.Core {
		t.Helper()
		must.Succeed(t, err)
		if core.Name != "DeSmuME" || core.Version != "" || !core.Unopened {
			t.Fatalf("it says %+v", core)
		}
		return core
	}
	m := Machine{Settings: settings()}
	m.Settings.Core = cfg
	var err error
	m.Places, err = config.Data()
	must.Succeed(t, err)
	m.Core = named(FindCore(t.Context(), cfg))
	named(CoreByHash(t.Context(), cfg, sha256.Sum256(library)))
	for _, core := range Cores(t.Context(), cfg) {
		named(core, nil)
	}
	var asks *corecheck.UntrustedError
	if err := start(t, m); !errors.As(err, &asks) || asks.Core != m.Core {
		t.Fatalf("it plays: %v", err)
	}
	m.Trusted = [][32]byte{{1}}
	if err := start(t, m); !errors.As(err, &asks) {
		t.Fatalf("it plays because another one is trusted: %v", err)
	}
	m.Trusted = append(m.Trusted, m.Core.SHA256)
	must.Succeed(t, start(t, m))
	m.Trusted = nil
	if m.Core, err = FindCore(t.Context(), cfg); err != nil || m.Core.Unopened || m.Core.Name != "nettplay test core" {
		t.Fatalf("after its check: %+v, %v", m.Core, err)
	}
	must.Succeed(t, start(t, m))
}
