package netbench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// Options say how all cases are measured.
type Options struct {
	Program  Program
	Old      *Program // another build to compare with; nil for none
	Turns    int      // games of each build in a case, at least 1; they take turns
	Length   time.Duration
	Span     Span
	Delay    string // a number, a preset of --auto-delay, or "auto"; "" for each case's own
	Sync     string
	JIT, ROM string // see How
	Depth    []int  // see How
	Args     []string
	Seed     uint64
	Dir      string // where games have their files
	NoFloor  bool   // leave bare ENet out
	KeepLogs bool   // leave the files of games
	Stretch  Stretch
}

// frames returns the number of frames that a case's game has.
func (o *Options) frames(c *Case) int64 {
	length := cmp.Or(c.Length, o.Length)
	return int64((length + o.Span.Settle + o.Span.Tail).Seconds() * ds.FrameRate)
}

// Row is the result of a case.
type Row struct {
	Case  Case   `json:"case"`
	Delay string `json:"delay"` // as it was asked for
	New   Side   `json:"new"`
	Old   *Side  `json:"old,omitempty"`
	Floor Side   `json:"floor"` // bare ENet
	Ideal Side   `json:"ideal"`
	Err   error  `json:"-"`
	Error string `json:"error,omitempty"` // why there are no figures
}

// Side has the measurements of one contender.
type Side struct {
	Figures
	Traffic   Traffic `json:"traffic"`
	Processor float64 `json:"processor"`       // share of one processor, a machine
	Stalls    float64 `json:"stalls"`          // a minute and machine, as the program counts them from the first frame on
	StallMS   float64 `json:"stall_ms"`        // of standing a minute and machine
	Sound     *Sound  `json:"sound,omitempty"` // nil where it was not measured

	Rollback *Rollback `json:"rollback,omitempty"` // nil in a game without
}

// Rollback is what a game with it cost, over all machines. Shares are of the frames that were confirmed.
type Rollback struct {
	Depth   int     `json:"depth"`   // frames that the machine may be ahead, of the one with fewest, at the end
	Guessed float64 `json:"guessed"` // share of frames that ran with a guess
	Again   float64 `json:"again"`   // share that ran again
	Time    float64 `json:"time"`    // share of the time that going back, and running again, took
	// Late are shares of own frames that were shown more than a frame's time after they were due: of those for which nothing ran
	// again, and of the others.
	Late     float64 `json:"late"`
	LateBack float64 `json:"late_back"`
}

// rolledBack sums up what machines report; nil where one has no rollback, or an earlier build's.
func rolledBack(reports []notice.Report) *Rollback {
	var all game.Rollbacks
	r := Rollback{Depth: math.MaxInt}
	own := 0.0 // seconds of the game, over all machines
	for i := range reports {
		b := reports[i].Rollbacks
		if b == nil || b.Frames == 0 {
			return nil
		}
		own += float64(reports[i].Frames) * Frame.Seconds()
		r.Depth = min(r.Depth, b.Depth)
		all.Frames, all.Guessed, all.Again, all.Took = all.Frames+b.Frames, all.Guessed+b.Guessed, all.Again+b.Again, all.Took+b.Took
		all.Plain.All, all.Plain.Late = all.Plain.All+b.Plain.All, all.Plain.Late+b.Plain.Late
		all.Back.All, all.Back.Late = all.Back.All+b.Back.All, all.Back.Late+b.Back.Late
	}
	if own == 0 {
		return nil
	}
	n := float64(all.Frames)
	r.Guessed, r.Again, r.Time = float64(all.Guessed)/n, float64(all.Again)/n, all.Took.Seconds()/own
	r.Late, r.LateBack = all.Plain.Share(), all.Back.Share()
	return &r
}

// join is the mean of so many games, of which this is one more.
func (r *Rollback) join(g *Rollback, n float64) *Rollback {
	if g == nil {
		return r
	}
	if r == nil {
		r = &Rollback{Depth: g.Depth}
	}
	return &Rollback{
		min(r.Depth, g.Depth), r.Guessed + g.Guessed/n, r.Again + g.Again/n, r.Time + g.Time/n,
		r.Late + g.Late/n, r.LateBack + g.LateBack/n,
	}
}

// Run measures a case. A failure is in the row, and what was measured before it stays there.
func (o *Options) Run(ctx context.Context, c Case) Row {
	r := Row{Case: c, Delay: o.Delay}
	if r.Delay == "" {
		r.Delay = strconv.Itoa(c.Delay)
	}
	frames, err := strconv.Atoi(r.Delay)
	if err != nil {
		frames = c.Delay // of the floor, where the program chooses its own
	}
	floored := make(chan error, 1)
	go func() { floored <- o.floor(ctx, &r, frames) }()
	err = o.games(ctx, &r)
	r.Err = errors.Join(err, <-floored)
	if r.Err != nil {
		r.Error = r.Err.Error()
	}
	return r
}

