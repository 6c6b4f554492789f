package mirror

import (
	"math/rand/v2"
	"testing"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// wild is an input that no run can shorten: 4 bytes each.
func wild(rng *rand.Rand) inputdelay.Input {
	keys := inputdelay.Keys(rng.Uint32()) | inputdelay.Touch
	return inputdelay.Input{Keys: keys, X: uint8(rng.Uint32()), Y: uint8(rng.Uint32())}.Normal()
}

// encoded is the number of bytes that windows take in a datagram.
func encoded(ws []Window) (n int) {
	for _, w := range ws {
		n += windowHead + len(inputdelay.AppendInputs(nil, w.Inputs))
	}
	return n
}

// With any windows, a datagram stays within its limit, holds the
// oldest inputs, and nothing more would fit into a seat's share.
func TestWindowsFit(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		h := NewHost()
		var seats []ds.Seat
		first := []int64{0, 4, 200, 1 << 40, maxFrame - MaxWindow}[rng.IntN(5)]
		backlog := make(map[int]int)
		for seat := range ds.Seats {
			if rng.IntN(3) == 0 {
				continue
			}
			seats = append(seats, seat)
			h.AddSeat(seat, first)
		}
		h.AddClient(1, seats)
		for _, seat := range seats {
			n := []ds.Seat{0, 1, 8, 100, MaxWindow}[rng.IntN(5)]
			backlog[int(seat)] = int(n)
			for f := range int64(n) {
				must.Succeed(t, h.Put(seat, first+f, wild(rng)))
			}
		}
		d := Datagram{Machine: 3, Frames: []MachineFrame{{3, first}}}
		budget := d.Budget()
		if rng.IntN(2) == 0 {
			budget = 16 + rng.IntN(budget-16)
		}
		d.Windows = h.Windows(1, budget)
		if n := encoded(d.Windows); n > budget {
			t.Fatalf("windows take %d bytes, the budget is %d", n, budget)
		}
		if n := len(d.Append(nil)); n > MaxDatagram {
			t.Fatalf("datagram has %d bytes", n)
		}
		waiting := 0
		for _, n := range backlog {
			waiting += n
		}
		if waiting > 0 && len(d.Windows) == 0 {
			t.Fatalf("%d inputs wait, and nothing is sent with a budget of %d", waiting, budget)
		}
		for i, w := range d.Windows {
			if w.First != first || len(w.Inputs) == 0 || i > 0 && d.Windows[i-1].Seat >= w.Seat {
				t.Fatalf("window %d: seat %d from %d with %d inputs", i, w.Seat, w.First, len(w.Inputs))
			}
		}
		checkShares(t, d.Windows, backlog, first, budget)
	}
}

// checkShares checks that no seat was left short while bytes for more were free,
// or while another one, sent as much or more, was better off.
func checkShares(t *testing.T, ws []Window, backlog map[int]int, first int64, budget int) {
	t.Helper()
	sent := make(map[int]Window)
	for _, w := range ws {
		sent[int(w.Seat)] = w
	}
	const oneMore = 4 + 1 // an input, and a longer count
	for seat, n := range backlog {
		w, ok := sent[seat]
		if len(w.Inputs) == n || !ok {
			continue
		}
		if free := budget - encoded(ws); free >= oneMore+len(backlog) {
			t.Fatalf("seat %d is sent %d of %d inputs while %d bytes are free", seat, len(w.Inputs), n, free)
		}
		for other, v := range sent {
			if encoded([]Window{v}) > encoded([]Window{w})+oneMore+len(backlog) {
				t.Fatalf("seat %d is sent %d of %d inputs, seat %d gets %d", seat, len(w.Inputs), n, other, len(v.Inputs))
			}
		}
	}
}

// With a budget that is far too small for all, every seat still comes through in
// the end.
func TestWindowsWithATinyBudget(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	h := NewHost()
	var seats []ds.Seat
	for seat := range ds.Seats {
		seats = append(seats, seat)
		h.AddSeat(seat, 1<<40)
	}
	h.AddClient(1, seats)
	for _, seat := range seats {
		for f := range int64(20) {
			h.Put(seat, 1<<40+f, wild(rng))
		}
	}
	sends := 0
	for ws := h.Windows(1, 16); len(ws) > 0; ws = h.Windows(1, 16) {
		if n := encoded(ws); n > 16 {
			t.Fatalf("windows take %d bytes, the budget is 16", n)
		}
		var acks []SeatFrame
		for _, w := range ws {
			acks = append(acks, SeatFrame{w.Seat, w.First + int64(len(w.Inputs)) - 1})
		}
		must.Succeed(t, h.Ack(1, acks))
		if sends++; sends > 1000 {
			t.Fatal("no end of sending")
		}
	}
	if seat, n := h.Backlog(1); n > 0 {
		t.Errorf("%d inputs of seat %d were never sent", n, seat)
	}
	for _, budget := range []ds.Seat{0, -1, 5} {
		h.Put(0, 1<<40+20, press(0))
		if ws := h.Windows(1, int(budget)); len(ws) != 0 {
			t.Errorf("a budget of %d bytes gives %v", budget, ws)
		}
	}
}

// The figures that the cost of a game rests on, in bytes of a whole datagram.
func TestDatagramSizes(t *testing.T) {
	still, busy := NewHost(), NewHost()
	const first = 10_000 // some minutes into a game
	for _, h := range []*Host{still, busy} {
		h.AddSeat(1, first)
		h.AddClient(0, []ds.Seat{1})
	}
	script := inputdelay.RandomScript(1, 2000)
	for f := range int64(120) {
		still.Put(1, first+f, press(0))
	}
	const way = 12 // 200 ms from sending to the acknowledgement
	d := Datagram{Machine: 1, Round: 1, Frames: []MachineFrame{{1, first}}, Acks: []SeatFrame{{0, first + 2}, {1, first + 4}}}
	d.Windows = still.Windows(0, d.Budget())
	if n := len(d.Append(nil)); n > 24 {
		t.Errorf("a datagram with a button held for 2 s has %d bytes, want at most 24", n)
	}
	total := 0
	for f := range int64(1200) {
		busy.Put(1, first+f, script.At(f))
		busy.Ack(0, []SeatFrame{{1, first + f - way}})
		d.Windows = busy.Windows(0, d.Budget())
		total += len(d.Append(nil))
	}
	if mean := total / 1200; mean > 45 {
		t.Errorf("a datagram of busy play at 200 ms has %d bytes on average, want at most 45", mean)
	}
	t.Logf("busy play at 200 ms: %d bytes a datagram on average", total/1200)
}
