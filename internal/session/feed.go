package session

import (
	"fmt"
	"time"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/mirror"
)

// How often a machine speaks to each other machine: at once when it has
// something new, but not more often than flood, and every beat when it has not, so
// that what was lost is sent again.
const (
	flood = time.Millisecond
	beat  = 16 * time.Millisecond
)

// due is how long the next datagrams are not to be sent yet.
func (g *game) due(now time.Time) time.Duration {
	every := beat
	if g.changed {
		every = flood
	}
	return g.sent.Add(every).Sub(now)
}

// datagrams encodes what to send now and hands it to send, once for each
// directly connected machine, in rising order. The bytes are valid until send
// returns.
func (g *game) datagrams(now time.Time, send func(machine int, b []byte)) {
	g.sent, g.changed = now, false
	for m := range ds.MaxMachines {
		if g.in[m] == nil {
			continue
		}
		d := mirror.Datagram{
			Machine: g.me,
			Round:   g.round,
			Frames:  g.frames(),
			Horizon: g.announced(),
			Acks:    g.acks(m),
		}
		d.Windows = g.out.Windows(m, d.Budget())
		g.buffer = d.Append(g.buffer[:0])
		send(m, g.buffer)
	}
}

// frames are the frames that this machine knows of, its own first. Only the
// game host speaks for others, since only it is connected to them.
func (g *game) frames() []mirror.MachineFrame {
	list := []mirror.MachineFrame{{Machine: g.me, Frame: g.slowest()}}
	if g.hosting {
		list = append(list, g.pressure.Frames()...)
	}
	return list
}

func (g *game) announced() mirror.Horizon {
	if g.hosting {
		return g.horizon
	}
	return mirror.Horizon{}
}

// acks tells a machine the newest input that we have of each seat it sends us.
func (g *game) acks(machine int) []mirror.SeatFrame {
	var list []mirror.SeatFrame
	for _, s := range g.seats {
		if !s.mine && (!g.hosting || s.owner == machine) {
			list = append(list, mirror.SeatFrame{Seat: s.number, Frame: s.line.Newest()})
		}
	}
	return list
}

// receive takes a datagram from a directly connected machine. An error means
// that the machine breaks the rules, and that the line to it should be closed.
func (g *game) receive(machine int, b []byte) error {
	d := &g.arrived
	if err := d.Decode(b); err != nil {
		return err
	}
	client := g.in[machine]
	if client == nil || d.Round != g.round {
		return nil // of another round, or from someone who just left
	}
	if d.Machine != machine {
		return fmt.Errorf("machine %d speaks as machine %d", machine, d.Machine)
	}
	if err := g.out.Ack(machine, g.believable(d.Acks)); err != nil {
		return err
	}
	if _, err := client.Receive(*d, g.line); err != nil {
		return err
	}
	if err := g.report(machine, d); err != nil {
		return err
	}
	g.measure(machine, d)
	return g.relay(machine)
}

func (g *game) line(number int) *inputdelay.Queue {
	if s := g.seat(number); s != nil {
		return s.line
	}
	return nil
}

// relay passes on what a machine's seats got, on the game host.
func (g *game) relay(machine int) error {
	if !g.hosting {
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
func (g *game) report(machine int, d *mirror.Datagram) error {
	for i, f := range d.Frames {
		switch {
		case f.Machine == g.me:
			continue
		case f.Machine != machine && machine != g.host:
			return fmt.Errorf("machine %d reports frames of machine %d", machine, f.Machine)
		case f.Machine != machine && i == 0:
			return fmt.Errorf("machine %d does not report its own frame first", machine)
		case g.hosting && f.Frame > g.horizon.Frame:
			return fmt.Errorf("machine %d reports frame %d, which nobody may have reached", machine, f.Frame)
		}
		g.pressure.Report(f.Machine, f.Frame)
	}
	if machine == g.host && d.Horizon.Frame > g.horizon.Frame {
		g.horizon = d.Horizon
		g.promise()
	}
	return nil
}

// measure compares our local frame with that of a machine; see [lead].
func (g *game) measure(machine int, d *mirror.Datagram) {
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
		delay := int64(mine.line.Delay())
		seen := theirs.line.Newest() - delay + 1
		g.pace.measure(lead(g.begun, seen, seen, ack.Frame-delay+1))
	}
}
