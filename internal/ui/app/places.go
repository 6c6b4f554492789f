package app

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/ui/screen"
)

// Places are the files and folders of the program.
type Places struct {
	config.Places        // without CoreVerdicts cores are not checked
	Config        string // the settings' file
	Memory        string // what else is remembered
	// Keyframes is the folder for what makes places in recordings quick to reach; it may
	// be emptied at any time. "" for none.
	Keyframes string
	// Hashes is the file in which the hashes of ROMs are kept, "" for none.
	Hashes string
	// Door is the socket at which links and files come to the window that is open, "" for none.
	Door string
}

// FindPlaces returns the usual places; config is the settings' file, "" for the
// usual one.
func FindPlaces(settings string) (Places, error) {
	usual, err := config.Path()
	if err != nil {
		return Places{}, err
	}
	state, err := config.XDG("XDG_STATE_HOME", ".local/state")
	if err != nil {
		return Places{}, err
	}
	data, err := config.Data()
	data.Videos = videosDir(data.Videos)
	return Places{
		Places: data, Config: cmp.Or(settings, usual), Memory: filepath.Join(state, "app.json"),
		Keyframes: replay.KeyframeFolder(), Hashes: emucore.HashesPath(), Door: DoorPath(),
	}, err
}

// loadConfig reads the settings; without a file they are the defaults. Of a file with mistakes all else
// counts, and the trouble names them.
func loadConfig(path string) (config.Config, *screen.Trouble) {
	cfg, err := config.Load(path)
	mistakes, read := errors.AsType[*config.Error](err)
	var trouble *screen.Trouble
	switch {
	case read:
		trouble = mistakesIn(mistakes)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		trouble = screen.Failed("The settings cannot be read", err)
		trouble.Hint = "Until you correct the file, nettplay uses the defaults. " + keptWords(path)
	}
	if err := launch.KeepAddress(path, &cfg); err != nil && trouble == nil {
		trouble = screen.Failed("The settings cannot be written", err)
		trouble.Hint = "Your console gets another radio address each time; some games refuse their saves then."
	}
	return cfg, trouble
}

// mistakesIn names the first mistakes in the settings' file.
func mistakesIn(e *config.Error) *screen.Trouble {
	const most, length = 4, 160
	var lines []string
	for _, p := range e.Problems[:min(len(e.Problems), most)] {
		lines = append(lines, phrase.Shorten(phrase.Printable(screen.Sentence(p.String())), length))
	}
	if more := len(e.Problems) - most; more > 0 {
		lines = append(lines, "And "+phrase.Count(more, "more mistake")+": “nettplay config show” names them.")
	}
	title := "A line of the settings file is ignored"
	if len(e.Problems) > 1 {
		title = phrase.Count(len(e.Problems), "line") + " of the settings file are ignored"
	}
	return &screen.Trouble{
		Title: title, Words: strings.Join(lines, "\n"), Copy: e.File,
		Hint: "All other lines apply. Correct these in the file, then restart nettplay. " + keptWords(e.File),
	}
}

// keptWords says what becomes of a settings' file that is replaced.
func keptWords(path string) string {
	return "If you change a setting here, the file is rewritten; the current one is kept as " + filepath.Base(path) + config.CopyEnding + " beside it."
}

// videosDir is the folder for videos of recordings: one in the user's folder of videos
// (xdg-user-dirs), or else another one.
func videosDir(otherwise string) string {
	home, err := os.UserHomeDir()
	if err != nil {
		return otherwise
	}
	dir := filepath.Join(home, "Videos")
	settings := os.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(settings) {
		settings = filepath.Join(home, ".config")
	}
	if text, err := os.ReadFile(filepath.Join(settings, "user-dirs.dirs")); err == nil {
		for line := range strings.Lines(string(text)) {
			if value, ok := strings.CutPrefix(strings.TrimSpace(line), "XDG_VIDEOS_DIR="); ok {
				dir = strings.Replace(strings.Trim(value, `"`), "$HOME", home, 1)
			}
		}
	}
	if !filepath.IsAbs(dir) || filepath.Clean(dir) == filepath.Clean(home) { // the user has none
		return otherwise
	}
	return filepath.Join(dir, "nettplay")
}
