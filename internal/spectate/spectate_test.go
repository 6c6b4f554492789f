package spectate

import (
	"bytes"
	"reflect"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

func pieces() []Piece {
	return []Piece{
		{Round: 1, At: 0, All: 3, Bytes: []byte("abc")},
		{Round: 1<<32 - 1, At: 1 << 20, All: 1 << 29, End: Over, Bytes: bytes.Repeat([]byte{7}, MaxPiece)},
		{Round: 2, At: 5, End: Gone, Bytes: []byte{}},
	}
}

func TestMessages(t *testing.T) {
	for _, p := range pieces() {
		got, err := DecodePiece(p.Append(nil))
		if err != nil || !reflect.DeepEqual(got, p) {
			t.Errorf("%+v came back as %+v, %v", p, got, err)
		}
	}
	a := Ask{Round: 7, At: MaxLog}
	if got, err := DecodeAsk(a.Append(nil)); err != nil || got != a {
		t.Errorf("%+v came back as %+v, %v", a, got, err)
	}
	for name, p := range map[string]Piece{
		"too many bytes":      {All: MaxPiece + 1, Bytes: make([]byte, MaxPiece+1)},
		"beyond the log":      {At: MaxLog + 1, All: MaxLog + 1},
		"before its start":    {At: -1},
		"more than there are": {At: 5, All: 7, Bytes: []byte("abc")},
		"an unknown end":      {End: 3},
	} {
		if _, err := DecodePiece(p.Append(nil)); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	for _, b := range [][]byte{nil, Ask{At: -1}.Append(nil), Ask{At: MaxLog + 1}.Append(nil), append(a.Append(nil), 0), pieces()[0].Append(nil)} {
		if _, err := DecodeAsk(b); err == nil {
			t.Errorf("%x: taken", b)
		}
	}
}

// Over any time, what is sent is at most the rate and one piece; a pause saves nothing up.
func TestBudget(t *testing.T) {
	b := NewBudget(10_000)
	now := time.Unix(1, 0)
	sent := 0
	for range 1000 {
		now = now.Add(10 * time.Millisecond)
		n := b.Left(now)
		b.Spend(n)
		sent += n
	}
	if sent < 95_000 || sent > 100_000+leastPiece {
		t.Errorf("%d bytes in 10 s", sent)
	}
	if n := b.Left(now.Add(time.Hour)); n != leastPiece {
		t.Errorf("%d bytes after an hour", n)
	}
	if n := b.Left(now); n > MaxPiece {
		t.Errorf("%d bytes when the clock goes back", n)
	}
}

// The budget grows while the players' lines are free, up to its limit, and gives way as
// soon as they are not.
func TestBudgetAdapts(t *testing.T) {
	b := NewBudget(0)
	now := time.Unix(1, 0)
	pass := func(queued bool, times int) {
		for range times {
			now = now.Add(adaptEvery)
			b.Adapt(now, queued)
		}
	}
	pass(false, 40)
	if b.rate != mostRate {
		t.Errorf("%v bytes a second on a free line", b.rate)
	}
	pass(true, 1)
	if b.rate != mostRate/2 {
		t.Errorf("%v bytes a second when something queues", b.rate)
	}
	b.Adapt(now.Add(time.Millisecond), true)
	if b.rate != mostRate/2 {
		t.Error("it does not wait for what a change does")
	}
	pass(true, 20)
	if b.rate != leastRate {
		t.Errorf("%v bytes a second on a line that is full", b.rate)
	}
	if b = NewBudget(5000); b.rate != 5000 {
		t.Errorf("%v bytes a second, and at most 5000 are wanted", b.rate)
	}
	if pass(true, 9); b.rate != 5000 {
		t.Errorf("%v bytes a second", b.rate)
	}
}

func FuzzPiece(f *testing.F) {
	for _, p := range pieces() {
		f.Add(p.Append(nil))
	}
	f.Add(Ask{1, 2}.Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		if p, err := DecodePiece(b); err == nil && !bytes.Equal(p.Append(nil), b) {
			t.Errorf("%x is read as %+v", b, p)
		}
		if a, err := DecodeAsk(b); err == nil && !bytes.Equal(a.Append(nil), b) {
			t.Errorf("%x is read as %+v", b, a)
		}
	})
}

func TestNear(t *testing.T) {
	for _, n := range []Near{{Round: 1, Frames: 0}, {Round: 1<<32 - 1, Frames: ds.MaxFrame}, {Round: 3, Frames: 700, Cannot: true}} {
		if got, err := DecodeNear(n.Append(nil)); err != nil || got != n {
			t.Errorf("%+v came back as %+v, %v", n, got, err)
		}
	}
	whole := Near{Round: 1, Frames: 5}.Append(nil)
	over := append(whole[:len(whole)-1:len(whole)-1], 2)
	for _, b := range [][]byte{nil, whole[1:], append(whole, 0), over, Near{Frames: -1}.Append(nil), Near{Frames: ds.MaxFrame + 1}.Append(nil), Ask{}.Append(nil)} {
		if n, err := DecodeNear(b); err == nil {
			t.Errorf("%x: taken as %+v", b, n)
		}
	}
}

func FuzzNear(f *testing.F) {
	f.Add(Near{Round: 1, Frames: 5}.Append(nil))
	f.Add(Near{Round: 1, Cannot: true}.Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		if n, err := DecodeNear(b); err == nil && !bytes.Equal(n.Append(nil), b) {
			t.Errorf("%x is %+v, which is %x", b, n, n.Append(nil))
		}
	})
}

