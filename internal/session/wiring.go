package session

import (
	"slices"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/mirror"
)

// Who sends whose inputs to whom.

// connect sets up who sends which seats to whom. Machines are connected to the
// game host only, which passes on the inputs of all.
func (g *game) connect(cfg gameConfig) {
	for _, s := range g.seats {
		if s.mine || g.hosting {
			// The first frames are neutral by definition; nobody sends them.
			g.out.AddSeat(s.number, cfg.first+int64(cfg.delay))
		}
	}
	for _, m := range cfg.machines {
		if m == g.me {
			continue
		}
		g.pressure.Add(m)
		g.pressure.Report(m, cfg.first)
		if g.hosting || m == g.host {
			owned, others := g.split(m)
			if g.hosting {
				g.out.AddClient(m, others)
				g.in[m] = mirror.NewClient(m, owned)
			} else {
				mine, _ := g.split(g.me)
				g.out.AddClient(m, mine)
				g.in[m] = mirror.NewClient(m, seatsBut(mine))
			}
		}
	}
}

// seatsBut are all that there can be but some: the game host may speak of a newcomer's
// before we know of it.
func seatsBut(mine []int) (list []int) {
	for n := range ds.MaxSeats {
		if !slices.Contains(mine, n) {
			list = append(list, n)
		}
	}
	return list
}

// split tells the seats of a machine from those of all others.
func (g *game) split(machine int) (owned, others []int) {
	for _, s := range g.seats {
		if s.owner == machine {
			owned = append(owned, s.number)
		} else {
			others = append(others, s.number)
		}
	}
	return owned, others
}
