package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nettplay/nettplay/internal/testing/badline"
	"github.com/nettplay/nettplay/internal/testing/impair"
	"github.com/nettplay/nettplay/internal/testing/must"
)

func TestParse(t *testing.T) {
	got, every, err := parse(strings.Fields("-listen 127.0.0.1:1 -seed 9 -delay 100ms -jitter 50ms -loss 5% -duplicate 0.01 "+
		"-reorder 2% -bandwidth 1.5M -queue 64k -bursts 10% -burst 80ms -burst-loss 90% -traffic 2M -traffic-every 6s -blackout 10s+3s -blackout 1m+500ms -every 1s 127.0.0.1:7777"), io.Discard)
	want := badline.Config{
		Listen: "127.0.0.1:1", Target: "127.0.0.1:7777", Seed: 9,
		Impairment: impair.Impairment{
			Delay: 100 * time.Millisecond, Jitter: 50 * time.Millisecond, Loss: 0.05, Duplicate: 0.01, Reorder: 0.02,
			BurstShare: 0.1, BurstMean: 80 * time.Millisecond, BurstLoss: 0.9,
			Bandwidth: 1_500_000, Queue: 64_000, Traffic: 2_000_000, TrafficEvery: 6 * time.Second,
		},
		Blackouts: []badline.Blackout{{Start: 10 * time.Second, Length: 3 * time.Second}, {Start: time.Minute, Length: 500 * time.Millisecond}},
	}
	if err != nil || every != time.Second || !cmp.Equal(got, want) {
		t.Errorf("%v, %v\n%s", every, err, cmp.Diff(want, got))
	}
}

func TestUsageErrors(t *testing.T) {
	for _, args := range []string{
		"", "a:1 b:2", "-loss 101% a:1", "-loss x a:1", "-loss -1% a:1", "-bandwidth fast a:1", "-bandwidth -1 a:1",
		"-queue 5kM a:1", "-blackout 3s a:1", "-blackout 3s+0s a:1", "-blackout x+1s a:1", "-delay soon a:1", "-nonsense a:1",
	} {
		var out, errs bytes.Buffer
		if code := run(context.Background(), strings.Fields(args), &out, &errs); code != 2 || !strings.HasPrefix(errs.String(), "impair: ") || out.Len() > 0 {
			t.Errorf("%q: code %d, out %q, errors %q", args, code, &out, &errs)
		}
	}
	var errs bytes.Buffer
	if code := run(context.Background(), []string{"nowhere"}, io.Discard, &errs); code != 1 || !strings.Contains(errs.String(), "nowhere") {
		t.Errorf("code %d, %q", code, &errs)
	}
}

func TestHelp(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run(context.Background(), []string{"-help"}, &out, &errs); code != 0 || errs.Len() > 0 {
		t.Errorf("code %d, %q", code, &errs)
	}
	for _, want := range []string{"Example:", "-blackout", "-bandwidth", "-jitter"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("help does not speak of %s", want)
		}
	}
}

// The program relays until it is told to stop, and then says what it did.
func TestRun(t *testing.T) {
	target, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	must.Succeed(t, err)
	defer target.Close()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	out, in := io.Pipe()
	code := make(chan int, 1)
	go func() {
		got := run(ctx, []string{"-every", "10ms", target.LocalAddr().String()}, in, io.Discard)
		in.Close()
		code <- got
	}()
	line := make([]byte, 4096)
	n, err := out.Read(line)
	must.Succeed(t, err)
	var addr string
	if fields := strings.Fields(string(line[:n])); len(fields) > 1 {
		addr = fields[1]
	}
	c, err := net.Dial("udp4", addr)
	must.Succeed(t, err)
	defer c.Close()
	_, _ = c.Write([]byte("hello"))
	_ = target.SetReadDeadline(time.Now().Add(3 * time.Minute))
	if n, err := target.Read(line); err != nil || string(line[:n]) != "hello" {
		t.Fatalf("%q, %v", line[:n], err)
	}
	go stop()
	said, _ := io.ReadAll(out)
	if got := <-code; got != 0 || !strings.Contains(string(said), "to target: 1 received (5 bytes), 1 sent") {
		t.Errorf("code %d, %s", got, said)
	}
}
