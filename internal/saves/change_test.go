package saves

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/must"
)

// A save that is set aside stays, however much is saved later and however often the folder is tidied;
// it counts as no save.
func TestSetAside(t *testing.T) {
	dir := memory(t)
	at := &clock{time.Date(2026, 11, 21, 18, 30, 5, 0, time.UTC)}
	s := open(t, dir, Options{Now: at.Now})
	save(t, s, 1)
	sram, _, err := s.Current()
	must.Succeed(t, err)
	path, err := s.SetAside(sram)
	if err != nil || filepath.Base(path) != "set aside 2026-11-21 18.30.05.sav" {
		t.Fatalf("%s, %v", path, err)
	}
	if again, err := s.SetAside(sram); err != nil || again != path {
		t.Errorf("the same again is %s, %v", again, err)
	}
	if other, err := s.SetAside(sram[1:]); err != nil || filepath.Base(other) != "set aside 2026-11-21 18.30.05-2.sav" {
		t.Errorf("another is %s, %v", other, err)
	}
	for n := range 3 * Generations {
		save(t, s, 2+n)
	}
	s.Close()
	s = open(t, dir, Options{})
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, sram) {
		t.Errorf("it is gone: %v", err)
	}
	if _, m, err := s.Current(); err != nil || m == nil {
		t.Errorf("the saves beside: %v", err)
	}
	s.Close()
	if _, err := s.SetAside(sram); !errors.Is(err, ErrClosed) {
		t.Errorf("set aside after the end: %v", err)
	}
}
