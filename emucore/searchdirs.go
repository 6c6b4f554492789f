package emucore

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/internal/disk"
)

// configuredDir reads libretro_directory from RetroArch's settings, lines of
// the form key = "value". It returns "" when there is none.
func configuredDir(path, home string) string {
	f, _, err := disk.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	const limit = 1 << 20 // RetroArch's has some 150 KB
	sc := bufio.NewScanner(io.LimitReader(f, limit))
	for sc.Scan() {
		key, value, ok := strings.Cut(sc.Text(), "=")
		if !ok || strings.TrimSpace(key) != "libretro_directory" {
			continue
		}
		value = strings.Trim(strings.TrimSpace(value), `"`)
		if rest, ok := cutHome(value); ok {
			value = filepath.Join(home, rest)
		}
		if filepath.IsAbs(value) {
			return filepath.Clean(value)
		}
	}
	return ""
}

// allDirs are some folders, then SearchDirs, each of them once.
func allDirs(dirs []string) []string { return unique(slices.Concat(dirs, SearchDirs())) }

// unique drops what comes a second time.
func unique(dirs []string) []string {
	var out []string
	for _, d := range dirs {
		if !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	return out
}

// coreNames are the beginnings of file names of DS cores. Only those are executed in a search:
// RetroArch's folder may hold a hundred cores of other consoles.
var coreNames = [...]string{"desmume", "melonds", "noods", "skyemu"}

// maxDirEntries bounds the reading of one folder.
const maxDirEntries = 20_000

// IsCoreName knows DS cores by the names of their files.
func IsCoreName(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, CoreSuffix) && slices.ContainsFunc(coreNames[:], func(p string) bool { return strings.HasPrefix(name, p) })
}

// coreFiles are the candidates in those folders that can be read.
func coreFiles(dirs []string) (paths []string) {
	for _, dir := range dirs {
		found, _ := candidates(dir)
		paths = append(paths, found...)
	}
	return paths
}

// candidates returns the files in dir that are DS cores by their names, sorted.
func candidates(dir string) ([]string, error) {
	entries, err := readDirBounded(dir, maxDirEntries)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, e := range entries {
		if !e.IsDir() && IsCoreName(e.Name()) {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths, nil
}
