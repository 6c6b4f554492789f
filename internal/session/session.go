package session

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/savestate"
)

// room is what a game host and a game client have in common.
type room interface {
	Receive(now time.Time, peer host.PeerID, msg []byte)
	Disconnected(now time.Time, peer host.PeerID, reason string)
	Tick(now time.Time)
	Outgoing() []host.Outgoing
	Events() []host.Event
	Report(now time.Time, s host.Status)
	Installed(now time.Time, round uint32, hashes []host.SeatHash) error
	Failed(now time.Time, round uint32, why string) error
	Finished(now time.Time, round uint32, frames int64, hashes []host.SeatHash, stats host.Stats) error
	Chat(now time.Time, text string) error
	Pause(now time.Time, pause bool) error
	Kept(now time.Time, round uint32, frame int64, why string) error
	Repaired(now time.Time, round uint32, number int, hashes []host.SeatHash) error
	Room() host.Room
	Me() host.Player
}

// session is the state of one Run. Everything in it belongs to the goroutine of
// Run, except what is handed over through calls.
type session struct {
	cfg      Config
	ctx      context.Context // ends when Run returns; for background jobs
	room     room
	host     *host.Host   // nil on game clients
	client   *host.Client // nil on the game host
	peer     link.PeerID  // the game host's line, on game clients
	seek     seek
	gameHost int // the game host's machine
	joined   int // the machine that is at the address that we joined
	calls    chan func()
	wishes   wishes
	jobs     sync.WaitGroup

	store     *savestate.Store
	exchanges map[int]*savestate.Exchange // by directly connected machine
	manifests map[int]savestate.Manifest  // of the newest start, by seat
	games     games                       // which games of the roster are here
	start     *start                      // from "prepare" to the first frame
	newcomers map[int]*newcomer           // on the game host, by machine
	offered   map[int]savestate.Manifest  // our own consoles, by seat, while we wait to come in
	coming    map[int]savestate.Manifest  // consoles that come in with the next resync, by seat
	entry     *entry                      // we come into the game that runs
	admitted  time.Time                   // when somebody was let in last
	gone      []host.SeatLeft             // of who left before having come in
	game      *game
	stand     stand // of those who watch, on the game host
	watch     *desync.Watch

	ready    bool     // the player wants to start
	blockers []string // as last told
	gauge    gauge
	reported time.Time // when progress was last told
	pinged   time.Time
	lines    map[link.PeerID]link.Stats
	said     []said // a moment ago
	waiting  bool   // Waiting was told
	mute     bool   // it was told that nothing is recorded any more
	lost     string // why the running game ends early, when nobody wanted that
	broken   bool   // somebody fell silent or failed instead of leaving
	desyncs  int
	saving   saving
	stores   map[int]opened // of our own consoles: 1 is our player's
	locals   map[int]int    // which of our players sits in each of our seats: 0 is ourselves
	resyncs  int
	evidence *evidence // of machines that differ, until their consoles are replaced or gone
	reruns   *reruns   // of the newest desync
	history  desync.History
	bundles  bundles
	alike    int64               // frames done when all consoles were last known to be alike: a start, a resync
	repaired map[int][]time.Time // when resyncs were decided, on the game host; see mayRepair
	last     Report              // what the last game left behind
	leaving  bool
	farewell time.Time // a game host that only tells the others how it ended: until when; zero: it does not
	over     bool
	err      error
}

// Run plays: it opens or joins the room and returns when the session is over.
// It closes the link, and leaves no goroutine and no console behind. The report
// is complete also with an error, which is a [*Failure] or ctx's doing.
//
// When ctx ends, the room is left in good order first; that takes up to two
// seconds.
func Run(ctx context.Context, cfg Config) (Report, error) {
	if err := cfg.validate(); err != nil {
		if cfg.Link != nil {
			cfg.Link.Close()
		}
		return Report{Result: ResultLost, Error: err.Error()}, err
	}
	inner, stop := context.WithCancel(context.WithoutCancel(ctx))
	s := newSession(inner, cfg)
	s.bundles.life, s.bundles.hurry = context.WithCancel(ctx)
	defer s.bundles.hurry()
	cfg.Control.attach(s)
	defer cfg.Control.detach()
	err := s.run(ctx)
	stop()
	s.close()
	report := s.report()
	if err != nil || report.Result == "" {
		report.conclude(err)
	}
	return report, err
}

