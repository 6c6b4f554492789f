package conn

import (
	"fmt"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/impair"
	"github.com/nettplay/nettplay/internal/testing/virtual"
)

// sizeLine is a path and what looks for its size: what arrives there is known here at once.
type sizeLine struct {
	*virtual.World
	*virtual.Line
	size   pathMTU
	rtt    time.Duration
	large  bool // large datagrams are sent all the time
	probes int  // that were sent
	bytes  int  // of them
}

const testLeast, testBase, testTop = 740, 1200, 1312

func newSizeLine(carry int, rtt time.Duration, loss float64) *sizeLine {
	w := &virtual.World{}
	l := &sizeLine{World: w, Line: w.NewLine(impair.Impairment{Delay: rtt, Largest: carry, Loss: loss}, 1, uint64(carry)), rtt: rtt, large: true}
	l.size.Reset(testLeast, testBase, testTop)
	l.Every(250*ms, l.small)
	l.Every(50*ms, func() {
		if l.large {
			l.size.Sent(l.size.Size(), l.Time())
		}
		if number, bytes := l.size.Due(l.rtt, l.Time()); bytes > 0 {
			l.probes++
			l.bytes += bytes
			l.Send(bytes, func() { l.size.Answered(number, l.Time()) })
			l.At(l.Now+ms, l.small)
		}
	})
	return l
}

// small sends a small datagram, which is answered.
func (l *sizeLine) small() {
	sent := l.Time()
	l.Send(60, func() { l.size.Alive(sent) })
}

// run lets time pass, until done if that is not nil, and returns how much did.
func (l *sizeLine) run(d time.Duration, done func() bool) time.Duration {
	began := l.Now
	l.Run(began+d, done)
	return l.Now - began
}

// Whatever a path carries is found, within the grain, and never more than that.
func TestSizeIsFound(t *testing.T) {
	for _, rtt := range []time.Duration{time.Millisecond, 40 * time.Millisecond, 300 * time.Millisecond} {
		for carry := testLeast; carry <= testTop+200; carry += 3 {
			l := newSizeLine(carry, rtt, 0)
			l.run(30*time.Second, nil)
			if got, most := l.size.Size(), min(carry, testTop); got > most || got <= most-sizeGrain {
				t.Errorf("a path of %d bytes, %v: %d", carry, rtt, got)
			}
		}
	}
}

// A usual path costs one probe and one round trip.
func TestSizeOfUsualPathIsFoundAtOnce(t *testing.T) {
	l := newSizeLine(1472, 40*time.Millisecond, 0)
	l.large = false
	if took := l.run(time.Second, func() bool { return l.size.Size() == testTop }); took > 100*time.Millisecond {
		t.Errorf("it took %v", took)
	}
	l.run(time.Hour, nil)
	if l.probes != 1 {
		t.Errorf("%d probes in an hour without large datagrams", l.probes)
	}
}

// A path that carries less all of a sudden is noticed within two seconds, wherever the search stands.
func TestSizeComesDown(t *testing.T) {
	for _, rtt := range []time.Duration{time.Millisecond, 100 * time.Millisecond, 250 * time.Millisecond} {
		for _, to := range []int{1311, 1252, 1232, 1200, 1100, testLeast} {
			for after := 10 * time.Second; after < 11*time.Second; after += 50 * time.Millisecond {
				l := newSizeLine(1472, rtt, 0)
				l.run(after, nil)
				if l.size.Size() != testTop {
					t.Fatalf("%d bytes", l.size.Size())
				}
				l.Largest = to
				base := func() bool { return l.size.Size() <= testBase }
				if took := l.run(10*time.Second, base); took >= 2*time.Second {
					t.Fatalf("to %d bytes at %v: %v", to, rtt, took)
				}
				l.run(20*time.Second, nil)
				if got := l.size.Size(); got > to || got <= to-sizeGrain {
					t.Fatalf("a path that carries %d bytes at last: %d", to, got)
				}
			}
		}
	}
}

