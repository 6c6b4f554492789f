package udp

import (
	"math"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/conn"
	"github.com/nettplay/nettplay/internal/link/pairs"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
)

const (
	greetEvery  = 200 * time.Millisecond // between repetitions of a greeting
	openingTick = 50 * time.Millisecond  // ENet looks after its own repetitions while it connects
	askEvery    = 500 * time.Millisecond // between two questions to a silent peer whether it knows the session still
	hearsPeer   = 3 * conn.PingEvery     // the peer is heard if it was within this time
	asleep      = 200 * time.Millisecond // by which a turn comes late when something kept us from running
)

// session is the connection to one peer: a [conn.Conn], the ENet connection that carries its datagrams, and the
// candidate pairs by which these go. Whoever has something for it takes its lock and a turn: the reader of the socket
// with what came, a caller of Send, and the timer at the conn's deadline. So nothing waits for a goroutine to be woken. Its
// own goroutine begins it, and hands on events where the consumer is slower.
type session struct {
	// What tells sessions apart, and never changes.
	id     link.PeerID
	wire   uint64 // on the wire
	nonce  uint64 // of the dialer
	name   string // the first addr in words
	dialer bool
	link   *Link

	old     bool // it was replaced, or gives way; the link's mu guards this and the next
	vouched bool // not a stranger's; see door.go

	wake    chan struct{} // something was left for run
	ready   chan struct{} // closed when the session is open, or over
	done    chan struct{} // closed when its events are taken, or the link is closed
	sealing sealing
	opened  opened // of the accepting side
	member  membership
	route   atomic.Pointer[route]

	// Figures that others look at without the lock. Bytes are UDP payload.
	heard                    atomic.Int64 // when the peer was, in ns of Unix time
	received                 atomic.Int64 // datagrams
	sentBytes, receivedBytes atomic.Int64

	asked struct { // of the session, by those who hold the link's mu
		sync.Mutex
		leave, replaced bool
	}

	mu      sync.Mutex // guards what follows
	conn    *conn.Conn
	carrier *carrier // nil before run has begun, and once it is over
	failure link.Reason
	isReady bool
	pairs   candidatePairs
	toldAt  time.Time             // of the last greeting about the session
	packet  [headRoom + 2048]byte // of the conn's that is being sent
	out     [headRoom + 2048]byte // a datagram of ENet's that is being sent

	head    *link.Event     // taken from conn, for the consumer
	told    bool            // the user of the link is told that it is over: to them it is none any more
	handing bool            // run waits for the consumer to take it
	running bool            // run takes a turn
	prev    <-chan struct{} // done of the one it replaces, whose events come first; nil for none
	over    bool            // run has returned

	timer *time.Timer
	armed time.Time // when it fires; zero: not
}

func newSession(l *Link, wire, nonce uint64, addr netip.AddrPort, dialer bool) *session {
	now := time.Now()
	s := &session{
		id: link.PeerID(lastPeer.Add(1)), wire: wire, nonce: nonce, name: l.shown(addr), dialer: dialer, link: l,
		wake: make(chan struct{}, 1), ready: make(chan struct{}), done: make(chan struct{}),
	}
	s.conn = conn.New(now, conn.Config{
		Silence: l.cfg.Silence, Around: sealedAround + enetAround, Needed: func() bool { return l.needs(s) },
	})
	s.pairs = candidatePairs{set: pairs.New(addr, dialer, relay.IsRelayed), since: now}
	s.pairs.set.Avoid(l.relays.client.Leaving)
	s.route.Store(&route{addr: addr})
	s.member = newMembership()
	s.newPair()
	s.hear(now)
	return s
}

// add starts a session. The link is not closed; the caller holds mu.
func (l *Link) add(s *session) {
	l.byPeer[s.id] = s
	l.byWire[s.wire] = s
	l.held++
	l.sessions.Go(s.run)
}

