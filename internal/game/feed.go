package game

import (
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/mirror"
)

// feed is all that machines send each other in each frame: inputs, frames, and how far decisions reach.
type feed struct {
	out       *mirror.Host
	in        [ds.MaxMachines]*mirror.Client // by machine, nil for those that are not directly connected
	pressure  *mirror.Pressure
	horizon   ds.Horizon
	decisions uint32 // applied so far, in order
	promised  int64  // the newest horizon for which all decisions were known
	steps     [ds.MaxMachines]step
	offsets   [ds.MaxMachines]int // how many frames each machine is to play behind the others
	chosen    *autodelay.Preset   // of the automatic input delay, by a player while the game ran; nil: none
	moved     bool                // the game host may not be the one with whom the game began
	mails     mails               // by machine
	buffer    []byte              // for datagrams to send
	arrived   mirror.Datagram     // for those that came
	clock     clocking
}

// informed reports whether all decisions that the horizon counts are known here.
func (f *feed) informed() bool { return f.decisions >= f.horizon.Decisions }

// promise notes how far we may have played with the decisions that we know.
func (f *feed) promise() {
	if f.informed() {
		f.promised = max(f.promised, f.horizon.Frame)
	}
}

// Promised is the newest frame up to which we may have played.
func (g *Game) Promised() int64 { return g.feed.promised }

// Horizon is the frame that no machine may reach yet.
func (g *Game) Horizon() int64 { return g.feed.horizon.Frame }

// SetHorizon is the game host's promise to all machines: no decision but the first
// h.Decisions applies before h.Frame.
func (g *Game) SetHorizon(h ds.Horizon) { g.feed.horizon = h }

// connect sets up who sends which seats to whom. Machines are connected to the game host
// only, which passes on the inputs of all.
func (g *Game) connect(cfg Config) {
	for _, s := range g.seats {
		if g.follows() && s.mine {
			g.feed.out.AddSeat(s.number, cfg.First) // of samples
		} else if s.mine || g.hosting() {
			// The first frames are neutral by definition; nobody sends them.
			g.feed.out.AddSeat(s.number, cfg.First+int64(cfg.Delay))
		}
	}
	for _, m := range cfg.Machines {
		if m == g.me {
			continue
		}
		g.feed.pressure.Add(m)
		g.feed.pressure.Report(m, cfg.First)
		g.mirrorWith(m)
	}
}

// mirrorWith exchanges inputs with a machine, if it is directly connected.
func (g *Game) mirrorWith(m int) {
	switch {
	case g.hosting():
		owned, others := g.split(m)
		if g.feed.clock.on {
			others = seatsBut(nil)
		}
		g.feed.out.AddClient(m, others)
		if g.feed.in[m] == nil {
			g.feed.in[m] = mirror.NewClient(m, owned)
		}
	case m == g.host:
		mine, _ := g.split(g.me)
		g.feed.out.AddClient(m, mine)
		if g.feed.clock.on {
			g.feed.in[m] = mirror.NewClient(m, seatsBut(nil))
		} else {
			g.feed.in[m] = mirror.NewClient(m, seatsBut(mine))
		}
	}
}

// mirrorAll exchanges inputs with all machines that still play.
func (g *Game) mirrorAll() {
	for _, m := range g.Machines() {
		if m != g.me {
			g.mirrorWith(m)
		}
	}
}

// seatsBut are all that there can be but some: the game host may speak of a late joiner's
// before we know of it.
func seatsBut(mine []ds.Seat) (list []ds.Seat) {
	for n := range ds.Seats {
		if !slices.Contains(mine, n) {
			list = append(list, n)
		}
	}
	return list
}

// Drop forgets a machine that is gone: nobody waits for it any more.
func (g *Game) Drop(machine int) {
	g.feed.pressure.Remove(machine)
	g.feed.out.RemoveClient(machine)
	g.feed.in[machine] = nil
	g.feed.mails[machine] = mail{} // another one may get its number
}

// Peers is the number of machines that are directly connected and play.
func (g *Game) Peers() (n int) {
	for _, c := range g.feed.in {
		if c != nil {
			n++
		}
	}
	return n
}

// Solo reports whether no other machine plays.
func (g *Game) Solo() bool { return g.Peers() == 0 }

// Stuck are the machines that have not acknowledged our inputs for far longer than a
// machine can be that keeps to the rules.
func (g *Game) Stuck() []int {
	var list []int
	if g.feed.clock.on {
		return nil // the clock waits for it; see Game.lagging
	}
	for m, c := range g.feed.in {
		if c == nil {
			continue
		}
		if _, frames := g.feed.out.Backlog(m); frames > mirror.MaxWindow/2 {
			list = append(list, m)
		}
	}
	return list
}

// datagram returns the next datagram to a machine.
func (g *Game) datagram(machine int) *mirror.Datagram {
	d := &mirror.Datagram{
		Machine: g.me,
		Round:   g.round,
		Frames:  g.frames(),
		Horizon: g.announced(),
		Acks:    g.acks(machine),
	}
	d.Windows = g.feed.out.Windows(machine, d.Budget())
	return d
}

// frames are the frames that this machine knows of, its own first. Only the game host
// speaks for others, since only it is connected to them.
func (g *Game) frames() []mirror.MachineFrame {
	list := []mirror.MachineFrame{{Machine: g.me, Frame: g.Slowest()}}
	if g.hosting() {
		list = append(list, g.feed.pressure.Frames()...)
	}
	return list
}

func (g *Game) announced() ds.Horizon {
	if g.hosting() {
		return g.feed.horizon
	}
	return ds.Horizon{}
}

// acks tells a machine the newest input that we have of each seat it sends us.
func (g *Game) acks(machine int) []mirror.SeatFrame {
	var list []mirror.SeatFrame
	for _, s := range g.seats {
		switch {
		case g.stamps() && s.owner == machine:
			list = append(list, mirror.SeatFrame{Seat: s.number, Frame: s.stamper.Newest()})
		case g.follows(), !s.mine && (!g.hosting() || s.owner == machine):
			list = append(list, mirror.SeatFrame{Seat: s.number, Frame: s.queue.Newest()})
		}
	}
	return list
}

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
	fresh, err := g.take(client, machine, d)
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

func (g *Game) queue(number ds.Seat) *inputdelay.Queue {
	if s := g.seat(number); s != nil {
		return s.queue
	}
	return nil
}

// Put feeds a seat's console with the input of a frame; for a game that is played again.
func (g *Game) Put(seat ds.Seat, frame int64, in inputdelay.Input) error {
	return g.queue(seat).Put(frame, in)
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
			return fmt.Errorf("machine %d reports frame %d, which nobody may have reached", machine, f.Frame)
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
