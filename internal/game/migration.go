package game

import (
	"errors"
	"slices"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/mirror"
)

// Host migration: when another machine becomes game host, inputs take other ways, and a
// machine that had them from the old game host may be the only one that has them. So each
// machine keeps, of all seats, those that its queue has forgotten: as many as the slowest
// machine can lack.

// Bundle is all inputs that this machine holds, as datagrams.
func (g *Game) Bundle() [][]byte {
	var list [][]byte
	d := mirror.Datagram{Machine: g.me, Round: g.round, Frames: []mirror.MachineFrame{{Machine: g.me, Frame: g.Slowest()}}}
	pack := func() {
		if len(d.Windows) > 0 {
			list, d.Windows = append(list, d.Append(nil)), nil
		}
	}
	left := d.Budget()
	for _, s := range g.seats {
		first := g.lacked(s)
		inputs := s.inputs(first)
		for len(inputs) > 0 {
			const head = 16 // of a window, at most
			n, size := inputdelay.Fit(inputs, left-head)
			if n == 0 || len(d.Windows) > 0 && d.Windows[len(d.Windows)-1].Seat == s.number {
				pack()
				left = d.Budget()
				continue
			}
			d.Windows = append(d.Windows, mirror.Window{Seat: s.number, First: first, Inputs: inputs[:n]})
			inputs, first, left = inputs[n:], first+int64(n), left-head-size
		}
	}
	pack()
	return list
}

// TakeBundle takes inputs that others hold and we may lack. Inputs that contradict ours
// are left out; if they matter, hashes will tell.
func (g *Game) TakeBundle(list [][]byte) {
	_, others := g.split(g.me)
	if g.feed.clock.on {
		others = seatsBut(nil) // ours, too, were stamped elsewhere
	}
	for _, b := range list {
		var d mirror.Datagram
		if d.Decode(b) != nil || d.Round != g.round {
			continue
		}
		d.Windows = slices.DeleteFunc(d.Windows, func(w mirror.Window) bool { return !slices.Contains(others, w.Seat) })
		_, _ = mirror.NewClient(d.Machine, others).Receive(d, g.queue)
	}
}

// Rewire sends and takes inputs as is right with this game host. All inputs that are kept
// are offered to the machines that lack them. A game client goes no further than the frames
// that it has begun before the new game host has promised more: that may not know what an
// earlier one had promised to this machine alone, and decides for frames after its own promise.
func (g *Game) Rewire(gameHost int) error {
	g.host, g.feed.moved = gameHost, true
	if !g.hosting() {
		g.feed.promised = min(g.feed.promised, g.reached())
	}
	g.feed.horizon = ds.Horizon{Frame: g.feed.promised, Decisions: g.feed.decisions}
	g.feed.out, g.feed.in = mirror.NewHost(), [ds.MaxMachines]*mirror.Client{}
	if g.feed.clock.on {
		return g.rewireClocked()
	}
	for _, s := range g.seats {
		if s.mine || g.hosting() {
			g.feed.out.AddSeat(s.number, s.from())
		}
	}
	g.mirrorAll()
	for _, s := range g.seats {
		if !s.mine && !g.hosting() {
			continue
		}
		s.offered = s.from()
		if err := errors.Join(g.fillVacant(s), g.offerKept(s)); err != nil {
			return err
		}
	}
	g.feed.mails.tell(-1)
	return nil
}

// reached is the first frame that this machine has not begun: no console and no player has.
func (g *Game) reached() int64 {
	frame := g.begun
	for _, s := range g.seats {
		frame = max(frame, s.recorded, s.sampled)
	}
	return frame
}
