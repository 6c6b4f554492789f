package spectate

import (
	"context"
	"errors"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/replay"
)

// How a spectator gets the log of each game, and has it played.

// A Machine is a [Spectator]'s view of the machine around it.
type Machine interface {
	// Play plays a game's log, which may still grow, until it ends or ctx does: what was
	// seen already, so many frames, as fast as it can. It returns how many frames it has
	// played, and whether it wanted no more than those. It is called on a goroutine of its
	// own, for one game after the other.
	Play(ctx context.Context, log *replay.Log, seen int64) (frames int64, done bool, err error)
	// GameOver is called when the machine has played to the end of a game. It and what
	// follows is called on the goroutine of [Spectator.Run], and must not block.
	GameOver()
	// Room is called when something about the room has changed.
	Room(room room.Room)
	// Message is something to tell the player: from another one, or from the program
	// where from is "".
	Message(from, text string)
}

// playing is a log that the machine plays. All but done may be read after done.
type playing struct {
	done   chan struct{}
	frames int64
	whole  bool // it has seen all that it wanted, or the log to its end
	err    error
}

// roomChanged begins to watch a game that has begun.
func (c *Spectator) roomChanged() {
	room := c.client.Room()
	c.room = room
	c.cfg.Machine.Room(room)
	round := c.next(room)
	if round == 0 {
		return
	}
	log, err := NewDownload(round)
	if err != nil {
		c.fail(err)
		return
	}
	c.round, c.log, c.cut = round, log, false
	c.ask()
}

// next is the game whose log is to be asked for, 0 for none: one of which we lack the rest,
// also when it is over by now, or one that has begun.
func (c *Spectator) next(r room.Room) uint32 {
	switch {
	case c.log != nil || c.over || c.search != nil:
		return 0
	case c.cut:
		return c.round
	case r.Phase == room.PhasePlaying && r.Round != c.round:
		return r.Round
	}
	return 0
}

// ask asks for what comes next.
func (c *Spectator) ask() {
	_ = c.cfg.Link.Send(c.peer, link.Bulk, c.log.Ask()) // it has gone if that fails
}

// piece takes an answer.
func (c *Spectator) piece(b []byte) error {
	p, err := DecodePiece(b)
	if err != nil || c.log == nil {
		return err
	}
	if taken, err := c.log.Add(p); err != nil || !taken {
		return err
	}
	c.ask() // also after the end: so the game host knows that we have it
	if c.playing == nil && (c.log.Whole(p) || p.End != More) {
		return c.startPlayer(p.End)
	}
	return nil
}

// startPlayer plays the game: all that there is of it has come, for now.
func (c *Spectator) startPlayer(end End) error {
	log, err := c.log.Log()
	short := errors.Is(err, replay.ErrShort)
	switch {
	case short && end == Gone && c.cfg.Once:
		c.fail(errors.New("the game host does not show this game"))
		return nil
	case short && end != More:
		c.endGame() // it was over before we saw anything of it, or of its rest
		if c.seen > 0 {
			c.seen = 0
			c.cfg.Machine.GameOver()
		}
		c.roomChanged()
		return nil
	case short:
		return nil
	case err != nil:
		return err
	}
	v, seen := &playing{done: make(chan struct{})}, c.seen
	c.playing, c.seen = v, 0
	go func() {
		defer close(v.done)
		v.frames, v.whole, v.err = c.cfg.Machine.Play(c.ctx, log, seen)
		v.whole = v.whole || log.Complete()
	}()
	return nil
}

// endGame forgets the game that was watched, when it has been played.
func (c *Spectator) endGame() {
	if c.playing != nil {
		<-c.playing.done
		c.playing = nil
	}
	if c.log != nil {
		c.log.Close()
		c.log = nil
	}
}

// gameOver is the end of a game that was watched.
func (c *Spectator) gameOver() {
	v := c.playing
	c.endGame()
	err := v.err
	switch {
	case err != nil, v.whole:
	case c.cut: // the rest is where the room is now
		c.seen = v.frames
		c.roomChanged()
		return
	case c.err != nil:
		err = c.err
	default:
		err = errors.New("the game host does not show this game any more")
	}
	c.cut = false
	if c.cfg.Once || err != nil || c.peer == 0 && c.search == nil {
		c.over, c.err = true, err
		c.client.Leave(time.Now(), "")
		return
	}
	c.cfg.Machine.GameOver()
	c.roomChanged()
}

// fail ends it all.
func (c *Spectator) fail(err error) {
	if !c.over {
		c.over, c.err = true, err
		c.client.Leave(time.Now(), err.Error())
	}
}
