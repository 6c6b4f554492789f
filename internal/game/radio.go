package game

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/air"
	"github.com/zeebo/xxh3"
)

// A Radio is the air between the consoles of a game, as the game uses it: stopped
// where the consoles meet, and watched. A nil radio is one of a core without
// wireless: nothing happens on it.
type Radio struct {
	air    *air.Air
	trace  func([]air.Record) // may be nil
	open   int64              // as the air was told
	stop   int64
	spoken [ds.MaxSeats]spoken
	steps  stepping

	mu       sync.Mutex
	consoles [ds.MaxSeats]Console // that run on it
	stuck    [ds.MaxSeats]bool    // those were ended for keeping it
	users    int                  // who may still start one, and the owner
}

// spoken is the record of a console's sendings, as far as it was looked at.
type spoken struct {
	chain  uint64       // of all records before the ones below
	recent []air.Record // by rising frame
}

// maxRecent is the number of packets a console can have sent in the frames that were
// not looked at yet: far more than a DS can.
const maxRecent = 1 << 16

// RadioConfig holds the beginning of a radio.
type RadioConfig struct {
	Seats  []ds.Seat          // that are switched on at the first frame
	Frame  int64              // at which it stands stopped
	Skew   int                // room setting: frames that consoles may be apart
	Serial bool               // run one console at a time between two radio operations
	Trace  func([]air.Record) // gets all packets in their order; nil for nobody
	Saved  []byte             // the air as [Radio.Save] or [Radio.Snapshot] gave it at Frame; nil for a new one
}

// NewRadio makes the air. It is to be closed after the consoles.
func NewRadio(cfg RadioConfig) (*Radio, error) {
	r := &Radio{trace: cfg.Trace, stop: Never, users: 1}
	a, err := air.New(air.Config{Skew: cfg.Skew, Serial: cfg.Serial, Frame: cfg.Frame, Held: r.kill})
	if err != nil {
		return nil, err
	}
	r.air = a
	for _, seat := range cfg.Seats {
		if err := a.Plug(seat); err != nil {
			a.Close()
			return nil, err
		}
	}
	if cfg.Saved != nil {
		r.stop = cfg.Frame
		if err := a.Restore(cfg.Saved); err != nil {
			a.Close()
			return nil, fmt.Errorf("the radio at frame %d: %w", cfg.Frame, err)
		}
	}
	return r, nil
}

// Connect connects a console that is about to be built to the air.
func (r *Radio) Connect(cfg *emucore.Config, seat ds.Seat) {
	if r != nil {
		cfg.Radio = &emucore.Radio{Air: r.air, Seat: seat}
	}
}

// Plug puts a console on the air that was not there before; all others must stand.
func (r *Radio) Plug(seat ds.Seat) error {
	if r == nil {
		return nil
	}
	return r.air.Plug(seat)
}

// Save is the air with all packets in flight, while all consoles stand; nil where there
// is none.
func (r *Radio) Save() ([]byte, error) {
	if r == nil {
		return nil, nil
	}
	return r.air.Save()
}

// own notes whose console is in a seat.
func (r *Radio) own(seat ds.Seat, c Console) {
	if r != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.consoles[seat], r.stuck[seat] = c, false
	}
}

// kill ends a console whose worker keeps the air to itself, without waiting for
// it: it fails as one that hangs. It comes from any goroutine.
func (r *Radio) kill(seat ds.Seat) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if seat >= 0 && seat < ds.MaxSeats && r.consoles[seat] != nil {
		r.stuck[seat] = true
		go r.consoles[seat].Close()
	}
}

// errStuck is the failure of a console that was ended by kill.
var errStuck = errors.New("console hangs: it kept all others from going on")

