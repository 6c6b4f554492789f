package session

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/spectate"
)

// WatchConfig is what is needed to watch a room.
type WatchConfig struct {
	Link     link.Link // owned by Watch from its call on
	Addr     string    // "host:port" of the game host
	Nickname string
	Password string
	Version  string // of this program
	Core     emucore.Core
	ROMs     []*emucore.ROM   // games that are known to be here
	Library  *emucore.Library // where the others are looked for; may be nil
	Frames   int64            // end after so many frames of a game, 0 for all
	Once     bool             // end with the first game
	patience time.Duration    // how long a room is looked for; 0: as long as makes sense

	// Notify is told what happens in the room, on Watch's goroutine; it must not block,
	// and may be nil.
	Notify func(Notice)
	// Watched is told of the player of each game before it runs, on some goroutine. It
	// may be nil. The player's methods show and change how the game is watched; who
	// pauses it is behind and catches up later.
	Watched func(*Player)
	// Show and Told are the player's Show and Notify; see [ReplayConfig].
	Show func(seat int, f emucore.Frame)
	Told func()

	// Start, Random and what is for tests are as in [Config].
	Start       game.StartConsole
	Random      io.Reader
	TestOptions map[string]string
	TestTweak   func(*emucore.Config)
}

// watcher is the state of one Watch. It belongs to its goroutine.
type watcher struct {
	cfg    WatchConfig
	ctx    context.Context
	client *host.Client
	peer   link.PeerID // 0: the line is gone
	room   host.Room   // as it was last
	chase  *chase      // looks for the room; nil: we are in it, or have not been
	called chan called // lines for that
	jobs   sync.WaitGroup

	round  uint32 // that is watched, or was
	live   *replay.Live
	asked  bool
	player *viewing
	cut    bool  // the line broke before the log of round was at its end
	seen   int64 // frames of the game until then
	report Report
	err    error
	over   bool
}

// viewing is a player on a goroutine of its own.
type viewing struct {
	done   chan struct{}
	player *Player // nil if there was none; read it after done
	ended  bool    // the log was there to its end
	err    error
}

// Watch joins a room as a spectator and plays what happens in it, some time later, until
// ctx ends or as the configuration says. It closes the link and leaves nothing behind.
// The report has the consoles as this machine computed them; an error is a [*Failure] or
// ctx's doing.
func Watch(ctx context.Context, cfg WatchConfig) (Report, error) {
	inner, stop := context.WithCancel(ctx)
	w := &watcher{cfg: cfg, ctx: inner, called: make(chan called)}
	w.report.Seats = []SeatReport{}
	err := w.run()
	stop()
	w.endGame()
	cfg.Link.Close()
	w.jobs.Wait()
	w.report.Spectated = true
	w.report.Core = CoreReport{Name: cfg.Core.Name, Version: cfg.Core.Version, SHA256: fmt.Sprintf("%x", cfg.Core.SHA256)}
	if err != nil && ctx.Err() != nil {
		err = nil // the player did not want to wait
	}
	w.report.conclude(err)
	return w.report, err
}

func (w *watcher) run() (err error) {
	if w.client, err = w.newClient(); err != nil {
		return &Failure{Result: ResultLost, Err: fmt.Errorf("watching: %w", err)}
	}
	w.notify(Connecting{w.cfg.Addr})
	if w.peer, err = w.cfg.Link.Dial(w.ctx, w.cfg.Addr); err != nil {
		return &Failure{Result: ResultLost, Err: dialFailure(err), Hint: dialHint(err)}
	}
	w.client.Connected(time.Now(), host.PeerID(w.peer))
	timer := time.NewTicker(tick)
	defer timer.Stop()
	for {
		w.client.Tick(time.Now())
		w.roomEvents()
		w.search(time.Now())
		w.flush(w.client)
		if w.over {
			return w.err
		}
		select {
		case e, ok := <-w.cfg.Link.Events():
			if !ok {
				return &Failure{Result: ResultLost, Err: errors.New("the network link was closed")}
			}
			w.event(e)
		case <-w.done():
			w.gameOver()
		case d := <-w.called:
			w.lineOpened(time.Now(), d)
		case <-timer.C:
		case <-w.ctx.Done():
			w.client.Leave(time.Now(), "")
			w.flush(w.client)
			return w.ctx.Err()
		}
	}
}

func (w *watcher) newClient() (*host.Client, error) {
	return host.NewSpectator(host.JoinConfig{
		Nickname: w.cfg.Nickname, Password: w.cfg.Password, Version: w.cfg.Version, Random: cmp.Or(w.cfg.Random, rand.Reader),
		Core: host.CoreID{Name: w.cfg.Core.Name, Version: w.cfg.Core.Version, SHA256: w.cfg.Core.SHA256},
	})
}

