package emucore

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
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

// cutHome takes what stands for the user's home off a path in RetroArch's settings.
func cutHome(path string) (rest string, ok bool) { return strings.CutPrefix(path, "~/") }
