package app

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/ui/opener"
	"github.com/nettplay/nettplay/internal/ui/screen"
)

// Places are the files and folders of the program.
type Places struct {
	Config  string // the settings' file
	Memory  string // what else is remembered
	Saves   string // folder of the player's saves
	Links   string // folder of links to games from elsewhere
	Shots   string // folder of pictures of the window
	Videos  string // folder of videos of recordings
	Moments string // folder of kept moments
	Cores   string // folder of cores that were got
	// Desyncs is the folder of what is kept of machines that were not alike.
	Desyncs string
	// Keyframes is the folder for what makes places in recordings quick to reach; it may
	// be emptied at any time. "" for none.
	Keyframes string
	// Verdicts is the file of what the checks of cores found; with "" cores are not checked.
	Verdicts string
	// Hashes is the file in which the hashes of ROMs are kept, "" for none.
	Hashes string
	// Door is the socket at which links and files come to the window that is open, "" for none.
	Door string
}

// FindPlaces returns the usual places; config is the settings' file, "" for the
// usual one.
func FindPlaces(settings string) (Places, error) {
	if settings == "" {
		var err error
		if settings, err = config.Path(); err != nil {
			return Places{}, err
		}
	}
	state, err := stateDir()
	if err != nil {
		return Places{}, err
	}
	data, err := dataDir()
	if err != nil {
		return Places{}, err
	}
	kept, err := saves.Dir()
	if err != nil {
		return Places{}, err
	}
	links, err := config.Games()
	if err != nil {
		return Places{}, err
	}
	desyncs, err := config.Desyncs()
	if err != nil {
		return Places{}, err
	}
	moments, err := config.Moments()
	if err != nil {
		return Places{}, err
	}
	verdicts, err := config.CoreVerdicts()
	if err != nil {
		return Places{}, err
	}
	cores, err := config.Cores()
	if err != nil {
		return Places{}, err
	}
	return Places{
		Verdicts: verdicts, Hashes: emucore.HashesPath(), Config: settings, Memory: filepath.Join(state, "app.json"), Saves: kept, Links: links, Shots: filepath.Join(data, "screenshots"),
		Videos: videosDir(data), Moments: moments, Cores: cores, Desyncs: desyncs, Keyframes: replay.KeyframeFolder(), Door: opener.Path(),
	}, nil
}

// loadConfig reads the settings; without a file they are the defaults. Settings
// that cannot be read are the defaults too, with the reason, but the address of the
// console stays: games tie their saves to it.
func loadConfig(path string) (config.Config, *screen.Trouble) {
	cfg, err := config.Load(path)
	switch {
	case err == nil:
	case errors.Is(err, fs.ErrNotExist):
		cfg, err = config.Defaults(), nil
	default:
		cfg = config.Defaults()
	}
	var trouble *screen.Trouble
	if err != nil {
		cfg.Player.MAC = config.FindMAC(path)
		return cfg, &screen.Trouble{
			Title: "The settings cannot be read", Words: screen.Sentence(err.Error()),
			Hint: "nettplay goes on with the usual settings. Changing any of them replaces the file.",
		}
	}
	if err := launch.KeepAddress(path, &cfg); err != nil {
		trouble = &screen.Trouble{
			Title: "The settings cannot be written", Words: screen.Sentence(err.Error()),
			Hint: "Your console gets another radio address each time; some games refuse their saves then.",
		}
	}
	return cfg, trouble
}
