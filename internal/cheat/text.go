package cheat

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/nettplay/nettplay/internal/wire"
)

// An Entry is a cheat as a file has it.
type Entry struct {
	Cheat
	Folder string // that it stands in; "" for none
	Note   string
	On     bool // the file has it switched on
	// Single is the number of the folder of whose cheats one may be on at a time, 0 for none.
	Single int
	// Problem is why it cannot be used; "" where it can.
	Problem string
}

// Limits of files.
const (
	maxText    = 4 << 20 // bytes of a file of text
	maxEntries = 10_000  // of one game
	maxNote    = 400
)

// errEntries says that a file has more than anybody would look through.
var errEntries = fmt.Errorf("more than %d cheats", maxEntries)

// judged is an entry as it is listed: with words that can be shown, and its problem.
func (e Entry) judged() Entry {
	e.Name, e.Folder, e.Note = wire.Clean(e.Name, MaxName), wire.Clean(e.Folder, MaxName), wire.Clean(e.Note, maxNote)
	if e.Name == "" {
		e.Name = "Unnamed"
	}
	if err := e.Check(); e.Problem == "" && err != nil {
		e.Problem = strings.TrimPrefix(err.Error(), fmt.Sprintf("cheat %q: ", e.Name))
	}
	return e
}

// lines are the lines of a text that have something in them, with their numbers from 1.
func textLines(b []byte) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
		number := 0
		for raw := range bytes.Lines(b) {
			number++
			if l := strings.TrimSpace(string(raw)); l != "" && !yield(number, l) {
				return
			}
		}
	}
}

// word is 8 hexadecimal digits.
func word(s string) (uint32, bool) {
	n, err := strconv.ParseUint(s, 16, 32)
	return uint32(n), err == nil && len(s) == 8
}

// ReadMCH reads melonDS' file of a game's cheats. Versions from 1.1 on have descriptions, folders of which one cheat
// may be on, and cheats outside of folders:
//
//	CAT [0 or 1: one at a time] NAME   a folder begins
//	ROOT                                the cheats that follow are in none
//	DESC TEXT                           of the folder or cheat before
//	CODE 0 or 1 NAME                    a cheat, switched off or on
//	XXXXXXXX YYYYYYYY                   a line of its code
//
// Empty lines and those that begin with # say nothing.
func ReadMCH(b []byte) (list []Entry, err error) {
	if len(b) > maxText {
		return nil, fmt.Errorf("%d bytes, at most %d", len(b), maxText)
	}
	folder, single, folders := "", 0, 0
	inCode := false // else a description is of a folder, which shows none
	for number, l := range textLines(b) {
		key, rest, _ := strings.Cut(l, " ")
		rest = strings.TrimSpace(rest)
		switch strings.ToUpper(key) {
		case "ROOT":
			folder, single, inCode = "", 0, false
		case "CAT":
			folders++
			folder, single, inCode = rest, 0, false
			if flag, name, ok := strings.Cut(rest, " "); ok && (flag == "0" || flag == "1") {
				folder = strings.TrimSpace(name)
				if flag == "1" {
					single = folders
				}
			}
			if folder == "" {
				return nil, fmt.Errorf("line %d: a folder (CAT) without a name", number)
			}
		case "DESC":
			if inCode {
				list[len(list)-1].Note = rest
			}
		case "CODE":
			on, name, _ := strings.Cut(rest, " ")
			n, err := strconv.Atoi(on)
			if name = strings.TrimSpace(name); err != nil || name == "" {
				return nil, fmt.Errorf("line %d: a cheat is CODE, 0 or 1, and its name", number)
			}
			if len(list) == maxEntries {
				return nil, errEntries
			}
			list, inCode = append(list, Entry{Cheat: Cheat{Name: name}, Folder: folder, Single: single, On: n != 0}), true
		default:
			if strings.HasPrefix(l, "#") {
				continue
			}
			fields := strings.Fields(l)
			if len(fields) < 2 {
				return nil, fmt.Errorf("line %d: not two numbers of 8 hexadecimal digits", number)
			}
			a, ok := word(fields[0])
			c, ok2 := word(fields[1])
			switch {
			case !ok || !ok2:
				return nil, fmt.Errorf("line %d: not two numbers of 8 hexadecimal digits", number)
			case !inCode:
				return nil, fmt.Errorf("line %d: a line of code before any CODE", number)
			}
			e := &list[len(list)-1]
			e.Code = append(e.Code, a, c)
		}
	}
	return judgeAll(list), nil
}

