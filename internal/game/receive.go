package game

import (
	"fmt"
	"time"

	"github.com/nettplay/nettplay/mirror"
)

// Receive takes a datagram from a directly connected machine. An error means that the
// machine breaks the rules, and that the connection to it should be closed.
func (g *Game) Receive(now time.Time, machine int, b []byte) error {
	d := &g.feed.arrived
	if err := d.Decode(b); err != nil {
		return err
	}
	client := g.feed.in[machine]
	if client == nil || d.Round != g.round {
		return nil // of another round, or from someone who just left
	}
	if d.Machine != machine {
		return fmt.Errorf("machine %d speaks as machine %d", machine, d.Machine)
	}
	if err := g.feed.out.Ack(machine, g.believable(d.Acks)); err != nil {
		return err
	}
	fresh, err := g.receiveInputs(client, machine, d)
	if err != nil {
		return err
	}
	g.meterArrivals(now, fresh)
	if !g.feed.clock.on { // in clocked play no delay follows from them
		g.noteArrivals(now, machine, fresh)
	}
	if err := g.report(machine, d); err != nil {
		return err
	}
	switch {
	case g.stamps():
		return nil // what arrived is passed on as it is stamped
	case g.follows():
		g.follow(d)
		return nil
	}
	g.measure(now, machine, d)
	return g.passOn(machine)
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

// passOn passes on what a machine's seats got, on the game host.
func (g *Game) passOn(machine int) error {
	if !g.hosting() {
		return nil
	}
	for _, s := range g.seats {
		if s.owner == machine && !s.vacant() {
			if err := g.offer(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// report takes the frames that a datagram tells, and the game host's horizon.
func (g *Game) report(machine int, d *mirror.Datagram) error {
	for i, f := range d.Frames {
		switch {
		case f.Machine == g.me:
			continue
		case f.Machine != machine && machine != g.host:
			return fmt.Errorf("machine %d reports frames of machine %d", machine, f.Machine)
		case f.Machine != machine && i == 0:
			return fmt.Errorf("machine %d does not report its own frame first", machine)
		case g.hosting() && f.Frame > g.feed.horizon.Frame:
			return fmt.Errorf("machine %d reports frame %d, which nobody can have reached", machine, f.Frame)
		}
		g.feed.pressure.Report(f.Machine, f.Frame)
	}
	if machine == g.host && d.Horizon.Frame > g.feed.horizon.Frame {
		g.feed.horizon = d.Horizon
		g.feed.promise()
	}
	return nil
}

// measure compares our local frame with that of a machine; see [lead].
func (g *Game) measure(now time.Time, machine int, d *mirror.Datagram) {
	var mine, theirs *seat
	for _, s := range g.seats {
		switch {
		case s.mine && mine == nil:
			mine = s
		case s.owner == machine && theirs == nil:
			theirs = s
		}
	}
	if mine == nil || theirs == nil {
		return
	}
	for _, ack := range d.Acks {
		if ack.Seat != mine.number {
			continue
		}
		newest := theirs.queue.Newest()
		seen := newest - int64(theirs.delays.of(newest)) + 1
		behind := g.feed.offsets[machine] - g.feed.offsets[g.me] // that we are to be ahead
		ahead := lead(g.begun, seen, seen, ack.Frame-int64(mine.delays.of(ack.Frame))+1) - float64(behind)
		g.feed.steps[machine].add(ahead + g.pace.overdue(now))
		g.pace.measure(ahead)
	}
}
