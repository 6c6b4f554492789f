package emucore

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"math/bits"
	"os"
	"sync"

	"github.com/nettplay/nettplay/emucore/banner"
	"github.com/nettplay/nettplay/internal/disk"
)

// A dump of a cartridge may be full, or trimmed behind what the game uses, or padded to another size.
// All of these are one game: its image is what the game uses, filled up with FF to the cartridge's
// capacity. The image is what is hashed, compared between machines and handed to a core, whatever
// file it came from. A file that holds anything else behind what the header claims is used whole.
//
//	014  u8   capacity: 128 KiB << n
//	080  u32  used size; behind it, in full dumps of some games, 136 bytes of signature for Download Play
//	210  u32  used size with the DSi's part, in games with unit code 2
//
// (GBATEK, "DS Cartridge Header" and "DSi Cartridge Header".) The length of the image is a part of it: it reaches
// games as the chip ID of their cartridge.
const (
	capacityAt   = 0x14
	capacityUnit = 128 << 10
	capacityMost = 12 // MaxROMSize
	usedAt       = 0x80
	usedDSiAt    = 0x210
	usedDSiEnd   = usedDSiAt + 4

	signatureSize  = 136
	signatureBegin = "ac"

	unitDSiToo = 2
)

// romImage is the image of a game in terms of its file. The zero value stands for the file as it is.
type romImage struct {
	used int64 // so many bytes of the file
	size int64 // with FF behind them; at least used
}

// plain reports whether the file is the image.
func (i romImage) plain(fileSize int64) bool {
	return i.size == 0 || i.used == fileSize && i.size == fileSize
}

// imageOf finds the image of a ROM, which must have at least a header, in a file of size bytes.
func imageOf(f io.ReaderAt, size int64) (romImage, error) {
	head := make([]byte, min(size, usedDSiEnd))
	if _, err := f.ReadAt(head, 0); err != nil {
		return romImage{}, err
	}
	used := int64(binary.LittleEndian.Uint32(head[usedAt:]))
	if head[0x12] == unitDSiToo && len(head) == usedDSiEnd {
		used = max(used, int64(binary.LittleEndian.Uint32(head[usedDSiAt:])))
	}
	if used < MinROMSize || used > size {
		used = size // nonsense, or trimmed further than that: what was cut away can only have been FF
	} else {
		begin := make([]byte, len(signatureBegin))
		if size-used >= signatureSize {
			if _, err := f.ReadAt(begin, used); err != nil {
				return romImage{}, err
			}
		}
		if string(begin) == signatureBegin {
			used += signatureSize
		}
		filler, err := isFiller(io.NewSectionReader(f, used, size-used))
		if err != nil {
			return romImage{}, err
		}
		if !filler {
			used = size
		}
	}
	used, err := withoutFF(f, used)
	if err != nil {
		return romImage{}, err
	}
	return romImage{used: used, size: capacity(head[capacityAt], used)}, nil
}

// unsigned reports whether a dump of size bytes that begins so ends where a signature would be.
func unsigned(head []byte, size int64) bool {
	used := int64(binary.LittleEndian.Uint32(head[usedAt:]))
	licensed := banner.CRC16(head[logoAt:logoCRCAt]) == logoCRC
	return licensed && used >= MinROMSize && size < used+signatureSize && size < capacity(head[capacityAt], used)
}

// capacity is the size of a cartridge: what its header says, or else the next power of two.
func capacity(n byte, used int64) int64 {
	if n <= capacityMost && int64(capacityUnit)<<n >= used {
		return capacityUnit << n
	}
	return max(capacityUnit, int64(1)<<bits.Len64(uint64(used-1)))
}

// The bytes that fill cartridges and dumps behind a game, in blocks.
var (
	blockOf00 = make([]byte, 64<<10)
	blockOfFF = bytes.Repeat([]byte{0xff}, 64<<10)
)

// isFiller reports whether all bytes are FF, or all are 0.
func isFiller(r io.Reader) (bool, error) {
	buf := make([]byte, len(blockOfFF))
	var filler []byte
	for {
		n, err := io.ReadFull(r, buf)
		if n > 0 && filler == nil {
			filler = blockOfFF
			if buf[0] == 0 {
				filler = blockOf00
			}
		}
		if !bytes.Equal(buf[:n], filler[:n]) {
			return false, nil
		}
		switch err {
		case nil:
		case io.EOF, io.ErrUnexpectedEOF:
			return true, nil
		default:
			return false, err
		}
	}
}

// withoutFF returns where the first size bytes of a file end without the FF at their end, but never amid the header.
func withoutFF(f io.ReaderAt, size int64) (int64, error) {
	buf := make([]byte, len(blockOfFF))
	for size > MinROMSize {
		n := min(int64(len(buf)), size-MinROMSize)
		if _, err := f.ReadAt(buf[:n], size-n); err != nil {
			return 0, err
		}
		rest := n
		if bytes.Equal(buf[:n], blockOfFF[:n]) {
			rest = 0
		}
		for rest > 0 && buf[rest-1] == 0xff {
			rest--
		}
		size -= n - rest
		if rest > 0 {
			break
		}
	}
	return size, nil
}