// run is the session's goroutine, from its first datagram until its last event.
func (s *session) run() {
	defer close(s.done)
	defer s.link.release()
	s.setUp()
	closing := s.link.life.Done()
	for {
		s.shakeHands(time.Now())
		s.mu.Lock()
		s.running = true
		s.turn(time.Now())
		s.running = false
		out, ev := s.handOn(closing == nil)
		if s.over = s.conn.Phase() == conn.Over && (closing == nil || s.head == nil && s.conn.Pending() == 0); s.over {
			s.timer.Stop()
			s.mu.Unlock()
			return
		}
		prev := s.prev
		s.mu.Unlock()
		given, ended := false, false
		select {
		case out <- ev:
			given = true
		case <-s.wake:
		case <-prev:
			ended = true
		case <-closing:
			closing = nil
			s.mu.Lock()
			s.conn.Leave("closed", true, time.Now())
			s.mu.Unlock()
		}
		s.mu.Lock()
		if s.handing = false; given {
			s.head = nil
		}
		if ended {
			s.prev = nil
		}
		s.mu.Unlock()
	}
}

// setUp sets up what takes time, on the session's own goroutine.
func (s *session) setUp() {
	var err error
	if !s.dialer {
		if err = s.sealing.answer(s.link.cfg.Key, s.nonce, s.opened.noise); err == nil {
			s.link.sayAccepted(s, s.opened.asking)
		}
	}
	var c *carrier
	if err == nil {
		c, err = newCarrier(s.dialer)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.carrier = c
	s.timer = time.AfterFunc(time.Hour, s.onTimer)
	if err != nil {
		s.quit(link.Reason{By: link.ByLocal, Text: "cannot open a connection: " + err.Error()}, true, time.Now())
	}
}

// poke has run take a turn.
func (s *session) poke() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// leave says goodbye.
func (s *session) leave(why string, quick bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conn.Leave(why, quick, time.Now())
	s.turn(time.Now())
}

// ---- for those who hold the link's mu, and so may not take the session's

// replace ends the session because the peer has begun another from the
// same address: its program was started again.
func (s *session) replace() {
	s.old = true
	s.asked.Lock()
	s.asked.replaced = true
	s.asked.Unlock()
	s.poke()
}

// giveWay ends a stranger's session in favour of another's.
func (s *session) giveWay() {
	s.old = true
	s.asked.Lock()
	s.asked.leave = true
	s.asked.Unlock()
	s.poke()
}

// lastHeard is when something was last heard of the peer.
func (s *session) lastHeard() time.Time { return time.Unix(0, s.heard.Load()) }

func (s *session) hear(now time.Time) { s.heard.Store(now.UnixNano()) }

// address is where the peer is now.
func (s *session) address() netip.AddrPort { return s.route.Load().addr }

// ---- turns: the caller holds the session's mu

// turn does all there is to do now.
func (s *session) turn(now time.Time) {
	if s.carrier == nil {
		return // not begun, or over
	}
	s.obey(now)
	s.tick(now)
	s.pump(now)
	if s.carrier == nil {
		return
	}
	s.tendPairs(now)
	s.sayAlone(now)
	s.arm(now)
}

// obey does what those asked who hold the link's mu.
func (s *session) obey(now time.Time) {
	s.asked.Lock()
	asked := s.asked.leave || s.asked.replaced
	replaced := s.asked.replaced
	s.asked.leave, s.asked.replaced = false, false
	s.asked.Unlock()
	switch {
	case replaced:
		s.conn.End(link.Reason{By: link.ByLoss, Text: "connected again from the same address"}, false, now)
	case asked:
		s.conn.Leave("too many others want to come in", true, now)
	}
}

// tick sees to what time brings: silence, and a connection that does not come about.
func (s *session) tick(now time.Time) {
	switch {
	case s.silent(now):
		s.conn.GiveUp(now)
	case s.conn.Phase() == conn.Opening && now.Sub(s.conn.Began()) > s.openingTime():
		s.conn.End(link.Reason{By: link.ByTimeout, Text: "connecting took too long"}, true, now)
	}
}

// openingTime returns the time that a connection may take to come about after it was accepted. A line
// that loses one packet in ten takes over 5 s once in some hundred times, and there somebody is, so
// patience is worth it. An accepted dialer that says nothing gets no more time, since it keeps others
// out.
func (s *session) openingTime() time.Duration {
	if s.dialer || s.received.Load() > 0 {
		return 2 * s.link.cfg.ConnectTimeout
	}
	return s.link.cfg.ConnectTimeout
}

// silent reports whether nothing was heard of the peer for too long. As long as our
// socket holds unread datagrams, our own process is late. It may be late for as long again at
// most, for strangers can fill the socket, too.
func (s *session) silent(now time.Time) bool {
	return s.conn.Silent(now) && (now.Sub(s.conn.Heard()) > 2*s.link.cfg.Silence || !s.link.unread())
}

// pump sends what is to be sent, and hands on events, until there is no more of both.
func (s *session) pump(now time.Time) {
	for {
		s.handEvents(now)
		if !s.flush(now) {
			break
		}
	}
	if s.conn.Phase() == conn.Over {
		s.close()
	}
}

// flush gives ENet what the conn sends, and sends what ENet sends. Packets that together are more than the path carries go in
// datagrams of their own.
func (s *session) flush(now time.Time) (sent bool) {
	if s.carrier == nil {
		return false
	}
	given := 0
	for {
		b, _ := s.conn.Next(s.packet[:headRoom], now)
		if b == nil {
			break
		}
		sent = true
		if s.carrier.peer == nil { // there is nothing to be said but a last word
			s.transmit(kindWord, b)
			continue
		}
		packet := b[headRoom:]
		if more := s.carrier.queued + len(packet) + enetAround; s.carrier.queued > 0 && more <= enetMTU && more > s.conn.Size()+enetAround {
			s.carry(given)
			given = 0
		}
		s.carrier.send(packet)
		given++
	}
	s.carry(given)
	return sent
}

// carry has ENet send what it was given, at most so many datagrams, and sends them. What it has besides waits for the next
// turn.
func (s *session) carry(datagrams int) {
	if datagrams > 0 {
		s.carrier.flush()
		s.forward(datagrams)
	}
}

// forward sends so many datagrams of ENet's at most.
func (s *session) forward(datagrams int) {
	for range datagrams {
		n := s.carrier.drain(s.out[headRoom:])
		if n == 0 {
			break
		}
		s.transmit(kindCarrier, s.out[:headRoom+n])
	}
}

// serve lets ENet work, and brings on what it has for both sides. So many packets are to come; 0: it is not known, and there
// may be something to go, too. What is there beyond that waits for the next turn.
func (s *session) serve(packets int, now time.Time) {
	ended := s.carrier.service(packets, func(packet []byte) { s.conn.Receive(packet, now) })
	if packets == 0 {
		s.forward(math.MaxInt)
	}
	switch {
	case ended:
		s.conn.End(link.Reason{By: link.ByTimeout, Text: "the ENet connection is gone"}, true, now)
	case s.carrier.peer != nil && s.conn.Phase() == conn.Opening:
		s.conn.Opened(now)
		s.setReady()
	}
}

// transmit seals what stands in b behind headRoom free bytes, and sends it to the peer. One that the system refuses is lost,
// like one that the network loses.
func (s *session) transmit(k kind, b []byte) {
	b, ok := s.seal(k, b)
	if !ok {
		return
	}
	s.sentBytes.Add(int64(len(b)))
	_ = s.link.write(b, s.address())
}

// send sends a datagram that is not ENet's.
func (s *session) send(k kind, body []byte) {
	s.transmit(k, append(make([]byte, headRoom, headRoom+len(body)+seal.Overhead), body...))
}

// newPair is for another address of the peer's: what it carries is to be found out.
func (s *session) newPair() {
	grows := around(s.address())
	s.conn.Path(link.PathLeast-grows, link.PathBase-grows, maxDatagram)
}

// around is by how many bytes a datagram to an address grows on its way.
func around(to netip.AddrPort) int {
	switch {
	case isBetween(to): // and that machine may be behind a relay
		return allAround - sealedAround
	case relay.IsRelayed(to):
		return relay.HeaderSize
	}
	return 0
}

// quit ends the session, which is not over yet. With tell, the peer is told, without waiting for an
// answer.
func (s *session) quit(r link.Reason, tell bool, now time.Time) {
	s.conn.End(r, tell, now)
	s.pump(now) // which closes it
}

// close is called when the conn is over.
func (s *session) close() {
	if !s.isReady { // nobody has heard of it but Dial
		s.failure = s.conn.Failure()
		s.setReady()
	}
	if s.carrier != nil {
		s.carrier.close()
		s.carrier = nil
	}
	s.link.forget(s)
	s.poke()
}

func (s *session) setReady() {
	if !s.isReady {
		s.isReady = true
		close(s.ready)
	}
}

// sayAlone says what is not the conn's: the end of a handshake, until something is heard, for before that the other side can
// read nothing; and the question to a silent peer whether it knows the session still, for its program may have been started
// again.
func (s *session) sayAlone(now time.Time) {
	s.sealing.mu.Lock()
	noise := s.sealing.finish
	if s.received.Load() > 0 {
		s.sealing.finish = nil
	}
	s.sealing.mu.Unlock()
	switch {
	case noise != nil && now.Sub(s.toldAt) >= greetEvery:
		s.toldAt = now
		s.greet(greeting{kind: kindFinish, noise: noise})
	case s.conn.Phase() != conn.Opening && now.Sub(s.conn.Heard()) >= hearsPeer && now.Sub(s.toldAt) >= askEvery:
		s.toldAt = now
		s.greet(greeting{kind: kindAsk})
	}
}

// greet sends a greeting about this session.
func (s *session) greet(g greeting) {
	g.version, g.nonce = wireVersion, s.wire
	_ = s.link.write(s.sealing.room.tagged(g), s.address())
}

// ---- time

// arm has the timer fire when there is something to do. It only ever comes sooner: a turn too many costs less than setting it
// anew in each one.
func (s *session) arm(now time.Time) {
	at := s.conn.Deadline(now)
	if s.conn.Phase() == conn.Opening {
		at = now.Add(openingTick)
	}
	if next := s.pairs.due(now); !next.IsZero() && (at.IsZero() || next.Before(at)) {
		at = next
	}
	if !s.armed.IsZero() && !at.Before(s.armed) {
		return
	}
	s.armed = at
	s.timer.Reset(max(at.Sub(now), 0))
}

// onTimer takes a turn at a deadline. It does not count as the peer's silence what was our own sleep: a process that was
// stopped, or gets too little of the processor, has to hear first.
func (s *session) onTimer() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	s.excuse(now)
	s.armed = time.Time{}
	if s.over || s.carrier == nil {
		return
	}
	s.serve(0, now) // its own repetitions
	s.turn(now)
}