func judgeAll(list []Entry) []Entry {
	for i := range list {
		list[i] = list[i].judged()
	}
	return list
}

// ReadDCT reads DeSmuME's file of a game's cheats:
//
//	; a comment
//	Name=, Serial=                      of the game, which DeSmuME does not look at
//	AR 0 or 1 XXXXXXXXYYYYYYYY,... ;NAME    an Action Replay code, off or on
//	DS 0 or 1 SAAAAAAAVVVVVVVV ;NAME        a value V of S+1 bytes at A in main memory
//	BS or CB ...                        a Codebreaker code, which DeSmuME does not run either
func ReadDCT(b []byte) (list []Entry, err error) {
	if len(b) > maxText {
		return nil, fmt.Errorf("%d bytes, at most %d", len(b), maxText)
	}
	for number, l := range textLines(b) {
		kind, rest, _ := strings.Cut(l, " ")
		switch kind {
		case "AR", "DS":
		case "BS", "CB":
			_, name, _ := strings.Cut(rest, ";")
			list = append(list, Entry{Cheat: Cheat{Name: name}, Problem: "it is a Codebreaker code, which no emulator runs"})
			continue
		default:
			continue // DeSmuME ignores whatever else there is
		}
		if len(list) >= maxEntries {
			return nil, errEntries
		}
		on, rest, _ := strings.Cut(rest, " ")
		code, name, _ := strings.Cut(rest, ";")
		e := Entry{Cheat: Cheat{Name: name}, On: on != "0"}
		if e.Code, err = dctCode(code); err == nil && kind == "DS" {
			e.Code, err = dctValue(e.Code)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		list = append(list, e)
	}
	return judgeAll(list), nil
}

// dctCode is a code of which everything but hexadecimal digits is left out.
func dctCode(text string) (code []uint32, err error) {
	digits := strings.Map(func(r rune) rune {
		if strings.ContainsRune("0123456789ABCDEFabcdef", r) {
			return r
		}
		return -1
	}, text)
	if len(digits) == 0 || len(digits)%16 != 0 {
		return nil, fmt.Errorf("%d hexadecimal digits, which is no multiple of 16", len(digits))
	}
	for ; digits != ""; digits = digits[8:] {
		w, _ := word(digits[:8])
		code = append(code, w)
	}
	return code, nil
}

// dctValue is a value of DeSmuME's own kind as an Action Replay code.
func dctValue(line []uint32) ([]uint32, error) {
	if len(line) != 2 {
		return nil, errors.New("a value (DS) has one line of code")
	}
	at, v := line[0]&0xffffff|0x02000000, line[1]
	switch line[0] >> 28 {
	case 0:
		return []uint32{2<<28 | at, v & 0xff}, nil
	case 1:
		return []uint32{1<<28 | at, v & 0xffff}, nil
	case 2:
		if at&1 != 0 { // the halfword, and with it the byte, would be written elsewhere
			return []uint32{2<<28 | at, v & 0xff, 2<<28 | (at + 1), v >> 8 & 0xff, 2<<28 | (at + 2), v >> 16 & 0xff}, nil
		}
		return []uint32{1<<28 | at, v & 0xffff, 2<<28 | (at + 2), v >> 16 & 0xff}, nil
	}
	return []uint32{at, v}, nil
}
