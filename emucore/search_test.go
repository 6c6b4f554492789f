package emucore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

func TestSearchDirs(t *testing.T) {
	must.HaveLinux(t, "folders of Linux")
	home := t.TempDir()
	cfg := filepath.Join(home, "cfg")
	writeAt(t, filepath.Join(cfg, "retroarch/retroarch.cfg"), "# cores\nvideo = \"x\"\nlibretro_directory = \"~/my cores/\"\n")
	env := map[string]string{"HOME": home, "XDG_CONFIG_HOME": cfg, "USER": "ann"}
	dirs := searchDirs(func(k string) string { return env[k] }, "arm64")
	for _, want := range []string{
		"/usr/lib/aarch64-linux-gnu/libretro",
		"/usr/lib/libretro",
		"/usr/lib64/libretro",
		"/usr/local/lib/libretro",
		"/run/current-system/sw/lib/retroarch/cores",
		"/etc/profiles/per-user/ann/lib/retroarch/cores",
		home + "/my cores",
		cfg + "/retroarch/cores",
		home + "/.config/retroarch/cores",
		home + "/.var/app/org.libretro.RetroArch/config/retroarch/cores",
		home + "/snap/retroarch/current/.config/retroarch/cores",
		home + "/.local/share/Steam/steamapps/common/RetroArch/cores",
		home + "/.nix-profile/lib/retroarch/cores",
	} {
		if !slices.Contains(dirs, want) {
			t.Errorf("%s is not searched", want)
		}
	}
	if dirs[0] != "/usr/lib/aarch64-linux-gnu/libretro" {
		t.Errorf("the distribution's folder does not come first: %s", dirs[0])
	}
	if slices.Contains(dirs, "/usr/lib/x86_64-linux-gnu/libretro") {
		t.Error("cores of another architecture are searched")
	}
}

// writeAt writes a file and the folders to it.
func writeAt(t *testing.T, path, text string) {
	t.Helper()
	must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must.Succeed(t, os.WriteFile(path, []byte(text), 0o755))
}

func TestSearchDirsWithoutHome(t *testing.T) {
	must.HaveLinux(t, "folders of Linux")
	for _, home := range []string{"", "relative"} {
		env := map[string]string{"HOME": home, "USER": "../../tmp", "XDG_CONFIG_HOME": "x"}
		for _, d := range searchDirs(func(k string) string { return env[k] }, "amd64") {
			if !filepath.IsAbs(d) || strings.Contains(d, "..") {
				t.Errorf("HOME=%q: %s is searched", home, d)
			}
		}
	}
}

func TestConfiguredDir(t *testing.T) {
	must.HaveLinux(t, "folders of Linux")
	for text, want := range map[string]string{
		"libretro_directory = \"/opt/cores\"\n":                        "/opt/cores",
		"libretro_directory=/opt/cores":                                "/opt/cores",
		"  libretro_directory = \"~/c/../d\"":                          "/home/ann/d",
		"libretro_directory = \":/cores\"":                             "", // relative to RetroArch
		"libretro_directory = \"default\"":                             "",
		"# libretro_directory = \"/opt/cores\"":                        "",
		"my_libretro_directory = \"/opt/cores\"":                       "",
		strings.Repeat("x", 2<<20) + "\nlibretro_directory = \"/opt\"": "",
	} {
		path := writeFile(t, "retroarch.cfg", []byte(text))
		if got := configuredDir(path, "/home/ann"); got != want {
			t.Errorf("%.60q gives %q, want %q", text, got, want)
		}
	}
	if got := configuredDir(t.TempDir(), "/home/ann"); got != "" {
		t.Errorf("a folder gives %q", got)
	}
}

