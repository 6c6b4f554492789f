package host

import (
	"net/netip"
	"slices"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
)

// A view bounds what somebody is told of the others. Those who play may have to find each other when
// the game host is gone, and one of them becomes it: they are told where all can be reached, and all
// about the consoles. All others are told neither, but for where the next game host would be, so that
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
	whole := me >= 0 && (me == h.lead.successor || h.round != nil && h.takesPart(p.member))
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