// why is the reason for which a console failed with an error.
func (r *Radio) why(seat ds.Seat, err error) error {
	if r == nil || !errors.Is(err, emucore.ErrClosed) {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stuck[seat] {
		return errStuck
	}
	return err
}

// start ends the stop at the first frame.
func (r *Radio) start(horizon int64) error {
	if r == nil {
		return nil
	}
	if r.steps.on {
		return nil
	}
	if err := r.limit(horizon, Never); err != nil {
		return err
	}
	return r.resume(0)
}

// limit lets frames before open be begun, but none from stop on, where the
// consoles meet.
func (r *Radio) limit(open, stop int64) error {
	if r.steps.on {
		return nil // all stop before each frame
	}
	if stop != r.stop {
		r.stop = stop
		if stop != Never {
			if err := r.air.StopAt(stop); err != nil {
				return fmt.Errorf("stopping the radio at frame %d: %w", stop, err)
			}
		}
	}
	if open <= r.open {
		return nil
	}
	r.open = open
	return r.air.Open(open)
}

// resume lets the consoles go on that have met at a frame.
func (r *Radio) resume(frame int64) error {
	if r == nil || r.steps.on {
		return nil
	}
	if r.stop == frame {
		r.stop = Never
	}
	if err := r.air.Resume(); err != nil {
		return fmt.Errorf("going on with the radio at frame %d: %w", frame, err)
	}
	return nil
}

// Unplug takes a console off the air for good. All consoles must have met.
func (r *Radio) Unplug(seat ds.Seat) error {
	if r == nil {
		return nil
	}
	return r.air.Unplug(seat)
}

// collect takes what has been sent since the last call.
func (r *Radio) collect() error {
	if r == nil {
		return nil
	}
	records, err := r.heard()
	if err != nil {
		return err
	}
	return r.record(records)
}

// heard returns what has been sent since the last call.
func (r *Radio) heard() ([]air.Record, error) {
	records, lost, err := r.air.Trace()
	if err != nil {
		return nil, fmt.Errorf("reading what was sent over the radio: %w", err)
	}
	if lost > 0 {
		return nil, fmt.Errorf("%d packets of the radio were not looked at in time", lost)
	}
	return records, nil
}

// record takes down what has been sent.
func (r *Radio) record(records []air.Record) error {
	for _, rec := range records {
		if rec.Seat >= 0 && rec.Seat < ds.MaxSeats { // a worker may have written anything
			s := &r.spoken[rec.Seat]
			s.recent = append(s.recent, rec)
			if len(s.recent) > maxRecent {
				return fmt.Errorf("the radio of seat %v sends without end", rec.Seat)
			}
		}
	}
	if r.trace != nil && len(records) > 0 {
		r.trace(records)
	}
	return nil
}

// said is the hash of all that a console has sent before the last frame it has
// done. Packets of that one may still lie in its outbox; to have begun it, it
// was let run, and so all before was put on the air.
func (r *Radio) said(seat ds.Seat, frames int64) uint64 {
	if r == nil {
		return 0
	}
	s := &r.spoken[seat]
	n := 0
	var b [36]byte
	for n < len(s.recent) && s.recent[n].Frame < frames-1 {
		rec := s.recent[n]
		binary.LittleEndian.PutUint64(b[0:], s.chain)
		binary.LittleEndian.PutUint64(b[8:], uint64(rec.Frame))
		binary.LittleEndian.PutUint64(b[16:], rec.Round)
		binary.LittleEndian.PutUint64(b[24:], rec.Hash)
		binary.LittleEndian.PutUint32(b[32:], uint32(rec.Len))
		s.chain = xxh3.Hash(b[:])
		n++
	}
	s.recent = append(s.recent[:0], s.recent[n:]...)
	return s.chain
}

// RadioReport tells what the consoles' radios have done. In a healthy game no game host among the
// consoles gives up, and nothing is lost.
type RadioReport struct {
	Rounds      int64 `json:"rounds"`  // decisions of the air
	Packets     int64 `json:"packets"` // sent
	GiveUps     int64 `json:"give_ups"`
	HostGiveUps int64 `json:"host_give_ups"` // a console waited for replies in vain
	Lost        int64 `json:"lost"`          // fell off a queue that was full
	Longest     int64 `json:"longest_queue"` // packets
}

// Report returns what has happened on the air, nil where there is none.
func (r *Radio) Report() *RadioReport {
	if r == nil {
		return nil
	}
	report, err := r.counted()
	if err != nil {
		return nil
	}
	report.add(r.steps.before)
	return &report
}

// counted is what the air has counted.
func (r *Radio) counted() (report RadioReport, err error) {
	status, err := r.air.Status()
	if err != nil {
		return report, err
	}
	report = RadioReport{Rounds: int64(status.Rounds), Packets: int64(status.Packets)}
	for _, c := range status.Consoles {
		report.GiveUps += int64(c.GiveUps)
		report.HostGiveUps += int64(c.HostGiveUps)
		report.Lost += int64(c.Fallen)
		report.Longest = max(report.Longest, int64(c.QueueHighest))
	}
	return report, nil
}

// add adds what was counted of the consoles before.
func (r *RadioReport) add(before RadioReport) {
	r.GiveUps += before.GiveUps
	r.HostGiveUps += before.HostGiveUps
	r.Lost += before.Lost
	r.Longest = max(r.Longest, before.Longest)
}

// Hold keeps the air for a job that starts a console on it and may end after its
// owner has lost interest. It must call Close in its turn.
func (r *Radio) Hold() *Radio {
	if r != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.users++
	}
	return r
}

// Close lets go of the memory, when the last one does. The consoles must be
// closed.
func (r *Radio) Close() {
	if r == nil {
		return
	}
	r.mu.Lock()
	r.users--
	last := r.users == 0
	r.mu.Unlock()
	if last {
		r.air.Close()
	}
}

// using are the seats whose radio is in use; nil where there is no air.
func (r *Radio) using() []ds.Seat {
	if r == nil {
		return nil
	}
	status, err := r.air.Status()
	if err != nil {
		return nil
	}
	list := []ds.Seat{}
	for seat := range ds.Seats {
		if status.Consoles[seat].OnAir {
			list = append(list, seat)
		}
	}
	return list
}

// Snapshot is the air between two frames, all of whose consoles stand before the given
// one, which none may begin yet. Nothing happens to it: consoles that go on from there, here
// or in an air made from the snapshot, hear the same. Where some console waits in the middle of
// a frame, or at a barrier, there is no snapshot and no error.
func (r *Radio) Snapshot(frame int64) (b []byte, err error) {
	switch {
	case r == nil || r.stop == frame && !r.steps.on:
		return nil, nil
	case r.steps.on: // a stop, as there is one before each frame
		b, err = r.air.Save()
	default:
		b, err = r.air.Snapshot(frame)
	}
	if errors.Is(err, air.ErrNotStopped) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("saving the radio for a keyframe: %w", err)
	}
	return b, nil
}

// WaitOnAir reports whether every console either stands at a frame or waits on the air, in the
// middle of an earlier one, for one that does.
func (g *Game) WaitOnAir(frame int64) bool {
	if g.radio == nil {
		return false
	}
	status, err := g.radio.air.Status()
	if err != nil {
		return false
	}
	for _, s := range g.seats {
		on := status.Consoles[s.number]
		waits := on.Stopped && on.Frame == s.frame // or it has finished that frame, and its outcome is on the way
		if s.busy && !waits || !s.busy && !s.closed && s.frame < frame {
			return false
		}
	}
	return true
}
