package corestore

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/corestore/coretest"
	"github.com/nettplay/nettplay/internal/testcore"
)

// TestGet: from both sources, with a worker that runs the core; it is found again by its hash,
// and by the program's search.
func TestGet(t *testing.T) {
	s, c := fetcher(t)
	c.probe = emucore.OpenCore
	lib := testLibrary(t)
	s.Release(coretest.Core{Name: "melondsds", Version: "1.2.0", Date: "2026-11-01", Library: lib})
	s.Index(coretest.Core{Name: "melonds", Date: "2026-11-02", Library: lib})
	for name, version := range map[string]string{"melondsds": "1.2.0", "melonds": ""} {
		o := offered(t, c, name)
		o, err := c.Ask(t.Context(), o)
		if err != nil || o.Size <= 0 || o.Host() != strings.TrimPrefix(s.URL, "https://") || o.Version != version {
			t.Fatalf("offered is %+v, %v", o, err)
		}
		for _, r := range s.Asked() {
			if strings.HasPrefix(r, "GET") && strings.Contains(r, o.File()) {
				t.Fatalf("before Get there is %s", r)
			}
		}
		var last Progress
		b, err := c.Get(t.Context(), o, Want{}, func(p Progress) {
			if p.Stage == Loading {
				last = p
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if last.Done != o.Size || last.Total != o.Size {
			t.Errorf("the last progress was %+v of %d bytes", last, o.Size)
		}
		if b.Core.Name != "melonDS DS" || !b.Core.Wireless || b.Core.Size != int64(len(lib)) || b.Name != name {
			t.Errorf("kept is %+v", b)
		}
		if want := (Origin{Source: o.Source.String(), URL: o.URL, Version: version, Date: o.Date, CRC32: crc32.ChecksumIEEE(lib)}); b.Origin != want {
			t.Errorf("it is from %+v, want %+v", b.Origin, want)
		}
		if got, err := emucore.OpenCore(t.Context(), b.Core.Path); err != nil || got != b.Core {
			t.Errorf("opened it is %+v, %v; the record says %+v", got, err, b.Core)
		}
	}
	all, err := c.Store.List()
	if err != nil || len(all) != 2 {
		t.Fatalf("kept are %+v, %v", all, err)
	}
	found, err := emucore.FindHash(t.Context(), all[0].Core.SHA256, c.Store.Folders())
	if err != nil || found.SHA256 != all[0].Core.SHA256 {
		t.Errorf("by its hash: %+v, %v", found, err)
	}
	_, err = emucore.FindHash(t.Context(), [32]byte{1}, c.Store.Folders())
	if !errors.Is(err, emucore.ErrNoCore) {
		t.Errorf("by a hash that nothing has: %v", err)
	}
}

// TestNothingBeforeYes: lists and sizes are asked for, and no archive; the offers of a source
// that works are there although another does not.
func TestNothingBeforeYes(t *testing.T) {
	s, c := fetcher(t)
	s.Break(func(w http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/releases") {
			w.WriteHeader(http.StatusServiceUnavailable)
			return true
		}
		return false
	})
	offers, problems := c.List(t.Context())
	if len(offers) != 1 || len(problems) != 1 {
		t.Fatalf("%+v, %v", offers, problems)
	}
	fails(t, problems[0], Refused, "answers 503 Service Unavailable")
	if _, err := c.Ask(t.Context(), offers[0]); err != nil {
		t.Fatal(err)
	}
	for _, r := range s.Asked() {
		if strings.HasPrefix(r, "GET") && strings.HasSuffix(r, ".zip") {
			t.Errorf("%s was asked for", r)
		}
	}
	if _, err := os.Stat(c.Store.dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something was written: %v", err)
	}
}

// onPath answers requests whose path ends in a text.
func onPath(end string, answer func(w http.ResponseWriter, r *http.Request)) func(w http.ResponseWriter, r *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasSuffix(r.URL.Path, end) {
			return false
		}
		answer(w, r)
		return true
	}
}

// cutOff announces more than it sends, and ends the connection.
func cutOff(text []byte) func(w http.ResponseWriter, r *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(text)))
		_, _ = w.Write(text[:len(text)/2])
	}
}

