// Command impair is a bad line between UDP programs on this machine: it relays
// datagrams from clients to a target with delay, jitter, loss, bursts,
// duplication, reordering, a bandwidth, others' traffic and blackouts.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/nettplay/nettplay/internal/testing/badline"
	"github.com/nettplay/nettplay/internal/testing/impair"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

const usage = `impair relays UDP datagrams over a bad line.

  impair [flags] TARGET

Example: a host listens on port 7777; play through port 7778 as if 200 ms away,
with 5 % loss and a dark second after a minute:

  impair -listen 127.0.0.1:7778 -delay 100ms -jitter 50ms -loss 5% \
         -blackout 1m+1s 127.0.0.1:7777

It ends with Ctrl-C and says what became of the datagrams.

Flags:
`

// run is the program without its surroundings. It returns the exit code.
func run(ctx context.Context, args []string, out, errs io.Writer) int {
	cfg, every, err := parse(args, out)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintf(errs, "impair: %v (see impair -help)\n", err)
		return 2
	}
	relay, err := badline.Start(cfg)
	if err != nil {
		fmt.Fprintln(errs, "impair:", err)
		return 1
	}
	defer relay.Close()
	fmt.Fprintf(out, "relaying %s to %s\n", relay.Addr(), cfg.Target)
	watch(ctx, relay, every, out)
	return 0
}

func parse(args []string, help io.Writer) (cfg badline.Config, every time.Duration, err error) {
	f := flag.NewFlagSet("impair", flag.ContinueOnError)
	f.SetOutput(io.Discard) // errors are the caller's to print
	f.Usage = func() {}
	f.StringVar(&cfg.Listen, "listen", "127.0.0.1:0", "listen on `HOST:PORT`; port 0 is any")
	f.Uint64Var(&cfg.Seed, "seed", 1, "`number` that all chances come from")
	f.DurationVar(&cfg.Delay, "delay", 0, "one-way delay, like 100ms")
	f.DurationVar(&cfg.Jitter, "jitter", 0, "spread of the delay to either side")
	f.Func("loss", "`share` lost, like 5% or 0.05", share(&cfg.Loss))
	f.Func("duplicate", "`share` that arrives twice", share(&cfg.Duplicate))
	f.Func("reorder", "`share` held back so that others overtake it", share(&cfg.Reorder))
	f.Func("bursts", "`share` of the time in which losses come in bursts", share(&cfg.BurstShare))
	f.DurationVar(&cfg.BurstMean, "burst", impair.DefaultBurst, "mean length of a burst")
	f.Func("burst-loss", "`share` lost in a burst; 0 for all", share(&cfg.BurstLoss))
	f.Func("largest", "`bytes` of the largest datagram that fits, like 1232; 0 for no limit", size(&cfg.Largest))
	f.Func("bandwidth", "`bytes` a second, like 500k or 2M; 0 for no limit", size(&cfg.Bandwidth))
	f.Func("queue", "`bytes` that wait for the line; 0 for 128 KiB", size(&cfg.Queue))
	f.Func("traffic", "`bytes` a second that others send over the same line, which fill its queue", size(&cfg.Traffic))
	f.DurationVar(&cfg.TrafficEvery, "traffic-every", 0, "they send in the first half of each such span; 0 for all the time")
	f.Func("blackout", "`START+LENGTH` of a time without any passage, like 10s+3s; may be repeated", blackout(&cfg.Blackouts))
	f.DurationVar(&every, "every", 0, "print counters this often; 0 for only at the end")
	err = f.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(help, usage)
		f.SetOutput(help)
		f.PrintDefaults()
	}
	if err != nil {
		return cfg, 0, err
	}
	if f.NArg() != 1 {
		return cfg, 0, errors.New("want one TARGET, HOST:PORT")
	}
	cfg.Target = f.Arg(0)
	return cfg, every, nil
}

// watch prints counters until ctx ends.
func watch(ctx context.Context, r *badline.Relay, every time.Duration, out io.Writer) {
	var tick <-chan time.Time
	if every > 0 {
		t := time.NewTicker(every)
		defer t.Stop()
		tick = t.C
	}
	for {
		select {
		case <-tick:
			report(r, out)
		case <-ctx.Done():
			report(r, out)
			return
		}
	}
}

func report(r *badline.Relay, out io.Writer) {
	for d, name := range []string{badline.ToTarget: "to target", badline.ToClient: "to client"} {
		c := r.Count(badline.Direction(d))
		fmt.Fprintf(out, "%s: %d received (%d bytes), %d sent, %d lost, %d queue full, %d blacked out, %d doubled, %d reordered, %d refused\n",
			name, c.Received, c.Bytes, c.Forwarded, c.Lost, c.QueueFull, c.BlackedOut, c.Duplicated, c.Reordered, c.Refused)
	}
}

// share reads a flag like 5% or 0.05.
func share(to *float64) func(string) error {
	return func(v string) error {
		scale := 1.0
		if cut, ok := strings.CutSuffix(v, "%"); ok {
			v, scale = cut, 100
		}
		f, err := strconv.ParseFloat(v, 64)
		if err != nil || !(f >= 0 && f/scale <= 1) {
			return errors.New("want 0% to 100%, or 0 to 1")
		}
		*to = f / scale
		return nil
	}
}

// size reads a flag like 500k or 2M.
func size(to *int) func(string) error {
	return func(v string) error {
		scale := 1.0
		if cut, ok := strings.CutSuffix(v, "k"); ok {
			v, scale = cut, 1e3
		} else if cut, ok := strings.CutSuffix(v, "M"); ok {
			v, scale = cut, 1e6
		}
		f, err := strconv.ParseFloat(v, 64)
		if err != nil || !(f >= 0 && f*scale <= 1e12) {
			return errors.New("want a number of bytes, like 1500, 500k or 2M")
		}
		*to = int(f * scale)
		return nil
	}
}

// blackout reads a repeated flag like 10s+3s.
func blackout(to *[]badline.Blackout) func(string) error {
	return func(v string) error {
		start, length, ok := strings.Cut(v, "+")
		from, err1 := time.ParseDuration(start)
		long, err2 := time.ParseDuration(length)
		if !ok || err1 != nil || err2 != nil || from < 0 || long <= 0 {
			return errors.New("want START+LENGTH, like 10s+3s")
		}
		*to = append(*to, badline.Blackout{Start: from, Length: long})
		return nil
	}
}
