package replay

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// checkGame compares a log with what was recorded into it, from a frame on.
func checkGame(t *testing.T, l *Log, from, frames int64, script func(ds.Seat, int64) inputdelay.Input) {
	t.Helper()
	c := l.From(from)
	for f := from; f < frames; f++ {
		for _, seat := range l.Seats {
			n := seat.Plan.Seat
			in, ok, err := c.Input(n, f)
			if want := script(ds.Seat(int(n)), f).Normal(); err != nil || !ok || in != want {
				t.Fatalf("seat %d frame %d: %v, %v, %v, want %v", n, f, in, ok, err, want)
			}
			done := f + 1
			h, ok, err := c.Hash(n, done)
			if want := done%60 == 0 || done == frames; err != nil || ok != want {
				t.Fatalf("seat %d after frame %d: hash %v, %v", n, done, ok, err)
			}
			if ok && h != HashOf(someHash(n, done)) {
				t.Fatalf("seat %d after frame %d: hash %v", n, done, h)
			}
		}
	}
}

func TestLogGivesBackTheGame(t *testing.T) {
	const frames = 5000
	for name, script := range map[string]func(ds.Seat, int64) inputdelay.Input{
		"mashed": mashers(1, frames), "played": people(2, 3, frames),
		"nothing": func(ds.Seat, int64) inputdelay.Input { return inputdelay.Input{} },
		"noise": func(seat ds.Seat, frame int64) inputdelay.Input {
			x := uint64(frame)*0x9e3779b97f4a7c15 + uint64(seat)
			return inputdelay.Input{Keys: inputdelay.Keys(x >> 40), X: uint8(x >> 32), Y: uint8(x >> 20)}.Normal()
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := opened(t, record(t, 3, frames, script))
			want := beginning(t, 3, []byte("a save"))
			if diff := cmp.Diff(want.Head, l.Head); diff != "" {
				t.Errorf("the head differs:\n%s", diff)
			}
			if l.Length() != frames || l.Frames(2) != frames || !l.Ended || l.Why != "all frames are played" || l.Cut != "" || l.Chat != 1 {
				t.Errorf("length %d, %d; ended %v %q, cut %q, %d lines", l.Length(), l.Frames(2), l.Ended, l.Why, l.Cut, l.Chat)
			}
			if len(l.Decisions) != 2 || l.Decisions[1] != (timeline.Decision{Kind: timeline.End, Frame: frames, Why: "all frames are played"}) {
				t.Errorf("decisions: %v", l.Decisions)
			}
			raw, err := l.Part(l.Seats[0], l.Seats[0].Start.Parts[0].SHA256)
			if err != nil || string(raw) != "a save" {
				t.Errorf("the save is %q, %v", raw, err)
			}
			for _, from := range []int64{0, 1, 777, frames - 1} {
				checkGame(t, l, from, frames, script)
			}
			c := l.From(0)
			if _, ok, err := c.Input(0, frames); ok || err != nil {
				t.Errorf("an input after the end: %v, %v", ok, err)
			}
			if _, ok, err := c.Input(3, 0); ok || err != nil {
				t.Errorf("an input of nobody: %v, %v", ok, err)
			}
		})
	}
}

// Any place of a long log is found without reading what is before.
func TestSeekingReadsLittle(t *testing.T) {
	const frames = 60_000
	script := mashers(5, frames)
	l := opened(t, record(t, 2, frames, script))
	if len(l.marks) < 3 {
		t.Fatalf("%d marks in %d bytes", len(l.marks), l.Size)
	}
	c := l.From(frames - 10)
	if c.s.at < l.Size/2 {
		t.Errorf("the last frames are read from byte %d of %d on", c.s.at, l.Size)
	}
	checkGame(t, l, frames-500, frames, script)
}

