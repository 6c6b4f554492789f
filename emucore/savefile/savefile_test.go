package savefile

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// memory is what a game might keep: data, runs, and an erased rest.
func memory(size int) []byte {
	r := rand.New(rand.NewPCG(uint64(size), 7))
	b := bytes.Repeat([]byte{0xff}, size)
	for i := range b[:size/3] {
		b[i] = byte(r.Uint32())
	}
	copy(b[size/4:], make([]byte, size/8))
	return b
}

// sizes are those of all chips.
var sizes = []int{512, 8 << 10, 32 << 10, 64 << 10, 128 << 10, 256 << 10, 512 << 10, 1 << 20, 2 << 20, 4 << 20, 8 << 20, 16 << 20}

// Each form comes back as it went in, and is told from all others.
func TestFormsComeBack(t *testing.T) {
	for _, size := range sizes {
		for _, f := range Forms() {
			sram := memory(size)
			file, err := Encode(f, sram, "Pokémon, the very long title of a game")
			if size > 8<<20 && f == ActionReplayEZ {
				if err == nil {
					t.Errorf("%v of %d bytes was written; its header has no room for that", f, size)
				}
				continue
			}
			if err != nil {
				t.Fatalf("%v of %d bytes: %v", f, size, err)
			}
			got, err := Decode(file)
			if err != nil {
				t.Fatalf("%v of %d bytes: %v", f, size, err)
			}
			want := f
			if f == FlashCard {
				want = Raw
			}
			if got.Form != want || got.Lost != 0 {
				t.Errorf("%v of %d bytes is read as %v, %d lost", f, size, got.Form, got.Lost)
			}
			image, err := Fit(got.SRAM, Of(size))
			if err != nil || !bytes.Equal(image, sram) {
				t.Errorf("%v of %d bytes: other memory came back, of %d bytes, %v", f, size, len(got.SRAM), err)
			}
		}
	}
}

// The beginnings and ends that each form adds, byte for byte: other programs go by them.
func TestGoldenForms(t *testing.T) {
	sram := slices.Concat([]byte{1, 2, 3}, bytes.Repeat([]byte{9}, 200), bytes.Repeat([]byte{5}, 5), bytes.Repeat([]byte{0xff}, 304))
	for f, want := range map[Form]string{
		ActionReplay: "41524453" + "303030303030303030303031" + // the magic, then the title, two bytes a letter
			"410042000000" + zeros(0x158-0x16) + "4142" + zeros(500-0x15a) + hex.EncodeToString(sram),
		ActionReplayEZ: "00000000" + "4142" + zeros(21) + "a1" + "00000000" + "4142" + zeros(0xa1-0x22) + "0200c0" + hex.EncodeToString(sram),
		NoGBA:          hex.EncodeToString([]byte("NocashGbaBackupMediaSavDataFile")) + "1a" + zeros(32) + "5352414d" + "00000000" + "00020000" + hex.EncodeToString(sram) + "53544f50" + zeros(8),
		NoGBACompressed: hex.EncodeToString([]byte("NocashGbaBackupMediaSavDataFile")) + "1a" + zeros(32) + "5352414d" + "01000000" + "13000000" + "00020000" +
			"03010203" + "8009c800" + "8505" + "80ff3001" + "00" + "53544f50" + zeros(8),
	} {
		got, err := Encode(f, sram, "AB")
		must.Succeed(t, err)
		if hex.EncodeToString(got) != want {
			t.Errorf("%v:\n%x\nwant\n%s", f, got, want)
		}
	}
	card, err := Encode(YSMenu, sram, "")
	must.Succeed(t, err)
	if len(card) != 512<<10 || !bytes.Equal(card[:512], sram) || hex.EncodeToString(card[len(card)-10:]) != "ffff"+"00000d00"+"4e4d5359" {
		t.Errorf("YSMenu: %d bytes, ending in %x", len(card), card[len(card)-10:])
	}
}

func encoded(t *testing.T, f Form, sram []byte) []byte {
	t.Helper()
	b, err := Encode(f, sram, "")
	must.Succeed(t, err)
	return b
}

func zeros(n int) string { return strings.Repeat("00", n) }

