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

// How many frames of inputs are kept: how far machines can be apart. In lockstep a console
// that samples inputs is at most MaxBehind frames ahead of the slowest console anywhere, as
// far as it knows, its inputs are the delay ahead of it; the rest is spare. In clocked play
// it is up to reach.
const (
	pastFrames     = 512
	lockstepFrames = 128
)

// past are the inputs of the newest frames that a console has run.
type past struct {
	first  int64 // frame of the seat, of one that came later
	next   int64
	keep   int64 // at most so many of them are kept, up to pastFrames
	inputs [pastFrames]inputdelay.Input
}

// add takes the input of the next frame.
func (p *past) add(frame int64, in inputdelay.Input) {
	p.inputs[frame%pastFrames], p.next = in, frame+1
}

// from is the oldest frame that is kept of a seat, in past or in its queue.
func (s *seat) from() int64 { return s.past.oldest() }

// oldest is the oldest frame that is kept.
func (p *past) oldest() int64 { return max(p.first, p.next-p.keep) }

// input returns a seat's input of a frame from from() to the newest of its queue.
func (s *seat) input(frame int64) (inputdelay.Input, bool) {
	if frame < s.past.next && frame >= s.from() {
		return s.past.inputs[frame%pastFrames], true
	}
	return s.queue.At(frame)
}

// inputs are all that are kept of a seat from a frame on, which is not before from().
func (s *seat) inputs(from int64) []inputdelay.Input {
	var list []inputdelay.Input
	for f := from; f <= s.newest(); f++ {
		in, ok := s.input(f)
		if !ok {
			break
		}
		list = append(list, in)
	}
	return list
}

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

// fillVacant gives a seat whose player has gone the inputs before its end that nobody had to
// tell the new game host: nothing is pressed in them. All would wait for them for ever.
func (g *Game) fillVacant(s *seat) error {
	for frame := s.queue.Newest() + 1; s.vacant() && !g.TakesPart(s.owner) && frame < s.until; frame++ {
		if err := s.queue.Put(frame, inputdelay.Input{}); err != nil {
			return err
		}
	}
	return nil
}

// offerKept hands a seat's inputs from s.offered on to those who mirror it, also those that
// its queue has forgotten.
func (g *Game) offerKept(s *seat) error {
	for _, in := range s.inputs(s.offered) {
		err := g.feed.out.Put(s.number, s.offered, in)
		if s.vacant() && errors.Is(err, inputdelay.ErrFull) {
			break // as with offer
		}
		if err != nil {
			return err
		}
		s.offered++
	}
	return nil
}

// believable returns a machine's acknowledgements, as far as we can have sent it that much: after a
// change of the game host it may have had more from the old one, and of a seat that has left it fills
// in what its own queue has room for.
func (g *Game) believable(acks []mirror.SeatFrame) []mirror.SeatFrame {
	for i := range acks {
		if s := g.seat(acks[i].Seat); !g.feed.moved && (s == nil || !s.vacant()) {
			continue
		}
		if next, ok := g.feed.out.Next(acks[i].Seat); ok {
			acks[i].Frame = min(acks[i].Frame, next-1)
		}
	}
	return acks
}
