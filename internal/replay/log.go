package replay

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"

	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/regular"
	"github.com/nettplay/nettplay/internal/wire"
	"github.com/nettplay/nettplay/savestate"
)

// A Log is a recording that is open for reading. It describes the
// moment at which it was opened, also when the game goes on. Its methods may be
// called by any goroutine; each Cursor is for one.
type Log struct {
	Head
	Path      string
	Size      int64  // bytes of whole blocks
	Cut       string // why the file is not read to its end, in words; "" if it is
	Ended     bool   // the game's end was recorded, and
	Why       string // why it ended, in words
	Decisions []timeline.Decision
	Restarts  []Restart // by rising frame
	Chat      int       // lines that were said and recorded
	Moment    *Moment   // the log is a kept moment; nil: it is a recording

	file   io.ReaderAt
	close  func() error
	headed int64     // where the head's block ends
	ends   []written // of each seat
	whole  int       // of how many beginnings all parts are here, as far as the log says
	proofs int
	known  map[[32]byte]savestate.Part // that some seat starts from
	parts  map[[32]byte][]piece
	marks  []mark

	live   *Live                   // where more comes from; nil if none does
	looked int64                   // bytes that were there at the last look
	watch  func(l *Log, end int64) // is told of each whole block; may be nil
}

// piece is where bytes of a part stand in the file.
type piece struct{ at, size int64 }

// mark is a place in the file from which reading can begin.
type mark struct {
	at   int64
	ends []written
}

// markEvery is the distance of marks, in bytes.
const markEvery = 32 << 10

// Open reads a log's head and looks through all of it once, some milliseconds for
// an hour of play. A file that is no log gives [ErrNotALog]; what is whole up to
// some block is opened up to there.
func Open(path string) (*Log, error) {
	f, size, err := regular.Open(path)
	if errors.Is(err, regular.ErrNotRegular) {
		return nil, fmt.Errorf("%w: %w", ErrNotALog, err)
	}
	if err != nil {
		return nil, err
	}
	l, err := open(f, path, size)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("recording %s: %w", path, err)
	}
	return l, nil
}

func open(f *os.File, path string, size int64) (*Log, error) {
	l := &Log{Path: path, file: f, close: f.Close}
	return l, l.scan(size)
}

// Close lets go of the file.
func (l *Log) Close() error { return l.close() }

// Frames returns the number of a seat's frames in the log.
func (l *Log) Frames(seat ds.Seat) int64 {
	if i := l.seat(seat); i >= 0 {
		return l.ends[i].frames
	}
	return 0
}

// Begin is the first frame of a seat: later than 0 where its player came into the running game.
func (l *Log) Begin(seat ds.Seat) int64 {
	if i := l.seat(seat); i >= 0 {
		return l.Seats[i].From
	}
	return 0
}

// Length returns the number of frames that can be played: up to where the game ended, or else as many
// as there are of every seat that had not left; but of a file not beyond a restart that is not
// [Log.Whole].
func (l *Log) Length() int64 {
	n := l.written()
	if ready := len(l.Ready()); l.live == nil && ready < len(l.Restarts) {
		return min(n, l.Restarts[ready].Frame)
	}
	return n
}

// written is Length, whether or not consoles can be made anew.
func (l *Log) written() int64 {
	end := int64(-1)
	for _, d := range l.Decisions {
		if d.Kind == timeline.End && (end < 0 || d.Frame < end) {
			end = d.Frame
		}
	}
	there := int64(-1)
	for i, s := range l.Seats {
		if n := l.ends[i].frames; !l.Left(s.Plan.Seat, n) && (there < 0 || n < there) {
			there = n
		}
	}
	if there < 0 { // everybody has left
		for _, e := range l.ends {
			there = max(there, e.frames)
		}
	}
	if end < 0 {
		return there
	}
	return min(end, there)
}

// Repaired reports whether the players made their consoles anew at a frame because they were not
// alike.
func (l *Log) Repaired(frame int64) bool {
	return slices.ContainsFunc(l.Decisions, func(d timeline.Decision) bool {
		return d.Kind == timeline.Resync && d.Frame == frame && !d.Alike
	})
}

// Left reports whether a seat had left when it had done so many frames.
func (l *Log) Left(seat ds.Seat, frames int64) bool {
	return slices.ContainsFunc(l.Decisions, func(d timeline.Decision) bool {
		return d.Kind == timeline.Leave && d.Seat == seat && d.Frame <= frames
	})
}

// seat is the index of a seat's number, -1 for none.
func (l *Log) seat(number ds.Seat) int {
	return slices.IndexFunc(l.Seats, func(s Seat) bool { return s.Plan.Seat == number })
}

// scanner reads a file's blocks one after the other.
type scanner struct {
	r       *bufio.Reader
	at      int64 // of the next block
	payload []byte
}

func newScanner(r io.Reader, at int64) *scanner {
	return &scanner{r: bufio.NewReaderSize(r, 64<<10), at: at}
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

var errNoHead = errors.New("it ends before the game begins: nothing of it can be played")

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
	s := newScanner(io.NewSectionReader(l.file, int64(headerSize), size-int64(headerSize)), int64(headerSize))
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
			err = l.take(kind, payload, s.at)
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

// take looks at one block, which ends at the given byte.
func (l *Log) take(kind blockKind, payload []byte, end int64) error {
	c := wire.Reader(payload)
	switch kind {
	case kindPart:
		return l.takePart(c, end)
	case kindFrames:
		takeFrames(c, l.ends, int64(l.Settings.HashEvery), nil, func(int, proof) { l.proofs++ })
	case kindDecision:
		return l.takeDecision(c)
	case kindChat:
		l.Chat++
	case kindRestart:
		return l.takeRestart(payload)
	case kindWhole:
		l.whole = int(number(c, "number of beginnings", maxRestarts+1))
	case kindMoment:
		l.Moment = decodeMoment(c)
	case kindEnd:
		l.Ended, l.Why = true, text(c, "why")
	}
	return c.Err()
}

func (l *Log) takePart(c *wire.Coder, end int64) error {
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

func (l *Log) takeDecision(c *wire.Coder) error {
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

// Part is the raw bytes of a save or state that a seat starts from.
func (l *Log) Part(seat Seat, sum [32]byte) ([]byte, error) {
	for _, p := range seat.Start.Parts {
		if p.SHA256 != sum {
			continue
		}
		if len(l.parts[sum]) == 0 {
			return nil, fmt.Errorf("%s ends before the %v that seat %v starts from", l.Path, p, seat.Plan.Seat)
		}
		var packed []byte
		for _, piece := range l.parts[sum] {
			n := len(packed)
			packed = slices.Grow(packed, int(piece.size))[:n+int(piece.size)]
			if _, err := l.file.ReadAt(packed[n:], piece.at); err != nil {
				return nil, fmt.Errorf("%v of %s: %w", p, l.Path, err)
			}
		}
		raw, err := unpackSum(packed, p.Size, sum)
		if err != nil {
			return nil, fmt.Errorf("%v of %s: %w", p, l.Path, err)
		}
		return raw, nil
	}
	return nil, fmt.Errorf("seat %v starts from no such part", seat.Plan.Seat)
}