const page = "<!DOCTYPE html>\n<html><body>Welcome to our hotel. Please log in.</body></html>\n"

func sendPage(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, page) }

func send(text []byte) func(w http.ResponseWriter, r *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(text)))
		_, _ = w.Write(text)
	}
}

func sendTo(code int, url string) func(w http.ResponseWriter, r *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, url, code) }
}

// TestBrokenLists: each is a failure that says so, of that source alone.
func TestBrokenLists(t *testing.T) {
	s, c := fetcher(t)
	other := coretest.Serve(t)
	whole := coretest.Releases(s.URL, []coretest.Core{{Name: "melondsds", Version: "1", Date: "2026-11-01", Library: []byte("x")}})
	for name, tt := range map[string]struct {
		list   func(w http.ResponseWriter, r *http.Request)
		reason Reason
		why    string
	}{
		"page":                 {sendPage, NotAList, "a web page came instead of a list of cores"},
		"cut off":              {cutOff(whole), CutOff, "ended the connection too early"},
		"half":                 {send(whole[:len(whole)/2]), NotAList, "unexpected end"},
		"error":                {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) }, Refused, "404 Not Found"},
		"no list":              {send([]byte(`{"message": "moved"}`)), NotAList, "cannot unmarshal object"},
		"empty":                {send(nil), NotAList, "unexpected end"},
		"too large":            {send(make([]byte, maxReleases+10)), TooLarge, "larger than 8.4 MB"},
		"redirect elsewhere":   {sendTo(302, other.URL+"/repos/test/cores/releases"), Redirected, "which does not belong to 127.0.0.1"},
		"redirect without TLS": {sendTo(301, "http"+strings.TrimPrefix(s.URL, "https")+"/x"), Redirected, "without TLS"},
		"redirect round":       {sendTo(307, s.URL+"/repos/test/cores/releases"), Redirected, "sends on and on"},
		"asked too often": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-RateLimit-Remaining", "0")
			w.Header().Set("X-RateLimit-Reset", fmt.Sprint(date(2).Add(90*time.Second).Unix()))
			w.WriteHeader(403)
		}, Limited, "answers no more questions from this address for 2 min"},
		"too busy": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "30")
			w.WriteHeader(429)
		}, Limited, "for 1 min"},
		"endless head": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Much", strings.Repeat("x", 100<<10))
		}, Unreachable, "no connection with"},
	} {
		t.Run(name, func(t *testing.T) {
			c.now = func() time.Time { return date(2) }
			s.Break(onPath("/releases", tt.list))
			offers, problems := c.List(t.Context())
			if len(offers) != 1 || offers[0].Name != "melonds" || len(problems) != 1 {
				t.Fatalf("%+v, %v", offers, problems)
			}
			fails(t, problems[0], tt.reason, tt.why)
		})
	}
	if len(other.Asked()) > 0 {
		t.Errorf("the other server was asked %v", other.Asked())
	}
}

