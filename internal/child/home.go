package child

import (
	"crypto/sha256"
	"os"
	"path/filepath"

	"github.com/nettplay/nettplay/internal/corecheck"
)

// Home is a folder in which the program finds all its folders, and nothing of the user's.
type Home string

// Folders of the program.
const (
	Own      = "home"
	Data     = "data"
	Temp     = "tmp"
	settings = "settings/nettplay"
)

// At is the path of a file or folder there.
func (h Home) At(name string) string { return filepath.Join(string(h), name) }

// Make makes the folders, and a file of settings.
func (h Home) Make(text string) error {
	for _, name := range []string{Own, settings, Data, Temp} {
		if err := os.MkdirAll(h.At(name), 0o700); err != nil {
			return err
		}
	}
	return os.WriteFile(h.At(settings+"/config.toml"), []byte(text), 0o600)
}

// Environment is all that the program finds in its environment.
func (h Home) Environment() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "TERM=dumb", "HOME=" + h.At(Own), "TMPDIR=" + h.At(Temp),
		"XDG_CONFIG_HOME=" + filepath.Dir(h.At(settings)), "XDG_DATA_HOME=" + h.At(Data),
	}
}

// Trust tells the program that a core passes its check, which would only take time.
func (h Home) Trust(core string) error {
	b, err := os.ReadFile(core)
	if err != nil {
		return err
	}
	return corecheck.OpenBook(h.At(Data + "/nettplay/core-verdicts")).Keep(corecheck.Verdict{Core: sha256.Sum256(b)})
}