// A line that scatters is no line on which something queues, whatever its shortest round trip
// was; one whose round trips become longer is, and one that has become longer for good is
// not for ever.
func TestCalm(t *testing.T) {
	ms := time.Millisecond
	var c Calm
	for i, rtt := range []time.Duration{70, 63, 84, 77, 66, 80} {
		if c.Queued(rtt*ms, 18*ms, false) {
			t.Errorf("look %d: %v queues on a line that scatters", i, rtt*ms)
		}
	}
	if !c.Queued(150*ms, 18*ms, false) {
		t.Error("150 ms do not queue")
	}
	c = Calm{}
	if c.Queued(20*ms, ms, false) || c.Queued(31*ms, ms, false) || !c.Queued(34*ms, ms, false) {
		t.Error("a quiet line")
	}
	looks := 0
	for c.Queued(60*ms, ms, false) && looks < 1000 {
		looks++
	}
	if seconds := float64(looks) * adaptEvery.Seconds(); seconds < 20 || seconds > 40 {
		t.Errorf("a line that takes 40 ms more counts as full for %.0f s", seconds)
	}
}

// A queue while hardly anything is sent is not ours, and others do not wait for it; a longer
// one when more is sent is.
func TestCalmOfAnothersQueue(t *testing.T) {
	const ms = time.Millisecond
	var c Calm
	c.Queued(20*ms, ms, false)
	looks := 0
	for c.Queued(120*ms, ms, true) && looks < 100 {
		looks++
	}
	if looks < drained-1 || looks > drained+span {
		t.Errorf("%d looks until it is known", looks)
	}
	if c.Queued(110*ms, ms, false) || !c.Queued(140*ms, ms, false) {
		t.Error("ours and others' queue are not told apart")
	}
}

// Our own queue on a slow line is not taken for others', however long it takes to drain.
func TestCalmOfALongQueue(t *testing.T) {
	const ms = time.Millisecond
	var c Calm
	c.Queued(20*ms, ms, false)
	for queue := 3 * time.Second; queue > 20*ms; queue -= 60 * ms {
		if !c.Queued(20*ms+queue, ms, true) {
			t.Fatalf("a queue of %v is not seen", queue)
		}
	}
	for range 100 {
		c.Queued(10*time.Second, ms, true)
	}
	if !c.Queued(400*ms, ms, true) {
		t.Error("a line that is full counts as free")
	}
}

// A player whose line becomes worse for good, and scatters, does not keep others from
// coming in: the budget grows again within seconds.
func TestBudgetOverALineThatGotWorse(t *testing.T) {
	const ms = time.Millisecond
	b, now := NewBudget(0), time.Unix(1, 0)
	var c Calm
	look := func(rtt time.Duration) {
		now = now.Add(adaptEvery)
		b.Adapt(now, c.Queued(rtt, 5*ms, b.Least()))
	}
	for range 20 {
		look(30 * ms)
	}
	for i := range 48 { // 12 s
		look(time.Duration(120+5*(i%3)) * ms)
	}
	if b.rate < 4*startRate {
		t.Errorf("%.0f bytes a second", b.rate)
	}
}
