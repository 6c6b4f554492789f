package corestore

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// library is an unpacked core that has not run yet.
type library struct {
	path string
	sha  [32]byte
	crc  uint32
}

// Limits of an archive: melonDS DS's have three files in two folders.
const (
	maxEntries   = 100
	maxDirectory = 64 << 10 // bytes
)

// findLibrary returns the file of an archive that is the core: the only one of that name,
// and the only core. An archive that anything is wrong with is refused as a whole.
func findLibrary(archive io.ReaderAt, size int64, name string) (*zip.File, error) {
	if err := boundDirectory(archive, size); err != nil {
		return nil, err
	}
	z, err := zip.NewReader(archive, size)
	if err != nil {
		return nil, fmt.Errorf("it is a damaged zip file: %w", err)
	}
	if len(z.File) > maxEntries {
		return nil, fmt.Errorf("%d files are too many", len(z.File))
	}
	var found *zip.File
	for _, f := range z.File {
		folder := strings.HasSuffix(f.Name, "/")
		switch {
		case f.Name == "" || len(f.Name) > maxText || strings.ContainsAny(f.Name, "\\\x00:") || !filepath.IsLocal(path.Clean(f.Name)) || strings.HasPrefix(f.Name, "/") || strings.Contains("/"+f.Name+"/", "/../"):
			return nil, fmt.Errorf("it has a file with the path %.80q", f.Name)
		case f.Mode()&^fs.ModePerm != 0 && (!folder || f.Mode().Type() != fs.ModeDir):
			return nil, fmt.Errorf("it has an entry that is not a regular file, such as a link: %.80q", f.Name)
		case folder || !strings.HasSuffix(f.Name, librarySuffix):
			continue
		case found != nil:
			return nil, fmt.Errorf("it has two cores in it, %.80q and %.80q", found.Name, f.Name)
		case path.Base(f.Name) != name:
			return nil, fmt.Errorf("its core is %.80q, not %s", f.Name, name)
		}
		found = f
	}
	switch {
	case found == nil:
		return nil, fmt.Errorf("it has no %s in it", name)
	case found.UncompressedSize64 == 0 || found.UncompressedSize64 > MaxLibrary:
		return nil, &Failure{Reason: TooLarge, Why: fmt.Sprintf("the core in the archive has %d bytes, allowed are 1 to %d", found.UncompressedSize64, MaxLibrary)}
	}
	return found, nil
}

// boundDirectory bounds the list of files at the end of an archive, which package zip would
// read whole, whatever its size. Its end is found by the last 22 bytes, behind which stands only
// a comment:
//
//	"PK\5\6"  disk u16 x2  entries u16 x2  size u32  offset u32  comment u16
func boundDirectory(archive io.ReaderAt, size int64) error {
	const length, comment = 22, 1<<16 - 1
	tail := make([]byte, min(size, length+comment))
	if _, err := archive.ReadAt(tail, size-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	i := bytes.LastIndex(tail, []byte("PK\x05\x06"))
	if i < 0 || len(tail)-i < length {
		return errors.New("it is not a zip file, or only the beginning of one")
	}
	end := tail[i:]
	entries, long := binary.LittleEndian.Uint16(end[10:]), int64(binary.LittleEndian.Uint32(end[12:]))
	offset := int64(binary.LittleEndian.Uint32(end[16:]))
	at := size - int64(len(tail)) + int64(i)
	if entries > maxEntries || long > maxDirectory || offset+long != at {
		return fmt.Errorf("its list of files is damaged or too large (%d files, %d bytes)", entries, long)
	}
	return nil
}

// unpack takes the core out of the archive, and checks what can be checked without running it.
func (j *job) unpack(archive io.ReaderAt, size int64) (lib library, err error) {
	file, err := findLibrary(archive, size, j.offer.File())
	var f *Failure
	switch {
	case errors.As(err, &f):
		return lib, j.fail(f.Reason, nil, "%s", f.Why)
	case err != nil && isPageAt(archive):
		return lib, j.fail(NotAnArchive, err, "a web page came instead of an archive")
	case err != nil:
		return lib, j.fail(NotAnArchive, err, "%v", err)
	}
	lib.path = j.path(j.offer.File())
	if err := j.extract(file, &lib); err != nil {
		return lib, err
	}
	if j.offer.CRC32 != 0 && lib.crc != j.offer.CRC32 {
		return lib, j.fail(Altered, nil, "the core's CRC-32 is %08x, and the source announced %08x", lib.crc, j.offer.CRC32)
	}
	return lib, j.checkMachine(lib.path)
}

// isPageAt reports whether a file begins as HTML does.
func isPageAt(r io.ReaderAt) bool {
	head := make([]byte, 512)
	n, _ := r.ReadAt(head, 0)
	return isPage(head[:n])
}

// extract writes the core to its file.
func (j *job) extract(file *zip.File, lib *library) error {
	in, err := file.Open()
	if err != nil {
		return j.fail(NotAnArchive, err, "it is a damaged zip file: %v", err)
	}
	defer in.Close()
	out, err := os.OpenFile(lib.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return diskFailure(j.what, lib.path, err)
	}
	defer out.Close()
	sha, crc := sha256.New(), crc32.NewIEEE()
	counted := &counter{w: io.MultiWriter(j.client.Store.wrap(out), sha, crc), progress: func(Progress) {}}
	declared := int64(file.UncompressedSize64)
	n, err := io.Copy(counted, io.LimitReader(in, declared+1))
	switch {
	case errors.Is(err, errWrite):
		return diskFailure(j.what, lib.path, err)
	case err != nil:
		return j.fail(NotAnArchive, err, "it is a damaged zip file: %v", err)
	case n != declared:
		return j.fail(NotAnArchive, nil, "the core in it has not the %d bytes that it says", declared)
	}
	if err := out.Sync(); err != nil {
		return diskFailure(j.what, lib.path, err)
	}
	lib.sha, lib.crc = [32]byte(sha.Sum(nil)), crc.Sum32()
	return nil
}

// checkMachine reads the head of the library: whom it is for.
func (j *job) checkMachine(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return diskFailure(j.what, path, err)
	}
	defer f.Close()
	if reason, err := j.client.Platform.check(f); err != nil {
		return j.fail(reason, err, "%v", err)
	}
	return nil
}
