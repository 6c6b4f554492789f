package event

import (
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
)

// Admitted tells a client that it may watch.
type Admitted struct{}

// Candidacy asks the caller for this machine's knowledge of the game, for the
// candidate: call Vote. From then on this machine ignores the old game host.
type Candidacy struct {
	Peer  ds.PeerID
	Epoch uint32
}

// ConnectPeers asks the caller to open a connection to each of these machines, by one of
// its addresses, and to call PeerConnected. Players keep these connections in case the game
// host is lost.
type ConnectPeers struct{ Players []room.Player }

// ConnectionLost tells a client that it lost its connection to the game host during a
// game. The caller opens another one and calls Connected within
// Timeouts.Reconnect.
type ConnectionLost struct{ Words string }

// Elected tells that this machine is the next game host. The caller takes the inputs, if
// any, and then calls Promote of the client. Decisions that only others knew have already come as Decided.
type Elected struct {
	Inputs   [][]byte // as they were given to Vote, or to HandOver
	Promised int64    // the highest horizon promised to any machine
	Named    bool     // by the old game host; else elected
	Words    string
}

// HostChanged tells that another machine is game host. Peer is the existing connection
// to it, or 0 if this machine still has to find a way there.
type HostChanged struct {
	Machine int
	Peer    ds.PeerID
	Inputs  [][]byte // to be taken, as with Elected
	Words   string
}

// JoinAgain tells a client that the game host, to which it had lost the connection, is reachable but no longer
// knows it. The caller opens another connection to it and calls Connected; Welcomed or Refused follows.
type JoinAgain struct{}

// LateJoined tells a client that it may join the running game. All decisions so far follow,
// ending with the Enters of its own consoles and the Resync that brings them in.
type LateJoined struct {
	Round    uint32
	Settings room.Settings
	Seats    []room.SeatPlan // that began the game, by seat
}

// PlayerDisconnected tells the game host that it lost the connection to a player during a
// game. The others wait for its inputs; it may come back on another connection, from
// another address, within Timeouts.Reconnect, unless the game goes on without it.
type PlayerDisconnected struct{ Machine int }

// PlayerReconnected tells the game host that a disconnected player is back.
type PlayerReconnected struct{ Machine int }

// Reconnected tells a client that it is in the room again, on another connection.
type Reconnected struct{}

// Reran tells the game host the result of a machine's replay of a part of the game.
type Reran struct {
	Machine int
	Rerun   message.Rerun
}

// ResyncRequested tells the game host that a machine cannot go on with its consoles and
// wants another machine's. If instead the others are to take that machine's, the Host
// handles it itself without this event.
type ResyncRequested struct {
	Machine int
	Words   string
}

// SaveOrder asks this machine to write its own cartridges' saves as of Frame, beside the
// current ones, and to call SavesWritten. With Commit it asks to make the written saves
// current. That way either all players have an event such as a trade in their saves, or
// none has.
type SaveOrder struct {
	Frame  int64
	Commit bool
}

// SpectatorJoined tells the game host of a new spectator.
type SpectatorJoined struct{ Peer ds.PeerID }

// SpectatorLeft tells the game host that a spectator is gone.
type SpectatorLeft struct{ Peer ds.PeerID }

// SteppedDown tells a game host that the others have gone on with another one while it was
// disconnected; or, with Return, that its room has another one, reached by Peer, which
// the caller rejoins. It is the last event; the game on this machine is over.
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

// Newer reports whether order k came after o.
func (k SaveOrder) Newer(o SaveOrder) bool {
	return k.Frame > o.Frame || k.Frame == o.Frame && k.Commit && !o.Commit
}