// TestBrokenArchives: nothing of them is kept, or stays on the disk.
func TestBrokenArchives(t *testing.T) {
	s, c := fetcher(t)
	lib := small()
	other := coretest.Serve(t)
	whole := coretest.Zip("melonds_libretro.so", lib)
	announced := offered(t, c, "melonds")
	for name, tt := range map[string]struct {
		archive func(w http.ResponseWriter, r *http.Request)
		change  func(o *Offer)
		reason  Reason
		why     string
	}{
		"page":                 {sendPage, nil, NotAnArchive, "a web page came instead of an archive"},
		"cut off":              {cutOff(whole), nil, CutOff, "ended the connection too early"},
		"half":                 {send(whole[:len(whole)/2]), nil, NotAnArchive, "not a zip file, or only the beginning"},
		"error":                {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) }, nil, Refused, "404 Not Found"},
		"redirect elsewhere":   {sendTo(302, other.URL+"/a.zip"), nil, Redirected, "which does not belong to 127.0.0.1"},
		"redirect without TLS": {sendTo(301, "http"+strings.TrimPrefix(s.URL, "https")+"/a.zip"), nil, Redirected, "without TLS"},
		"another library":      {send(coretest.Zip("melonds_libretro.so", append([]byte("x"), lib...))), nil, Altered, "CRC-32 is"},
		"another archive":      {send(whole), func(o *Offer) { o.SHA256[3] = 1 }, Altered, "SHA-256 is"},
		"announced larger":     {send(whole), func(o *Offer) { o.Size = int64(len(whole)) + 1 }, Altered, "the source announced"},
		"announced smaller":    {send(whole), func(o *Offer) { o.Size = int64(len(whole)) - 1 }, Altered, "the source announced"},
		"more than announced": {func(w http.ResponseWriter, _ *http.Request) {
			w.(http.Flusher).Flush() // so the length is not known
			_, _ = w.Write(whole)
		}, func(o *Offer) { o.Size = int64(len(whole)) - 1 }, TooLarge, "more comes than"},
		"less than announced": {func(w http.ResponseWriter, _ *http.Request) {
			w.(http.Flusher).Flush()
			_, _ = w.Write(whole)
		}, func(o *Offer) { o.Size = int64(len(whole)) + 1 }, Altered, "the source announced"},
		"too large": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(MaxArchive+1))
			_, _ = w.Write(whole)
		}, nil, TooLarge, "more than the 67.1 MB that are allowed"},
		"an address elsewhere": {nil, func(o *Offer) { o.URL = other.URL + "/a.zip" }, Redirected, "does not belong"},
		"an address with http": {nil, func(o *Offer) { o.URL = "http" + strings.TrimPrefix(o.URL, "https") }, Redirected, "without TLS"},
		"a name that is a way": {nil, func(o *Offer) { o.Name = "../melonds" }, NotACore, "not the name"},
	} {
		t.Run(name, func(t *testing.T) {
			o := announced
			if tt.change != nil {
				tt.change(&o)
			}
			if tt.archive != nil {
				s.Break(onPath(".zip", tt.archive))
			}
			_, err := c.Get(t.Context(), o, Want{}, nil)
			fails(t, err, tt.reason, tt.why)
			if left := names(t, c.Store); left != "" {
				t.Errorf("left behind:\n%s", left)
			}
		})
	}
	if len(other.Asked()) > 0 {
		t.Errorf("the other server was asked %v", other.Asked())
	}
}

// TestRedirectToTheSourcesOwn: a source's own further hosts may have its archives, as GitHub's have.
func TestRedirectToTheSourcesOwn(t *testing.T) {
	s, c := fetcher(t)
	storage, _ := fetcher(t)
	c.companions = map[string][]string{hostOf(s.URL): {hostOf(storage.URL)}}
	o := offered(t, c, "melondsds")
	s.Break(func(w http.ResponseWriter, r *http.Request) bool {
		http.Redirect(w, r, storage.URL+r.URL.Path, http.StatusFound)
		return true
	})
	if b, err := c.Get(t.Context(), o, Want{}, nil); err != nil || b.Origin.Host() != hostOf(s.URL) {
		t.Errorf("got %+v, %v", b, err)
	}
	for home, others := range companions {
		c := Client{companions: companions}
		source := Source{Address: "https://" + home + "/x"}
		for _, host := range others {
			if err := c.belongs(source, "https://"+host+"/y"); err != nil {
				t.Error(err)
			}
			for _, bad := range []string{"http://" + host, "https://" + host + ".example.org", "https://" + host + ":444", "https://u@" + host, "https://x" + host, "ftp://" + host, "https://"} {
				if c.belongs(source, bad) == nil {
					t.Errorf("%s may have the archives of %s", bad, home)
				}
			}
		}
	}
}

// TestUntrusted: without a certificate that this machine trusts nothing is fetched.
func TestUntrusted(t *testing.T) {
	s, c := fetcher(t)
	o := offered(t, c, "melonds")
	asked := len(s.Asked())
	c.Roots = nil
	_, problems := c.List(t.Context())
	if len(problems) != 2 {
		t.Fatal(problems)
	}
	fails(t, problems[0], Untrusted, "its certificate is not that of")
	_, err := c.Get(t.Context(), o, Want{}, nil)
	fails(t, err, Untrusted, "its certificate is not that of")
	if len(s.Asked()) != asked {
		t.Errorf("it was asked %v", s.Asked())
	}
}

