package corestore

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/elf"
	"debug/pe"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/testing/fixture"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
)

func TestMain(m *testing.M) { os.Exit(testcore.Main(m)) }

// small returns what looks like a library for this machine as long as it is not run: the head
// of one, and some bytes that do not pack.
func small() []byte { return smallFor(Platform{runtime.GOOS, runtime.GOARCH}) }

func smallFor(p Platform) []byte {
	head := make([]byte, 88, 4096)
	if p.OS == "windows" {
		copy(head, "MZ")
		head[0x3c] = 64 // where PE begins
		copy(head[64:], "PE\x00\x00")
		binary.LittleEndian.PutUint16(head[68:], peMachines[p.Arch])
		binary.LittleEndian.PutUint16(head[86:], pe.IMAGE_FILE_DLL)
	} else {
		copy(head, "\x7fELF\x02\x01\x01")
		binary.LittleEndian.PutUint16(head[16:], uint16(elf.ET_DYN))
		binary.LittleEndian.PutUint16(head[18:], uint16(elfMachines[p.Arch]))
		head[20], head[52], head[54], head[58] = 1, 64, 56, 64 // version and sizes
	}
	for sum := sha256.Sum256(head); len(head) < 4096; sum = sha256.Sum256(sum[:]) {
		head = append(head, sum[:min(len(sum), 4096-len(head))]...)
	}
	return head
}

// testLibrary returns the test core.
func testLibrary(t *testing.T) []byte {
	t.Helper()
	return must.Read(t, testcore.Wireless(t))
}

// fetcher returns a client of a server that has a core in both of its sources, with a store of
// its own. The core is not run: what it would say is made up.
func fetcher(t *testing.T) (*fixture.CoreServer, *Client) {
	t.Helper()
	s := fixture.ServeCores(t)
	lib := small()
	s.Release(fixture.Core{Name: "melondsds", Version: "1.2.0", Date: "2026-11-01", Library: lib})
	s.Index(fixture.Core{Name: "melonds", Date: "2026-11-02", Library: lib})
	c, err := NewClient(config.Core{Sources: s.Sources()}, Open(filepath.Join(t.TempDir(), "cores")), "test")
	must.Succeed(t, err)
	c.Roots, c.probe, c.Patience = s.Roots(), saysSo, time.Minute
	return s, c
}

// saysSo stands in for a worker that runs the core.
func saysSo(_ context.Context, path string) (emucore.Core, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return emucore.Core{}, err
	}
	return emucore.Core{Path: path, Name: "melonDS DS", Version: "1", Wireless: true, SHA256: sha256.Sum256(text), Size: int64(len(text))}, nil
}

// offered returns the client's only offer of a core.
func offered(t *testing.T, c *Client, name string) Offer {
	t.Helper()
	offers, problems := c.List(t.Context())
	o, ok := Newest(offers, name)
	if !ok {
		t.Fatalf("no %s is offered: %+v, %v", name, offers, problems)
	}
	return o
}

// fails checks that an error is a failure for a reason, which can be read and helps.
func fails(t *testing.T, err error, reason Reason, why string) {
	t.Helper()
	var f *Failure
	if !errors.As(err, &f) {
		t.Fatalf("got %v, want a failure", err)
	}
	if f.Reason != reason || !bytes.Contains([]byte(f.Error()), []byte(why)) {
		t.Errorf("got reason %d, %q, want %d, %q", f.Reason, f.Error(), reason, why)
	}
	if f.What == "" || f.Advice() == "" {
		t.Errorf("%+v says not what failed, or not what to do", f)
	}
}

func defaults() config.Core { return config.Defaults().Core }