func (s *session) excuse(now time.Time) {
	if late := now.Sub(s.armed); !s.armed.IsZero() && late > asleep {
		s.conn.Excuse(late, now)
	}
}

// ---- events

// handEvents gives the consumer what it takes without waiting. With more, run waits for it.
func (s *session) handEvents(now time.Time) {
	for s.nextEvent(now) {
		select {
		case s.link.events <- *s.head:
			s.head = nil
		default:
			if !s.running { // run waits for the consumer next, and would never rest if it woke itself
				s.poke()
			}
			return
		}
	}
}

// nextEvent takes the next event from the conn, unless there is one. It is not ok while nobody may be told of one.
func (s *session) nextEvent(now time.Time) (ok bool) {
	if s.handing || s.prev != nil || s.over {
		return false
	}
	if s.head == nil {
		ev, ok := s.conn.Event(now)
		if !ok {
			return false
		}
		ev.Peer, ev.Addr, ev.Key, ev.Incoming = s.id, s.name, s.sealing.peer(), !s.dialer
		s.head = &ev
		s.told = ev.Kind == link.Disconnected
	}
	return true
}

// handOn is the event that run waits with, and the channel that it goes to, nil for none.
func (s *session) handOn(closing bool) (chan<- link.Event, link.Event) {
	if closing || !s.nextEvent(time.Now()) {
		return nil, link.Event{}
	}
	s.handing = true
	return s.link.events, *s.head
}

// ---- what comes

// deliver acts on an opened packet.
func (s *session) deliver(p *packet, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.carrier == nil {
		return // not begun: what is needed comes again
	}
	s.hear(now)
	s.conn.Hear(now)
	s.heardFrom(p, now)
	s.listen(p, now)
	s.turn(now)
}

// listen acts on a datagram.
func (s *session) listen(p *packet, now time.Time) {
	switch b := p.body(); p.kind() {
	case kindCarrier:
		if packets, err := guard(b, !s.dialer); err == nil {
			s.carrier.feed(b)
			s.serve(packets, now)
		}
		s.tellSeen(p.from, now)
	case kindWord:
		s.conn.Receive(b, now)
	case kindGone:
		s.conn.Left(link.Reason{By: link.ByLoss, Text: "the other side does not know this connection any more"}, now)
	case kindCheck, kindChecked, kindCandidates, kindSeen:
		s.handleCheck(p, now)
	}
}
