package report

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/nettplay/nettplay/internal/bugreport"
	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/picture"
	"github.com/nettplay/nettplay/internal/replay"
)

// playAgain plays the recording again around the first difference, and adds to the file
// what came of it. It says so in words.
func (b *bundle) playAgain(ctx context.Context, l *replay.Log, path string) string {
	d := b.Evidence.verdict
	how := fmt.Sprintf("\"nettplay bisect %s\" looks for the first frame that differs.", path)
	start := int64(0)
	if x := l.RestartBefore(d.Agreed); x != nil {
		start = x.Frame
	}
	if d.Frame-start > maxRerun || d.Frame <= max(d.Agreed, 0) {
		return how
	}
	b.again.Log = l
	r, err := PlayAgain(ctx, b.again, d.Agreed, d.Frame)
	if ctx.Err() != nil {
		return how
	}
	var rerun bugreport.Rerun
	if err == nil {
		b.rerun = r
		rerun, err = r.Judge(l, d.Seat, b.names[b.verdict.Machine])
	}
	if err == nil {
		err = bugreport.Add(path, append([]bugreport.Part{bugreport.JSON(bugreport.RerunName, rerun)}, b.pictures(r)...)...)
	}
	if err != nil {
		return fmt.Sprintf("The recording could not be played again to see what differs: %v", err)
	}
	return rerun.Words + "."
}

// pictures returns those of the consoles in the game when the states were taken, and those of some
// frames before when the recording was played again.
func (b *bundle) pictures(r *Rerun) []bugreport.Part {
	var list []picture.Console
	seat := b.Evidence.verdict.Seat
	if own := b.own[seat]; own != nil && own.screen != nil {
		list = append(list, picture.Console{Title: "in the game", Note: fmt.Sprintf("after frame %d", b.frame), Screen: own.screen, Mine: true})
	}
	if img := r.Screens[seat]; img != nil {
		list = append(list, picture.Console{Title: "played again", Note: fmt.Sprintf("after frame %d", r.To), Screen: img})
	}
	if len(list) == 0 {
		return nil
	}
	img, err := picture.Compose(list)
	if err != nil {
		return nil
	}
	return []bugreport.Part{screenPart("side-by-side", seat, img)}
}

// Judge says whether a console came out again as it was recorded on this machine.
func (r *Rerun) Judge(l *replay.Log, seat ds.Seat, machine string) (bugreport.Rerun, error) {
	out := bugreport.Rerun{Format: bugreport.Format, Start: r.Start, From: r.From, To: r.To}
	for _, s := range slices.Sorted(maps.Keys(r.Traces)) {
		out.Set(s, r.Traces[s])
	}
	recorded, err := Recorded(l, seat, r.From, r.To)
	if err != nil {
		return out, err
	}
	d, common, differs := desync.First(Kept(r.Traces[seat]), recorded, recordable...)
	switch {
	case common == 0:
		return out, fmt.Errorf("the recording has no hash of seat %v from frame %d to %d", seat, r.From, r.To)
	case differs:
		out.Words = fmt.Sprintf("Playing the recording again on %s's machine does not give what it gave in the game (seat %v, %v after frame %d): a passing fault, such as a memory error, or something that is not in the recording",
			machine, seat, d.Region, d.Frame)
	default:
		out.Again = true
		out.Words = fmt.Sprintf("Playing the recording again on %s's machine gives the same as in the game (seat %v up to frame %d)", machine, seat, r.To)
	}
	return out, nil
}
