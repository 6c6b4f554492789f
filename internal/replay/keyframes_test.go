package replay

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/savestate"
)

// keyframe is one of random states, which do not shrink.
func keyframe(frame int64, size int) Keyframe {
	rng := rand.NewChaCha8([32]byte{byte(frame), byte(frame >> 8)})
	k := Keyframe{Frame: frame, Air: []byte("the air")}
	for seat := range 2 {
		b := make([]byte, size/2)
		_, _ = rng.Read(b)
		k.States = append(k.States, State{ds.Seat(seat), b})
	}
	return k
}

func someLog(t testing.TB, seed uint64) *Log {
	t.Helper()
	r := NewRecorder(Config{Path: filepath.Join(t.TempDir(), "g")})
	b := beginning(t, 2, nil)
	b.Began = b.Began.Add(time.Duration(seed) * time.Second)
	must.Succeed(t, r.Begin(b))
	play(r, 2, 100, mashers(1, 100))
	must.Succeed(t, r.Close())
	return opened(t, r.Path())
}

func TestKeyframesAreFoundAgain(t *testing.T) {
	cache, l := filepath.Join(t.TempDir(), "a", "b"), someLog(t, 1)
	k, err := OpenKeyframes(cache, l, [32]byte{1}, 0)
	must.Succeed(t, err)
	for _, f := range []int64{900, 300, 600} {
		must.Succeed(t, k.Add(keyframe(f, 10_000)))
	}
	if k, err = OpenKeyframes(cache, l, [32]byte{1}, 0); err != nil || !slices.Equal(k.Frames(), []int64{300, 600, 900}) {
		t.Fatalf("%v, %v", k.Frames(), err)
	}
	for frame, want := range map[int64]int64{299: 0, 300: 300, 599: 300, 600: 600, 5000: 900} {
		if got, ok := k.Before(frame); got != want || ok != (want > 0) {
			t.Errorf("before frame %d there is %d, %v", frame, got, ok)
		}
	}
	got, err := k.Load(600)
	if diff := cmp.Diff(keyframe(600, 10_000), got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	// Another core has others.
	if other, err := OpenKeyframes(cache, l, [32]byte{2}, 0); err != nil || len(other.Frames()) != 0 {
		t.Errorf("%v, %v", other.Frames(), err)
	}
	k.Forget(600)
	if _, err := k.Load(600); err == nil || !slices.Equal(k.Frames(), []int64{300, 900}) {
		t.Errorf("%v, %v", err, k.Frames())
	}
	// Useless keyframes are not made again, and others are.
	if err := errors.Join(k.Add(keyframe(600, 10_000)), k.Add(keyframe(1200, 10_000))); err != nil || !slices.Equal(k.Frames(), []int64{300, 900, 1200}) {
		t.Errorf("%v, %v", err, k.Frames())
	}
}

// A recording that grows keeps its keyframes.
func TestKeyframesOfAGrowingLog(t *testing.T) {
	path, cache := filepath.Join(t.TempDir(), "g"), t.TempDir()
	r := NewRecorder(Config{Path: path})
	must.Succeed(t, r.Begin(beginning(t, 2, nil)))
	ids := make(map[string]bool)
	for n := range int64(3) {
		for f := n * 500; f < (n+1)*500; f++ {
			r.Input(0, f, inputdelay.Input{Keys: inputdelay.Keys(f % 100)})
			r.Input(1, f, inputdelay.Input{})
		}
		r.mu.Lock()
		_, err := r.now.file.Write(r.now.drain())
		r.mu.Unlock()
		must.Succeed(t, err)
		k, err := OpenKeyframes(cache, opened(t, path), [32]byte{}, 0)
		must.Succeed(t, err)
		ids[k.dir] = true
	}
	r.Close()
	if len(ids) != 1 {
		t.Errorf("its keyframes are in %d places", len(ids))
	}
}

// The disk is used up to a limit: other logs lose theirs first, the longest unused
// ones before others, then one's own are thinned out.
func TestKeyframesAreBounded(t *testing.T) {
	cache := t.TempDir()
	const each, limit = 100_000, 1_000_000
	var all []*Keyframes
	for n := range uint64(3) {
		k, err := OpenKeyframes(cache, someLog(t, n+1), [32]byte{}, limit)
		must.Succeed(t, err)
		for f := range int64(3) {
			must.Succeed(t, k.Add(keyframe((f+1)*100, each)))
		}
		old := time.Now().Add(time.Duration(n) * time.Hour)
		must.Succeed(t, os.Chtimes(k.dir, old, old))
		all = append(all, k)
	}
	total := func() (n int64) {
		_ = filepath.WalkDir(cache, func(path string, d os.DirEntry, _ error) error {
			if info, err := d.Info(); err == nil && !d.IsDir() {
				n += info.Size()
			}
			return nil
		})
		return n
	}
	there := func(k *Keyframes) bool { _, err := os.Stat(k.dir); return err == nil }
	newest := all[2]
	for f := int64(4); f <= 5; f++ {
		must.Succeed(t, newest.Add(keyframe(f*100, each)))
	}
	if there(all[0]) || !there(all[1]) {
		t.Errorf("the longest unused is there: %v; the other: %v", there(all[0]), there(all[1]))
	}
	for f := int64(6); f <= 30; f++ {
		must.Succeed(t, newest.Add(keyframe(f*100, each)))
		if n := total(); n > limit {
			t.Fatalf("%d bytes after %d keyframes", n, f)
		}
	}
	frames := newest.Frames()
	if there(all[1]) || len(frames) < 4 || frames[len(frames)-1] != 3000 || frames[0] > 1500 {
		t.Errorf("the other log's are there: %v; kept are %v", there(all[1]), frames)
	}
}

// Those of a long recording are made so far apart that they have room.
func TestKeyframesSpacing(t *testing.T) {
	const each, limit, length = 100_000, 1_000_000, 200_000
	k, err := OpenKeyframes(t.TempDir(), someLog(t, 1), [32]byte{}, limit)
	if err != nil || k.Spacing(length) != 0 {
		t.Fatalf("%v, %d", err, k.Spacing(length))
	}
	must.Succeed(t, k.Add(keyframe(1, each)))
	space := k.Spacing(length)
	made := int64(1)
	for f := space; f <= length; f += space {
		must.Succeed(t, k.Add(keyframe(f, each)))
		made++
	}
	if int64(len(k.Frames())) != made || made < 6 || k.size() > limit {
		t.Errorf("%d of %d keyframes are there, %d frames apart, in %d bytes", len(k.Frames()), made, space, k.size())
	}
}

func FuzzKeyframe(f *testing.F) {
	dir := f.TempDir()
	k := &Keyframes{dir: dir, cache: dir, limit: 1 << 30}
	must.Succeed(f, k.Add(keyframe(7, 300)))
	b := must.Read(f, k.path(7))
	f.Add(b)
	f.Add(b[:len(b)-1])
	f.Add([]byte(keyMagic))
	f.Fuzz(func(t *testing.T, b []byte) {
		before := bytes.Clone(b)
		_, _ = decodeKeyframe(b)
		if !bytes.Equal(before, b) {
			t.Error("what was read is changed")
		}
	})
}

func TestList(t *testing.T) {
	dir := t.TempDir()
	if list, err := List(filepath.Join(dir, "none")); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
	r := NewRecorder(Config{Folder: dir})
	for n := range 3 {
		b := beginning(t, 2, nil)
		b.Began = b.Began.AddDate(0, 0, -n)
		must.Succeed(t, r.Begin(b))
		play(r, 2, int64(n+1)*100, mashers(1, 300))
		r.Ended("over")
	}
	must.Succeed(t, r.Close())
	for name, content := range map[string]string{"a.nplog": "no log", "b.txt": "no log"} {
		must.Succeed(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
	list, err := List(dir)
	if err != nil || len(list) != 4 {
		t.Fatalf("%v, %v", list, err)
	}
	if list[0].Err == nil || list[0].Head != nil {
		t.Errorf("what is no log: %+v", list[0])
	}
	for i, frames := range []int64{300, 200, 100} {
		if e := list[i+1]; e.Err != nil || e.Frames != frames || !e.Ended || e.Head.Game() != "Mario Kart: DS" {
			t.Errorf("%d: %+v", i, e)
		}
	}
}

// A resync and its parts are in the log, and what is wrong with one is refused.
func TestRestartsAreRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "g")
	b := beginning(t, 2, []byte("a save"))
	r := NewRecorder(Config{Path: path})
	must.Succeed(t, r.Begin(b))
	play(r, 2, 200, mashers(1, 300))
	seats := slices.Clone(b.Seats)
	for i := range seats {
		m := seats[i].Start
		m.Frame = 150
		part := m.Parts
		if len(part) == 0 {
			part = seats[0].Start.Parts
		}
		p := part[0]
		p.Kind = 1 // the bytes of the save will do as a state
		m.Parts = []savestate.Part{p}
		seats[i].Start = m
	}
	r.Resynced(150, seats, b.Part)
	must.Succeed(t, r.Close())
	l := opened(t, path)
	if len(l.Restarts) != 1 || l.Restarts[0].Frame != 150 || len(l.Restarts[0].Seats) != 2 {
		t.Fatalf("%+v", l.Restarts)
	}
	s := l.Restarts[0].Seats[1]
	if raw, err := l.Part(s, s.Start.Parts[0].SHA256); err != nil || string(raw) != "a save" {
		t.Errorf("%q, %v", raw, err)
	}
	for words, change := range map[string]func(*Restart){
		"seats":    func(x *Restart) { x.Seats = nil },
		"frame 0":  func(x *Restart) { x.Frame = 0 },
		"at frame": func(x *Restart) { x.Frame = 151 },
	} {
		x := Restart{Frame: 150, Seats: slices.Clone(seats)}
		change(&x)
		if _, err := x.encode(); err == nil {
			t.Errorf("%s: no error", words)
		}
	}
}
