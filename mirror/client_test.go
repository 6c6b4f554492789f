package mirror

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// queues are queues of seats 0 to 3 with a delay of 4 frames, and the function that
// finds them.
func queues(t *testing.T) func(seat ds.Seat) *inputdelay.Queue {
	t.Helper()
	var ls [4]*inputdelay.Queue
	for i := range ls {
		q, err := inputdelay.NewQueue(0, 4)
		must.Succeed(t, err)
		ls[i] = q
	}
	return func(seat ds.Seat) *inputdelay.Queue {
		if seat >= ds.Seat(len(ls)) {
			return nil
		}
		return ls[seat]
	}
}

// window is a window in which frame f holds button f%12.
func window(seat ds.Seat, from, to int64) Window {
	w := Window{Seat: seat, First: from}
	for f := from; f < to; f++ {
		w.Inputs = append(w.Inputs, press(int(f)))
	}
	return w
}

func TestReceivePutsOnce(t *testing.T) {
	queue := queues(t)
	c := NewClient(2, []ds.Seat{1, 3})
	steps := []struct {
		windows []Window
		fresh   []SeatFrame
		newest  int64 // of seat 1
	}{
		{nil, nil, 3},
		{[]Window{window(1, 4, 6)}, []SeatFrame{{1, 4}, {1, 5}}, 5},
		{[]Window{window(1, 4, 6)}, nil, 5},
		{[]Window{window(1, 9, 10)}, []SeatFrame{{1, 9}}, 5},
		{[]Window{window(1, 5, 11), window(3, 4, 5)}, []SeatFrame{{1, 6}, {1, 7}, {1, 8}, {1, 10}, {3, 4}}, 10},
		{[]Window{window(1, 4, 6)}, nil, 10}, // a late one
		{[]Window{{Seat: 1, First: 99}}, nil, 10},
	}
	for i, s := range steps {
		fresh, err := c.Receive(Datagram{Machine: 2, Windows: s.windows}, queue)
		if err != nil || !slices.Equal(fresh, s.fresh) {
			t.Fatalf("step %d: Receive = %v, %v, want %v", i, fresh, err, s.fresh)
		}
		if n := queue(1).Newest(); n != s.newest {
			t.Fatalf("step %d: newest frame is %d, want %d", i, n, s.newest)
		}
	}
	for f := int64(4); f <= 10; f++ {
		if in, ok := queue(1).At(f); !ok || in != press(int(f)) {
			t.Errorf("frame %d is %v, %v", f, in, ok)
		}
	}
	queue(1).Forget(8)
	if fresh, err := c.Receive(Datagram{Machine: 2, Windows: []Window{window(1, 4, 11)}}, queue); err != nil || len(fresh) > 0 {
		t.Errorf("forgotten frames came again as %v, %v", fresh, err)
	}
}

func TestReceiveLies(t *testing.T) {
	const oldest = 5
	tests := []struct {
		name    string
		machine int
		w       Window
		want    string
	}{
		{"as somebody else", 1, window(1, 7, 8), "machine 2 sends as machine 1"},
		{"a foreign seat", 2, window(0, 7, 8), "seat 1, which is not its own"},
		{"no seat", 2, window(16, 7, 8), "which is not its own"},
		{"a negative seat", 2, Window{Seat: -1, First: 7, Inputs: []inputdelay.Input{{}}}, "which is not its own"},
		{"another value", 2, Window{Seat: 1, First: 6, Inputs: []inputdelay.Input{press(6), press(8)}}, `frame 7 from "DOWN" to "R"`},
		{"another value past a gap", 2, Window{Seat: 1, First: 10, Inputs: []inputdelay.Input{press(1)}}, `frame 10 from "X" to "B"`},
		{"too far ahead", 2, window(1, oldest+inputdelay.Window, oldest+inputdelay.Window+1), "this machine plays frame 5"},
		{"the end of a window too far ahead", 2, window(1, 8, oldest+inputdelay.Window+1), "this machine plays frame 5"},
		{"the last frame", 2, Window{Seat: 1, First: maxFrame, Inputs: []inputdelay.Input{{}}}, "this machine plays frame 5"},
		{"past the last frame", 2, Window{Seat: 1, First: math.MaxInt64, Inputs: []inputdelay.Input{{}, {}}}, "this machine plays frame 5"},
		{"before the first frame", 2, Window{Seat: 1, First: math.MinInt64, Inputs: []inputdelay.Input{{}}}, "this machine plays frame 5"},
		{"before frame 0", 2, Window{Seat: 1, First: -1, Inputs: []inputdelay.Input{{}}}, "this machine plays frame 5"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			queue := queues(t)
			c := NewClient(2, []ds.Seat{1, 2, 3, 15})
			if _, err := c.Receive(Datagram{Machine: 2, Windows: []Window{window(1, 4, 8), window(1, 10, 11)}}, queue); err != nil {
				t.Fatal(err)
			}
			queue(1).Forget(oldest)
			// An honest window stands before the lie, and must not count either.
			fresh, err := c.Receive(Datagram{Machine: tt.machine, Windows: []Window{window(2, 4, 9), tt.w}}, queue)
			if !errors.Is(err, ErrPeer) || !strings.Contains(err.Error(), tt.want) || len(fresh) > 0 {
				t.Errorf("Receive = %v, %v, want ErrPeer with %q", fresh, err, tt.want)
			}
			if n := queue(2).Newest(); n != 3 {
				t.Errorf("inputs up to frame %d were taken from a datagram that lies", n)
			}
		})
	}
}

func TestReceiveTheWholeWindow(t *testing.T) {
	queue := queues(t)
	c := NewClient(0, []ds.Seat{0})
	fresh, err := c.Receive(Datagram{Windows: []Window{window(0, 4, inputdelay.Window)}}, queue)
	if err != nil || len(fresh) != inputdelay.Window-4 || queue(0).Newest() != inputdelay.Window-1 {
		t.Errorf("%d inputs taken, %v, newest frame %d", len(fresh), err, queue(0).Newest())
	}
}

// A seat that is gone, and one that was cut: what its owner sent before it heard
// of that is no lie.
func TestReceiveOfLostSeats(t *testing.T) {
	queue := queues(t)
	c := NewClient(2, []ds.Seat{1, 9, -5, 16})
	if fresh, err := c.Receive(Datagram{Machine: 2, Windows: []Window{window(9, 4, 9)}}, queue); err != nil || len(fresh) > 0 {
		t.Errorf("input of a seat that is not played: %v, %v", fresh, err)
	}
	must.Succeed(t, queue(1).Cut(4, 20))
	fresh, err := c.Receive(Datagram{Machine: 2, Windows: []Window{window(1, 4, 22)}}, queue)
	if err != nil || !slices.Equal(fresh, []SeatFrame{{1, 20}, {1, 21}}) {
		t.Errorf("input after the cut: %v, %v", fresh, err)
	}
	if in, _ := queue(1).At(10); in != (inputdelay.Input{}) {
		t.Errorf("frame 10 is %v, want it neutral", in)
	}
}
