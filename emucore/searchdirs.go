package emucore

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/internal/disk"
)

// SearchDirs returns the folders where RetroArch and distributions put cores, in
// the order in which they are searched: the distribution's, then RetroArch's own
// of every packaging. They need not exist. It reads the environment variables
// HOME, XDG_CONFIG_HOME, XDG_DATA_HOME and USER, and RetroArch's settings for a
// folder of the user's choice.
func SearchDirs() []string {
	return searchDirs(os.Getenv, runtime.GOARCH)
}

// searchDirs is SearchDirs in a given environment.
func searchDirs(getenv func(string) string, arch string) []string {
	var dirs []string
	if t := architectures[arch].triplet; t != "" {
		dirs = append(dirs, "/usr/lib/"+t+"/libretro") // Debian, Ubuntu
	}
	dirs = append(dirs,
		"/usr/lib/libretro",                          // Arch
		"/usr/lib64/libretro",                        // Fedora, openSUSE
		"/usr/local/lib/libretro",                    // built by hand
		"/usr/local/lib64/libretro",                  //
		"/run/current-system/sw/lib/retroarch/cores", // NixOS
	)
	if u := getenv("USER"); u != "" && !strings.Contains(u, "/") {
		dirs = append(dirs, "/etc/profiles/per-user/"+u+"/lib/retroarch/cores")
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		dirs = append(dirs, homeDirs(getenv, home)...)
	}
	return unique(dirs)
}

// homeDirs are the places below a home folder.
func homeDirs(getenv func(string) string, home string) []string {
	under := func(variable, otherwise string) string {
		if v := getenv(variable); filepath.IsAbs(v) {
			return v
		}
		return filepath.Join(home, otherwise)
	}
	config, data := under("XDG_CONFIG_HOME", ".config"), under("XDG_DATA_HOME", ".local/share")
	flatpak := filepath.Join(home, ".var/app/org.libretro.RetroArch/config")
	snap := filepath.Join(home, "snap/retroarch/current/.config")
	var dirs []string
	for _, c := range []string{config, filepath.Join(home, ".config"), flatpak, snap} {
		ra := filepath.Join(c, "retroarch")
		if d := configuredDir(filepath.Join(ra, "retroarch.cfg"), home); d != "" {
			dirs = append(dirs, d)
		}
		dirs = append(dirs, filepath.Join(ra, "cores"))
	}
	const steam = "steamapps/common/RetroArch/cores"
	return append(dirs,
		filepath.Join(data, "Steam", steam),
		filepath.Join(home, ".steam/steam", steam),
		filepath.Join(home, ".steam/debian-installation", steam),
		filepath.Join(home, ".var/app/com.valvesoftware.Steam/.local/share/Steam", steam),
		filepath.Join(home, ".nix-profile/lib/retroarch/cores"),
	)
}

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
		if rest, ok := strings.CutPrefix(value, "~/"); ok {
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

const coreSuffix = "_libretro.so"

// maxDirEntries bounds the reading of one folder.
const maxDirEntries = 20_000

// IsCoreName knows DS cores by the names of their files.
func IsCoreName(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, coreSuffix) && slices.ContainsFunc(coreNames[:], func(p string) bool { return strings.HasPrefix(name, p) })
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
