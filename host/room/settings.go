package room

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// The ranges of settings.
const (
	MinRTC       = 946684800  // 2000-01-01, where a DS clock begins
	maxRTC       = 4102444799 // the last second of 2099, where it ends
	maxHashEvery = 3600       // frames: a minute
	maxSkew      = 16         // frames
)

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
	slices.SortFunc(s.Options, func(a, b Option) int { return cmp.Compare(a.Key, b.Key) })
	var err error
	if s.BIOS, err = CheckBIOS(s.BIOS); err != nil {
		return s, err
	}
	return s, s.Check()
}

// Check tells what is wrong with settings.
func (s Settings) Check() error {
	for _, f := range []struct {
		name      string
		v, lo, hi int64
	}{
		{"seats", int64(s.Seats), 2, ds.MaxSeats},
		{"players needed to start", int64(s.MinPlayers), 1, int64(s.Seats)},
		{"input delay", int64(s.Delay), 0, ds.MaxDelay},
		{"automatic input delay", int64(s.AutoDelay), 0, int64(autodelay.MaxPreset)},
		{"clock at the start", s.RTC, MinRTC, maxRTC},
		{"frames between hash reports", int64(s.HashEvery), 1, maxHashEvery},
		{"skew", int64(s.Skew), 0, maxSkew},
		{"frames of a game", s.Frames, 0, ds.MaxFrame},
		{"spectators", int64(s.Spectators), 0, MaxSpectators},
		{"seconds that spectators are behind", int64(s.SpectateDelay), 0, MaxSpectateDelay},
		{"core options", int64(len(s.Options)), 0, MaxOptions},
	} {
		if f.v < f.lo || f.v > f.hi {
			return fmt.Errorf("room settings: %s: %d is not in %d..%d", f.name, f.v, f.lo, f.hi)
		}
	}
	for i, o := range s.Options {
		if o.Key == "" || i > 0 && o.Key == s.Options[i-1].Key {
			return fmt.Errorf("room settings: core option %q stands twice or has no name", o.Key)
		}
	}
	return s.Continues.check(s.Seats)
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

// CheckROM cleans a game's name and tells what is wrong with it.
func CheckROM(id ROMID) (ROMID, error) {
	id.Title = wire.Clean(id.Title, MaxName)
	if id.Size < 0 || id.Size > MaxROM {
		return id, fmt.Errorf("the game %s: %d bytes are not in 0..%d", id.Title, id.Size, MaxROM)
	}
	return id, nil
}

// CheckOwnROM does so for a game that may be the game host's.
func CheckOwnROM(id *ROMID) (*ROMID, error) {
	if id == nil {
		return nil, nil
	}
	checked, err := CheckROM(*id)
	return &checked, err
}
