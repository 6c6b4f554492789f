package host

import (
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/timeline"
)

// room is what a machine has to say, and hears.
func (n *node) out_() []event.Outgoing {
	if n.host != nil {
		return n.host.Outgoing()
	}
	return n.client.Outgoing()
}

func (r *realm) send(n *node) {
	if n.dead {
		return
	}
	for _, o := range n.out_() {
		w, e := r.pipe(n, o.Peer)
		if w == nil {
			continue
		}
		if o.Data != nil {
			w.queues[1-e] = append(w.queues[1-e], o.Data)
		}
		if o.CloseWhy != "" && !w.slow {
			r.deliver(w) // what was said before
			w.closed = true
			if r.passes(w.ends[0], w.ends[1]) {
				r.gone(w, 1-e, false)
			} else {
				r.gone(w, 1-e, true)
			}
		}
	}
}

func (r *realm) deliver(w *pipe) {
	switch {
	case w.closed, w.slow:
		return
	case r.passes(w.ends[0], w.ends[1]):
		w.silent = time.Time{}
	case w.silent.IsZero():
		w.silent = r.now
		return
	case r.now.Sub(w.silent) > 2*time.Second:
		w.closed = true
		r.gone(w, 0, true)
		r.gone(w, 1, true)
		return
	default:
		return
	}
	for e := range 2 {
		n, queue := r.nodes[w.ends[e]], w.queues[e]
		w.queues[e] = nil
		for _, b := range queue {
			if n.over != "" {
				break
			}
			if n.host != nil {
				n.host.Receive(r.now, w.ids[e], b)
			} else {
				n.client.Receive(r.now, w.ids[e], b)
			}
			r.events(n)
		}
	}
}

// events does what a session does.
func (r *realm) events(n *node) {
	for {
		var list []event.Event
		if n.host != nil {
			list = n.host.Events()
		} else {
			list = n.client.Events()
		}
		if len(list) == 0 {
			return
		}
		for _, e := range list {
			r.event(n, e)
		}
	}
}

func (r *realm) event(n *node, e event.Event) {
	switch e := e.(type) {
	case event.Begin:
		n.applied, n.promised = slices.Clone(e.Decisions), e.Horizon.Frame
	case event.Decided:
		if e.Number != len(n.applied) || e.Decision.Frame < n.promised {
			r.t.Fatalf("seed %d: machine %d has %d decisions and was promised frame %d, and is told number %d: %+v", r.seed, n.name, len(n.applied), n.promised, e.Number, e.Decision)
		}
		n.applied = append(n.applied, e.Decision)
	case event.SaveOrder:
		n.keep(r, e)
	case event.ConnectionLost:
		n.main, n.redial = 0, r.now
	case event.ConnectPeers:
		for _, p := range e.Players {
			if w := r.dial(n.name, p.Machine); w != nil && n.client != nil {
				n.client.PeerConnected(r.now, w.ids[0], fmt.Sprint(p.Machine), [32]byte{})
			}
		}
	case event.Candidacy:
		n.main = 0
		n.client.Vote(e, n.promised, nil)
	case event.HostChanged:
		n.main = e.Peer
		if n.main == 0 {
			n.redial = r.now
		}
	case event.Elected:
		r.send(n)
		n.tells = nil
		for _, m := range r.nodes {
			if m != n {
				n.tells = append(n.tells, m.name)
			}
		}
		n.host, n.client = Promoted(r.now, n.client.Promote(e)), nil
	case event.SeatLeft:
		_, _ = n.host.Decide(r.now, timeline.Decision{Kind: timeline.Leave, Seat: e.Seat, Why: e.Words})
	case event.Ended:
		n.out = true
	case event.JoinAgain:
		n.main, n.redial = 0, r.now
	case event.SteppedDown:
		n.over, n.returns = e.Words, e.Return
	case event.RoomLost:
		n.over = e.Words
	case event.RoomClosed:
		n.over = e.Words
	}
}

// keep writes saves.
func (n *node) keep(r *realm, k event.SaveOrder) {
	n.kept = append(n.kept, k)
	switch {
	case n.host != nil && k.Commit:
		_ = n.host.SavesCommitted(r.now, 1, k.Frame)
	case n.host != nil:
		_ = n.host.SavesWritten(r.now, 1, k.Frame, "")
	case k.Commit:
		_ = n.client.SavesCommitted(r.now, 1, k.Frame)
	default:
		_ = n.client.SavesWritten(r.now, 1, k.Frame, "")
	}
}
