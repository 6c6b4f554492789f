package link

import (
	"context"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// play sends inputs, Control and Bulk over a bad line and writes down what arrives
// when, in both directions.
func play(t *testing.T, seed uint64) (log string) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMemory(seed, Impairment{
			Delay: 50 * time.Millisecond, Jitter: 20 * time.Millisecond,
			Loss: 0.1, Duplicate: 0.05, Reorder: 0.05,
		})
		a, b := m.Listen("a"), m.Listen("b")
		p, err := a.Dial(context.Background(), "b")
		if err != nil {
			t.Fatal(err)
		}
		q := want(t, b, Connected).Peer
		want(t, a, Connected)
		start := time.Now()
		go func() {
			for i := range uint32(300) {
				data := binary.BigEndian.AppendUint32(nil, i)
				_ = a.Send(p, Input, data)
				_ = b.Send(q, Input, data)
				if i%10 == 0 {
					_ = a.Send(p, Control, data)
					_ = b.Send(q, Bulk, append(data, make([]byte, 5000)...))
				}
				time.Sleep(16 * time.Millisecond)
			}
			time.Sleep(5 * time.Second)
			_ = a.Close()
		}()
		var lines []string
		note := func(name string, ev Event) {
			if ev.Kind == Message {
				lines = append(lines, fmt.Sprint(name, ev.Channel, binary.BigEndian.Uint32(ev.Data), time.Since(start)))
			}
		}
		for open := true; open; {
			select {
			case ev, ok := <-a.Events():
				open = ok
				note("a", ev)
			case ev := <-b.Events():
				note("b", ev)
			}
		}
		_ = b.Close()
		log = strings.Join(lines, "\n")
	})
	return log
}

// The same seed gives the same losses and delays, to the nanosecond.
func TestMemoryIsDeterministic(t *testing.T) {
	first := play(t, 1)
	if n := strings.Count(first, "\n"); n < 500 {
		t.Fatalf("only %d messages arrived", n)
	}
	for range 3 {
		if again := play(t, 1); again != first {
			t.Fatalf("the same seed gave\n%s\nand\n%s", first, again)
		}
	}
	if play(t, 2) == first {
		t.Fatal("another seed gave the same")
	}
}

// Lines can be different in each direction, and dark for some.
func TestMemoryLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMemory(1, Impairment{Delay: 10 * time.Millisecond})
		host, near, far := m.Listen("host"), m.Listen("near"), m.Listen("far")
		defer host.Close()
		defer near.Close()
		defer far.Close()
		m.SetLine("far", "host", Impairment{Delay: 300 * time.Millisecond})
		toNear := dialOK(t, near, "host")
		toFar := dialOK(t, far, "host")
		took := func(l Link, p PeerID) time.Duration {
			start := time.Now()
			send(t, l, p, Input, "x")
			for ev := range host.Events() {
				if ev.Kind == Message {
					break
				}
			}
			return time.Since(start)
		}
		if d := took(near, toNear); d != 10*time.Millisecond {
			t.Errorf("near took %v", d)
		}
		if d := took(far, toFar); d != 300*time.Millisecond {
			t.Errorf("far took %v", d)
		}
		m.Blackout(time.Hour, "far")
		want(t, far, Connected)
		if ev := want(t, far, Disconnected); ev.Reason.By != ByTimeout {
			t.Errorf("far: %+v", ev)
		}
		if ev := want(t, host, Disconnected); ev.Addr != "far" {
			t.Errorf("host: %+v", ev)
		}
		if d := took(near, toNear); d != 10*time.Millisecond {
			t.Errorf("near took %v", d)
		}
		m.Set(Impairment{})
		if d := took(near, toNear); d != 0 {
			t.Errorf("near took %v on a perfect line", d)
		}
	})
}

func TestMemoryRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMemory(1, Impairment{Delay: 10 * time.Millisecond})
		m.SetTimeouts(3*time.Second, time.Second)
		l := m.Listen("l")
		start := time.Now()
		if _, err := l.Dial(context.Background(), "nobody"); !isDialError(err, Refused) || time.Since(start) != 20*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		host := m.Listen("host")
		dialOK(t, l, "host")
		m.Blackout(time.Minute)
		start = time.Now()
		if _, err := l.Dial(context.Background(), "host"); !isDialError(err, NoAnswer) || time.Since(start) != time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		want(t, l, Connected)
		want(t, l, Disconnected)
		if d := time.Since(start); d < 2*time.Second || d > 4*time.Second {
			t.Errorf("silence was noticed after %v", d)
		}
		m.Cut("host")
		if _, ok := <-host.Events(); ok {
			for range host.Events() {
			}
		}
		if err := host.Close(); err != nil {
			t.Error(err)
		}
		_ = l.Close()
		_ = l.Close()
	})
}

// Outside of a bubble it is a network in real time.
func TestMemoryInRealTime(t *testing.T) {
	m := NewMemory(1, Impairment{Delay: 5 * time.Millisecond, Loss: 0.1})
	test := memoryWorld{m}
	host, client, _, toHost := pair(t, test)
	for i := range 50 {
		send(t, client, toHost, Control, fmt.Sprint(i))
	}
	for i := range 50 {
		wantMessage(t, host, Control, fmt.Sprint(i))
	}
}
