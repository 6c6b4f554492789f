package cheat

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// The database of flash cartridges, usrcheat.dat. Numbers are little endian; a text ends with a zero byte.
//
//	000  "R4 CheatCode"
//	010  title
//	04c  u32 encoding of texts, see encodings
//	100  index, ended by an entry of zeros: game code:4 header CRC:u32 offset:u64
//
//	at an entry's offset, up to that of the next one:
//	  title:text, padded with zeros to a multiple of 4 bytes from here on, as all padding
//	  items:u32      how many, in the low 28 bits
//	  8 u32          master code, which nothing uses
//	  item...
//	an item:
//	  head:u32       bit 28: a folder. Low 24 bits: of a folder how many of the items that follow are in it, of a cheat
//	                 how many u32 follow. The 8 bits above: of a cheat whether it is on, of a folder with bit 24:
//	                 one of its cheats may be on at a time
//	  name:text note:text, padded to a multiple of 4
//	  of a cheat:    words:u32 code:u32...
//
// The header CRC is CRC-32 of the game's first 512 bytes without the last inversion.
const (
	datMagic    = "R4 CheatCode"
	datEncoding = 0x4c
	datIndex    = 0x100
	datEntry    = 16
	maxGames    = 1 << 17
	maxGameData = 8 << 20 // bytes of one game
)

var encodings = map[uint32]encoding.Encoding{
	0x594153d5: simplifiedchinese.GBK,
	0x594153f5: traditionalchinese.Big5,
	0x59415375: japanese.ShiftJIS,
	0x59415355: unicode.UTF8,
	0x59417355: unicode.UTF8, // as some programs write it
}

// ErrOtherEdition says that a database has cheats for other editions of a game alone.
var ErrOtherEdition = errors.New("it has cheats for other editions of the game, and none for this one")

// ReadUsrcheat reads a game's cheats from a database of size bytes, by its game code and the CRC-32 of its header. A game
// that is not in it has none.
func ReadUsrcheat(r io.ReaderAt, size int64, code string, headerCRC uint32) ([]Entry, error) {
	var head [datIndex]byte
	if _, err := r.ReadAt(head[:], 0); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if !bytes.HasPrefix(head[:], []byte(datMagic)) {
		return nil, fmt.Errorf("header: it does not begin with %q: it is another kind of file, or encrypted", datMagic)
	}
	from, to, err := findGame(r, size, code, headerCRC)
	if err != nil || from == 0 {
		return nil, err
	}
	if to-from > maxGameData {
		return nil, fmt.Errorf("game: %d bytes, at most %d", to-from, maxGameData)
	}
	data := make([]byte, to-from)
	if _, err := r.ReadAt(data, from); err != nil {
		return nil, fmt.Errorf("game: %w", err)
	}
	enc := encodings[binary.LittleEndian.Uint32(head[datEncoding:])]
	if enc == nil {
		enc = unicode.UTF8 // whose decoder puts a mark where a text is none
	}
	d := datReader{b: data, text: enc.NewDecoder()}
	list, err := d.game()
	if err != nil {
		return nil, fmt.Errorf("game at byte %d: %w", from, err)
	}
	return judgeAll(list), nil
}

// findGame finds where a game's cheats begin and end; both are 0 where there are none.
func findGame(r io.ReaderAt, size int64, code string, headerCRC uint32) (from, to int64, err error) {
	if len(code) != 4 {
		return 0, 0, nil
	}
	others := false
	block := make([]byte, 4096)
	var all []int64 // offsets of all games: what begins next behind ours ends it
	for at := int64(datIndex); ; at += int64(len(block)) {
		n, err := r.ReadAt(block, at)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, 0, fmt.Errorf("index: %w", err)
		}
		for e := block[:n]; ; e = e[datEntry:] {
			if len(e) < datEntry && len(e) < len(block) && n < len(block) {
				return 0, 0, errors.New("index: it has no end")
			}
			if len(e) < datEntry {
				break
			}
			offset := int64(binary.LittleEndian.Uint32(e[8:]))
			if offset == 0 {
				if from == 0 {
					if others {
						return 0, 0, ErrOtherEdition
					}
					return 0, 0, nil
				}
				to = size
				for _, o := range all {
					if o > from && o < to {
						to = o
					}
				}
				return from, to, nil
			}
			if len(all) == maxGames {
				return 0, 0, fmt.Errorf("index: more than %d games", maxGames)
			}
			if offset < datIndex || offset >= size {
				return 0, 0, fmt.Errorf("index: game %d begins at byte %d of %d", len(all)+1, offset, size)
			}
			all = append(all, offset)
			if crc := binary.LittleEndian.Uint32(e[4:]); string(e[:4]) == code {
				if crc == headerCRC || crc == ^headerCRC {
					from = offset
				} else {
					others = true
				}
			}
		}
	}
}

