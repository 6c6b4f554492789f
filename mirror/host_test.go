package mirror

import (
	"errors"
	"math"
	"testing"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// putFrames puts inputs into a seat, one a frame; the input of frame f holds
// button f%12.
func putFrames(t *testing.T, h *Host, seat ds.Seat, from, to int64) {
	t.Helper()
	for f := from; f < to; f++ {
		must.Succeed(t, h.Put(seat, f, press(int(f))))
	}
}

// wantWindow checks that exactly the frames from to to-1 of one seat go to a
// machine.
func wantWindow(t *testing.T, h *Host, machine int, seat ds.Seat, from, to int64) {
	t.Helper()
	var got *Window
	for _, w := range h.Windows(machine, MaxDatagram) {
		if w.Seat == seat {
			got = &w
		}
	}
	if got == nil {
		if from < to {
			t.Errorf("machine %d is sent nothing of seat %d, want frames %d to %d", machine, seat, from, to-1)
		}
		return
	}
	if got.First != from || int64(len(got.Inputs)) != to-from {
		t.Errorf("machine %d is sent frames %d to %d of seat %d, want %d to %d",
			machine, got.First, got.First+int64(len(got.Inputs))-1, seat, from, to-1)
	}
	for i, in := range got.Inputs {
		if want := press(int(got.First) + i); in != want {
			t.Errorf("frame %d of seat %d is sent as %v, want %v", got.First+int64(i), seat, in, want)
		}
	}
}

func TestHostSendsUntilAcknowledged(t *testing.T) {
	h := NewHost()
	h.AddSeat(0, 4)
	h.AddClient(1, []ds.Seat{0})
	h.AddClient(2, []ds.Seat{0})
	wantWindow(t, h, 1, 0, 4, 4)
	putFrames(t, h, 0, 4, 10)
	for range 2 {
		wantWindow(t, h, 1, 0, 4, 10)
	}
	must.Succeed(t, h.Ack(1, []SeatFrame{{0, 6}}))
	wantWindow(t, h, 1, 0, 7, 10)
	wantWindow(t, h, 2, 0, 4, 10)
	for _, old := range []int64{6, 3, 0, -1, math.MinInt64} { // late ones
		must.Succeed(t, h.Ack(1, []SeatFrame{{0, old}}))
	}
	wantWindow(t, h, 1, 0, 7, 10)
	h.Ack(1, []SeatFrame{{0, 9}})
	wantWindow(t, h, 1, 0, 10, 10)
	putFrames(t, h, 0, 10, 11)
	wantWindow(t, h, 1, 0, 10, 11)
	wantWindow(t, h, 2, 0, 4, 11)
}

func TestPutRefuses(t *testing.T) {
	h := NewHost()
	h.AddSeat(3, 10)
	for _, tt := range []struct {
		seat  ds.Seat
		frame int64
	}{{3, 9}, {3, 11}, {3, math.MinInt64}, {3, math.MaxInt64}, {2, 10}, {-1, 10}, {16, 10}} {
		if err := h.Put(ds.Seat(tt.seat), tt.frame, press(0)); err == nil || errors.Is(err, ErrPeer) {
			t.Errorf("Put(%d, %d) = %v, want an error, and not of the peer", tt.seat, tt.frame, err)
		}
	}
	if f, ok := h.Next(3); f != 10 || !ok {
		t.Errorf("Next(3) = %d, %v, want 10", f, ok)
	}
	if _, ok := h.Next(2); ok {
		t.Error("there is a seat 2")
	}
}

func TestPutNormalizes(t *testing.T) {
	h := NewHost()
	h.AddSeat(0, 0)
	h.AddClient(1, []ds.Seat{0})
	h.Put(0, 0, inputdelay.Input{Keys: 0x8001, X: 4})
	if got := h.Windows(1, 100)[0].Inputs[0]; got != press(0) {
		t.Errorf("%+v is sent, want its normal form", got)
	}
}

func TestHostIsFullAndFrees(t *testing.T) {
	h := NewHost()
	h.AddSeat(0, 0)
	h.AddClient(1, []ds.Seat{0})
	h.AddClient(2, []ds.Seat{0})
	putFrames(t, h, 0, 0, MaxWindow)
	full := func() bool { f, _ := h.Next(0); return errors.Is(h.Put(0, f, press(int(f))), inputdelay.ErrFull) }
	if !full() {
		t.Fatal("more than the window was kept")
	}
	h.Ack(1, []SeatFrame{{0, 99}})
	if !full() {
		t.Error("inputs were freed that machine 2 does not hold")
	}
	h.Ack(2, []SeatFrame{{0, 49}})
	if full() {
		t.Error("nothing was freed although both machines hold 50 frames")
	}
	wantWindow(t, h, 1, 0, 100, MaxWindow+1)
	h.RemoveClient(2)
	putFrames(t, h, 0, MaxWindow+1, MaxWindow+100)
	wantWindow(t, h, 1, 0, 100, MaxWindow+100)
	if !full() {
		t.Error("more than the window was kept after a client left")
	}
	h.AddClient(1, nil)
	putFrames(t, h, 0, MaxWindow+100, 10*MaxWindow) // nobody needs them
	h.AddClient(1, []ds.Seat{0})
	putFrames(t, h, 0, 10*MaxWindow, 11*MaxWindow)
	if !full() {
		t.Error("a machine that is served again holds nothing back")
	}
	h.RemoveClient(1)
	putFrames(t, h, 0, 11*MaxWindow, 12*MaxWindow)
}

// A long game: the memory behind the windows is used again and again.
func TestHostForLong(t *testing.T) {
	h := NewHost()
	h.AddSeat(5, 0)
	h.AddClient(1, []ds.Seat{5})
	acked := int64(-1)
	for f := range int64(20 * MaxWindow) {
		putFrames(t, h, 5, f, f+1)
		if lag := f * 31 % 400; f-lag > acked {
			acked = f - lag
			must.Succeed(t, h.Ack(1, []SeatFrame{{5, acked}}))
		}
		if seat, n := h.Backlog(1); n != f-acked || n > 0 && seat != 5 {
			t.Fatalf("Backlog = seat %d, %d frames, want seat 5, %d", seat, n, f-acked)
		}
		if f%7 == 0 {
			wantWindow(t, h, 1, 5, acked+1, f+1)
		}
	}
}

func TestAckForged(t *testing.T) {
	h := NewHost()
	h.AddSeat(0, 4)
	h.AddSeat(1, 4)
	h.AddClient(1, []ds.Seat{0, 1})
	putFrames(t, h, 0, 4, 10)
	putFrames(t, h, 1, 4, 10)
	for _, f := range []int64{10, 11, MaxWindow, maxFrame, math.MaxInt64} {
		err := h.Ack(1, []SeatFrame{{0, 8}, {1, f}})
		if !errors.Is(err, ErrPeer) {
			t.Errorf("Ack of frame %d = %v, want ErrPeer", f, err)
		}
	}
	wantWindow(t, h, 1, 0, 4, 10) // nothing of a lie counts
	if err := h.Ack(7, nil); err == nil || errors.Is(err, ErrPeer) {
		t.Errorf("Ack of a machine that is not served = %v", err)
	}
	if err := h.Ack(1, []SeatFrame{{9, 1 << 40}, {-1, 5}, {16, 5}}); err != nil {
		t.Errorf("Ack of seats that are not served: %v", err)
	}
}

func TestHostServesOnlyTheSeatsAsked(t *testing.T) {
	h := NewHost()
	h.AddClient(1, []ds.Seat{0, 2, 2, -1, 16})
	for seat := range 3 {
		h.AddSeat(ds.Seat(seat), 0)
		putFrames(t, h, ds.Seat(seat), 0, 3)
	}
	wantWindow(t, h, 1, 0, 0, 3)
	wantWindow(t, h, 1, 1, 0, 0)
	wantWindow(t, h, 1, 2, 0, 3)
	h.Ack(1, []SeatFrame{{0, 0}, {2, 1}})
	h.AddClient(1, []ds.Seat{1, 2}) // seat 1 has nothing kept: nobody was sent it
	putFrames(t, h, 1, 3, 5)
	wantWindow(t, h, 1, 0, 0, 0)
	wantWindow(t, h, 1, 1, 3, 5)
	wantWindow(t, h, 1, 2, 2, 3)
	h.AddSeat(2, 100) // starts anew
	putFrames(t, h, 2, 100, 101)
	wantWindow(t, h, 1, 2, 100, 101)
	h.RemoveClient(1)
	if got := h.Windows(1, MaxDatagram); len(got) != 0 {
		t.Errorf("a removed machine is sent %v", got)
	}
	for _, m := range []int{-1, 16} { // no such machines: nothing happens
		h.AddClient(m, []ds.Seat{0})
		h.RemoveClient(m)
		if seat, n := h.Backlog(m); seat != -1 || n != 0 || h.Windows(m, 100) != nil {
			t.Errorf("machine %d is served", m)
		}
	}
	h.AddSeat(16, 0)
	h.AddSeat(-1, 0)
}

func TestBacklog(t *testing.T) {
	h := NewHost()
	for seat := range 3 {
		h.AddSeat(ds.Seat(seat), 0)
	}
	h.AddClient(1, []ds.Seat{0, 1, 2})
	if seat, n := h.Backlog(1); seat != -1 || n != 0 {
		t.Errorf("Backlog = seat %d, %d frames before anything was put", seat, n)
	}
	putFrames(t, h, 0, 0, 3)
	putFrames(t, h, 1, 0, 9)
	putFrames(t, h, 2, 0, 9)
	h.Ack(1, []SeatFrame{{2, 4}})
	if seat, n := h.Backlog(1); seat != 1 || n != 9 {
		t.Errorf("Backlog = seat %d, %d frames, want seat 1, 9", seat, n)
	}
}
