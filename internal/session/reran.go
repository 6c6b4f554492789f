package session

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/internal/game"
)

// The machines that a desync concerns play their recordings again (bundle.go), each for
// itself. What the console was there, frame by frame, goes to the game host, which tells
// everybody what that shows: the machine that computes otherwise and the first frame, or
// that the fault has passed.

// reruns are what machines got when they played again up to one desync.
type reruns struct {
	verdict host.Desync
	round   uint32
	owner   int // machine whose console it is
	names   map[int]string
	traces  map[int]desync.Trace // by machine
	told    string
}

func newReruns(g *game.Game, d host.Desync) *reruns {
	r := &reruns{verdict: d, round: g.Round(), owner: -1, names: make(map[int]string), traces: make(map[int]desync.Trace)}
	for _, p := range g.Plan() {
		r.names[p.Machine] = p.Nickname
		if p.Seat == d.Seat {
			r.owner = p.Machine
		}
	}
	return r
}

// from is the frame after whose frames consoles are compared.
func (r *reruns) from() int64 { return max(r.verdict.Agreed, 0) }

// shareRerun tells the game host what came out here.
func (s *session) shareRerun(round uint32, d host.Desync, r *Rerun) {
	if r == nil || s.over {
		return
	}
	m := host.Rerun{Round: round, Seat: d.Seat, From: r.From}
	for i, p := range r.Traces[d.Seat] {
		if p.Frame != r.From+int64(i)+1 || i >= host.MaxTrace {
			break
		}
		m.Trace = append(m.Trace, host.TraceHash{
			RAM: uint32(p.Hashes[desync.RAM]), SRAM: uint32(p.Hashes[desync.SRAM]), Video: uint32(p.Hashes[desync.Video]), Air: uint32(p.Hashes[desync.Air]),
		})
	}
	if s.host != nil {
		s.takeRerun(time.Now(), s.me(), m)
	} else {
		_ = s.client.Reran(time.Now(), m) // the line may be gone: then nobody is told
	}
}

// takeRerun compares what a machine got with what others did, on the game host.
func (s *session) takeRerun(now time.Time, machine int, m host.Rerun) {
	r := s.reruns
	if s.host == nil || r == nil || m.Round != r.round || m.Seat != r.verdict.Seat || m.From != r.from() || int64(len(m.Trace)) > r.verdict.Frame-m.From {
		return // of something else
	}
	if _, twice := r.traces[machine]; twice || r.names[machine] == "" {
		return
	}
	var t desync.Trace
	for i, h := range m.Trace {
		t = append(t, desync.Point{Frame: m.From + int64(i) + 1, Hashes: desync.Hashes{
			desync.RAM: uint64(h.RAM), desync.SRAM: uint64(h.SRAM), desync.Video: uint64(h.Video), desync.Air: uint64(h.Air),
		}})
	}
	r.traces[machine] = t
	if words := r.compare(); words != "" && words != r.told {
		r.told = words
		s.host.Tell(now, words)
	}
}

// compare says what the machines' frames show, "" while that is nothing.
func (r *reruns) compare() string {
	machines := slices.Sorted(maps.Keys(r.traces))
	frames := len(r.traces[machines[0]])
	var names []string
	for _, m := range machines {
		frames, names = min(frames, len(r.traces[m])), append(names, r.names[m]+"'s")
	}
	if len(machines) < 2 || frames == 0 {
		return ""
	}
	v := r.verdict
	again := fmt.Sprintf("Played again on %s machines, %s's console (seat %d)", strings.Join(names, " and "), r.names[r.owner], v.Seat+1)
	watch := desync.NewWatch(machines, map[int]int{v.Seat: r.owner})
	for i := range frames {
		for _, m := range machines {
			p := r.traces[m][i]
			if d, differs := watch.Report(m, v.Seat, p.Frame, p.Hashes); differs {
				return fmt.Sprintf("%s differs first after frame %d, in %s, on %s's machine: the core computes otherwise there", again, d.Frame, d.Region, r.names[d.Machine])
			}
		}
	}
	if _, odd := r.traces[v.Machine]; !odd || int64(frames) < v.Frame-r.from() {
		return "" // the one that differed has not said, or not all
	}
	return fmt.Sprintf("%s is the same up to frame %d: what differed on %s's machine was a passing fault, or is not in the recording", again, v.Frame, r.names[v.Machine])
}
