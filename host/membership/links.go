package membership

import (
	"errors"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

const (
	linkIdle = 15 * time.Second // until a link of which nothing is heard is closed
	linkLate = 5 * time.Second  // until one is closed of which is not known whose it is
	maxLinks = 32
)

// Link is a peer link: a connection to another client.
type Link struct {
	ID    ds.PeerID
	Addr  string
	key   [32]byte // of the installation at the other end, as it has proven; zero: not known
	since time.Time
	heard time.Time
	flood Flood
	told  *message.PeerStatus // as it said last; nil: nothing yet
	said  message.PeerStatus  // as we said last, without the signature
	early []byte              // what it said to the game host that it takes us for
}

// Early returns the message of somebody who had heard before us that we are game host; nil for nothing.
func (k *Link) Early() []byte { return k.early }

// Links are all peer links.
func (e *Election) Links() []*Link { return e.links }

// Link returns the peer link of that number, nil for none.
func (e *Election) Link(id ds.PeerID) *Link {
	for _, k := range e.links {
		if k.ID == id {
			return k
		}
	}
	return nil
}

// Known reports whether a client of the room has proven to be at the other end of a peer link.
func (e *Election) Known(id ds.PeerID) bool {
	k := e.Link(id)
	return k != nil && k.told != nil
}

// absent are the clients to whom there is no peer link, one player of each.
func (e *Election) absent(v ElectionView) []room.Player {
	known := room.MachineSet(0).With(v.Machine).With(v.Lead.Host)
	for _, k := range e.links {
		if k.told != nil {
			known = known.With(k.told.Machine)
		}
	}
	var list []room.Player
	for i := range v.Lead.Players {
		if p := &v.Lead.Players[i]; p.Present && !known.Has(p.Machine) {
			list, known = append(list, *p), known.With(p.Machine)
		}
	}
	return list
}

// Plays reports whether a machine that plays our game has proven to be there.
func (e *Election) Plays(id ds.PeerID, v ElectionView) bool {
	k := e.Link(id)
	return k != nil && k.told != nil && v.Playing.Has(k.told.Machine)
}

// Connected takes a connection to another client, as far as one can know, at an address, with
// the key that it has proven.
func (e *Election) Connected(now time.Time, id ds.PeerID, addr string, key [32]byte, v ElectionView) {
	if e.Link(id) != nil {
		return
	}
	if len(e.links) >= maxLinks {
		e.Reject(id)
		return
	}
	k := &Link{ID: id, Addr: addr, key: key, since: now, heard: now, flood: ClientFlood()}
	e.links = append(e.links, k)
	e.greet(k, v)
}

// Reject closes a connection on which nothing is to be said.
func (e *Election) Reject(id ds.PeerID) { e.out.Close(id, "this is not the game host's machine") }

// Disconnected forgets a connection if it is a peer link, and tells whether it was.
func (e *Election) Disconnected(id ds.PeerID) bool {
	before := len(e.links)
	e.links = slices.DeleteFunc(e.links, func(k *Link) bool { return k.ID == id })
	return len(e.links) < before
}

// Drop closes a peer link.
func (e *Election) Drop(k *Link, why string) {
	e.out.Close(k.ID, wire.Clean(why, room.MaxReason))
	e.Disconnected(k.ID)
}

// Close closes all peer links: this machine leaves the room.
func (e *Election) Close() {
	for _, k := range slices.Clone(e.links) {
		e.Drop(k, "goodbye")
	}
}

// Decode reads what came on a peer link.
func (e *Election) Decode(now time.Time, k *Link, msg []byte) (message.Message, error) {
	k.heard = now
	if !k.flood.Admit(now, len(msg)) {
		return nil, errors.New("it sends more than a member has to say")
	}
	return message.Decode(msg)
}

func (e *Election) send(k *Link, m message.Message) {
	if b, err := message.Encode(m); err == nil {
		e.out.Send(k.ID, b)
	}
}

func (e *Election) status(v ElectionView) *message.PeerStatus {
	return &message.PeerStatus{Machine: v.Machine, Round: v.Lead.Round, Epoch: max(e.voted, v.Lead.Epoch), HostLost: v.HostLost}
}

// greet says who we are, and whether we hear the game host.
func (e *Election) greet(k *Link, v ElectionView) {
	m := e.status(v)
	k.said = *m
	m.Sign = Sign(v.Key, v.Lead.PeerStatusText(m))
	e.send(k, m)
}

// HandleStatus takes what another client says of itself.
func (e *Election) HandleStatus(k *Link, m *message.PeerStatus, v ElectionView) {
	// One between us could pass on what another one has signed; it has another key.
	other := k.key != [32]byte{} && v.installation(m.Machine) != [32]byte{} && k.key != v.installation(m.Machine)
	if other || !Verify(v.Lead.Key(m.Machine), v.Lead.PeerStatusText(m), m.Sign) {
		e.Drop(k, "it is not who it says it is")
		return
	}
	news := k.told == nil
	k.told = m
	if m.Round == v.Lead.Round {
		e.release(m)
	}
	if news && !v.HostLost {
		e.greet(k, v)
	}
}

// installation is the key of a machine's installation, zero if it is not known.
func (v ElectionView) installation(machine int) (key [32]byte) {
	for i := range v.Lead.Players {
		if p := &v.Lead.Players[i]; p.Machine == machine {
			key = p.Key
		}
	}
	return key
}
