package saves

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/internal/phrase"
)

// The text about a save, beside it in a file of its own. It is meant to be looked
// at, but not edited: the last line is the SHA-256 of all before it.
//
//	nettplay save 1
//	rom 9f86d081...               SHA-256 of the game
//	title "PAD TEST"
//	console 1                     2 and more: a further console on this machine
//	file ""                       the file that the player named, "" for none
//	size 8192                     of the save, bytes
//	sha256 60303ae2...            of the save
//	saved 2026-11-21T18:30:00Z    by the wall clock
//	room "Evening"
//	players "Ann" "Bob"
//	frame 8211                    after which the save was taken
//	origin played                 or imported, restored, found, deleted
//	from ""                       of what it was imported or restored
//	play 0011223344556677         the same for all saves of one opened store
//	sum 2c26b46b...
//
// Texts are cleaned once more when they are read: what is printable differs from
// one version of Unicode to the next.
const (
	metaHead = "nettplay save 1"
	maxMeta  = 32 << 10 // bytes

	maxText    = 80   // bytes of a title, a nickname or a room's name
	maxPath    = 4096 // bytes of a path
	maxPlayers = 16
)

// MaxSize is the limit of a save in bytes: larger than any cartridge's.
const MaxSize = savefile.MaxSize

// Origin is where a save comes from.
type Origin string

// The origins.
const (
	Played   Origin = "played"   // a game left it
	Imported Origin = "imported" // the player gave a file
	Restored Origin = "restored" // the player went back to it
	Found    Origin = "found"    // it was in the file that the player named, put there by somebody else
	Deleted  Origin = "deleted"  // the player deleted the one before: it is blank
)

func (o Origin) known() bool {
	return o == Played || o == Imported || o == Restored || o == Found || o == Deleted
}

// About is a game's word of itself for people who look at their saves.
type About struct {
	Room    string   // its name; "" for none
	Players []string // nicknames, at most 16
}

// Meta describes a save. The texts in it are printable and short: what did not fit was cut off.
type Meta struct {
	ROM     [32]byte // SHA-256 of the game
	Title   string
	Console int    // 1: the player's own; 2 and more: further consoles on this machine
	File    string // the file that the player named, absolute; "" for none

	Size   int // bytes
	SHA256 [32]byte

	At      time.Time // wall clock in UTC, to the second; for people only
	Room    string
	Players []string
	Frame   int64 // after which it was taken; 0 if no game left it
	Origin  Origin
	From    string  // of what it was imported or restored
	Play    [8]byte // the same for all saves of one opened Store
}

// clean makes a short printable text of any: no control characters, no line
// breaks, valid UTF-8, at most limit bytes.
func clean(s string, limit int) string {
	return strings.TrimSpace(phrase.Cut(strings.TrimSpace(phrase.Printable(s)), limit))
}

// encode writes the text about a save.
func (m Meta) encode() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\nrom %x\ntitle %q\nconsole %d\nfile %q\nsize %d\nsha256 %x\nsaved %s\nroom %q\nplayers",
		metaHead, m.ROM, m.Title, m.Console, m.File, m.Size, m.SHA256, m.At.UTC().Format(time.RFC3339), m.Room)
	for _, p := range m.Players {
		fmt.Fprintf(&b, " %q", p)
	}
	fmt.Fprintf(&b, "\nframe %d\norigin %s\nfrom %q\nplay %x\n", m.Frame, m.Origin, m.From, m.Play)
	return append(b.Bytes(), sumLine(b.Bytes())...)
}

