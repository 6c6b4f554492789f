package saves

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The folder of one game:
//
//	PAD-TEST-9f86d081884c7d65/
//	  000012.sav       backup memory, raw
//	  000012.txt       the text about it: this save was committed
//	  000013.sav
//	  000013.pending   the text about it: this one was not
//	  000009.sav
//	  000009.deleted   the text about it: the player deleted it, and may think again
//	  lock             held by the process that has the saves open, and names it
//	  new              a text that is being written
//
// The current save is the committed one with the highest number. A .sav comes
// before its text and goes after it, so a text without a .sav is damage, and a
// .sav without a text is the rest of something that was cut off.
const (
	extSave      = ".sav"
	extCommitted = ".txt"
	extPending   = ".pending"
	extDeleted   = ".deleted"

	newName  = "new"
	lockName = "lock"

	maxNumber = 999_999_999
)

// entry is one save in a folder.
type entry struct {
	n       int
	pending bool
	deleted bool
	meta    Meta
	damage  error // why it cannot be used
}

func (e entry) ext() string {
	switch {
	case e.pending:
		return extPending
	case e.deleted:
		return extDeleted
	}
	return extCommitted
}

// numbered is the path of a file of save n.
func numbered(dir string, n int, ext string) string {
	return filepath.Join(dir, fmt.Sprintf("%06d%s", n, ext))
}

// parseNumbered takes the name of such a file apart.
func parseNumbered(name string) (n int, ext string, ok bool) {
	ext = filepath.Ext(name)
	n, err := strconv.Atoi(strings.TrimSuffix(name, ext))
	if err != nil || n < 1 || n > maxNumber || filepath.Base(numbered("", n, ext)) != name {
		return 0, "", false
	}
	return n, ext, ext == extSave || ext == extCommitted || ext == extPending || ext == extDeleted
}

// contents are those of a folder.
type contents struct {
	entries []*entry // the highest number first
	orphans []int    // numbers of saves without a text
	next    int      // the lowest number above all
}

// current is the newest committed save, nil for none.
func (c contents) current() *entry {
	return c.first(func(e *entry) bool { return !e.pending && !e.deleted })
}

func (c contents) find(n int) *entry {
	return c.first(func(e *entry) bool { return e.n == n })
}

func (c contents) first(is func(*entry) bool) *entry {
	if i := slices.IndexFunc(c.entries, is); i >= 0 {
		return c.entries[i]
	}
	return nil
}

// scan looks through a folder. One that is not there is empty. Without the lock,
// what another process removes meanwhile is passed over.
func scan(dir string) (contents, error) {
	c := contents{next: 1}
	files, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return c, err
	}
	raw, texts := map[int]bool{}, map[int]string{}
	for _, f := range files {
		n, ext, ok := parseNumbered(f.Name())
		if !ok {
			continue
		}
		c.next = max(c.next, n+1)
		switch {
		case ext == extSave:
			raw[n] = true
		case texts[n] != extCommitted:
			texts[n] = ext
		}
	}
	for n := range raw {
		if texts[n] == "" {
			c.orphans = append(c.orphans, n)
		}
	}
	for n, ext := range texts {
		e, ok := readEntry(dir, n, ext)
		if !ok && ext == extPending {
			e, ok = readEntry(dir, n, extCommitted) // committed just now
		}
		if ok {
			c.entries = append(c.entries, &e)
		}
	}
	slices.Sort(c.orphans)
	slices.SortFunc(c.entries, func(a, b *entry) int { return cmp.Compare(b.n, a.n) })
	return c, nil
}

// readEntry reads the text about a save and looks whether the save is there.
func readEntry(dir string, n int, ext string) (e entry, ok bool) {
	e = entry{n: n, pending: ext == extPending, deleted: ext == extDeleted}
	b, err := readFile(numbered(dir, n, ext), maxMeta)
	if errors.Is(err, fs.ErrNotExist) {
		return e, false
	}
	if err == nil {
		e.meta, err = decodeMeta(b)
	}
	if err == nil {
		err = checkSize(numbered(dir, n, extSave), e.meta.Size)
	}
	if errors.Is(err, fs.ErrNotExist) {
		// Removed just now, text first: then it is no damage.
		if _, gone := os.Lstat(numbered(dir, n, ext)); errors.Is(gone, fs.ErrNotExist) {
			return e, false
		}
	}
	e.damage = err
	return e, true
}

func checkSize(path string, size int) error {
	st, err := os.Stat(path)
	if err != nil {
		return err
	}
	if st.Size() != int64(size) {
		return fmt.Errorf("it has %d bytes, but had %d when it was written", st.Size(), size)
	}
	return nil
}

// DamagedError tells that a save is not what was written.
type DamagedError struct {
	Number int
	Err    error
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("save %d is damaged: %v", e.Number, e.Err)
}

// Unwrap gives what is wrong with it.
func (e *DamagedError) Unwrap() error { return e.Err }

// read reads a save and makes sure that it is as it was written.
func (e *entry) read(dir string) ([]byte, error) {
	if e.damage != nil {
		return nil, &DamagedError{e.n, e.damage}
	}
	b, err := readFile(numbered(dir, e.n, extSave), MaxSize)
	switch {
	case err != nil:
	case len(b) != e.meta.Size:
		err = fmt.Errorf("it has %d bytes, but had %d when it was written", len(b), e.meta.Size)
	case sha256.Sum256(b) != e.meta.SHA256:
		err = errors.New("its contents are not those that were written")
	}
	if err != nil {
		return nil, &DamagedError{e.n, err}
	}
	return b, nil
}

// write puts a save into a folder, with its text under the extension given. When
// it fails nothing is left.
func (d steps) write(dir string, n int, ext string, data []byte, m Meta) error {
	raw := numbered(dir, n, extSave)
	if err := d.create(raw, data, 0o600); err != nil {
		return err
	}
	err := d.replace(numbered(dir, n, ext), filepath.Join(dir, newName), m.encode(), 0o600)
	if err != nil {
		return errors.Join(err, d.erase(dir, n, ext))
	}
	return nil
}

// erase removes a save, its text first.
func (d steps) erase(dir string, n int, ext string) error {
	if err := d.remove(numbered(dir, n, ext)); err != nil {
		return err
	}
	return d.remove(numbered(dir, n, extSave))
}
