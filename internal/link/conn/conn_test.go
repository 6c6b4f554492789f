package conn

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/testing/impair"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/virtual"
)

// pair is two ends with an impaired line between them, in virtual time.
type pair struct {
	*virtual.World
	t     *testing.T
	ends  [2]*Conn
	lines [2]*virtual.Line // from each
	sent  [2][Classes]int
	bytes [2]int
	heard [2][]link.Event
	wakes [2]time.Duration
	slow  bool // events are not taken
	// In each second the program at end 1 stands still for so long.
	stands time.Duration
}

const (
	testAround = 42
	ms         = time.Millisecond
)

var epoch = virtual.Epoch

func newPair(t *testing.T, seed uint64, imp impair.Impairment) *pair {
	p := &pair{World: &virtual.World{}, t: t}
	for i := range p.ends {
		p.ends[i] = New(epoch, Config{Silence: link.DefaultSilence, Around: testAround})
		p.lines[i] = p.NewLine(imp, seed, uint64(i))
		p.ends[i].Opened(epoch)
	}
	p.drive(0)
	p.drive(1)
	return p
}

// change changes the line, both ways.
func (p *pair) change(how func(l *virtual.Line)) {
	how(p.lines[0])
	how(p.lines[1])
}

func (p *pair) dark(is bool) { p.change(func(l *virtual.Line) { l.Dark = is }) }

// drive does what a driver does after each call.
func (p *pair) drive(i int) {
	now := p.Time()
	p.takeEvents(i, now)
	defer p.takeEvents(i, now)
	for n := 0; ; n++ {
		if n > 10000 {
			p.t.Fatal("it never has enough")
		}
		d, class := p.ends[i].Next(nil, now)
		if d == nil {
			break
		}
		if len(d) > MaxDatagram {
			p.t.Fatalf("a datagram of %d bytes", len(d))
		}
		p.sent[i][class]++
		p.bytes[i] += len(d) + testAround
		p.lines[i].Send(len(d)+testAround, func() {
			p.At(p.awake(1-i), func() {
				p.ends[1-i].Receive(d, p.Time())
				p.drive(1 - i)
			})
		})
	}
	at := p.ends[i].Deadline(now)
	if at.IsZero() {
		return
	}
	wake := max(at.Sub(epoch), p.Now)
	if !at.After(now) {
		if d, _ := p.ends[i].Next(nil, now); d == nil && at.Before(now) {
			p.t.Fatalf("it is late by %v, and has nothing to send", now.Sub(at))
		} else if d != nil {
			p.t.Fatal("it had more to send")
		}
		wake = p.Now + 1
	}
	if w := p.wakes[i]; w > p.Now && w <= wake {
		return
	}
	p.wakes[i] = wake
	p.At(wake, func() {
		if p.wakes[i] == p.Now {
			if p.ends[i].Silent(p.Time()) {
				p.ends[i].GiveUp(p.Time())
			}
			p.drive(i)
		}
	})
}

// awake is when an end's program looks at what has come.
func (p *pair) awake(i int) time.Duration {
	if in := p.Now % time.Second; i == 1 && in < p.stands {
		return p.Now - in + p.stands
	}
	return p.Now
}

func (p *pair) takeEvents(i int, now time.Time) {
	for !p.slow {
		ev, ok := p.ends[i].Event(now)
		if !ok {
			return
		}
		p.heard[i] = append(p.heard[i], ev)
	}
}

func (p *pair) send(i int, ch link.Channel, data []byte) error {
	err := p.ends[i].Send(ch, data, p.Time())
	p.drive(i)
	return err
}

// take takes the messages of a channel that an end has heard.
func (p *pair) take(i int, ch link.Channel) (list [][]byte) {
	p.heard[i] = slices.DeleteFunc(p.heard[i], func(ev link.Event) bool {
		if ev.Kind == link.Message && ev.Channel == ch {
			list = append(list, ev.Data)
			return true
		}
		return false
	})
	return list
}

func pattern(seed uint64, n int) []byte {
	var key [32]byte
	binary.BigEndian.PutUint64(key[:], seed)
	b := make([]byte, n)
	_, _ = rand.NewChaCha8(key).Read(b)
	return b
}

var badLines = []impair.Impairment{
	{},
	{Delay: 20 * ms},
	{Delay: 40 * ms, Jitter: 20 * ms, Loss: 0.05, Duplicate: 0.02, Reorder: 0.02},
	{Delay: 100 * ms, Jitter: 90 * ms, Loss: 0.3, Duplicate: 0.1, Reorder: 0.1},
	{Delay: 5 * ms, Bandwidth: 200e3, Queue: 8 << 10},
	{Delay: 10 * ms, Largest: link.PathLeast, Loss: 0.02},
}

