package event

import (
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
)

// Admitted tells a client that it may watch.
type Admitted struct{}

// Candidacy asks the caller for what this machine knows of the game, for the
// candidate: say Vote. From then on the old game host is not followed.
type Candidacy struct {
	Peer  ds.PeerID
	Epoch uint32
}

// ConnectPeers asks the caller to open connections to these machines, to each by one of
// its addresses, and to tell PeerConnected: those who play keep them for the time when the game
// host is gone.
type ConnectPeers struct{ Players []room.Player }

// ConnectionLost tells a client that its connection to the game host is gone in the middle of a
// game. The caller opens another one and says Connected; within
// Timeouts.Reconnect that is in time.
type ConnectionLost struct{ Words string }

// Elected tells that this machine is to be game host. The caller takes the inputs, if
// any, and then calls Promote of the client. The decisions that only others knew were told by Decided.
type Elected struct {
	Inputs   [][]byte // as they were given to Vote, or to HandOver
	Promised int64    // the highest horizon that anybody was promised
	Named    bool     // by the old game host; else elected
	Words    string
}

// HostChanged tells that another machine is game host, to which the way is now looked
// for. Peer is the connection on which it is reached already, 0 for none.
type HostChanged struct {
	Machine int
	Peer    ds.PeerID
	Inputs  [][]byte // to be taken, as with Elected
	Words   string
}

// JoinAgain tells a client that the game host, to which the connection was lost, is there and does not know it
// any more. The caller opens another connection to it and says Connected; Welcomed or Refused comes.
type JoinAgain struct{}

// LateJoined tells a client that it is let into the game that runs. All decisions follow;
// the Enters of its own consoles, and the Resync with which they come in, are the last
// for now.
type LateJoined struct {
	Round    uint32
	Settings room.Settings
	Seats    []room.SeatPlan // that began the game, by seat
}

// PlayerDisconnected tells the game host that the connection to a player is gone in the middle of a
// game. The others wait for its inputs; it may come back on another connection, from
// another address, within Timeouts.Reconnect, unless the game goes on without it.
type PlayerDisconnected struct{ Machine int }

// PlayerReconnected tells the game host that a player is back whose connection was gone.
type PlayerReconnected struct{ Machine int }

// Reconnected tells a client that it is in the room again, on another connection.
type Reconnected struct{}

// Reran tells the game host what came out when a machine played a part of the game again.
type Reran struct {
	Machine int
	Rerun   message.Rerun
}

// ResyncRequested tells the game host that a machine cannot go on with its consoles as they
// are, and wants those of another. When the others are to take that machine's, the Host
// has seen to it, and does not tell.
type ResyncRequested struct {
	Machine int
	Words   string
}

// SaveOrder asks this machine to write its own cartridges' saves, as they are after so many
// frames, beside the current ones, and to report SavesWritten; with Commit, to make those that it
// has written current. So either all players have what happened in their saves, a trade
// for instance, or none has.
type SaveOrder struct {
	Frame  int64
	Commit bool
}

// SpectatorJoined tells the game host of somebody who watches from now on.
type SpectatorJoined struct{ Peer ds.PeerID }

// SpectatorLeft tells the game host that somebody watches no longer.
type SpectatorLeft struct{ Peer ds.PeerID }

// SteppedDown tells a game host that the others have gone on with another one while its
// connections were gone; or, with Return, that there is another one in its room, at the other end of Peer, to
// which the caller goes back. It is the last event; the game on this machine is over.
type SteppedDown struct {
	Peer   ds.PeerID
	Return bool
	Words  string
}

func (Admitted) event()           {}
func (Candidacy) event()          {}
func (ConnectPeers) event()       {}
func (ConnectionLost) event()     {}
func (Elected) event()            {}
func (HostChanged) event()        {}
func (JoinAgain) event()          {}
func (LateJoined) event()         {}
func (PlayerDisconnected) event() {}
func (PlayerReconnected) event()  {}
func (Reconnected) event()        {}
func (Reran) event()              {}
func (ResyncRequested) event()    {}
func (SaveOrder) event()          {}
func (SpectatorJoined) event()    {}
func (SpectatorLeft) event()      {}
func (SteppedDown) event()        {}

// Newer reports whether this order came after another one.
func (k SaveOrder) Newer(o SaveOrder) bool {
	return k.Frame > o.Frame || k.Frame == o.Frame && k.Commit && !o.Commit
}
