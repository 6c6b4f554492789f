package session

import (
	"os"
	"time"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/spectate"
)

// Those who watch get the log of the game from the game host, as it is written, some
// time later. They are no part of the game: it knows nothing of them, and nothing here
// waits for them but the very end.

// stand is where those sit who watch, on the game host. The others have the log ready, for
// when they are game host.
type stand struct {
	round   uint32       // whose log it is
	tail    *replay.Tail // nil before the first game, and when it cannot be read
	delay   int64        // frames that they are behind
	there   map[host.PeerID]*onlooker
	budget  spectate.Budget
	calm    map[link.PeerID]*spectate.Calm // of the lines to players
	turn    int                            // who is looked at first
	looked  time.Time                      // when last
	flushed time.Time                      // when the log was last written for those who follow the game
	reading bool                           // a job reads the log
	until   time.Time                      // the session waits for them, at its end; zero: it does not
	spool   *spool
}

// onlooker is one who watches. Nothing is kept for it but its question.
type onlooker struct {
	ask   *spectate.Ask // the newest one; nil: none that is not answered
	next  int64         // the byte that is sent next
	told  uint32        // the round whose log was sent to the end
	done  uint32        // the round whose end it says that it has
	moved time.Time     // when it was last sent something
}

const (
	// lookEvery is how often the log is read for those who wait for it to go on.
	lookEvery = 25 * time.Millisecond
	// lingerFor is how long the game host stays at the end for those who have not
	// seen it yet.
	lingerFor = 30 * time.Second
	// lingerIdle is how long it does so for one that takes nothing.
	lingerIdle = 3 * time.Second
)

// spool is a recording that nobody wants but those who watch: its files have no names.
type spool struct {
	*replay.Recorder
	dir string
}

func newSpool() (*spool, error) {
	dir, err := os.MkdirTemp("", "nettplay-watch-*")
	if err != nil {
		return nil, err
	}
	return &spool{Recorder: replay.NewRecorder(replay.Config{Folder: dir}), dir: dir}, nil
}

func (p *spool) close() {
	p.Recorder.Close()
	os.RemoveAll(p.dir)
}

// needSpool records the game that is about to begin for those who may watch, if nobody
// else does.
func (s *session) needSpool(settings host.Settings) {
	if s.cfg.Recorder != nil || !seen(settings) || s.stand.spool != nil {
		return
	}
	p, err := newSpool()
	if err != nil {
		s.unwatched(err)
		return
	}
	s.stand.spool = p
}

// unwatched tells why nobody can watch the game here.
func (s *session) unwatched(err error) {
	if s.host != nil {
		s.say("Nobody can watch this game: %v", err)
	}
}

// seen tells whether somebody may need the log of a game while it runs: to watch, or to
// come in.
func seen(settings host.Settings) bool { return settings.Spectators > 0 || !settings.NoLateJoin }

// openStand lets the game that begins be watched.
func (s *session) openStand(round uint32, settings host.Settings) {
	if !seen(settings) {
		return
	}
	st := &s.stand
	s.closeTail()
	st.round, st.delay = round, int64(float64(settings.SpectateDelay)*ds.FrameRate)
	st.budget = spectate.NewBudget(s.cfg.Upload)
	file, ok := s.recorder().(interface{ Path() string })
	if !ok || s.recorder().Problem() != nil {
		return
	}
	path := file.Path()
	tail, err := replay.OpenTail(path)
	if err != nil {
		s.unwatched(err)
		return
	}
	if st.spool != nil { // it stays as long as it is open; its folder is made again for the next one
		_, _ = os.Remove(path), os.Remove(st.spool.dir)
	}
	st.tail = tail
}

// closeTail lets go of the log of the game before.
func (s *session) closeTail() {
	if s.stand.tail != nil {
		s.stand.tail.Close()
		s.stand.tail = nil
	}
}

// closeStand is for the end of the session.
func (s *session) closeStand() {
	s.closeTail()
	if s.stand.spool != nil {
		s.stand.spool.close()
	}
}

// spectatorJoined and spectatorLeft keep who is there.
func (s *session) spectatorJoined(e host.SpectatorJoined) {
	if s.stand.there == nil {
		s.stand.there = make(map[host.PeerID]*onlooker)
	}
	s.stand.there[e.Peer] = &onlooker{}
}

func (s *session) spectatorLeft(e host.SpectatorLeft) { delete(s.stand.there, e.Peer) }

// fromSpectator takes a message of the bulk channel of somebody who watches; false: of
// somebody else. A new question takes the place of one that is open.
func (s *session) fromSpectator(p link.PeerID, b []byte) (bool, error) {
	if s.host == nil {
		return false, nil
	}
	o := s.stand.there[host.PeerID(p)]
	if o == nil {
		return false, nil
	}
	ask, err := spectate.DecodeAsk(b)
	if err == nil {
		o.take(ask)
	}
	return true, err
}

