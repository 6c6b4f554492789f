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

func (r *playing) setSpeed(times float64) {
	r.speed = times
	r.rebase(time.Now())
	r.tell()
}

func (r *playing) step(frames int64) {
	at := r.g.Slowest()
	if r.target < 0 || !r.stepped {
		r.target = max(at, r.limit) // the frame that runs ends first
	}
	r.on, r.stepped = false, true
	r.target = min(r.target+frames, r.length())
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
