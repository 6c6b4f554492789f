package player

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/replay"
)

// restart begins anew at a keyframe, or where all have loaded; before the first frame for 0.
func (r *playing) restart(frame int64) error {
	if r.p.cold {
		if x := r.cfg.Log.RestartBefore(frame); x != nil && x.Frame == frame {
			r.way = frame
			return r.resync(*x)
		}
		frame = 0
	}
	key := replay.Keyframe{}
	if frame > 0 {
		var err error
		if key, err = r.cfg.Keyframes.Load(frame); err != nil {
			r.cfg.Keyframes.Forget(frame)
			frame, key = 0, replay.Keyframe{} // the long way
		}
	}
	r.way = frame
	if r.g != nil && r.reuse(key) {
		return nil
	}
	r.stop()
	return r.launch(key, r.cfg.Log.Seats, frame > 0)
}

// reuse puts the consoles that run into the states of a keyframe, which takes a
// tenth of the time of new ones: their cores and games are loaded, and looked
// through, already. It is not for all: before the first frame consoles are cold,
// and on the air one waits for others in the middle of a frame. Where it returns
// false, nothing is worth keeping.
func (r *playing) reuse(key replay.Keyframe) bool {
	if key.Frame == 0 || r.g.Radio() != nil || r.distrust {
		return false
	}
	seats := slices.DeleteFunc(slices.Clone(r.cfg.Log.Seats), func(s replay.Seat) bool { return s.From > key.Frame })
	if len(seats) != len(r.g.Seats()) {
		return false // somebody has come in between
	}
	slices.SortFunc(seats, func(a, b replay.Seat) int { return cmp.Compare(a.Plan.Seat, b.Plan.Seat) }) // as r.g.seats
	list := make([]game.SeatConfig, len(seats))
	for i, s := range seats {
		list[i] = game.SeatOf(s.Plan, departed{})
		if !key.Has(s.Plan.Seat) {
			continue
		}
		old, _ := r.g.Seat(s.Plan.Seat)
		if _, gone := old.Console.(departed); gone || old.Dead || old.Gone {
			return false
		}
	}
	consoles := r.g.Release()
	r.g = nil
	for i, s := range list {
		if key.Has(s.Seat) {
			list[i].Console = consoles[s.Seat]
		} else {
			consoles[s.Seat].Close()
		}
	}
	err := game.Together(list, func(_ int, s game.SeatConfig) error {
		if _, gone := s.Console.(departed); gone {
			return nil
		}
		return loadKey(s.Console, s.Seat, key)
	})
	if err == nil {
		var g *game.Game
		if g, err = r.assemble(key, list, nil); err == nil {
			r.inPlace = true
			return r.enter(g, key.Frame, true) == nil
		}
	}
	closeAll(list)
	return false
}

// keyBefore is the keyframe from which the way to a frame begins; the frame itself
// is to be played, and what is not shown before it, so that there is a picture. It is 0, the
// beginning, where there is none.
func (r *playing) keyBefore(frame int64) (key int64) {
	switch {
	case r.p.cold:
		for _, x := range r.cfg.Log.Ready() {
			if x.Frame <= frame-1-Settle {
				key = x.Frame
			}
		}
	case r.cfg.Keyframes != nil:
		key, _ = r.cfg.Keyframes.Before(frame - 1 - Settle)
	}
	return key
}

// atKeyframe takes a keyframe where one is due and begins anew where that was
// asked for, or where the consoles have drifted and there is a keyframe.
func (r *playing) atKeyframe(at int64) error {
	k := &r.keys
	if r.drifted {
		if key := r.keyBefore(at + 1); key > r.from && at-key <= maxBack {
			return r.restart(key)
		}
	}
	if k.next == 0 || r.limit < k.next {
		return nil
	}
	if !r.g.Met(k.next) || at > k.next {
		return r.waitForKeyframe(at)
	}
	if !r.drifted && r.differs == nil && (!r.approx || r.proven) {
		if here, err := r.saveKeyframe(k.next); err != nil || !here {
			k.later()
			return err
		}
	}
	k.plan(at)
	return nil
}

// waitForKeyframe moves on to the next frame when some console does not come to
// the end of this one, since it waits for another that may not begin its next.
func (r *playing) waitForKeyframe(at int64) error {
	k := &r.keys
	switch now := time.Now(); {
	case at > k.next:
		k.plan(at)
	case k.since.IsZero():
		k.since = now
	case now.Sub(k.since) > keyPatience && r.g.WaitOnAir(k.next):
		k.later()
	}
	return nil
}

