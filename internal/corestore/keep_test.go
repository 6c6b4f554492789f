package corestore

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/testing/fixture"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
)

// TestBadCores: what is in a good archive is looked at, and then run.
func TestBadCores(t *testing.T) {
	s, c := fetcher(t)
	lib, real := small(), testLibrary(t)
	announced := offered(t, c, "melonds")
	announced.CRC32 = 0
	swap := func(at int, b byte) []byte {
		other := append([]byte(nil), lib...)
		other[at] = b
		return other
	}
	type places struct {
		machine, kind  int
		other, program byte
	}
	of := places{18, 16, 0xf3, 2} // in ELF: RISC-V
	if runtime.GOOS == "windows" {
		of = places{69, 87, 0xaa, 0} // in PE: ARM64
	}
	hash := [32]byte{1}
	for name, tt := range map[string]struct {
		library []byte
		probe   func(ctx context.Context, path string) (emucore.Core, error)
		want    Want
		reason  Reason
		why     string
	}{
		"a text":          {[]byte("This is not an emulator."), nil, Want{}, NotACore, "the file in the archive is not a "},
		"another machine": {swap(of.machine, of.other), nil, Want{}, WrongMachine, "the core is for another kind of computer"},
		"a program":       {swap(of.kind, of.program), nil, Want{}, NotACore, "the file in the archive is "},
		"half":            {real[:len(real)/2], emucore.OpenCore, Want{}, NotACore, "damaged"},
		"another build":   {lib, nil, Want{SHA256: hash}, OtherBuild, "the source has another build by now"},
		"not for the DS": {lib, func(_ context.Context, path string) (emucore.Core, error) {
			return emucore.Core{}, &emucore.NotCoreError{Path: path, Why: `"Snes9x" plays .sfc, not DS games (.nds)`}
		}, Want{}, NotACore, "plays .sfc"},
		"hangs": {lib, func(context.Context, string) (emucore.Core, error) {
			return emucore.Core{}, &emucore.HangError{Core: "x", After: time.Second}
		}, Want{}, NotACore, "it gives no answer when it is asked its name"},
		"no worker": {lib, func(context.Context, string) (emucore.Core, error) {
			return emucore.Core{}, errors.New("fork: resource temporarily unavailable")
		}, Want{}, NotTried, "could not be tried on this computer: fork"},
		"another file": {lib, func(context.Context, string) (emucore.Core, error) { return emucore.Core{}, nil }, Want{}, NotACore, "its file changed"},
	} {
		t.Run(name, func(t *testing.T) {
			s.Break(onPath(".zip", send(fixture.ZipOf("melonds"+librarySuffix, tt.library))))
			c.probe = saysSo
			if tt.probe != nil {
				c.probe = tt.probe
			}
			_, err := c.Get(t.Context(), announced, tt.want, nil)
			fails(t, err, tt.reason, tt.why)
			if left := names(t, c.Store); left != "" {
				t.Errorf("left behind:\n%s", left)
			}
		})
	}
}

// TestHostileCores: real ones, in a worker.
func TestHostileCores(t *testing.T) {
	for name, tt := range map[string]struct {
		source string
		why    string
	}{
		"crashes": {"crash.c", "it crashes when it is asked its name"},
		"hangs":   {"hang.c", "it gives no answer when it is asked its name"},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "hangs" && os.Getenv("NETTPLAY_LONG") == "" {
				t.Skip("it works for the five seconds that a core has; NETTPLAY_LONG=1 waits for it")
			}
			t.Parallel()
			must.HaveLinux(t, "cores that are compiled here")
			path := testcore.Compile(t, "probe_"+tt.source+".so", filepath.Join(testcore.Root(), "emucore/testdata/probe", tt.source))
			lib, err := os.ReadFile(path)
			must.Succeed(t, err)
			s, c := fetcher(t)
			c.probe = emucore.OpenCore
			s.Index(fixture.Core{Name: "melonds", Date: "2026-11-02", Library: lib})
			_, err = c.Get(t.Context(), offered(t, c, "melonds"), Want{}, nil)
			fails(t, err, NotACore, tt.why)
			if left := names(t, c.Store); left != "" {
				t.Errorf("left behind:\n%s", left)
			}
		})
	}
}

// TestKeptIsNotFetchedAgain: but a kept one that is damaged is, and so is another build under the same version.
func TestKeptIsNotFetchedAgain(t *testing.T) {
	s, c := fetcher(t)
	o := offered(t, c, "melondsds")
	b, err := c.Get(t.Context(), o, Want{}, nil)
	must.Succeed(t, err)
	archives := func() (n int) {
		for _, r := range s.Asked() {
			if strings.HasSuffix(r, ".zip") {
				n++
			}
		}
		return n
	}
	if again, err := c.Get(t.Context(), o, Want{}, nil); err != nil || again != b || archives() != 1 {
		t.Errorf("got %+v, %v after %d archives", again, err, archives())
	}
	_, err = c.Get(t.Context(), o, Want{SHA256: [32]byte{1}}, nil)
	fails(t, err, OtherBuild, "another build")
	must.Succeed(t, os.WriteFile(b.Core.Path, make([]byte, b.Core.Size), 0o600))
	if again, err := c.Get(t.Context(), o, Want{}, nil); err != nil || again.Core != b.Core || archives() != 3 || !intact(again) {
		t.Errorf("got %+v, %v after %d archives", again, err, archives())
	}
	o.Version = "1.2.1"
	if _, ok := c.Store.Has(o); ok {
		t.Error("another version counts as kept")
	}
}

