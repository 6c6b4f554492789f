package corecheck

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nettplay/nettplay/internal/disk"
	"github.com/nettplay/nettplay/internal/phrase"
)

// The file has a line for each core, the one that was kept last at the end:
//
//	64 hexadecimal digits of the core's SHA-256
//	a space, the edition of the check
//	a space, a letter for each part: - not tried, p passed, l lacking, f failed
//	a space, + if the player plays with it all the same, else -
//	a space, 64 hexadecimal digits of the fingerprint, or - for none
//	a space, why the first part did not pass; may be empty
//	a tab, what is otherwise than in tested builds, to the end of the line; may be empty
//
// An invalid line is left out, and so is one of another edition.
const (
	edition    = "5" // of what is tried: another one when verdicts of before must be found anew
	recipe     = "3" // of the fingerprint: another one when cores of before must not share a room with those of now
	letters    = "-plf"
	maxEntries = 200
	maxWhy     = 1000 // bytes, of each of the two texts
	maxFile    = maxEntries * (64 + int64(len(edition)) + int64(parts) + 1 + 64 + 2*maxWhy + 7)
)

// Book keeps verdicts in a file, which several programs may use at once. Its methods may be called on
// any goroutine, and wait for the disk.
type Book struct{ path string }

// OpenBook returns the book in a file, which need not exist; "" keeps nothing.
func OpenBook(path string) *Book { return &Book{path: path} }

// Of returns the verdict on a core by its SHA-256. A book that cannot be read has none.
func (b *Book) Of(core [32]byte) (Verdict, bool) {
	list, err := b.read()
	if err != nil {
		return Verdict{}, false
	}
	i := slices.IndexFunc(list, func(v Verdict) bool { return v.Core == core })
	if i < 0 {
		return Verdict{}, false
	}
	return list[i], true
}

// Keep writes a verdict, in place of the one of before on the same core.
func (b *Book) Keep(v Verdict) error {
	return b.change(func(list []Verdict) []Verdict {
		return append(slices.DeleteFunc(list, func(o Verdict) bool { return o.Core == v.Core }), v)
	})
}

// Accept notes that the player plays with a core although it failed.
func (b *Book) Accept(core [32]byte) error {
	return b.change(func(list []Verdict) []Verdict {
		for i := range list {
			list[i].Accepted = list[i].Accepted || list[i].Core == core
		}
		return list
	})
}

// change writes the book anew, in one step that no other program comes between.
func (b *Book) change(do func([]Verdict) []Verdict) error {
	if b.path == "" {
		return nil
	}
	err := disk.Changing(b.path, func() error {
		list, err := b.read()
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return disk.WritePrivate(b.path, []byte(format(do(list))))
	})
	if err != nil {
		return fmt.Errorf("keep the core's verdict: %w", err)
	}
	return nil
}

func (b *Book) read() ([]Verdict, error) {
	if b.path == "" {
		return nil, nil
	}
	text, err := disk.Read(b.path, maxFile)
	if err != nil {
		return nil, err
	}
	return parse(string(text)), nil
}

// format writes the file: the last verdicts that fit.
func format(list []Verdict) string {
	var text strings.Builder
	for _, v := range list[max(0, len(list)-maxEntries):] {
		marks := make([]byte, parts)
		for p, r := range v.Results {
			marks[p] = letters[r]
		}
		accepted := "-"
		if v.Accepted {
			accepted = "+"
		}
		print := "-"
		if v.Fingerprint != ([32]byte{}) {
			print = hex.EncodeToString(v.Fingerprint[:])
		}
		fmt.Fprintf(&text, "%x %s %s %s %s %s\t%s\n", v.Core[:], edition, marks, accepted, print, line(v.Why), line(v.Unlike))
	}
	return text.String()
}

// line is text on one line, not too long. A core can have put words into it.
func line(text string) string {
	return phrase.Cut(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return ' '
		}
		return r
	}, text), maxWhy)
}

// parse reads the file. Of a core that stands twice, the last line counts.
func parse(text string) (list []Verdict) {
	for l := range strings.Lines(text) {
		v, ok := parseLine(strings.TrimSuffix(l, "\n"))
		if !ok {
			continue
		}
		list = slices.DeleteFunc(list, func(o Verdict) bool { return o.Core == v.Core })
		list = append(list, v)
	}
	return list[max(0, len(list)-maxEntries):]
}

func parseLine(l string) (v Verdict, ok bool) {
	fields := strings.SplitN(l, " ", 6)
	if len(fields) != 6 || fields[1] != edition || len(fields[2]) != int(parts) {
		return v, false
	}
	v.Why, v.Unlike, ok = strings.Cut(fields[5], "\t")
	for _, text := range []string{v.Why, v.Unlike} {
		ok = ok && len(text) <= maxWhy && line(text) == text
	}
	if !ok {
		return v, false
	}
	if v.Core, ok = sum(fields[0]); !ok {
		return v, false
	}
	if v.Fingerprint, ok = sum(fields[4]); !ok && fields[4] != "-" {
		return v, false
	}
	for p := range v.Results {
		r := strings.IndexByte(letters, fields[2][p])
		if r < 0 {
			return v, false
		}
		v.Results[p] = Result(r)
	}
	v.Accepted = fields[3] == "+"
	return v, v.Accepted || fields[3] == "-"
}

// sum reads 64 hexadecimal digits.
func sum(text string) (s [32]byte, ok bool) {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != len(s) {
		return s, false
	}
	return [32]byte(raw), true
}
