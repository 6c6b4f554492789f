package spectate

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

// The log goes on to a reader where it was, as long as questions come for it; the end counts
// as arrived only when the question is for bytes behind it.
func TestQuestionsForALog(t *testing.T) {
	o := new(request)
	ask := func(round uint32, at int64) { o.replace(Ask{Round: round, At: at}) }
	ask(3, 1000)
	if o.next != 1000 {
		t.Fatalf("it begins at byte %d", o.next)
	}
	o.next = 5000 // sent, and on its way
	ask(3, 2000)
	if o.next != 5000 || o.ask.At != 2000 {
		t.Errorf("after a question for what follows byte 2000 comes byte %d", o.next)
	}
	o.ask, o.told, o.next = nil, 3, 6000 // the end was sent
	for _, at := range []int64{3000, 5999} {
		if ask(3, at); o.ask != nil || o.done != 0 {
			t.Errorf("at byte %d: question %v, done %d", at, o.ask, o.done)
		}
	}
	if ask(3, 6000); o.done != 3 {
		t.Error("it has the end")
	}
	if ask(4, 0); o.ask == nil || o.next != 0 {
		t.Errorf("the next game: %v, byte %d", o.ask, o.next)
	}
}

// memoryLog has one byte for each frame.
type memoryLog struct {
	bytes  []byte
	ended  bool
	broken error
	closed bool
}

func (l *memoryLog) Read(at, frame int64, limit int) ([]byte, int64, bool, error) {
	all := min(int64(len(l.bytes)), frame)
	if at >= all {
		return nil, all, l.ended && all == int64(len(l.bytes)), l.broken
	}
	return l.bytes[at:min(all, at+int64(limit))], all, l.ended && all == int64(len(l.bytes)), l.broken
}

func (l *memoryLog) Close() error { l.closed = true; return nil }

// fakeRoom plays a game whose log is in memory. Jobs wait in it.
type fakeRoom struct {
	readers []Reader
	played  int64
	running bool
	flushes int
	sent    map[ds.PeerID][]Piece
	job     func() func(time.Time)
}

func (r *fakeRoom) Readers() []Reader                     { return r.readers }
func (r *fakeRoom) Played() (int64, bool)                 { return r.played, r.running }
func (r *fakeRoom) Connections() []Connection             { return nil }
func (r *fakeRoom) Flush()                                { r.flushes++ }
func (r *fakeRoom) Background(job func() func(time.Time)) { r.job = job }

func (r *fakeRoom) Send(peer ds.PeerID, message []byte) {
	p, err := DecodePiece(message)
	if err != nil {
		panic(err)
	}
	r.sent[peer] = append(r.sent[peer], p)
}

const (
	watcher ds.PeerID = 7
	joiner  ds.PeerID = 8
)

// served is a server of game 3, of 1000 frames so far, that a spectator watches one second
// late.
func served(t *testing.T) (*Server, *fakeRoom, *memoryLog, func()) {
	room := &fakeRoom{readers: []Reader{{Peer: watcher}}, played: 1000, running: true, sent: make(map[ds.PeerID][]Piece)}
	log := &memoryLog{bytes: make([]byte, 1000)}
	s := NewServer(room, 0)
	s.Open(3, log, time.Second)
	s.Joined(watcher)
	now := time.Unix(1, 0)
	return s, room, log, func() {
		t.Helper()
		now = now.Add(100 * time.Millisecond)
		s.Work(now)
		if job := room.job; job != nil {
			room.job = nil
			job()(now)
		}
	}
}

func ask(t *testing.T, s *Server, at int64) {
	t.Helper()
	if spectator, err := s.Receive(watcher, Ask{3, at}.Append(nil)); err != nil || !spectator {
		t.Fatalf("spectator %v: %v", spectator, err)
	}
}

// got is how many bytes a reader has been sent, and how the last piece ends.
func (r *fakeRoom) got(peer ds.PeerID) (n int64, end End) {
	for _, p := range r.sent[peer] {
		if p.At == n {
			n += int64(len(p.Bytes))
		}
		end = p.End
	}
	return n, end
}

