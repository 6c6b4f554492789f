package emucore

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/nettplay/nettplay/internal/atomicfile"
	"github.com/nettplay/nettplay/internal/regular"
	"github.com/nettplay/nettplay/internal/wire"
)

// The hashes of ROMs in a file, so that a library reads each of them once and not at each start:
//
//	magic     9 bytes  "npromhash"
//	version   1 byte   2
//	list 20,000
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
	hashesMost  = 16 << 20 // bytes of the file
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

// open opens a ROM as [OpenROM] does, without reading all of it if its hash is known.
func (h *romHashes) open(path string, file romFile) (*ROM, error) {
	if h.path == "" || len(path) > pathMost {
		return OpenROM(path)
	}
	h.load()
	if k, known := h.known[path]; known && k.file == file {
		if r, err := openKnown(path, k); err == nil {
			return r, nil
		}
	}
	r, err := OpenROM(path)
	if err == nil && time.Since(time.Unix(0, int64(max(file.changed, file.status)))) >= h.rest {
		h.known[path] = romHash{path, file, romContents{r.image, r.SHA256, r.FileSHA256}}
		h.unsaved = true
	}
	return r, err
}

// openKnown opens a ROM of which the hash is known.
func openKnown(path string, k romHash) (*ROM, error) {
	f, size, err := openROMFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if fileOf(st) != k.file {
		return nil, ErrROMChanged
	}
	return readROM(f, path, size, func() (romContents, error) { return k.contents, nil })
}

// fileOf names a file's contents.
func fileOf(st fs.FileInfo) romFile {
	sys := st.Sys().(*syscall.Stat_t)
	return romFile{uint64(st.Size()), uint64(st.ModTime().UnixNano()), uint64(sys.Ctim.Nano()), sys.Ino}
}

// load reads the file once.
func (h *romHashes) load() {
	if h.known != nil {
		return
	}
	h.known = make(map[string]romHash)
	b, err := regular.Read(h.path, hashesMost)
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

// save writes the file, if there is something new. Without it all works, and takes longer.
func (h *romHashes) save() {
	if !h.unsaved {
		return
	}
	h.unsaved = false
	var list []romHash
	for path, k := range h.known {
		if st, err := os.Stat(path); err == nil && fileOf(st) == k.file {
			list = append(list, k)
		}
	}
	slices.SortFunc(list, func(a, b romHash) int { return strings.Compare(a.path, b.path) })
	b, err := encodeHashes(list[:min(len(list), MaxLibraryFiles)])
	if err != nil || len(b) > hashesMost {
		return
	}
	_ = atomicfile.WritePrivate(h.path, b)
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
