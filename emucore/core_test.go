package emucore

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// needDesmume skips a test where the default core is not installed.
func needDesmume(t *testing.T) Core {
	t.Helper()
	if _, err := os.Stat(desmumePath()); err != nil {
		t.Skipf("the default core is not installed: %s", AptLine)
	}
	return opened(t, desmumePath())
}

// smallCore is the source of a libretro core that only has a name. EXT and
// DEFINES make the kinds of it.
const smallCore = `
#include <stdbool.h>
#include <stddef.h>
struct info { const char *name, *version, *ext; bool full, block; };
void retro_set_environment(void *f) { BEGIN; }
void retro_set_video_refresh(void *f) {}
void retro_set_audio_sample(void *f) {}
void retro_set_audio_sample_batch(void *f) {}
void retro_set_input_poll(void *f) {}
void retro_set_input_state(void *f) {}
unsigned retro_api_version(void) { return 1; }
void retro_get_system_info(struct info *i) { i->name = "Small"; i->version = "7"; i->ext = EXT; }
void retro_get_system_av_info(void *i) {}
void retro_init(void) {}
void retro_deinit(void) {}
bool retro_load_game(const void *g) { return false; }
void retro_unload_game(void) {}
void retro_run(void) {}
void retro_reset(void) {}
size_t retro_serialize_size(void) { return 0; }
bool retro_serialize(void *p, size_t n) { return false; }
bool retro_unserialize(const void *p, size_t n) { return false; }
void *retro_get_memory_data(unsigned id) { return 0; }
size_t retro_get_memory_size(unsigned id) { return 0; }
void retro_set_controller_port_device(unsigned p, unsigned d) {}
`

// buildLibrary compiles a shared library with the C compiler that cgo needs
// anyway.
func buildLibrary(t *testing.T, name, source string, defines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	args := []string{"-w", "-shared", "-fPIC", "-o", path, "-x", "c", "-"}
	for _, d := range defines {
		args = append(args, "-D"+d)
	}
	cmd := exec.CommandContext(t.Context(), "cc", args...)
	cmd.Stdin = strings.NewReader(source)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("cc: %v\n%s", err, out)
	}
	return path
}

func TestOpenCore(t *testing.T) {
	must.HaveLinux(t, "gcc")
	path := buildLibrary(t, "small_libretro.so", smallCore, `EXT="bin|NDS"`, "BEGIN=")
	c, err := OpenCore(t.Context(), path)
	must.Succeed(t, err)
	b := must.Read(t, path)
	want := Core{Path: path, Name: "Small", Version: "7", SHA256: sha256.Sum256(b), Size: int64(len(b))}
	if c != want {
		t.Errorf("got %+v, want %+v", c, want)
	}
}

func TestOpenDesmume(t *testing.T) {
	c := needDesmume(t)
	if c.Name != "DeSmuME" || c.Wireless || c.Version == "" || c.Size < 1<<20 || c.SHA256 == [32]byte{} {
		t.Errorf("%+v", c)
	}
	if ProfileFor(c.Name).Library != "DeSmuME" {
		t.Error("its name does not lead to its profile")
	}
}

func TestOpenCoreRefuses(t *testing.T) {
	must.HaveLinux(t, "gcc")
	small := buildLibrary(t, "small_libretro.so", smallCore, `EXT="sfc|smc"`, "BEGIN=")
	foreign := must.Read(t, small)
	foreign[18] = byte(elf.EM_S390) // e_machine
	dir := t.TempDir()
	self, err := os.Executable()
	must.Succeed(t, err)
	for name, tt := range map[string]struct{ path, want string }{
		"another console":      {small, `"Small" plays .sfc, .smc, not DS games`},
		"a plain library":      {buildLibrary(t, "lib.so", "int answer(void) { return 42; }"), "not a libretro core"},
		"a user of cores":      {buildLibrary(t, "host.so", "void retro_run(void); void f(void) { retro_run(); }"), "not a libretro core"},
		"a program":            {self, "it is "},
		"another architecture": {writeFile(t, "foreign.so", foreign), "another architecture (EM_S390): this program runs on " + runtime.GOARCH},
		"a cut library":        {writeFile(t, "cut.so", foreign[:100]), "damaged"},
		"an empty file":        {writeFile(t, "empty.so", nil), "not a shared library"},
		"a ROM":                {writeFile(t, "rom.nds", makeROM("ROM", nil)), "not a shared library"},
		"a folder":             {dir, "folder"},
	} {
		c, err := OpenCore(t.Context(), tt.path)
		var not *NotCoreError
		if !errors.As(err, &not) || !strings.Contains(not.Why, tt.want) || not.Path != tt.path {
			t.Errorf("%s: got %+v, %v; want a NotCoreError with %q", name, c, err, tt.want)
		}
	}
	if _, err := OpenCore(t.Context(), filepath.Join(dir, "missing.so")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
}

// TestOpenCoreSurvives: a core that crashes, exits or cannot be loaded is an
// error with its path, and this process lives on.
func TestOpenCoreSurvives(t *testing.T) {
	must.HaveLinux(t, "gcc")
	for name, path := range map[string]string{
		"crash":          buildLibrary(t, "crash.so", smallCore, `EXT="nds"`, "BEGIN=__builtin_trap()"),
		"exit":           buildLibrary(t, "exit.so", "void _exit(int);"+smallCore, `EXT="nds"`, "BEGIN=_exit(0)"),
		"missing symbol": buildLibrary(t, "missing.so", "void nowhere(void);"+smallCore, `EXT="nds"`, "BEGIN=nowhere()"),
		"no name":        buildLibrary(t, "noname.so", strings.Replace(smallCore, "i->ext = EXT;", "", 1), "EXT=0", "BEGIN="),
	} {
		_, err := OpenCore(t.Context(), path)
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: got %v, want an error with the path", name, err)
		}
	}
}

func FuzzCheckELF(f *testing.F) {
	b := must.Read(f, "/proc/self/exe")
	f.Add(b[:4096])
	f.Add([]byte(elf.ELFMAG))
	f.Fuzz(func(t *testing.T, b []byte) {
		if checkLibrary(bytes.NewReader(b)) == nil && !bytes.Contains(b, []byte("retro_run")) {
			t.Fatal("a file without retro_run passed")
		}
	})
}
