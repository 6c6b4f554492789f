package emucore

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	"github.com/nettplay/nettplay/emucore/banner"
	"github.com/nettplay/nettplay/internal/disk"
)

// A ROM is a DS game on disk, in a file of its own or in an archive. Its file is not kept open.
//
// A ROM that a [Library] has only looked at is unread: its SHA256, Size and FileSHA256 are zero until [Library.Read] or
// [ROM.Read] has read it.
type ROM struct {
	Path   string   // absolute; of a game in an archive the archive's, "/", and the game's name in it
	SHA256 [32]byte // of the game's image: this is what tells games apart
	Size   int64    // bytes of the image

	// FileSHA256 and FileSize are those of the file, which may be trimmed or padded. Earlier versions identified games
	// by them.
	FileSHA256 [32]byte
	FileSize   int64

	Archive string // path of the archive that the game is in; "" for a file of its own

	Title string // of the header, at most 12 characters, printable ASCII; "" if the header has not been looked at
	Code  string // game code, 4 characters; "####" in homebrew

	// Revision is the game's revision in the header, 0 for the first. Encrypted says that the secure area is
	// encrypted, as on the cartridge. Patched says that the header does not match its checksum: it was modified.
	Revision  uint8
	Encrypted bool
	Patched   bool

	HeaderCRC uint32 // CRC-32 of the file's first 512 bytes, by which databases of cheats know games; 0 if not looked at

	// BannerTitle is the game's title in the DS menu, English or else Japanese, its lines joined by
	// spaces; "" without a banner. It is text from a file: printable, but not to be trusted to be short
	// or true.
	BannerTitle string

	// Unsigned tells that a licensed game's dump was trimmed where the game ends: had it a signature for Download Play behind
	// that, as games have that send themselves to consoles without a cartridge, it is lost. All else plays.
	Unsigned bool

	capacity byte           // of the header
	seen     bool           // the header was looked at
	secure   int64          // offset of the secure area, 0 for none
	bannerAt int64          // offset of the banner, 0 for none
	banner   *banner.Banner // nil: not read, or none
	image    romImage
	other    [32]byte // see Other
}

// NotROMError says why a file is not a playable DS ROM.
type NotROMError struct {
	Path string
	Why  string // a sentence for people, without the path
}

func (e *NotROMError) Error() string {
	return fmt.Sprintf("%s: %s", e.Path, e.Why)
}

// ErrROMChanged is matched by errors about files that have changed since
// OpenROM read them.
var ErrROMChanged = errors.New("the file has changed since it was opened")

// OpenROM reads and checks the ROM at path and hashes its image and the file, at some 0.5 ms a
// megabyte. The path may lead into an archive, as in "games.zip/Game.nds"; that of an archive with one game in it is
// enough. A file that is not a DS ROM gives a *NotROMError, one that cannot be
// read the error of the operating system.
func OpenROM(path string) (*ROM, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("opening ROM %s: %w", path, err)
	}
	file, name := splitArchive(abs)
	found, err := readGameFile(context.Background(), file, func() {})
	if err != nil {
		return nil, err
	}
	r, err := found.pick(file, name)
	if err != nil {
		return nil, err
	}
	return r.Read(context.Background())
}

// Unread reports whether at most the header was read.
func (r *ROM) Unread() bool { return r.SHA256 == [32]byte{} }

// Read returns the game with its hashes, reading the file if they are unknown.
func (r *ROM) Read(ctx context.Context) (*ROM, error) {
	if !r.Unread() {
		return r, nil
	}
	return r.read(ctx, func() {})
}

// read reads the game, and calls beat as long as the disk answers.
func (r *ROM) read(ctx context.Context, beat func()) (*ROM, error) {
	f, err := r.openFile(ctx, beat)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := beating{f, beat, ctx}
	read, err := readHeader(in, r.Path, r.FileSize)
	if err != nil {
		return nil, err
	}
	c, err := contentsOf(in, r.FileSize)
	if err != nil {
		return nil, fmt.Errorf("hashing ROM %s: %w", r.Path, err)
	}
	read.Archive = r.Archive
	return read.with(c), nil
}

// openFile opens the file of a ROM, which has the size that it had.
func (r *ROM) openFile(ctx context.Context, beat func()) (*os.File, error) {
	if r.Archive != "" {
		return r.unpack(ctx, beat)
	}
	f, size, err := openROMFile(r.Path)
	if err == nil && size != r.FileSize {
		f.Close()
		return nil, fmt.Errorf("ROM %s: %d bytes, was %d: %w", r.Path, size, r.FileSize, ErrROMChanged)
	}
	return f, err
}

// with returns the ROM with the facts that need its whole file.
func (r *ROM) with(c romContents) *ROM {
	read := *r
	read.image, read.Size, read.SHA256, read.FileSHA256 = c.image, c.image.size, c.sum, c.fileSum
	read.other = read.FileSHA256
	return &read
}

// contents is what with took.
func (r *ROM) contents() romContents { return romContents{r.image, r.SHA256, r.FileSHA256} }

