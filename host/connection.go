package host

import (
	"crypto/ed25519"
	"io"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// PeerID names one connection to another machine, as package internal/link numbers them.
type PeerID = ds.PeerID

// identity is what a machine is in a room, as game host and as client.
type identity struct {
	program     string // version of nettplay
	random      io.Reader
	corePackage room.CorePackage
	timeouts    Timeouts
	salt        [16]byte           // of the room
	key         []byte             // made from the password; nil without one
	sign        ed25519.PrivateKey // proves on another connection that it is the same machine
	addrs       []string           // where it can be reached, as it says itself
	door        room.Door
}

func newIdentity(version string, random io.Reader, corePackage room.CorePackage, timeouts Timeouts, addrs []string) identity {
	return identity{
		program: wire.Clean(version, room.MaxProgram), random: random, corePackage: corePackage,
		timeouts: timeouts.withDefaults(), addrs: room.BoundAddrs(addrs),
	}
}

// outbox is an event.Outbox of which a caller sees what it is to take.
type outbox struct{ box event.Outbox }

// Outgoing returns what is to be sent and closed, in order, and forgets it.
func (o *outbox) Outgoing() []event.Outgoing { return o.box.Outgoing() }

// Events returns what has happened, in order, and forgets it.
func (o *outbox) Events() []event.Event { return o.box.Events() }

func (o *outbox) emit(e event.Event) { o.box.Emit(e) }
