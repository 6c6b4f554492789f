package event

import "github.com/nettplay/nettplay/internal/ds"

// Outgoing is something to do with a connection. Data is a message for its reliable
// control channel, nil when there is none; CloseWhy, when not empty, tells that
// the connection is then to be closed in good order with these words, of at most 200
// bytes. The caller does not change Data: others may share it.
type Outgoing struct {
	Peer     ds.PeerID
	Data     []byte
	CloseWhy string
}

// Outbox holds what a machine has to say, until its caller takes it.
type Outbox struct {
	out    []Outgoing
	events []Event
}

// Send sends a message on a connection.
func (o *Outbox) Send(peer ds.PeerID, msg []byte) {
	o.out = append(o.out, Outgoing{Peer: peer, Data: msg})
}

// Close closes a connection with clean words.
func (o *Outbox) Close(peer ds.PeerID, why string) {
	o.out = append(o.out, Outgoing{Peer: peer, CloseWhy: why})
}

// Emit tells the caller.
func (o *Outbox) Emit(e Event) { o.events = append(o.events, e) }

// Outgoing returns what is to be sent and closed, in order, and forgets it.
func (o *Outbox) Outgoing() []Outgoing {
	out := o.out
	o.out = nil
	return out
}

// Events returns what has happened, in order, and forgets it.
func (o *Outbox) Events() []Event {
	events := o.events
	o.events = nil
	return events
}
