// Command netbench measures what players get over bad lines; "make netbench" calls it.
// See package netbench.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/nettplay/nettplay/internal/netbench"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// options are the flags.
type options struct {
	netbench.Options
	cases   []netbench.Case
	program string
	core    string
	old     string
	jobs    int
	list    bool
}

func parse(args []string, errs io.Writer) (o options, err error) {
	f := flag.NewFlagSet("netbench", flag.ContinueOnError)
	f.SetOutput(errs)
	o.Span = netbench.DefaultSpan
	f.StringVar(&o.program, "program", "", "the program's `path` (default: it is built)")
	f.StringVar(&o.core, "core", "", "the test core's `path` (default: it is built)")
	f.StringVar(&o.old, "compare", "", "the `path` of another build, which takes turns with the program")
	f.IntVar(&o.Turns, "turns", 1, "games of each build in a case")
	f.DurationVar(&o.Length, "length", 20*time.Second, "measured `time` of a game")
	f.DurationVar(&o.Span.Settle, "settle", o.Span.Settle, "`time` at the beginning that does not count")
	f.IntVar(&o.jobs, "jobs", 4, "cases side by side")
	f.StringVar(&o.Delay, "delay", "", "the input delay, a number of frames or auto (default: each case's)")
	f.StringVar(&o.Sync, "sync", "", "the room's sync `setting` (default: the program's)")
	f.Uint64Var(&o.Seed, "seed", 1, "`number` that all chances come from")
	f.BoolVar(&o.NoFloor, "no-floor", false, "leave bare ENet out")
	f.BoolVar(&o.list, "list", false, "list the cases")
	f.StringVar(&o.Dir, "dir", "", "`folder` in which the files of games stay (default: a temporary one)")
	f.Usage = func() {
		fmt.Fprint(errs, "netbench [flags] [CASE PATTERNS]\n\n  netbench -length 60s 50j10l5 'burst*'\n\n")
		f.PrintDefaults()
	}
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.jobs < 1 || o.Turns < 1 || o.Length <= 0 {
		return o, errors.New("jobs, turns and length are at least 1")
	}
	o.cases, err = netbench.Match(netbench.Cases(), f.Args())
	return o, err
}

// run is the program. It returns the exit code.
func run(ctx context.Context, args []string, out, errs io.Writer) int {
	o, err := parse(args, errs)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintln(errs, "netbench:", err)
		return 2
	case o.list:
		for _, c := range o.cases {
			fmt.Fprintf(out, "%-12s delay %2d  %s\n", c.Name, c.Delay, c.Words)
		}
		return 0
	}
	rows, err := o.measure(ctx, errs)
	if err != nil {
		fmt.Fprintln(errs, "netbench:", err)
		return 1
	}
	fmt.Fprint(out, netbench.Table(rows))
	for _, r := range rows {
		if r.Err != nil {
			return 1
		}
	}
	return 0
}

// measure measures all cases, some of them side by side.
func (o *options) measure(ctx context.Context, errs io.Writer) ([]netbench.Row, error) {
	o.KeepLogs = o.Dir != ""
	clean, err := o.build(ctx)
	defer clean()
	if err != nil {
		return nil, err
	}
	rows := make([]netbench.Row, len(o.cases))
	next := make(chan int)
	var wg sync.WaitGroup
	var telling sync.Mutex
	for range o.jobs {
		wg.Go(func() {
			for i := range next {
				rows[i] = o.Run(ctx, o.cases[i])
				telling.Lock()
				tell(errs, &rows[i])
				telling.Unlock()
			}
		})
	}
	for i := range o.cases {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	return rows, ctx.Err()
}

// tell says that a case is done.
func tell(errs io.Writer, r *netbench.Row) {
	if r.Err != nil {
		fmt.Fprintf(errs, "%-12s FAILED: %v\n", r.Case.Name, r.Err)
		return
	}
	fmt.Fprintf(errs, "%-12s delay %s: %.2f %% late (ENet %.2f, ideal %.2f), %.1f stalls/min\n", r.Case.Name, r.Delay,
		100*r.New.Lates.Share(), 100*r.Floor.Lates.Share(), 100*r.Ideal.Lates.Share(), r.New.Stalls)
}

// build makes what is to be measured, where it was not given. clean removes it.
func (o *options) build(ctx context.Context) (clean func(), err error) {
	clean = func() {}
	made, err := os.MkdirTemp("", "netbench-")
	if err != nil {
		return clean, err
	}
	clean = func() { os.RemoveAll(made) }
	if o.Dir == "" {
		o.Dir = filepath.Join(made, "games")
	}
	if o.Dir, err = filepath.Abs(o.Dir); err != nil {
		return clean, err
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return clean, err
	}
	if o.program == "" {
		o.program = filepath.Join(made, "nettplay")
		if err := command(ctx, "go", "build", "-o", o.program, "./cmd/nettplay"); err != nil {
			return clean, err
		}
	}
	if o.core == "" {
		o.core = filepath.Join(made, "testcore_libretro.so")
		if err := command(ctx, "make", "-s", "-C", "emucore/testcore", "OUT="+o.core, o.core); err != nil {
			return clean, err
		}
	}
	if o.Program, err = o.look(ctx, o.program); err != nil || o.old == "" {
		return clean, err
	}
	old, err := o.look(ctx, o.old)
	o.Old = &old
	return clean, err
}

// look finds out what a build can tell.
func (o *options) look(ctx context.Context, path string) (p netbench.Program, err error) {
	if p.Path, err = filepath.Abs(path); err != nil {
		return p, err
	}
	if p.Core, err = filepath.Abs(o.core); err != nil {
		return p, err
	}
	help, err := exec.CommandContext(ctx, p.Path, "help", "host").CombinedOutput()
	if err != nil {
		return p, fmt.Errorf("%s help host: %w", path, err)
	}
	p.Times = strings.Contains(string(help), "--frame-times")
	return p, nil
}

func command(ctx context.Context, name string, args ...string) error {
	if out, err := exec.CommandContext(ctx, name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}
