package corestore

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/testing/fixture"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestGet: from both sources, with a worker that runs the core; it is found again by its hash,
// and by the program's search.
func TestGet(t *testing.T) {
	s, c := fetcher(t)
	c.probe = emucore.OpenCore
	lib := testLibrary(t)
	s.Release(fixture.Core{Name: "melondsds", Version: "1.2.0", Date: "2026-11-01", Library: lib})
	s.Index(fixture.Core{Name: "melonds", Date: "2026-11-02", Library: lib})
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
		must.Succeed(t, err)
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
	found, err := emucore.Search{Folders: c.Store.Folders()}.ByHash(t.Context(), all[0].Core.SHA256)
	if err != nil || found.SHA256 != all[0].Core.SHA256 {
		t.Errorf("by its hash: %+v, %v", found, err)
	}
	_, err = emucore.Search{Folders: c.Store.Folders()}.ByHash(t.Context(), [32]byte{1})
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
	other := fixture.ServeCores(t)
	whole := fixture.Releases(s.URL, []fixture.Core{{Name: "melondsds", Version: "1", Date: "2026-11-01", Library: []byte("x")}})
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
	other := fixture.ServeCores(t)
	whole := fixture.ZipOf("melonds"+librarySuffix, lib)
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
		"another library":      {send(fixture.ZipOf("melonds"+librarySuffix, append([]byte("x"), lib...))), nil, Altered, "CRC-32 is"},
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
	fails(t, problems[0], Untrusted, "the server that answered could not prove that it is")
	_, err := c.Get(t.Context(), o, Want{}, nil)
	fails(t, err, Untrusted, "the server that answered could not prove that it is")
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
	whole := fixture.ZipOf("melonds"+librarySuffix, small())
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