// take takes a question.
func (o *onlooker) take(ask spectate.Ask) {
	switch {
	case ask.Round != o.told:
		if o.ask == nil || o.ask.Round != ask.Round || ask.At > o.next {
			o.next = ask.At
		}
		o.ask = &ask
	case ask.At >= o.next: // it has the end
		o.done = ask.Round
	}
}

// workStand answers those who watch, one at a time, on another goroutine: it reads a file.
func (s *session) workStand(now time.Time) {
	st := &s.stand
	if s.host == nil || len(st.there)+len(s.newcomers) == 0 || st.reading || now.Sub(st.looked) < lookEvery {
		return
	}
	list := s.lookers()
	if len(list) == 0 {
		return
	}
	if st.budget.Due(now) {
		st.budget.Adapt(now, s.queued())
	}
	left := st.budget.Left(now)
	for i := range list {
		l := list[(st.turn+i)%len(list)]
		switch o := l.o; {
		case o.ask == nil || o.ask.Round > st.round:
			continue // it asks for nothing that there is
		case o.ask.Round < st.round, st.tail == nil:
			s.answer(l.peer, o, spectate.Piece{Round: o.ask.Round, At: o.ask.At, End: spectate.Gone})
			continue
		case o.next-o.ask.At >= spectate.Window:
			continue // it has not taken what it was sent
		case left < 1024:
			return
		}
		st.turn = (st.turn + i + 1) % len(list)
		s.readFor(l, left)
		return
	}
}

// readFor reads what somebody asks for and may see.
func (s *session) readFor(l looker, limit int) {
	o := l.o
	st, round, at, tail := &s.stand, o.ask.Round, o.next, s.stand.tail
	st.reading = true
	s.background(func() (func(), func()) {
		b, all, ended, err := tail.Read(at, l.frame, limit)
		return func() {
			st.reading = false
			if s.host == nil || !s.looks(l) || o.ask == nil || o.ask.Round != round || o.next != at || st.tail != tail {
				return
			}
			piece := spectate.Piece{Round: round, At: at, All: all, Bytes: b}
			if err != nil {
				piece.Bytes, piece.End = nil, spectate.Gone
			}
			if err == nil && ended && at+int64(len(b)) >= all {
				piece.End, piece.All = spectate.Over, at+int64(len(b))
			}
			if len(b) == 0 && piece.End == spectate.More {
				st.looked = time.Now() // there is nothing for a moment
				return
			}
			st.budget.Spend(len(b))
			s.answer(l.peer, o, piece)
		}, nil
	})
}

// queued tells whether something queues on a player's line.
func (s *session) queued() bool {
	calm, queued := make(map[link.PeerID]*spectate.Calm), false
	for machine := range ds.MaxMachines {
		peer, ok := s.line(machine)
		if !ok {
			continue
		}
		stats, ok := s.cfg.Link.Stats(peer)
		if !ok || stats.RTT == 0 {
			continue
		}
		c := s.stand.calm[peer]
		if c == nil {
			c = new(spectate.Calm)
		}
		calm[peer], queued = c, c.Queued(stats.RTT, stats.Jitter, s.stand.budget.Least()) || queued
	}
	s.stand.calm = calm
	return queued
}

func (s *session) answer(peer host.PeerID, o *onlooker, p spectate.Piece) {
	o.next, o.moved = p.At+int64(len(p.Bytes)), time.Now()
	if p.End != spectate.More {
		o.ask, o.told = nil, p.Round
	}
	_ = s.cfg.Link.Send(link.PeerID(peer), link.Bulk, p.Append(nil)) // it has gone if that fails
}

// leaveSeen leaves the room at the end of a session, in a moment if somebody who watches
// has not seen the end yet.
func (s *session) leaveSeen(now time.Time, why string) {
	for _, o := range s.stand.there {
		o.moved = now
	}
	if s.host != nil && s.stand.tail != nil && s.unseen(now) {
		s.stand.until = now.Add(lingerFor)
		return
	}
	s.leave(why)
}

// linger leaves when all have seen the end, or it is late.
func (s *session) linger(now time.Time) {
	if until := s.stand.until; !until.IsZero() && (now.After(until) || !s.unseen(now)) {
		s.leave("the game is over")
	}
}

// unseen tells whether somebody watches who has not seen the end, and is about to.
func (s *session) unseen(now time.Time) bool {
	for _, o := range s.stand.there {
		if o.done != s.stand.round && now.Sub(o.moved) < lingerIdle {
			return true
		}
	}
	return false
}

// KickSpectator sends away somebody who watches, by number; for the game host.
func (c *Control) KickSpectator(number int, why string) {
	c.asHost(func(s *session, now time.Time) error { return s.host.KickSpectator(now, number, why, false) })
}
