package membership

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
)

// While a game runs its clients keep a peer link to each other, so that they need not look for
// ways when the game host is gone: routers in between were opened long before. Of each two the
// lower machine dials. The links are to those who play only, as where they are is for nobody
// else.

const (
	standbyFirst = 10 * time.Second // between the first two attempts to open a peer link
	standbyLast  = 2 * time.Minute  // between later ones, at most
)

// standby holds the times of tries to open peer links.
type standby struct {
	absent room.MachineSet // machines that were tried
	tried  int
	at     time.Time // of the next attempt
}

// stays reports whether a peer link is kept while the game host is there.
func (v ElectionView) stays(k *Link) bool {
	if k.told == nil || k.told.Machine == v.Lead.Host {
		return false
	}
	return slices.ContainsFunc(v.Lead.Players, func(p room.Player) bool { return p.Machine == k.told.Machine && p.Present })
}

// tendStandby keeps peer links to those who play.
func (e *Election) tendStandby(now time.Time, v ElectionView) {
	if v.HostLost || !v.Plays {
		return
	}
	e.dropDoubles(v)
	status := e.status(v)
	for _, k := range e.links {
		if k.told != nil && *status != k.said {
			e.greet(k, v)
		}
	}
	var list []room.Player
	absent := room.MachineSet(0)
	for _, p := range e.absent(v) {
		if p.Machine > v.Machine && v.Playing.Has(p.Machine) {
			list, absent = append(list, p), absent.With(p.Machine)
		}
	}
	if absent != e.standby.absent {
		e.standby = standby{absent: absent, at: now}
	}
	if len(list) == 0 || now.Before(e.standby.at) {
		return
	}
	e.standby.at = now.Add(min(standbyFirst<<min(e.standby.tried, 8), standbyLast))
	e.standby.tried++
	e.out.Emit(event.ConnectPeers{Players: list})
}

// dropDoubles keeps one peer link to each machine, the newest: the other one opens another when
// it has lost the last. The lower machine of the two decides, so that they keep the same.
func (e *Election) dropDoubles(v ElectionView) {
	for i := len(e.links) - 1; i >= 0; i-- {
		k := e.links[i]
		if k.told == nil || k.told.HostLost || k.told.Machine < v.Machine {
			continue
		}
		newer := func(o *Link) bool { return o.told != nil && o.told.Machine == k.told.Machine }
		if slices.ContainsFunc(e.links[i+1:], newer) {
			e.Drop(k, "another connection is there")
		}
	}
}

// Higher are the connections to machines of a higher number that have proven to be there, by
// machine.
func (e *Election) Higher(me int) map[int]ds.PeerID {
	list := map[int]ds.PeerID{}
	for _, k := range e.links {
		if k.told != nil && k.told.Machine > me {
			list[k.told.Machine] = k.ID
		}
	}
	return list
}

// To returns the peer link to a machine that has proven to be there, nil for none.
func (e *Election) To(machine int) *Link {
	i := slices.IndexFunc(e.links, func(k *Link) bool { return k.told != nil && k.told.Machine == machine })
	if i < 0 {
		return nil
	}
	return e.links[i]
}

// Keep notes what somebody says who takes us for the game host. We may hear that we are
// a moment later.
func (e *Election) Keep(k *Link, msg []byte) {
	if k.told == nil || k.early != nil {
		e.Drop(k, "this machine is not the game host")
		return
	}
	k.early = slices.Clone(msg)
}
