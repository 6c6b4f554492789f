package conn

import (
	"math"
	"testing"
	"time"
)

func TestMeter(t *testing.T) {
	var m Meter
	now := time.Unix(100, 0)
	if m.Pong(now, 0, 0, 0) {
		t.Error("a pong before any ping")
	}
	count, got := uint32(math.MaxUint32-50), uint32(0) // counters may wrap
	m.out.add(count, got)
	for i := range 200 {
		count += 10
		got += 10
		if i%4 == 0 {
			got -= 4 // one in ten is lost
		}
		seq := m.Ping(now, count)
		rtt, held := 30*time.Millisecond, time.Duration(i%3)*5*time.Millisecond
		if i%2 == 0 {
			rtt += 10 * time.Millisecond
		}
		if i%5 == 0 { // this one is not answered
			now = now.Add(PingEvery)
			continue
		}
		if !m.Pong(now.Add(rtt+held), seq, got, held) || m.Pong(now.Add(rtt+held), seq, got, held) {
			t.Fatal("a pong counts not once")
		}
		now = now.Add(m.Interval())
	}
	if m.rtt < 31*time.Millisecond || m.rtt > 39*time.Millisecond {
		t.Errorf("round trips %v", m.rtt)
	}
	if m.jitter < 5*time.Millisecond || m.jitter > 10*time.Millisecond {
		t.Errorf("jitter %v", m.jitter)
	}
	if s := m.out.share(); s < 0.08 || s > 0.12 {
		t.Errorf("loss %v", s)
	}
	if s := m.in.share(); s != 0 {
		t.Errorf("loss %v of nothing", s)
	}
	old := m.Ping(now, count)
	if m.Pong(now.Add(echoExpiry+1), old, got, 0) {
		t.Error("an expired pong counts")
	}
	for range meterSpan {
		m.Ping(now, count)
	}
	if m.Pong(now, old, got, 0) {
		t.Error("a pong of a ping that is forgotten counts")
	}
}

func TestLossOverASpan(t *testing.T) {
	var l lossMeter
	if l.share() != 0 {
		t.Error("loss before anything was sent")
	}
	l.add(10, 5)
	if l.share() != 0.5 {
		t.Errorf("first pair: %v", l.share())
	}
	l.add(10, 9) // again: overtaken
	l.add(8, 9)
	if l.share() != 0.5 {
		t.Errorf("old pairs count: %v", l.share())
	}
	for i := range uint32(100) {
		l.add(20+10*i, 15+10*i)
	}
	if l.share() != 0 {
		t.Errorf("loss long ago counts: %v", l.share())
	}
	last := l.newest()
	l.add(last[0]+10, last[1]+5)
	if got := l.share() * 10 * meterSpan; math.Round(got) != 5 {
		t.Errorf("5 of %d lost: %v", 10*meterSpan, got)
	}
	l.add(last[0]+20, last[1]+50) // duplicates
	if l.share() != 0 {
		t.Error("a negative loss")
	}
}
