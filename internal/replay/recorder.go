package replay

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// Beginning is a game that begins.
type Beginning struct {
	Head
	// Part gives the raw bytes of a save or state that a seat starts from. It is
	// called on another goroutine while the game runs.
	Part func(sha [32]byte) ([]byte, bool)
}

// Config says where a [Recorder] records to: Path, or a file with a readable name
// in Folder, which is made if it is not there. A file that is there already is
// never touched: the recording's name gets a number.
type Config struct {
	Path   string
	Folder string
	Chat   bool // what is said goes into the log too

	began func(*recording) // for tests: called before the recording's goroutine begins
}

// Recorder writes the games of a session, a file each. Its methods may be called
// from any goroutine, do not wait for the disk, and do nothing once there is a
// [Recorder.Problem].
type Recorder struct {
	cfg Config

	mu      sync.Mutex
	now     *recording // nil between games
	path    string
	problem error
	writing sync.WaitGroup
}

// Limits of a recorder.
const (
	flushEvery = 800 * time.Millisecond
	// maxPending is the number of bytes that may wait for a disk that does not answer: an hour.
	maxPending = 4 << 20
)

// NewRecorder makes a recorder that has not begun.
func NewRecorder(cfg Config) *Recorder { return &Recorder{cfg: cfg} }

// recording is one game on its way into a file.
type recording struct {
	file  *os.File
	every int64
	seats []recorded
	index [ds.MaxSeats]int // of a seat's number in seats; -1 for none
	other []byte           // whole blocks that wait to be written
	proof []byte           // hashes for the next one
	count int              // of hashes in proof
	parts []Beginning      // whose parts are to be written
	// restarts counts the times that all consoles were made anew.
	restarts int
	clips    int
	shots    int
	end      []byte // the last block, which says that all before it is here; nil while the game runs
	stop     chan struct{}
	hurry    chan struct{} // has room for one
	// written are the parts that are in the file; only for the goroutine that writes.
	written map[[32]byte]bool
	whole   int // of how many beginnings
}

// recorded is one seat of it.
type recorded struct {
	written
	begin   int64 // frame at which the block begins
	changed int64 // frame of the last change in the block, or its first
	changes []byte
	count   int
}

// Begin opens the file of a game, and closes the one before.
func (r *Recorder) Begin(b Beginning) error {
	r.Ended("another game begins")
	r.mu.Lock()
	defer r.mu.Unlock()
	r.problem = nil // another disk may be full by now, or this one empty
	rec, err := r.begin(b)
	if err != nil {
		r.problem = fmt.Errorf("recording the game: %w", err)
		return r.problem
	}
	r.now, r.path = rec, rec.file.Name()
	if r.cfg.began != nil {
		r.cfg.began(rec)
	}
	r.writing.Go(func() { r.write(rec, b) })
	return nil
}

func (r *Recorder) begin(b Beginning) (*recording, error) {
	head, err := b.encode()
	if err != nil {
		return nil, err
	}
	f, err := r.cfg.create(&b.Head)
	if err != nil {
		return nil, err
	}
	if _, err := f.Write(appendBlock(b.appendHeader(nil), kindHead, head)); err != nil {
		f.Close()
		os.Remove(f.Name())
		return nil, err
	}
	rec := &recording{
		file: f, every: int64(b.Settings.HashEvery), seats: make([]recorded, len(b.Seats)),
		stop: make(chan struct{}), hurry: make(chan struct{}, 1), written: make(map[[32]byte]bool),
	}
	for i := range rec.index {
		rec.index[i] = slices.IndexFunc(b.Seats, func(s Seat) bool { return s.Plan.Seat == ds.Seat(i) })
	}
	return rec, nil
}

// Input notes what a seat's console got in a frame. Frames of a seat come in
// order, from 0 on.
func (r *Recorder) Input(seat ds.Seat, frame int64, in inputdelay.Input) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.seat(seat)
	if s == nil {
		return
	}
	if frame != s.frames {
		r.fail(fmt.Errorf("the input of frame %d of seat %v comes after that of frame %d", frame, seat, s.frames-1))
		return
	}
	if in = in.Normal(); in != s.in {
		s.changes = s.appendChange(s.changes, frame-s.changed, in)
		s.changed = frame
		s.count++
	}
	s.frames++
	if len(s.changes) > maxBlock/64 || s.frames-s.begin > maxAdded/2 {
		r.seal()
	}
}

// seal ends the present block early, when the disk keeps it waiting.
func (r *Recorder) seal() {
	r.now.other = r.now.drain()
	if len(r.now.other) > maxPending {
		r.fail(errors.New("the disk does not keep up"))
	}
}

// seat is a seat of the game that is recorded.
func (r *Recorder) seat(number ds.Seat) *recorded {
	if r.now == nil || r.problem != nil || number < 0 || number >= ds.MaxSeats || r.now.index[number] < 0 {
		return nil
	}
	return &r.now.seats[r.now.index[number]]
}

// Hashes notes the hash of a seat's console after so many frames.
func (r *Recorder) Hashes(seat ds.Seat, frames int64, h ds.Hash) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.seat(seat)
	if s == nil || frames <= s.last.frames {
		return
	}
	r.now.proof = s.last.append(r.now.proof, r.now.index[seat], r.now.every, proof{frames, HashOf(h)})
	if r.now.count++; len(r.now.proof) > maxBlock/64 {
		r.seal()
	}
}

// Decided notes a decision of the timeline.
func (r *Recorder) Decided(d timeline.Decision) {
	b := []byte{byte(d.Kind)}
	for _, v := range []int64{d.Frame, int64(d.Seat), int64(d.Delay), d.InputEnd} {
		b = binary.AppendUvarint(b, uint64(max(v, 0)))
	}
	r.block(kindDecision, appendText(b, d.Why))
}