func (w *watcher) notify(n Notice) {
	if w.cfg.Notify != nil {
		w.cfg.Notify(n)
	}
}

// done is closed when the game that is watched has come to its end; nil: there is none.
func (w *watcher) done() chan struct{} {
	if w.player == nil {
		return nil
	}
	return w.player.done
}

// flush sends what a client has to say: that of our room, or of one that may be it.
func (w *watcher) flush(c *host.Client) {
	for _, o := range c.Outgoing() {
		if o.Data != nil {
			_ = w.cfg.Link.Send(link.PeerID(o.Peer), link.Control, o.Data)
		}
		if o.CloseWhy != "" {
			w.cfg.Link.Disconnect(link.PeerID(o.Peer), o.CloseWhy)
		}
	}
}

func (w *watcher) event(e link.Event) {
	now := time.Now()
	switch {
	case w.chase.takes(now, e):
	case e.Kind == link.Disconnected:
		w.client.Disconnected(now, host.PeerID(e.Peer), e.Reason.String())
	case e.Kind != link.Message || e.Peer != w.peer:
	case e.Channel == link.Control:
		w.client.Receive(now, host.PeerID(e.Peer), e.Data)
	case e.Channel == link.Bulk:
		if err := w.piece(e.Data); err != nil {
			w.fail(&Failure{Result: ResultLost, Err: fmt.Errorf("the game host's machine broke the rules: %w", err)})
		}
	}
}

func (w *watcher) roomEvents() {
	for _, event := range w.client.Events() {
		switch e := event.(type) {
		case host.Admitted:
			w.notify(Message{Text: "You are a spectator of this room."})
			w.roomChanged()
		case host.RoomChanged:
			w.roomChanged()
		case host.ChatLine:
			w.notify(Message{From: e.Name, Text: e.Text})
		case host.Refused:
			w.fail(refused(e.Refusal))
		case host.RoomClosed:
			if e.Reason == host.ClosedMoved {
				w.lost(e.Words)
			} else {
				w.roomOver("the room is closed: " + e.Words)
			}
		case host.RoomLost:
			w.lost(e.Words)
		}
	}
}

// fail ends it all.
func (w *watcher) fail(err error) {
	if !w.over {
		w.over, w.err = true, err
		w.client.Leave(time.Now(), err.Error())
	}
}

// roomOver plays what there is to its end, and then it is over.
func (w *watcher) roomOver(words string) {
	if w.over {
		return
	}
	w.err = &Failure{Result: ResultLost, Err: errors.New(words)}
	w.peer, w.cut = 0, false
	if w.live == nil || w.player == nil {
		w.over = true
		return
	}
	w.live.End()
}

// roomChanged begins to watch a game that has begun.
func (w *watcher) roomChanged() {
	room := w.client.Room()
	w.room = room
	w.notify(RoomNotice{Room: room, Me: -1})
	round := w.next(room)
	if round == 0 {
		return
	}
	live, err := replay.NewLive("")
	if err != nil {
		w.fail(&Failure{Result: ResultLost, Err: err})
		return
	}
	w.round, w.live, w.cut = round, live, false
	w.ask()
}

// next is the game whose log is to be asked for, 0 for none: one of which we lack the rest,
// also when it is over by now, or one that has begun.
func (w *watcher) next(room host.Room) uint32 {
	switch {
	case w.live != nil || w.over || w.chase != nil:
		return 0
	case w.cut:
		return w.round
	case room.Phase == host.PhasePlaying && room.Round != w.round:
		return room.Round
	}
	return 0
}

// ask asks for what comes next.
func (w *watcher) ask() {
	ask := spectate.Ask{Round: w.round, At: w.live.Size()}
	_ = w.cfg.Link.Send(w.peer, link.Bulk, ask.Append(nil)) // it has gone if that fails
	w.asked = true
}

// piece takes an answer.
func (w *watcher) piece(b []byte) error {
	p, err := spectate.DecodePiece(b)
	switch {
	case err != nil:
		return err
	case w.live == nil || p.Round != w.round:
		return nil // of a game before
	case !w.asked:
		return errors.New("a piece of a log that was not asked for")
	}
	w.asked = false
	if len(p.Bytes) > 0 {
		if err := w.live.Write(p.At, p.Bytes); err != nil {
			return err
		}
	}
	w.ask() // also after the end: so the game host knows that we have it
	if w.asked = p.End == spectate.More; !w.asked {
		w.live.End()
	}
	if w.player == nil && (w.live.Size() >= p.All || p.End != spectate.More) {
		return w.begin(p.End)
	}
	return nil
}