// decodeMeta reads what encode wrote, and nothing else.
func decodeMeta(b []byte) (Meta, error) {
	if len(b) > maxMeta {
		return Meta{}, fmt.Errorf("the text about it has more than %d bytes", maxMeta)
	}
	head, _, _ := bytes.Cut(b, []byte("\n"))
	if string(head) != metaHead {
		return Meta{}, fmt.Errorf("the text about it begins with %.40q, not with %q", head, metaHead)
	}
	body := b[:bytes.LastIndexByte(bytes.TrimSuffix(b, []byte("\n")), '\n')+1]
	if string(b[len(body):]) != sumLine(body) {
		return Meta{}, errors.New("the text about it is damaged: its sum is wrong")
	}
	r := metaReader{rest: strings.TrimPrefix(string(body), metaHead+"\n")}
	m := Meta{
		ROM: r.hash("rom"), Title: r.text("title", maxText), Console: int(r.number("console")), File: r.quoted("file"),
		Size: int(r.number("size")), SHA256: r.hash("sha256"), At: r.time("saved"),
		Room: r.text("room", maxText), Players: r.players("players"), Frame: r.number("frame"),
		Origin: Origin(r.line("origin")), From: r.text("from", maxText),
	}
	r.hex("play", m.Play[:])
	if r.rest != "" {
		r.fail(r.rest[:min(len(r.rest), 20)])
	}
	if r.err == nil {
		r.err = m.check()
	}
	if r.err != nil {
		return Meta{}, r.err
	}
	return m, nil
}

// sumLine is the last line of a text.
func sumLine(body []byte) string { return fmt.Sprintf("sum %x\n", sha256.Sum256(body)) }

// check finds values that no save has.
func (m Meta) check() error {
	switch {
	case m.Size < 1 || m.Size > MaxSize:
		return fmt.Errorf("the text about it has size %d, not 1 to %d", m.Size, MaxSize)
	case m.Console < 1 || m.Console > maxPlayers:
		return fmt.Errorf("the text about it has console %d, not 1 to %d", m.Console, maxPlayers)
	case m.Frame < 0:
		return fmt.Errorf("the text about it has frame %d", m.Frame)
	case len(m.File) > maxPath:
		return fmt.Errorf("the text about it has a path of %d bytes", len(m.File))
	case !m.Origin.known():
		return fmt.Errorf("the text about it has origin %.20q", m.Origin)
	}
	return nil
}

// metaReader takes a text apart line by line. After its first error, which names
// the field, it gives zero values.
type metaReader struct {
	rest string
	err  error
}

func (r *metaReader) fail(key string) {
	if r.err == nil {
		r.err = fmt.Errorf("the text about it is damaged at %q", key)
	}
}

// line is the value of the next line, which must have this key.
func (r *metaReader) line(key string) string {
	line, rest, ok := strings.Cut(r.rest, "\n")
	value, has := strings.CutPrefix(line, key)
	if !ok || !has || r.err != nil {
		r.fail(key)
		return ""
	}
	r.rest = rest
	return strings.TrimPrefix(value, " ")
}

func (r *metaReader) number(key string) int64 {
	n, err := strconv.ParseInt(r.line(key), 10, 64)
	if err != nil {
		r.fail(key)
	}
	return n
}

func (r *metaReader) hex(key string, into []byte) {
	b, err := hex.DecodeString(r.line(key))
	if err != nil || len(b) != len(into) {
		r.fail(key)
		return
	}
	copy(into, b)
}

func (r *metaReader) hash(key string) (h [32]byte) {
	r.hex(key, h[:])
	return h
}

func (r *metaReader) quoted(key string) string {
	s, err := strconv.Unquote(r.line(key))
	if err != nil {
		r.fail(key)
	}
	return s
}

func (r *metaReader) text(key string, limit int) string {
	return clean(r.quoted(key), limit)
}

func (r *metaReader) time(key string) time.Time {
	t, err := time.Parse("2006-01-02T15:04:05Z", r.line(key))
	if err != nil {
		r.fail(key)
	}
	return t
}

func (r *metaReader) players(key string) (list []string) {
	for s := r.line(key); s != ""; s = strings.TrimPrefix(s, " ") {
		quoted, err := strconv.QuotedPrefix(s)
		if err != nil || len(list) == maxPlayers {
			r.fail(key)
			return nil
		}
		name, err := strconv.Unquote(quoted)
		if err != nil {
			r.fail(key)
			return nil
		}
		list = append(list, clean(name, maxText))
		s = s[len(quoted):]
		if s != "" && s[0] != ' ' {
			r.fail(key)
			return nil
		}
	}
	return list
}
