package emucore

import (
	"os"
	"path/filepath"
	"strings"
)

// SearchDirs returns the folders where cores may be, in the order in which they are searched: beside this program, then
// RetroArch's own, wherever its installer, Steam and Scoop put it. They need not exist. RetroArch's settings may name
// another folder.
func SearchDirs() []string {
	self, _ := os.Executable()
	return searchDirs(os.Getenv, self)
}

// searchDirs is SearchDirs in a given environment, for a program at a path.
func searchDirs(getenv func(string) string, self string) []string {
	var dirs []string
	if self != "" {
		dirs = append(dirs, filepath.Join(filepath.Dir(self), "cores"))
	}
	var homes []string // of RetroArch
	under := func(variable, rest string) {
		if v := getenv(variable); filepath.IsAbs(v) {
			homes = append(homes, filepath.Join(v, rest))
		}
	}
	under("APPDATA", "RetroArch")
	if drive := getenv("SystemDrive"); drive != "" {
		homes = append(homes, drive+`\RetroArch-Win64`, drive+`\RetroArch`)
	}
	under("ProgramFiles", "RetroArch")
	under("ProgramFiles", `Steam\steamapps\common\RetroArch`)
	under("ProgramFiles(x86)", `Steam\steamapps\common\RetroArch`)
	under("USERPROFILE", `scoop\apps\retroarch\current`)
	for _, home := range homes {
		if d := configuredDir(filepath.Join(home, "retroarch.cfg"), home); d != "" {
			dirs = append(dirs, d)
		}
		dirs = append(dirs, filepath.Join(home, "cores"))
	}
	return unique(dirs)
}

// cutHome takes what stands for RetroArch's own folder off a path in its settings.
func cutHome(path string) (rest string, ok bool) {
	if rest, ok = strings.CutPrefix(path, `:\`); !ok {
		rest, ok = strings.CutPrefix(path, ":/")
	}
	return rest, ok
}