// Whatever the line does, messages arrive whole, once and in order, in both directions, and nothing is left over.
func TestStreamsOverBadLines(t *testing.T) {
	for n, imp := range badLines {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			p := newPair(t, uint64(n), imp)
			r := rand.New(rand.NewPCG(uint64(n), 1))
			var want [2][streams][][]byte
			for k := range 120 {
				for i := range p.ends {
					ch := link.Channel(r.IntN(streams))
					b := pattern(uint64(k*2+i), []int{0, 1, 100, 3000, r.IntN(20000)}[r.IntN(5)])
					must.Succeed(t, p.send(i, ch, b))
					want[i][ch] = append(want[i][ch], b)
				}
				p.Pass(time.Duration(r.IntN(30)) * ms)
			}
			p.Pass(2 * time.Minute)
			for i := range p.ends {
				for ch := range link.Channel(streams) {
					got := p.take(1-i, ch)
					if len(got) != len(want[i][ch]) {
						t.Fatalf("%d of %d messages on %s", len(got), len(want[i][ch]), ch)
					}
					for k := range got {
						if !bytes.Equal(got[k], want[i][ch][k]) {
							t.Fatalf("message %d on %s is another one", k, ch)
						}
					}
					if s := &p.ends[i].out[ch]; !s.empty() || s.bytes != 0 || s.flight != 0 || len(s.messages) != 0 || len(s.lost) != 0 || len(s.acked) != 0 {
						t.Errorf("left over on %s: %+v", ch, s)
					}
				}
				if u := p.ends[i].pacer.unacked; u != 0 {
					t.Errorf("%d bytes are on their way for ever", u)
				}
				if n := len(p.ends[i].loss.flying); n > 400 {
					t.Errorf("%d datagrams are remembered", n)
				}
			}
		})
	}
}

// Inputs arrive at most once and as they were, and go at once, whatever else is sent.
func TestInputsBesideAll(t *testing.T) {
	for n, imp := range badLines {
		p := newPair(t, uint64(n), imp)
		for range 30 {
			must.Succeed(t, p.send(0, link.Bulk, make([]byte, 60<<10)))
		}
		must.Succeed(t, p.send(0, link.Control, make([]byte, 200<<10)))
		seen := map[int]bool{}
		for k := range 200 {
			before := p.sent[0][Input]
			b := pattern(uint64(k), link.MaxInput-k)
			must.Succeed(t, p.send(0, link.Input, b))
			if p.sent[0][Input] == before {
				t.Fatal("an input did not go at once")
			}
			p.Pass(16 * ms)
			for _, got := range p.take(1, link.Input) {
				k := link.MaxInput - len(got)
				if seen[k] || !bytes.Equal(got, pattern(uint64(k), len(got))) {
					t.Fatalf("input %d came twice, or is another one", k)
				}
				seen[k] = true
			}
		}
		if len(seen) < 80 {
			t.Errorf("line %d: %d of 200 inputs came", n, len(seen))
		}
	}
}

// While inputs flow, an idle connection costs hardly a datagram besides.
func TestTalkRidesOnInputs(t *testing.T) {
	p := newPair(t, 1, impair.Impairment{Delay: 30 * ms})
	p.Pass(5 * time.Second)
	p.sent, p.bytes = [2][Classes]int{}, [2]int{}
	for range 600 {
		for i := range p.ends {
			must.Succeed(t, p.send(i, link.Input, make([]byte, 10)))
		}
		p.Pass(16667 * time.Microsecond)
	}
	for i := range p.ends {
		if others := p.sent[i][Talk]; p.sent[i][Input] != 600 || others > 20 {
			t.Errorf("end %d: %v datagrams", i, p.sent[i])
		}
		if mean := float64(p.bytes[i])/600 - testAround - 10; mean > 4 {
			t.Errorf("end %d: %.1f bytes around an input", i, mean)
		}
	}
}

