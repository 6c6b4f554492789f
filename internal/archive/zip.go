package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"strings"
)

// openZip reads the list of a zip archive's files.
func openZip(f io.ReaderAt, size int64) (list []Entry, err error) {
	size, err = boundZip(f, size)
	if err != nil {
		return nil, err
	}
	within := &budget{f: f, left: maxList + 256<<10} // package zip reads on behind the list's size while it finds entries
	z, err := zip.NewReader(within, size)
	if within.spent {
		return nil, refuse("its list of files has more than %d bytes", maxList)
	}
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, refuse("it is a damaged zip archive (%v)", err)
	}
	within.free = true
	if len(z.File) > MaxEntries {
		return nil, tooMany(uint64(len(z.File)))
	}
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		e := Entry{Name: f.Name, Size: int64(f.UncompressedSize64), Why: whyNotZip(f), crc: f.CRC32, sum: true}
		e.open = func(ctx context.Context, _ bool) (io.ReadCloser, error) { return f.Open() }
		list = append(list, e)
	}
	return list, nil
}

// whyNotZip says why a file cannot be unpacked; "" where it can.
func whyNotZip(f *zip.File) string {
	const encrypted = 1
	names := map[uint16]string{1: "Shrink", 6: "Implode", 9: "Deflate64", 12: "bzip2", 14: "LZMA", 93: "zstd", 95: "xz", 98: "PPMd"}
	switch {
	case f.Flags&encrypted != 0:
		return "it is encrypted: unpack it with its password"
	case f.Method == zip.Store || f.Method == zip.Deflate:
	case names[f.Method] != "":
		return "it is packed with " + names[f.Method] + ", which is not unpacked here"
	default:
		return "it is packed in a way that is not known here"
	}
	if t := f.Mode().Type(); t != 0 && t != fs.ModeIrregular {
		return "it is not a regular file"
	}
	return ""
}

// budget reads a file, and at most so many bytes of it until it is free.
type budget struct {
	f           io.ReaderAt
	left        int64
	free, spent bool
}

func (b *budget) ReadAt(p []byte, off int64) (int, error) {
	if b.free {
		return b.f.ReadAt(p, off)
	}
	if b.left -= int64(len(p)); b.left < 0 {
		b.spent = true
		return 0, io.ErrUnexpectedEOF
	}
	return b.f.ReadAt(p, off)
}

func tooMany(n uint64) error { return refuse("it has %d files, at most %d can be", n, MaxEntries) }

// boundZip finds the end of a zip archive, and bounds the list of files, which package zip would read whole, whatever its
// size. Like that package it takes the last record that looks like one, behind which stands only a comment; and the
// record of large archives (zip64) where a field of the first is full:
//
//	"PK\5\6"  disk u16 x2  entries u16 x2  size u32  offset u32  comment u16
//	"PK\6\7"  disk u32  offset of the large record u64  disks u32         before that one
//	"PK\6\6"  size u64  version u16 x2  disk u32 x2  entries u64 x2  size u64  offset u64
func boundZip(f io.ReaderAt, size int64) (end int64, err error) {
	const length, locator, large = 22, 20, 56
	tail := make([]byte, min(size, length+1<<16-1))
	at := size - int64(len(tail))
	if _, err := f.ReadAt(tail, at); err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	i := bytes.LastIndex(tail[:max(0, len(tail)-length+len(zipEmpty))], []byte(zipEmpty))
	if i < 0 {
		return 0, refuse("it is only the beginning of a zip archive, or a damaged one")
	}
	record := tail[i:]
	end = at + int64(i) + length + int64(binary.LittleEndian.Uint16(record[20:]))
	entries, long := uint64(binary.LittleEndian.Uint16(record[10:])), uint64(binary.LittleEndian.Uint32(record[12:]))
	if end > size {
		return 0, refuse("it is a damaged zip archive")
	}
	b := make([]byte, large)
	if before := at + int64(i) - locator; before >= 0 {
		if _, err := f.ReadAt(b[:locator], before); err != nil {
			return 0, err
		}
		if off := binary.LittleEndian.Uint64(b[8:]); string(b[:4]) == "PK\x06\x07" && off < uint64(before) {
			if _, err := f.ReadAt(b, int64(off)); err != nil && !errors.Is(err, io.EOF) {
				return 0, err
			}
			entries, long = max(entries%0xffff, binary.LittleEndian.Uint64(b[32:])), max(long%0xffffffff, binary.LittleEndian.Uint64(b[40:]))
		}
	}
	switch {
	case entries > MaxEntries:
		return 0, tooMany(entries)
	case long > maxList:
		return 0, refuse("its list of files has %d bytes, at most %d can be", long, maxList)
	}
	return end, nil
}