// beating is a reader that reports after each piece that the disk answers, and stops once its context has ended.
type beating struct {
	f    io.ReaderAt
	beat func()
	ctx  context.Context
}

func (b beating) ReadAt(p []byte, off int64) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := b.f.ReadAt(p, off)
	b.beat()
	return n, err
}

// romContents are the facts about a ROM that need its whole file.
type romContents struct {
	image        romImage
	sum, fileSum [32]byte // SHA-256 of the image and of the file
}

func contentsOf(f io.ReaderAt, size int64) (c romContents, err error) {
	if c.image, err = imageOf(f, size); err != nil {
		return c, err
	}
	c.sum, c.fileSum, err = c.image.read(f, size, io.Discard)
	return c, err
}

// AsFile returns the game as its file has it, instead of its image: earlier versions played and recorded that.
func (r *ROM) AsFile() *ROM {
	c := *r
	c.SHA256, c.Size, c.image, c.other = r.FileSHA256, r.FileSize, romImage{}, r.SHA256
	return &c
}

// Other is the SHA-256 by which the same game goes, too: its file's, or its image's for one that is as its file. It may
// be the same.
func (r *ROM) Other() [32]byte { return r.other }

// As returns the game by a SHA-256 that names it: its image's, or its file's, and then as the file is. It is nil where
// neither is, and while the game is unread.
func (r *ROM) As(sum [32]byte) *ROM {
	switch {
	case r.Unread():
	case sum == r.SHA256:
		return r
	case sum == r.FileSHA256:
		return r.AsFile()
	}
	return nil
}

// openROMFile opens a file that may be a ROM and returns its size in bytes.
func openROMFile(path string) (*os.File, int64, error) {
	return openFile("ROM", path, func(why string) error { return &NotROMError{path, why} })
}

// openFile opens a file that may be a ROM or a core, whatever what says; refuse makes the
// error for one that is not a file.
func openFile(what, path string, refuse func(why string) error) (*os.File, int64, error) {
	st, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, 0, fmt.Errorf("opening %s: %w", what, err)
	case st.IsDir():
		return nil, 0, refuse("it is a folder, not a " + what)
	case !st.Mode().IsRegular():
		return nil, 0, refuse("it is not a regular file (" + disk.Kind(st.Mode()) + ")")
	}
	f, size, err := disk.Open(path)
	if err != nil {
		return nil, 0, fmt.Errorf("opening %s: %w", what, err)
	}
	return f, size, nil
}

// readHeader checks the file f of size bytes, reading only header and banner.
func readHeader(f io.ReaderAt, path string, size int64) (*ROM, error) {
	head := make([]byte, min(size, MinROMSize))
	if _, err := f.ReadAt(head, 0); err != nil {
		return nil, fmt.Errorf("reading the header of ROM %s: %w", path, err)
	}
	h, err := parseHeader(head, size)
	if err != nil {
		return nil, &NotROMError{path, err.Error()}
	}
	r := h.rom(head, path, size)
	if b, err := banner.Read(f, r.bannerAt, size); err == nil {
		r.banner, r.BannerTitle = b, b.Title()
	} // a ROM may have no banner, or a broken one: it plays all the same
	r.Encrypted = isEncrypted(f, r.secure)
	return r, nil
}

// rom is the ROM of size bytes at path whose first bytes, head, were parsed.
func (h header) rom(head []byte, path string, size int64) *ROM {
	return &ROM{
		Path: path, FileSize: size, Title: h.title, Code: h.code, Revision: h.revision, Patched: h.patched,
		Unsigned: unsigned(head, size), HeaderCRC: crc32.ChecksumIEEE(head[:MinROMSize]),
		bannerAt: h.banner, secure: h.secure, capacity: head[capacityAt], seen: true,
	}
}

// hashFile hashes f, which must still have size bytes; otherwise the error is changed.
func hashFile(f *os.File, size int64, changed error) (sum [32]byte, err error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return sum, err
	}
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(f, size+1))
	if err != nil {
		return sum, err
	}
	if n != size {
		return sum, fmt.Errorf("%d bytes, was %d: %w", n, size, changed)
	}
	h.Sum(sum[:0])
	return sum, nil
}

// openSame opens a ROM or a core, whatever what says, to start from it: the worker gets
// this very file, not its name. The error is changed where it is not what it was.
func openSame(what, path string, size int64, sum [32]byte, changed error) (*os.File, error) {
	f, _, err := disk.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", what, err)
	}
	now, err := hashFile(f, size, changed)
	if err == nil && now != sum {
		err = changed
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s %s: %w", what, path, err)
	}
	return f, nil
}

// Banner returns the ROM's banner, its titles and its icon, which is read where that was not done yet. It fails when
// there is none; a ROM need not have one.
func (r *ROM) Banner() (*banner.Banner, error) {
	if r.banner != nil {
		return r.banner, nil
	}
	if r.Archive != "" || r.bannerAt == 0 { // it was looked for
		return nil, errors.New("the ROM has no banner")
	}
	f, size, err := openROMFile(r.Path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return banner.Read(f, r.bannerAt, size)
}
