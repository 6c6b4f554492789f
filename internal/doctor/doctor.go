// Package doctor finds what would spoil play on this machine, and says what to do about it:
// the core, its speed, whether it is the same twice, how far it goes back, what shuts it in, sound, controllers,
// and the way to friends.
//
//	findings := doctor.Examine(ctx, probes, tell)
//	bad := doctor.Spoilers(findings)
//
// Pure functions judge the findings, in judge.go and judge_network.go; [Probes] look at
// the world for it, and those of probe.go are the usual ones. An examination takes about
// half a minute, also without a network; each part has its limit. It leaves nothing behind.
//
// Read next: internal/launch, which has the parts of a start that are tried here.
package doctor

import (
	"context"
	"fmt"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/corecheck"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/link"
)

// Probes look at this machine for an examination. Each returns soon after ctx ends.
type Probes struct {
	Core func(ctx context.Context) (emucore.Core, error)
	// Start makes a fresh console with a program of ours; options are the core's own.
	Start func(ctx context.Context, core emucore.Core, options []ds.Option) (Console, error)
	Check func(ctx context.Context, core emucore.Core) (corecheck.Verdict, error)
	// Depth measures how many frames of rollback this machine bears with some consoles; options are the core's own.
	Depth   func(ctx context.Context, core emucore.Core, consoles int, options []ds.Option) (int, error)
	Sandbox func() []emucore.Protection
	Untried []string // what nobody has seen work on this system itself
	Ways    func() []emucore.SnapshotWay
	Clock   func() time.Time // the computer's
	Sound   func() (devices []string, err error)
	Pads    func() (names []string, err error)
	Network func(ctx context.Context) Network
	Peer    func(ctx context.Context) (link.Stats, error) // the line to a friend; nil: nobody was named
	Key     string                                        // fingerprint of this installation's
}

// How long each part may take.
const (
	coreTime    = 20 * time.Second
	speedTime   = 20 * time.Second
	depthTime   = 40 * time.Second
	syncTime    = 2 * time.Minute
	networkTime = 10 * time.Second
	peerTime    = 20 * time.Second
)

// Examine looks at everything, one part after the other, but for the network, which needs
// patience: that is done meanwhile. tell hears of each finding as soon as it is there; nil:
// nobody does. When ctx ends, what is left is left out.
func Examine(ctx context.Context, p Probes, tell func(Finding)) (list []Finding) {
	add := func(found ...Finding) {
		for _, f := range found {
			if ctx.Err() != nil {
				return
			}
			list = append(list, f)
			if tell != nil {
				tell(f)
			}
		}
	}
	network := make(chan Network, 1)
	go func() {
		within(ctx, networkTime, func(ctx context.Context) { network <- p.Network(ctx) })
	}()
	if p.Key != "" {
		add(Finding{Subject: "key", Group: Friends, Words: fmt.Sprintf("Friends know you by %s.", p.Key)})
	}
	add(judgeClock(p.Clock())...)
	p.examineCore(ctx, add)
	add(judgeUntried(p.Untried)...)
	add(judgeSandbox(p.Sandbox()), judgeSnapshots(p.Ways()))
	devices, err := p.Sound()
	add(judgeSound(devices, err))
	names, err := p.Pads()
	add(judgePads(names, err))
	add(judgeNetwork(<-network)...)
	if p.Peer != nil {
		within(ctx, peerTime, func(ctx context.Context) {
			stats, err := p.Peer(ctx)
			add(judgeLine(stats, err))
		})
	}
	return list
}

func (p Probes) examineCore(ctx context.Context, add func(...Finding)) {
	var core emucore.Core
	var err error
	within(ctx, coreTime, func(ctx context.Context) { core, err = p.Core(ctx) })
	add(judgeCore(core, err))
	if err != nil || core.Unopened {
		return
	}
	add(judgeWireless(core))
	start := func(ctx context.Context) (Console, error) { return p.Start(ctx, core, nil) }
	within(ctx, speedTime, func(ctx context.Context) {
		rates, err := speed(ctx, start, maxConsoles, warmUp, speedSpan)
		add(judgeSpeed(rates, err))
		if jit, ok := jitToTry(core); ok && err == nil {
			start := func(ctx context.Context) (Console, error) { return p.Start(ctx, core, jit) }
			compiled, err := speed(ctx, start, 1, warmUp, speedSpan)
			add(judgeJIT(rates, compiled, err))
		}
	})
	var verdict corecheck.Verdict
	within(ctx, syncTime, func(ctx context.Context) {
		verdict, err = p.Check(ctx, core)
		add(judgeSync(verdict, err))
	})
	if len(p.Ways()) > 0 && err == nil && !verdict.Failed() && verdict.Results[corecheck.Back] != corecheck.Lacking {
		within(ctx, depthTime, func(ctx context.Context) { add(p.examineRollback(ctx, core)) })
	}
}

// examineRollback measures the depth with one console and with more, until there is none, with the core's JIT, too.
func (p Probes) examineRollback(ctx context.Context, core emucore.Core) Finding {
	depths := func(options []ds.Option) (list []int, err error) {
		for n := 1; n <= maxConsoles; n++ {
			depth, err := p.Depth(ctx, core, n, options)
			if err != nil {
				return list, err
			}
			if list = append(list, depth); depth == 0 {
				break
			}
		}
		return list, nil
	}
	plain, err := depths(nil)
	var compiled []int
	if jit, ok := jitToTry(core); ok && err == nil && ctx.Err() == nil {
		compiled, _ = depths(jit) // a JIT that does not run was found already
	}
	return judgeDepth(plain, compiled, err)
}

func within(ctx context.Context, d time.Duration, do func(context.Context)) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	do(ctx)
}
