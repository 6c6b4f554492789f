package session

import (
	"errors"
	"slices"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/mirror"
)

// What a game needs for another machine to become its game host: then inputs take other
// ways, and whoever had them from the old game host may be the only one who has them.
// So each machine keeps, of all seats, those that its line has forgotten: as many as the
// slowest machine can lack.

// pastFrames is how far machines can be apart. A console that samples inputs is at most
// MaxBehind frames ahead of the slowest console anywhere, as far as it knows, its inputs
// are the delay ahead of it; the rest is spare.
const pastFrames = 128

// past are the inputs of the newest frames that a console has run.
type past struct {
	next   int64
	inputs [pastFrames]inputdelay.Input
}

// add takes the input of the next frame.
func (p *past) add(frame int64, in inputdelay.Input) {
	p.inputs[frame%pastFrames], p.next = in, frame+1
}

// from is the oldest frame that is kept of a seat, in past or on its line.
func (s *seat) from() int64 { return max(0, s.past.next-pastFrames) }

// input is what a seat gets in a frame from from() to the newest of its line.
func (s *seat) input(frame int64) (inputdelay.Input, bool) {
	if frame < s.past.next && frame >= s.from() {
		return s.past.inputs[frame%pastFrames], true
	}
	return s.line.At(frame)
}

// inputs are all that are kept of a seat, from the frame from() on.
func (s *seat) inputs() []inputdelay.Input {
	var list []inputdelay.Input
	for f := s.from(); f <= s.newest(); f++ {
		in, ok := s.input(f)
		if !ok {
			break
		}
		list = append(list, in)
	}
	return list
}

// promise notes how far we may have played with the decisions that we know.
func (g *game) promise() {
	if g.decisions >= g.horizon.Decisions {
		g.promised = max(g.promised, g.horizon.Frame)
	}
}

// bundle is all inputs that this machine holds, as datagrams.
func (g *game) bundle() [][]byte {
	var list [][]byte
	d := mirror.Datagram{Machine: g.me, Round: g.round, Frames: []mirror.MachineFrame{{Machine: g.me, Frame: g.slowest()}}}
	pack := func() {
		if len(d.Windows) > 0 {
			list, d.Windows = append(list, d.Append(nil)), nil
		}
	}
	left := d.Budget()
	for _, s := range g.seats {
		inputs, first := s.inputs(), s.from()
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

// takeBundle takes inputs that others hold and we may lack. What does not fit to what is
// here is left out; if it matters, hashes will tell.
func (g *game) takeBundle(list [][]byte) {
	_, others := g.split(g.me)
	for _, b := range list {
		var d mirror.Datagram
		if d.Decode(b) != nil || d.Round != g.round {
			continue
		}
		d.Windows = slices.DeleteFunc(d.Windows, func(w mirror.Window) bool { return !slices.Contains(others, w.Seat) })
		_, _ = mirror.NewClient(d.Machine, others).Receive(d, g.line)
	}
}

// rewire sends and takes inputs as is right with this game host. All inputs that are kept
// are offered to whoever lacks them.
func (g *game) rewire(gameHost int) error {
	g.host, g.hosting, g.moved = gameHost, gameHost == g.me, true
	g.horizon = mirror.Horizon{Frame: g.promised, Decisions: g.decisions}
	g.out, g.in = mirror.NewHost(), make(map[int]*mirror.Client)
	for _, s := range g.seats {
		if s.mine || g.hosting {
			g.out.AddSeat(s.number, s.from())
		}
	}
	mine, _ := g.split(g.me)
	for _, m := range g.machines() {
		switch {
		case m == g.me:
		case g.hosting:
			owned, others := g.split(m)
			g.out.AddClient(m, others)
			g.in[m] = mirror.NewClient(m, owned)
		case m == gameHost:
			g.out.AddClient(m, mine)
			g.in[m] = mirror.NewClient(m, seatsBut(mine))
		}
	}
	for _, s := range g.seats {
		if !s.mine && !g.hosting {
			continue
		}
		s.offered = s.from()
		for _, in := range s.inputs() {
			err := g.out.Put(s.number, s.offered, in)
			if s.vacant() && errors.Is(err, inputdelay.ErrFull) {
				break // as with offer
			}
			if err != nil {
				return err
			}
			s.offered++
		}
	}
	g.changed = true
	return nil
}

// believable is what a machine says that it holds, as far as we can have sent it: after a
// change of the game host it may have had more from the old one, and of a seat that has
// left it fills in what its own line has room for.
func (g *game) believable(acks []mirror.SeatFrame) []mirror.SeatFrame {
	for i := range acks {
		if s := g.seat(acks[i].Seat); !g.moved && (s == nil || !s.vacant()) {
			continue
		}
		if next, ok := g.out.Next(acks[i].Seat); ok {
			acks[i].Frame = min(acks[i].Frame, next-1)
		}
	}
	return acks
}