// The promise: at most 6 KB a minute for two seats of ordinary play, without the
// head. Somebody who mashes all the time may need more.
func TestSize(t *testing.T) {
	const minutes = 10
	const frames = minutes * 3590
	for _, corpus := range []struct {
		name   string
		script func(ds.Seat, int64) inputdelay.Input
		limit  int64
	}{
		{"an action game, two people", people(3, 2, frames), 4000},
		{"two mashers", mashers(4, frames), 7200},
		{"nobody touches anything", func(ds.Seat, int64) inputdelay.Input { return inputdelay.Input{} }, 2400},
	} {
		path := filepath.Join(t.TempDir(), "g")
		r := NewRecorder(Config{Path: path})
		must.Succeed(t, r.Begin(beginning(t, 2, nil)))
		head := size(t, path)
		// A block a flush, as a game in real time has them.
		every := int64(flushEvery.Seconds() * 59.8261)
		rec := r.now
		total := head
		for f := range int64(frames) {
			for seat := range 2 {
				r.Input(ds.Seat(seat), f, corpus.script(ds.Seat(seat), f))
				if (f+1)%60 == 0 {
					r.Hashes(ds.Seat(seat), f+1, someHash(ds.Seat(seat), f+1))
				}
			}
			if f%every == 0 {
				r.mu.Lock()
				total += int64(len(rec.drain()))
				r.mu.Unlock()
			}
		}
		r.Close()
		if got := (total - head) / minutes; got > corpus.limit {
			t.Errorf("%s: %d bytes a minute, at most %d are promised", corpus.name, got, corpus.limit)
		} else {
			t.Logf("%s: %d bytes a minute; head %d", corpus.name, got, head)
		}
	}
}

// Every cut of a log is read up to its last whole block, and named.
func TestEveryTruncation(t *testing.T) {
	const frames = 200
	script := mashers(6, frames)
	whole := must.Read(t, record(t, 2, frames, script))
	path := filepath.Join(t.TempDir(), "cut")
	within := within(t, 64<<20)
	defer within()
	good, cut := 0, 0
	for n := range whole {
		must.Succeed(t, os.WriteFile(path, whole[:n], 0o600))
		l, err := Open(path)
		if err != nil {
			if n > 2500 {
				t.Fatalf("%d of %d bytes: %v", n, len(whole), err)
			}
			continue
		}
		good++
		if l.Cut != "" {
			cut++
		} else if l.Size != int64(n) {
			t.Fatalf("%d bytes are left out of %d without a word", int64(n)-l.Size, n)
		}
		c := l.From(0)
		for f := range l.Frames(1) {
			if in, ok, err := c.Input(1, f); !ok || err != nil || in != script(1, f) {
				t.Fatalf("%d bytes: frame %d is %v, %v, %v", n, f, in, ok, err)
			}
		}
		l.Close()
	}
	if good < 100 || cut < good-10 {
		t.Errorf("of %d cuts %d opened and %d said that they were cut", len(whole), good, cut)
	}
}

// Every changed byte is noticed: the log is cut there, or refused.
func TestEveryChangedByte(t *testing.T) {
	const frames = 100
	whole := must.Read(t, record(t, 2, frames, mashers(6, frames)))
	path := filepath.Join(t.TempDir(), "changed")
	for n := range whole {
		b := bytes.Clone(whole)
		b[n] ^= 0x10
		must.Succeed(t, os.WriteFile(path, b, 0o600))
		if l, err := Open(path); err == nil {
			if l.Cut == "" {
				t.Fatalf("byte %d is another one, and nobody says so", n)
			}
			l.Close()
		}
	}
}

func TestUnknownKindsAreSkipped(t *testing.T) {
	const frames = 300
	script := people(1, 2, frames)
	b := must.Read(t, record(t, 2, frames, script))
	// After each block one of a kind from the future.
	s := newScanner(bytes.NewReader(b), int64(headerSize), int64(len(b)))
	out := slices.Clone(b[:headerSize])
	for at := s.at; ; at = s.at {
		if _, _, err := s.next(); err != nil {
			break
		}
		out = append(out, b[at:s.at]...)
		out = appendBlock(out, 200, []byte("who knows"))
	}
	path := filepath.Join(t.TempDir(), "future")
	must.Succeed(t, os.WriteFile(path, out, 0o600))
	l := opened(t, path)
	if l.Cut != "" || !l.Ended {
		t.Errorf("cut %q, ended %v", l.Cut, l.Ended)
	}
	checkGame(t, l, 0, frames, script)
}

