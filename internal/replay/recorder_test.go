package replay

import (
	"bytes"
	"crypto/sha256"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/wire"
	"github.com/nettplay/nettplay/savestate"
)

func TestNames(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "for it")
	r := NewRecorder(Config{Folder: dir})
	defer r.Close()
	var paths []string
	for range 3 {
		must.Succeed(t, r.Begin(beginning(t, 2, nil)))
		r.Input(0, 0, inputdelay.Input{})
		r.Ended("over")
		paths = append(paths, filepath.Base(r.Path()))
	}
	want := "2026-11-21 18.30.05 Mario Kart_ DS (Anna, Ben)"
	for i, suffix := range []string{".nplog", "-2.nplog", "-3.nplog"} {
		if paths[i] != want+suffix {
			t.Errorf("recording %d is %q", i, paths[i])
		}
	}
	must.BePrivate(t, r.Path())
	evil := &Head{Seats: []Seat{{Plan: room.SeatPlan{Nickname: "../../x\x00/\n", ROM: room.ROMID{Title: strings.Repeat("ö/", 300)}}}}}
	if name := FileName(evil); strings.ContainsAny(name, "/\x00\n") || len(name) > 200 {
		t.Errorf("%d bytes: %q", len(name), name)
	}
}

// Nobody's file is written over.
func TestAnExistingFileStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.nplog")
	must.Succeed(t, os.WriteFile(path, []byte("precious"), 0o600))
	r := NewRecorder(Config{Path: path})
	must.Succeed(t, r.Begin(beginning(t, 2, nil)))
	r.Close()
	if b, _ := os.ReadFile(path); string(b) != "precious" {
		t.Errorf("it is %q now", b)
	}
	if want := strings.Replace(path, "mine", "mine-2", 1); r.Path() != want {
		t.Errorf("recorded into %s, not %s", r.Path(), want)
	}
}

// A disk that is full ends the recording, says so, and nothing else.
func TestFullDisk(t *testing.T) {
	must.HaveLinux(t, "/dev/full")
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full: ", err)
	}
	r := NewRecorder(Config{Path: filepath.Join(t.TempDir(), "g"), began: func(rec *recording) {
		rec.file.Close()
		rec.file = full
	}})
	must.Succeed(t, r.Begin(beginning(t, 2, nil)))
	r.cfg.began = nil
	play(r, 2, 500, mashers(1, 500))
	if err := r.Close(); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("the problem is %v", err)
	}
	play(r, 2, 500, mashers(1, 500)) // nothing happens
	if err := r.Begin(beginning(t, 2, nil)); err != nil || r.Problem() != nil {
		t.Errorf("the next game: %v, %v", err, r.Problem())
	}
	r.Close()
}

func TestFolderThatCannotBe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must.Succeed(t, os.WriteFile(file, nil, 0o600))
	r := NewRecorder(Config{Folder: filepath.Join(file, "below")})
	if err := r.Begin(beginning(t, 2, nil)); err == nil || r.Problem() == nil {
		t.Errorf("%v, %v", err, r.Problem())
	}
	r.Input(0, 0, inputdelay.Input{})
	r.Decided(timeline.Decision{})
	r.Ended("")
	if err := r.Close(); err == nil {
		t.Error("closing tells of nothing")
	}
}

// A save that cannot be had any more makes the recording worthless, and it says
// so.
func TestPartThatIsGone(t *testing.T) {
	r := NewRecorder(Config{Path: filepath.Join(t.TempDir(), "g")})
	b := beginning(t, 2, []byte("save"))
	b.Part = func([32]byte) ([]byte, bool) { return nil, false }
	must.Succeed(t, r.Begin(b))
	if err := r.Close(); err == nil || !strings.Contains(err.Error(), "save") {
		t.Errorf("the problem is %v", err)
	}
}

