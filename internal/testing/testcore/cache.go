package testcore

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A cache is a folder with what was built, each file in a folder of its own that is named
// after all that went into it: sources, command and compiler. So a file is never out of
// date, and test binaries, of one checkout or of several, share it at any time.
type cache string

// unused is the time that a file stays for which no test asks.
const unused = 30 * 24 * time.Hour

// openCache returns the user's cache, or where there is none a folder for this test binary
// alone. forget removes the latter.
func openCache() (c cache, forget func(), err error) {
	if home, err := os.UserCacheDir(); err == nil {
		dir := filepath.Join(home, "nettplay-testcore")
		if err := os.MkdirAll(dir, 0o700); err == nil {
			return cache(dir), func() {}, nil
		}
	}
	dir, err := os.MkdirTemp("", "nettplay-testcore-")
	return cache(dir), func() { os.RemoveAll(dir) }, err
}

// get returns the path of a file, which build makes from the sources below root if it is not there.
func (c cache) get(root, name string, build func(path string) *exec.Cmd) (string, error) {
	key, err := ingredients(root, build(name))
	if err != nil {
		return "", fmt.Errorf("build %s: %w", name, err)
	}
	dir := filepath.Join(string(c), key)
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err == nil {
		now := time.Now()
		return path, os.Chtimes(dir, now, now)
	}
	c.sweep()
	made, err := os.MkdirTemp(string(c), "building-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(made)
	if out, err := build(filepath.Join(made, name)).CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", name, err, out)
	}
	if err := os.Rename(made, dir); err != nil && !errors.Is(err, fs.ErrExist) { // another was faster
		return "", err
	}
	return path, nil
}

// sweep removes what nobody has used for long, and what builds have left that did not end.
func (c cache) sweep() {
	entries, _ := os.ReadDir(string(c))
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > unused {
			os.RemoveAll(filepath.Join(string(c), e.Name()))
		}
	}
}

// ingredients is a hash of all that makes a file what it is: the compiler, its flags, the
// command, and every C source of package emucore and of the test core.
func ingredients(root string, build *exec.Cmd) (string, error) {
	compiler, err := exec.Command("gcc", "--version").Output()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q", compiler, os.Getenv("CFLAGS"), strings.ReplaceAll(strings.Join(build.Args, " "), root, ""))
	for _, dir := range []string{"emucore", folder} {
		err = errors.Join(err, filepath.WalkDir(filepath.Join(root, dir), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !isSource(path) {
				return err
			}
			text, err := os.ReadFile(path)
			fmt.Fprintf(h, "%q %q", e.Name(), text)
			return err
		}))
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:12]), err
}

func isSource(path string) bool {
	ext := filepath.Ext(path)
	return ext == ".c" || ext == ".h" || filepath.Base(path) == "Makefile"
}
