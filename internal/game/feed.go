package game

import (
	"slices"

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

// Solo reports whether no other machine that plays is directly connected.
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