// Files that converters and devices write are not always as this package writes them.
func TestForeignFiles(t *testing.T) {
	sram := memory(8 << 10)
	dsv := func(n int, used, padded, kind, addr, chip uint32, data []byte) []byte {
		b := slices.Concat(data, bytes.Repeat([]byte{0xff}, n-len(data)), []byte("|<--Snip above here to create a raw sav by excluding this DeSmuME savedata footer:"))
		for _, v := range []uint32{used, padded, kind, addr, chip, 0} {
			b = binary.LittleEndian.AppendUint32(b, v)
		}
		return append(b, DSVCookie...)
	}
	laid := slices.Concat([]byte(ducMagic), make([]byte, 484), memory(512 << 10)[500:])
	ended, err := Encode(NoGBACompressed, sram, "")
	must.Succeed(t, err)
	for name, tt := range map[string]struct {
		file []byte
		form Form
		want []byte
		lost int
	}{
		"raw, any length":                  {sram[:3000], Raw, sram[:3000], 0},
		"DraStic: more than the chip":      {dsv(512<<10, 8<<10, 512<<10, 2, 2, 8<<10, sram), DSV, sram, 0},
		"DraStic: chip beyond its class":   {dsv(256<<10, 8<<10, 256<<10, 5, 2, 256<<10, sram), DSV, pad(sram, 64<<10), 0},
		"DeSmuME: chip not known":          {dsv(8<<10, 0x259, 8<<10, 0, 2, 0, sram), DSV, sram, 0},
		"DeSmuME: little of an EEPROM":     {dsv(512, 40, 512, 1, 2, 512, sram[:40]), DSV, pad(sram[:40], 8<<10), 0},
		"a footer glued to a shorter save": {dsv(3000, 3000, 8<<10, 2, 2, 8<<10, sram[:3000]), DSV, pad(sram[:3000], 8<<10), 0},
		"data behind the chip":             {dsv(64<<10, 64<<10, 64<<10, 2, 2, 8<<10, memory(64<<10)), DSV, memory(64 << 10), 0},
		"Action Replay, 512 KB in all":     {laid, ActionReplay, slices.Concat(bytes.Repeat([]byte{0xff}, 500), memory(512 << 10)[500:]), 500},
		"no$gba, without further entries":  {ended[:len(ended)-12], NoGBACompressed, sram, 0},
		"YSMenu over zeros":                {slices.Concat(sram, make([]byte, 504<<10-8), []byte("\x00\x00\x0f\x00NMSY")), YSMenu, slices.Concat(sram, make([]byte, 504<<10)), 0},
	} {
		got, err := Decode(tt.file)
		if err != nil || got.Form != tt.form || got.Lost != tt.lost || !bytes.Equal(got.SRAM, tt.want) {
			t.Errorf("%s: %v, %d bytes of %d, %d lost, %v", name, got.Form, len(got.SRAM), len(tt.want), got.Lost, err)
		}
	}
}

// What is no save is refused in words for the player.
func TestNoSaves(t *testing.T) {
	packed, err := Encode(NoGBACompressed, memory(8<<10), "")
	must.Succeed(t, err)
	with := func(b []byte, at int, v ...byte) []byte {
		b = bytes.Clone(b)
		copy(b[at:], v)
		return b
	}
	for name, tt := range map[string]struct {
		file []byte
		want string
	}{
		"nothing":            {nil, "empty"},
		"erased":             {bytes.Repeat([]byte{0xff}, 8<<10), "blank"},
		"zeros":              {make([]byte, 512), "blank"},
		"a blank .dsv":       {encoded(t, DSV, bytes.Repeat([]byte{0xff}, 512)), "blank"},
		"a game":             {romstest.Save, "a game"},
		"a zip":              {[]byte("PK\x03\x04and so on"), "zip archive"},
		"GameShark":          {[]byte("DSXS\x01\x08"), "GameShark"},
		"too long":           {bytes.Repeat([]byte{1}, MaxFile+1), "more than any"},
		"raw, too long":      {bytes.Repeat([]byte{1}, MaxSize+1), "more than any"},
		"no$gba, LZ":         {with(packed, 0x44, 2), "Uncompressed"},
		"no$gba, method 7":   {with(packed, 0x44, 7), "method 7"},
		"no$gba, huge":       {with(packed, 0x4c, 0, 0, 0, 2), "more than any"},
		"no$gba, more to it": {with(packed, 0x4c, 0, 16), "more is packed"},
		"no$gba, less to it": {with(packed, 0x4c, 0, 64), "too early"},
		"no$gba, cut":        {packed[:500], "too early"},
		"no$gba, no code":    {packed[:0x4e], "too early"},
		"no$gba, stored cut": {encoded(t, NoGBA, memory(512))[:400], "too early"},
		"no$gba, a state":    {with(packed, 0x40, 'S', 'N', 'A', 'P'), "without a save"},
		"a .duc's beginning": {[]byte(ducMagic + "abc"), "not a whole one"},
		"a footer alone":     {encoded(t, DSV, memory(512))[512:], "not in 1 to"},
	} {
		if s, err := Decode(tt.file); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %d bytes, %v; want an error with %q", name, len(s.SRAM), err, tt.want)
		}
	}
	if _, err := Encode(YSMenu, bytes.Repeat([]byte{1}, 512<<10), ""); err == nil {
		t.Error("YSMenu's flags were written over a game's data")
	}
	for _, f := range Forms() {
		if _, err := Encode(f, nil, ""); err == nil {
			t.Errorf("%v was made of nothing", f)
		}
	}
}

