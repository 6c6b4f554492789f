package spectate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nettplay/nettplay/host/client"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/replay"
)

// Config holds all that a [Spectator] needs.
type Config struct {
	Link link.Link   // stays the caller's; the client alone reads its events
	Peer link.PeerID // the game host's connection, just opened
	Addr string      // where that is, "host:port"
	// Moved finds the room's present game host, where players cannot be reached directly; may be nil.
	Moved link.Finder
	// Join makes a client that asks to be let in as a spectator.
	Join func() (*client.Client, error)
	// Machine plays what comes, and is told what happens.
	Machine  Machine
	Once     bool          // end with the first game
	Patience time.Duration // how long a lost room is looked for; 0: as long as makes sense
}

// RefusedError says why the room did not let us in.
type RefusedError struct{ Refusal room.Refusal }

// Error is the refusal in words.
func (e *RefusedError) Error() string { return e.Refusal.Sentence }

const (
	// tick is the time between two looks at the room when nothing happens.
	tick = 50 * time.Millisecond
	// notFound ends the words about a room that a search did not find.
	notFound = "; the room could not be found again"
)

// Spectator is one: it joins a room and has the games played that run there, some time
// later. When the room's host changes or the connection breaks, it looks for the room and
// goes on where it was. It belongs to the goroutine of [Spectator.Run].
type Spectator struct {
	cfg    Config
	ctx    context.Context
	client *client.Client
	peer   link.PeerID // 0: the connection is gone
	room   room.Room   // as it was last
	search *search     // nil: we are in the room, or have not been
	dials  sync.WaitGroup

	round   uint32    // that is watched, or was
	log     *Download // of it; nil: none
	playing *playing  // nil until enough of the log has come
	cut     bool      // the connection broke before the log of round was at its end
	seen    int64     // frames of the game until then
	err     error     // to be returned when what came has been played
	over    bool
}

// NewSpectator makes a spectator.
func NewSpectator(cfg Config) *Spectator { return &Spectator{cfg: cfg, peer: cfg.Peer} }

// Run watches until ctx ends or the configuration says so. It returns a [*RefusedError], an
// error of the machine around it, ctx's error, or what else went wrong. No goroutine is left.
func (c *Spectator) Run(ctx context.Context) (err error) {
	inner, stop := context.WithCancel(ctx)
	c.ctx = inner
	defer func() {
		stop()
		c.endGame()
		c.dials.Wait()
	}()
	if c.client, err = c.cfg.Join(); err != nil {
		return err
	}
	c.client.Connected(time.Now(), c.peer)
	timer := time.NewTicker(tick)
	defer timer.Stop()
	for {
		c.work(time.Now())
		if c.over {
			return c.err
		}
		select {
		case e, ok := <-c.cfg.Link.Events():
			if !ok {
				return errors.New("the network link was closed")
			}
			c.event(e)
		case <-c.played():
			c.gameOver()
		case d := <-c.search.results():
			if err := c.search.opened(time.Now(), d); err != nil {
				c.fail(err)
			}
		case <-timer.C:
		case <-c.ctx.Done():
			c.client.Leave(time.Now(), "")
			flush(c.cfg.Link, c.client)
			return c.ctx.Err()
		}
	}
}

// played is closed when the game that is watched has been played; nil: none is.
func (c *Spectator) played() chan struct{} {
	if c.playing == nil {
		return nil
	}
	return c.playing.done
}

// work does what time and the room ask for.
func (c *Spectator) work(now time.Time) {
	c.client.Tick(now)
	c.roomEvents(now)
	if c.search != nil && !c.over {
		switch found, late := c.search.work(now); {
		case found != nil:
			c.found(now, found)
		case late:
			c.search.close(now, nil)
			words := c.search.words
			c.search = nil
			c.roomOver(words + notFound)
		}
	}
	flush(c.cfg.Link, c.client)
}

func (c *Spectator) event(e link.Event) {
	now := time.Now()
	switch {
	case c.search.takes(now, e):
	case e.Kind == link.Disconnected:
		c.client.Disconnected(now, e.Peer, e.Reason.String())
	case e.Kind != link.Message || e.Peer != c.peer:
	case e.Channel == link.Control:
		c.client.Receive(now, e.Peer, e.Data)
	case e.Channel == link.Bulk:
		if err := c.piece(e.Data); err != nil {
			c.fail(fmt.Errorf("the game host's computer broke the rules: %w", err))
		}
	}
}

