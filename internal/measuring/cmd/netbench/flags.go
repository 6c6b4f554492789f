package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/measuring/netbench"
	"github.com/nettplay/nettplay/internal/rollback"
)

// options are the flags.
type options struct {
	netbench.Options
	cases    []netbench.Case
	program  string
	core     string
	old      string
	machines int // side by side
	delays   string
	full     bool
	list     bool
	docs     string
	jsonFile string
}

// The usual length of a game, with -full, and what does not count of one in which the program finds
// its delay.
const (
	usual    = 15 * time.Second
	whenFull = time.Minute
	finding  = 20 * time.Second
)

const mostStretch = 10

// Limits of machines measured at a time: as many as leave a third of the processors idle, since one of
// a room of two takes about a sixth of one. The least is the count of the largest case.
const eachProcessor, leastMachines = 4, 6

// counts returns the number of machines for which a case counts: in a larger room each has more consoles. Cases that are
// compared by sync are alone.
func (o *options) counts(c netbench.Case) int {
	if c.Sync != "" {
		return o.machines
	}
	return 2 * (c.Machines - 1)
}

const usage = `netbench measures what players get over bad lines.

  netbench [flags] [CASE PATTERNS]

Example: netbench -length 60s 50j10l5 'burst*'

Flags:
`

func parse(args []string, errs io.Writer) (o options, err error) {
	f := flag.NewFlagSet("netbench", flag.ContinueOnError)
	f.SetOutput(errs)
	o.Span = netbench.DefaultSpan
	f.StringVar(&o.program, "program", "", "the program's `path` (default: it is built)")
	f.StringVar(&o.core, "core", "", "the test core's `path` (default: it is built)")
	f.StringVar(&o.old, "compare", "", "the `path` of another build, which takes turns with the program")
	f.IntVar(&o.Turns, "turns", 1, "games of each build in a case")
	f.BoolVar(&o.full, "full", false, "a minute each, and one case for ten minutes")
	f.DurationVar(&o.Length, "length", usual, "measured `time` of a game")
	f.DurationVar(&o.Span.Settle, "settle", o.Span.Settle, "`time` at the beginning that does not count (with a delay that the program chooses, 20s)")
	f.IntVar(&o.machines, "machines", max(eachProcessor*runtime.NumCPU(), leastMachines), "at most `N` machines at a time, of cases side by side; those of larger rooms count for more")
	f.StringVar(&o.Delay, "delay", "", "the input delay: a number of frames, auto, or a preset of --auto-delay (default: each case's)")
	f.StringVar(&o.delays, "delays", "", "play each case with each delay of a `range` like 3-8, and tell the best")
	f.StringVar(&o.Sync, "sync", "", "the room's sync `setting`, or several of them with commas, of which each case is played in all (default: the program's)")
	f.Func("depth", "in rollback, the `frames` that each machine may go back, with commas (default: as many as it can)", o.depths)
	f.StringVar(&o.ROM, "rom", "", "the game's `path` (default: pad.nds of roms-test, on which nobody uses the radio)")
	f.StringVar(&o.JIT, "jit", "", "the `setting` core.jit: auto, on or off")
	f.Func("stretch", "make frames and lines `N` times as long, and tell figures as if they were not: as of computers N times as fast", o.stretch)
	f.Uint64Var(&o.Seed, "seed", 1, "`number` that all chances come from")
	f.BoolVar(&o.NoFloor, "no-floor", false, "leave bare ENet out")
	f.BoolVar(&o.list, "list", false, "list the cases")
	f.StringVar(&o.Dir, "dir", "", "`folder` in which the files of games stay (default: a temporary one)")
	f.StringVar(&o.docs, "docs", "", "`folder` into which netbench.md and its pictures are written")
	f.StringVar(&o.jsonFile, "json", "", "`file` for all figures")
	f.Usage = func() {
		fmt.Fprint(errs, usage)
		f.PrintDefaults()
	}
	if err := f.Parse(args); err != nil {
		return o, err
	}
	given := map[string]bool{}
	f.Visit(func(x *flag.Flag) { given[x.Name] = true })
	return o, o.settle(given, f.Args())
}

// depths reads those of rollback, one for each machine.
func (o *options) depths(list string) error {
	for word := range strings.SplitSeq(list, ",") {
		depth, err := strconv.Atoi(word)
		if err != nil || depth < 0 || depth > rollback.MaxDepth {
			return fmt.Errorf("each is a number from 0 to %d", rollback.MaxDepth)
		}
		o.Depth = append(o.Depth, depth)
	}
	return nil
}

// stretch reads by how much time is stretched.
func (o *options) stretch(word string) error {
	n, err := strconv.Atoi(word)
	if err != nil || n < 1 || n > mostStretch {
		return fmt.Errorf("it is a number from 1 to %d", mostStretch)
	}
	o.Stretch = netbench.Stretch(n)
	return nil
}

// settle makes what the flags say fit together.
func (o *options) settle(given map[string]bool, patterns []string) (err error) {
	if o.full && !given["length"] {
		o.Length = whenFull
	}
	if _, err := strconv.Atoi(o.Delay); o.Delay != "" && err != nil && !given["settle"] {
		o.Span.Settle = finding
	}
	if o.machines < leastMachines || o.Turns < 1 || o.Length <= 0 || o.Span.Settle < 0 {
		return fmt.Errorf("there are at least %d machines and 1 turn, and times are not negative", leastMachines)
	}
	if o.Stretch > 1 && (o.program != "" || o.old != "") {
		return errors.New("-stretch needs a program that is built for it: leave -program and -compare out")
	}
	all := netbench.Cases()
	if o.full {
		all = append([]netbench.Case{netbench.Long()}, all...) // the longest first
	}
	if o.cases, err = netbench.Match(all, patterns); err != nil {
		return err
	}
	if syncs := strings.Split(o.Sync, ","); len(syncs) > 1 {
		var list []netbench.Case
		for _, c := range o.cases {
			for _, c.Sync = range syncs {
				list = append(list, c)
			}
		}
		o.cases = list
	}
	if o.delays == "" {
		return nil
	}
	o.cases, err = swept(o.cases, o.delays)
	return err
}

// swept are cases with each delay of a range.
func swept(cases []netbench.Case, delays string) (list []netbench.Case, err error) {
	first, last, ok := strings.Cut(delays, "-")
	from, err1 := strconv.Atoi(first)
	to, err2 := strconv.Atoi(last)
	if !ok || err1 != nil || err2 != nil || from < 0 || to < from || to > ds.MaxDelay {
		return nil, fmt.Errorf("delays %q: want a range like 3-8, up to %d", delays, ds.MaxDelay)
	}
	for _, c := range cases {
		for c.Delay = from; c.Delay <= to; c.Delay++ {
			list = append(list, c)
		}
	}
	return list, nil
}