func TestFit(t *testing.T) {
	data := memory(8 << 10)
	data[8<<10-1] = 1
	ff := func(b []byte, n int) []byte { return slices.Concat(b, bytes.Repeat([]byte{0xff}, n)) }
	class := Chip{Known: true, Min: 8 << 10, Max: 64 << 10}
	for name, tt := range map[string]struct {
		sram []byte
		chip Chip
		want []byte
	}{
		"as long as the chip":            {data, Of(8 << 10), data},
		"a flash card's":                 {ff(data, 504<<10), Of(8 << 10), data},
		"a flash card's, of zeros":       {slices.Concat(data, make([]byte, 504<<10)), Of(8 << 10), data},
		"a byte too many":                {append(ff(data, 0), 0), Of(8 << 10), data},
		"its erased tail cut off":        {data[:3000], Of(8 << 10), ff(data[:3000], 8<<10-3000)},
		"half of it, for a larger chip":  {data, Of(512 << 10), ff(data, 504<<10)},
		"blank":                          {make([]byte, 512), Of(8 << 10), nil},
		"blank, too long":                {ff(nil, 512<<10), Of(512), nil},
		"no chip":                        {data, Of(0), nil},
		"unknown chip":                   {data, Chip{}, data},
		"unknown chip, odd length":       {data[:3000], Chip{}, ff(data[:3000], 8<<10-3000)},
		"unknown chip, a byte too many":  {append(ff(data, 0), 0xff), Chip{}, data},
		"unknown chip, tiny":             {[]byte{1}, Chip{}, ff([]byte{1}, 511)},
		"class: too small":               {data[:512], class, ff(data[:512], 8<<10-512)},
		"class: within":                  {ff(data, 24<<10), class, ff(data, 24<<10)},
		"class: odd length":              {ff(data, 8<<10), class, ff(data, 24<<10)},
		"class: a flash card's":          {ff(data, 504<<10), class, data},
		"class: a byte too many":         {append(ff(data, 0), 0), class, data},
		"class: a byte behind its limit": {append(ff(data, 56<<10), 0), class, data},
		"class: more than the smallest":  {ff(append(ff(data, 4000), 1), 508<<10), class, ff(append(ff(data, 4000), 1), 32<<10-8<<10-4001)},
	} {
		before := bytes.Clone(tt.sram)
		got, err := Fit(tt.sram, tt.chip)
		if err != nil || !bytes.Equal(got, tt.want) {
			t.Errorf("%s: %d bytes for %d, %v; want %d", name, len(got), len(tt.sram), err, len(tt.want))
		}
		if !bytes.Equal(before, tt.sram) {
			t.Errorf("%s: the save itself was changed", name)
		}
	}
	for name, tt := range map[string]struct {
		sram []byte
		chip Chip
	}{
		"data behind": {append(ff(data, 100), 7), Of(8 << 10)},
		"class":       {append(ff(data, 56<<10), 7), class},
		"unknown":     {append(ff(data, MaxSize-len(data)), 7), Chip{}},
	} {
		var long *TooLongError
		if got, err := Fit(tt.sram, tt.chip); !errors.As(err, &long) || long.Have != len(tt.sram) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
	if words := (&TooLongError{512 << 10, 8 << 10}).Error(); words != "the save has 512 KB with data beyond the 8 KB that the cartridge holds" {
		t.Error(words)
	}
}

func TestSizes(t *testing.T) {
	for n := range 70 << 10 {
		if is := slices.Contains(sizes, n); is != IsSize(n) {
			t.Fatalf("a chip of %d bytes: %v", n, !is)
		}
	}
	for _, n := range sizes {
		if !IsSize(n) || IsSize(n+1) || IsSize(n-1) || n > 512 && !IsSize(roundDown(n)) {
			t.Errorf("a chip of %d bytes", n)
		}
	}
	for c, valid := range map[Chip]bool{
		{}: true, Of(0): true, Of(512): true, Of(513): false, Of(-1): false, {Min: 512}: false,
		{Known: true, Max: 512}: false, {Known: true, Min: 8 << 10, Max: 64 << 10}: true, {Known: true, Min: 64 << 10, Max: 8 << 10}: false,
	} {
		if c.Valid() != valid {
			t.Errorf("%+v", c)
		}
	}
}

func TestNames(t *testing.T) {
	for _, f := range Forms() {
		back, err := ParseForm(f.String())
		if err != nil || back != f || f.Words() == "" || !IsName("x"+f.Extension()) {
			t.Errorf("%v: %v, %v", f, back, err)
		}
	}
	for name, want := range map[string]Form{"a.sav": Raw, "a.SRM": Raw, "a.dsv": DSV, "a.DUC": ActionReplay, "a.dss": ActionReplay, "a": Raw} {
		if FormOf(name) != want {
			t.Errorf("%s: %v", name, FormOf(name))
		}
	}
	if _, err := ParseForm("gba"); err == nil || !strings.Contains(err.Error(), "nogba-compressed") {
		t.Error(err)
	}
}

// look decodes anything, and makes sure of what holds for all saves.
func look(t *testing.T, b []byte) bool {
	s, err := Decode(b)
	if err != nil {
		return false
	}
	if len(s.SRAM) == 0 || len(s.SRAM) > MaxSize || Blank(s.SRAM) || s.Lost > len(s.SRAM) {
		t.Fatalf("%v: %d bytes, %d lost", s.Form, len(s.SRAM), s.Lost)
	}
	for _, c := range []Chip{{}, Of(0), Of(512), {Known: true, Min: 8 << 10, Max: 64 << 10}} {
		image, err := Fit(s.SRAM, c)
		if err != nil || image == nil {
			continue
		}
		if !IsSize(len(image)) || c.Known && (len(image) < c.Min || len(image) > c.Max) {
			t.Fatalf("%v of %d bytes became %d for %+v", s.Form, len(s.SRAM), len(image), c)
		}
		n := min(len(image), len(s.SRAM))
		if !bytes.Equal(image[:n], s.SRAM[:n]) || !erased(s.SRAM[n:]) || !erased(image[n:]) {
			t.Fatalf("%v: data is gone or shifted for %+v", s.Form, c)
		}
	}
	for _, f := range []Form{NoGBACompressed, NoGBA, ActionReplay} {
		file, err := Encode(f, s.SRAM, "x")
		if err != nil {
			t.Fatal(err)
		}
		back, err := Decode(file)
		if err != nil || back.Form != f || back.Lost != 0 || !bytes.HasPrefix(back.SRAM, s.SRAM) || !erased(back.SRAM[len(s.SRAM):]) {
			t.Fatalf("%v does not come back as %v: %v", s.Form, f, err)
		}
	}
	return true
}

// seeds are small files of each form.
func seeds(t testing.TB) (list [][]byte) {
	sram := memory(512)
	for _, f := range Forms() {
		if f == FlashCard || f == YSMenu {
			continue
		}
		file, err := Encode(f, sram, "Game")
		must.Succeed(t, err)
		list = append(list, file)
	}
	return append(list, append(bytes.Clone(sram), ysFlags...))
}

func FuzzDecode(f *testing.F) {
	for _, b := range seeds(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { look(t, b) })
}

// The first of ten million inputs are of one form each; see must.SurviveInputs.
func TestManyInputs(t *testing.T) {
	for i, s := range seeds(t) {
		t.Run(fmt.Sprint(i), func(t *testing.T) { must.SurviveInputs(t, [][]byte{s}, look) })
	}
}

// Reading the largest of usual saves is nothing beside writing it to a disk.
func BenchmarkDecode(b *testing.B) {
	for _, f := range Forms() {
		file, err := Encode(f, memory(512<<10), "Game")
		must.Succeed(b, err)
		b.Run(f.String(), func(b *testing.B) {
			for b.Loop() {
				s, err := Decode(file)
				must.Succeed(b, err)
				_, err = Fit(s.SRAM, Chip{Known: true, Min: 128 << 10, Max: MaxSize})
				must.Succeed(b, err)
			}
		})
	}
}