// read reads a ROM's file of fileSize bytes once, writes its image, and returns the SHA-256 of both. A file of another size is
// ErrROMChanged.
func (i romImage) read(f io.ReaderAt, fileSize int64, w io.Writer) (sum, fileSum [32]byte, err error) {
	used := sha256.New()
	n, err := io.Copy(io.MultiWriter(w, used), io.NewSectionReader(f, 0, i.used))
	if err != nil {
		return sum, fileSum, err
	}
	file, err := used.(hash.Cloner).Clone()
	if err != nil {
		return sum, fileSum, err
	}
	rest, err := io.Copy(file, io.NewSectionReader(f, i.used, fileSize-i.used+1))
	if err != nil {
		return sum, fileSum, err
	}
	if n+rest != fileSize {
		return sum, fileSum, fmt.Errorf("%d bytes, was %d: %w", n+rest, fileSize, ErrROMChanged)
	}
	if err := writeFF(io.MultiWriter(w, used), i.size-i.used); err != nil {
		return sum, fileSum, err
	}
	used.Sum(sum[:0])
	file.Sum(fileSum[:0])
	return sum, fileSum, nil
}

// readOrPlain is the SHA-256 of the image and of the file, also where the file is to be taken as it is.
func (i romImage) readOrPlain(f io.ReaderAt, fileSize int64) (sum, fileSum [32]byte, err error) {
	if i.size == 0 {
		i = romImage{fileSize, fileSize}
	}
	return i.read(f, fileSize, io.Discard)
}

// fill makes the image of the file f, which holds the ROM's file.
func (i romImage) fill(f *os.File) error {
	if err := f.Truncate(i.used); err != nil {
		return err
	}
	if _, err := f.Seek(i.used, io.SeekStart); err != nil {
		return err
	}
	return writeFF(f, i.size-i.used)
}

func writeFF(w io.Writer, n int64) error {
	for ; n > 0; n -= int64(len(blockOfFF)) {
		if _, err := w.Write(blockOfFF[:min(n, int64(len(blockOfFF)))]); err != nil {
			return err
		}
	}
	return nil
}

// imageFile is a ROM's image as a worker gets it.
type imageFile struct {
	*os.File
	close func()
}

// Close lets go of it; more than once does no harm.
func (f *imageFile) Close() error {
	f.close()
	return nil
}

// images are those that are in memory, once each, for as long as a console uses them.
var images struct {
	mu sync.Mutex // guards what follows
	by map[[32]byte]*sharedImage
}

// sharedImage is an image in memory.
type sharedImage struct {
	made  chan struct{} // closed once file or err are set
	file  *os.File
	err   error
	users int // guarded by images.mu
}

// open opens the ROM to start a console from it: the worker gets this very file, not its name, or one in memory that all
// consoles of the game share. It fails with ErrROMChanged where file or image are not what they were.
func (r *ROM) open(ctx context.Context) (*imageFile, error) {
	if r.Unread() {
		return nil, fmt.Errorf("ROM %s: it has not been read", r.Path)
	}
	if romAsItIs && r.Archive == "" && r.image.plain(r.FileSize) {
		f, err := openSame("ROM", r.Path, r.FileSize, r.SHA256, ErrROMChanged)
		if err != nil {
			return nil, err
		}
		return &imageFile{f, func() { f.Close() }}, nil
	}
	images.mu.Lock()
	shared, there := images.by[r.SHA256]
	if !there {
		shared = &sharedImage{made: make(chan struct{})}
		if images.by == nil {
			images.by = map[[32]byte]*sharedImage{}
		}
		images.by[r.SHA256] = shared
	}
	shared.users++
	images.mu.Unlock()
	f := &imageFile{close: sync.OnceFunc(func() { shared.leave(r.SHA256) })}
	if !there {
		shared.file, shared.err = r.inMemory(ctx)
		if shared.err != nil { // whoever comes later tries again
			images.mu.Lock()
			delete(images.by, r.SHA256)
			images.mu.Unlock()
		}
		close(shared.made)
	}
	select {
	case <-shared.made:
	case <-ctx.Done():
		f.Close()
		return nil, ctx.Err()
	}
	if shared.err != nil {
		f.Close()
		if !there || ctx.Err() != nil || !errors.Is(shared.err, context.Canceled) {
			return nil, shared.err
		}
		return r.open(ctx) // whoever made it gave up
	}
	f.File = shared.file
	return f, nil
}

// leave lets go of a shared image.
func (s *sharedImage) leave(sum [32]byte) {
	images.mu.Lock()
	defer images.mu.Unlock()
	if s.users--; s.users > 0 {
		return
	}
	if images.by[sum] == s {
		delete(images.by, sum)
	}
	if s.file != nil {
		dropSealed(s.file)
	}
}

// inMemory makes the image in a file in memory that nobody can change any more.
func (r *ROM) inMemory(ctx context.Context) (*os.File, error) {
	if r.Archive != "" {
		return r.unpackImage(ctx)
	}
	f, _, err := disk.Open(r.Path)
	if err != nil {
		return nil, fmt.Errorf("open ROM: %w", err)
	}
	defer f.Close()
	used := r.image
	if used.size == 0 {
		used = romImage{r.FileSize, r.FileSize}
	}
	image, err := sealedFile("nettplay-rom", func(w *os.File) error {
		sum, fileSum, err := used.read(beating{f, func() {}, ctx}, r.FileSize, w)
		if err == nil && (sum != r.SHA256 || fileSum != r.FileSHA256) {
			err = ErrROMChanged
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("ROM %s: %w", r.Path, err)
	}
	return image, nil
}