func (c *Spectator) roomEvents(now time.Time) {
	for _, told := range c.client.Events() {
		switch e := told.(type) {
		case event.Admitted:
			c.cfg.Machine.Message("", "You are a spectator of this room.")
			c.roomChanged()
		case event.RoomChanged:
			c.roomChanged()
		case event.ChatLine:
			c.cfg.Machine.Message(e.Name, e.Text)
		case event.Refused:
			c.fail(&RefusedError{e.Refusal})
		case event.RoomClosed:
			if e.Reason == message.ClosedMoved {
				c.lost(now, e.Words)
			} else {
				c.roomOver("the room is closed: " + e.Words)
			}
		case event.RoomLost:
			c.lost(now, e.Words)
		}
	}
}

// roomOver plays what there is to its end, and then it is over.
func (c *Spectator) roomOver(words string) {
	if c.over {
		return
	}
	c.err = errors.New(words)
	c.peer, c.cut = 0, false
	if c.log == nil || c.playing == nil {
		c.over = true
		return
	}
	c.log.End()
}

// lost looks for the room, whose connection is gone, if we have been in it.
func (c *Spectator) lost(now time.Time, words string) {
	switch {
	case c.over:
		return
	case c.room.Players == nil:
		c.roomOver(words)
		return
	}
	c.peer = 0
	c.search = newSearch(c, now.Add(cmp.Or(c.cfg.Patience, searchFor)), words)
	if c.cut = c.log != nil; c.cut {
		c.log.End()
	}
	if c.playing == nil {
		c.endGame()
	}
	c.cfg.Machine.Message("", words+"; looking for the room")
}

// found goes on in the room.
func (c *Spectator) found(now time.Time, p *place) {
	c.client, c.peer, c.cfg.Addr = p.client, p.peer, p.addr
	c.search.close(now, p)
	c.search = nil
	room := c.client.Room()
	words := "The room is there again."
	if p, is := room.Player(room.Host); is && room.Host != c.room.Host {
		words = p.Nickname + " is the game host now, and you watch on."
	}
	c.cfg.Machine.Message("", words)
	c.roomChanged()
}

// A Download gets the log of one game from the game host, for a spectator or a late joiner.
// It is for one goroutine; the log that it makes may be read on another.
type Download struct {
	round uint32
	live  *replay.Live
	asked bool // the newest question is not answered
	ended bool // nothing more comes
}

// NewDownload makes a download of a round's log, which is kept in a file without a name
// until [Download.Close].
func NewDownload(round uint32) (*Download, error) {
	live, err := replay.NewLive("")
	if err != nil {
		return nil, err
	}
	return &Download{round: round, live: live}, nil
}

// Wants reports whether there is something to ask for that was not asked for.
func (d *Download) Wants() bool { return !d.asked && !d.ended }

// Ask makes the question for what comes next, to be sent to the game host. After the end
// it tells the game host that the end has come.
func (d *Download) Ask() []byte {
	d.asked = !d.ended
	return Ask{Round: d.round, At: d.live.Size()}.Append(nil)
}

// Interrupted says that the connection was replaced: the question is to be asked again.
func (d *Download) Interrupted() { d.asked = false }

// Add takes a piece of the log; false: it is of another round. An error is the game
// host's fault.
func (d *Download) Add(p Piece) (bool, error) {
	switch {
	case p.Round != d.round:
		return false, nil
	case !d.asked:
		return false, errors.New("a piece of a log that was not asked for")
	}
	d.asked = false
	if len(p.Bytes) > 0 {
		if err := d.live.Write(p.At, p.Bytes); err != nil {
			return false, err
		}
	}
	if p.End != More {
		d.End()
	}
	return true, nil
}

// End says that nothing more comes.
func (d *Download) End() {
	d.ended = true
	d.live.End()
}

// Whole reports whether all that may be seen by now has come with a piece.
func (d *Download) Whole(p Piece) bool { return d.live.Size() >= p.All }

// Log opens what has come so far; see [replay.Live].
func (d *Download) Log() (*replay.Log, error) { return d.live.Log() }

// Close forgets the log, which nobody must read any more.
func (d *Download) Close() { _ = d.live.Close() }
