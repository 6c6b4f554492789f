package game

import (
	"errors"
	"slices"
	"time"

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

// lacked is the oldest frame of a seat that another machine may lack, as far as we know.
func (g *Game) lacked(s *seat) int64 {
	_, slowest, ok := g.feed.pressure.Slowest()
	if !g.feed.clock.on || !ok {
		return s.past.oldest()
	}
	return min(max(s.past.oldest(), slowest), s.newest()+1)
}

// AddBundle takes inputs that others hold and we may lack. Inputs that contradict ours
// are left out; if they matter, hashes will tell.
func (g *Game) AddBundle(list [][]byte) {
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
			g.feed.out.AddSeat(s.number, s.past.oldest())
		}
	}
	g.mirrorAll()
	for _, s := range g.seats {
		if !s.mine && !g.hosting() {
			continue
		}
		s.offered = s.past.oldest()
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

// In clocked play another machine stamps on where the earlier game host has ended.

// rewireClocked is Rewire for clocked play.
//
// No frame is stamped twice differently for those whose inputs the new game host knows: it
// goes on after the newest frame that any of them had ([Game.AddBundle]), and a machine that
// gives its vote takes nothing more from the earlier game host. A machine that is not among
// them may have inputs that nobody else has. It forgets those that it has not played. If it
// has played some, it is not like the others, which shows as any desync does, and is repaired
// as one.
func (g *Game) rewireClocked() error {
	g.feed.clock.starved, g.pace.lead, g.pace.follows = time.Time{}, 0, g.follows()
	if g.hosting() {
		return g.startStamping()
	}
	for _, s := range g.seats {
		s.queue.Retract(s.recorded)
		s.stamper = nil
		if s.mine {
			g.feed.out.AddSeat(s.number, g.begun)
		}
	}
	g.mirrorWith(g.host)
	for _, s := range g.seats {
		if !s.mine || s.vacant() {
			continue
		}
		from := max(s.own.oldest(), s.queue.Newest()-int64(g.Delay()))
		for frame := from; frame < s.own.next; frame++ {
			if err := g.sendSample(s, frame, s.own.inputs[frame%pastFrames]); err != nil {
				return err
			}
		}
	}
	g.feed.mails.tell(-1)
	return nil
}

// startStamping has this machine stamp from now on, where the earlier game host has ended.
func (g *Game) startStamping() error {
	delay, next := g.Delay(), int64(0)
	for _, s := range g.seats {
		if !s.vacant() {
			next = max(next, s.queue.Newest()+1)
		}
	}
	g.begun = max(0, next-int64(delay))
	for _, s := range g.seats {
		last, _ := s.input(s.queue.Newest())
		if err := s.queue.Continue(g.begun, delay, last); err != nil {
			return err
		}
		s.stamper = inputdelay.NewStamper(g.begun, last)
		for frame := max(g.begun, s.own.oldest()); s.mine && frame < s.own.next; frame++ {
			s.stamper.Sample(frame, s.own.inputs[frame%pastFrames])
		}
		s.offered = max(s.past.oldest(), s.newest()+1-reach)
		g.feed.out.AddSeat(s.number, s.offered)
	}
	g.mirrorAll()
	for _, s := range g.seats {
		if err := errors.Join(g.fillVacant(s), g.offerKept(s)); err != nil {
			return err
		}
	}
	g.feed.mails.tell(-1)
	return nil
}