func TestNobodyThere(t *testing.T) {
	s, c := fetcher(t)
	o := offered(t, c, "melonds")
	s.Close()
	_, err := c.Get(t.Context(), o, Want{}, nil)
	fails(t, err, Unreachable, "takes no connection")
	_, err = c.Ask(t.Context(), o)
	fails(t, err, Unreachable, "takes no connection")
}

// TestStalls: a server that sends nothing any more is not waited for, at any place.
func TestStalls(t *testing.T) {
	s, c := fetcher(t)
	o := offered(t, c, "melonds")
	end := make(chan struct{})
	t.Cleanup(func() { close(end) }) // before the server is closed, which waits
	c.Patience = 100 * time.Millisecond
	s.Break(func(w http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, ".zip") {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte("PK"))
			w.(http.Flusher).Flush()
		}
		select {
		case <-end:
		case <-r.Context().Done():
		}
		return true
	})
	_, err := c.Get(t.Context(), o, Want{}, nil)
	fails(t, err, Stalled, "") // which of both depends on the machine
	_, problems := c.List(t.Context())
	if len(problems) != 2 {
		t.Fatal(problems)
	}
	fails(t, problems[0], Stalled, "does not answer")
	if left := names(t, c.Store); left != "" {
		t.Errorf("left behind:\n%s", left)
	}
}

// TestCancelled: the player's own end is no failure, and leaves nothing.
func TestCancelled(t *testing.T) {
	s, c := fetcher(t)
	o := offered(t, c, "melonds")
	whole := coretest.Zip("melonds_libretro.so", small())
	ctx, cancel := context.WithCancel(t.Context())
	s.Break(onPath(".zip", func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write(whole[:len(whole)/2])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	_, err := c.Get(ctx, o, Want{}, func(Progress) { cancel() })
	var f *Failure
	if !errors.Is(err, context.Canceled) || errors.As(err, &f) {
		t.Errorf("got %v", err)
	}
	if left := names(t, c.Store); left != "" {
		t.Errorf("left behind:\n%s", left)
	}
}

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
	hash := [32]byte{1}
	for name, tt := range map[string]struct {
		library []byte
		probe   func(ctx context.Context, path string) (emucore.Core, error)
		want    Want
		reason  Reason
		why     string
	}{
		"a text":          {[]byte("This is not an emulator."), nil, Want{}, NotACore, "not a shared library (ELF)"},
		"another machine": {swap(18, 0xf3), nil, Want{}, WrongMachine, "EM_RISCV"},
		"a program":       {swap(16, 2), nil, Want{}, NotACore, "no shared library (ET_EXEC)"},
		"32 bits":         {swap(4, 1), nil, Want{}, WrongMachine, "ELFCLASS32"},
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
		}, Want{}, NotTried, "could not be tried on this machine: fork"},
		"another file": {lib, func(context.Context, string) (emucore.Core, error) { return emucore.Core{}, nil }, Want{}, NotACore, "its file changed"},
	} {
		t.Run(name, func(t *testing.T) {
			s.Break(onPath(".zip", send(coretest.Zip("melonds_libretro.so", tt.library))))
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
			t.Parallel()
			path := testcore.Compile(t, "probe_"+tt.source+".so", filepath.Join(testcore.Root(), "emucore/testdata/probe", tt.source))
			lib, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			s, c := fetcher(t)
			c.probe = emucore.OpenCore
			s.Index(coretest.Core{Name: "melonds", Date: "2026-11-02", Library: lib})
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
	if err != nil {
		t.Fatal(err)
	}
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
	if err := os.WriteFile(b.Core.Path, make([]byte, b.Core.Size), 0o600); err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Store.Remove(b); err != nil {
		t.Fatal(err)
	}
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
	return 0, &os.PathError{Op: "write", Path: "x", Err: unix.ENOSPC}
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
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c.Store = Open(filepath.Join(file, "cores"))
	_, err := c.Get(t.Context(), o, Want{}, nil)
	fails(t, err, Disk, "not a directory")
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
	for _, p := range []Platform{{"windows", "amd64"}, {"linux", "mips"}} {
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