func TestCandidates(t *testing.T) {
	must.HaveLinux(t, "folders of Linux")
	dir := t.TempDir()
	for _, name := range []string{
		"desmume_libretro.so", "desmume2015_libretro.so", "melondsds_libretro.so", "melonds_libretro.so", "NooDS_libretro.so",
		"snes9x_libretro.so", "desmume_libretro.info", "desmume.so", "mydesmume_libretro.so",
	} {
		writeAt(t, filepath.Join(dir, name), "")
	}
	must.Succeed(t, os.Mkdir(filepath.Join(dir, "desmume_folder_libretro.so"), 0o755))
	paths, err := candidates(dir)
	var names []string
	for _, p := range paths {
		names = append(names, filepath.Base(p))
	}
	want := []string{
		"NooDS_libretro.so", "desmume2015_libretro.so", "desmume_libretro.so", "melonds_libretro.so", "melondsds_libretro.so",
	}
	if err != nil || !slices.Equal(names, want) {
		t.Errorf("got %v, %v", names, err)
	}
	if paths, err := candidates(filepath.Join(dir, "missing")); paths != nil || err != nil {
		t.Errorf("missing folder: %v, %v", paths, err)
	}
	if paths, err := candidates(t.TempDir()); paths != nil || err != nil {
		t.Errorf("empty folder: %v, %v", paths, err)
	}
}

func TestPickCore(t *testing.T) {
	ds := Core{Name: "melonDS DS", Path: "/c/melondsds_libretro.so", Wireless: true}
	old := Core{Name: "melonDS", Path: "/c/melonds_libretro.so"}
	des := Core{Name: "DeSmuME", Path: "/c/desmume_libretro.so"}
	des15 := Core{Name: "DeSmuME 2015", Path: "/c/desmume2015_libretro.so"}
	all := []Core{des15, des, ds, old} // in no helpful order
	for name, want := range map[string]Core{
		"":                    ds, // on which games find each other
		"desmume":             des,
		"DESMUME":             des,
		"DeSmuME 2015":        des15,
		"desmume2015":         des15,
		"desmume_libretro.so": des,
		"melonds":             ds, // the one with wireless
		"melonDS DS":          ds,
		"melondsds":           ds,
		"melonds_libretro.so": old, // named to the letter
		"snes9x":              {},
		"onds":                {}, // only from the beginning
		"--":                  {},
	} {
		got, ok := pickCore(all, name)
		if got != want || ok != (want != Core{}) {
			t.Errorf("%q is %q (%s), want %q", name, got.Name, got.Path, want.Name)
		}
	}
	if got, _ := pickCore([]Core{des15, des, old}, ""); got != des {
		t.Errorf("where none has local wireless: %q", got.Name)
	}
	if got, _ := pickCore([]Core{old}, ""); got != old {
		t.Errorf("where neither is there: %q", got.Name)
	}
	if _, ok := pickCore(nil, ""); ok {
		t.Error("a core out of nothing")
	}
}

func TestFindCores(t *testing.T) {
	must.HaveLinux(t, "gcc")
	dir := t.TempDir()
	good := buildLibrary(t, "g.so", smallCore, `EXT="nds"`, "BEGIN=")
	for link, to := range map[string]string{
		"noods_libretro.so":        good,
		"noods_again_libretro.so":  good, // the same file: once
		"desmume_dead_libretro.so": filepath.Join(dir, "nowhere"),
	} {
		must.Succeed(t, os.Symlink(to, filepath.Join(dir, link)))
	}
	writeAt(t, filepath.Join(dir, "melonds_libretro.so"), "not a core")
	cores, problems := Search{}.in(t.Context(), []string{dir, dir})
	if len(cores) != 1 || cores[0].Name != "Small" {
		t.Errorf("cores: %+v", cores)
	}
	var not *NotCoreError
	if len(problems) != 1 || !errors.As(problems[0], &not) || filepath.Base(not.Path) != "melonds_libretro.so" {
		t.Errorf("problems: %v", problems)
	}
}

