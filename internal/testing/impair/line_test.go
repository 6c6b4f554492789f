package impair

import (
	"math"
	"testing"
	"time"
)

const ms = time.Millisecond

// A perfect line changes nothing.
func TestPerfectLine(t *testing.T) {
	var l Line
	dice := NewDice(1, 1)
	now := time.Unix(0, 0)
	for range 100 {
		if f := l.Send(now, 1000, Impairment{}, dice); f.Copies != 1 || !f.At[0].Equal(now) || f.Lost || f.Dropped || f.Reordered {
			t.Fatalf("%+v", f)
		}
	}
}

func TestChancesAreKept(t *testing.T) {
	var l Line
	dice := NewDice(3, 1)
	imp := Impairment{Delay: 100 * ms, Jitter: 50 * ms, Loss: 0.1, Duplicate: 0.2, Reorder: 0.05}
	now := time.Unix(0, 0)
	const n = 20_000
	var lost, doubled, reordered int
	least, most, sum, count := time.Hour, time.Duration(0), time.Duration(0), 0
	for range n {
		now = now.Add(10 * ms)
		f := l.Send(now, 100, imp, dice)
		if f.Lost {
			lost++
			continue
		}
		if f.Copies == 2 {
			doubled++
		}
		if f.Reordered {
			reordered++
			if d := f.At[0].Sub(now); d < imp.Delay-imp.Jitter || d > imp.Delay+imp.Jitter+imp.hold() {
				t.Fatalf("held back to %v", d)
			}
			continue
		}
		d := f.At[0].Sub(now)
		least, most, sum, count = min(least, d), max(most, d), sum+d, count+1
	}
	near := func(what string, got int, of, share float64) {
		if math.Abs(float64(got)/of-share) > 0.02 {
			t.Errorf("%d of %v were %s, want %v", got, of, what, share)
		}
	}
	near("lost", lost, n, imp.Loss)
	near("doubled", doubled, float64(n-lost), imp.Duplicate)
	near("reordered", reordered, float64(n-lost), imp.Reorder)
	if mean := sum / time.Duration(count); least < 50*ms || least > 52*ms || most > 150*ms || most < 148*ms || (mean-100*ms).Abs() > 2*ms {
		t.Errorf("delays %v to %v, %v in the mean", least, most, mean)
	}
}

func TestBandwidthAndQueue(t *testing.T) {
	var l Line
	dice := NewDice(1, 1)
	imp := Impairment{Delay: 5 * ms, Bandwidth: 100_000, Queue: 5000} // 1,000 bytes take 10 ms
	now := time.Unix(0, 0)
	for i := range 8 {
		f := l.Send(now, 1000, imp, dice)
		if i < 5 {
			if want := now.Add(time.Duration(i+1)*10*ms + 5*ms); !f.At[0].Equal(want) {
				t.Errorf("datagram %d arrives at %v, want %v", i, f.At[0].Sub(now), want.Sub(now))
			}
		} else if !f.Dropped || f.Copies != 0 {
			t.Errorf("datagram %d found room in a full queue", i)
		}
	}
	if f := l.Send(now.Add(20*ms), 1000, imp, dice); f.Dropped {
		t.Error("no room although some have left")
	}
	if f := l.Send(now.Add(time.Second), 9000, imp, dice); f.Dropped || !f.At[0].Equal(now.Add(time.Second+90*ms+5*ms)) {
		t.Errorf("an idle line: %+v", f)
	}
}

// Changing one chance does not change what becomes of datagrams by the others.
func TestDiceAreIndependent(t *testing.T) {
	run := func(imp Impairment) (lost []bool) {
		var l Line
		dice := NewDice(5, 1)
		for range 500 {
			lost = append(lost, l.Send(time.Unix(0, 0), 1, imp, dice).Lost)
		}
		return lost
	}
	a, b := run(Impairment{Loss: 0.3}), run(Impairment{Loss: 0.3, Duplicate: 1, Reorder: 0.5, Jitter: ms, Delay: ms})
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("datagram %d has another fate", i)
		}
	}
}

func TestValidate(t *testing.T) {
	for _, bad := range []Impairment{
		{Delay: -1},
		{Delay: time.Hour},
		{Jitter: -1},
		{Loss: -0.1},
		{Loss: 1.1},
		{Loss: math.NaN()},
		{Duplicate: 2},
		{Reorder: -1},
		{Bandwidth: -1},
		{Queue: -1},
		{BurstShare: 1.1},
		{BurstLoss: -1},
		{BurstMean: -1},
		{Traffic: -1, Bandwidth: 1},
		{Traffic: 1},
		{TrafficEvery: -1},
	} {
		if bad.Validate() == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
	if err := (Impairment{Loss: 1, Duplicate: 1, Reorder: 1, Delay: maxDelay}).Validate(); err != nil {
		t.Error(err)
	}
}

// Bursts are by time: they take their share of it, are as long as asked for, and come at the
// same times for a sender that sends four times as much.
func TestBursts(t *testing.T) {
	imp := Impairment{BurstShare: 0.1, BurstMean: 80 * ms}
	const span, step = 2000 * time.Second, 4 * ms
	run := func(every int) (lost map[time.Duration]bool, bursts int) {
		var l Line
		dice, now, before := NewDice(7, 1), time.Unix(0, 0), false
		lost = make(map[time.Duration]bool)
		for i := 0; time.Duration(i)*step < span; i += every {
			f := l.Send(now.Add(time.Duration(i)*step), 100, imp, dice)
			if f.Lost != f.Burst {
				t.Fatalf("%+v", f)
			}
			if f.Lost && !before {
				bursts++
			}
			before = f.Lost
			lost[time.Duration(i)*step] = f.Lost
		}
		return lost, bursts
	}
	often, bursts := run(1)
	seldom, _ := run(4)
	n := 0
	for at, yes := range often {
		if yes {
			n++
		}
		if other, ok := seldom[at]; ok && other != yes {
			t.Fatalf("at %v the burst depends on who sends", at)
		}
	}
	share, mean := float64(n)/float64(len(often)), time.Duration(n)*step/time.Duration(bursts)
	if math.Abs(share-0.1) > 0.01 || (mean-80*ms).Abs() > 8*ms {
		t.Errorf("%.3f of the time in bursts of %v", share, mean)
	}
}

// Others' traffic fills the queue up to its bound and no further, and it drains when they stop.
func TestBloat(t *testing.T) {
	imp := Impairment{Bandwidth: 100_000, Queue: 20_000, Traffic: 200_000, TrafficEvery: 4 * time.Second} // full after 0.2 s: 200 ms
	var l Line
	dice, now := NewDice(1, 1), time.Unix(0, 0)
	var most time.Duration
	dropped, late := 0, 0
	for i := range 4000 {
		at := now.Add(time.Duration(i) * 10 * ms)
		f := l.Send(at, 10, imp, dice)
		phase := time.Duration(i) * 10 * ms % imp.TrafficEvery
		switch {
		case f.Dropped && phase > 2*time.Second:
			t.Fatalf("dropped at %v although nobody else sends", phase)
		case f.Dropped:
			dropped++
		case phase > 2300*ms && f.At[0].Sub(at) > ms:
			late++
		}
		if f.Copies > 0 {
			most = max(most, f.At[0].Sub(at))
		}
	}
	if most < 195*ms || most > 205*ms || late > 0 {
		t.Errorf("at most %v in the queue, %d late when it should be empty", most, late)
	}
	if share := float64(dropped) / 2000 / 0.9; math.Abs(share-0.5) > 0.1 {
		t.Errorf("%.2f dropped while the queue is full and half of what comes finds room", share)
	}
}
