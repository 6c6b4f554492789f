package spectate

import (
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

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
