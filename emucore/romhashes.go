package emucore

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/internal/disk"
	"github.com/nettplay/nettplay/internal/wire"
)

// The hashes of ROMs in a file, so that a library reads each of them once and not at each start:
//
//	magic     9 bytes  "npromhash"
//	version   1 byte   2
//	list 100,000
//	  path              raw 4096
//	  size, changed, status, inode   8 bytes each
//	  used, capacity    numbers: the image, in bytes of the file and of all
//	  image, file       32 bytes each: SHA-256
//
// Entries are sorted by path. A file that cannot be read, or is anything else, counts for
// nothing and is written anew. The contents of a ROM's file are checked against the hash
// again when a console starts from it.

const (
	hashesMagic = "npromhash\x02"
	hashesMost  = 64 << 20 // bytes of the file
	pathMost    = 4096
	// hashesRest is the time a file must have rested before its hash is kept: one that
	// changes again within the same tick of the file system's clock would look the same.
	hashesRest = 2 * time.Second
)

// romFile tells a file from what it may become: by its size, the times when its contents and when
// anything else of it changed, in nanoseconds, and its number on the disk.
type romFile struct{ size, changed, status, inode uint64 }

// romHash is the hash of a file.
type romHash struct {
	path     string
	file     romFile
	contents romContents
}

func romHashFields(c *wire.Coder, h *romHash) {
	c.Raw("path", &h.path, pathMost)
	c.Hash("size", &h.file.size)
	c.Hash("changed", &h.file.changed)
	c.Hash("status", &h.file.status)
	c.Hash("inode", &h.file.inode)
	wire.Number(c, "used bytes", &h.contents.image.used, 0, MaxROMSize)
	wire.Number(c, "capacity", &h.contents.image.size, h.contents.image.used, MaxROMSize)
	c.Fixed("sha256 of the image", h.contents.sum[:])
	c.Fixed("sha256 of the file", h.contents.fileSum[:])
}

// romHashes are the hashes that a library keeps in a file. The zero value keeps none.
type romHashes struct {
	path    string
	rest    time.Duration
	known   map[string]romHash // by path; nil: the file has not been read
	used    map[string]bool    // since then
	unsaved bool
}

// KeepHashes has the library keep the hashes of its ROMs in a file, which need not exist; "" is
// none. It is to be called before anything else.
func (l *Library) KeepHashes(path string) { l.hashes = romHashes{path: path, rest: hashesRest} }

// HashesPath is the file for hashes of ROMs in the user's cache, "" where there can be none.
func HashesPath() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "nettplay", "rom-hashes")
}

// get returns what is known of a ROM in a file.
func (h *romHashes) get(path string, file romFile) (romContents, bool) {
	h.load()
	k, known := h.known[path]
	h.used[path] = true
	return k.contents, known && k.file == file
}

// put takes what is known of a ROM in a file now.
func (h *romHashes) put(r *ROM, file romFile) {
	h.load()
	if len(r.Path) > pathMost || time.Since(time.Unix(0, int64(max(file.changed, file.status)))) < h.rest {
		return
	}
	h.known[r.Path] = romHash{r.Path, file, r.contents()}
	h.used[r.Path], h.unsaved = true, h.path != ""
}

// load reads the file once.
func (h *romHashes) load() {
	if h.known != nil {
		return
	}
	h.known, h.used = make(map[string]romHash), make(map[string]bool)
	if h.path == "" {
		return
	}
	b, err := disk.Read(h.path, hashesMost)
	if err != nil {
		return
	}
	list, err := decodeHashes(b)
	if err != nil {
		return
	}
	for _, k := range list {
		h.known[k.path] = k
	}
}

// file is what is to be written, and where, if there is something new. Of more than can be kept those stay that were used.
func (h *romHashes) file() (path string, b []byte) {
	if !h.unsaved {
		return "", nil
	}
	h.unsaved = false
	list := slices.Collect(maps.Values(h.known))
	if len(list) > MaxLibraryFiles {
		list = slices.DeleteFunc(list, func(k romHash) bool { return !h.used[k.path] })
	}
	slices.SortFunc(list, func(a, b romHash) int { return strings.Compare(a.path, b.path) })
	b, err := encodeHashes(list[:min(len(list), MaxLibraryFiles)])
	if err != nil || len(b) > hashesMost {
		return "", nil
	}
	return h.path, b
}

// writeHashes writes them, with those that the player's other programs have written since. Without the file all works, and
// takes longer.
func writeHashes(path string, b []byte) {
	if path == "" {
		return
	}
	_ = disk.Changing(path, func() error { return disk.WritePrivate(path, withOthers(path, b)) })
}

// withOthers adds to hashes those of other files that are written, as long as there is room.
func withOthers(path string, b []byte) []byte {
	old, err := disk.Read(path, hashesMost)
	others, wrong := decodeHashes(old)
	list, broken := decodeHashes(b)
	if err != nil || wrong != nil || broken != nil {
		return b
	}
	mine := map[string]bool{}
	for _, k := range list {
		mine[k.path] = true
	}
	for _, k := range others {
		if !mine[k.path] && len(list) < MaxLibraryFiles {
			list = append(list, k)
		}
	}
	slices.SortFunc(list, func(a, b romHash) int { return strings.Compare(a.path, b.path) })
	all, err := encodeHashes(list)
	if err != nil || len(all) > hashesMost {
		return b
	}
	return all
}

func encodeHashes(list []romHash) ([]byte, error) {
	c := wire.Writer([]byte(hashesMagic))
	wire.List(c, "hashes", &list, MaxLibraryFiles, romHashFields)
	return c.Bytes(), c.Err()
}

func decodeHashes(b []byte) (list []romHash, err error) {
	c := wire.Reader(b)
	if string(c.Take("magic", len(hashesMagic))) != hashesMagic {
		c.Fail("magic", "these are no hashes of ROMs")
	}
	wire.List(c, "hashes", &list, MaxLibraryFiles, romHashFields)
	return list, c.End()
}