// begin plays the game: all that there is of it has come, for now.
func (w *watcher) begin(end spectate.End) error {
	log, err := w.live.Log()
	switch {
	case errors.Is(err, replay.ErrShort) && end == spectate.Gone && w.cfg.Once:
		w.fail(&Failure{Result: ResultLost, Err: errors.New("the game host does not show this game")})
		return nil
	case errors.Is(err, replay.ErrShort) && end != spectate.More:
		w.endGame() // it was over before we saw anything of it, or of its rest
		if w.seen > 0 {
			w.seen = 0
			w.notify(GameOver{Report: w.report})
		}
		w.roomChanged()
		return nil
	case errors.Is(err, replay.ErrShort):
		return nil
	case err != nil:
		return err
	}
	v := &viewing{done: make(chan struct{})}
	w.player = v
	from := w.seen
	w.seen = 0
	go func() {
		defer close(v.done)
		v.err = w.play(v, log, from)
		v.ended = log.Ended
	}()
	return nil
}

// play looks for the games and plays, what was seen already as fast as it can. It runs on
// a goroutine of its own.
func (w *watcher) play(v *viewing, log *replay.Log, seen int64) error {
	roms, needs, err := ReplayNeeds(w.ctx, log, w.cfg.Core, false, w.cfg.ROMs, w.cfg.Library)
	if err != nil {
		return &Failure{Result: ResultCore, Err: err}
	}
	if len(needs) > 0 {
		var words []string
		for _, n := range needs {
			words = append(words, n.What)
		}
		return &Failure{Result: ResultCore, Err: fmt.Errorf("this game cannot be watched without %s", strings.Join(words, ", and ")), Hint: needs[0].Hint}
	}
	p, err := NewPlayer(ReplayConfig{
		Log: log, Core: w.cfg.Core, ROMs: roms, Show: w.cfg.Show, Notify: w.cfg.Told, End: w.cfg.Frames, EndAtEnd: true,
		Start: w.cfg.Start, TestOptions: w.cfg.TestOptions, TestTweak: w.cfg.TestTweak,
	})
	if err != nil {
		return &Failure{Result: ResultCore, Err: err}
	}
	v.player = p
	if seen > 0 {
		p.order(func(r *playing) {
			if to := min(seen, r.length()); to > r.g.Slowest() { // else it begins after that
				r.seek(to)
			}
		})
	}
	if w.cfg.Watched != nil {
		w.cfg.Watched(p)
	}
	if err := p.Run(w.ctx); err != nil {
		return &Failure{Result: ResultCore, Err: fmt.Errorf("playing what is watched: %w", err), Hint: coreHint(err)}
	}
	return nil
}

// endGame forgets the game that was watched, when its player has ended.
func (w *watcher) endGame() {
	if v := w.player; v != nil {
		<-v.done
		w.keep(v)
		w.player = nil
	}
	if w.live != nil {
		w.live.Close()
		w.live = nil
	}
	w.asked = false
}

// keep takes down what a player has seen.
func (w *watcher) keep(v *viewing) {
	if v.player == nil {
		return
	}
	s := v.player.Status()
	w.report.Frames, w.report.Seats = s.Frame, v.player.Seats()
	if w.report.Seats == nil {
		w.report.Seats = []SeatReport{}
	}
	if s.Difference != nil {
		w.report.Desyncs++
	}
}

// gameOver is the end of a game that was watched.
func (w *watcher) gameOver() {
	v := w.player
	w.endGame()
	err := v.err
	if v.player != nil && err == nil {
		s := v.player.Status()
		switch {
		case s.Difference != nil:
			err = &Failure{
				Result: ResultDesync, Err: fmt.Errorf("what you saw was not the game: %w", s.Difference),
				Hint: "This machine's core does something else than the players' do.",
			}
		case v.ended || w.cfg.Frames > 0 && s.Frame >= w.cfg.Frames:
		case w.cut: // the rest is where the room is now
			w.seen = s.Frame
			w.roomChanged()
			return
		case w.err != nil:
			err = w.err
		default:
			err = &Failure{Result: ResultLost, Err: errors.New("the game host does not show this game any more")}
		}
	}
	w.cut = false
	if w.cfg.Once || err != nil || w.peer == 0 && w.chase == nil {
		w.over = true
		w.err = err
		w.client.Leave(time.Now(), "")
		return
	}
	w.notify(GameOver{Report: w.report})
	w.roomChanged()
}