// newSession is one that has not begun, whose jobs end with ctx.
func newSession(ctx context.Context, cfg Config) *session {
	s := &session{
		cfg: cfg, ctx: ctx, calls: make(chan func(), 64), store: savestate.NewStore(0),
		lines: make(map[link.PeerID]link.Stats), exchanges: make(map[int]*savestate.Exchange),
		stores: make(map[int]opened), newcomers: make(map[int]*newcomer), repaired: make(map[int][]time.Time),
	}
	s.wishes.news = make(chan struct{}, 1)
	return s
}

func (s *session) run(ctx context.Context) error {
	if err := s.open(ctx); err != nil {
		if ctx.Err() != nil {
			return nil // the player did not want to wait
		}
		return err
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	done := ctx.Done()
	for {
		if !s.over {
			if err := s.work(time.Now()); err != nil {
				s.fail(err)
			}
		}
		if s.over {
			return s.err
		}
		timer.Reset(s.wake(time.Now()))
		select {
		case e, ok := <-s.cfg.Link.Events():
			if !ok {
				return &Failure{Result: ResultLost, Err: errors.New("the network link was closed")}
			}
			s.event(e)
		case r := <-s.ran():
			s.finishJob(r)
		case call := <-s.calls:
			call()
		case <-s.wishes.news:
			s.wishes.run()
		case <-done:
			done = nil
			s.leave("left")
		case <-timer.C:
		}
		s.drain()
	}
}

// drain takes what else is there, so that one look at everything serves many
// events; the bound lets other work have its turn.
func (s *session) drain() {
	for range 64 {
		if s.over {
			return
		}
		select {
		case e, ok := <-s.cfg.Link.Events():
			if !ok {
				return
			}
			s.event(e)
		case r := <-s.ran():
			s.finishJob(r)
		case call := <-s.calls:
			call()
		default:
			return
		}
	}
}

// ran is where the consoles' outcomes come from; nil, which blocks, without a
// game.
func (s *session) ran() chan ran {
	if s.game == nil {
		return nil
	}
	return s.game.done
}

// open opens the room, or connects to it.
func (s *session) open(ctx context.Context) error {
	if s.cfg.Host != nil {
		return s.openRoom()
	}
	return s.joinRoom(ctx)
}

func (s *session) openRoom() (err error) {
	role := s.cfg.Host
	role.Settings.Core = s.cfg.coreID()
	s.host, err = host.NewHost(host.HostConfig{
		Settings: role.Settings, Nickname: s.cfg.Firmware.Nickname, Firmware: s.cfg.Firmware,
		ROM: romID(s.cfg.ROM), Others: s.cfg.others(), Password: role.Password, Version: s.cfg.Version, Random: rand.Reader,
		Timeouts: host.Timeouts{Away: role.Wait}, Addrs: s.addrs(""),
	})
	if err != nil {
		return &Failure{Result: ResultLost, Err: fmt.Errorf("opening the room: %w", err)}
	}
	s.room = s.host
	s.notify(Opened{s.cfg.Link.Addr()})
	s.checkGames(time.Now())
	return nil
}

func (s *session) joinRoom(ctx context.Context) (err error) {
	join := host.JoinConfig{
		Nickname: s.cfg.Firmware.Nickname, Password: s.cfg.Join.Password, Core: s.cfg.coreID(),
		Firmware: s.cfg.Firmware, Version: s.cfg.Version, Random: rand.Reader,
		Timeouts: host.Timeouts{Away: s.cfg.Join.Wait}, Addrs: s.addrs(s.cfg.Join.Addr),
	}
	if s.cfg.ROM != nil {
		rom := romID(s.cfg.ROM)
		join.ROM = &rom
	}
	join.Others = s.cfg.others()
	if s.client, err = host.NewClient(join); err != nil {
		return &Failure{Result: ResultLost, Err: fmt.Errorf("joining: %w", err)}
	}
	s.room = s.client
	s.notify(Connecting{s.cfg.Join.Addr})
	if s.peer, err = s.cfg.Link.Dial(ctx, s.cfg.Join.Addr); err != nil {
		return &Failure{Result: ResultLost, Err: dialFailure(err), Hint: dialHint(err)}
	}
	s.client.Connected(time.Now(), host.PeerID(s.peer))
	return nil
}

// dialFailure is a connection that was not made, in a player's words.
func dialFailure(err error) error {
	var dial *link.DialError
	if !errors.As(err, &dial) {
		return err
	}
	words := dial.Why.String()
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		words = fmt.Sprintf("there is no machine called %q", dns.Name)
	case dial.Err != nil && (dial.Why == link.Unresolved || dial.Why == link.Rejected):
		words = fmt.Sprintf("%v: %v", dial.Why, dial.Err)
	}
	return fmt.Errorf("could not connect to %s: %s", dial.Addr, words)
}

