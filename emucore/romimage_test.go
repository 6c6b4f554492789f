package emucore

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"slices"
	"testing"

	"github.com/nettplay/nettplay/emucore/banner"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// imageBytes is the image of a ROM.
func imageBytes(file []byte) []byte {
	var b bytes.Buffer
	image, err := imageOf(bytes.NewReader(file), int64(len(file)))
	if err == nil {
		_, _, err = image.read(bytes.NewReader(file), int64(len(file)), &b)
	}
	if err != nil {
		panic(err)
	}
	return b.Bytes()
}

// dump is a full dump of a cartridge of 256 KiB that uses so many bytes, with behind (a signature, say) behind those.
func dump(used int, behind string) []byte {
	b := bytes.Repeat([]byte{0xff}, 256<<10)
	copy(b, makeROM("GAME", nil))
	for i := 0x1000; i < used; i++ {
		b[i] = byte(i * 7)
	}
	b[used-1] = 1
	copy(b[used:], behind)
	b[capacityAt] = 1
	binary.LittleEndian.PutUint32(b[usedAt:], uint32(used))
	binary.LittleEndian.PutUint16(b[headerCRCAt:], banner.CRC16(b[:headerCRCAt]))
	return b
}

// All usual forms of a dump are one game, byte for byte.
func TestImageOfDumps(t *testing.T) {
	const used = 0x12345
	signature := "ac" + string(bytes.Repeat([]byte{0xa5}, signatureSize-2))
	full, signed := dump(used, ""), dump(used, signature)
	zeros := bytes.Clone(full)
	clear(zeros[used:])
	patched := bytes.Clone(full)
	patched[used+5000] = 7
	for name, tt := range map[string]struct {
		file []byte
		want []byte
	}{
		"full":                                {full, full},
		"trimmed":                             {full[:used], full},
		"trimmed to a round size":             {full[:0x14000], full},
		"padded with zeros":                   {zeros, full},
		"padded to twice the capacity":        {append(bytes.Clone(full), bytes.Repeat([]byte{0xff}, len(full))...), full},
		"with a signature":                    {signed, signed},
		"trimmed behind the signature":        {signed[:used+signatureSize], signed},
		"trimmed, and the signature lost":     {signed[:used], full},
		"something else behind what is used":  {patched, patched},
		"that, trimmed":                       {patched[:used+5001], patched},
		"cut into what the header claims":     {full[:used-1], slices.Concat(full[:used-1], []byte{0xff}, full[used:])},
		"homebrew: no used size, no capacity": {makeROM("HOME", nil), append(makeROM("HOME", nil), bytes.Repeat([]byte{0xff}, capacityUnit-0x1000)...)},
	} {
		got, want := imageBytes(tt.file), tt.want
		if !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, %x, want %d, %x", name, len(got), sha256.Sum256(got), len(want), sha256.Sum256(want))
		}
		if again := imageBytes(got); !bytes.Equal(again, got) {
			t.Errorf("%s: the image's image is another", name)
		}
		r, err := OpenROM(writeFile(t, "a.nds", tt.file))
		must.Succeed(t, err)
		if r.SHA256 != sha256.Sum256(want) || r.Size != int64(len(want)) || r.FileSHA256 != sha256.Sum256(tt.file) || r.FileSize != int64(len(tt.file)) {
			t.Errorf("%s: opened as %+v", name, r)
		}
		for _, r := range []*ROM{r, r.AsFile()} {
			f, err := r.open(t.Context())
			must.Succeed(t, err)
			defer f.Close()
			all, err := io.ReadAll(io.NewSectionReader(f, 0, r.Size+1))
			if err != nil || sha256.Sum256(all) != r.SHA256 || int64(len(all)) != r.Size {
				t.Errorf("%s: a worker gets %d bytes, %v", name, len(all), err)
			}
		}
	}
}

// Headers that make no sense give the next power of two; the DSi's part of a game counts.
func TestImageOfOddHeaders(t *testing.T) {
	for _, tt := range []struct {
		capacity byte
		used     int64
		want     int64
	}{{0, 512, 128 << 10}, {0, 128 << 10, 128 << 10}, {0, 128<<10 + 1, 256 << 10}, {2, 1, 512 << 10}, {200, 3 << 20, 4 << 20}, {12, 1, 512 << 20}, {13, 1, 128 << 10}} {
		if got := capacity(tt.capacity, tt.used); got != tt.want {
			t.Errorf("capacity %d, %d bytes used: %d, want %d", tt.capacity, tt.used, got, tt.want)
		}
	}
	enhanced := dump(0x12345, "the DSi's part")
	enhanced[0x12] = unitDSiToo
	binary.LittleEndian.PutUint32(enhanced[usedDSiAt:], 0x12345+14)
	if image, err := imageOf(bytes.NewReader(enhanced), int64(len(enhanced))); err != nil || image != (romImage{0x12345 + 14, 256 << 10}) {
		t.Errorf("a DSi-enhanced game: %+v, %v", image, err)
	}
}

