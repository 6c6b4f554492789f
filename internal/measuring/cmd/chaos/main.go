// Command chaos plays random games between real processes in which much goes wrong,
// and judges them. "make chaos RUNS=n SEED=s" calls it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/measuring/chaos"
	"github.com/nettplay/nettplay/internal/testing/child"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// options are the flags.
type options struct {
	runs, jobs    int
	seed          uint64
	long, race    bool
	keep          bool
	dir           string
	program, core string
	plan          bool
}

func parse(args []string, errs io.Writer) (o options, err error) {
	f := flag.NewFlagSet("chaos", flag.ContinueOnError)
	f.SetOutput(errs)
	f.IntVar(&o.runs, "runs", 12, "how many runs")
	f.Uint64Var(&o.seed, "seed", 1, "of the first run; each run has the next one")
	f.IntVar(&o.jobs, "jobs", 1, "runs at a time")
	f.BoolVar(&o.long, "long", false, "also lines that are dark for 40 s")
	f.BoolVar(&o.race, "race", false, "build with the race detector")
	f.BoolVar(&o.keep, "keep", false, "keep the files of runs that did not fail, too")
	f.BoolVar(&o.plan, "plan", false, "only print the plans")
	f.StringVar(&o.dir, "dir", "", "where the files of runs are kept (default: a new temporary folder)")
	f.StringVar(&o.program, "program", "", "the program (default: it is built)")
	f.StringVar(&o.core, "core", "", "the test core (default: it is built)")
	err = f.Parse(args)
	switch {
	case err != nil:
	case f.NArg() > 0:
		err = fmt.Errorf("it takes no %q", f.Args())
	case o.runs < 1 || o.jobs < 1:
		err = errors.New("at least one run at a time is needed")
	}
	return o, err
}

// run is the program. It returns the exit code.
func run(ctx context.Context, args []string, out, errs io.Writer) int {
	o, err := parse(args, errs)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintln(errs, "chaos:", err)
		return 2
	}
	failed, err := o.play(ctx, out)
	if err != nil {
		fmt.Fprintln(errs, "chaos:", err)
	}
	if err != nil || failed > 0 {
		return 1
	}
	return 0
}

// play does all runs and tells how many failed.
func (o *options) play(ctx context.Context, out io.Writer) (failed int, err error) {
	_, none := emucore.Search{}.Find(ctx, "desmume")
	how := chaos.Options{DeSmuME: none == nil, Long: o.long}
	if o.plan {
		for n := range o.runs {
			fmt.Fprint(out, chaos.NewPlan(o.seed+uint64(n), how))
		}
		return 0, nil
	}
	if err := o.build(ctx); err != nil {
		return 0, err
	}
	s := series{options: o, out: out, runner: chaos.Runner{Program: o.program, Core: o.core, Dir: o.dir}, counts: map[string]int{}}
	seeds := make(chan uint64)
	var wg sync.WaitGroup
	for range o.jobs {
		wg.Go(func() {
			for seed := range seeds {
				s.one(ctx, chaos.NewPlan(seed, how))
			}
		})
	}
	for n := range o.runs {
		if ctx.Err() != nil {
			break
		}
		seeds <- o.seed + uint64(n)
	}
	close(seeds)
	wg.Wait()
	s.sum()
	return s.failed, nil
}

// build makes what is to be tested, where it was not given.
func (o *options) build(ctx context.Context) (err error) {
	if o.dir == "" {
		o.dir, err = os.MkdirTemp("", "nettplay-chaos-")
	} else if o.dir, err = filepath.Abs(o.dir); err == nil {
		err = os.MkdirAll(o.dir, 0o700)
	}
	flags := []string{"-tags", "nettplay_faults"}
	if o.race {
		flags = append(flags, "-race")
	}
	if err != nil {
		return err
	}
	return child.Build(ctx, o.dir, &o.program, &o.core, flags...)
}

// series is the runs and what came of them.
type series struct {
	*options
	runner chaos.Runner

	mu     sync.Mutex
	out    io.Writer
	done   int
	failed int
	counts map[string]int // of what happened
}

// one does a run and tells what came of it.
func (s *series) one(ctx context.Context, p chaos.Plan) {
	o := s.runner.Run(ctx, p)
	if ctx.Err() != nil {
		return
	}
	wrong := chaos.Judge(p, o)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done++
	chaos.Count(s.counts, p, o)
	if len(wrong) == 0 {
		fmt.Fprintf(s.out, "ok    %s\n", chaos.Summary(p, o))
		if !s.keep {
			os.RemoveAll(s.runner.Folder(&p))
		}
		return
	}
	s.failed++
	fmt.Fprintf(s.out, "FAIL  %s\n", chaos.Summary(p, o))
	for _, w := range wrong {
		fmt.Fprintf(s.out, "      %s\n", w)
	}
	fmt.Fprintf(s.out, "%v      logs: %s\n      again: make chaos RUNS=1 SEED=%d\n", p, s.runner.Folder(&p), p.Seed)
}

// sum prints what happened in all runs, and the last line.
func (s *series) sum() {
	fmt.Fprintln(s.out)
	for _, name := range slices.Sorted(maps.Keys(s.counts)) {
		fmt.Fprintf(s.out, "%5d  %s\n", s.counts[name], name)
	}
	if s.failed == 0 && !s.keep {
		os.RemoveAll(s.dir)
	}
	fmt.Fprintf(s.out, "%d runs, %d failed\n", s.done, s.failed)
}
