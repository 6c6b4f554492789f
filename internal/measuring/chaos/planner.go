package chaos

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/autodelay"
)

// NewPlan makes the plan of a seed.
func NewPlan(seed uint64, o Options) Plan {
	r := rand.New(rand.NewPCG(seed, 0x6e70))
	p := Plan{Seed: seed, Core: TestCore, Verify: -1}
	p.Players = []int{2, 2, 3, 3, 4}[r.IntN(5)]
	desmume, radio := r.IntN(6) == 0, r.IntN(4) == 0
	if o.Model {
		p.Core, p.Players, desmume, radio = Model, 2+min(r.IntN(5), r.IntN(5)), false, false
	}
	p.Frames = 300 + r.Int64N(400)
	if o.Short {
		p.Frames = 200 + r.Int64N(150)
	}
	if o.Model {
		p.Frames = 160 + r.Int64N(160)
	}
	p.Max = r.IntN(5) == 0
	p.Delay = r.IntN(9)
	p.Hash = []int{30, 30, 10, 60}[r.IntN(4)]
	p.Silence = 3*time.Second + time.Duration(r.IntN(3))*time.Second
	p.Wait = p.Silence + 6*time.Second + time.Duration(r.IntN(4))*time.Second
	if desmume && o.DeSmuME {
		p.Core, p.Players, p.Max = DeSmuME, 2, false
	}
	p.Radio = radio && p.Core == TestCore
	if p.Max {
		p.Frames *= p.faster()
	}
	for m := range p.Players {
		p.machine(r)
		if m == 0 && r.IntN(3) == 0 {
			p.Verify = r.IntN(p.Players)
		}
	}
	if o.Long && r.IntN(3) == 0 {
		p.Wait = time.Minute
	}
	p.plot(r, o)
	if n := len(p.Late); n > 0 {
		p.lengthen(r, int64(n)*lateFrames)
	}
	p.Keep = r.IntN(3) == 0
	p.Sync = room.Sync(r.IntN(3))
	p.Radio = p.Radio || o.Model && p.Sync == room.Rollback && r.IntN(2) == 0
	p.Auto = autodelay.Preset(max(0, r.IntN(7)-3))
	return p
}

// lateFrames makes a game longer for each late joiner: it is to be played with them, too.
const lateFrames = 420

func (p *Plan) lengthen(r *rand.Rand, frames int64) {
	if p.Core == Model {
		frames = frames * 2 / 3 // nobody has other things to do
	}
	if p.Max {
		frames *= p.faster()
	}
	for m := range p.Presses {
		p.Presses[m] = append(p.Presses[m], presses(r, p.Frames, p.Frames+frames)...)
	}
	p.Frames += frames
}

// plot decides what goes wrong.
func (p *Plan) plot(r *rand.Rand, o Options) {
	for n := 1 + r.IntN(4); n > 0; n-- {
		var fit []*kindOf
		sum := 0
		for i := range kinds {
			if k := &kinds[i]; (o.Long || !k.long) && k.fits(p) {
				fit, sum = append(fit, k), sum+k.weight
			}
		}
		pick := r.IntN(sum)
		for _, k := range fit {
			if pick -= k.weight; pick < 0 {
				e := k.event(r, p)
				e.Kind = k.kind
				p.Events = append(p.Events, e)
				break
			}
		}
	}
	p.sort()
	if r.IntN(3) == 0 {
		p.gather(r)
	}
}

func (p *Plan) sort() {
	slices.SortStableFunc(p.Events, func(a, b Event) int { return cmp.Compare(a.At, b.At) })
}

// gather has all happen at nearly the same time, in the same order: what goes wrong while
// something else is being mended is where most goes wrong. A fault has its frame.
func (p *Plan) gather(r *rand.Rand) {
	at := p.Events[r.IntN(len(p.Events))].At
	for i := range p.Events {
		if e := &p.Events[i]; e.Kind != Fault {
			e.At, at = at, at+time.Millisecond+time.Duration(r.Int64N(int64(1200*time.Millisecond)))
		}
	}
	p.sort()
}
