package player

import "time"

func (r *playing) play(on bool) {
	r.on = on
	r.rebase(time.Now())
	if !on {
		r.target, r.stepped = -1, false
	}
	r.tell()
}

func (r *playing) step(frames int64) {
	at := r.g.Slowest()
	if r.target < 0 || !r.stepped {
		r.target = max(at, r.limit) // the frame that runs ends first
	}
	r.on, r.stepped = false, true
	r.target = min(r.target+frames, r.p.Length())
	r.tell()
}

// seek goes on from where the consoles stand, or from a keyframe that is nearer.
func (r *playing) seek(frame int64) {
	at := r.g.Slowest()
	if r.target < 0 || r.stepped {
		r.way = at
	}
	r.target, r.stepped = frame, false
	key := r.keyBefore(frame)
	if passed := frame < r.limit && frame != at; passed || key > at+minKeyInterval {
		r.keys.restart = key + 1
	}
	r.tell()
}

// Play goes on; Pause stands still after the frame that runs.
func (p *Player) Play() { p.order(func(r *playing) { r.play(true) }) }

// Pause stands still after the frame that runs.
func (p *Player) Pause() { p.order(func(r *playing) { r.play(false) }) }

// Speed sets how fast it plays: [SlowestSpeed] to [FastestSpeed] times the DS'
// speed, or [NoLimit].
func (p *Player) Speed(times float64) {
	if times != NoLimit {
		times = min(max(times, SlowestSpeed), FastestSpeed)
	}
	p.order(func(r *playing) {
		r.speed = times
		r.rebase(time.Now())
		r.tell()
	})
}

// Step stands still and then plays so many frames more.
func (p *Player) Step(frames int64) { p.order(func(r *playing) { r.step(max(frames, 1)) }) }

// SeekTo goes to where so many frames are done, 0 to [Player.Length], and plays on
// there if it has played before. The last frame before it is shown. A newer call
// takes the place of one that is under way.
func (p *Player) SeekTo(frame int64) {
	frame = min(max(frame, 0), p.Length())
	p.order(func(r *playing) { r.seek(frame) })
}

// CatchUp goes on to where so many frames are done as fast as it can, if it begins before
// that.
func (p *Player) CatchUp(frame int64) {
	p.order(func(r *playing) {
		if to := min(frame, r.p.Length()); to > r.g.Slowest() {
			r.seek(to)
		}
	})
}
