package saves

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/nettplay/nettplay/emucore/savefile"
)

// userFile is a file that the player named. It is the current save itself, so that
// the player can do with it as with any file. The folder of its saves has each
// committed content too, and takes note of what others wrote to the file.
//
// A commit is: the note about foreign contents, FILE.bak, the rename of a file
// that was prepared beside it (this is the commit), the rename of the text in the
// folder. If it is cut off before the last, the next Open finds a pending save
// with the file's content and finishes.
type userFile struct {
	path string // absolute, links followed
	disk steps
}

func openUserFile(path string, d steps) (*userFile, error) {
	real, err := resolve(path)
	if err != nil {
		return nil, err
	}
	u := &userFile{real, d}
	if len(real) > maxPath || len(filepath.Base(real)) > 250 {
		return nil, errors.New("its name is too long")
	}
	if st, err := os.Stat(filepath.Dir(real)); err != nil {
		return nil, err
	} else if !st.IsDir() {
		return nil, fmt.Errorf("%s is not a folder", filepath.Dir(real))
	}
	if st, err := os.Stat(real); err == nil && !st.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	return u, nil
}

// resolve finds the one name of a file that may not be there yet.
func resolve(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real, nil
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(abs)); err == nil {
		return filepath.Join(dir, filepath.Base(abs)), nil
	}
	return abs, nil
}

// temporary is the file beside that save n is prepared in.
func (u *userFile) temporary(n int) string {
	return filepath.Join(filepath.Dir(u.path), fmt.Sprintf("%s%06d", u.prefix(), n))
}

func (u *userFile) prefix() string { return fmt.Sprintf(".nettplay-%x-", pathHash(u.path)) }

// blank tells that there is no save in the file: it is not there, empty or erased.
func (u *userFile) blank() bool {
	sram, err := u.memory()
	return err == nil && sram == nil
}

// holds tells that the file's content is this backup memory, perhaps as long as its form makes it.
func (u *userFile) holds(sram []byte) bool {
	now, err := u.read()
	if err != nil || now == nil {
		return false
	}
	have, err := savefile.Parse(now)
	if err != nil {
		return false
	}
	if bytes.Equal(have.SRAM, sram) {
		return true
	}
	file, err := savefile.Encode(have.Form, sram, "")
	if err != nil {
		return false
	}
	want, err := savefile.Parse(file)
	return err == nil && bytes.Equal(have.SRAM, want.SRAM)
}

// read returns the file's content; nil when it is not there, or empty.
func (u *userFile) read() ([]byte, error) {
	b, err := readFile(u.path, savefile.MaxFile)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(b) == 0 {
		return nil, nil
	}
	if err == nil && len(b) > savefile.MaxFile {
		err = fmt.Errorf("%s is larger than any cartridge's save (%d MB)", u.path, MaxSize>>20)
	}
	return b, err
}

// memory returns the backup memory in the file; nil when there is none, or it is blank.
func (u *userFile) memory() ([]byte, error) {
	now, err := u.read()
	if err != nil || now == nil {
		return nil, err
	}
	s, err := savefile.Parse(now)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", u.path, err)
	}
	if savefile.Blank(s.SRAM) {
		return nil, nil
	}
	return s.SRAM, nil
}

// is tells that the file is backup memory with this SHA-256.
func (u *userFile) is(sum [32]byte) bool {
	now, err := u.read()
	if err != nil {
		return false
	}
	s, err := savefile.Parse(now)
	return err == nil && sha256.Sum256(s.SRAM) == sum
}

// encode gives a save the form that the file has now, if it has one of its own, else the form
// that its name asks for.
func (u *userFile) encode(sram []byte) ([]byte, error) {
	form := savefile.FormOf(u.path)
	if now, err := u.read(); err == nil && now != nil {
		if s, err := savefile.Parse(now); err == nil && s.Form != savefile.Raw {
			form = s.Form
		}
	}
	return savefile.Encode(form, sram, "")
}

// prepare writes a save beside the file, so that the commit needs no room.
func (u *userFile) prepare(n int, sram []byte) error {
	b, err := u.encode(sram)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o600)
	if st, err := os.Stat(u.path); err == nil {
		mode = st.Mode().Perm()
	}
	if err := u.disk.remove(u.temporary(n)); err != nil {
		return err
	}
	if err := u.disk.create(u.temporary(n), b, mode); err != nil {
		return err
	}
	if err := u.disk.syncDir(filepath.Dir(u.path)); err != nil {
		return errors.Join(err, u.disk.remove(u.temporary(n)))
	}
	return nil
}

// commit makes save n the file, and keeps the save that was there in FILE.bak.
func (u *userFile) commit(n int, sram []byte) error {
	old, err := u.read()
	if err != nil {
		return err
	}
	if old != nil && !u.blank() {
		if err := u.disk.replace(u.path+".bak", u.temporary(0), old, 0o600); err != nil {
			return fmt.Errorf("keeping the save before: %w", err)
		}
	}
	if _, err := os.Stat(u.temporary(n)); errors.Is(err, fs.ErrNotExist) {
		if err := u.prepare(n, sram); err != nil { // somebody has tidied up
			return err
		}
	}
	return u.disk.rename(u.temporary(n), u.path)
}

// clear removes what was prepared beside the file and is of no use any more.
func (u *userFile) clear() error {
	list, err := os.ReadDir(filepath.Dir(u.path))
	if err != nil {
		return err
	}
	for _, e := range list {
		if strings.HasPrefix(e.Name(), u.prefix()) {
			if err := u.disk.remove(filepath.Join(filepath.Dir(u.path), e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// commitFile makes save n the file, after a note of what somebody else has put
// there.
func (s *Store) commitFile(n int, sram []byte) error {
	if s.user.holds(sram) { // an earlier try came that far, or it was so all along
		return s.disk.remove(s.user.temporary(n))
	}
	if err := s.adopt(); err != nil {
		return err
	}
	return s.user.commit(n, sram)
}

// recoverFile finishes the commit that was cut off, if one was.
func (s *Store) recoverFile(c contents) error {
	if err := s.user.clear(); err != nil {
		return err
	}
	for _, e := range c.entries {
		if !e.pending || e.damage != nil {
			continue
		}
		sram, err := e.read(s.dir)
		if err != nil {
			continue // it stays, and lists say that it is damaged
		}
		if s.user.holds(sram) {
			if err := s.commitPending(c, e, sram); err != nil {
				return err
			}
			break
		}
	}
	return s.adopt()
}

// adopt takes note of what somebody else has put into the file.
func (s *Store) adopt() error {
	sram, err := s.user.memory()
	if err != nil || sram == nil {
		return err
	}
	c, err := scan(s.dir)
	if err != nil {
		return err
	}
	if e := c.current(); e != nil {
		if last, err := e.read(s.dir); err == nil && s.user.holds(last) {
			return nil
		}
	}
	return s.disk.write(s.dir, c.next, extCommitted, sram, s.meta(sram, Found, ""))
}
