package app

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/ui/gameview"
	"github.com/nettplay/nettplay/internal/ui/screen/viewer"
)

// roster keeps the stage told of whose consoles there are: players come into a game that
// runs, and leave it. Its methods may be called from any goroutine.
type roster struct {
	stage Stage
	known [ds.MaxSeats]atomic.Bool // a console is on the stage, or was switched off

	mu    sync.Mutex // guards what follows
	plans func() []host.SeatPlan
	names map[int]string
	seats []gameview.Seat
	mine  []int
	away  [ds.MaxSeats]bool // has left, or has not come yet, where a recording stands
	all   bool              // every console is as large as any other: those of somebody who watches
	runs  bool
}

func newRoster(s Stage) *roster { return &roster{stage: s, names: map[int]string{}} }

// begin begins a game with some consoles. mine are the player's own; with none all are
// shown alike, as soon as they have a picture. plans, which may be nil, tell the names of
// those who come later.
func (c *roster) begin(seats []gameview.Seat, mine []int, plans func() []host.SeatPlan) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.known {
		c.known[i].Store(false)
	}
	c.seats, c.mine, c.plans, c.all, c.runs = slices.Clone(seats), slices.Clone(mine), plans, len(mine) == 0, true
	c.away = [ds.MaxSeats]bool{}
	for _, s := range seats {
		c.names[s.Number] = s.Name
		if s.Number >= 0 && s.Number < len(c.known) {
			c.known[s.Number].Store(true)
		}
	}
	c.stage.Begin(c.seats, c.mine)
}

// show shows a frame of a console, which may be that of somebody who has just come.
func (c *roster) show(seat int, frame emucore.Frame) {
	if seat >= 0 && seat < len(c.known) && !c.known[seat].Load() {
		c.enter(seat)
	}
	c.stage.Show(seat, frame)
}

// enter takes one more console onto the stage.
func (c *roster) enter(seat int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.runs || c.known[seat].Swap(true) {
		return
	}
	if c.plans != nil {
		for _, p := range c.plans() {
			c.names[p.Seat] = p.Nickname
		}
	}
	c.seats = append(slices.Clone(c.seats), gameview.Seat{Number: seat, Name: c.names[seat]})
	slices.SortFunc(c.seats, func(a, b gameview.Seat) int { return cmp.Compare(a.Number, b.Number) })
	c.change()
}

// change tells the stage of other seats.
func (c *roster) change() {
	if c.all {
		c.mine = nil
		for _, s := range c.seats {
			c.mine = append(c.mine, s.Number)
		}
	}
	c.stage.Change(c.seats, c.mine)
}

// enlarge lets one console be large and the others small, or with viewer.AllSeats all alike: whose
// are watched is a matter of taste.
func (c *roster) enlarge(seat int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.runs || seat != viewer.AllSeats && !slices.ContainsFunc(c.seats, func(s gameview.Seat) bool { return s.Number == seat }) {
		return
	}
	c.all, c.mine = seat == viewer.AllSeats, []int{seat}
	c.change()
}

// seen are the consoles on the stage, and whose is large.
func (c *roster) seen() (seats []gameview.Seat, large int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all || len(c.mine) != 1 {
		return slices.Clone(c.seats), viewer.AllSeats
	}
	return slices.Clone(c.seats), c.mine[0]
}

// room takes who is in the room now: the consoles of those who are gone leave the stage.
func (c *roster) room(room host.Room) {
	c.mu.Lock()
	defer c.mu.Unlock()
	gone := map[int]bool{}
	for _, p := range room.Players {
		c.names[p.Seat], gone[p.Seat] = p.Nickname, !p.Present && !room.Settings.KeepConsoles
	}
	if !c.runs || room.Phase != host.PhasePlaying {
		return
	}
	c.without(func(seat int) bool { return gone[seat] })
}

// without takes consoles from the stage, but for the player's own.
func (c *roster) without(gone func(seat int) bool) {
	left := slices.DeleteFunc(slices.Clone(c.seats), func(s gameview.Seat) bool {
		return gone(s.Number) && (c.all || !slices.Contains(c.mine, s.Number))
	})
	if len(left) != len(c.seats) && len(left) > 0 {
		c.seats = left
		c.change()
	}
}

// at takes which consoles there are where a recording, or a game that is watched, stands.
// Those of players who have left there, or have not come yet, leave the stage; they are
// back with their next picture when it stands elsewhere.
func (c *roster) at(there []host.SeatPlan) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.runs || len(there) == 0 {
		return
	}
	for n := range c.away {
		away := !slices.ContainsFunc(there, func(p host.SeatPlan) bool { return p.Seat == n })
		if away != c.away[n] {
			c.away[n] = away
			onStage := slices.ContainsFunc(c.seats, func(s gameview.Seat) bool { return s.Number == n })
			c.known[n].Store(away || onStage)
		}
	}
	away := func(seat int) bool { return seat >= 0 && seat < len(c.away) && c.away[seat] }
	c.all = c.all || slices.ContainsFunc(c.mine, away)
	c.without(away)
}

// end is for a game that is over.
func (c *roster) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.runs = false
}