// Chat notes what somebody said, if that is wanted.
func (r *Recorder) Chat(from, text string) {
	if r.cfg.Chat {
		r.block(kindChat, appendText(appendText(nil, from), text))
	}
}

func (r *Recorder) block(kind blockKind, payload []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now != nil && r.problem == nil && len(r.now.other) < maxPending {
		r.now.other = appendBlock(r.now.other, kind, payload)
	}
}

// Ended closes the recording of a game that is over, in a moment; [Recorder.Close]
// waits for that.
func (r *Recorder) Ended(why string) {
	r.mu.Lock()
	rec := r.now
	if rec != nil && r.problem == nil {
		rec.end = appendBlock(nil, kindEnd, appendText(nil, why))
	}
	r.now = nil
	r.mu.Unlock()
	if rec != nil {
		close(rec.stop)
	}
}

// Flush writes everything recorded so far at once, for readers of the growing log. It
// does not wait for the disk.
func (r *Recorder) Flush() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now == nil {
		return
	}
	select {
	case r.now.hurry <- struct{}{}:
	default:
	}
}

// Problem returns the reason why nothing more is recorded, nil while all is well.
func (r *Recorder) Problem() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.problem
}

// Path is the file of the newest recording, "" before the first.
func (r *Recorder) Path() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.path
}

// Close ends a recording that is under way, waits until everything is in its file,
// and returns the [Recorder.Problem].
func (r *Recorder) Close() error {
	r.Ended("the program has ended")
	r.writing.Wait()
	return r.Problem()
}

func (r *Recorder) fail(err error) {
	if r.problem == nil {
		r.problem = fmt.Errorf("recording the game: %w", err)
	}
}

// drain is everything that has happened since the last call, in whole blocks.
func (rec *recording) drain() []byte {
	b := rec.other
	if payload, any := rec.frames(); any {
		b = appendBlock(b, kindFrames, payload)
	}
	rec.other, rec.proof, rec.count = nil, rec.proof[:0], 0
	return b
}

// frames is the payload of a frames block.
func (rec *recording) frames() (b []byte, any bool) {
	for i := range rec.seats {
		s := &rec.seats[i]
		added := s.frames - s.begin
		b = binary.AppendUvarint(b, uint64(added))
		if added > 0 {
			b = binary.AppendUvarint(b, uint64(s.count))
			b = append(b, s.changes...)
			any = true
		}
		s.begin, s.changed, s.count, s.changes = s.frames, s.frames, 0, s.changes[:0]
	}
	b = binary.AppendUvarint(b, uint64(rec.count))
	return append(b, rec.proof...), any || rec.count > 0
}

// write puts what happens into the file, on a goroutine of its own.
func (r *Recorder) write(rec *recording, begin Beginning) {
	err := rec.writeParts([]Beginning{begin})
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	for over := false; err == nil && !over; {
		select {
		case <-tick.C:
		case <-rec.hurry:
		case <-rec.stop:
			over = true
		}
		r.mu.Lock()
		b, parts := rec.drain(), rec.parts
		rec.parts = nil
		r.mu.Unlock()
		if _, err = rec.file.Write(b); err == nil {
			err = rec.writeParts(parts)
		}
	}
	if err == nil {
		_, err = rec.file.Write(rec.end)
	}
	_ = rec.file.Sync() // a power cut is no reason to worry anybody
	if err = cmp.Or(err, rec.file.Close()); err != nil {
		r.mu.Lock()
		if r.now == nil || r.now == rec {
			r.fail(err)
		}
		r.mu.Unlock()
	}
}

// writeParts writes the saves and states that the consoles start from.
func (rec *recording) writeParts(list []Beginning) error {
	for _, b := range list {
		if err := writeParts(rec.file, b, rec.written); err != nil {
			return err
		}
		rec.whole++
		whole := binary.AppendUvarint(nil, uint64(rec.whole))
		if _, err := rec.file.Write(appendBlock(nil, kindWhole, whole)); err != nil {
			return err
		}
	}
	return nil
}

// writeParts writes those that a game begins with, and that are not written yet.
func writeParts(w io.Writer, b Beginning, written map[[32]byte]bool) error {
	for _, seat := range b.Seats {
		for _, p := range seat.Start.Parts {
			if written[p.SHA256] {
				continue
			}
			written[p.SHA256] = true
			raw, ok := b.Part(p.SHA256)
			if !ok {
				return fmt.Errorf("%v of seat %v is not here any more", p, seat.Plan.Seat)
			}
			packed, err := pack(raw)
			if err != nil {
				return err
			}
			for piece := range slices.Chunk(packed, partPiece) {
				if _, err := w.Write(appendBlock(nil, kindPart, append(p.SHA256[:], piece...))); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// Limits of the pictures of a recording, by which a list shows it.
const (
	MaxShot  = 64 << 10 // bytes of one
	maxShots = 8        // a recorder takes down. A reader takes the last of any number
)

// Shot puts a picture of the game that runs, a PNG, into the recording: the last one stands for it in lists. One that is
// too large is left out, as are more than a few.
func (r *Recorder) Shot(png []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now == nil || r.problem != nil || r.now.shots >= maxShots || len(png) == 0 || len(png) > MaxShot {
		return
	}
	r.now.shots++
	r.now.other = appendBlock(r.now.drain(), kindShot, append(binary.AppendUvarint(nil, uint64(len(png))), png...))
}

func (l *Log) takeShot(c *wire.Coder) error {
	shot := c.Take("picture", int(number(c, "bytes of the picture", MaxShot)))
	if c.Err() == nil {
		l.Shot = slices.Clone(shot)
	}
	return c.Err()
}
