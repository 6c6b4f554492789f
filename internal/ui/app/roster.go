package app

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/gameview"
	"github.com/nettplay/nettplay/internal/ui/screen/viewer"
)

// GameIO shows a game that runs and tells what the player presses.
type GameIO interface {
	// Begin prepares for a game with consoles in some seats, of which mine are the
	// player's own. It is called on the session's goroutine and must not block.
	Begin(consoles []gameview.Console, mine []ds.Seat)
	// Change is for other consoles in the same game, on any goroutine.
	Change(consoles []gameview.Console, mine []ds.Seat)
	// Show takes a frame of a console, on the console's goroutine.
	Show(seat ds.Seat, frame emucore.Frame)
	// Input returns the player's input for one of this machine's consoles, asked once for each frame in
	// order, on the session's goroutine. It must not block.
	Input(console int, frame int64) emucore.Input
	// Notice takes what the session tells, on the session's goroutine.
	Notice(n notice.Notice)
}

// roster tells the game's I/O whose consoles there are: players come into a game that
// runs, and leave it. Any goroutine may call its methods.
type roster struct {
	game  GameIO
	known [ds.MaxSeats]atomic.Bool // show need not ask: the console is shown, or hidden on purpose

	mu       sync.Mutex // guards what follows
	plans    func() []room.SeatPlan
	players  map[ds.Seat]gameview.Console // as the room, or the recording, knows them
	consoles []gameview.Console           // that are shown, by seat
	mine     []ds.Seat
	absent   [ds.MaxSeats]bool // has left, or has not come yet, where a recording stands
	alike    bool              // no console is larger than the others: a spectator's
	runs     bool
}

func newRoster(game GameIO) *roster {
	return &roster{game: game, players: map[ds.Seat]gameview.Console{}}
}

// begin begins a game with some consoles, of which mine are the player's own. Without own
// consoles all are alike. plans, which may be nil, knows the names of players who come
// later.
func (r *roster) begin(consoles []gameview.Console, mine []ds.Seat, plans func() []room.SeatPlan) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.known {
		r.known[i].Store(false)
	}
	r.consoles, r.mine, r.plans, r.alike, r.runs = slices.Clone(consoles), slices.Clone(mine), plans, len(mine) == 0, true
	r.absent = [ds.MaxSeats]bool{}
	for _, c := range consoles {
		r.players[c.Seat] = c
		if c.Seat >= 0 && c.Seat < ds.MaxSeats {
			r.known[c.Seat].Store(true)
		}
	}
	r.game.Begin(r.consoles, r.mine)
}

// show shows a frame of a console. Its player may just have come.
func (r *roster) show(seat ds.Seat, frame emucore.Frame) {
	if seat >= 0 && seat < ds.MaxSeats && !r.known[seat].Load() {
		r.enter(seat)
	}
	r.game.Show(seat, frame)
}

// enter adds a console.
func (r *roster) enter(seat ds.Seat) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.runs || r.known[seat].Swap(true) {
		return
	}
	if r.plans != nil {
		for _, p := range r.plans() {
			r.players[p.Seat] = gameview.Console{Seat: p.Seat, Name: p.Nickname, Colour: p.Firmware.Colour}
		}
	}
	entered := r.players[seat]
	entered.Seat = seat
	r.consoles = append(slices.Clone(r.consoles), entered)
	slices.SortFunc(r.consoles, func(a, b gameview.Console) int { return cmp.Compare(a.Seat, b.Seat) })
	r.change()
}

// change tells the game's I/O of other consoles.
func (r *roster) change() {
	if r.alike {
		r.mine = nil
		for _, c := range r.consoles {
			r.mine = append(r.mine, c.Seat)
		}
	}
	r.game.Change(r.consoles, r.mine)
}

// shows reports whether a seat's console is shown.
func (r *roster) shows(seat ds.Seat) bool {
	return slices.ContainsFunc(r.consoles, func(c gameview.Console) bool { return c.Seat == seat })
}

// enlarge makes one console large and the others small, or with AllSeats all alike: a
// spectator chooses.
func (r *roster) enlarge(seat ds.Seat) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.runs || seat != viewer.AllSeats && !r.shows(seat) {
		return
	}
	r.alike, r.mine = seat == viewer.AllSeats, []ds.Seat{seat}
	r.change()
}

// shown returns the consoles that are shown, and the seat of the large one, or AllSeats.
func (r *roster) shown() (consoles []gameview.Console, large ds.Seat) {
	r.mu.Lock()
	defer r.mu.Unlock()
	large = viewer.AllSeats
	if !r.alike && len(r.mine) == 1 {
		large = r.mine[0]
	}
	return slices.Clone(r.consoles), large
}

// room takes the present state of the room: the consoles of players who have left it go.
func (r *roster) room(now room.Room) {
	r.mu.Lock()
	defer r.mu.Unlock()
	gone := map[ds.Seat]bool{}
	for _, p := range now.Players {
		r.players[p.Seat] = gameview.Console{Seat: p.Seat, Name: p.Nickname, Colour: p.Firmware.Colour}
		gone[p.Seat] = !p.Present && !now.Settings.KeepConsoles
	}
	if r.runs && now.Phase == room.PhasePlaying {
		r.remove(func(seat ds.Seat) bool { return gone[seat] })
	}
}

// remove takes consoles away, but for the player's own.
func (r *roster) remove(gone func(ds.Seat) bool) {
	left := slices.DeleteFunc(slices.Clone(r.consoles), func(c gameview.Console) bool {
		return gone(c.Seat) && (r.alike || !slices.Contains(r.mine, c.Seat))
	})
	if len(left) != len(r.consoles) && len(left) > 0 {
		r.consoles = left
		r.change()
	}
}

// at takes the consoles that there are where a recording, or a game that is watched,
// stands. Consoles of players who have left there, or have not come yet, go; they are back
// with their next picture when the recording stands elsewhere.
func (r *roster) at(there []room.SeatPlan) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.runs || len(there) == 0 {
		return
	}
	for seat := range ds.Seat(ds.MaxSeats) {
		absent := !slices.ContainsFunc(there, func(p room.SeatPlan) bool { return p.Seat == seat })
		if absent != r.absent[seat] {
			r.absent[seat] = absent
			r.known[seat].Store(absent || r.shows(seat))
		}
	}
	absent := func(seat ds.Seat) bool { return seat >= 0 && seat < ds.MaxSeats && r.absent[seat] }
	r.alike = r.alike || slices.ContainsFunc(r.mine, absent)
	r.remove(absent)
}

// end takes note that the game is over.
func (r *roster) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.runs = false
}
