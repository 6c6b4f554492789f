package report

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

func sampleVerdict() Verdict {
	return Verdict{Format: Format, Words: "Ben's copy differs", Frame: 160, Agreed: 140, Seat: 1, Region: "main RAM", Donor: -1}
}

func sampleRerun() *RerunFile {
	r := &RerunFile{Format: Format, Words: "the same", From: 140, To: 160}
	var t desync.Trace
	for f := r.From + 1; f <= r.To; f++ {
		t = append(t, desync.Point{Frame: f, Hashes: desync.Hashes{uint64(f), 1 << 63, 0, ^uint64(f)}})
	}
	r.Set(1, t)
	return r
}

// A report is read again as it was written, also with files added later.
func TestBundleThereAndBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.zip")
	must.Succeed(t, Write(path, Text("README.txt", "hello"), JSON(VerdictName, sampleVerdict()), Text(LogName, "a recording")))
	must.BePrivate(t, path)
	b, err := Open(path)
	if err != nil || b.Rerun != nil || b.Verdict.Words != "Ben's copy differs" {
		t.Fatalf("%+v, %v", b, err)
	}
	b.Close()
	must.Succeed(t, Add(path, JSON(RerunName, sampleRerun())))
	if b, err = Open(path); err != nil {
		t.Fatal(err)
	}
	if log, _ := os.ReadFile(b.Log); string(log) != "a recording" {
		t.Errorf("the recording is %q", log)
	}
	d, common, differ := desync.First(b.Rerun.Trace(1), sampleRerun().Trace(1), desync.RAM, desync.SRAM, desync.Air, desync.Video)
	if differ || common != 20 || b.Rerun.Trace(0) != nil {
		t.Errorf("the traces: %+v, %d", d, common)
	}
	log := b.Log
	b.Close()
	if _, err := os.Stat(log); err == nil {
		t.Error("the temporary file is left")
	}
	if parts, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(parts) != 1 {
		t.Errorf("files: %v", parts)
	}
}

// A part that cannot be written leaves nothing behind, and what was there stays.
func TestAWriteThatFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.zip")
	must.Succeed(t, Write(path, Text("old", "old")))
	full := errors.New("the disk is full")
	broken := Part{"new", func(io.Writer) error { return full }}
	if err := Add(path, broken); !errors.Is(err, full) || !strings.Contains(err.Error(), "new: ") {
		t.Errorf("%v", err)
	}
	z, err := zip.OpenReader(path)
	if err != nil || len(z.File) != 1 {
		t.Fatalf("%v", err)
	}
	z.Close()
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
		t.Errorf("%d files", len(files))
	}
	if err := Write(filepath.Join(t.TempDir(), "no", "a.zip")); err == nil {
		t.Error("written into no folder")
	}
}

