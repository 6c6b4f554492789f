package replay

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/disk"
	"github.com/nettplay/nettplay/internal/wire"
	"github.com/nettplay/nettplay/savestate"
)

// A Moment makes a log a kept moment of a game, from which it goes on another day. Its
// consoles begin from the states that they had then, at frame 0, with a clock that shows
// what theirs showed; and nothing has happened since.
type Moment struct {
	Name    string // as the player calls it; may be ""
	Frames  int64  // that were played before
	Picture []byte // PNG, of a console of the machine that kept it; may be nil
}

// MomentExtension is the ending of kept moments' names.
const MomentExtension = ".npmoment"

// MaxPicture bounds the picture of a moment, in bytes; it is left out if it is larger.
const MaxPicture = 256 << 10

// maxMomentFrames bounds what was played before: many games, one after the other.
const maxMomentFrames = 1 << 60

// ErrNotAMoment says that a log is a recording.
var ErrNotAMoment = errors.New("this is a recording, and no kept moment")

func (m *Moment) encode() []byte {
	picture := m.Picture
	if len(picture) > MaxPicture {
		picture = nil
	}
	b := binary.AppendUvarint(appendText(nil, m.Name), uint64(min(max(m.Frames, 0), maxMomentFrames)))
	return append(binary.AppendUvarint(b, uint64(len(picture))), picture...)
}

func decodeMoment(c *wire.Coder) *Moment {
	m := &Moment{Name: text(c, "name"), Frames: number(c, "frames played before", maxMomentFrames)}
	m.Picture = slices.Clone(c.Take("picture", int(number(c, "bytes of the picture", MaxPicture))))
	return m
}

// Keep writes a moment into a folder, which is made if it is not there, and returns the
// new file. It waits for the disk. When it fails nothing is left.
func Keep(folder string, b Beginning, m Moment) (path string, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("keeping the moment: %w", err)
		}
	}()
	head, err := b.encode()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	disk.Sweep(folder) // a moment is large
	if path, err = freeName(folder, momentName(&b.Head, m.Name)); err != nil {
		return "", err
	}
	return path, disk.WriteFunc(path, 0o600, func(w io.Writer) error {
		blocks := appendBlock(appendBlock(b.appendHeader(nil), kindHead, head), kindMoment, m.encode())
		if _, err := w.Write(blocks); err != nil {
			return err
		}
		if err := writeParts(w, b, make(map[[32]byte]bool)); err != nil {
			return err
		}
		blocks = appendBlock(nil, kindWhole, binary.AppendUvarint(nil, 1))
		_, err := w.Write(appendBlock(blocks, kindEnd, appendText(nil, "kept")))
		return err
	})
}

// momentName returns the name of a moment's file: by time, name or game, and players.
func momentName(h *Head, name string) string {
	base := strings.TrimSuffix(FileName(h), Extension)
	if name = plain(name, 60); name != "_" {
		base = strings.Replace(base, plain(h.Game(), 60), name, 1)
	}
	return base
}

// freeName is a name in a folder that no file has.
func freeName(folder, base string) (path string, err error) {
	err = firstFree(filepath.Join(folder, base+MomentExtension), func(at string) error {
		path = at
		if _, err := os.Lstat(at); !errors.Is(err, fs.ErrNotExist) {
			return fs.ErrExist
		}
		return nil
	})
	return path, err
}

// Kept returns a room's knowledge of a moment.
func (l *Log) Kept() room.Kept {
	k := room.Kept{Name: l.Moment.Name, Frames: l.Moment.Frames}
	for _, s := range l.Seats {
		sram, _ := s.Start.Part(savestate.KindSRAM)
		k.Seats = append(k.Seats, room.KeptSeat{
			Seat: s.Plan.Seat, Nickname: s.Plan.Nickname, Firmware: s.Plan.Firmware, ROM: s.Plan.ROM, SRAM: sram.SHA256,
		})
	}
	return k
}

// Air is the radio between the consoles as the log begins, nil where it begins with a new
// one, or the core has none.
func (l *Log) Air() ([]byte, error) {
	for _, s := range l.Seats {
		if p, has := s.Start.Part(savestate.KindAir); has && s.From == 0 {
			return l.Part(s, p.SHA256)
		}
	}
	return nil, nil
}
