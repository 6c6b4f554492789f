package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// zipped makes a zip archive; names and contents alternate.
func zipped(t testing.TB, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		f, err := w.Create(files[i])
		must.Succeed(t, err)
		_, err = f.Write([]byte(files[i+1]))
		must.Succeed(t, err)
	}
	must.Succeed(t, w.Close())
	return b.Bytes()
}

// sample is an archive that 7-Zip made.
func sample(t testing.TB, name string) []byte {
	t.Helper()
	return must.Read(t, filepath.Join("testdata", name+".7z"))
}

// contents are those of the samples: two files, of which the second repeats from far back what the first has.
func contents() map[string]string {
	r := rand.New(rand.NewPCG(1, 2))
	far := make([]byte, 8_000)
	for i := range far {
		far[i] = byte(r.Uint32())
	}
	return map[string]string{"one.nds": string(far), "folder/two.nds": strings.Repeat("two", 1000) + string(far)}
}

func open(t testing.TB, b []byte) *Archive {
	t.Helper()
	a, err := Open(bytes.NewReader(b), int64(len(b)))
	must.Succeed(t, err)
	return a
}

// read unpacks a file.
func read(e *Entry) (string, error) {
	r, err := e.Open(context.Background())
	if err != nil {
		return "", err
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	return string(b), err
}

// All usual forms are unpacked, whole and in part.
func TestUnpack(t *testing.T) {
	want := contents()
	for name, b := range map[string][]byte{
		"zip":   zipped(t, "one.nds", want["one.nds"], "folder/", "", "folder/two.nds", want["folder/two.nds"]),
		"lzma2": sample(t, "lzma2"), "lzma": sample(t, "lzma"), "copy": sample(t, "copy"), "deflate": sample(t, "deflate"),
		"bzip2": sample(t, "bzip2"), "not solid": sample(t, "apart"), "bcj": sample(t, "bcj"), "plain list": sample(t, "plainlist"),
	} {
		a := open(t, b)
		if len(a.Entries) != len(want) {
			t.Errorf("%s: %d files", name, len(a.Entries))
		}
		for i := range a.Entries {
			e := &a.Entries[i]
			for range 2 {
				r, err := e.Glance(t.Context())
				must.Succeed(t, err)
				head := make([]byte, 10)
				if _, err := io.ReadFull(r, head); err != nil || string(head) != want[e.Name][:10] {
					t.Errorf("%s: %s begins %q, %v", name, e.Name, head, err)
				}
				must.Succeed(t, r.Close())
			}
		}
		for i := range a.Entries {
			e := &a.Entries[i]
			if got, err := read(e); err != nil || got != want[e.Name] || e.Size != int64(len(got)) {
				t.Errorf("%s: %s has %d bytes, %v", name, e.Name, len(got), err)
			}
		}
	}
}

// What cannot be unpacked is said.
func TestRefusals(t *testing.T) {
	for name, want := range map[string]string{"encrypted": "it is encrypted", "encryptedlist": "it is encrypted", "ppmd": "packed with PPMd", "deflate64": "packed with Deflate64", "thumb": "a filter for Thumb", "empty": "there is nothing in it"} {
		a, err := Open(bytes.NewReader(sample(t, name)), int64(len(sample(t, name))))
		if err == nil {
			_, err = read(&a.Entries[0])
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, want := range map[string]string{
		"../up.nds": "leads out", "/root.nds": "leads out", `..\up.nds`: "leads out", "a/../../b.nds": "leads out", "a/../b.nds": "leads out",
		"nul\x00.nds": "characters", "line\nend.nds": "characters", strings.Repeat("x", MaxName+1): "bytes", "..": "leads out",
	} {
		a := open(t, zipped(t, name, "x", "good.nds", "y"))
		if !strings.Contains(a.Entries[0].Why, want) || a.Entries[1].Why != "" {
			t.Errorf("%q: %+v", name, a.Entries)
		}
		if _, err := read(&a.Entries[0]); err == nil {
			t.Errorf("%q is unpacked", name)
		}
	}
	a := open(t, zipped(t, "same.nds", "x", "./same.nds", "y"))
	if a.Entries[1].Why == "" || a.Entries[0].Why != "" {
		t.Errorf("two of a name: %+v", a.Entries)
	}
	b := zipped(t, "a.nds", "x")
	b[6] |= 1 // the file's own header
	at := bytes.Index(b, []byte("PK\x01\x02"))
	b[at+8] |= 1
	if a := open(t, b); !strings.Contains(a.Entries[0].Why, "encrypted") {
		t.Errorf("encrypted: %+v", a.Entries[0])
	}
	for name, b := range map[string][]byte{"nothing": {}, "text": []byte("hello, world"), "rar": []byte("Rar!\x1a\x07\x01\x00")} {
		if _, err := Open(bytes.NewReader(b), int64(len(b))); err == nil || !strings.Contains(err.Error(), "no zip or 7z") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A name in an old encoding is brought into today's.
func TestOldNames(t *testing.T) {
	if a := open(t, zipped(t, "Pok\x82mon.nds", "x")); a.Entries[0].Name != "Pokémon.nds" || a.Entries[0].Why != "" {
		t.Errorf("%+v", a.Entries[0])
	}
}

// A byte that is another is noticed, as is a file that is shorter or longer than the list says.
func TestDamage(t *testing.T) {
	good := zipped(t, "a.nds", strings.Repeat("abc", 1000))
	for i := range good {
		b := bytes.Clone(good)
		b[i] ^= 0x10
		check(t, b, strings.Repeat("abc", 1000))
	}
	for _, name := range []string{"lzma2", "copy"} {
		good := sample(t, name)
		r := rand.New(rand.NewPCG(3, 4))
		for range 60 {
			b := bytes.Clone(good)
			b[r.IntN(len(b))] ^= 0x10
			check(t, b, contents()["one.nds"])
		}
		for range 20 {
			if _, err := Open(bytes.NewReader(good[:r.IntN(len(good))]), int64(len(good))); err == nil {
				t.Errorf("%s: a part of it opens", name)
			}
		}
	}
	b := bytes.Clone(good)
	at := bytes.Index(b, []byte("PK\x01\x02"))
	for _, size := range []uint32{2999, 3001, 1 << 31} {
		binary.LittleEndian.PutUint32(b[at+24:], size)
		if got, err := read(&open(t, b).Entries[0]); err == nil {
			t.Errorf("a file of 3000 bytes that says %d is taken with %d", size, len(got))
		}
	}
}

// check opens an archive that is damaged: what it gives for one.nds, or the only file, is an error or right.
func check(t *testing.T, b []byte, want string) {
	t.Helper()
	a, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return
	}
	for i := range a.Entries {
		if e := &a.Entries[i]; len(a.Entries) == 1 || e.Name == "one.nds" {
			if got, err := read(e); err == nil && got != want {
				t.Errorf("%d bytes are taken for %s", len(got), e.Name)
			}
		}
	}
}

// Lists that claim anything cost no memory.
func TestHostileZip(t *testing.T) {
	good := zipped(t, "a.nds", "x")
	end := bytes.LastIndex(good, []byte(zipEmpty))
	many := make([]string, 0, 2*MaxEntries+2)
	for i := range MaxEntries + 1 {
		many = append(many, strings.Repeat("n", i%7)+string(rune('a'+i%26)), "")
	}
	tooMany := zipped(t, many...)
	few := bytes.Clone(tooMany) // says that it has fewer
	at := bytes.LastIndex(few, []byte(zipEmpty))
	for name, b := range map[string][]byte{
		"many":  tooMany,
		"fewer": put16(few, at+10, 1),
		"long":  put32(bytes.Clone(good), end+12, 1<<31),
		"full":  put16(bytes.Clone(good), end+10, 0xffff),
		"cut":   good[:end],
		"zip64": slices.Concat(good[:end], le("PK\x06\x06", 0, 0, 0, 0, 0, 1<<40, 1<<40, 0, 0), le("PK\x06\x07", 0, uint64(end), 1), put16(bytes.Clone(good[end:]), 10, 0xffff)),
	} {
		if a, err := Open(bytes.NewReader(b), int64(len(b))); err == nil {
			t.Errorf("%s: %d files", name, len(a.Entries))
		}
	}
	// A list of a gigabyte that looks like one all along, in a file that is no longer than that.
	path := filepath.Join(t.TempDir(), "large.zip")
	f, err := os.Create(path)
	must.Succeed(t, err)
	defer f.Close()
	const size = 1 << 40
	must.Succeed(t, f.Truncate(size))
	_, err = f.WriteAt([]byte(zipBegin), 0)
	must.Succeed(t, err)
	_, err = f.WriteAt(le("PK\x05\x06", 0, 9_999<<16|9_999, 0), size-22)
	must.Succeed(t, err)
	if _, err := Open(f, size); err == nil {
		t.Error("an empty file of a terabyte is an archive")
	}
}

func put16(b []byte, at int, v uint16) []byte {
	binary.LittleEndian.PutUint16(b[at:], v)
	return b
}

func put32(b []byte, at int, v uint32) []byte {
	binary.LittleEndian.PutUint32(b[at:], v)
	return b
}

// le is some numbers of eight bytes each behind a begin.
func le(begin string, numbers ...uint64) []byte {
	b := []byte(begin)
	for _, n := range numbers {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	return b
}

// seven makes a 7z archive of a list.
func seven(list ...byte) []byte {
	start := binary.LittleEndian.AppendUint64(nil, 0)
	start = binary.LittleEndian.AppendUint64(start, uint64(len(list)))
	start = binary.LittleEndian.AppendUint32(start, crc32.ChecksumIEEE(list))
	b := append([]byte(sevenBegin), 0, 4)
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(start))
	return append(append(b, start...), list...)
}

// Lists of a few bytes that claim billions of things cost no memory: each of these had package sevenzip take gigabytes.
func TestHostileSeven(t *testing.T) {
	const huge = "\xf0\xff\xff\xff\xff" // 4,294,967,295
	pack := "\x06\x00\x01\x09\x05\x00"
	for name, list := range map[string]string{
		"files":        "\x01\x05" + huge,
		"files behind": "\x01\x04" + pack + "\x07\x0b\x01\x00\x01\x01\x00\x0c\x05\x00\x00\x05" + huge,
		"properties":   "\x01\x04" + pack + "\x07\x0b\x01\x00\x01\x21\x21" + huge,
		"streams in":   "\x01\x04" + pack + "\x07\x0b\x01\x00\x01\x11\x00" + huge + "\x01",
		"streams":      "\x01\x04" + pack + "\x07\x0b\x01\x00\x01\x01\x00\x0c\x05\x00\x08\x0d" + huge,
		"digests":      "\x01\x04\x06\x00" + huge + "\x0a\x01",
		"coders":       "\x01\x04" + pack + "\x07\x0b\x01\x00" + huge,
		"packed list":  "\x17" + pack + "\x07\x0b\x01\x00\x01\x23\x03\x01\x01\x05\x5d\xff\xff\xff\xff\x0c" + huge + "\x00\x00",
	} {
		b := seven([]byte(list)...)
		before := allocated()
		if a, err := Open(bytes.NewReader(b), int64(len(b))); err == nil {
			t.Errorf("%s: %d files", name, len(a.Entries))
		}
		if took := allocated() - before; took > 64<<20 {
			t.Errorf("%s: took %d bytes", name, took)
		}
	}
	b := seven(0)
	binary.LittleEndian.PutUint64(b[20:], 1<<40)
	binary.LittleEndian.PutUint32(b[8:], crc32.ChecksumIEEE(b[12:32]))
	if _, err := Open(bytes.NewReader(b), 1<<50); err == nil || !strings.Contains(err.Error(), "its list of files has") {
		t.Errorf("a list of a terabyte: %v", err)
	}
}

// A dictionary is no larger than what is packed; beyond the limit it is refused.
func TestDictionary(t *testing.T) {
	for _, tt := range []struct {
		claimed, unpacked uint64
		want              uint32
	}{{4 << 30, 64 << 20, 64 << 20}, {64 << 20, 4 << 30, 64 << 20}, {4 << 30, 4 << 30, 0}, {0, 1, 4096}, {MaxDictionary, 1 << 40, MaxDictionary}} {
		if got, err := dictionary(tt.claimed, tt.unpacked); (err != nil) != (tt.want == 0) || got != tt.want {
			t.Errorf("%+v: %d, %v", tt, got, err)
		}
	}
}

// The dictionary of LZMA2 is no larger than what is read, but for a little.
func TestDictionaryOfLittle(t *testing.T) {
	of.Store(&terms{most: 1 << 20})
	before := allocated()
	_, err := newLZMA2(strings.NewReader("\x01\x00\x00."), []byte{40}, 4<<30)
	must.Succeed(t, err)
	if took := allocated() - before; took > 8<<20 {
		t.Errorf("took %d bytes", took)
	}
}

// A file is read to its end, also where one behind it is copied from farther back than the file is long: decoders unpack
// more than they are asked for.
func TestTwinBehind(t *testing.T) {
	for _, name := range []string{"twin-lzma", "twin-lzma2"} {
		a := open(t, sample(t, name))
		var contents [3]string
		for i := range contents {
			var err error
			if contents[i], err = read(&a.Entries[i]); err != nil {
				t.Errorf("%s: %s: %v", name, a.Entries[i].Name, err)
			}
		}
		if contents[0] != contents[2] || contents[0] == contents[1] {
			t.Errorf("%s: the first file is not the last one", name)
		}
	}
}

// Unpacking ends with its context, also on the way to a file behind others.
func TestCancelled(t *testing.T) {
	for _, b := range [][]byte{sample(t, "lzma2"), sample(t, "copy"), zipped(t, "one.nds", contents()["one.nds"])} {
		a := open(t, b)
		e := &a.Entries[len(a.Entries)-1]
		ctx, cancel := context.WithCancel(t.Context())
		r, err := e.Open(ctx)
		must.Succeed(t, err)
		cancel()
		if _, err := io.ReadAll(r); !errors.Is(err, context.Canceled) {
			t.Errorf("reading: %v", err)
		}
		r.Close()
		if r, err := e.Open(ctx); err == nil {
			if _, err := io.ReadAll(r); !errors.Is(err, context.Canceled) {
				t.Errorf("reading what was opened after the end: %v", err)
			}
		} else if !errors.Is(err, context.Canceled) {
			t.Errorf("opening: %v", err)
		}
		if got, err := read(e); err != nil || int64(len(got)) != e.Size {
			t.Errorf("afterwards: %d bytes, %v", len(got), err)
		}
	}
}

// seeds are archives to begin with.
func seeds(t testing.TB) (list [][]byte) {
	list = append(list, zipped(t, "a.nds", "some text", "b/c.nds", strings.Repeat("x", 100)), seven([]byte("\x01\x05\xf0\xff\xff\xff\xff")...))
	list = append(list, smallSeven())
	for _, name := range []string{"lzma2", "lzma", "copy", "deflate", "bzip2", "bcj", "plainlist", "encrypted", "encryptedlist", "ppmd", "empty", "small"} {
		list = append(list, sample(t, name))
	}
	return list
}

// smallSeven is a small 7z archive whose list is not packed.
func smallSeven() []byte {
	return seven([]byte("\x01\x04\x06\x00\x01\x09\x05\x00\x07\x0b\x01\x00\x01\x01\x00\x0c\x05\x00\x08\x00\x00\x05\x01\x11\x0d\x00a\x00.\x00n\x00d\x00s\x00\x00\x00\x00\x00")...)
}

// look opens what may be an archive: what comes out of it is within its list's bounds.
func look(t *testing.T, b []byte) (well bool) {
	if len(b) > 32 && string(b[:6]) == sevenBegin { // past the sums, which no fuzzer finds
		if long, at := binary.LittleEndian.Uint64(b[20:]), binary.LittleEndian.Uint64(b[12:]); at < uint64(len(b)) && long < uint64(len(b)) && 32+at+long <= uint64(len(b)) {
			binary.LittleEndian.PutUint32(b[28:], crc32.ChecksumIEEE(b[32+at:32+at+long]))
			binary.LittleEndian.PutUint32(b[8:], crc32.ChecksumIEEE(b[12:32]))
		}
	}
	a, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return false
	}
	if len(a.Entries) > MaxEntries {
		t.Fatalf("%d files", len(a.Entries))
	}
	for i := range a.Entries[:min(len(a.Entries), 3)] {
		e := &a.Entries[i]
		if e.Why != "" || e.Size > 1<<20 || e.Before > 1<<20 {
			continue
		}
		if !filepath.IsLocal(e.Name) {
			t.Fatalf("the name %q", e.Name)
		}
		for _, open := range []func(context.Context) (io.ReadCloser, error){e.Glance, e.Open} {
			r, err := open(context.Background())
			if err != nil {
				continue
			}
			n, err := io.Copy(io.Discard, r)
			if err == nil && n != e.Size || n > e.Size {
				t.Fatalf("%d bytes of %d, %v", n, e.Size, err)
			}
			r.Close()
		}
	}
	return true
}

// FuzzOpen: whatever is in an archive, it does no harm.
func FuzzOpen(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, b []byte) { look(t, b) })
}

// The same with ten million inputs.
func TestLongOpen(t *testing.T) {
	small := slices.DeleteFunc(seeds(t), func(b []byte) bool { return len(b) > 1500 })
	must.SurviveInputs(t, small, look)
}
