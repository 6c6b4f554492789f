package player

import (
	"time"

	"github.com/nettplay/nettplay/internal/replay"
)

// compare compares what the consoles have become with what was recorded.
func (r *playing) compare() error {
	for _, h := range r.g.Hashed() {
		if r.cfg.Hashed != nil && h.Frame > r.cfg.HashFrom && h.Frame <= r.cfg.HashTo {
			r.cfg.Hashed(h.Seat, h.Frame, h.Hash, h.Air)
		}
		want, ok, err := r.cursor.Hash(h.Seat, h.Frame)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		have := replay.HashOf(h.Hash)
		region := want.Differs(have)
		r.mend(h.Frame, region == "")
		switch {
		case region == "":
			r.proofs++
			r.proven, r.drifted = true, false
			r.agreed[h.Seat] = h.Frame
		case r.approx && h.Frame <= r.from+Settle:
			// Nobody sees it, and a console may be in the middle of writing something.
		case r.approx:
			r.stray(want.Video != have.Video)
		case r.differs == nil || h.Frame < r.differs.Frames || h.Frame == r.differs.Frames && h.Seat < r.differs.Seat:
			agreed, known := r.agreed[h.Seat]
			if !known {
				agreed = -1
			}
			r.differs = &Difference{Frames: h.Frame, Agreed: agreed, Seat: h.Seat, Nickname: r.g.Nickname(h.Seat), Region: region}
		}
	}
	return nil
}

// mend takes note of whether the players' own repair ended a difference.
func (r *playing) mend(frame int64, same bool) {
	if d := r.differs; d == nil || r.approx || r.repair < d.Frames || frame <= r.repair {
		return
	}
	if r.mended = same; !same {
		r.repair = 0 // until they repair that, too
	}
}

// stray decides what becomes of consoles that came from a keyframe and are not what
// they were. New ones may do better than those that had run already. A picture
// that is not the game's is never put up with: the keyframe is of no use, and an
// earlier one, or the start, is. A difference outside the picture is reported, and ends at the next
// keyframe.
func (r *playing) stray(seen bool) {
	switch {
	case r.inPlace:
		r.distrust = true
	case seen:
		r.cfg.Keyframes.Forget(r.from)
	default:
		r.drifted = true
		return
	}
	if !r.redo {
		r.redo, r.redoSince = true, time.Now()
	}
}

// comeTogether is the time that consoles get to come together before they are replaced.
const comeTogether = 100 * time.Millisecond

// again begins anew before the place where the consoles stand, and goes there. They
// come together first, so that nobody who waits for all of them in
// [Config.Show] waits for ever.
func (r *playing) again() error {
	if !r.g.Met(r.limit) && time.Since(r.redoSince) < comeTogether {
		return nil
	}
	r.redo = false
	at := r.g.Slowest()
	key := r.keyBefore(at)
	if err := r.restart(key); err != nil {
		return err
	}
	if r.target < 0 && at > key {
		r.target, r.stepped = at, false
	}
	return nil
}