// saveKeyframe saves all consoles, which stand at a frame, and has them packed
// in the background. While one is still being packed there is no other. It returns
// false where the radio does not stand.
func (r *playing) saveKeyframe(frame int64) (here bool, err error) {
	k := &r.keys
	if k.busy != nil {
		select {
		case <-k.busy:
		default:
			if r.target < 0 && r.speed != NoLimit {
				return true, nil
			}
			<-k.busy
		}
	}
	key := replay.Keyframe{Frame: frame}
	if key.Air, err = r.g.Radio().Snapshot(frame); err != nil || key.Air == nil && r.g.Radio() != nil {
		return false, err
	}
	var running []game.SeatState
	for _, s := range r.g.Seats() {
		if !s.Closed {
			running = append(running, s)
		}
	}
	key.States = make([]replay.State, len(running))
	err = game.Together(running, func(i int, s game.SeatState) error {
		state, err := s.Console.Save()
		key.States[i] = replay.State{Seat: s.Seat, Data: state.Data}
		return err
	})
	if errors.Is(err, emucore.ErrNoState) || len(running) == 0 {
		k.keys = nil // there are none with this core
		return true, nil
	}
	if err != nil {
		return true, fmt.Errorf("a keyframe at frame %d: %w", frame, err)
	}
	busy, keys := make(chan struct{}), k.keys
	k.busy, k.last = busy, frame
	go func() {
		defer close(busy)
		_ = keys.Add(key) // without it seeking takes longer
	}()
	return true, nil
}

// How far keyframes stand apart. From a keyframe to any place is then at most what
// the machine plays in seekBudget; the rest of two seconds is for the consoles: new
// ones take 50 to 500 ms, with a large game on a busy machine.
const (
	seekBudget     = 700 * time.Millisecond
	minKeyInterval = 120 // frames: 2 s; from so far on a keyframe ahead is quicker than playing
	// firstInterval is for a machine of which nothing is known yet.
	firstInterval = 300
	// A keyframe is taken between two frames. Where consoles wait for each other
	// over the end of a frame there is none, and the next frame may do.
	keyPatience = 4 * time.Millisecond
	// maxTries is at how many frames in a row that is tried. A game that exchanges
	// packets over the end of every frame has hardly any place for a keyframe.
	maxTries = 64
	keyPause = 300 // frames until it is tried again
	// maxBack is the limit, in frames, by which a drifted console goes back to a keyframe it has just
	// passed.
	maxBack = 10
)

// MaxKeyInterval is the greatest distance of keyframes in frames, 20 s, where there is room for so
// many; see [replay.Keyframes].
const MaxKeyInterval = 1200

// keying makes keyframes on the way, and knows where the way should begin anew.
type keying struct {
	keys    *replay.Keyframes
	g       *game.Game
	length  int64 // of the recording
	next    int64 // frame of the next one, 0 for none
	last    int64 // that was taken, and may not be in its file yet
	since   time.Time
	tries   int
	busy    chan struct{} // of the one that is being packed; nil for none
	restart int64         // 1 + the keyframe from which to begin anew, 0 for none
}

// begin looks for the next place after a start.
func (k *keying) begin(r *playing) {
	k.keys, k.g, k.length, k.restart, k.last = r.cfg.Keyframes, r.g, r.p.length, 0, 0
	k.plan(r.g.Slowest())
}

// interval returns the distance of keyframes, by how long a frame takes and how many there is room for.
func (k *keying) interval() int64 {
	frames := int64(firstInterval)
	if cost := k.cost(); cost > 0 {
		frames = int64(min(max(seekBudget.Seconds()/cost, minKeyInterval), MaxKeyInterval))
	}
	return max(frames, k.keys.Spacing(k.length))
}

// cost returns the seconds that a frame of all consoles takes at full speed; 0 for not known.
func (k *keying) cost() float64 {
	took := k.g.Steps().Percentile(0.5) / 1000
	if k.g.Steps().Count() < 100 || took <= 0 {
		return 0
	}
	// Hashes and the loop around the consoles take their part.
	const more = 1.25
	consoles := float64(len(k.g.Seats()))
	return took * more * consoles / min(consoles, float64(runtime.NumCPU()))
}

// plan decides where the next keyframe is due, after those that are there.
func (k *keying) plan(at int64) {
	k.next, k.since, k.tries = 0, time.Time{}, 0
	if k.keys == nil {
		return
	}
	interval := k.interval()
	last, _ := k.keys.Before(at)
	last = max(last, k.last)
	for _, f := range k.keys.Frames() {
		if f > at && f-last <= interval*3/2 {
			last = f
		}
	}
	k.next = max(last+interval, at+1)
}

// bound keeps consoles from running over the next keyframe.
func (k *keying) bound(limit int64) int64 {
	if k.next > 0 {
		return min(limit, k.next)
	}
	return limit
}

// patience returns the time that the loop may sleep.
func (k *keying) patience() time.Duration {
	if !k.since.IsZero() {
		return keyPatience / 2
	}
	return time.Second
}

// later tries the next frame, or, after some, one that is further on.
func (k *keying) later() {
	k.since = time.Time{}
	k.next++
	if k.tries++; k.tries >= maxTries {
		k.tries = 0
		k.next += keyPause
	}
}
