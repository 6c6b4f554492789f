package memnet

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// play sends inputs, Control and Bulk over a bad line and writes down what arrives
// when, in both directions.
func play(t *testing.T, seed uint64) (log string) {
	synctest.Test(t, func(t *testing.T) {
		m := New(seed, Impairment{
			Delay: 50 * time.Millisecond, Jitter: 20 * time.Millisecond,
			Loss: 0.1, Duplicate: 0.05, Reorder: 0.05,
		})
		a, b := m.Listen("a"), m.Listen("b")
		p, err := a.Dial(context.Background(), "b")
		must.Succeed(t, err)
		q := expect(t, b, link.Connected).Peer
		expect(t, a, link.Connected)
		start := time.Now()
		go func() {
			for i := range uint32(300) {
				data := binary.BigEndian.AppendUint32(nil, i)
				_ = a.Send(p, link.Input, data)
				_ = b.Send(q, link.Input, data)
				if i%10 == 0 {
					_ = a.Send(p, link.Control, data)
					_ = b.Send(q, link.Bulk, append(data, make([]byte, 5000)...))
				}
				time.Sleep(16 * time.Millisecond)
			}
			time.Sleep(5 * time.Second)
			_ = a.Close()
		}()
		var lines []string
		note := func(name string, ev link.Event) {
			if ev.Kind == link.Message {
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
func TestIsDeterministic(t *testing.T) {
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
func TestLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(1, Impairment{Delay: 10 * time.Millisecond})
		host, near, far := m.Listen("host"), m.Listen("near"), m.Listen("far")
		defer host.Close()
		defer near.Close()
		defer far.Close()
		m.SetLine("far", "host", Impairment{Delay: 300 * time.Millisecond})
		toNear := connect(t, near, "host")
		toFar := connect(t, far, "host")
		took := func(l link.Link, p link.PeerID) time.Duration {
			start := time.Now()
			_ = l.Send(p, link.Input, []byte("x"))
			for ev := range host.Events() {
				if ev.Kind == link.Message {
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
		expect(t, far, link.Connected)
		if ev := expect(t, far, link.Disconnected); ev.Reason.By != link.ByTimeout {
			t.Errorf("far: %+v", ev)
		}
		if ev := expect(t, host, link.Disconnected); ev.Addr != "far" {
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

func TestRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(1, Impairment{Delay: 10 * time.Millisecond})
		m.SetTimeouts(3*time.Second, time.Second)
		l := m.Listen("l")
		start := time.Now()
		if _, err := l.Dial(context.Background(), "nobody"); !failed(err, link.Refused) || time.Since(start) != 20*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		short, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
		defer cancel()
		if _, err := l.Dial(short, "nobody"); !failed(err, link.Aborted) {
			t.Errorf("a dial that is given up: %v", err)
		}
		host := m.Listen("host")
		connect(t, l, "host")
		m.Blackout(time.Minute)
		start = time.Now()
		if _, err := l.Dial(context.Background(), "host"); !failed(err, link.NoAnswer) || time.Since(start) != time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		expect(t, l, link.Connected)
		expect(t, l, link.Disconnected)
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

// Of several addresses the first to answer is taken; those where nobody is do no harm.
func TestDialOfSeveralAddresses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(1, Impairment{Delay: 10 * time.Millisecond})
		l, near, far := m.Listen("l"), m.Listen("near"), m.Listen("far")
		defer l.Close()
		defer near.Close()
		defer far.Close()
		m.SetLine("l", "far", Impairment{Delay: 80 * time.Millisecond})
		p := connect(t, l, link.Target(seal.Public{}, "nobody", "far", "near", "l"))
		if ev := expect(t, l, link.Connected); ev.Peer != p || ev.Addr != "near" {
			t.Errorf("connected to %+v", ev)
		}
		if ev := expect(t, near, link.Connected); ev.Addr != "l" {
			t.Errorf("near: %+v", ev)
		}
		time.Sleep(time.Second)
		select {
		case ev := <-l.Events():
			t.Errorf("and then %+v", ev)
		default:
		}
		_, err := l.Dial(t.Context(), link.Target(seal.Public{}, "nobody", "l"))
		if !failed(err, link.Refused) && !failed(err, link.Rejected) {
			t.Errorf("nobody there: %v", err)
		}
	})
}

// As over UDP.
func TestAbsentOfName(t *testing.T) {
	net := New(1, Impairment{Delay: time.Millisecond})
	c, d := net.Listen("c"), net.Listen("d")
	defer c.Close()
	if c.Absent(t.Context(), "d") {
		t.Error("who listens is said to be absent")
	}
	net.Blackout(time.Hour, "d")
	if c.Absent(t.Context(), "d") {
		t.Error("who cannot be heard is said to be absent")
	}
	d.Close()
	net.dark = nil
	if !c.Absent(t.Context(), "d") {
		t.Error("who is gone is not said to be absent")
	}
}

func failed(err error, why link.DialFailure) bool {
	var d *link.DialError
	return errors.As(err, &d) && d.Why == why
}

func connect(t *testing.T, l link.Link, to string) link.PeerID {
	t.Helper()
	p, err := l.Dial(t.Context(), to)
	must.Succeed(t, err)
	return p
}

// expect takes the next event, which must be of a kind.
func expect(t *testing.T, l link.Link, k link.EventKind) link.Event {
	t.Helper()
	ev := <-l.Events()
	if ev.Kind != k {
		t.Fatalf("got %s (%s), want %s", ev.Kind, ev.Reason, k)
	}
	return ev
}