// dialHint is what a player can do about a connection that was not made.
func dialHint(err error) string {
	var dial *link.DialError
	if !errors.As(err, &dial) {
		return ""
	}
	_, port, splitErr := net.SplitHostPort(dial.Addr)
	if _, err := strconv.Atoi(port); err != nil || splitErr != nil {
		port = "the room's"
	}
	switch dial.Why {
	case link.Unresolved:
		return "Check the address for typing mistakes: it is the game host's IP address or name, and :PORT if it is not the usual one."
	case link.Refused:
		return "Is the room open? The game host must have started nettplay with that port."
	case link.NoAnswer, link.Unreachable:
		return fmt.Sprintf("Is the room open, and the address right? From outside the game host's network, its router must forward UDP port %s to the game host's machine, and its firewall must let it in.", port)
	}
	return ""
}

// work does all that is to be done now.
func (s *session) work(now time.Time) error {
	s.watchHost(now)
	s.room.Tick(now)
	s.ping(now)
	if err := s.roomEvents(now); err != nil {
		return err
	}
	s.workExchanges(now)
	if err := s.workStart(now); err != nil {
		return err
	}
	if err := s.workGame(now); err != nil {
		return err
	}
	s.workStand(now)
	s.linger(now)
	s.flush()
	s.workFarewell(now)
	return nil
}

// roomEvents does what the room asks for, and what comes of that.
func (s *session) roomEvents(now time.Time) error {
	for {
		events := s.room.Events()
		if len(events) == 0 {
			return nil
		}
		for _, e := range events {
			if err := s.roomEvent(now, e); err != nil {
				return err
			}
		}
	}
}

// flush sends what the room has to say.
func (s *session) flush() {
	for _, o := range s.room.Outgoing() {
		p := link.PeerID(o.Peer)
		if o.Data != nil {
			if err := s.cfg.Link.Send(p, link.Control, o.Data); errors.Is(err, link.ErrBacklog) {
				s.cfg.Link.Disconnect(p, "your line does not keep up")
			}
		}
		if o.CloseWhy != "" {
			s.cfg.Link.Disconnect(p, o.CloseWhy)
		}
	}
}

// tick is how often the room is looked at when nothing happens.
const tick = 50 * time.Millisecond

// wake is how long the session may sleep if nothing arrives.
func (s *session) wake(now time.Time) time.Duration {
	wait := s.exchangesWake(now)
	if s.game != nil {
		wait = min(wait, s.game.pause, s.game.due(now))
	}
	return max(wait, 0)
}

// ping looks at the lines once a second and tells the room what they measure.
func (s *session) ping(now time.Time) {
	if now.Sub(s.pinged) >= time.Second {
		s.pinged = now
		s.measureLines()
		s.checkRecording()
	}
}

// event takes what the link has to tell, and what the room makes of it: a later
// event must find everything as this one has left it.
func (s *session) event(e link.Event) {
	now := time.Now()
	s.linkEvent(now, e)
	if err := s.roomEvents(now); err != nil {
		s.fail(err)
	}
}

func (s *session) linkEvent(now time.Time, e link.Event) {
	switch e.Kind {
	case link.Connected:
		s.lineOpened(now, e)
	case link.Disconnected:
		delete(s.seek.addrs, e.Peer)
		s.lineFailed(e.Peer)
		if _, member := s.machine(e.Peer); e.Reason.By == link.ByTimeout || e.Reason.By == link.ByLoss || member && s.game != nil {
			// Whoever leaves a game says so in the room's words.
			s.lineLost(now, e.Peer, e.Reason.String())
		} else {
			s.room.Disconnected(now, host.PeerID(e.Peer), e.Reason.String())
		}
	case link.Message:
		s.message(now, e)
	}
}