// TestSearchRunsNothing: a core that may not be run is found by the name of its file, and crashes nothing; it runs no console.
func TestSearchRunsNothing(t *testing.T) {
	must.HaveLinux(t, "gcc")
	dir := t.TempDir()
	path := filepath.Join(dir, "melondsds_libretro.so")
	library := must.Read(t, buildLibrary(t, "crash.so", smallCore, `EXT="nds"`, "BEGIN=__builtin_trap()"))
	writeAt(t, path, string(library))
	var asked []string
	search := Search{MayRun: func(c Core) bool {
		asked = append(asked, c.Name)
		return false
	}}
	want := Core{Path: path, Name: "melonDS DS", Wireless: true, Unopened: true, SHA256: sha256.Sum256(library), Size: int64(len(library))}
	cores, problems := search.in(t.Context(), []string{dir})
	if len(cores) != 1 || cores[0] != want || len(problems) > 0 || !slices.Equal(asked, []string{"melonDS DS"}) {
		t.Errorf("got %+v, %v; asked about %q", cores, problems, asked)
	}
	search.Folders = []string{dir}
	for _, name := range []string{path, "melonds"} {
		if c, err := search.Find(t.Context(), name); err != nil || c != want {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
	if c, err := search.ByHash(t.Context(), want.SHA256); err != nil || c != want {
		t.Errorf("by its hash: %+v, %v", c, err)
	}
	if _, err := Start(t.Context(), Config{Core: want, ROM: new(ROM)}); !errors.Is(err, ErrUnopened) {
		t.Errorf("a console starts on it: %v", err)
	}
	if _, err := want.Open(t.Context()); err == nil || errors.Is(err, errCoreChanged) {
		t.Errorf("it is run, and does not crash: %v", err)
	}
	writeAt(t, path, string(must.Read(t, buildLibrary(t, "g.so", smallCore, `EXT="nds"`, "BEGIN="))))
	if _, err := want.Open(t.Context()); !errors.Is(err, errCoreChanged) {
		t.Errorf("another file opens in its place: %v", err)
	}
	search.MayRun = func(Core) bool { return true }
	if c, err := search.Find(t.Context(), path); err != nil || c.Name != "Small" || c.Wireless || c.Unopened {
		t.Errorf("one that may be run: %+v, %v", c, err)
	}
}

// emptyHome gives the test a home folder without RetroArch.
func emptyHome(t *testing.T) {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("XDG_DATA_HOME", "")
}

func TestFindCoreByPath(t *testing.T) {
	must.HaveLinux(t, "gcc")
	path := buildLibrary(t, "oddly named", smallCore, `EXT="nds"`, "BEGIN=")
	c, err := Search{}.Find(t.Context(), path)
	if err != nil || c.Path != path {
		t.Errorf("%+v, %v", c, err)
	}
	t.Chdir(filepath.Dir(path))
	if c, err = (Search{}).Find(t.Context(), "oddly named"); err != nil || c.Path != path {
		t.Errorf("in the current folder: %+v, %v", c, err)
	}
	if _, err = (Search{}).Find(t.Context(), "./missing.so"); !errors.Is(err, os.ErrNotExist) || errors.Is(err, ErrNoCore) {
		t.Errorf("a path that is not there: %v", err)
	}
}

func TestFindCoreSaysWhatIsMissing(t *testing.T) {
	must.HaveLinux(t, "gcc")
	emptyHome(t)
	dir := t.TempDir()
	writeAt(t, filepath.Join(dir, "melonds_broken_libretro.so"), "")
	_, err := Search{Folders: []string{dir}}.Find(t.Context(), "nosuchcore")
	var no *NoCoreError
	if !errors.As(err, &no) || !errors.Is(err, ErrNoCore) {
		t.Fatalf("got %v", err)
	}
	if no.Name != "nosuchcore" || no.AptLine != "" || no.Searched[0] != dir || len(no.Searched) < 5 {
		t.Errorf("%+v", no)
	}
	var not *NotCoreError
	if !errors.As(err, &not) || !strings.Contains(err.Error(), "melonds_broken_libretro.so") {
		t.Errorf("the broken core is not told of: %v", err)
	}
}

// TestFindCoreOnASickMachine: where no worker can be started, cores that are there
// are not said to be missing.
func TestFindCoreOnASickMachine(t *testing.T) {
	must.HaveLinux(t, "gcc")
	emptyHome(t)
	dir := t.TempDir()
	must.Succeed(t, os.Symlink(buildLibrary(t, "g.so", smallCore, `EXT="nds"`, "BEGIN="), filepath.Join(dir, "noods_libretro.so")))
	t.Setenv("XDG_RUNTIME_DIR", "")
	t.Setenv("TMPDIR", filepath.Join(dir, "nowhere"))
	_, err := Search{Folders: []string{dir}}.Find(t.Context(), "noods")
	if errors.Is(err, ErrNoCore) || !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), filepath.Join(dir, "nowhere")) {
		t.Errorf("got %v", err)
	}
}

func TestNoCoreErrorHasTheAptLine(t *testing.T) {
	for name, want := range map[string]string{"": AptLine, "desmume": AptLine, "DeSmuME": AptLine, "melonds": ""} {
		if got := aptLineFor(name); got != want {
			t.Errorf("%q: %q", name, got)
		}
	}
}

