package spectate

import (
	"context"
	"sync"
	"time"

	"github.com/nettplay/nettplay/host/client"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/replay"
)

// Config holds all that a [Spectator] needs.
type Config struct {
	Link link.Link   // stays the caller's; the client alone reads its events
	Peer link.PeerID // the game host's connection, just opened
	Addr string      // where that is, "host:port"
	// Join makes a client that asks to be let in as a spectator.
	Join func() (*client.Client, error)
	// Machine plays what comes, and is told what happens.
	Machine  Machine
	Once     bool          // end with the first game
	Patience time.Duration // how long a lost room is looked for; 0: as long as makes sense
}

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

// RefusedError says why the room did not let us in.
type RefusedError struct{ Refusal room.Refusal }

// Error is the refusal in words.
func (e *RefusedError) Error() string { return e.Refusal.Sentence }

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

// fail ends it all.
func (c *Spectator) fail(err error) {
	if !c.over {
		c.over, c.err = true, err
		c.client.Leave(time.Now(), err.Error())
	}
}