// TestTheVeryBuild: a room's build is fetched as what it is, and no other.
func TestTheVeryBuild(t *testing.T) {
	_, c := fetcher(t)
	b, err := c.Get(t.Context(), offered(t, c, "melonds"), Want{}, nil)
	must.Succeed(t, err)
	must.Succeed(t, c.Store.Remove(b))
	source, version := b.Origin.Told()
	offers, _ := c.List(t.Context())
	o, ok := Match(offers, Wanted{Name: "melonDS", Version: "1", SHA256: b.Core.SHA256, Source: source, SourceVersion: version})
	if !ok {
		t.Fatalf("told as %q %q it is not among %+v", source, version, offers)
	}
	again, err := c.Get(t.Context(), o, Want{SHA256: b.Core.SHA256}, nil)
	if err != nil || again.Core != b.Core {
		t.Errorf("got %+v, %v", again, err)
	}
}

// full is a disk on which nothing fits any more.
type full struct{}

func (full) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "x", Err: diskFull}
}

// TestDiskFull: wherever it happens, nothing stays.
func TestDiskFull(t *testing.T) {
	_, c := fetcher(t)
	o := offered(t, c, "melonds")
	for nth, what := range []string{"the archive", "the library", "the record"} {
		files := 0
		c.Store.wrap = func(f *os.File) io.Writer {
			files++
			if files == nth+1 {
				return full{}
			}
			return f
		}
		_, err := c.Get(t.Context(), o, Want{}, nil)
		fails(t, err, Disk, "the disk is full")
		if left := names(t, c.Store); left != "" {
			t.Errorf("%s: left behind:\n%s", what, left)
		}
	}
}

func TestNoFolderCanBeMade(t *testing.T) {
	_, c := fetcher(t)
	o := offered(t, c, "melonds")
	file := filepath.Join(t.TempDir(), "file")
	must.Succeed(t, os.WriteFile(file, nil, 0o600))
	c.Store = Open(filepath.Join(file, "cores"))
	_, err := c.Get(t.Context(), o, Want{}, nil)
	fails(t, err, Disk, filepath.Base(file))
}

// TestTwoAtOnce: of two that get the same build at the same time both have it, once.
func TestTwoAtOnce(t *testing.T) {
	_, c := fetcher(t)
	o := offered(t, c, "melonds")
	var all sync.WaitGroup
	builds := make([]Build, 4)
	for i := range builds {
		all.Go(func() {
			var err error
			if builds[i], err = c.Get(t.Context(), o, Want{}, nil); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	kept, err := c.Store.List()
	if err != nil || len(kept) != 1 {
		t.Fatalf("kept are %+v, %v", kept, err)
	}
	for _, b := range builds {
		if b.Core != kept[0].Core {
			t.Errorf("got %+v, kept is %+v", b, kept[0])
		}
	}
	if strings.Contains(names(t, c.Store), unfinished) {
		t.Errorf("left behind:\n%s", names(t, c.Store))
	}
}

// TestNotForThisMachine: without any source asked.
func TestNotForThisMachine(t *testing.T) {
	s, c := fetcher(t)
	for _, p := range []Platform{{"windows", "arm64"}, {"linux", "mips"}} {
		c.Platform = p
		offers, problems := c.List(t.Context())
		if len(offers) > 0 || len(problems) != 1 {
			t.Fatalf("%+v, %v", offers, problems)
		}
		fails(t, problems[0], Unsupported, p.OS)
	}
	if len(s.Asked()) > 0 {
		t.Errorf("asked are %v", s.Asked())
	}
}

// TestDefaultSources: the real addresses are such that a client would ask them.
func TestDefaultSources(t *testing.T) {
	c, err := NewClient(defaults(), nil, "1")
	if err != nil || len(c.Sources) != 2 {
		t.Fatal(c, err)
	}
	c.Platform = Platform{"linux", "arm64"}
	var hosts []string
	for _, s := range c.Sources {
		address := c.Platform.fill(s.Address)
		if err := c.belongs(s, address); err != nil || strings.ContainsAny(address, "{}") {
			t.Errorf("%s: %v", address, err)
		}
		hosts = append(hosts, hostOf(address))
	}
	if !reflect.DeepEqual(hosts, []string{"api.github.com", "buildbot.libretro.com"}) {
		t.Errorf("hosts are %v", hosts)
	}
}