// datReader reads the cheats of one game.
type datReader struct {
	b    []byte
	at   int
	text *encoding.Decoder
}

func (d *datReader) word(field string) (uint32, error) {
	if len(d.b)-d.at < 4 {
		return 0, fmt.Errorf("%s: it is cut off", field)
	}
	d.at += 4
	return binary.LittleEndian.Uint32(d.b[d.at-4:]), nil
}

func (d *datReader) string(field string) (string, error) {
	n := bytes.IndexByte(d.b[d.at:], 0)
	if n < 0 {
		return "", fmt.Errorf("%s: it has no end", field)
	}
	raw := d.b[d.at : d.at+n]
	d.at += n + 1
	if len(raw) > 4*maxNote {
		raw = raw[:4*maxNote] // as much as is shown, and more
	}
	s, err := d.text.String(string(raw))
	if err != nil {
		s = string(raw)
	}
	return s, nil
}

func (d *datReader) align() {
	d.at = min((d.at+3)&^3, len(d.b))
}

func (d *datReader) game() (list []Entry, err error) {
	if _, err = d.string("title"); err != nil {
		return nil, err
	}
	d.align()
	n, err := d.word("number of items")
	if err != nil {
		return nil, err
	}
	if n &= 0x0fffffff; n > maxEntries {
		return nil, fmt.Errorf("number of items: %d, at most %d", n, maxEntries)
	}
	if d.at += 8 * 4; d.at > len(d.b) {
		return nil, errors.New("master code: it is cut off")
	}
	folder, single, inside := "", 0, uint32(0) // the folder, and how many of the items that follow are in it
	for i := range int(n) {
		begin := d.at
		item := fmt.Sprintf("item %d", i+1)
		head, err := d.word(item)
		if err != nil {
			return nil, err
		}
		name, err := d.string(item + ": name")
		if err != nil {
			return nil, err
		}
		note, err := d.string(item + ": note")
		if err != nil {
			return nil, err
		}
		d.align()
		if head>>28&1 != 0 {
			folder, single, inside = name, 0, head&0xffffff
			if head>>24&1 != 0 {
				single = i + 1
			}
			continue
		}
		if inside == 0 {
			folder, single = "", 0
		} else {
			inside--
		}
		e := Entry{Cheat: Cheat{Name: name}, Folder: folder, Note: note, Single: single, On: head>>24 != 0}
		if e.Code, err = d.code(item); err != nil {
			return nil, err
		}
		next := begin + 4*(1+int(head&0xffffff))
		if next < d.at || next > len(d.b) {
			return nil, fmt.Errorf("%s: %d words long, which does not go with what is in it", item, head&0xffffff)
		}
		d.at = next
		if len(e.Code) > 0 { // else a line that is there to be read
			list = append(list, e)
		}
	}
	return list, nil
}

func (d *datReader) code(item string) ([]uint32, error) {
	words, err := d.word(item + ": words of code")
	if err != nil {
		return nil, err
	}
	if int64(words) > int64(len(d.b)-d.at)/4 {
		return nil, fmt.Errorf("%s: words of code: %d, and %d follow", item, words, (len(d.b)-d.at)/4)
	}
	code := make([]uint32, words)
	for i := range code {
		code[i] = binary.LittleEndian.Uint32(d.b[d.at+4*i:])
	}
	d.at += 4 * len(code)
	return code, nil
}
