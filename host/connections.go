package host

import (
	"fmt"
	"net"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/access"
	"github.com/nettplay/nettplay/host/event"
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
	flood            access.Flood
	chat, pauses     access.Bucket
	program          string
	hello, challenge []byte         // as they were sent
	later            []byte         // what it said to prove the password; see mayProve
	proves           bool           // it is its turn to
	crowded          bool           // it came when too many were on their way: it can only come back
	member           *member        // with inRoom
	spectator        room.Spectator // with watching
}

// installation names the key of the installation at the other end, "" for none.
func (p *peer) installation() string {
	if p.key == [32]byte{} {
		return ""
	}
	return fmt.Sprintf("key %x", p.key)
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
		flood: access.ClientFlood(), chat: access.ChatBucket(access.HostChat), pauses: access.PauseBucket(),
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

// relayed reports whether an address is a mailbox at a relay.
func relayed(addr string) bool {
	_, _, ok := relay.FindPlace(addr)
	return ok
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

// Disconnected tells that a connection is gone, for whatever reason.
func (h *Host) Disconnected(now time.Time, id ds.PeerID, reason string) {
	p := h.peer(id)
	if p == nil || h.phase == room.PhaseClosed {
		return
	}
	now = h.clock.At(now)
	reason = wire.Clean(reason, room.MaxReason)
	h.forget(p)
	if p.stage == spectating {
		h.loseSpectator(p, room.JoinWords("lost the connection", room.Brackets(reason)))
	} else if p.member == nil {
		h.emit(event.JoinFailed{Peer: p.id, Addr: p.addr, Code: room.CodeGone, Words: room.JoinWords(someone("", p.addr), "went away while joining", room.Brackets(reason))})
	} else {
		h.lose(now, p.member, room.JoinWords("lost the connection", room.Brackets(reason)))
	}
	h.flush(now)
}

// Receive takes a message that came on a connection's control channel.
func (h *Host) Receive(now time.Time, id ds.PeerID, msg []byte) {
	p := h.peer(id)
	if p == nil || h.phase == room.PhaseClosed {
		return
	}
	now = h.clock.At(now)
	p.heard = now
	h.take(now, p, msg)
	h.flush(now)
}

const floods = "it sent more than anyone has to say"

// take acts on a message, as registry says.
func (h *Host) take(now time.Time, p *peer, msg []byte) {
	free := p.stage == inRoom && len(msg) > 0 && message.Kind(msg[0]) == uncounted
	if !free && !p.flood.Admit(now, len(msg)) {
		h.expel(now, p, floods)
		return
	}
	h.act(now, p, msg)
}

func (h *Host) act(now time.Time, p *peer, msg []byte) {
	m, err := message.Decode(msg)
	if err != nil {
		h.expel(now, p, err.Error())
		return
	}
	take := registry[message.KindOf(m)][p.stage]
	if take == nil {
		how := [stages]string{"came before hello", "came before join", "is not for a member of the room to say", "is not for a spectator to say"}
		h.expel(now, p, fmt.Sprintf("%v %s", message.KindOf(m), how[p.stage]))
		return
	}
	take(h, now, p, m, msg)
}

// expel closes the connection of a peer that broke the rules.
func (h *Host) expel(now time.Time, p *peer, how string) {
	if h.peer(p.id) != p {
		return // its connection was closed for something else that is wrong with the message
	}
	if p.stage < inRoom {
		h.refuse(p, "", room.Refusal{Code: room.CodeMalformed, Sentence: "the room does not understand your machine: " + how, Hint: "use the same version of nettplay"},
			"sent something that makes no sense: "+how)
		return
	}
	h.drop(now, p, "broke the rules of the room: "+how)
}

// drop closes the connection of somebody in the room who cannot be kept, with what the machine did.
func (h *Host) drop(now time.Time, p *peer, did string) {
	h.dismissPeer(p, message.ClosedDropped, "your machine "+did)
	if p.stage == spectating {
		h.loseSpectator(p, "watches no longer: the machine "+did)
	} else {
		h.lose(now, p.member, "was dropped: the machine "+did)
	}
}

// dismissPeer tells somebody in the room why it is over for them, and closes the connection.
func (h *Host) dismissPeer(p *peer, reason message.CloseReason, words string) {
	h.send(p, &message.Closed{Reason: reason, Why: words})
	h.close(p, words)
}

// sendAway does so for the game host's player, with ban for good.
func (h *Host) sendAway(p *peer, why string, ban bool) {
	if ban {
		h.ban(p)
	}
	h.dismissPeer(p, message.ClosedKicked, room.JoinWords("the game host sent you away", room.Brackets(why)))
}

// refuse tells a peer that it does not get in, and closes the connection. Did tells the
// game host what the peer did, or what happened to it.
func (h *Host) refuse(p *peer, nickname string, r room.Refusal, did string) {
	h.send(p, &message.Refused{Speaker: room.Speaker{Protocol: message.Protocol, Program: h.self.Program}, Refusal: r})
	h.close(p, r.Sentence)
	h.emit(event.JoinFailed{
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

// dropSilent closes the connections of those who do not answer.
func (h *Host) dropSilent(now time.Time) {
	t := h.self.Timeouts
	limits := [stages]time.Duration{awaitHello: t.Hello, awaitJoin: t.Join, inRoom: t.Silence, spectating: t.Silence}
	for _, p := range slices.Clone(h.peers) {
		since, limit := p.since, limits[p.stage]
		if p.stage >= inRoom {
			since = p.heard
		}
		if now.Sub(since) < limit {
			continue
		}
		did := fmt.Sprintf("has said nothing for %v", limit)
		switch {
		case p.stage == inRoom && h.phase == room.PhasePlaying && h.takesPart(p.member):
			h.close(p, "your machine "+did)
			h.connectionLost(now, p)
		case p.stage >= inRoom:
			h.drop(now, p, did)
		case p.later != nil:
			h.refuse(p, "", room.Refusal{
				Code: room.CodeBusy, Sentence: "too many passwords are tried from your address", Hint: "try again in some seconds",
			}, "had no turn: too many passwords are tried from that address")
		default:
			h.refuse(p, "", room.Refusal{
				Code: room.CodeTimeout, Sentence: fmt.Sprintf("your machine did not answer the room for %v", limit), Hint: "try again",
			}, fmt.Sprintf("connected, but did not answer for %v", limit))
		}
	}
}