// A spectator sees nothing of the last second; a late joiner gets all that there is, and
// nothing while it is held. When the game is over, the spectator gets the rest and the
// session can end.
func TestServerShowsWhatMayBeSeen(t *testing.T) {
	s, room, log, work := served(t)
	rate := ds.FrameRate
	delay := int64(rate)
	ask(t, s, 0)
	room.readers = append(room.readers, Reader{Peer: joiner, Joins: true, Held: true})
	s.Ask(joiner, Ask{Round: 3})
	for range 10 {
		work()
	}
	if n, _ := room.got(watcher); n != 1000-delay {
		t.Errorf("the spectator has %d of 1000 frames, a second is %d", n, delay)
	}
	if n, _ := room.got(joiner); n != 0 || room.flushes == 0 {
		t.Errorf("the late joiner has %d frames while it is held; %d flushes", n, room.flushes)
	}
	room.readers[1].Held = false
	for range 10 {
		work()
	}
	if n, _ := room.got(joiner); n != 1000 {
		t.Errorf("the late joiner has %d of 1000 frames", n)
	}

	room.running, log.ended = false, true
	if !s.Linger(time.Unix(2, 0)) || !s.Lingers() || s.Lingered(time.Unix(3, 0)) {
		t.Error("the session ends although the spectator has not seen the end")
	}
	for range 10 {
		work()
	}
	n, end := room.got(watcher)
	if n != 1000 || end != Over {
		t.Fatalf("the spectator has %d of 1000 frames, end %d", n, end)
	}
	if s.Lingered(time.Unix(3, 0)) {
		t.Error("the session ends before the spectator says that it has the end")
	}
	ask(t, s, 1000)
	if !s.Lingered(time.Unix(3, 0)) {
		t.Error("the session does not end")
	}
}

// A spectator that takes nothing is sent no more than a window, and keeps the session
// from ending for a moment only.
func TestServerOfASlowSpectator(t *testing.T) {
	s, room, log, work := served(t)
	room.running, log.bytes, log.ended = false, make([]byte, 10*Window), true
	ask(t, s, 0)
	for range 100 {
		work()
	}
	if n, _ := room.got(watcher); n < Window || n > Window+MaxPiece {
		t.Errorf("%d bytes on their way, the window is %d", n, Window)
	}
	now := time.Unix(20, 0)
	if !s.Linger(now) || s.Lingered(now.Add(lingerIdle/2)) || !s.Lingered(now.Add(lingerIdle)) {
		t.Error("the session does not end in a moment")
	}
}

// A log that cannot be read, or that is of a game before, is said to be gone.
func TestServerWithoutTheLog(t *testing.T) {
	for name, spoil := range map[string]func(*Server, *memoryLog){
		"broken":      func(_ *Server, l *memoryLog) { l.broken = errors.New("broken") },
		"none":        func(s *Server, _ *memoryLog) { s.Open(3, nil, 0) },
		"of the past": func(s *Server, _ *memoryLog) { s.Lacks(4) },
	} {
		s, room, log, work := served(t)
		ask(t, s, 100)
		spoil(s, log)
		work()
		if got := room.sent[watcher]; len(got) != 1 || got[0].End != Gone || got[0].Round != 3 {
			t.Errorf("%s: %+v", name, got)
		}
		if name != "broken" && !log.closed {
			t.Errorf("%s: the log is not closed", name)
		}
	}
}

// A reader that has gone while the log was read is sent nothing, nor is one that has asked
// for something else meanwhile.
func TestServerOfAReaderThatIsGone(t *testing.T) {
	for name, change := range map[string]func(*Server, *fakeRoom){
		"left":     func(s *Server, _ *fakeRoom) { s.Left(watcher) },
		"unlisted": func(_ *Server, r *fakeRoom) { r.readers = nil },
		"ahead":    func(s *Server, _ *fakeRoom) { ask(t, s, 500) },
		"anew":     func(s *Server, _ *fakeRoom) { s.Joined(watcher) },
	} {
		s, room, _, _ := served(t)
		ask(t, s, 0)
		s.Work(time.Unix(5, 0))
		after := room.job()
		change(s, room)
		if after(time.Unix(5, 0)); len(room.sent[watcher]) > 0 {
			t.Errorf("%s: it was sent %+v", name, room.sent[watcher])
		}
	}
}

// All readers have their turn.
func TestServerTakesTurns(t *testing.T) {
	s, room, _, work := served(t)
	room.running = false
	room.readers = append(room.readers, Reader{Peer: 9})
	s.Joined(9)
	var order []ds.PeerID
	for range 6 {
		before9 := len(room.sent[9])
		ask(t, s, 0)
		_, _ = s.Receive(9, Ask{3, 0}.Append(nil))
		s.requests[watcher].next, s.requests[9].next = 0, 0
		work()
		if len(room.sent[9]) > before9 {
			order = append(order, 9)
		} else {
			order = append(order, watcher)
		}
	}
	if want := []ds.PeerID{watcher, 9, watcher, 9, watcher, 9}; !slices.Equal(order, want) {
		t.Errorf("turns of %v, want %v", order, want)
	}
	if spectator, err := s.Receive(joiner, nil); spectator || err != nil {
		t.Errorf("another's message: %v, %v", spectator, err)
	}
	if spectator, err := s.Receive(watcher, []byte{1}); !spectator || err == nil {
		t.Errorf("garbage: %v, %v", spectator, err)
	}
}
