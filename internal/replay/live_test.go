package replay

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// grown feeds a recording to a Live in pieces of n bytes and calls look after each.
func grown(t *testing.T, whole []byte, n int, look func(l *Live)) *Live {
	t.Helper()
	dir := t.TempDir()
	live, err := NewLive(dir)
	must.Succeed(t, err)
	t.Cleanup(func() {
		if runtime.GOOS == "windows" {
			live.Close() // a file has a name there for as long as it is open
		}
		if list, _ := os.ReadDir(dir); len(list) > 0 {
			t.Errorf("left behind: %v", list)
		}
		live.Close()
	})
	for at := 0; at < len(whole); at += n {
		must.Succeed(t, live.Write(int64(at), whole[at:min(at+n, len(whole))]))
		look(live)
	}
	live.End()
	return live
}

// A log that comes piece by piece gives the same game, frame by frame, as the whole file:
// no piece ends where a block does, and a cursor that came to the end goes on.
func TestLiveLog(t *testing.T) {
	const frames = 1500
	script := mashers(5, frames)
	path := record(t, 2, frames, script)
	whole, err := os.ReadFile(path)
	must.Succeed(t, err)
	for _, n := range []int{7, 1000, len(whole)} {
		var log *Log
		var cursor *Cursor
		next := int64(0)
		read := func(l *Live) {
			if log == nil {
				var err error
				if log, err = l.Log(); errors.Is(err, ErrShort) {
					return
				} else if err != nil {
					t.Fatal(err)
				}
				cursor = log.From(0)
			}
			if _, err := log.Grow(); err != nil {
				t.Fatal(err)
			}
			for ; next < log.Length(); next++ {
				for seat := range 2 {
					in, ok, err := cursor.Input(ds.Seat(seat), next)
					if want := script(ds.Seat(seat), next).Normal(); err != nil || !ok || in != want {
						t.Fatalf("pieces of %d: seat %d frame %d: %v %v %v, want %v", n, seat, next, in, ok, err, want)
					}
				}
			}
		}
		live := grown(t, whole, n, read)
		if next != frames || log.Live() || !log.Ended || !log.Whole(0) || log.Whole(1) {
			t.Errorf("pieces of %d: %d frames of %d, live %v, ended %v", n, next, frames, log.Live(), log.Ended)
		}
		if b, err := log.Part(log.Seats[0], log.Seats[0].Start.Parts[0].SHA256); string(b) != "a save" {
			t.Errorf("the save is %q, %v", b, err)
		}
		if live.Write(live.Size(), []byte{1}) == nil || live.Write(0, nil) == nil {
			t.Error("a piece too many, or in the wrong place, is taken")
		}
	}
}

// A cursor from before the first frames has a late joiner's inputs too.
func TestLiveLogBeforeALateJoin(t *testing.T) {
	b := beginning(t, 2, nil)
	seats := slices.Clone(beginning(t, 3, nil).Seats)
	for i := range seats {
		seats[i].Start.Frame = 10
	}
	seats[2].From = 10
	path, script := filepath.Join(t.TempDir(), "game"), mashers(3, 100)
	r := NewRecorder(Config{Path: path})
	must.Succeed(t, r.Begin(b))
	r.Resynced(10, seats, b.Part)
	for f := range int64(100) {
		for seat := range ds.Seat(3) {
			if seat < 2 || f >= 10 {
				r.Input(seat, f, script(seat, f))
			}
		}
	}
	must.Succeed(t, r.Close())
	whole, err := os.ReadFile(path)
	must.Succeed(t, err)
	var log *Log
	var cursor *Cursor
	grown(t, whole, 64, func(l *Live) {
		if log != nil {
			_, err = log.Grow()
			must.Succeed(t, err)
		} else if log, err = l.Log(); err == nil {
			cursor = log.From(0)
		}
	})
	for f := int64(10); f < 100; f++ {
		in, ok, err := cursor.Input(2, f)
		if want := script(2, f).Normal(); err != nil || !ok || in != want {
			t.Fatalf("frame %d: %v %v %v, want %v", f, in, ok, err, want)
		}
	}
}

