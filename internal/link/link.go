package link

import (
	"context"
	"fmt"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/seal"
)

// PeerID names one connection to another machine.
type PeerID = ds.PeerID

// Channel is one of the three ways to send to a peer.
type Channel uint8

// The channels. They are independent: none waits for another.
const (
	Control Channel = iota // reliable and ordered: the room's protocol
	Bulk                   // reliable and ordered: savestates, as fast as the line allows without delaying the others
	Input                  // unsequenced and unreliable: at most one datagram
)

// Largest messages in bytes.
const (
	MaxControl = 256 << 10
	MaxBulk    = 64 << 10
	MaxInput   = PathPayload - 12 // one datagram on any path, with ENet's header
	MaxReason  = 200              // of the words given to Disconnect; longer ones are cut
)

// These hold for every Link unless its settings say otherwise.
const (
	DefaultSilence = 10 * time.Second // until a silent peer is given up
	DefaultConnect = 5 * time.Second  // of Dial, until the other side has accepted it
	EventRoom      = 16               // events that wait in the channel
)

// MaxMessage is the size in bytes of the largest message that ch takes, 0 for
// no such channel.
func MaxMessage(ch Channel) int {
	if ch > Input {
		return 0
	}
	return [...]int{Control: MaxControl, Bulk: MaxBulk, Input: MaxInput}[ch]
}

var channels = [...]string{
	Control: "control",
	Bulk:    "bulk",
	Input:   "input",
}

func (ch Channel) String() string { return phrase.Named(channels[:], ch, "no channel") }

// EventKind says what an Event tells.
type EventKind uint8

// The kinds of events.
const (
	Connected    EventKind = iota + 1 // Addr, Key, Incoming
	Message                           // Channel, Data
	Disconnected                      // Reason; the last event of its peer
)

var events = [...]string{
	Connected:    "connected",
	Message:      "message",
	Disconnected: "disconnected",
}

func (k EventKind) String() string { return phrase.Named(events[:], k, "no event") }

// Event is one thing that happened to a peer. Data belongs to the receiver.
type Event struct {
	Kind     EventKind
	Peer     PeerID
	Channel  Channel
	Data     []byte
	Addr     string      // of the other side, "address:port"
	Key      seal.Public // of the other side, proven
	Incoming bool        // the other side dialled
	Reason   Reason
}

// Stats are figures of one peer. Durations and shares are estimates over the
// last ten seconds or so, zero until something was measured.
type Stats struct {
	RTT    time.Duration // smoothed round trip
	Jitter time.Duration // mean difference of consecutive round trips
	Loss   float64       // share of the datagrams sent that did not arrive, 0..1
	LossIn float64       // share of the datagrams sent by the peer that did not arrive
	Silent time.Duration // since anything was last heard of the peer

	Sent, Received                   int64 // bytes of UDP payload, with all repetitions and headers
	SentDatagrams, ReceivedDatagrams int64

	ControlBacklog int64 // bytes queued or on the way that the peer has not confirmed
	BulkBacklog    int64
	BulkUnsent     int64 // of those, that have not gone yet
	Repaired       int64 // pieces of messages that were lost, and sent again

	Route Route
}

// Route is how datagrams go to a peer and back. The zero value is the direct route.
type Route struct {
	Relay     string        // that carries them, "" for none
	PeerRelay seal.Public   // the machine of the room that carries them, zero for none
	Direct    Direct        // how it is with a direct route where there is none of both
	Tunnel    bool          // this machine speaks to the relay by WebSocket, as its network blocks UDP
	Holdup    time.Duration // for how long a datagram that is lost holds up the others there, at least
}

// IsDirect reports whether nobody carries them.
func (w Route) IsDirect() bool { return w.Relay == "" && w.PeerRelay.IsZero() }

func (w Route) String() string { return w.Words("another player") }

// Words are a route for players to read, "" for the direct one. peer is the name of the one
// at the machine that carries.
func (w Route) Words(peer string) string {
	switch {
	case w.IsDirect():
		return ""
	case w.Relay == "":
		return "through " + peer + ": " + w.Direct.String()
	}
	if w.Tunnel {
		return fmt.Sprintf("through the relay %s by WebSocket, as a network here blocks UDP: a lost packet holds up the others for %d ms or more",
			w.Relay, max(w.Holdup.Milliseconds(), 1))
	}
	return "through the relay " + w.Relay + ": " + w.Direct.String()
}

