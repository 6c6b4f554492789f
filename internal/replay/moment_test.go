package replay

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/savestate"
)

// keptGame is a moment of a game of two, with states and the air.
func keptGame(t testing.TB) Beginning {
	t.Helper()
	b := beginning(t, 2, bytes.Repeat([]byte{5}, 512))
	store := savestate.NewStore(0)
	before := b.Part
	b.Part = func(sum [32]byte) ([]byte, bool) {
		if raw, ok := store.Get(sum); ok {
			return raw, true
		}
		return before(sum)
	}
	add := func(seat int, kind savestate.Kind, raw []byte) {
		p, err := store.Put(kind, raw)
		must.Succeed(t, err)
		m := &b.Seats[seat].Start
		m.Parts = append(m.Parts, p)
		for i := len(m.Parts) - 1; i > 0 && m.Parts[i].Kind < m.Parts[i-1].Kind; i-- {
			m.Parts[i], m.Parts[i-1] = m.Parts[i-1], m.Parts[i]
		}
	}
	for seat := range b.Seats {
		add(seat, savestate.KindState, bytes.Repeat([]byte{byte(seat), 7, 9}, 100_000))
	}
	add(0, savestate.KindAir, []byte("air"))
	return b
}

// TestKeptMoment: what is kept is there another day, byte for byte, and is told from a
// recording.
func TestKeptMoment(t *testing.T) {
	b, folder := keptGame(t), filepath.Join(t.TempDir(), "moments")
	picture := bytes.Repeat([]byte{0x89, 'P'}, 1000)
	half := filepath.Join(folder, ".nettplay-1.tmp") // left by a program that was killed long ago
	must.Succeed(t, errors.Join(os.Mkdir(folder, 0o700), os.WriteFile(half, nil, 0o600), os.Chtimes(half, time.Time{}, time.Unix(1, 0))))
	var paths []string
	for range 2 {
		path, err := Keep(folder, b, Moment{Name: "Before the/ boss", Frames: 123_456, Picture: picture})
		must.Succeed(t, err)
		paths = append(paths, filepath.Base(path))
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) != 2 {
		t.Errorf("in the folder are %v, %v", files, err)
	}
	if want := "2026-11-21 18.30.05 Before the_ boss (Anna, Ben)"; paths[0] != want+".npmoment" || paths[1] != want+"-2.npmoment" {
		t.Errorf("the files are called %q", paths)
	}
	l, err := OpenMoment(filepath.Join(folder, paths[0]))
	must.Succeed(t, err)
	defer l.Close()
	if m := l.Moment; m.Name != "Before the/ boss" || m.Frames != 123_456 || !bytes.Equal(m.Picture, picture) {
		t.Errorf("%q, %d frames, a picture of %d bytes", m.Name, m.Frames, len(m.Picture))
	}
	for i, s := range l.Seats {
		for _, p := range s.Start.Parts {
			want, _ := b.Part(p.SHA256)
			if got, err := l.Part(s, p.SHA256); err != nil || !bytes.Equal(got, want) || want == nil {
				t.Errorf("seat %d: %v: %v", i, p, err)
			}
		}
		if s.Hash != b.Seats[i].Hash {
			t.Errorf("seat %d has the hash %v", i, s.Hash)
		}
	}
	if air, err := l.Air(); err != nil || string(air) != "air" {
		t.Errorf("the air is %q, %v", air, err)
	}
}

// TestNoMoment: a recording, and a moment of which something lacks or is altered, are
// refused with a reason.
func TestNoMoment(t *testing.T) {
	if _, err := OpenMoment(record(t, 2, 30, mashers(1, 30))); !errors.Is(err, ErrNotAMoment) {
		t.Errorf("a recording: %v", err)
	}
	b, dir := keptGame(t), t.TempDir()
	path, err := Keep(dir, b, Moment{})
	must.Succeed(t, err)
	whole := must.Read(t, path)
	for n := 0; n < len(whole); n += 97 {
		must.Succeed(t, os.WriteFile(path, whole[:n], 0o600))
		if l, err := OpenMoment(path); err == nil {
			t.Errorf("%d bytes of %d were taken", n, len(whole))
			l.Close()
		}
	}
	b.Seats[1].Start.Parts = nil
	if path, err = Keep(dir, b, Moment{}); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenMoment(path); err == nil || !strings.Contains(err.Error(), "no state of seat 2") {
		t.Errorf("without a state: %v", err)
	}
	b.Part = func([32]byte) ([]byte, bool) { return nil, false }
	before, _ := os.ReadDir(dir)
	if _, err := Keep(dir, b, Moment{}); err == nil {
		t.Error("a moment was kept whose parts are gone")
	}
	if after, _ := os.ReadDir(dir); len(after) != len(before) {
		t.Errorf("it left a file: %v", after)
	}
}
