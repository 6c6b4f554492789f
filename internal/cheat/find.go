package cheat

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/nettplay/nettplay/internal/disk"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/wire"
)

// A Game is what cheats are found by.
type Game struct {
	Path      string // of its file, or of a game in an archive the archive's, "/", and its name there
	Archive   string // the archive that it is in, "" for none
	Code      string // game code
	HeaderCRC uint32 // CRC-32 of its first 512 bytes
}

// databaseName is the name of the database of flash cartridges.
const databaseName = "usrcheat.dat"

// Found is what was found of a game's cheats.
type Found struct {
	Entries []Entry // in the files' order, file after file
	Files   []string
	// Problems are sentences about files that could not be read.
	Problems []string

	named map[string][]int // where entries stand whose cheats have a name
}

func (f *Found) add(e Entry) {
	if f.named == nil {
		f.named = map[string][]int{}
	}
	name := e.Agreed().Name
	f.named[name] = append(f.named[name], len(f.Entries))
	f.Entries = append(f.Entries, e)
}

// Find looks for a game's cheats: beside the game in files of its name and in usrcheat.dat, then so in folders of the
// player's, and in further files that the player named. What stands in two places counts once. It waits for the disk.
func Find(g Game, folders []string, files ...string) (f Found) {
	places := g.places(folders)
	for _, path := range places {
		f.read(path, g, false)
	}
	for _, path := range files {
		f.read(path, g, true)
	}
	return f
}

// places are the files in which cheats of a game may be.
func (g Game) places(folders []string) (list []string) {
	file := g.Path
	if g.Archive != "" {
		file = g.Archive
	}
	stems := []string{stem(filepath.Base(g.Path))}
	if s := stem(filepath.Base(file)); s != stems[0] {
		stems = append(stems, s)
	}
	var all []string
	if g.Path != "" {
		all = append(all, filepath.Dir(file))
	}
	for _, dir := range append(all, folders...) {
		if dir == "" {
			continue
		}
		for _, s := range stems {
			list = append(list, filepath.Join(dir, s+".mch"), filepath.Join(dir, s+".dct"))
		}
		list = append(list, filepath.Join(dir, databaseName))
	}
	return list
}

func stem(name string) string { return strings.TrimSuffix(name, filepath.Ext(name)) }

// IsFile reports whether a file has a name by which it has cheats.
func IsFile(path string) bool {
	name := strings.ToLower(filepath.Base(path))
	return name == databaseName || strings.HasSuffix(name, ".mch") || strings.HasSuffix(name, ".dct")
}

// read adds what a file has. Only one that was named has to be there.
func (f *Found) read(path string, g Game, named bool) {
	list, err := ReadFile(path, g)
	if errors.Is(err, fs.ErrNotExist) && !named {
		return
	}
	if err != nil {
		f.Problems = append(f.Problems, phrase.Ended(fmt.Sprintf("%s: %v", filepath.Base(path), plain(err))))
		return
	}
	if len(list) == 0 {
		if named {
			f.Problems = append(f.Problems, filepath.Base(path)+" has no cheats for this game.")
		}
		return
	}
	f.Files = append(f.Files, path)
	folders := 0
	for _, e := range f.Entries {
		folders = max(folders, e.Single)
	}
	for _, e := range list {
		if e.Single > 0 {
			e.Single += folders
		}
		if f.Index(e.Agreed()) < 0 {
			f.add(e)
		}
	}
}

// plain is an error without the path that a sentence has anyway.
func plain(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

// ReadFile reads a game's cheats from a file, of whatever kind its name says.
func ReadFile(path string, g Game) ([]Entry, error) {
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".mch", ".dct":
		b, err := disk.Read(path, maxText)
		if err != nil {
			return nil, err
		}
		if ext == ".mch" {
			return ReadMCH(b)
		}
		return ReadDCT(b)
	}
	file, size, err := disk.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ReadUsrcheat(file, size, g.Code, g.HeaderCRC)
}

// Agreed is the cheat as a room agrees on it, with its folder's name before its own.
func (e Entry) Agreed() Cheat {
	c := e.Cheat
	if e.Folder != "" {
		c.Name = e.Folder + ": " + c.Name
	}
	c.Name = wire.Clean(c.Name, MaxName)
	return c
}

// Index is where a cheat stands among those found, -1 where it does not.
func (f *Found) Index(c Cheat) int {
	for _, i := range f.named[c.Name] {
		if f.Entries[i].Agreed().Equal(c) {
			return i
		}
	}
	return -1
}

// On are the cheats that the files have switched on and that can be used.
func (f *Found) On() (list []Cheat) {
	for i, e := range f.Entries {
		if e.On && e.Problem == "" {
			list = f.With(list, i, true)
		}
	}
	return list
}

// With is a list with an entry switched on or off, and, where one of a folder may be on at a time, the others of it
// switched off. The list stays in the order of the entries: what a room agrees on does not depend on the order of
// clicks. Cheats of files that are not there any more stand first.
func (f *Found) With(list []Cheat, entry int, on bool) (out []Cheat) {
	now := make([]bool, len(f.Entries))
	for _, c := range list {
		if i := f.Index(c); i >= 0 {
			now[i] = true
		} else {
			out = append(out, c)
		}
	}
	if single := f.Entries[entry].Single; on && single > 0 {
		for i, e := range f.Entries {
			now[i] = now[i] && e.Single != single
		}
	}
	now[entry] = on
	for i, e := range f.Entries {
		if now[i] {
			out = append(out, e.Agreed())
		}
	}
	return out
}