// Direct is the progress of the search for a direct route.
type Direct uint8

// States of the search for a direct route.
const (
	NotTried Direct = iota // no address of the peer is known
	Trying
	Unheard // nothing comes through
	OneWay  // something came through of late or earlier, but not to and fro
)

var directs = [...]string{
	NotTried: "no other way is known",
	Trying:   "a direct way is being looked for",
	Unheard:  "the routers between you let nothing through",
	OneWay:   "the direct way does not work in both directions now",
}

func (d Direct) String() string { return phrase.Named(directs[:], d, "") }

// Link sends to and receives from other machines. All methods may be called
// from any goroutine, also after Close.
type Link interface {
	// Dial connects to addr and returns when messages can be sent. addr is "host:port",
	// or several of them with commas between, which are tried at the same time: the first
	// to answer is taken. "KEY@" before them names the key that the machine must prove
	// (see Target, Told, Through). It takes no longer than the configured connect time-out (5 s) if nobody
	// answers, less if the network says at once that nobody is there, and up to three
	// times that where somebody does over a line that loses much. Errors are
	// *DialError. The peer's Connected event need not have been read before.
	Dial(ctx context.Context, addr string) (PeerID, error)

	// Absent reports whether nobody listens at addr, "address:port", any more: whether its
	// machine says so, which takes about a round trip. A machine that says nothing, as
	// one whose connection is gone, is not absent; that takes up to two seconds. An open
	// connection to addr is not disturbed by it, as it would be by another Dial.
	Absent(ctx context.Context, addr string) bool

	// Vouch says that a peer belongs here. One that dialled us is a stranger before that:
	// there is room for few strangers, and for fewer from one address. A peer that was vouched
	// for once comes back from the same socket without being one.
	Vouch(p PeerID)

	// Introduce says that a peer plays here: its datagrams may go through this machine to the
	// others that were introduced, and ours through its. All of it stays sealed. Where no
	// direct way is found, a Dial and a connection that is there take such ways (Through).
	Introduce(p PeerID)
	// Send queues a message; the data is copied. It never blocks. It fails with
	// ErrUnknownPeer for a peer that is not or no longer connected,
	// ErrTooLarge beyond MaxMessage, ErrBacklog when too much is queued on a
	// reliable channel (Stats shows how much; try again later), ErrClosed. An
	// Input may be dropped without an error.
	Send(p PeerID, ch Channel, data []byte) error

	// Disconnect ends p. Messages queued on Control and Bulk before it are
	// delivered first and then why, in at most 5 s; both sides get a
	// Disconnected event with the words. It returns at once. Unknown peers are
	// ignored.
	Disconnect(p PeerID, why string)

	// Events is the channel all events come from; it is closed by Close. It
	// holds a few events only: somebody must read it.
	Events() <-chan Event

	// Stats gives the figures of a connected peer.
	Stats(p PeerID) (Stats, bool)

	// SetRoom changes the room's secret: dials from now on use it, and with neighbours,
	// machines of this network come in without it. Connections stay.
	SetRoom(secret seal.Secret, neighbours bool)

	// Key is this side's public key, which it proves to each peer.
	Key() seal.Public

	// Addr is the address this side listens on.
	Addr() string

	// Close disconnects all peers, waits for their answers (up to a second) and
	// frees everything. Events that were not read are lost. It may be called
	// more than once; each call returns when all is done.
	Close() error
}

// The sizes of datagrams, in bytes of UDP payload. All that sends datagrams between machines takes its own
// limits from these; package paths finds out what lies between them.
const (
	// PathBase is what a path is taken to carry until more is known of it: with the headers of UDP and IPv6
	// it stays below 1,280 bytes, which VPNs and mobile networks carry as well (RFC 8899 calls it BASE_PLPMTU).
	PathBase = 1200
	// PathLeast is what the worst path carries. There a large datagram goes in two pieces.
	PathLeast = 740

	// wrapping is the most that stands around an ENet datagram: sealing (32), once more where another
	// machine carries it, with that one's name (44), and a relay's header (14).
	wrapping = 32 + 44 + 14

	// PathPayload is what is left of PathBase for an ENet datagram, by whichever way it goes.
	PathPayload = PathBase - wrapping
)
