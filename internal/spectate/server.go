package spectate

import (
	"maps"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

const (
	// idleFor is the delay before the server looks at the log again after it found nothing new there.
	idleFor = 25 * time.Millisecond
	// flushEvery is the time between two writes of the log to its file for late joiners.
	flushEvery = 100 * time.Millisecond
	// leastLeft is the smallest budget with which a piece is sent.
	leastLeft = 1024
	// lingerFor is the time that a game host which has ended its session stays for spectators who have
	// not seen the end of the game.
	lingerFor = 30 * time.Second
	// lingerIdle is the time that it waits for a spectator that takes nothing.
	lingerIdle = 3 * time.Second
)

// Server is the spectator server: on the game host, it gives the log of the running game
// to spectators, delayed, and to late joiners. Game clients have one too, with the log
// ready in case they become game host. The game knows nothing of it and never waits for
// it, except at the very end ([Server.Linger]).
//
// All methods are for the session's goroutine.
type Server struct {
	room  Room
	limit int64 // bytes a second, 0 for no limit

	round uint32 // whose log it is
	log   Log    // nil before the first game, and when it cannot be read
	delay int64  // frames that spectators are behind

	requests map[ds.PeerID]*request
	budget   Budget
	calm     map[ds.PeerID]*Calm // of the connections to players
	turn     int                 // index of the reader that is looked at first
	looked   time.Time           // when the log had nothing new
	flushed  time.Time
	reading  bool      // a job reads the log
	until    time.Time // lingers until then; zero: does not
}

// request is the state of a reader's request. Nothing else is kept of a reader.
type request struct {
	spectator bool
	ask       *Ask      // the newest one; nil: none is open
	next      int64     // the byte that is sent next
	told      uint32    // the round whose log was sent to the end
	done      uint32    // the round whose end it has, by its own word
	moved     time.Time // when it was last sent something
}

// NewServer returns a server without a log. It sends at most limit bytes a second to all
// readers together; 0 is no limit.
func NewServer(room Room, limit int64) *Server {
	return &Server{room: room, limit: limit, requests: make(map[ds.PeerID]*request)}
}

// Open serves the log of another game, which the server owns from now on; nil: this
// game's log cannot be read. Spectators see each frame delay later.
func (s *Server) Open(round uint32, log Log, delay time.Duration) {
	s.Close()
	s.round, s.log = round, log
	s.delay = int64(delay.Seconds() * ds.FrameRate)
	s.budget = NewBudget(s.limit)
}

// Lacks says that the log of a game is not on this machine. A log of another game is
// closed.
func (s *Server) Lacks(round uint32) {
	if s.round != round {
		s.Close()
		s.round = round
	}
}

// Serves reports whether there is a log to read.
func (s *Server) Serves() bool { return s.log != nil }

// Close closes the log. The server can [Server.Open] another one.
func (s *Server) Close() {
	if s.log != nil {
		_ = s.log.Close() // it was only read
		s.log = nil
	}
}

// Joined takes note of a spectator.
func (s *Server) Joined(spectator ds.PeerID) { s.requests[spectator] = &request{spectator: true} }

// Left forgets a spectator.
func (s *Server) Left(spectator ds.PeerID) { delete(s.requests, spectator) }

// Receive takes a message on the bulk channel, if a spectator has sent it; false: it is
// another's. An error is the sender's fault.
func (s *Server) Receive(peer ds.PeerID, message []byte) (spectator bool, err error) {
	r := s.requests[peer]
	if r == nil || !r.spectator {
		return false, nil
	}
	ask, err := DecodeAsk(message)
	if err == nil {
		r.replace(ask)
	}
	return true, err
}

// Ask takes a late joiner's question.
func (s *Server) Ask(peer ds.PeerID, ask Ask) {
	if s.requests[peer] == nil {
		s.requests[peer] = new(request)
	}
	s.requests[peer].replace(ask)
}

// replace takes a question, in place of one that is open.
func (r *request) replace(ask Ask) {
	switch {
	case ask.Round != r.told:
		if r.ask == nil || r.ask.Round != ask.Round || ask.At > r.next {
			r.next = ask.At
		}
		r.ask = &ask
	case ask.At >= r.next: // it has the end
		r.done = ask.Round
	}
}

// FlushSoon has the log written to its file with the next [Server.Work].
func (s *Server) FlushSoon() { s.flushed = time.Time{} }

// Work answers the readers, one at a time. It is for the game host, as often as it likes.
func (s *Server) Work(now time.Time) {
	if len(s.requests) == 0 {
		return
	}
	readers := s.readers()
	s.flush(now, readers)
	if s.reading || now.Sub(s.looked) < idleFor || len(readers) == 0 {
		return
	}
	if s.budget.Due(now) {
		s.budget.Adapt(now, s.queued())
	}
	left := s.budget.Left(now)
	for i := range readers {
		reader := readers[(s.turn+i)%len(readers)]
		switch r := s.requests[reader.Peer]; {
		case reader.Held, r == nil, r.ask == nil, r.ask.Round > s.round:
			continue // it asks for nothing that exists
		case r.ask.Round < s.round, s.log == nil:
			s.answer(now, reader.Peer, r, Piece{Round: r.ask.Round, At: r.ask.At, End: Gone})
			continue
		case r.next-r.ask.At >= Window:
			continue // it has not taken what it was sent
		case left < leastLeft:
			return
		}
		s.turn = (s.turn + i + 1) % len(readers)
		s.read(reader, left)
		return
	}
}

// readers lists who may have the log, and forgets requests of all others.
func (s *Server) readers() []Reader {
	readers := s.room.Readers()
	maps.DeleteFunc(s.requests, func(p ds.PeerID, r *request) bool {
		return !r.spectator && !slices.ContainsFunc(readers, func(o Reader) bool { return o.Peer == p })
	})
	return readers
}

// flush has the log written for late joiners, who follow the game closely.
func (s *Server) flush(now time.Time, readers []Reader) {
	joins := slices.ContainsFunc(readers, func(r Reader) bool { return r.Joins })
	if joins && s.log != nil && now.Sub(s.flushed) >= flushEvery {
		s.flushed = now
		s.room.Flush()
	}
}

// visible is the frame up to which a reader may see the game.
func (s *Server) visible(r Reader) int64 {
	played, running := s.room.Played()
	if r.Joins || !running {
		return ds.MaxFrame
	}
	return max(played-s.delay, 0)
}

// read reads what a reader asks for and may see, and sends it.
func (s *Server) read(reader Reader, limit int) {
	r := s.requests[reader.Peer]
	round, at, log, frame := r.ask.Round, r.next, s.log, s.visible(reader)
	s.reading = true
	s.room.Background(func() func(time.Time) {
		b, all, ended, err := log.Read(at, frame, limit)
		return func(now time.Time) {
			s.reading = false
			if !s.reads(reader.Peer, r) || r.ask == nil || r.ask.Round != round || r.next != at || s.log != log {
				return
			}
			piece := Piece{Round: round, At: at, All: all, Bytes: b}
			if err != nil {
				piece.Bytes, piece.End = nil, Gone
			}
			if err == nil && ended && at+int64(len(b)) >= all {
				piece.End, piece.All = Over, at+int64(len(b))
			}
			if len(b) == 0 && piece.End == More {
				s.looked = now
				return
			}
			s.budget.Spend(len(b))
			s.answer(now, reader.Peer, r, piece)
		}
	})
}

// reads reports whether a request still is that of a reader who may have the log.
func (s *Server) reads(peer ds.PeerID, r *request) bool {
	return s.requests[peer] == r &&
		slices.ContainsFunc(s.room.Readers(), func(o Reader) bool { return o.Peer == peer && !o.Held })
}

// queued reports whether something queues on a player's connection.
func (s *Server) queued() bool {
	calm, queued := make(map[ds.PeerID]*Calm), false
	for _, line := range s.room.Connections() {
		c := s.calm[line.Peer]
		if c == nil {
			c = new(Calm)
		}
		calm[line.Peer], queued = c, c.Queued(line.RTT, line.Jitter, s.budget.Least()) || queued
	}
	s.calm = calm
	return queued
}

// answer sends a piece.
func (s *Server) answer(now time.Time, peer ds.PeerID, r *request, p Piece) {
	r.next, r.moved = p.At+int64(len(p.Bytes)), now
	if p.End != More {
		r.ask, r.told = nil, p.Round
	}
	s.room.Send(peer, p.Append(nil))
}

// Linger is for the end of the session: it tells whether a spectator has not seen the end
// of the game yet. Then the session goes on until [Server.Lingered].
func (s *Server) Linger(now time.Time) bool {
	for _, r := range s.requests {
		r.moved = now
	}
	if s.log == nil || !s.unseen(now) {
		return false
	}
	s.until = now.Add(lingerFor)
	return true
}

// Lingers reports whether the session goes on for spectators alone.
func (s *Server) Lingers() bool { return !s.until.IsZero() }

// Lingered reports whether a session that [Server.Lingers] can end: every spectator has the
// end of the game, takes nothing more, or has had its time.
func (s *Server) Lingered(now time.Time) bool {
	return s.Lingers() && (now.After(s.until) || !s.unseen(now))
}

// unseen reports whether a spectator has not seen the end, and is about to.
func (s *Server) unseen(now time.Time) bool {
	for _, r := range s.requests {
		if r.spectator && r.done != s.round && now.Sub(r.moved) < lingerIdle {
			return true
		}
	}
	return false
}

// A Log is the log of a game while it is written; replay.Tail is one. It reads the
// disk, so Read is called on a goroutine of its own.
type Log interface {
	// Read returns at most limit bytes from byte at on, without anything that happened at or after
	// frame. All is the number of bytes that may be read by now; ended says that the log is complete
	// and may be read to its end.
	Read(at, frame int64, limit int) (b []byte, all int64, ended bool, err error)
	Close() error
}

// Room is a [Server]'s view of the session that it serves for. The server calls it from the goroutine
// that calls the server.
type Room interface {
	// Readers lists everybody who may have the log of the game, in a fixed order.
	Readers() []Reader
	// Played returns the frames that all consoles of this machine have done; false: no game runs.
	Played() (frames int64, running bool)
	// Connections measures the connections to the players.
	Connections() []Connection
	// Flush writes what is recorded to the log's file.
	Flush()
	// Send sends a message on the bulk channel.
	Send(peer ds.PeerID, message []byte)
	// Background runs job on another goroutine, and then the function that it returned
	// on the server's, unless the session is over by then.
	Background(job func() (after func(now time.Time)))
}

// A Reader is a spectator or a late joiner, who may have the log.
type Reader struct {
	Peer ds.PeerID
	// Joins says that it is a late joiner, which gets the log without delay: it will
	// have all consoles of the game anyway.
	Joins bool
	// Held says that it gets nothing at the moment.
	Held bool
}

// A Connection is a player's, as it is measured. The server slows down where something
// queues.
type Connection struct {
	Peer        ds.PeerID
	RTT, Jitter time.Duration
}