// While the disk does not answer, memory stays bounded and no block grows beyond
// what can be read.
func TestAStalledDisk(t *testing.T) {
	reader, writer, err := os.Pipe()
	must.Succeed(t, err)
	r := NewRecorder(Config{Path: filepath.Join(t.TempDir(), "g"), began: func(rec *recording) {
		rec.file.Close()
		rec.file = writer
	}})
	must.Succeed(t, r.Begin(beginning(t, 2, nil)))
	r.cfg.began = nil
	frames := int64(0)
	for ; r.Problem() == nil && frames < 20_000_000; frames++ {
		// The stylus jumps across the screen each frame: no input takes more room.
		far := inputdelay.Input{Keys: inputdelay.Touch, X: uint8(100 * frames), Y: uint8(100 * (frames & 1))}
		r.Input(0, frames, far)
		r.Input(1, frames, far)
	}
	if err := r.Problem(); err == nil || !strings.Contains(err.Error(), "does not keep up") {
		t.Errorf("after %d frames: %v", frames, err)
	}
	if frames < 3600*60 {
		t.Errorf("it gave up after %d frames", frames)
	}
	r.mu.Lock()
	if n := len(r.now.other); n > maxPending+maxBlock {
		t.Errorf("%d bytes wait", n)
	}
	r.mu.Unlock()
	reader.Close()
	r.Close()
}

func TestInputsOutOfOrderEndTheRecording(t *testing.T) {
	r := NewRecorder(Config{Path: filepath.Join(t.TempDir(), "g")})
	must.Succeed(t, r.Begin(beginning(t, 2, nil)))
	r.Input(0, 0, inputdelay.Input{})
	r.Input(0, 2, inputdelay.Input{})
	if err := r.Close(); err == nil || !strings.Contains(err.Error(), "frame 2 of seat 1") {
		t.Error(err)
	}
}

// Everything older than a second is in the file, by the clock.
func TestWrittenWithinASecond(t *testing.T) {
	path := filepath.Join(t.TempDir(), "g")
	synctest.Test(t, func(t *testing.T) {
		r := NewRecorder(Config{Path: path})
		must.Succeed(t, r.Begin(beginning(t, 2, []byte("save"))))
		began := time.Now()
		for f := int64(0); f < 600; f++ {
			r.Input(0, f, inputdelay.Input{})
			r.Input(1, f, inputdelay.Input{})
			time.Sleep(time.Second / 60)
			synctest.Wait()
			if f%60 == 59 {
				l, err := Open(path)
				must.Succeed(t, err)
				if missing := f + 1 - l.Frames(1); missing > 60 {
					t.Errorf("after %v the last %d frames are not there", time.Since(began), missing)
				}
				l.Close()
			}
		}
		r.Close()
	})
}

// A game whose consoles were made alike anew more often than a recording can hold is
// recorded up to there, and that can be read.
func TestTooManyRestarts(t *testing.T) {
	b := beginning(t, 2, []byte("a save"))
	r := NewRecorder(Config{Path: filepath.Join(t.TempDir(), "game")})
	must.Succeed(t, r.Begin(b))
	inputs := mashers(1, 1000)
	for n := range int64(maxRestarts + 1) {
		for f := n * 10; f < n*10+10; f++ {
			for seat := range 2 {
				r.Input(ds.Seat(seat), f, inputs(ds.Seat(seat), f))
			}
		}
		seats := slices.Clone(b.Seats)
		for i := range seats {
			seats[i].Start.Frame = n*10 + 10
		}
		r.Resynced(n*10+10, seats, b.Part)
	}
	if err := r.Problem(); err == nil || !strings.Contains(err.Error(), "more than 64 resyncs") {
		t.Errorf("the recorder says %v", err)
	}
	r.Close()
	l, err := Open(r.Path())
	must.Succeed(t, err)
	defer l.Close()
	if len(l.Restarts) != maxRestarts || l.Length() < maxRestarts*10 {
		t.Errorf("%d restarts in %d frames", len(l.Restarts), l.Length())
	}
}

