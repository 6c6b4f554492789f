package emucore

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/nettplay/nettplay/emucore/banner"
	"github.com/nettplay/nettplay/internal/archive"
	"github.com/nettplay/nettplay/internal/phrase"
)

// Games in archives. Their headers and banners are read for a list, of an archive's first games; a whole game is
// unpacked only to be played, into memory.

// bannerReach is how far into a game its banner is looked for where all before it must be unpacked.
const bannerReach = 8 << 20

// FileOf is the file that a path leads to or into: of "games.zip/Game.nds" it is "games.zip".
func FileOf(path string) string {
	file, _ := splitArchive(path)
	return file
}

// CountGames counts the games in an archive; 1 for a game in a file of its own.
func CountGames(path string) (int, error) {
	found, err := readGameFile(context.Background(), path, func() {})
	return len(found.roms), err
}

// looked is what there is in a file.
type looked struct {
	roms []*ROM         // unread
	not  []*NotROMError // what looks like a game and is none
}

// splitArchive splits a path that leads into an archive, as "games.zip/Game.nds" or, as RetroArch has it,
// "games.zip#Game.nds". The name is "" for a path that does not.
func splitArchive(path string) (file, name string) {
	if _, err := os.Lstat(path); err == nil {
		return path, ""
	}
	for at := len(path) - 1; at > 0; at-- {
		if path[at] != filepath.Separator && path[at] != '#' || !archive.IsName(path[:at]) {
			continue
		}
		if st, err := os.Stat(path[:at]); err == nil && st.Mode().IsRegular() {
			return path[:at], filepath.ToSlash(path[at+1:])
		}
	}
	return path, ""
}

// readGameFile looks at a file that may be a ROM or an archive, and calls beat as long as the disk answers.
func readGameFile(ctx context.Context, path string, beat func()) (looked, error) {
	f, size, err := openROMFile(path)
	if err != nil {
		return looked{}, err
	}
	defer f.Close()
	in := beating{f, beat, ctx}
	head := make([]byte, min(size, MinROMSize))
	if _, err := in.ReadAt(head, 0); err != nil {
		return looked{}, fmt.Errorf("reading ROM %s: %w", path, err)
	}
	if _, err := parseHeader(head, size); err != nil && archive.Is(head) { // a game may be called "PK"
		return readArchive(ctx, in, path, size)
	}
	r, err := readHeader(in, path, size)
	if err != nil {
		return looked{}, err
	}
	return looked{roms: []*ROM{r}}, nil
}

// readArchive looks at the games in an archive.
func readArchive(ctx context.Context, f io.ReaderAt, path string, size int64) (l looked, err error) {
	a, err := archive.Open(f, size)
	if ctx.Err() != nil {
		return l, ctx.Err()
	}
	if err != nil {
		return l, &NotROMError{path, err.Error()}
	}
	inner, spent := "", int64(0)
	for i := range a.Entries {
		e := &a.Entries[i]
		if inner == "" && otherArchive(e.Name) {
			inner = e.Name
		}
		if !IsGameName(e.Name) {
			continue
		}
		r, n, err := readEntry(ctx, e, path, spent)
		spent += n
		if ctx.Err() != nil {
			return looked{}, ctx.Err()
		}
		if err != nil {
			l.not = append(l.not, &NotROMError{path + "/" + e.Name, err.Error()})
			continue
		}
		l.roms = append(l.roms, r)
	}
	if len(l.roms)+len(l.not) == 0 {
		why := "there is no DS game (.nds) in it"
		if inner != "" {
			why += fmt.Sprintf(", but another archive, %s: unpack it", phrase.Printable(inner))
		}
		return l, &NotROMError{path, why}
	}
	return l, nil
}

// readEntry looks at a game in an archive, of which so many bytes were unpacked before. It returns how many more were.
func readEntry(ctx context.Context, e *archive.Entry, path string, spent int64) (r *ROM, n int64, err error) {
	at := path + "/" + e.Name
	head := make([]byte, min(max(e.Size, 0), MinROMSize))
	switch {
	case e.Why != "":
		return nil, 0, fmt.Errorf("%s", e.Why)
	case e.Size > MaxROMSize:
		return nil, 0, checkKind(head, e.Size)
	case max(e.Before, spent)+bannerReach > archive.MaxGlance:
		return &ROM{Path: at, Archive: path, FileSize: e.Size}, 0, nil // it goes by its name until it is played
	}
	in, err := e.Glance(ctx)
	if err != nil {
		return nil, 0, err
	}
	defer in.Close()
	if _, err := io.ReadFull(in, head); err != nil {
		return nil, 0, err
	}
	n = int64(len(head))
	h, err := parseHeader(head, e.Size)
	if err != nil {
		return nil, n, err
	}
	r = h.rom(head, at, e.Size)
	r.Archive = path
	if h.banner >= n && h.banner < bannerReach {
		skipped, _ := io.CopyN(io.Discard, in, h.banner-n) // what is damaged there is found when it is played
		n += skipped
		b := make([]byte, banner.Size)
		if _, err := io.ReadFull(in, b); err == nil {
			n += banner.Size
			if r.banner, err = banner.Parse(b); err == nil {
				r.BannerTitle = r.banner.Title()
			}
		}
	}
	return r, n, nil
}

