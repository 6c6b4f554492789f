package report

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/internal/ds"
)

// The machines that a desync concerns play their recordings again (rerun.go), each for
// itself. Each sends the game host what the console was there, frame by frame. The game host
// tells everybody what that shows: the machine that computes otherwise and the first frame,
// or that the fault has passed.

// reruns are the machines' results of playing again up to one desync.
type reruns struct {
	verdict message.Desync
	round   uint32
	owner   int // machine whose console it is
	names   map[int]string
	traces  map[int]desync.Trace // by machine
	told    string
}

func newReruns(round uint32, plan []room.SeatPlan, d message.Desync) *reruns {
	r := &reruns{verdict: d, round: round, owner: -1, names: make(map[int]string), traces: make(map[int]desync.Trace)}
	for _, p := range plan {
		r.names[p.Machine] = p.Nickname
		if p.Seat == d.Seat {
			r.owner = p.Machine
		}
	}
	return r
}

// from is the frame after whose frames consoles are compared.
func (r *reruns) from() int64 { return max(r.verdict.Agreed, 0) }

// check compares what a machine got with what others did, and returns words that are new,
// "" for none.
func (r *reruns) check(machine int, m message.Rerun) string {
	if m.Round != r.round || m.Seat != r.verdict.Seat || m.From != r.from() || int64(len(m.Trace)) > r.verdict.Frame-m.From {
		return "" // of something else
	}
	if _, twice := r.traces[machine]; twice || r.names[machine] == "" {
		return ""
	}
	r.traces[machine] = traceOf(m)
	words := r.compare()
	if words == r.told {
		return ""
	}
	r.told = words
	return words
}

// messageOf returns a machine's message to the game host of a rerun.
func messageOf(round uint32, seat ds.Seat, r *Rerun) message.Rerun {
	m := message.Rerun{Round: round, Seat: seat, From: r.From}
	for i, p := range r.Traces[seat] {
		if p.Frame != r.From+int64(i)+1 || i >= message.MaxTrace {
			break
		}
		m.Trace = append(m.Trace, message.TraceHash{
			RAM: uint32(p.Hashes[desync.RAM]), SRAM: uint32(p.Hashes[desync.SRAM]), Video: uint32(p.Hashes[desync.Video]), Air: uint32(p.Hashes[desync.Air]),
		})
	}
	return m
}

// traceOf is the trace that a machine told.
func traceOf(m message.Rerun) desync.Trace {
	var t desync.Trace
	for i, h := range m.Trace {
		short := ds.Hash{RAM: uint64(h.RAM), SRAM: uint64(h.SRAM), Video: uint64(h.Video)}
		t = append(t, desync.Point{Frame: m.From + int64(i) + 1, Hashes: hashes(short, uint64(h.Air))})
	}
	return t
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
	again := fmt.Sprintf("Played again on %s machines, %s's console (seat %v)", strings.Join(names, " and "), r.names[r.owner], v.Seat)
	comparer := desync.NewComparer(machines, map[ds.Seat]int{v.Seat: r.owner})
	for i := range frames {
		for _, m := range machines {
			p := r.traces[m][i]
			if d, differs := comparer.Report(m, v.Seat, p.Frame, p.Hashes); differs {
				return fmt.Sprintf("%s differs first after frame %d, in %s, on %s's machine: the core computes otherwise there", again, d.Frame, d.Region, r.names[d.Machine])
			}
		}
	}
	if _, odd := r.traces[v.Machine]; !odd || int64(frames) < v.Frame-r.from() {
		return "" // the one that differed has not said, or not all
	}
	return fmt.Sprintf("%s is the same up to frame %d: what differed on %s's machine was a passing fault, or is not in the recording", again, v.Frame, r.names[v.Machine])
}

// Range is bytes that differ: those at From up to, not including, To.
type Range struct{ From, To int }

// Ranges finds where two memories differ: the first ranges up to a limit, how many there
// are in all, and of how many bytes. Where one is longer, the rest of it differs.
func Ranges(a, b []byte, limit int) (list []Range, count, bytes int) {
	n := max(len(a), len(b))
	differs := func(i int) bool { return i >= len(a) || i >= len(b) || a[i] != b[i] }
	for i := 0; i < n; i++ {
		if !differs(i) {
			continue
		}
		from := i
		for i < n && differs(i) {
			i++
		}
		count, bytes = count+1, bytes+i-from
		if len(list) < limit {
			list = append(list, Range{from, i})
		}
	}
	return list, count, bytes
}

// Sizes of what a diff tells.
const (
	diffRanges = 64
	diffPage   = 64 << 10
	diffBytes  = 16 // shown of a range
)

// WriteDiff describes where two memories differ, for people: the first ranges with
// their bytes, and how many bytes differ in each page. Base is the address of their
// first byte in the console.
func WriteDiff(to io.Writer, what string, base uint32, own, donor []byte) error {
	w := bufio.NewWriter(to)
	list, count, bytes := Ranges(own, donor, diffRanges)
	if count == 0 {
		fmt.Fprintf(w, "%s: %d bytes, equal\n", what, len(own))
		return w.Flush()
	}
	fmt.Fprintf(w, "%s: %d of %d bytes differ, in %d ranges\n", what, bytes, max(len(own), len(donor)), count)
	if len(own) != len(donor) {
		fmt.Fprintf(w, "  here it has %d bytes, on the other machine %d\n", len(own), len(donor))
	}
	for _, r := range list {
		fmt.Fprintf(w, "  %08x-%08x  %d bytes: here %s, there %s\n", base+uint32(r.From), base+uint32(r.To-1), r.To-r.From, some(own, r), some(donor, r))
	}
	if count > len(list) {
		fmt.Fprintf(w, "  and %d ranges more\n", count-len(list))
	}
	writePages(w, base, own, donor)
	return w.Flush()
}

// some are the first bytes of a range.
func some(b []byte, r Range) string {
	end := min(r.To, r.From+diffBytes, len(b))
	if r.From >= end {
		return "-"
	}
	text := fmt.Sprintf("% x", b[r.From:end])
	if end < r.To {
		text += " ..."
	}
	return text
}

func writePages(w io.Writer, base uint32, own, donor []byte) {
	fmt.Fprintf(w, "  by pages of %d KB:\n", diffPage>>10)
	for at := 0; at < max(len(own), len(donor)); at += diffPage {
		page := func(b []byte) []byte { return b[min(at, len(b)):min(at+diffPage, len(b))] }
		if _, _, bytes := Ranges(page(own), page(donor), 0); bytes > 0 {
			fmt.Fprintf(w, "  %08x  %d bytes differ\n", base+uint32(at), bytes)
		}
	}
}
