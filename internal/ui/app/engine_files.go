package app

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/files"
)

// maxEntries is the limit of a folder's entries that are shown.
const maxEntries = 10_000

// ListFiles implements files.Engine.
func (e *engine) ListFiles(path string, number int) {
	e.jobs.Go(func() {
		l := listing(path)
		l.Places = places()
		e.post(func(m *Shell) { m.files.Listed(number, l) })
	})
}

// listing returns what is in a folder, or beside a file.
func listing(path string) (l files.Listing) {
	dir, err := config.Expand(cmp.Or(path, "~"))
	if err == nil && !filepath.IsAbs(dir) {
		dir, err = config.Expand(filepath.Join("~", dir))
	}
	if err != nil {
		return files.Listing{Dir: "/", Why: screen.Sentence(err.Error())}
	}
	l.Dir = filepath.Clean(dir)
	if st, err := os.Stat(l.Dir); err == nil && !st.IsDir() {
		l.Dir, l.Lit = filepath.Split(l.Dir)
		l.Dir = filepath.Clean(l.Dir)
	}
	entries, err := readFolder(l.Dir, maxEntries+1)
	if err != nil {
		l.Why = whyNot(err)
		return l
	}
	if l.More = len(entries) > maxEntries; l.More {
		entries = entries[:maxEntries]
	}
	for _, entry := range entries {
		if shown, ok := entryOf(l.Dir, entry); ok {
			l.Entries = append(l.Entries, shown)
		}
	}
	slices.SortFunc(l.Entries, func(a, b files.Entry) int {
		if a.Folder != b.Folder {
			if a.Folder {
				return -1
			}
			return 1
		}
		return cmp.Or(strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.Name, b.Name))
	})
	return l
}

// readFolder reads at most n entries of a folder.
func readFolder(dir string, n int) ([]fs.DirEntry, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	entries, err := d.ReadDir(n)
	if errors.Is(err, io.EOF) || len(entries) > 0 {
		err = nil // empty, or the rest cannot be read
	}
	return entries, err
}

// entryOf returns a file or folder, also behind a link. Pipes, devices and other
// things are left out.
func entryOf(dir string, entry fs.DirEntry) (files.Entry, bool) {
	st, err := os.Stat(filepath.Join(dir, entry.Name()))
	if err != nil || !st.IsDir() && !st.Mode().IsRegular() {
		return files.Entry{}, false
	}
	return files.Entry{Name: entry.Name(), Folder: st.IsDir(), Size: st.Size(), Changed: st.ModTime()}, true
}

// whyNot says why a folder cannot be looked into.
func whyNot(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "There is no such folder."
	case errors.Is(err, fs.ErrPermission):
		return "You have no permission to open this folder. Choose another."
	}
	if path, is := errors.AsType[*fs.PathError](err); is {
		err = path.Err
	}
	return screen.Sentence("it cannot be opened: " + err.Error())
}

// places are the folders to begin at: the player's own, and disks that were plugged in.
func places() (list []files.Place) {
	if home, err := os.UserHomeDir(); err == nil {
		list = append(list, files.Place{Name: "Home", Path: home})
	}
	list = append(list, files.Place{Name: "Computer", Path: "/"})
	name := ""
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	const most = 8
	for _, mounts := range []string{filepath.Join("/run/media", name), filepath.Join("/media", name), "/mnt"} {
		entries, _ := readFolder(mounts, most)
		for _, entry := range entries {
			if shown, ok := entryOf(mounts, entry); ok && shown.Folder && len(list) < most {
				list = append(list, files.Place{Name: screen.Printable(entry.Name()), Path: filepath.Join(mounts, entry.Name())})
			}
		}
	}
	return list
}
