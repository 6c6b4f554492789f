package chaos

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/autodelay"
)

// String is the plan in words, a line for each thing.
func (p Plan) String() string {
	var b strings.Builder
	speed, radio := "at the console's rate", ""
	if p.Max {
		speed = "as fast as they can"
	}
	if p.Radio {
		radio = ", over their radios"
	}
	if p.Keep {
		radio += ", whose consoles stay"
	}
	if p.Sync != room.Lockstep {
		radio += ", " + p.Sync.String()
	}
	delay := strconv.Itoa(p.Delay)
	if p.Auto != autodelay.Off {
		delay = "for " + p.Auto.String()
	}
	fmt.Fprintf(&b, "seed %d: %d players on the %s%s, %d frames %s, input delay %s, compared every %d, silence %v, wait %v\n",
		p.Seed, p.Players, p.Core, radio, p.Frames, speed, delay, p.Hash, p.Silence, p.Wait)
	for i, again := range p.Late {
		if again >= 0 {
			fmt.Fprintf(&b, "  %s is %s again\n", Name(p.Players+i), Name(again))
		}
	}
	for m, imp := range p.Lines[1:] {
		fmt.Fprintf(&b, "  %s's line: %v +- %v, %.1f %% lost, %.1f %% double, %.1f %% late", Name(m+1), imp.Delay, imp.Jitter, 100*imp.Loss, 100*imp.Duplicate, 100*imp.Reorder)
		if imp.Bandwidth > 0 {
			fmt.Fprintf(&b, ", %d KB/s", imp.Bandwidth>>10)
		}
		b.WriteByte('\n')
	}
	for _, e := range p.Events {
		fmt.Fprintf(&b, "  %v\n", e)
	}
	return b.String()
}

// String is the event in words.
func (e Event) String() string {
	kind := kinds[slices.IndexFunc(kinds, func(k kindOf) bool { return k.kind == e.Kind })]
	words := strings.ReplaceAll(kind.words, "NAME", Name(e.Machine))
	if e.Kind == Fault {
		return fmt.Sprintf("after frame %d: %s (%s of %s's console)", e.Frame, words, e.Region, Name(e.Owner))
	}
	if e.Length > 0 {
		words += fmt.Sprintf(" for %v", e.Length)
	}
	return fmt.Sprintf("after %v: %s", e.At.Round(10*time.Millisecond), words)
}
