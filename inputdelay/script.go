package inputdelay

import (
	"fmt"
	"io"
	"slices"
	"sort"
)

// Limits of a script's text.
const (
	MaxScriptLines = 1 << 20 // lines, also those without an input
	MaxScriptLine  = 4096    // bytes of one line
)

// Script is a player's input in a whole game, known beforehand: for tests, demonstrations and
// recordings made by hand. As text, one line names one frame or a range, and what is held in it:
//
//	# press A and up for one frame, then wait, then stroke the screen
//	10            A+UP
//	60-64         touch 20,100
//	65-70         touch 60,100
//	300           start   # a comment may follow
//	600-720       lid
//	800-815  B    touch 1,1 mic
//
// The frame is the local frame at which the input is sampled: it is applied an
// input delay later. Buttons are A B X Y L R START SELECT UP DOWN LEFT RIGHT;
// touch takes bottom screen pixels, X 0-255 and Y 0-191; small and capital
// letters are the same. A later line overrides an earlier one for the frames
// that both name; a line with frames only lets everything go. Frames that no
// line names are neutral.
//
// A Script never changes: many goroutines may read it. The zero value is a
// script in which nothing is pressed.
type Script struct {
	spans []span // ascending, not overlapping, none neutral
}

// span is an input that is held in the frames from to to-1.
type span struct {
	from, to int64
	in       Input
}

// At returns what is held when local frame frame is sampled.
func (s *Script) At(frame int64) Input {
	i := sort.Search(len(s.spans), func(i int) bool { return s.spans[i].to > frame })
	if i < len(s.spans) && s.spans[i].from <= frame {
		return s.spans[i].in
	}
	return Input{}
}

// WriteTo writes the script as text that [ParseScript] reads back as a script
// that holds the same in every frame. It implements [io.WriterTo].
func (s *Script) WriteTo(w io.Writer) (n int64, err error) {
	var line []byte
	for _, sp := range s.spans {
		line = fmt.Appendf(line[:0], "%d", sp.from)
		if sp.to-sp.from > 1 {
			line = fmt.Appendf(line, "-%d", sp.to-1)
		}
		line = fmt.Appendf(line, " %s\n", sp.in)
		k, err := w.Write(line)
		n += int64(k)
		if err != nil {
			return n, fmt.Errorf("write input script: %w", err)
		}
	}
	return n, nil
}

// flatten turns spans that may overlap, where the later in the list wins, into
// the spans of a Script. It takes O(n log n) steps, whatever the overlaps.
func flatten(spans []span) []span {
	var cuts []int64 // where something begins or ends; the last is an end
	for _, sp := range spans {
		cuts = append(cuts, sp.from, sp.to)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	pieces := make([]Input, len(cuts)) // what is held from each cut to the next
	free := make([]int, len(cuts))     // itself, or a later piece, if a span has it
	for i := range free {
		free[i] = i
	}
	for _, sp := range slices.Backward(spans) {
		i, _ := slices.BinarySearch(cuts, sp.from)
		for cuts[i] < sp.to {
			if free[i] == i {
				pieces[i], free[i] = sp.in, i+1
			}
			free[i] = free[free[i]] // so that the way gets shorter
			i = free[i]
		}
	}
	var flat []span
	for i := 1; i < len(cuts); i++ {
		flat = appendSpan(flat, span{cuts[i-1], cuts[i], pieces[i-1]})
	}
	return flat
}

// appendSpan appends what follows in time, joined to the last where both are
// one.
func appendSpan(spans []span, sp span) []span {
	last := len(spans) - 1
	switch {
	case sp.in == Input{}:
		return spans
	case last >= 0 && spans[last].to == sp.from && spans[last].in == sp.in:
		spans[last].to = sp.to
		return spans
	}
	return append(spans, sp)
}
