package host

import (
	"net/netip"
	"slices"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// Room is the room as it is now, as this machine's players see it.
func (h *Host) Room() room.Room { return h.seenBy(h.me) }

// Roster is all players by seat.
func (h *Host) Roster() []room.Player { return h.Room().Players }

// Me is the game host's own player.
func (h *Host) Me() room.Player { return h.player(h.own()) }

// seenBy is the room as it is now. The players at a machine are told in the second person what
// holds them up.
func (h *Host) seenBy(machine int) room.Room {
	r := room.Room{Settings: h.settings.Clone(), Phase: h.phase, Revision: h.revision, Host: h.me, Epoch: h.lead.epoch, Voters: h.lead.voters}
	if h.round != nil {
		r.Round = h.round.number
	}
	for _, m := range h.members {
		p := h.player(m)
		if m.machine == machine {
			p.Cause, p.Problem = h.problem(m, "")
			p.Problem = wire.Clean(p.Problem, room.MaxSentence)
		}
		r.Players = append(r.Players, p)
	}
	r.Spectators = h.Spectators()
	return r
}

func (h *Host) player(m *member) room.Player {
	beat := m.beat
	beat.Up, beat.Down = m.status.Up, m.status.Down
	beat.Depth, beat.OwnDelay = m.status.Depth, m.status.OwnDelay
	if m.local == 0 {
		beat.Paths = m.status.Paths // told with a machine's first player
	}
	if h.phase != room.PhasePlaying {
		beat.Repeated = 0
	}
	cause, problem := h.problem(m, m.nickname)
	return room.Player{
		Machine: m.machine, Seat: m.seat, Nickname: m.nickname, Firmware: m.firmware,
		ROM: h.romOf(m), OwnROM: (m.rom != nil || h.primary(m).rom != nil) && m != h.own(), Ready: h.ready(m) || h.inGame(m), Problem: wire.Clean(problem, room.MaxSentence), Cause: cause,
		Note: h.note(m), Program: m.program, Present: m.present,
		Local: m.local, Sign: m.sign, Key: h.primary(m).key, Build: h.primary(m).build.core.SHA256, Addrs: m.reach(), Beat: beat,
	}
}

// note is what others should know of a player.
func (h *Host) note(m *member) string {
	if m.local > 0 || m.build.core.SHA256 == h.settings.Core.SHA256 {
		return m.note
	}
	words := room.BuildWords(m.nickname, h.comparedEvery())
	if m.note != "" {
		words = m.note + "; " + words
	}
	return wire.Clean(words, room.MaxSentence)
}

// comparedEvery is how many frames pass between two comparisons of a game: one, where builds differ from
// its start on.
func (h *Host) comparedEvery() int {
	if h.round == nil && h.buildsDiffer() {
		return 1
	}
	return h.settings.HashEvery
}

// buildsDiffer reports whether those who are here have different builds of the core.
func (h *Host) buildsDiffer() bool {
	return slices.ContainsFunc(h.here(), func(m *member) bool {
		return h.primary(m).build.core.SHA256 != h.settings.Core.SHA256
	})
}

// A view bounds what somebody is told of the others. Those who play may have to find each other when
// the game host is gone, and one of them becomes it: they are told where all can be reached, and all
// about the consoles. So is who is to take over the room: nobody could tell it when the game host is lost.
// All others are told neither, but for where the next game host of a game would be, so that
// they can follow. The keys of installations are for players. Addresses of a local network are for
// those in it.

// roomFor is the room as it is told at the other end of a connection.
func (h *Host) roomFor(p *peer) room.Room {
	me := -1
	if p.member != nil {
		me = p.member.machine
	}
	r := h.seenBy(me)
	next := h.lead.successor
	if m := h.nextHost(); m != nil && h.phase == room.PhasePlaying {
		next = m.machine
	}
	whole := me >= 0 && (me == h.lead.successor || h.succeeds(me) || h.round != nil && h.takesPart(p.member))
	for i := range r.Players {
		o := &r.Players[i]
		if p.member == nil {
			o.Key = [32]byte{}
		}
		switch {
		case o.Machine == me:
			continue
		case !whole:
			o.Firmware.MAC = [6]byte{}
		}
		if whole || o.Machine == next {
			o.Addrs = reachableFrom(p.addr, h.members[i].reached.seen, o.Addrs)
		} else {
			o.Addrs = nil
		}
	}
	return r
}

// reachableFrom leaves out addresses of a local network, unless they are told to somebody in
// the same: both were seen at one address, which is no relay's, or both were seen at local ones.
func reachableFrom(from, seen string, addrs []string) []string {
	at := bare(seen)
	if at == from && !relayed(seen) || isLocal(from) && (at == "" || isLocal(at)) {
		return addrs
	}
	return slices.DeleteFunc(slices.Clone(addrs), func(a string) bool { return isLocal(bare(a)) })
}

// isLocal reports whether an address is one of a local network, or of a machine for itself.
func isLocal(addr string) bool {
	ip, err := netip.ParseAddr(addr)
	return err == nil && ds.IsLocal(ip)
}

// Peer is the connection to a machine that is in the room.
func (h *Host) Peer(machine int) (ds.PeerID, bool) {
	if m := h.first(machine); m != nil && m.peer != nil {
		return m.peer.id, true
	}
	return 0, false
}

// Machine is the machine at the other end of a connection, when it is in the room.
func (h *Host) Machine(id ds.PeerID) (int, bool) {
	if p := h.peer(id); p != nil && p.member != nil {
		return p.member.machine, true
	}
	return 0, false
}

// Belongs tells whether somebody in the room is at the other end of a connection: a player
// or a spectator.
func (h *Host) Belongs(id ds.PeerID) bool {
	p := h.peer(id)
	return p != nil && p.stage >= inRoom
}

// Plays tells whether a machine of the game, or of one that is prepared, is at the other end of a
// connection.
func (h *Host) Plays(id ds.PeerID) bool {
	p := h.peer(id)
	return p != nil && p.member != nil && h.round != nil && h.takesPart(p.member)
}