// After a blackout everything goes on within moments, and a short one ends nothing.
func TestBlackout(t *testing.T) {
	p := newPair(t, 1, impair.Impairment{Delay: 20 * ms})
	p.Pass(time.Second)
	p.dark(true)
	must.Succeed(t, p.send(0, link.Control, []byte("in the dark")))
	must.Succeed(t, p.send(0, link.Bulk, make([]byte, 50000)))
	p.Pass(8 * time.Second)
	p.dark(false)
	p.Pass(400 * ms)
	if len(p.take(1, link.Control)) != 1 {
		t.Error("control did not come 400 ms after the blackout")
	}
	p.Pass(600 * ms)
	if len(p.take(1, link.Bulk)) != 1 {
		t.Error("bulk did not come a second after the blackout")
	}
	p.dark(true)
	p.Pass(11 * time.Second)
	for i := range p.ends {
		if last := p.heard[i][len(p.heard[i])-1]; last.Kind != link.Disconnected || last.Reason.By != link.ByTimeout {
			t.Errorf("end %d: %+v", i, last)
		}
	}
}

// A goodbye comes after all that was sent, with its words, and is answered.
func TestGoodbye(t *testing.T) {
	for n, imp := range badLines {
		p := newPair(t, uint64(n), imp)
		p.Pass(ms)
		must.Succeed(t, p.send(0, link.Control, []byte("last")))
		p.ends[0].Leave("dinner\nis ready", false, p.Time())
		p.drive(0)
		if p.send(0, link.Control, nil) == nil {
			t.Error("it sends although it leaves")
		}
		p.Pass(6 * time.Second)
		if got := p.take(1, link.Control); len(got) != 1 {
			t.Errorf("line %d: %d messages", n, len(got))
		}
		for i, by := range []link.By{link.ByLocal, link.ByRemote} {
			if last := p.heard[i][len(p.heard[i])-1]; last.Kind != link.Disconnected || last.Reason != (link.Reason{By: by, Text: "dinner is ready"}) {
				t.Errorf("line %d, end %d: %+v", n, i, last)
			}
		}
	}
}

// A consumer that takes nothing makes Send fail in the end, and nothing else.
func TestSlowConsumer(t *testing.T) {
	p := newPair(t, 1, impair.Impairment{Delay: 5 * ms})
	p.slow = true
	sent := 0
	for range 2000 {
		for p.send(0, link.Bulk, make([]byte, 30000)) == nil {
			sent++
		}
		p.Pass(10 * ms)
	}
	if kept := sent * 30000; kept > int(backlogs[link.Bulk])+int(windows[link.Bulk]) || kept < 4<<20 {
		t.Errorf("%d bytes were taken", kept)
	}
	p.slow = false
	p.drive(1)
	p.Pass(20 * time.Second)
	if got := len(p.take(1, link.Bulk)); got != sent {
		t.Errorf("%d of %d messages", got, sent)
	}
}

// A path that carries less all of a sudden is noticed, and everything goes on.
func TestPathShrinks(t *testing.T) {
	p := newPair(t, 1, impair.Impairment{Delay: 20 * ms, Bandwidth: 2e6})
	feed := func() {
		for p.send(0, link.Bulk, make([]byte, 30000)) == nil {
		}
	}
	for range 30 {
		feed()
		p.Pass(100 * ms)
	}
	if s := p.ends[0].Size(); s != MaxDatagram {
		t.Fatalf("datagrams of %d bytes", s)
	}
	p.change(func(l *virtual.Line) { l.Largest = 1232 })
	for range 20 {
		feed()
		p.Pass(100 * ms)
	}
	if s := p.ends[0].Size() + testAround; s > 1232 {
		t.Fatalf("datagrams of %d bytes after 2 s", s)
	}
	p.take(1, link.Bulk)
	p.Pass(time.Second)
	if got := len(p.take(1, link.Bulk)); got < 20 {
		t.Errorf("%d messages in a second", got)
	}
}

func TestFramesAreRefused(t *testing.T) {
	for name, b := range map[string][]byte{
		"empty":              {},
		"one byte":           {0},
		"no such frame":      {0x80, 9, 0x7F},
		"frame 0":            {0x80, 9, 0},
		"ack cut":            {0x80, 9, 3, 1},
		"ack of the future":  {0x80, 9, 3, 0xFF, 0xFF, 0x03, 0, 0, 0},
		"ack below 0":        {0x80, 9, 3, 0, 0, 0, 5},
		"ack of many":        {0x80, 9, 3, 0, 0, 200, 0},
		"limit of no stream": {0x80, 9, 6, 2, 1},
		"limit beyond":       {0x80, 9, 6, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F},
		"data cut":           {0x80, 9, 7, 0, 0, 9, 1, 2},
		"data beyond":        {0x80, 9, 7, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 1, 1},
		"data far beyond":    {0x80, 9, 7, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 1, 1},
		"a giant message":    {0x80, 9, 7, 0, 0, 4, 0xFF, 0xFF, 0xFF, 0x7F},
		"an endless length":  {0x80, 9, 7, 0, 0, 5, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF},
		"stamps cut":         {0x80, 9, 12, 2, 1, 0, 0},
		"too many stamps":    {0x80, 9, 12, 255},
		"third half":         {0x80, 9, 2, 1, 2, 1},
	} {
		c := New(epoch, Config{Silence: time.Second, Around: testAround})
		c.Opened(epoch)
		c.Event(epoch)
		c.Receive(b, epoch)
		if ev, ok := c.Event(epoch); !ok || ev.Kind != link.Disconnected || ev.Reason.By != link.ByLocal {
			t.Errorf("%s: %+v", name, ev)
		}
	}
}

