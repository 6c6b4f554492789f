package host

import (
	"net"
	"slices"
	"time"

	"golang.org/x/time/rate"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/wire"
)

// stage is the progress of a connection that comes in.
type stage uint8

const (
	awaitHello stage = iota
	awaitJoin
	inRoom
	spectating // see spectators.go
	stages     // how many there are
)

// How many may be on their way into the room at once: strangers, and beyond them those who
// come back to it, which only shows later.
const (
	maxJoining      = 32
	maxReconnecting = ds.MaxMachines
)

// peer is one connection.
type peer struct {
	id               ds.PeerID
	addr             string // without the port
	from             string // with it
	key              [32]byte
	stage            stage
	since            time.Time // when the stage began
	heard            time.Time // when it said something last
	flood            membership.Flood
	chat, pauses     *rate.Limiter
	program          string
	hello, challenge []byte         // as they were sent
	later            []byte         // what it said to prove the password; see mayProve
	proves           bool           // it is its turn to
	proved           bool           // it was shown that this machine is game host
	doubt            doubt          // whether it is somebody who is here already
	wish             string         // the nickname that it came with, with watching
	crowded          bool           // it came when too many were on their way: it can only come back
	member           *member        // with inRoom
	spectator        room.Spectator // with watching
}

func (h *Host) peer(id ds.PeerID) *peer {
	for _, p := range h.peers {
		if p.id == id {
			return p
		}
	}
	return nil
}

// Connected tells of a connection that someone opened to this machine. Addr is its
// address, with or without a port: bans and the limit of password tries go by
// it, and players are shown it; it may be empty.
func (h *Host) Connected(now time.Time, id ds.PeerID, addr string) {
	if h.phase == room.PhaseClosed || h.peer(id) != nil {
		return
	}
	now = h.clock.At(now)
	p := h.newPeer(now, id, wire.Clean(addr, room.MaxName))
	joining := 0
	for _, p := range h.peers {
		if p.stage < inRoom {
			joining++
		}
	}
	p.crowded = joining > maxJoining
	if joining > maxJoining+maxReconnecting {
		h.turnAway(p)
	}
}

func (h *Host) newPeer(now time.Time, id ds.PeerID, from string) *peer {
	p := &peer{
		id: id, addr: bare(from), from: from, since: now, heard: now,
		flood: membership.ClientFlood(), chat: membership.ChatLimit(membership.HostChat), pauses: membership.PauseLimit(),
	}
	h.peers = append(h.peers, p)
	return p
}

// Proven tells which installation is at the other end of a connection: the key that it has
// proven. It comes with Connected, or some time after.
func (h *Host) Proven(id ds.PeerID, key [32]byte) {
	p := h.peer(id)
	if p == nil || p.key == key {
		return
	}
	p.key = key
	if p.member != nil {
		p.member.key, h.news.dirty = key, true
	}
}

// turnAway refuses a peer because too many are joining at once.
func (h *Host) turnAway(p *peer) {
	h.refuse(p, "", room.Refusal{
		Code: room.CodeBusy, Sentence: "too many are joining this room at the same time", Hint: "try again in a few seconds",
	}, "was turned away, because too many are joining at the same time")
}

// refuse tells a peer that it does not get in, and closes the connection. Did tells the
// game host what the peer did, or what happened to it.
func (h *Host) refuse(p *peer, nickname string, r room.Refusal, did string) {
	h.send(p, &message.Refused{Speaker: room.Speaker{Protocol: message.Protocol, Program: h.self.Program}, Refusal: r})
	h.close(p, r.Sentence)
	h.box.Emit(event.JoinFailed{
		Peer: p.id, Addr: p.addr, Nickname: nickname, Code: r.Code,
		Words: wire.Clean(someone(nickname, p.addr)+" "+did, room.MaxSentence),
	})
}

// someone is a person whose name may not be known yet.
func someone(nickname, addr string) string {
	switch {
	case nickname != "":
		return nickname
	case addr != "":
		return "someone at " + addr
	}
	return "someone"
}

// send queues a message to one peer.
func (h *Host) send(p *peer, m message.Message) []byte {
	b := h.encoded(m)
	if b != nil {
		h.box.Send(p.id, b)
	}
	return b
}

// broadcast queues a message to everyone in the room; all share its bytes.
func (h *Host) broadcast(m message.Message) {
	b := h.encoded(m)
	for _, p := range h.peers {
		if b != nil && (p.member != nil || p.stage == spectating && message.Public(m)) {
			h.box.Send(p.id, b)
		}
	}
}

// tellGame queues a message to everyone who is or was in the game.
func (h *Host) tellGame(m message.Message) {
	b := h.encoded(m)
	for _, p := range h.peers {
		if p.member != nil && b != nil && h.round.part(p.member.machine) != nil {
			h.box.Send(p.id, b)
		}
	}
}

// close forgets a peer and has its connection closed.
func (h *Host) close(p *peer, why string) {
	h.box.Close(p.id, wire.Clean(why, room.MaxReason))
	h.forget(p)
}

func (h *Host) forget(p *peer) {
	h.peers = slices.DeleteFunc(h.peers, func(o *peer) bool { return o == p })
}

// reached is where a machine can be reached.
type reached struct {
	addrs []string // as it says itself
	seen  string   // as the game host sees it, with the port
}

// addr is the address that a member came from, without the port.
func (m *member) addr() string { return bare(m.reached.seen) }

// reach is where a member can be reached, as far as is known.
func (m *member) reach() []string {
	if m.reached.seen == "" || slices.Contains(m.reached.addrs, m.reached.seen) {
		return m.reached.addrs
	}
	return append([]string{m.reached.seen}, m.reached.addrs...)
}

// bare is whom an address stands for where it is counted what somebody does: the address without
// its port. A machine can have as many mailboxes at a relay as it likes: so all behind it count
// as one, as do all behind a router.
func bare(addr string) string {
	if relayed(addr) {
		return relay.ShownPlace(addr)
	}
	if name, _, err := net.SplitHostPort(addr); err == nil {
		return name
	}
	return addr
}

// relayed reports whether an address is a mailbox at a relay.
func relayed(addr string) bool {
	_, _, ok := relay.FindPlace(addr)
	return ok
}
