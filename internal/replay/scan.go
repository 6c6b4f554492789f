package replay

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/disk"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
	"github.com/nettplay/nettplay/savestate"
)

// Open reads a log's head and looks through all of it once, some milliseconds for
// an hour of play. A file that is no log gives [ErrNotALog]; what is whole up to
// some block is opened up to there.
func Open(path string) (*Log, error) {
	f, size, err := disk.Open(path)
	if errors.Is(err, disk.ErrNotRegular) {
		return nil, fmt.Errorf("%w: %w", ErrNotALog, err)
	}
	if err != nil {
		return nil, err
	}
	l := &Log{Path: path, file: f, close: f.Close}
	if err := l.scan(size); err != nil {
		f.Close()
		return nil, fmt.Errorf("recording %s: %w", path, err)
	}
	return l, nil
}

var errNoHead = errors.New("it ends before the game begins: nothing of it can be played")

// scanner reads a file's blocks one after the other.
type scanner struct {
	r       *bufio.Reader
	at      int64 // of the next block
	payload []byte
}

// newScanner reads the blocks of a file between two bytes.
func newScanner(file io.ReaderAt, at, end int64) *scanner {
	return &scanner{r: bufio.NewReaderSize(io.NewSectionReader(file, at, end-at), 64<<10), at: at}
}

// next reads a block. The payload is valid until the next call. The error is
// io.EOF at the end, errCut where a block is not whole.
func (s *scanner) next() (blockKind, []byte, error) {
	kind, err := s.r.ReadByte()
	if err != nil {
		return 0, nil, err
	}
	size, err := binary.ReadUvarint(s.r)
	if err != nil || size > maxBlock {
		return 0, nil, errCut
	}
	n := int(size) + 4
	if cap(s.payload) < n {
		s.payload = make([]byte, n)
	}
	s.payload = s.payload[:n]
	if _, err := io.ReadFull(s.r, s.payload); err != nil {
		return 0, nil, errCut
	}
	head := binary.AppendUvarint([]byte{kind}, size)
	sum := crc32.Update(crc32.Checksum(head, castagnoli), castagnoli, s.payload[:size])
	if sum != binary.LittleEndian.Uint32(s.payload[size:]) {
		return 0, nil, errCut
	}
	s.at += int64(len(head) + n)
	return blockKind(kind), s.payload[:size], nil
}

// scan looks through the whole file.
func (l *Log) scan(size int64) error {
	if size > maxFile {
		return fmt.Errorf("%w: it has %d bytes, no recording has more than %d", ErrNotALog, size, int64(maxFile))
	}
	header := make([]byte, headerSize)
	if n, _ := l.file.ReadAt(header, 0); n < headerSize {
		return ErrNotALog
	}
	if err := checkHeader(header); err != nil {
		return err
	}
	s := newScanner(l.file, int64(headerSize), size)
	kind, payload, err := s.next()
	if err != nil || kind != kindHead || len(payload) > maxHead {
		return errNoHead
	}
	head, err := decodeHead(payload)
	if err != nil {
		return err
	}
	l.Head, l.headed = *head, s.at
	l.known, l.parts = make(map[[32]byte]savestate.Part), make(map[[32]byte][]piece)
	l.know(l.Seats)
	l.ends = begun(l.Seats)
	l.looked = size
	l.seen(s.at)
	return l.scanBlocks(s)
}

// seen tells of a block that ends at a byte.
func (l *Log) seen(end int64) {
	if l.watch != nil {
		l.watch(l, end)
	}
}

func (l *Log) scanBlocks(s *scanner) error {
	for {
		at := s.at
		kind, payload, err := s.next()
		if err == nil {
			if kind == kindFrames && (len(l.marks) == 0 || at-l.marks[len(l.marks)-1].at > markEvery) {
				l.marks = append(l.marks, mark{at, slices.Clone(l.ends)})
			}
			err = l.scanBlock(kind, payload, s.at)
			if err != nil {
				return fmt.Errorf("block at byte %d: %w", at, err)
			}
			l.seen(s.at)
			continue
		}
		if !errors.Is(err, io.EOF) {
			l.Cut = fmt.Sprintf("the file is damaged, or cut off, after %d bytes", at)
		}
		l.Size = at
		return nil
	}
}

// scanBlock looks at one block, which ends at the given byte.
func (l *Log) scanBlock(kind blockKind, payload []byte, end int64) error {
	c := wire.Reader(payload)
	switch kind {
	case kindPart:
		return l.scanPart(c, end)
	case kindFrames:
		readFrames(c, l.ends, int64(l.Settings.HashEvery), func(int, run) {}, func(int, proof) { l.proofs++ })
	case kindDecision:
		return l.scanDecision(c)
	case kindChat:
		l.Chat++
	case kindRestart:
		return l.scanRestart(payload)
	case kindWhole:
		l.whole = int(number(c, "number of beginnings", maxRestarts+1))
	case kindMoment:
		l.Moment = decodeMoment(c)
	case kindClip:
		return l.takeClip(c)
	case kindShot:
		return l.takeShot(c)
	case kindEnd:
		l.Ended, l.Why = true, text(c, "why")
	}
	return c.Err()
}

func (l *Log) scanPart(c *wire.Coder, end int64) error {
	sum := c.Take("hash", 32)
	if c.Err() != nil {
		return c.Err()
	}
	p, known := l.known[[32]byte(sum)]
	if !known {
		return nil // nobody starts from it
	}
	size := int64(0)
	for _, old := range l.parts[p.SHA256] {
		size += old.size
	}
	if len(c.Bytes()) == 0 || size+int64(len(c.Bytes())) > p.Size+p.Size>>8+1024 || len(l.parts[p.SHA256]) > maxPart/partPiece*2 {
		return fmt.Errorf("more bytes than %v can have", p)
	}
	l.parts[p.SHA256] = append(l.parts[p.SHA256], piece{end - 4 - int64(len(c.Bytes())), int64(len(c.Bytes()))})
	return nil
}

func (l *Log) scanDecision(c *wire.Coder) error {
	d := timeline.Decision{Kind: timeline.Kind(little(c, "decision", 1))}
	d.Frame = number(c, "frame", ds.MaxFrame)
	d.Seat = ds.Seat(number(c, "seat", ds.MaxSeats-1))
	d.Delay = int(number(c, "delay", ds.MaxDelay))
	d.InputEnd = number(c, "input end", ds.MaxFrame)
	d.Why = text(c, "why")
	if c.Err() == nil && len(l.Decisions) >= maxDecisions {
		c.Fail("decision", "more than %d decisions", maxDecisions)
	}
	if c.Err() == nil {
		l.Decisions = append(l.Decisions, d)
	}
	return c.Err()
}
