// Package coretest is a server with cores for tests: by TLS, with a certificate of its own,
// in the forms of both kinds of sources (GitHub's list of releases, libretro's index). The
// whole of internal/corestore, which is the next to read, can be tried against it.
package coretest

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/must"
)

// A Core is a build that the server offers.
type Core struct {
	Name    string // short: "melondsds"
	Version string // of the release; the index tells none
	Date    string // "2026-11-20"
	Library []byte // what is in the archive
}

// A Server offers cores. The list may change while it runs.
type Server struct {
	*httptest.Server
	mu       sync.Mutex // guards what follows
	releases []Core
	index    []Core
	broken   func(w http.ResponseWriter, r *http.Request) bool
	asked    []string // methods and paths
}

// Serve begins to serve, until the test ends.
func Serve(tb testing.TB) *Server {
	tb.Helper()
	s := Start()
	tb.Cleanup(s.Close)
	return s
}

// Start begins to serve. The caller closes the server.
func Start() *Server {
	s := &Server{}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // clients that do not trust it are part of tests
	s.StartTLS()
	return s
}

// Release offers builds in the list of releases, the newest first.
func (s *Server) Release(cores ...Core) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.releases = cores
}

// Index offers builds in the index.
func (s *Server) Index(cores ...Core) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.index = cores
}

// Break has a function answer requests first; where it returns false the server answers.
func (s *Server) Break(broken func(w http.ResponseWriter, r *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken = broken
}

// Asked returns the requests so far, as "GET /path".
func (s *Server) Asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.asked...)
}

// Sources returns the server's two sources, as the setting core.sources has them: first the
// releases, then the index.
func (s *Server) Sources() []string {
	return []string{"github-releases " + s.URL + "/repos/test/cores/releases", "libretro-index " + s.URL + "/nightly/{os}/{arch}/latest/"}
}

// Roots returns the certificates with which a client trusts the server.
func (s *Server) Roots() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	return pool
}

// Cert returns the server's certificate as the text of a file. A process that is started with the
// file as SSL_CERT_FILE in its environment trusts the server, and no other.
func (s *Server) Cert() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
}

// CertFile writes Cert to a file and returns its path.
func (s *Server) CertFile(tb testing.TB) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "roots.pem")
	must.Succeed(tb, os.WriteFile(path, s.Cert(), 0o600))
	return path
}

// arch returns the sources' name of this machine's architecture.
func arch() string {
	if runtime.GOARCH == "arm64" {
		return "aarch64"
	}
	return "x86_64"
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked = append(s.asked, r.Method+" "+r.URL.Path)
	releases, index, broken := s.releases, s.index, s.broken
	s.mu.Unlock()
	if broken != nil && broken(w, r) {
		return
	}
	switch folder := "/nightly/" + runtime.GOOS + "/" + arch() + "/latest/"; {
	case r.URL.Path == "/repos/test/cores/releases":
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_, _ = w.Write(Releases(s.URL, releases))
	case r.URL.Path == folder+".index-extended":
		_, _ = w.Write(Index(index))
	default:
		for _, c := range releases {
			if r.URL.Path == "/test/cores/releases/download/v"+c.Version+"/"+asset(c) {
				http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(ReleaseZip(c)))
				return
			}
		}
		for _, c := range index {
			if r.URL.Path == folder+c.Name+"_libretro.so.zip" {
				http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(Zip(c.Name+"_libretro.so", c.Library)))
				return
			}
		}
		http.NotFound(w, r)
	}
}

// asset is the name of a release's archive for this machine.
func asset(c Core) string {
	return c.Name + "_libretro-" + runtime.GOOS + "-" + arch() + "-Release.zip"
}

// Index returns the index of cores, among others that are none for the DS.
func Index(cores []Core) []byte {
	var b bytes.Buffer
	fmt.Fprintln(&b, "2026-11-01 0badcafe 2048_libretro.so.zip")
	for _, c := range cores {
		fmt.Fprintf(&b, "%s %08x %s_libretro.so.zip\n", c.Date, crc32.ChecksumIEEE(c.Library), c.Name)
	}
	fmt.Fprintln(&b, "2026-11-02 00c0ffee snes9x_libretro.so.zip")
	return b.Bytes()
}

// Releases returns the list of releases, each with the archives for several platforms. The
// second half of the fields is of no use to a client, and is there because GitHub has such.
func Releases(base string, cores []Core) []byte {
	list := []any{}
	for _, c := range cores {
		var assets []any
		for _, platform := range []string{"linux-x86_64", "linux-aarch64", "macos-universal", "win32-x86_64", "android"} {
			for _, build := range []string{"Debug", "Release", "RelWithDebInfo"} {
				name := c.Name + "_libretro-" + platform + "-" + build + ".zip"
				a := map[string]any{
					"name": name, "size": 123, "state": "uploaded", "content_type": "application/zip", "download_count": 7,
					"url":                  base + "/repos/test/cores/releases/assets/1",
					"browser_download_url": base + "/test/cores/releases/download/v" + c.Version + "/" + name,
					"uploader":             map[string]any{"login": "test", "id": 1},
				}
				if name == asset(c) {
					archive := ReleaseZip(c)
					a["size"], a["digest"] = len(archive), fmt.Sprintf("sha256:%x", sha256.Sum256(archive))
				}
				assets = append(assets, a)
			}
		}
		list = append(list, map[string]any{
			"tag_name": "v" + c.Version, "name": c.Version, "draft": false, "prerelease": false, "assets": assets,
			"published_at": c.Date + "T20:14:05Z", "body": "# Changes\n\n* <b>none</b>", "author": map[string]any{"login": "test"},
		})
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic(err)
	}
	return text
}

// ReleaseZip returns the archive of a release: the core in folders, beside other files.
func ReleaseZip(c Core) []byte {
	folder := strings.TrimSuffix(asset(c), ".zip") + "/"
	return Zip(
		folder, nil, folder+"cores/", nil,
		folder+"cores/"+c.Name+"_libretro.info", []byte("display_name = \"test\"\n"),
		folder+"cores/"+c.Name+"-LICENSE.txt", []byte("GPL\n"),
		folder+"cores/"+c.Name+"_libretro.so", c.Library,
	)
}

// Zip returns an archive of files: names and contents in turn. A name that ends in a slash
// is a folder.
func Zip(files ...any) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i].(string))
		if err != nil {
			panic(err)
		}
		if text, ok := files[i+1].([]byte); ok {
			_, err = w.Write(text)
		}
		if err != nil {
			panic(err)
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}