// otherArchive knows archives in archives by their names.
func otherArchive(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".zip", ".7z", ".rar", ".gz", ".xz", ".zst", ".tar":
		return true
	}
	return false
}

// pick takes the game of a name of a file: where there is but one it need not be named.
func (l looked) pick(file, name string) (*ROM, error) {
	for _, r := range l.roms {
		if name != "" && strings.EqualFold(r.Path, file+"/"+name) || name == "" && len(l.roms) == 1 {
			return r, nil
		}
	}
	for _, not := range l.not {
		if name != "" && strings.EqualFold(not.Path, file+"/"+name) || len(l.roms) == 0 && len(l.not) == 1 {
			return nil, not
		}
	}
	switch {
	case len(l.roms) == 0:
		return nil, &NotROMError{file, fmt.Sprintf("none of the %d games in it can be played; %s: %s", len(l.not), l.not[0].Path[len(file)+1:], l.not[0].Why)}
	case name != "" && l.roms[0].Archive == "":
		return nil, &NotROMError{file, "it is no archive"}
	case name != "":
		return nil, &NotROMError{file, fmt.Sprintf("there is no %s in it, but %s", phrase.Printable(name), l.names(file))}
	}
	return nil, &NotROMError{file, fmt.Sprintf("there are %d games in it, %s: name one of them, as in %q", len(l.roms), l.names(file), filepath.Base(file)+l.roms[0].Path[len(file):])}
}

// names are those of the games in an archive, or of the first.
func (l looked) names(file string) string {
	const most = 5
	var names []string
	for _, r := range l.roms[:min(len(l.roms), most)] {
		names = append(names, r.Path[len(file)+1:])
	}
	if len(l.roms) > most {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}

// unpack unpacks the ROM's file into memory.
func (r *ROM) unpack(ctx context.Context, beat func()) (*os.File, error) {
	return memoryFile("nettplay-rom", func(f *os.File) error { return r.unpackTo(ctx, f, beat) })
}

// unpackTo unpacks the ROM's file.
func (r *ROM) unpackTo(ctx context.Context, to *os.File, beat func()) error {
	f, size, err := openROMFile(r.Archive)
	if err != nil {
		return err
	}
	defer f.Close()
	a, err := archive.Open(beating{f, beat, ctx}, size)
	if err != nil {
		return r.refuse(ctx, err)
	}
	for i := range a.Entries {
		e := &a.Entries[i]
		if e.Name != r.Path[len(r.Archive)+1:] || e.Why != "" {
			continue
		}
		if e.Size != r.FileSize {
			break
		}
		in, err := e.Open(ctx)
		if err != nil {
			return r.refuse(ctx, err)
		}
		defer in.Close()
		if _, err := io.Copy(to, in); err != nil {
			return r.refuse(ctx, err)
		}
		return nil
	}
	return fmt.Errorf("ROM %s: %w", r.Path, ErrROMChanged)
}

func (r *ROM) refuse(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &NotROMError{r.Path, err.Error()}
}

// unpackImage unpacks the ROM's image into a file in memory that nobody can change any more.
func (r *ROM) unpackImage(ctx context.Context) (*os.File, error) {
	return sealedFile("nettplay-rom", func(f *os.File) error {
		if err := r.unpackTo(ctx, f, func() {}); err != nil {
			return err
		}
		sum, fileSum, err := r.image.readOrPlain(f, r.FileSize)
		if err == nil && (sum != r.SHA256 || fileSum != r.FileSHA256) {
			err = ErrROMChanged
		}
		if err == nil && !r.image.plain(r.FileSize) {
			err = r.image.fill(f)
		}
		if err != nil {
			return fmt.Errorf("ROM %s: %w", r.Path, err)
		}
		return nil
	})
}