func TestOtherFilesAreNoLogs(t *testing.T) {
	dir := t.TempDir()
	newer := new(Head).appendHeader(nil)
	newer[len(magic)] = Format + 1
	for name, test := range map[string]struct{ content, words string }{
		"empty":   {"", "not a nettplay recording"},
		"text":    {"once upon a time", "not a nettplay recording"},
		"newer":   {string(newer) + "whatever", fmt.Sprint("format ", Format+1)},
		"header":  {string(new(Head).appendHeader(nil)), "nothing of it can be played"},
		"garbage": {string(appendBlock(new(Head).appendHeader(nil), kindHead, []byte("{}"))), "head"},
	} {
		path := filepath.Join(dir, name)
		must.Succeed(t, os.WriteFile(path, []byte(test.content), 0o600))
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), test.words) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Open(dir); err == nil {
		t.Error("a folder opens as a log")
	}
	if _, err := Open(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// A log can be read while it is written, and what is older than a second is in it.
func TestReadWhileWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "g")
	r := NewRecorder(Config{Path: path})
	must.Succeed(t, r.Begin(beginning(t, 2, bytes.Repeat([]byte("save"), 1<<16))))
	defer r.Close()
	script := people(8, 2, 1000)
	play(r, 2, 1000, script)
	written := time.Now()
	for {
		l := opened(t, path)
		if l.Frames(0) == 1000 && l.Frames(1) == 1000 {
			if l.Ended || l.Cut != "" {
				t.Errorf("ended %v, cut %q", l.Ended, l.Cut)
			}
			checkGame(t, l, 0, 1000, script)
			break
		}
		if time.Since(written) > time.Minute {
			t.Fatalf("after a minute there are %d frames in the file", l.Frames(0))
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestALeaverDoesNotShortenTheGame(t *testing.T) {
	path := filepath.Join(t.TempDir(), "g")
	r := NewRecorder(Config{Path: path})
	must.Succeed(t, r.Begin(beginning(t, 3, nil)))
	for f := range int64(900) {
		for seat := range 3 {
			if seat != 1 || f < 400 {
				r.Input(ds.Seat(seat), f, inputdelay.Input{})
			}
		}
	}
	r.Decided(timeline.Decision{Kind: timeline.Leave, Seat: 1, Frame: 400, InputEnd: 380})
	r.Close()
	l := opened(t, path)
	if l.Length() != 900 || l.Frames(1) != 400 {
		t.Errorf("length %d, %d frames of the one who left", l.Length(), l.Frames(1))
	}
}

var golden = flag.Bool("golden", false, "write the golden log of the present format, which must never be done twice")

// The logs of every format there ever was are read for ever. Each is of the same
// game.
func TestGoldenLogs(t *testing.T) {
	const frames = 400
	script := mashers(11, frames)
	if path := filepath.Join("testdata", fmt.Sprintf("format%d.nplog", Format)); *golden {
		must.Succeed(t, os.Rename(recordOf(t, cheated(t, beginning(t, 2, []byte("a save"))), frames, script), path))
	}
	paths, err := filepath.Glob(filepath.Join("testdata", "format*.nplog"))
	if err != nil || len(paths) != Format {
		t.Fatalf("%d golden logs, %d formats: %v", len(paths), Format, err)
	}
	for _, path := range paths {
		l := opened(t, path)
		want := beginning(t, 2, []byte("a save"))
		if filepath.Base(path) == "format3.nplog" {
			want = cheated(t, want)
			c, err := l.Cheats()
			if err != nil || c.Game != want.Seats[0].Plan.ROM.SHA256 || len(c.List) != 2 || c.List[1].Name != "Héros" || !slices.Equal(c.List[0].Code, []uint32{0x02001234, 99}) {
				t.Errorf("%s: the cheats are %+v, %v", path, c, err)
			}
		}
		if l.HasCheats() != (filepath.Base(path) == "format3.nplog") {
			t.Errorf("%s: cheats: %v", path, l.HasCheats())
		}
		if diff := cmp.Diff(want.Head, l.Head); diff != "" {
			t.Errorf("%s: the head differs:\n%s", path, diff)
		}
		if !l.Ended || l.Cut != "" || l.Length() != frames || l.Chat != 1 || l.proofs != 14 {
			t.Errorf("%s: ended %v, cut %q, length %d, %d lines, %d hashes", path, l.Ended, l.Cut, l.Length(), l.Chat, l.proofs)
		}
		if len(l.Decisions) != 2 || l.Decisions[0] != (timeline.Decision{Kind: timeline.Start}) {
			t.Errorf("%s: decisions %v", path, l.Decisions)
		}
		if b, err := l.Part(l.Seats[0], l.Seats[0].Start.Parts[0].SHA256); string(b) != "a save" {
			t.Errorf("%s: the save is %q, %v", path, b, err)
		}
		checkGame(t, l, 0, frames, script)
	}
}

// TestNameAfterComingBack: who comes into the game later, or back into it, gives the recording no other name, and is named
// once.
func TestNameAfterComingBack(t *testing.T) {
	head := beginning(t, 2, nil).Head
	path, players := "/r/"+FileName(&head), head.Players()
	back, late := head.Seats[1], head.Seats[0]
	back.Plan.Seat, back.From = 2, 900
	late.Plan.Seat, late.From, late.Plan.Nickname = 3, 1200, "Zoe"
	head.Seats = append(head.Seats, back, late)
	if got := (Entry{Path: path, Head: &head}).Name(); got != "" {
		t.Errorf("it is called %q", got)
	}
	if got, want := head.Players(), append(players, "Zoe"); !slices.Equal(got, want) {
		t.Errorf("its players are %q, want %q", got, want)
	}
}

// TestNamesOfPlayers: a recording that nobody gave a name has none, wherever and whenever it was made;
// a name never takes the place of another recording's.
func TestNamesOfPlayers(t *testing.T) {
	head := beginning(t, 2, nil).Head
	usual := strings.TrimSuffix(FileName(&head), Extension)
	elsewhere := head
	elsewhere.Began = head.Began.In(time.FixedZone("", 9*3600))
	for name, want := range map[string]string{
		usual: "", usual + "-2": "", strings.TrimSuffix(FileName(&elsewhere), Extension): "",
		"the final": "the final", usual + " won": usual + " won", "": "", "2026": "2026",
	} {
		if got := (Entry{Path: "/r/" + name + Extension, Head: &head}).Name(); got != want {
			t.Errorf("%q is called %q, want %q", name, got, want)
		}
	}
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"+Extension), filepath.Join(dir, "b"+Extension)
	for _, path := range []string{a, b} {
		must.Succeed(t, os.WriteFile(path, []byte(path), 0o600))
	}
	for _, name := range []string{"", " ", ".a", "../a", "a/b", "a\nb", "a\xff", strings.Repeat("x", 151)} {
		if _, err := Rename(a, name); err == nil {
			t.Errorf("it can be called %q", name)
		}
	}
	if _, err := Rename(a, "b"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("another one's name: %v", err)
	}
	for _, name := range []string{"one: two", "who?", `a\b`, "a|b"} {
		if err := nameable(name, true); err == nil || !strings.Contains(err.Error(), "any of") {
			t.Errorf("%q as a name on Windows: %v", name, err)
		}
		if err := nameable(name, false); err != nil && runtime.GOOS != "windows" {
			t.Errorf("%q as a name on Linux: %v", name, err)
		}
	}
	to, err := Rename(a, " the final, みんな ")
	if err != nil || to != filepath.Join(dir, "the final, みんな"+Extension) {
		t.Fatalf("%q, %v", to, err)
	}
	if b, err := os.ReadFile(to); err != nil || string(b) != a {
		t.Errorf("it holds %q, %v", b, err)
	}
}
