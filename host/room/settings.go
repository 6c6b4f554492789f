package room

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/internal/cheat"
	"github.com/nettplay/nettplay/internal/wire"
)

// Equal tells whether two settings are the same, byte for byte on the wire.
func (s Settings) Equal(o Settings) bool { return wire.Same(s.Fields, o.Fields) }

// Checked cleans and sorts settings and tells what is wrong with them.
func (s Settings) Checked() (Settings, error) {
	s = s.Clone()
	if s.Room = wire.Clean(s.Room, MaxName); s.Room == "" {
		s.Room = "A room"
	}
	s.Core, s.Continues = s.Core.Cleaned(), s.Continues.cleaned()
	for i := range s.Options {
		o := &s.Options[i]
		o.Key, o.Value = wire.Clean(o.Key, MaxKey), wire.Clean(o.Value, MaxKey)
	}
	for i := range s.Cheats.List {
		s.Cheats.List[i].Name = wire.Clean(s.Cheats.List[i].Name, cheat.MaxName)
	}
	if len(s.Cheats.List) == 0 {
		s.Cheats = Cheats{}
	}
	slices.SortFunc(s.Options, func(a, b Option) int { return cmp.Compare(a.Key, b.Key) })
	var err error
	if s.BIOS, err = CheckBIOS(s.BIOS); err != nil {
		return s, err
	}
	return s, s.Check()
}

// Check tells what is wrong with settings.
func (s Settings) Check() error {
	if err := s.Continues.check(s.Seats); err != nil {
		return err
	}
	c := wire.Writer(nil) // its fields have bounds
	if c.Within("room settings", s.Fields); c.Err() != nil {
		return c.Err()
	}
	if s.MinPlayers > s.Seats {
		return fmt.Errorf("room settings: players needed to start: %d is not in 1..%d", s.MinPlayers, s.Seats)
	}
	for i, o := range s.Options {
		if o.Key == "" || i > 0 && o.Key == s.Options[i-1].Key {
			return fmt.Errorf("room settings: core option %q stands twice or has no name", o.Key)
		}
	}
	return nil
}

// CheckBIOS cleans and sorts the names of BIOS files.
func CheckBIOS(files []BIOSHash) ([]BIOSHash, error) {
	if len(files) > MaxBIOS {
		return nil, fmt.Errorf("bios files: %d, at most %d", len(files), MaxBIOS)
	}
	files = slices.Clone(files)
	for i := range files {
		files[i].Name = wire.Clean(files[i].Name, MaxName)
	}
	slices.SortFunc(files, func(a, b BIOSHash) int { return cmp.Compare(a.Name, b.Name) })
	for i, f := range files {
		if f.Name == "" || i > 0 && f.Name == files[i-1].Name {
			return nil, fmt.Errorf("bios file %q stands twice or has no name", f.Name)
		}
	}
	return files, nil
}