// Bytes that are no log are noticed before much of them is kept.
func TestLiveNonsense(t *testing.T) {
	whole, err := os.ReadFile(record(t, 2, 1500, mashers(5, 1500)))
	must.Succeed(t, err)
	var log *Log
	var failed error
	grown(t, append(whole[:len(whole)*3/4], bytes.Repeat([]byte{3, 0xff, 0xff, 0x1f}, 1<<19)...), 64<<10, func(l *Live) {
		if log == nil {
			if log, err = l.Log(); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := log.Grow(); failed == nil {
			failed = err
		}
	})
	if failed == nil {
		t.Error("2 MB of nonsense are waited on")
	}
	live, err := NewLive(t.TempDir())
	must.Succeed(t, err)
	defer live.Close()
	must.Succeed(t, live.Write(0, []byte("GIF89a, which is no log")))
	if _, err := live.Log(); !errors.Is(err, ErrNotALog) {
		t.Errorf("%v", err)
	}
}

// A tail gives out no input of a frame that may not be seen yet, loses nothing, and goes
// on with the file.
func TestTail(t *testing.T) {
	const frames = 4000
	script := mashers(5, frames)
	whole := must.Read(t, record(t, 2, frames, script))
	path := filepath.Join(t.TempDir(), "growing"+Extension)
	f, err := os.Create(path)
	must.Succeed(t, err)
	defer f.Close()
	tail, err := OpenTail(path)
	must.Succeed(t, err)
	defer tail.Close()
	var got []byte
	for at := 0; at < len(whole); at += 500 {
		if _, err := f.Write(whole[at:min(at+500, len(whole))]); err != nil {
			t.Fatal(err)
		}
		may := int64(at) / 4
		b, all, ended, err := tail.Read(int64(len(got)), may, 300)
		if err != nil || len(b) > 300 || ended {
			t.Fatalf("%d bytes, ended %v, %v", len(b), ended, err)
		}
		got = append(got, b...)
		if int64(len(got)) > all {
			t.Fatalf("%d bytes were given out, and only %d may be", len(got), all)
		}
		if len(b) > 0 {
			newestBefore(t, got, may)
		}
	}
	for {
		b, all, ended, err := tail.Read(int64(len(got)), frames, 4096)
		must.Succeed(t, err)
		if got = append(got, b...); ended && int64(len(got)) == all {
			break
		}
	}
	if !bytes.Equal(got, whole) {
		t.Errorf("%d bytes are not the %d of the file", len(got), len(whole))
	}
}

// newestBefore checks that the start of a log has no frame from may on.
func newestBefore(t *testing.T, b []byte, may int64) {
	t.Helper()
	live, err := NewLive(t.TempDir())
	must.Succeed(t, err)
	defer live.Close()
	must.Succeed(t, live.Write(0, b))
	log, err := live.Log()
	if errors.Is(err, ErrShort) {
		return
	}
	must.Succeed(t, err)
	for seat := range 2 {
		if n := log.Frames(ds.Seat(seat)); n > may {
			t.Fatalf("frame %d of seat %d is given out, and only those before %d may be", n-1, seat, may)
		}
	}
}

// A log that comes in two pieces is read as one that comes in one, whatever is in it.
func FuzzLive(f *testing.F) {
	files, _ := filepath.Glob(filepath.Join("testdata", "*"+Extension))
	for _, path := range files {
		b := must.Read(f, path)
		f.Add(b, uint(len(b)/2))
		f.Add(b[:len(b)-3], uint(200))
	}
	f.Fuzz(func(t *testing.T, b []byte, cut uint) {
		n := int(cut % uint(len(b)+1))
		whole, wholeErr := liveOf(t, b)
		parts, partsErr := liveOf(t, b[:n], b[n:])
		switch {
		case wholeErr != nil || partsErr != nil:
			if (wholeErr == nil) != (partsErr == nil) {
				t.Errorf("at once: %v; cut at %d: %v", wholeErr, n, partsErr)
			}
		case whole.Size != parts.Size || len(whole.Decisions) != len(parts.Decisions) || whole.Length() != parts.Length() || whole.Ended != parts.Ended:
			t.Errorf("at once %d bytes, %d frames; cut at %d: %d bytes, %d frames", whole.Size, whole.Length(), n, parts.Size, parts.Length())
		}
	})
}

// liveOf is the log that comes in these pieces, or what is wrong with it.
func liveOf(t *testing.T, pieces ...[]byte) (log *Log, err error) {
	live, err := NewLive(t.TempDir())
	must.Succeed(t, err)
	t.Cleanup(func() { live.Close() })
	for _, b := range pieces {
		must.Succeed(t, live.Write(live.Size(), b))
		if log == nil {
			if log, err = live.Log(); err != nil && !errors.Is(err, ErrShort) {
				return nil, err
			}
			continue
		}
		if _, err := log.Grow(); err != nil {
			return nil, err
		}
	}
	return log, err
}