func TestFindCoreDefault(t *testing.T) {
	want := needDesmume(t)
	emptyHome(t)
	for _, name := range []string{"", "desmume"} {
		c, err := Search{}.Find(t.Context(), name)
		if err != nil || c != want {
			t.Errorf("%q: %+v, %v", name, c, err)
		}
	}
}

func TestFindCoreCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Search{}).Find(ctx, ""); !errors.Is(err, context.Canceled) || errors.Is(err, ErrNoCore) {
		t.Errorf("got %v", err)
	}
}

// TestStanding: a version counts for what was measured of it, and a file that was measured for
// more than its version.
func TestStanding(t *testing.T) {
	sum, err := hex.DecodeString(desmumeProfile().known.files[0].SHA256)
	if err != nil || len(sum) != 32 {
		t.Fatalf("%v, %v", sum, err)
	}
	for _, tt := range []struct {
		core Core
		want Standing
	}{
		{Core{Name: "DeSmuME", Version: "SVN", SHA256: [32]byte(sum)}, Proven},
		{Core{Name: "DeSmuME", Version: "SVN"}, Untried}, // every build calls itself that
		{Core{Name: "melonDS DS", Version: "1.2.0"}, Measured},
		{Core{Name: "melonDS DS", Version: "1.3.0"}, Likely},
		{Core{Name: "melonDS DS", Version: " v1.3.2 (RelWithDebInfo)"}, Likely},
		{Core{Name: "melonDS DS", Version: "1.30"}, Untried},
		{Core{Name: "melonDS DS", Version: "1.4.0"}, Untried},
		{Core{Name: "melonDS DS", Version: "1.1.8"}, Untried},
		{Core{Name: "melonDS DS"}, Untried},
		{Core{Name: "nobody's", Version: "1.2.0"}, Untried},
	} {
		if got := tt.core.Standing(); got != tt.want {
			t.Errorf("%s %q: %v, want %v", tt.core.Name, tt.core.Version, got, tt.want)
		}
	}
}

// TestStandingSpeaksOfTheFile: numbers that hide builds prove nothing, and a file that does what a measured one does is
// said to.
func TestStandingSpeaksOfTheFile(t *testing.T) {
	known := desmumeProfile().known.files[0]
	sum, err := hex.DecodeString(known.SHA256)
	must.Succeed(t, err)
	print, err := hex.DecodeString(known.Fingerprint)
	must.Succeed(t, err)
	debian := Core{Name: "DeSmuME", Version: "SVN", SHA256: [32]byte(sum)}
	own := Core{Name: "DeSmuME", Version: "SVN", SHA256: [32]byte{0xab}, Fingerprint: [32]byte(print)}
	for _, tt := range []struct {
		core         Core
		words        string
		alike, known bool
	}{
		{debian, "tested with this very file (Debian 12's 0.9.11+git20160819 for x86-64, SHA-256 87742cea)", true, true},
		{own, "tested with another build (Debian 12's 0.9.11+git20160819 for x86-64), and this file (SHA-256 ab000000) does the same", true, true},
		{Core{Name: "DeSmuME", Version: "SVN", SHA256: [32]byte{0xcd}}, "not tested with this file (SHA-256 cd000000), and builds that call themselves SVN differ", false, true},
		{Core{Name: "melonDS DS", Version: "1.2.0"}, "not tested with this file (SHA-256 00000000), and builds that call themselves 1.2.0 differ", false, false},
		{Core{Name: "melonDS DS", Version: "1.3.1"}, "a version close to this one, not with this file", false, false},
		{Core{Name: "nobody's", Version: "1"}, "not tested with this version, nor this file", false, false},
	} {
		if words := tt.core.StandingWords(); !strings.Contains(words, tt.words) {
			t.Errorf("%q, want %q", words, tt.words)
		}
		if alike, is := tt.core.LikeKnown(); alike != tt.alike || is != tt.known {
			t.Errorf("%v: alike %v, known %v", tt.core, alike, is)
		}
	}
	if print, is := debian.KnownFingerprint(); !is || print != own.Fingerprint {
		t.Errorf("%x, %v", print, is)
	}
}
