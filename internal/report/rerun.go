package report

import (
	"context"
	"fmt"
	"image"
	"maps"
	"slices"
	"sync"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/film"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/replay"
)

// Rerun has the hashes of consoles, frame by frame, when a part of a recording is played again.
type Rerun struct {
	Start   int64                    // the frame that it was played from
	From    int64                    // hashed are the frames after this one
	To      int64                    // up to this one, the last that could be played
	Traces  map[ds.Seat]desync.Trace // by seat, a point for each frame; full hashes
	Screens map[ds.Seat]*image.RGBA  // by seat, after the last frame
}

// beyond is the number of frames played after the last hashed one: what a console gets by radio in a
// frame can come from one that has begun its next.
const beyond = 8

// PlayAgain plays a recording up to a frame, as fast as it can, with the very consoles,
// air and loop of a game, and hashes all consoles after each frame from the one after
// from on. It begins at the first frame, or at the last resync before: a keyframe
// would do only for a core whose states are exact, and none of those with games is.
// It ignores what cfg says of hashes, pictures and the end.
func PlayAgain(ctx context.Context, cfg player.Config, from, to int64) (*Rerun, error) {
	r := &Rerun{From: max(from, 0), Traces: make(map[ds.Seat]desync.Trace), Screens: make(map[ds.Seat]*image.RGBA)}
	var mu sync.Mutex // guards r.Screens
	cfg.Near, cfg.HashFrom, cfg.HashTo, cfg.End = r.From, r.From, to, to+beyond
	cfg.EndAtEnd, cfg.StopAtDifference, cfg.Keyframes = true, false, nil
	cfg.Hashed = func(seat ds.Seat, frames int64, h ds.Hash, air uint64) {
		r.Traces[seat] = append(r.Traces[seat], desync.Point{Frame: frames, Hashes: hashes(h, air)})
	}
	cfg.Show = func(seat ds.Seat, f emucore.Frame) {
		if f.Number+1 == r.To && len(f.Video.Pix) > 0 {
			mu.Lock()
			defer mu.Unlock()
			r.Screens[seat] = f.Video.Image()
		}
	}
	p, err := player.New(cfg)
	if err != nil {
		return nil, err
	}
	r.To = min(to, p.Length())
	if r.To <= r.From {
		return nil, fmt.Errorf("the recording ends after frame %d, so nothing after frame %d can be played again", p.Length(), r.From)
	}
	if x := cfg.Log.RestartBefore(r.From); x != nil {
		r.Start = x.Frame
	}
	p.Speed(player.NoLimit)
	if err := p.Run(ctx); err != nil {
		return nil, err
	}
	return r, ctx.Err()
}

// Recorded returns a log's hashes of a seat after the frames after from up to to, as far as it was
// hashed and a log keeps them; see [Kept].
func Recorded(l *replay.Log, seat ds.Seat, from, to int64) (desync.Trace, error) {
	// Hashes of a frame may stand somewhat before or after the frame's input.
	c := l.From(max(0, from-player.MaxApart))
	var t desync.Trace
	for frame := max(from, 0) + 1; frame <= to; frame++ {
		h, ok, err := c.Hash(seat, frame)
		if err != nil {
			return t, err
		}
		if ok {
			t = append(t, desync.Point{Frame: frame, Hashes: hashes(h.Wide(), 0)})
		}
	}
	return t, nil
}

// Kept returns the part of a trace that a log would keep: shorter hashes, and none of the radio.
func Kept(t desync.Trace) desync.Trace {
	var list desync.Trace
	for _, p := range t {
		h := replay.HashOf(ds.Hash{RAM: p.Hashes[desync.RAM], SRAM: p.Hashes[desync.SRAM], Video: p.Hashes[desync.Video]})
		list = append(list, desync.Point{Frame: p.Frame, Hashes: hashes(h.Wide(), 0)})
	}
	return list
}

// recordable are the regions that a log has hashes of.
var recordable = []desync.Region{desync.RAM, desync.SRAM, desync.Video}

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
	var rerun RerunFile
	if err == nil {
		b.rerun = r
		rerun, err = r.Judge(l, d.Seat, b.names[b.verdict.Machine])
	}
	if err == nil {
		err = Add(path, append([]Part{JSON(RerunName, rerun)}, b.pictures(r)...)...)
	}
	if err != nil {
		return fmt.Sprintf("The recording could not be played again to see what differs: %v", err)
	}
	return rerun.Words + "."
}

// pictures returns those of the consoles in the game when the states were taken, and those of some
// frames before when the recording was played again.
func (b *bundle) pictures(r *Rerun) []Part {
	var list []film.Console
	seat := b.Evidence.verdict.Seat
	if own := b.own[seat]; own != nil && own.screen != nil {
		list = append(list, film.Console{Title: "in the game", Note: fmt.Sprintf("after frame %d", b.frame), Screen: own.screen, Mine: true})
	}
	if img := r.Screens[seat]; img != nil {
		list = append(list, film.Console{Title: "played again", Note: fmt.Sprintf("after frame %d", r.To), Screen: img})
	}
	if len(list) == 0 {
		return nil
	}
	img, err := film.Compose(list)
	if err != nil {
		return nil
	}
	return []Part{screenPart("side-by-side", seat, img)}
}

// Judge says whether a console came out again as it was recorded on this machine.
func (r *Rerun) Judge(l *replay.Log, seat ds.Seat, machine string) (RerunFile, error) {
	out := RerunFile{Format: Format, Start: r.Start, From: r.From, To: r.To}
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