func (s *session) message(now time.Time, e link.Event) {
	var err error
	switch e.Channel {
	case link.Control:
		s.room.Receive(now, host.PeerID(e.Peer), e.Data)
		// Before the next message: a machine that fails leaves right after it
		// has said so.
		if err := s.roomEvents(now); err != nil {
			s.fail(err)
		}
	case link.Bulk:
		err = s.bulk(now, e.Peer, e.Data)
	case link.Input:
		err = s.datagram(now, e.Peer, e.Data)
	}
	if err != nil {
		s.hangUp(now, e.Peer, "broke the rules: "+err.Error())
	}
}

// hangUp ends the line to a machine that does wrong: it can only end its own
// part in the room.
func (s *session) hangUp(now time.Time, p link.PeerID, why string) {
	if _, inRoom := s.machine(p); inRoom {
		s.broken = true
	}
	s.cfg.Link.Disconnect(p, why)
	s.room.Disconnected(now, host.PeerID(p), why)
}

// machine is who is at the other end of a line.
func (s *session) machine(p link.PeerID) (int, bool) {
	if s.host != nil {
		return s.host.Machine(host.PeerID(p))
	}
	return s.gameHost, p == s.peer
}

// line is the line to a machine that is directly connected.
func (s *session) line(machine int) (link.PeerID, bool) {
	if s.host != nil {
		p, ok := s.host.Peer(machine)
		return link.PeerID(p), ok
	}
	return s.peer, machine == s.gameHost
}

// background runs a job on another goroutine; what it returns runs on ours, or
// drop does, on whatever goroutine, when the session is over before that.
func (s *session) background(job func() (after, drop func())) {
	s.jobs.Go(func() {
		after, drop := job()
		if after == nil {
			return
		}
		select {
		case s.calls <- after:
		case <-s.ctx.Done():
			if drop != nil {
				drop()
			}
		}
	})
}

func (s *session) notify(n Notice) {
	if s.cfg.Notify != nil {
		s.cfg.Notify(n)
	}
}

// say tells the players what happens, once: that somebody is gone is told by the room,
// and again as the reason of what is decided about it.
func (s *session) say(format string, args ...any) {
	const moment = 2 * time.Second
	text, now := fmt.Sprintf(format, args...), time.Now()
	s.said = slices.DeleteFunc(s.said, func(l said) bool { return now.Sub(l.at) > moment })
	if slices.ContainsFunc(s.said, func(l said) bool { return l.text == text }) {
		return
	}
	s.said = append(s.said, said{text, now})
	s.notify(Message{Text: text})
}

// said is something that the players were told, and when.
type said struct {
	text string
	at   time.Time
}

// leave ends our part in the room in good order.
func (s *session) leave(why string) {
	if s.leaving || s.over {
		return
	}
	s.leaving = true
	now := time.Now()
	if s.host != nil {
		if s.handOver(now, why) {
			s.settleSaves()
		} else {
			s.host.Close(now, why)
		}
	} else {
		s.client.Leave(now, why)
	}
	s.flush()
	s.over = true
}

// fail ends the session with an error.
func (s *session) fail(err error) {
	if s.leaving {
		return // it comes of that
	}
	if s.err == nil {
		s.err = err
	}
	s.leave(err.Error())
	s.over = true
}

// settle waits a moment for our own consoles to finish their frame, so that what is in
// their cartridges can be kept.
func (s *session) settle() {
	late := time.NewTimer(time.Second)
	defer late.Stop()
	for s.game.busy() {
		select {
		case r := <-s.game.done:
			if s.game.ranJob(r) != nil {
				return
			}
		case <-late.C:
			return
		}
	}
}

// close ends what is left when the loop has ended.
func (s *session) close() {
	s.over = true
	if s.game != nil {
		s.settle()
		s.keep()
		s.lastSaves(s.game.solo() && !s.game.failed)
		s.recorded("the session is over")
		s.closeGame(s.game)
	}
	s.cfg.Link.Close()
	s.jobs.Wait()
	s.wishes.run()
	defer s.closeSaves()
	defer s.closeStand()
	// A job may have handed over a console that nobody took any more.
	for {
		select {
		case call := <-s.calls:
			call()
			continue
		default:
		}
		break
	}
	if s.start != nil {
		s.start.close()
	}
}
