package launch

import (
	"crypto/rand"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/corestore"
	"github.com/nettplay/nettplay/internal/helping"
	"github.com/nettplay/nettplay/internal/roms"
	"github.com/nettplay/nettplay/internal/saves"
)

// Machine is the part that all starts on this machine share.
type Machine struct {
	Settings config.Config // the file's, under the flags of this start
	Core     emucore.Core
	Library  *emucore.Library // of the player's ROM folders
	Version  string           // of this program, told to the others
	// Program names this program to another one that finds a save in use, as in
	// "nettplay host".
	Program string
	// Places are the files and folders; "" keeps nothing, and without CoreVerdicts cores are not
	// checked.
	Places config.Places
	// Unwritten takes saves that the disk does not take; nil: they are lost at the end.
	Unwritten *saves.Unwritten
	// Checking hears how far the check of the core is, on the goroutine that calls Play; nil:
	// nobody does.
	Checking func(Checking)
	AnyCore  bool // the player wants the core whatever its verdict
	// Trusted are the SHA-256s of cores that run with the player's rights, about which they have been asked, and which they want.
	Trusted [][32]byte
	// Cores keeps the cores that were got; nil: there are none.
	Cores *corestore.Store
	// Helping is the relay of this process; nil: it runs none.
	Helping *helping.Relay
}

// NewMachine is a machine with the usual folders. Errors are of the home directory,
// which the folders are in.
func NewMachine(settings config.Config, core emucore.Core, version, program string) (Machine, error) {
	places, err := config.Data()
	if err != nil {
		return Machine{}, err
	}
	library, err := NewLibrary(settings.ROMs, places.Games)
	return Machine{
		Settings: settings, Core: core, Library: library, Version: version, Program: program,
		Places: places, Cores: corestore.Open(places.Cores),
	}, err
}

// NewLibrary finds the games in the ROM folders and those that are linked to.
func NewLibrary(cfg config.ROMs, links string) (*emucore.Library, error) {
	folders, err := config.ExpandAll(cfg.Folders)
	if err != nil {
		return nil, fmt.Errorf("reading roms.folders: %w", err)
	}
	l := emucore.NewLibrary(append(folders, links))
	l.KeepHashes(emucore.HashesPath())
	return l, nil
}

// remember keeps where games are that the player opened by their path, so that replays,
// joins and lists of games find them. Games in the ROM folders are found anyway. It is a
// convenience: a player whose disk cannot be written plays all the same.
func (m Machine) remember(games ...*emucore.ROM) {
	folders, err := config.ExpandAll(m.Settings.ROMs.Folders)
	if m.Places.Games == "" || err != nil {
		return
	}
	for _, rom := range games {
		if rom != nil && !slices.ContainsFunc(append(folders, m.Places.Games), func(folder string) bool { return isBelow(folder, rom.Path) }) {
			_ = roms.Links(m.Places.Games).Keep(rom.File())
		}
	}
}

// isBelow tells whether a file is in a folder, or one below it.
func isBelow(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// openSaves opens the save of one of this machine's consoles, 1 being the first. While
// another program has it open, the player plays with a copy, and the error says so.
func (m Machine) openSaves(file string) func(rom *emucore.ROM, console int) (*saves.Store, []byte, error) {
	return func(rom *emucore.ROM, console int) (*saves.Store, []byte, error) {
		options := saves.Options{Console: console, Doing: m.Program}
		if console == 1 {
			options.File = file
		}
		return saves.OpenOrCopy(m.Places.Saves, saves.GameOf(rom), options)
	}
}

// KeepAddress gives the settings of a file the radio address of the player's console,
// which it writes there: games tie their saves to it. When that fails the settings get
// an address for this time, and the error says why.
func KeepAddress(path string, cfg *config.Config) (err error) {
	if cfg.Player.MAC != "" {
		return nil
	}
	mac, err := config.KeepMAC(path)
	if err != nil {
		mac, _ = config.NewMAC(rand.Reader) // which never fails
		err = fmt.Errorf("your console's radio address cannot be kept: %w", err)
	}
	cfg.Player.MAC = mac
	return err
}