func TestNotABundle(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	must.Succeed(t, os.WriteFile(text, []byte("hello"), 0o600))
	other := filepath.Join(dir, "other.zip")
	must.Succeed(t, Write(other, Text("a", "b")))
	for _, path := range []string{text, other} {
		if _, err := Open(path); !errors.Is(err, ErrNotABundle) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := Open(filepath.Join(dir, "none")); err == nil || errors.Is(err, ErrNotABundle) {
		t.Errorf("a file that is not there: %v", err)
	}
	for name, text := range map[string]string{
		"format 7":   `{"format":7}`,
		"seat 17":    `{"format":1,"seat":16}`,
		"frame -1":   `{"format":1,"frame":-1}`,
		"frame 5 af": `{"format":1,"frame":5,"agreed":6}`,
	} {
		must.Succeed(t, Write(other, Text(VerdictName, text)))
		if _, err := Open(other); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for name, text := range map[string]string{
		"frames 9 to 9": `{"format":1,"from":9,"to":9}`,
		"frames 0 to":   `{"format":1,"to":99999999}`,
		"3 hashes":      `{"format":1,"to":2,"seats":[{"hashes":[[],[],[]]}]}`,
		"digits":        `{"format":1,"to":2,"seats":[{"hashes":[["11112222333344445"]]}]}`,
	} {
		must.Succeed(t, Write(other, JSON(VerdictName, sampleVerdict()), Text(RerunName, text)))
		if _, err := Open(other); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A small file can be a large one, packed.
func TestPackedTooWell(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.zip")
	bomb := Part{VerdictName, func(w io.Writer) error {
		_, err := w.Write(bytes.Repeat([]byte(" "), maxVerdict+1))
		return err
	}}
	must.Succeed(t, Write(path, bomb))
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("%v", err)
	}
}

func TestPlaceAndTidy(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "desyncs")
	at := time.Date(2026, 11, 21, 18, 30, 5, 0, time.UTC)
	var names []string
	for i := range KeepReports + 3 {
		path, err := Place(dir, "Mario & Luigi: DS/../x", at.Add(time.Duration(i/2)*time.Second))
		must.Succeed(t, err)
		must.Succeed(t, Write(path, Text("a", "b")))
		must.Succeed(t, os.Chtimes(path, at, at.Add(time.Duration(i)*time.Second)))
		names = append(names, filepath.Base(path))
	}
	if names[0] != "2026-11-21-183005-Mario-Luigi-DS-x.zip" || names[1] != "2026-11-21-183005-Mario-Luigi-DS-x-2.zip" {
		t.Errorf("names %v", names)
	}
	precious := filepath.Join(dir, "precious.zip")
	must.Succeed(t, os.WriteFile(precious, nil, 0o600))
	must.Succeed(t, Tidy(dir))
	for i, name := range names {
		_, err := os.Stat(filepath.Join(dir, name))
		if stays := i >= 3; stays != (err == nil) {
			t.Errorf("%s, the %dth: stays %v", name, i+1, err == nil)
		}
	}
	if _, err := os.Stat(precious); err != nil {
		t.Errorf("somebody's file: %v", err)
	}
	if path, err := Place(dir, "///", at); err != nil || !strings.HasSuffix(path, "-game.zip") {
		t.Errorf("a game without a name: %s, %v", path, err)
	}
}

func TestRanges(t *testing.T) {
	a := make([]byte, 1000)
	b := bytes.Clone(a)
	b[0], b[10], b[11], b[999] = 1, 1, 1, 1
	list, count, n := Ranges(a, b, 2)
	if fmt.Sprint(list) != "[{0 1} {10 12}]" || count != 3 || n != 4 {
		t.Errorf("%v, %d ranges, %d bytes", list, count, n)
	}
	list, count, n = Ranges(a, b[:990], 9)
	if fmt.Sprint(list) != "[{0 1} {10 12} {990 1000}]" || count != 3 || n != 13 {
		t.Errorf("of two lengths: %v, %d ranges, %d bytes", list, count, n)
	}
	if _, count, _ := Ranges(a, a, 9); count != 0 {
		t.Errorf("equal: %d ranges", count)
	}
}

func TestWriteDiff(t *testing.T) {
	a := make([]byte, 4*diffPage)
	b := bytes.Clone(a)
	for i := range 100 {
		b[diffPage+8*i] = byte(i + 1)
	}
	copy(b[3*diffPage+16:], "abcdefghijklmnopqrstuvwxyz")
	var w strings.Builder
	must.Succeed(t, WriteDiff(&w, "main RAM", 0x02000000, a, b))
	for _, line := range []string{
		"main RAM: 126 of 262144 bytes differ, in 101 ranges",
		"  02010000-02010000  1 bytes: here 00, there 01\n",
		"  and 37 ranges more\n",
		"  02010000  100 bytes differ\n",
		"  02030000  26 bytes differ\n",
	} {
		if !strings.Contains(w.String(), line) {
			t.Errorf("there is no %q in\n%s", line, w.String())
		}
	}
	if n := strings.Count(w.String(), "bytes: here"); n != diffRanges {
		t.Errorf("%d ranges are shown", n)
	}
	w.Reset()
	if err := WriteDiff(&w, "save", 0, a[:5], nil); err != nil || !strings.Contains(w.String(), "has 5 bytes, on the other machine 0") {
		t.Errorf("%v:\n%s", err, w.String())
	}
}

func TestVersions(t *testing.T) {
	var w strings.Builder
	WriteVersions(&w, "1.2", 9)
	if !strings.Contains(w.String(), "nettplay 1.2, protocol 9") || !strings.Contains(w.String(), "CPUs") {
		t.Error(w.String())
	}
}

func FuzzVerdict(f *testing.F) {
	for _, v := range []any{sampleVerdict(), sampleRerun()} {
		var b bytes.Buffer
		must.Succeed(f, JSON("", v).Write(&b))
		f.Add(b.Bytes())
	}
	f.Add([]byte(`{"format":1,"to":1048576,"seats":[{"seat":3,"hashes":[["g"]]}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if v, err := decodeVerdict(b); err == nil && (v.Agreed > v.Frame || v.Seat < 0) {
			t.Errorf("%+v", v)
		}
		r, err := decodeRerun(b)
		if err != nil {
			return
		}
		for seat := range 16 {
			for _, p := range r.Trace(ds.Seat(seat)) {
				if p.Frame <= r.From || p.Frame > r.To {
					t.Fatalf("frame %d in %d to %d", p.Frame, r.From, r.To)
				}
			}
		}
	})
}

// Opening any file ends, and leaves nothing behind.
func FuzzOpen(f *testing.F) {
	path := filepath.Join(f.TempDir(), "seed.zip")
	must.Succeed(f, Write(path, JSON(VerdictName, sampleVerdict()), JSON(RerunName, sampleRerun()), Text(LogName, "log")))
	seed := must.Read(f, path)
	f.Add(seed)
	f.Add(seed[:len(seed)/2])
	f.Fuzz(func(t *testing.T, b []byte) {
		dir := t.TempDir()
		t.Setenv("TMPDIR", dir)
		file := filepath.Join(t.TempDir(), "a.zip")
		must.Succeed(t, os.WriteFile(file, b, 0o600))
		if bundle, err := Open(file); err == nil {
			bundle.Close()
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%d files are left", len(left))
		}
	})
}

func TestDecisionWords(t *testing.T) {
	for _, c := range []struct {
		d    timeline.Decision
		want string
	}{
		{timeline.Decision{Kind: timeline.SetDelay, Frame: 60, Delay: 4}, "frame 60: set delay 4"},
		{timeline.Decision{Kind: timeline.SeatDelay, Frame: 60, Seat: 1, Delay: 7, Offset: 3, Why: "58 ms to Bob"}, "frame 60: seat delay, seat 2: 7, offset 3: 58 ms to Bob"},
		{timeline.Decision{Kind: timeline.SeatDelay, Frame: 60, Seat: 1, Delay: 7}, "frame 60: seat delay, seat 2: 7"},
		{timeline.Decision{Kind: timeline.Leave, Frame: 60, Seat: 3, InputEnd: 58}, "frame 60: leave seat 4, inputs up to frame 58"},
	} {
		if got := decisionWords(c.d); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