// What is sent is proof by itself: an upload costs a probe in five seconds.
func TestSizeIsProvenByData(t *testing.T) {
	l := newSizeLine(1472, 40*time.Millisecond, 0)
	l.run(time.Second, nil)
	was := l.bytes
	for range 20 * 60 {
		sent := l.Time()
		l.run(50*time.Millisecond, nil)
		l.size.Carried(sent)
	}
	if perSecond := float64(l.bytes-was) / 60; perSecond > 300 {
		t.Errorf("%.0f bytes a second", perSecond)
	}
	l.Largest = 1232
	if took := l.run(10*time.Second, func() bool { return l.size.Size() == testBase }); took >= 2*time.Second {
		t.Errorf("it took %v", took)
	}
}

// A line that is dark, or loses much, is not taken for one that carries little.
func TestSizeIsNoMatterOfLoss(t *testing.T) {
	l := newSizeLine(1472, 40*time.Millisecond, 0)
	l.run(5*time.Second, nil)
	for i := range 20 {
		l.Dark = true
		l.run(time.Duration(1+i)*700*time.Millisecond, nil)
		if got := l.size.Size(); got != testTop {
			t.Fatalf("%d bytes in the dark", got)
		}
		l.Dark = false
		l.run(3*time.Second, nil)
		if got := l.size.Size(); got != testTop {
			t.Fatalf("%d bytes afterwards", got)
		}
	}
	l = newSizeLine(1472, 40*time.Millisecond, 0)
	l.Dark = true
	l.run(time.Minute, nil)
	l.Dark = false
	l.run(3*time.Second, nil)
	if got := l.size.Size(); got != testTop {
		t.Errorf("%d bytes by a line that was dark at first", got)
	}
	for _, loss := range []float64{0.02, 0.1, 0.2} {
		l = newSizeLine(1472, 40*time.Millisecond, loss)
		low := 0
		for range 10 * 60 * 20 {
			l.run(50*time.Millisecond, nil)
			if l.size.Size() < testTop-sizeGrain {
				low++
			}
		}
		t.Logf("loss %.0f %%: below the top for %.1f %% of ten minutes", 100*loss, 100*float64(low)/(10*60*20))
		if low > 10*60*20/10 {
			t.Errorf("loss %.0f %%: below the top for %d s of ten minutes", 100*loss, low/20)
		}
	}
}

// Some time after a path was found to carry little it may carry more; it is asked seldom.
func TestSizeGoesUpAgain(t *testing.T) {
	for after, most := range map[time.Duration]time.Duration{10 * time.Second: sizeRaise, 2 * time.Hour: sizeStays} {
		l := newSizeLine(1252, 40*time.Millisecond, 0)
		l.large = false
		l.run(after, nil)
		if perHour := float64(l.bytes) / after.Hours(); after > time.Hour && perHour > 200_000 {
			t.Errorf("%.0f bytes an hour", perHour)
		}
		l.Largest = 1472
		if took := l.run(time.Hour, func() bool { return l.size.Size() == testTop }); took > most+time.Second {
			t.Errorf("after %v it took %v", after, took)
		}
	}
}

// What an attacker, or an old path, answers is nothing.
func TestSizeTakesNoOtherAnswers(t *testing.T) {
	var s pathMTU
	s.Reset(testLeast, testBase, testTop)
	now := time.Unix(0, 0)
	s.Answered(0, now)
	s.Answered(1, now)
	first, bytes := s.Due(0, now)
	if bytes != testTop {
		t.Fatalf("probe of %d bytes", bytes)
	}
	s.Answered(first+1, now)
	s.Answered(first-1, now)
	s.Reset(testLeast, testBase, testTop) // another path
	s.Answered(first, now)
	if s.Size() != testBase {
		t.Fatalf("%d bytes", s.Size())
	}
	second, _ := s.Due(0, now)
	s.Answered(first, now)
	if s.Size() != testBase || second == first {
		t.Fatalf("%d bytes, probes %d and %d", s.Size(), first, second)
	}
	s.Answered(second, now)
	if s.Size() != testTop {
		t.Fatalf("%d bytes", s.Size())
	}
}

func Example_pathMTU() {
	var s pathMTU
	s.Reset(740, 1200, 1312)
	now := time.Unix(0, 0)
	number, bytes := s.Due(50*time.Millisecond, now)
	s.Answered(number, now.Add(50*time.Millisecond))
	fmt.Println(bytes, s.Size())
	// Output: 1312 1312
}