// floor measures what does not depend on the program.
func (o *Options) floor(ctx context.Context, r *Row, delay int) error {
	seed := r.Case.Seed(o.Seed)
	r.Ideal.Figures = Measure(Ideal(r.Case, delay, seed, o.frames(&r.Case)), o.Span)
	if o.NoFloor {
		return nil
	}
	traffic, times, err := Floor(ctx, r.Case, delay, seed, o.frames(&r.Case))
	if err == nil {
		r.Floor.Figures, r.Floor.Traffic = Measure(times, o.Span), traffic
	}
	return err
}

// games plays the case, in turns where there are two builds.
func (o *Options) games(ctx context.Context, r *Row) error {
	var sides [2][]Side
	for turn := range max(o.Turns, 1) {
		for i, program := range []*Program{&o.Program, o.Old} {
			if program == nil {
				continue
			}
			s, err := o.game(ctx, *program, r, turn)
			if err != nil {
				return fmt.Errorf("%s: %w", program.Path, err)
			}
			sides[i] = append(sides[i], s)
		}
	}
	r.New = mean(sides[0])
	if o.Old != nil {
		old := mean(sides[1])
		r.Old = &old
	}
	return nil
}

// game plays the case once.
func (o *Options) game(ctx context.Context, program Program, r *Row, turn int) (s Side, err error) {
	dir, err := os.MkdirTemp(o.Dir, r.Case.Name+"-")
	if err != nil {
		return s, err
	}
	if !o.KeepLogs {
		defer os.RemoveAll(dir)
	}
	how := How{Delay: r.Delay, Sync: cmp.Or(r.Case.Sync, o.Sync), JIT: o.JIT, ROM: o.ROM, Depth: o.Depth, Args: o.Args, Frames: o.frames(&r.Case), Seed: r.Case.Seed(o.Seed + uint64(turn)), Dir: dir, Stretch: o.Stretch}
	played, err := Play(ctx, program, r.Case, how)
	if err != nil {
		return s, err
	}
	s.Figures, s.Traffic, s.Processor = MeasurePresses(played.Times, o.Span, played.Pressed), played.Traffic, played.Processor
	s.Rollback = rolledBack(played.Reports)
	s.Sound = hear(played.Times, o.Span)
	minutes := float64(how.Frames) / ds.FrameRate / 60 * float64(len(played.Reports))
	for _, report := range played.Reports {
		s.Stalls += float64(report.Stalls.Count) / minutes
		s.StallMS += report.Stalls.MS / minutes
	}
	return s, nil
}

// mean puts several games of one build together.
func mean(list []Side) (sum Side) {
	for _, s := range list {
		sum.Figures.join(s.Figures)
		sum.Sound = sum.Sound.join(s.Sound)
		n := float64(len(list))
		sum.Rollback = sum.Rollback.join(s.Rollback, n)
		sum.Processor += s.Processor / n
		sum.Stalls += s.Stalls / n
		sum.StallMS += s.StallMS / n
		sum.Traffic.UpDatagrams += s.Traffic.UpDatagrams / n
		sum.Traffic.UpBytes += s.Traffic.UpBytes / n
		sum.Traffic.DownDatagrams += s.Traffic.DownDatagrams / n
		sum.Traffic.DownBytes += s.Traffic.DownBytes / n
		sum.Traffic.Lost += s.Traffic.Lost / n
	}
	sum.Figures.finish()
	return sum
}

// join adds what was measured in another game.
func (f *Figures) join(g Figures) {
	f.Seconds += g.Seconds
	for _, p := range [][2]*Lates{{&f.Lates, &g.Lates}, {&f.Start, &g.Start}} {
		p[0].Inputs, p[0].Late = p[0].Inputs+p[1].Inputs, p[0].Late+p[1].Late
		p[0].MS, p[0].Needs = append(p[0].MS, p[1].MS...), append(p[0].Needs, p[1].Needs...)
	}
	for i, l := range f.latencies() {
		l.MS = append(l.MS, g.latencies()[i].MS...)
	}
	f.Own.Minutes, f.Others.Minutes = f.Own.Minutes+g.Own.Minutes, f.Others.Minutes+g.Others.Minutes
	f.Held.Count, f.Held.MS, f.Held.Minutes = f.Held.Count+g.Held.Count, f.Held.MS+g.Held.MS, f.Held.Minutes+g.Held.Minutes
	f.slowest(g.Speed)
	f.Delays = Delays{Last: g.Delays.Last, Changes: max(f.Delays.Changes, g.Delays.Changes), Most10s: max(f.Delays.Most10s, g.Delays.Most10s)}
}