func TestExpand(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 100000 {
		next := r.Uint64N(1 << 40)
		n := next + uint64(r.IntN(numberMask)) - min(next, numberMask/2)
		if got := expand(uint16(n&numberMask), next); got != n {
			t.Fatalf("%d after %d became %d", n, next, got)
		}
	}
}

func TestRanges(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var set ranges
	want := map[uint64]bool{}
	for range 3000 {
		from := r.Uint64N(200)
		s := span{from, from + r.Uint64N(20)}
		add := r.IntN(2) == 0
		if add {
			set.add(s)
		} else {
			set.remove(s)
		}
		for n := s.from; n < s.to; n++ {
			want[n] = add
		}
		last := uint64(0)
		for i, x := range set {
			if x.from >= x.to || i > 0 && x.from <= last {
				t.Fatalf("%v", set)
			}
			last = x.to
		}
		for n := range uint64(230) {
			if set.has(n) != want[n] {
				t.Fatalf("%d in %v", n, set)
			}
		}
	}
}

func TestAckCodec(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	for range 5000 {
		var set ranges
		for range 1 + r.IntN(60) {
			from := r.Uint64N(5000)
			set.add(span{from, from + 1 + r.Uint64N(50)})
		}
		rd := reader{b: appendAck(nil, set, 30*ms)}
		var f frame
		must.Succeed(t, rd.frame(&f))
		slices.Reverse(f.spans)
		if want := set[max(0, len(set)-maxSpans):]; !slices.Equal(f.spans, []span(want)) || len(rd.b) > 0 || f.held != 30*ms {
			t.Fatalf("%v became %v", set, f.spans)
		}
	}
}

// Whatever a peer says that belongs here: it costs bounded memory, and nothing panics.
func FuzzReceive(f *testing.F) {
	for _, b := range someRuns() {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { looksAtRun(t, b) })
}

// TestManyInputs is the same with ten million inputs.
func TestManyInputs(t *testing.T) { must.SurviveInputs(t, someRuns(), looksAtRun) }

// someRuns are datagrams, each behind its length.
func someRuns() [][]byte {
	return [][]byte{
		[]byte("\x09\x80\x00\x07\x00\x00\x03\x02hi\x05\x80\x01\x04\x01\x01"),
		[]byte("\x04\x00\x02in\x08\x80\x03\x03\x00\x00\x00\x00\x0B\x07\x80\x04\x02\x01\x00ab\x03\x80\x05\x0D"),
		[]byte("\x05\x80\x00\x06\x01\x10\x0a\x80\x02\x0C\x01\x01\x00\x00\x00\x07\x09\x05\x80\x03\x08hi"),
	}
}

func looksAtRun(t *testing.T, b []byte) (well bool) {
	c := New(epoch, Config{Silence: time.Minute, Around: testAround})
	c.Opened(epoch)
	now := epoch
	for len(b) > 0 && c.Phase() != Over {
		n := min(int(b[0]), len(b)-1)
		c.Receive(b[1:1+n], now)
		b = b[1+n:]
		now = now.Add(7 * ms)
		_ = c.Send(link.Bulk, make([]byte, 100), now)
		_ = c.Send(link.Control, make([]byte, 100), now)
		for k := 0; ; k++ {
			d, _ := c.Next(nil, now)
			if d == nil {
				break
			}
			if k > 1000 {
				t.Fatal("it never has enough")
			}
		}
		if at := c.Deadline(now); !at.IsZero() && at.Before(now) {
			t.Fatalf("late by %v", now.Sub(at))
		}
		for _, s := range c.in {
			held := len(s.body)
			for _, e := range s.early {
				held += len(e.data)
			}
			if held > int(s.window) {
				t.Fatalf("%d bytes are held", held)
			}
		}
		c.Event(now)
	}
	return c.Phase() != Over
}