// A licensed game that was trimmed where it ends may have lost its signature.
func TestUnsigned(t *testing.T) {
	const used = 0x12345
	signature := "ac" + string(bytes.Repeat([]byte{0xa5}, signatureSize-2))
	signed := dump(used, signature)
	licensed(signed[:MinROMSize])
	for name, tt := range map[string]struct {
		file []byte
		want bool
	}{
		"full": {signed, false}, "with its signature": {signed[:used+signatureSize], false}, "without": {signed[:used], true},
		"with a part of it": {signed[:used+100], true}, "cut into the game": {signed[:used-100], true}, "homebrew": {dump(used, "")[:used], false},
	} {
		r, err := OpenROM(writeFile(t, "a.nds", tt.file))
		if err != nil || r.Unsigned != tt.want {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
}

// A file that changed since is not played, whatever its image.
func TestImageOfAChangedFile(t *testing.T) {
	path := writeFile(t, "a.nds", dump(0x12345, "")[:0x12345])
	r, err := OpenROM(path)
	must.Succeed(t, err)
	must.Succeed(t, os.WriteFile(path, dump(0x12345, ""), 0o644))
	if f, err := r.open(t.Context()); !errors.Is(err, ErrROMChanged) {
		t.Errorf("%v, %v", f, err)
	}
}

// A library finds a game by its image, and by the hash of the file for what earlier versions left.
func TestFindByImageAndFile(t *testing.T) {
	full := dump(0x12345, "")
	trimmed := full[:0x12345]
	dir := romTree(t, map[string][]byte{"a.nds": trimmed})
	l := NewLibrary([]string{dir})
	r, err := l.Find(t.Context(), Wanted{SHA256: sha256.Sum256(full)})
	if err != nil || r.Size != int64(len(full)) {
		t.Errorf("by the full dump's hash: %+v, %v", r, err)
	}
	r, err = l.Find(t.Context(), Wanted{SHA256: sha256.Sum256(trimmed)})
	if err != nil || r.SHA256 != sha256.Sum256(trimmed) || r.Size != int64(len(trimmed)) {
		t.Errorf("by the file's hash: %+v, %v", r, err)
	}
}

// TestImageHoldsTheFile: an image holds what the file holds, FF behind it, and is its own image.
func TestImageHoldsTheFile(t *testing.T) {
	for i, file := range append(imageSeeds(), dump(0x12345, "ac")[:0x12400], makeROM("HOME", nil)) {
		image, err := imageOf(bytes.NewReader(file), int64(len(file)))
		must.Succeed(t, err)
		got := imageBytes(file)
		if int64(len(got)) != image.size || !bytes.Equal(got[:image.used], file[:image.used]) || len(bytes.ReplaceAll(got[image.used:], []byte{0xff}, nil)) > 0 {
			t.Errorf("%d: %+v of %d bytes", i, image, len(file))
		}
		if !bytes.Equal(imageBytes(got), got) {
			t.Errorf("%d: the image's image is another", i)
		}
	}
}

// FuzzImage: an image ends within its file and its capacity, and is its own image.
func FuzzImage(f *testing.F) {
	for _, file := range imageSeeds() {
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file []byte) { ownImage(t, file) })
}

// TestLongImages: the same with ten million inputs, of small cartridges.
func TestLongImages(t *testing.T) {
	must.SurviveInputs(t, imageSeeds(), func(t *testing.T, file []byte) bool {
		if len(file) > capacityAt {
			file[capacityAt] = 0
		}
		return ownImage(t, file)
	})
}

// imageSeeds are small games: full, with a signature, trimmed, and with a tail.
func imageSeeds() [][]byte {
	home := makeROM("HOME", nil)[:0x700]
	signed := append(append(bytes.Clone(home), "ac"...), bytes.Repeat([]byte{5}, signatureSize)...)
	binary.LittleEndian.PutUint32(signed[usedAt:], uint32(len(home)))
	return [][]byte{home, signed, signed[:len(home)], append(bytes.Clone(home), make([]byte, 100)...)}
}

// ownImage checks the image of a file; false if it is too short to be a game.
func ownImage(t *testing.T, file []byte) bool {
	if len(file) < MinROMSize {
		return false
	}
	image, err := imageOf(bytes.NewReader(file), int64(len(file)))
	if err != nil || image.used > int64(len(file)) || image.size < image.used || image.size < capacityUnit || image.used < MinROMSize || image.size&(image.size-1) != 0 {
		t.Fatalf("%+v of %d bytes, %v", image, len(file), err)
	}
	if image.size > 16*capacityUnit {
		return true // its FF would take long to look at
	}
	if again, err := imageOf(filled(file[:image.used]), image.size); err != nil || again != image {
		t.Fatalf("the image's image is another: %+v, was %+v, %v", again, image, err)
	}
	return true
}

// filled is an image without its bytes: what a file has, and FF.
type filled []byte

func (f filled) ReadAt(p []byte, off int64) (int, error) {
	n := 0
	if off < int64(len(f)) {
		n = copy(p, f[off:])
	}
	for rest := p[n:]; len(rest) > 0; {
		rest = rest[copy(rest, blockOfFF):]
	}
	return len(p), nil
}
