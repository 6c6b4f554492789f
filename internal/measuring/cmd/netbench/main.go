// Command netbench measures what players get over bad lines; "make netbench" calls it.
// See package netbench.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"

	"github.com/nettplay/nettplay/internal/disk"
	"github.com/nettplay/nettplay/internal/measuring/netbench"
	"github.com/nettplay/nettplay/internal/measuring/netbench/report"
	"github.com/nettplay/nettplay/internal/testing/child"
)

// threads run lines and bare ENet. A call of ENet holds one of them for a while, and no line may
// wait for that, however few processors there are.
const threads = 16

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	runtime.GOMAXPROCS(threads)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the program. It returns the exit code: 1 also where a case could not be measured.
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
	if err == nil {
		err = o.tell(rows, out)
	}
	if err != nil {
		fmt.Fprintln(errs, "netbench:", err)
		return 1
	}
	for _, r := range rows {
		if r.Err != nil {
			return 1
		}
	}
	return 0
}

// tell tells what came of it, in the terminal and in files.
func (o *options) tell(rows []netbench.Row, out io.Writer) error {
	fmt.Fprint(out, report.Tables(rows), "\n", report.Above(rows))
	if o.delays != "" {
		fmt.Fprint(out, "\n", report.Sweep(rows))
	}
	if o.Old != nil {
		fmt.Fprint(out, "\n", report.Compared(rows))
	}
	var failed error
	if o.jsonFile != "" {
		b, err := json.MarshalIndent(rows, "", " ")
		if err == nil {
			err = disk.Write(o.jsonFile, append(b, '\n'), 0o644)
		}
		failed = err
	}
	if o.docs == "" {
		return failed
	}
	page := report.Report{Rows: rows, Setting: o.setting(), Swept: o.delays != "", Compares: o.Old != nil}
	return errors.Join(failed, page.Write(o.docs))
}

// setting tells in words how it was measured.
func (o *options) setting() string {
	words := []string{
		fmt.Sprintf("games of %v and %v before that do not count, up to %d machines at a time, on %d processors", o.Length, o.Span.Settle, o.machines, runtime.NumCPU()),
	}
	if o.Delay != "" {
		words = append(words, "input delay "+o.Delay)
	}
	if o.Sync != "" {
		words = append(words, "sync "+o.Sync)
	}
	if o.Stretch > 1 {
		words = append(words, fmt.Sprintf("time stretched %d times, so as on computers %d times as fast", o.Stretch, o.Stretch))
	}
	if o.Turns > 1 {
		words = append(words, fmt.Sprintf("%d games each", o.Turns))
	}
	return strings.Join(append(words, fmt.Sprintf("seed %d", o.Seed)), "; ")
}

// measure measures all cases, some of them side by side.
func (o *options) measure(ctx context.Context, errs io.Writer) ([]netbench.Row, error) {
	o.KeepLogs = o.Dir != ""
	made, err := os.MkdirTemp("", "netbench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(made)
	if err := o.build(ctx, made); err != nil {
		return nil, err
	}
	rows := make([]netbench.Row, len(o.cases))
	places := make(chan struct{}, o.machines)
	var wg sync.WaitGroup
	var telling sync.Mutex
	for i, c := range o.cases {
		for range o.counts(c) {
			places <- struct{}{}
		}
		wg.Go(func() {
			r := netbench.Row{Case: c, Err: ctx.Err()}
			if r.Err == nil { // else nobody wants it any more
				r = o.Run(ctx, c)
			}
			for range o.counts(c) {
				<-places
			}
			telling.Lock()
			defer telling.Unlock()
			rows[i] = r
			line(errs, &r)
		})
	}
	wg.Wait()
	return rows, ctx.Err()
}

// line says that a case is done.
func line(errs io.Writer, r *netbench.Row) {
	if r.Err != nil {
		fmt.Fprintf(errs, "%-12s FAILED: %v\n", r.Case.Name, r.Err)
		return
	}
	fmt.Fprintf(errs, "%-12s delay %s: %.2f %% late (ENet %.2f, ideal %.2f), %.1f stalls/min\n", r.Case.Name, r.Delay,
		100*r.New.Lates.Share(), 100*r.Floor.Lates.Share(), 100*r.Ideal.Lates.Share(), r.New.Stalls)
}

// build makes in a folder what is to be measured, where it was not given.
func (o *options) build(ctx context.Context, made string) (err error) {
	if o.Dir, err = filepath.Abs(cmp.Or(o.Dir, filepath.Join(made, "games"))); err != nil {
		return err
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return err
	}
	flags, err := o.Stretch.Flags(made)
	if err == nil {
		err = child.Build(ctx, made, &o.program, &o.core, flags...)
	}
	if err != nil {
		return err
	}
	if o.Program, err = o.look(ctx, o.program); err != nil || o.old == "" {
		return err
	}
	old, err := o.look(ctx, o.old)
	o.Old = &old
	return err
}

// look finds out what a build can tell.
func (o *options) look(ctx context.Context, path string) (p netbench.Program, err error) {
	if path, err = filepath.EvalSymlinks(path); err != nil { // its processes are known by it
		return p, err
	}
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
