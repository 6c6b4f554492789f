// Package archive reads the files in a .zip or .7z archive, which may be anybody's. Everything is bounded before
// memory is taken for it: the list of files, the dictionary of a decoder, the size of a file. A file is unpacked as a
// stream, and never more of it than the list says. Errors are for people: they say what is wrong in a few words, and
// the caller names the archive.
package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"path"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/nettplay/nettplay/internal/phrase"
)

// The limits of an archive.
const (
	MaxEntries = 10_000
	MaxName    = 1024 // bytes of one name, with its folders
	// MaxBefore is how much may have to be unpacked before a file, in a 7z archive whose files are packed as one.
	MaxBefore = 16 << 30
	// MaxDictionary is the memory, in bytes, that a decoder may take: that of an archive with the largest cartridge in it.
	MaxDictionary = 512 << 20

	maxList = 8 << 20 // bytes of the list of files
)

// Archive is an open archive.
type Archive struct {
	// Entries are the files in their order. Folders are none.
	Entries []Entry
}

// Entry is a file in an archive.
type Entry struct {
	Name   string // with "/" between folders; a local path, valid UTF-8, without control characters
	Size   int64  // bytes unpacked, as the list says
	Before int64  // bytes that have to be unpacked before it
	Why    string // why it cannot be unpacked, in words for people; "" where it can

	crc  uint32
	sum  bool // crc is that of the file
	open func(ctx context.Context, glance bool) (io.ReadCloser, error)
}

// The first bytes of archives.
const (
	zipBegin   = "PK\x03\x04"
	zipEmpty   = "PK\x05\x06"
	sevenBegin = "7z\xbc\xaf\x27\x1c"
)

// HeadSize is how many of a file's first bytes [Is] looks at.
const HeadSize = 6

// Is reports whether a file that begins so is an archive that [Open] opens.
func Is(head []byte) bool {
	for _, begin := range []string{zipBegin, zipEmpty, sevenBegin} {
		if bytes.HasPrefix(head, []byte(begin)) {
			return true
		}
	}
	return false
}

// IsName knows archives by their names.
func IsName(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".zip", ".7z":
		return true
	}
	return false
}

// Open reads the list of an archive's files. The archive is used for as long as its entries are.
func Open(f io.ReaderAt, size int64) (a *Archive, err error) {
	defer recovered(&err)
	head := make([]byte, HeadSize)
	if n, err := f.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	} else if head = head[:n]; !Is(head) {
		return nil, errors.New("it is no zip or 7z archive")
	}
	var list []Entry
	if string(head) == sevenBegin {
		list, err = openSeven(f, size)
	} else {
		list, err = openZip(f, size)
	}
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for i := range list {
		e := &list[i]
		name, err := cleanName(e.Name)
		switch {
		case err != nil:
			e.Why = err.Error()
		case names[name]:
			e.Why = "there is another file of this name"
		case e.Size < 0 || e.Before < 0:
			e.Why = "it is damaged: its size cannot be"
		case e.Before > MaxBefore:
			e.Why = fmt.Sprintf("more than %d GiB of other files are packed before it", MaxBefore>>30)
		}
		names[name] = true
		e.Name = name
	}
	return &Archive{list}, nil
}

// cleanName brings a name into its usual form. Where it cannot be used the name is for people.
func cleanName(name string) (string, error) {
	if !utf8.ValidString(name) {
		name, _ = charmap.CodePage437.NewDecoder().String(name) // which takes all bytes
	}
	clean := path.Clean(strings.ReplaceAll(name, `\`, "/"))
	shown := phrase.Printable(phrase.Cut(clean, MaxName))
	switch {
	case len(name) > MaxName:
		return shown, fmt.Errorf("its name has %d bytes, at most %d can be", len(name), MaxName)
	case shown != clean:
		return shown, errors.New("its name has characters that names cannot have")
	case clean == "." || clean == ".." || strings.HasPrefix(clean, "/") || strings.HasPrefix(clean, "../") || strings.Contains("/"+strings.ReplaceAll(name, `\`, "/")+"/", "/../"):
		return shown, errors.New("its name leads out of the archive")
	}
	return clean, nil
}

// MaxGlance is how far into what is packed as one a glance may lead, in bytes.
const MaxGlance = 128 << 20

// Open unpacks the file. Reading gives exactly its bytes, or fails: the contents are checked when all of them have been
// read. Reading fails once ctx has ended.
func (e *Entry) Open(ctx context.Context) (io.ReadCloser, error) { return e.opened(ctx, false) }

// Glance opens the file to read a few of its first bytes: at most [MaxGlance] with all that is before it. Several files
// are best looked at in their order.
func (e *Entry) Glance(ctx context.Context) (io.ReadCloser, error) { return e.opened(ctx, true) }

func (e *Entry) opened(ctx context.Context, glance bool) (r io.ReadCloser, err error) {
	defer recovered(&err)
	if e.Why != "" {
		return nil, errors.New(e.Why)
	}
	in, err := e.open(ctx, glance)
	if err != nil {
		return nil, damaged(ctx, err)
	}
	return &reader{ctx: ctx, in: in, entry: e, sum: crc32.NewIEEE()}, nil
}

// reader reads one file.
type reader struct {
	ctx   context.Context
	in    io.ReadCloser
	entry *Entry
	n     int64
	sum   hash.Hash32
}

func (r *reader) Read(p []byte) (n int, err error) {
	defer recovered(&err)
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	left := r.entry.Size - r.n
	if left == 0 {
		return 0, r.end()
	}
	n, err = r.in.Read(p[:min(int64(len(p)), left)])
	if n < 0 || int64(n) > left {
		return 0, errDamaged
	}
	r.n += int64(n)
	r.sum.Write(p[:n])
	switch {
	case err == nil || errors.Is(err, io.EOF) && r.n == r.entry.Size:
		return n, nil // the end is looked at by the next call
	case errors.Is(err, io.EOF):
		return n, fmt.Errorf("it is damaged: it ends after %d of its %d bytes", r.n, r.entry.Size)
	}
	return n, damaged(r.ctx, err)
}

// end checks what was read.
func (r *reader) end() error {
	if r.entry.sum && r.sum.Sum32() != r.entry.crc {
		return fmt.Errorf("it is damaged: its CRC-32 is %08x, should be %08x", r.sum.Sum32(), r.entry.crc)
	}
	return io.EOF
}

func (r *reader) Close() (err error) {
	defer recovered(&err)
	return r.in.Close()
}

var errDamaged = errors.New("it is damaged")

// damaged says that something is wrong with packed data, unless it is said already.
func damaged(ctx context.Context, err error) error {
	if why, is := errors.AsType[*refusal](err); is {
		return why
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("%w (%v)", errDamaged, err)
}

// refusal says why something is not unpacked.
type refusal struct{ why string }

func (r *refusal) Error() string { return r.why }

func refuse(format string, args ...any) error { return &refusal{fmt.Sprintf(format, args...)} }

// recovered makes an error of a panic: decoders of others are not proof against all that can be in a file.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%w (%v)", errDamaged, p)
	}
}
