package cheat

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/japanese"

	"github.com/nettplay/nettplay/internal/testing/must"
)

const melon = "\xef\xbb\xbf# from a forum\r\nCODE 1 Outside\n02001234 00000063\n\nCAT 1 Héros\nDESC one of them\n\nCODE 0 Strong\n  DESC all day\n" +
	"12001236 00000005\n22001238 00000006\nCODE 1 Fast\n94000130 fffb0000\n02001240 00000001\nD2000000 00000000\nCAT Old form\nCODE 1 Odd kind\nC4000000 00000000\nROOT\nCODE 0 Last\n02000000 1 2\n"

func TestReadMCH(t *testing.T) {
	_, err := ReadMCH([]byte(melon))
	if err == nil || !strings.Contains(err.Error(), "line 21: not two numbers") {
		t.Errorf("a line that is none: %v", err)
	}
	list, err := ReadMCH([]byte(strings.TrimSuffix(melon, "02000000 1 2\n") + "02000000 00000001 and a remark\n"))
	must.Succeed(t, err)
	want := []Entry{
		{Cheat: Cheat{"Outside", []uint32{0x02001234, 0x63}}, On: true},
		{Cheat: Cheat{"Strong", []uint32{0x12001236, 5, 0x22001238, 6}}, Folder: "Héros", Note: "all day", Single: 1},
		{Cheat: Cheat{"Fast", []uint32{0x94000130, 0xfffb0000, 0x02001240, 1, 0xd2000000, 0}}, Folder: "Héros", Single: 1, On: true},
		{Cheat: Cheat{"Odd kind", []uint32{0xc4000000, 0}}, Folder: "Old form", On: true, Problem: "line 1, C4000000 00000000: no emulator knows this kind of code"},
		{Cheat: Cheat{"Last", []uint32{0x02000000, 1}}},
	}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Error(diff)
	}
	for text, want := range map[string]string{
		"CAT x\n02000000 00000001\n": "line 2: a line of code before any CODE",
		"CODE 1 x\n\nCODE yes\n":     "line 3: a cheat is CODE, 0 or 1, and its name",
		"CODE 1\n":                   "line 1: a cheat is CODE",
		"CODE 1 x\n0200000 0000001":  "line 2: not two numbers",
		"CODE 1 x\nhello":            "line 2: not two numbers",
		"CAT \n":                     "line 1: a folder (CAT) without a name",
	} {
		if _, err := ReadMCH([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestReadDCT(t *testing.T) {
	list, err := ReadDCT([]byte("; DeSmuME cheats file. VERSION 2.000\r\nName=KART\r\nSerial=NTR-XXXX\r\n\r\n; cheats list\r\n" +
		"AR 1 9400013000FFFB00,0200123400000063,D200000000000000 ;Coins; many\r\nDS 0 0000123400000063 ;a byte\nDS 1 1000123412340063 ;a half\n" +
		"DS 1 2000123400ABCDEF ;three\nDS 1 2000123500ABCDEF ;three, odd\nDS 1 3000123412345678;a word\nBS 1 0011 ;Codebreaker\nwhatever\n"))
	must.Succeed(t, err)
	want := []Entry{
		{Cheat: Cheat{"Coins; many", []uint32{0x94000130, 0x00fffb00, 0x02001234, 0x63, 0xd2000000, 0}}, On: true},
		{Cheat: Cheat{"a byte", []uint32{0x22001234, 0x63}}},
		{Cheat: Cheat{"a half", []uint32{0x12001234, 0x63}}, On: true},
		{Cheat: Cheat{"three", []uint32{0x12001234, 0xcdef, 0x22001236, 0xab}}, On: true},
		{Cheat: Cheat{"three, odd", []uint32{0x22001235, 0xef, 0x22001236, 0xcd, 0x22001237, 0xab}}, On: true},
		{Cheat: Cheat{"a word", []uint32{0x02001234, 0x12345678}}, On: true},
		{Cheat: Cheat{Name: "Codebreaker"}, Problem: "it is a Codebreaker code, which no emulator runs"},
	}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Error(diff)
	}
	for text, want := range map[string]string{
		"\nAR 1 020012340000006 ;short": "line 2: 15 hexadecimal digits",
		"AR 1 ;none":                    "line 1: 0 hexadecimal digits",
		"DS 1 0000123400000063,0000123400000063 ;two values": "line 1: a value (DS) has one line",
	} {
		if _, err := ReadDCT([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// database writes a usrcheat.dat as the format is described; the games' contents come from game.
func database(encoding uint32, games ...[]byte) []byte {
	b := make([]byte, datIndex)
	copy(b, datMagic)
	binary.LittleEndian.PutUint32(b[datEncoding:], encoding)
	at := datIndex + datEntry*(len(games)+1)
	for _, g := range games {
		b = append(b, g[:8]...)
		b = binary.LittleEndian.AppendUint64(b, uint64(at))
		at += len(g) - 8
	}
	b = append(b, make([]byte, datEntry)...)
	for _, g := range games {
		b = append(b, g[8:]...)
	}
	return b
}

func game(code string, crc uint32, title string, items ...[]byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte(code), crc)
	b = append(b, padded([]byte(title+"\x00"))...)
	b = binary.LittleEndian.AppendUint32(b, 0xf0000000|uint32(len(items)))
	b = append(b, make([]byte, 32)...)
	for _, i := range items {
		b = append(b, i...)
	}
	return b
}

func padded(b []byte) []byte {
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	return b
}

func folder(head uint32, name, note string) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, 0x10000000|head), padded([]byte(name+"\x00"+note+"\x00"))...)
}

func item(on bool, name, note string, code ...uint32) []byte {
	body := padded([]byte(name + "\x00" + note + "\x00"))
	body = binary.LittleEndian.AppendUint32(body, uint32(len(code)))
	for _, w := range code {
		body = binary.LittleEndian.AppendUint32(body, w)
	}
	head := uint32(len(body) / 4)
	if on {
		head |= 0x01000000
	}
	return append(binary.LittleEndian.AppendUint32(nil, head), body...)
}

func sampleDatabase() []byte {
	coin, _ := japanese.ShiftJIS.NewEncoder().String("コイン")
	return database(0x59415375,
		game("ABCE", 1, "Other", item(true, "x", "", 0x02000000, 1)),
		game("XNPE", ^uint32(0x1234), "A game",
			item(false, coin, "99 of them", 0x02001234, 99),
			folder(0x01000000|2, "Speed", "choose one"),
			item(true, "Slow", "", 0x12001236, 1),
			item(false, "Fast", "", 0x12001236, 9),
			item(false, "to be read only", ""),
			item(true, "After", "", 0x22001238, 1, 0xd2000000, 0)),
		game("XNPE", 7, "A revision"))
}

func TestReadUsrcheat(t *testing.T) {
	b := sampleDatabase()
	read := func(code string, crc uint32) ([]Entry, error) {
		return ReadUsrcheat(bytes.NewReader(b), int64(len(b)), code, crc)
	}
	want := []Entry{
		{Cheat: Cheat{"コイン", []uint32{0x02001234, 99}}, Note: "99 of them"},
		{Cheat: Cheat{"Slow", []uint32{0x12001236, 1}}, Folder: "Speed", Single: 2, On: true},
		{Cheat: Cheat{"Fast", []uint32{0x12001236, 9}}, Folder: "Speed", Single: 2},
		{Cheat: Cheat{"After", []uint32{0x22001238, 1, 0xd2000000, 0}}, On: true},
	}
	for _, crc := range []uint32{0x1234, ^uint32(0x1234)} { // as both kinds of programs write it
		got, err := read("XNPE", crc)
		must.Succeed(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	if got, err := read("XNPE", 8); got != nil || err != ErrOtherEdition {
		t.Errorf("another edition: %v, %v", got, err)
	}
	if got, err := read("ZZZZ", 8); got != nil || err != nil {
		t.Errorf("a game that is not in it: %v, %v", got, err)
	}
	change := func(at int, to byte) []byte { c := slices.Clone(b); c[at] = to; return c }
	second := datIndex + datEntry
	from := int(binary.LittleEndian.Uint32(b[second+8:]))
	for name, c := range map[string]struct {
		b    []byte
		want string
	}{
		"another magic":     {change(0, 'r'), "header: "},
		"a short file":      {b[:100], "header: "},
		"no end of index":   {b[:datIndex+3*datEntry], "index: game 1 begins at byte"},
		"offset":            {change(second+11, 0x7f), "index: game 2 begins"},
		"many items":        {change(from+9, 0xff), "number of items: "},
		"another length":    {change(from+8+36, 99), "item 1: 99 words long"},
		"many words":        {change(from+8+36+4+20, 99), "item 1: words of code: 99"},
		"cut in the middle": {b[:from+60], "index: game 3 begins"},
	} {
		if _, err := ReadUsrcheat(bytes.NewReader(c.b), int64(len(c.b)), "XNPE", 0x1234); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestCheck: what does not end, or reads behind a code's end, is refused, and the line is named.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		code []uint32
		want string
	}{
		{[]uint32{0x02000000, 1}, ""},
		{nil, "it has no code"},
		{[]uint32{0x02000000}, "line 1 has one number"},
		{[]uint32{0xe2000000, 9, 1, 2, 3, 4}, ""},
		{[]uint32{0x02000000, 1, 0xe2000000, 9, 1, 2}, "line 2 copies the 9 bytes that follow, and there are 8"},
		{[]uint32{0xe2000000, 0xffffffff, 1, 2}, "line 1 copies the 4294967295 bytes"},
		{[]uint32{0xc0000000, 492, 0xd6000000, 0x02000000, 0xd2000000, 0}, ""},
		{[]uint32{0xc0000000, 0xffffffff, 0xd2000000, 0}, "line 1 repeats what follows"},
		{[]uint32{0xc0000000, 0x10000, 0xd6000000, 0, 0xd6000000, 0, 0xd6000000, 0, 0xd2000000, 0}, "its loops take too long"},
		{[]uint32{0xf2000000, 0x100}, ""},
		{[]uint32{0xc0000000, 0x1000, 0xf2000000, 0x100, 0xd2000000, 0}, "its loops take too long"},
		{[]uint32{0xf2000000, 0x80000000}, "line 1 copies 2147483648 bytes"},
		{[]uint32{0xc5000000, 0, 0xc6000000, 0x02000000, 0xdc000000, 4}, ""},
		{[]uint32{0xdd000000, 0}, "line 1, DD000000 00000000: no emulator"},
		{[]uint32{0x02000000, 0, 0xc2000000, 8}, "line 2, C2000000 00000008: no emulator"},
		{make([]uint32, 2*MaxLines+2), "1025 lines, at most 1024"},
	} {
		err := Cheat{"x", c.code}.Check()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%08X: %v, want %q", c.code[:min(len(c.code), 8)], err, c.want)
		}
	}
	one := Cheat{"x", []uint32{0x02000000, 1}}
	many, long := []Cheat{}, []Cheat{}
	for i := range MaxAgreed + 1 {
		many = append(many, Cheat{fmt.Sprint(i), one.Code})
		long = append(long, Cheat{fmt.Sprint(i), slices.Repeat(one.Code, 33)})
	}
	for want, list := range map[string][]Cheat{
		`cheat "x": it stands twice`: {one, {"y", one.Code}, one},
		"cheat 1: it has no name":    {{"", one.Code}},
		"cheats: 33, at most 32":     many,
		"1056 lines of code":         long[:32],
	} {
		if err := Check(list); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if err := Check(many[:32]); err != nil {
		t.Error(err)
	}
}

func TestLeavesIfOpen(t *testing.T) {
	const loop, when, end, next, flush = 0xc0000000, 0x52000000, 0xd0000000, 0xd1000000, 0xd2000000
	for _, c := range []struct {
		ops  []uint32
		want int
	}{
		{[]uint32{loop, when, flush}, 3},
		{[]uint32{loop, when, end, flush}, 0},
		{[]uint32{when, loop, flush}, 0}, // a button in front of a loop, as most codes have it
		{[]uint32{loop, when, next, flush}, 4},
		{[]uint32{loop, next, when, flush}, 0},
		{[]uint32{loop, when, when, end, flush}, 5},
		{[]uint32{when, flush, loop, flush}, 0},
	} {
		var code []uint32
		for _, op := range c.ops {
			code = append(code, op, 0)
		}
		if got := (Cheat{"x", code}).LeavesIfOpen(); got != c.want {
			t.Errorf("%08X: line %d, want %d", c.ops, got, c.want)
		}
	}
}

func sampleList() []Cheat {
	return []Cheat{{"Coins", []uint32{0x02001234, 99}}, {"Héros: fort", []uint32{0x94000130, 0xfffb0000, 0x02001240, 1, 0xd2000000, 0}}}
}

func TestEncode(t *testing.T) {
	b := Encode(sampleList())
	got, err := Decode(b)
	must.Succeed(t, err)
	if diff := cmp.Diff(sampleList(), got); diff != "" {
		t.Error(diff)
	}
	if Sum(nil) != ([32]byte{}) || Sum(sampleList()) == Sum(sampleList()[:1]) || Encode(nil) != nil {
		t.Error("sums tell lists apart, and none is zeros")
	}
	if Encode([]Cheat{{"x", []uint32{0xdd000000, 0}}}) != nil {
		t.Error("a list that cannot be agreed on is encoded")
	}
	for i := range b {
		if _, err := Decode(b[:i]); err == nil {
			t.Errorf("cut at %d it is read", i)
		}
	}
	if _, err := Decode(append(b, 0)); err == nil {
		t.Error("with a byte more it is read")
	}
	if got := sampleList()[0].Text(); got != "0200123400000063" {
		t.Error(got)
	}
}

// TestFind: beside the game and in the player's folder, in files of the game's name and the database; what stands twice
// counts once, and a file that cannot be read is said.
func TestFind(t *testing.T) {
	dir, own := t.TempDir(), t.TempDir()
	write := func(path, text string) string {
		must.Succeed(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	g := Game{Path: filepath.Join(dir, "Game.nds"), Code: "XNPE", HeaderCRC: 0x1234}
	write(filepath.Join(dir, "Game.mch"), "CAT Speed\nCODE 1 Slow\n12001236 00000001\n")
	write(filepath.Join(dir, "Another.mch"), "nothing that could be read")
	write(filepath.Join(own, "Game.dct"), "AR 1 0200555500000001 ;Own\n")
	write(filepath.Join(own, "usrcheat.dat"), string(sampleDatabase()))
	broken := write(filepath.Join(t.TempDir(), "broken.dct"), "AR 1 12 ;x")
	f := Find(g, []string{own, ""}, broken, filepath.Join(dir, "none.mch"))
	var names []string
	for _, e := range f.Entries {
		names = append(names, e.Agreed().Name)
	}
	if want := []string{"Speed: Slow", "Own", "コイン", "Speed: Fast", "After"}; !slices.Equal(names, want) {
		t.Errorf("found %q, want %q", names, want)
	}
	if len(f.Files) != 3 || len(f.Problems) != 2 || !strings.HasPrefix(f.Problems[0], "broken.dct: line 1: 2 hexadecimal digits") {
		t.Errorf("files %q, problems %q", f.Files, f.Problems)
	}
	in := g
	in.Archive = filepath.Join(dir, "Packed.zip")
	in.Path = filepath.Join(in.Archive, "Inner.nds")
	write(filepath.Join(dir, "Packed.mch"), "CODE 1 of the archive\n02000000 00000001\n")
	write(filepath.Join(dir, "Inner.dct"), "AR 1 0200555500000001 ;of the game\n")
	if f := Find(in, nil); len(f.Entries) != 2 {
		t.Errorf("for a game in an archive %+v", f.Entries)
	}
	for name, is := range map[string]bool{"a.MCH": true, "a.dct": true, "usrcheat.dat": true, "USRCHEAT.DAT": true, "other.dat": false, "a.nds": false} {
		if IsFile("/x/"+name) != is {
			t.Error(name)
		}
	}
}

// TestWith: whatever the order of clicks, the list is the same; one of a folder that says so; what is not found any more
// stays.
func TestWith(t *testing.T) {
	var f Found
	for i, name := range []string{"a", "b", "c", "d"} {
		e := Entry{Cheat: Cheat{name, []uint32{0x02000000, uint32(i)}}, On: i%2 == 0}
		if i == 1 || i == 2 {
			e.Single, e.Folder = 1, "one"
		}
		f.add(e)
	}
	names := func(list []Cheat) string {
		s := ""
		for _, c := range list {
			s += c.Name + " "
		}
		return s
	}
	gone := []Cheat{{"gone", []uint32{0x02000000, 9}}}
	list := f.With(f.With(f.With(gone, 3, true), 1, true), 0, true)
	if got := names(list); got != "gone a one: b d " {
		t.Error(got)
	}
	if got := names(f.With(list, 2, true)); got != "gone a one: c d " {
		t.Error(got)
	}
	if got := names(f.With(list, 0, false)); got != "gone one: b d " {
		t.Error(got)
	}
	if got := names(f.On()); got != "a one: c " {
		t.Error(got)
	}
}

// look reads a file of every kind, and holds what was read to what it promises.
func look(t *testing.T, b []byte) (well bool) {
	for _, read := range []func() ([]Entry, error){
		func() ([]Entry, error) { return ReadMCH(b) }, func() ([]Entry, error) { return ReadDCT(b) },
		func() ([]Entry, error) { return ReadUsrcheat(bytes.NewReader(b), int64(len(b)), "XNPE", 0x1234) },
	} {
		list, err := read()
		if err != nil {
			continue
		}
		for _, e := range list {
			well = true
			if e.Problem != "" {
				continue
			}
			agreed := []Cheat{e.Agreed()}
			again, err := Decode(Encode(agreed))
			if err != nil || len(again) != 1 || !again[0].Equal(agreed[0]) {
				t.Errorf("%+v becomes %+v, %v", agreed, again, err)
			}
		}
	}
	if list, err := Decode(b); err == nil && len(list) > 0 {
		well = true
		if !bytes.Equal(Encode(list), b) && Sum(list) != Sum(mustDecode(Encode(list))) {
			t.Errorf("%+v has two sums", list)
		}
	}
	return well
}

func mustDecode(b []byte) []Cheat { list, _ := Decode(b); return list }

func seeds() [][]byte {
	return [][]byte{
		[]byte("CAT x\nCODE 1 y\n02000000 00000001\n"), []byte("AR 1 0200555500000001 ;x\nDS 0 2000123500ABCDEF ;y\n"), sampleDatabase(), Encode(sampleList()),
	}
}

func FuzzRead(f *testing.F) {
	for _, b := range seeds() {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { look(t, b) })
}

func TestManyInputs(t *testing.T) { must.SurviveInputs(t, seeds(), look) }
