package replay

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// A Clip is a part of a recording that its player wanted to keep: frames From to To-1. It is a place and no file: the
// consoles play it again at any time.
type Clip struct{ From, To int64 }

// ClipSeconds is how much of what was just played a clip keeps.
const ClipSeconds = 30

// clipFrames are as many frames.
var clipFrames = int64(math.Round(ClipSeconds * ds.FrameRate))

// maxClips bounds the clips of a log. More are not kept.
const maxClips = 256

// Clip marks the last [ClipSeconds] of the game that runs as a clip; ok is false where nothing is recorded, or there is
// no room for more. It costs a few bytes in the file.
func (r *Recorder) Clip() (c Clip, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now == nil || r.problem != nil || r.now.clips >= maxClips {
		return Clip{}, false
	}
	for i := range r.now.seats {
		c.To = max(c.To, r.now.seats[i].frames)
	}
	if c.To == 0 {
		return Clip{}, false
	}
	c.From = max(0, c.To-clipFrames)
	r.now.clips++
	r.now.other = appendBlock(r.now.drain(), kindClip, binary.AppendUvarint(binary.AppendUvarint(nil, uint64(c.From)), uint64(c.To)))
	return c, true
}

func (l *Log) takeClip(c *wire.Coder) error {
	clip := Clip{From: number(c, "first frame", ds.MaxFrame), To: number(c, "frame after the last", ds.MaxFrame)}
	if c.Err() == nil && clip.To <= clip.From {
		c.Fail("clip", "from frame %d to %d", clip.From, clip.To)
	}
	if c.Err() == nil && len(l.Clips) < maxClips {
		l.Clips = append(l.Clips, clip)
	}
	return c.Err()
}

// ChapterKind says what a chapter begins with.
type ChapterKind uint8

// Kinds of chapters.
const (
	ChapterStart    ChapterKind = iota // the first frame
	ChapterJoined                      // Who came into the running game
	ChapterLeft                        // Who left it
	ChapterRepaired                    // the machines' consoles differed, and were made alike again
	ChapterPaused                      // all stood still here
	ChapterClip                        // a clip begins
)

// A Chapter is a place in a recording that somebody may look for.
type Chapter struct {
	Frame int64
	Kind  ChapterKind
	Who   string // nickname
}

// maxChapters bounds the chapters of a log: as many as a player can choose from.
const maxChapters = 200

// Chapters are the places of a log at which something happened, by rising frame, the beginning first.
func (l *Log) Chapters() []Chapter {
	list := []Chapter{{}}
	for _, r := range l.Restarts {
		joined := r.entering()
		for _, s := range joined {
			list = append(list, Chapter{r.Frame, ChapterJoined, s.Plan.Nickname})
		}
		if len(joined) == 0 && l.Repaired(r.Frame) {
			list = append(list, Chapter{Frame: r.Frame, Kind: ChapterRepaired})
		}
	}
	for _, d := range l.Decisions {
		switch {
		case d.EndsSeat() && l.seat(d.Seat) >= 0:
			list = append(list, Chapter{d.Frame, ChapterLeft, l.Seats[l.seat(d.Seat)].Plan.Nickname})
		case d.Kind == timeline.Pause && d.Frame > 0:
			list = append(list, Chapter{Frame: d.Frame, Kind: ChapterPaused})
		}
	}
	for _, c := range l.Clips {
		list = append(list, Chapter{Frame: c.From, Kind: ChapterClip})
	}
	slices.SortStableFunc(list, func(a, b Chapter) int { return cmp.Compare(a.Frame, b.Frame) })
	list = slices.Compact(list)
	return list[:min(len(list), maxChapters)]
}