// The frames of a game are in the file before the states that its consoles are made anew
// from. A reader that opens it between, or after a crash there, can play it up to that frame.
func TestARestartThatIsNotWhole(t *testing.T) {
	b := beginning(t, 2, []byte("a save"))
	r := NewRecorder(Config{Path: filepath.Join(t.TempDir(), "game")})
	must.Succeed(t, r.Begin(b))
	play := func(from, to int64) {
		for f := from; f < to; f++ {
			r.Input(0, f, inputdelay.Input{})
			r.Input(1, f, inputdelay.Input{})
		}
	}
	play(0, 10)
	seats := slices.Clone(b.Seats)
	for i := range seats {
		seats[i].Start.Frame = 10
	}
	part := seats[0].Start.Parts[0]
	part.SHA256 = sha256.Sum256([]byte("a SAVE"))
	seats[0].Start.Parts = []savestate.Part{part}
	asked, given := make(chan struct{}), make(chan struct{})
	r.Resynced(10, seats, func([32]byte) ([]byte, bool) {
		close(asked)
		<-given
		return []byte("a SAVE"), true
	})
	play(10, 30)
	r.Ended("the game is over") // which nobody who watches may take for all, before the state is written
	<-asked
	for _, whole := range []bool{false, true} {
		l, err := Open(r.Path())
		must.Succeed(t, err)
		defer l.Close()
		want := int64(10)
		if whole {
			want = 30
		}
		if len(l.Restarts) != 1 || !l.Whole(0) || l.Whole(1) != whole || l.Length() != want {
			t.Errorf("%d restarts, %d frames can be played, want %d; whole: %v, %v, want %v", len(l.Restarts), l.Length(), want, l.Whole(0), l.Whole(1), whole)
		}
		if l.Ended != whole || l.Complete() != whole {
			t.Errorf("ended: %v, complete: %v, want %v", l.Ended, l.Complete(), whole)
		}
		raw, err := l.Part(seats[0], part.SHA256)
		if whole && (err != nil || string(raw) != "a SAVE") || !whole && (err == nil || !strings.Contains(err.Error(), "ends before")) {
			t.Errorf("the state is %q, %v", raw, err)
		}
		if !whole {
			close(given)
			must.Succeed(t, r.Close())
		}
	}
}

// TestShots: the last picture of a game is that of its recording, one that is too large is none, and the game in it is
// the same.
func TestShots(t *testing.T) {
	r := NewRecorder(Config{Path: filepath.Join(t.TempDir(), "game.nplog")})
	r.Shot([]byte("of no game"))
	script := mashers(1, 600)
	must.Succeed(t, r.Begin(beginning(t, 1, []byte("a save"))))
	for f := range int64(600) {
		r.Input(0, f, script(0, f))
		switch f {
		case 100, 300:
			r.Shot(bytes.Repeat([]byte{byte(f / 100)}, MaxShot))
		case 500:
			r.Shot(make([]byte, MaxShot+1))
			r.Shot(nil)
		}
	}
	must.Succeed(t, r.Close())
	l, err := Open(r.Path())
	must.Succeed(t, err)
	defer l.Close()
	if !bytes.Equal(l.Shot, bytes.Repeat([]byte{3}, MaxShot)) {
		t.Errorf("the picture has %d bytes, of %.1v", len(l.Shot), l.Shot)
	}
	if l.Length() != 600 || !l.Ended || l.Cut != "" {
		t.Errorf("%d frames, ended %v, %q", l.Length(), l.Ended, l.Cut)
	}
	cursor := l.From(0)
	for f := range int64(600) {
		if in, ok, err := cursor.Input(0, f); err != nil || !ok || in != script(0, f).Normal() {
			t.Fatalf("frame %d: %v, %v, %v", f, in, ok, err)
		}
	}
	for _, bad := range [][]byte{nil, {1}, {0x80, 0x80, 0x80, 0x01}, append([]byte{0x81, 0x80, 0x04}, make([]byte, MaxShot+1)...)} {
		if err := l.takeShot(wire.Reader(bad)); err == nil {
			t.Errorf("%d bytes are a picture", len(bad))
		}
	}
	if len(l.Shot) != MaxShot {
		t.Error("a bad picture took the place of the good one")
	}
}

// TestFewShots: a recorder takes down a few pictures, however often it is given one.
func TestFewShots(t *testing.T) {
	r := NewRecorder(Config{Path: filepath.Join(t.TempDir(), "game.nplog")})
	must.Succeed(t, r.Begin(beginning(t, 1, []byte("a save"))))
	for i := range 3 * maxShots {
		r.Shot([]byte{byte(i)})
	}
	must.Succeed(t, r.Close())
	l, err := Open(r.Path())
	must.Succeed(t, err)
	defer l.Close()
	if want := byte(maxShots - 1); len(l.Shot) != 1 || l.Shot[0] != want {
		t.Errorf("the picture is %v, not the one numbered %d", l.Shot, want)
	}
}
