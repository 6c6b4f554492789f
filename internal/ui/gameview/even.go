package gameview

// Inputs of other players come when the line brings them, so their consoles' frames come in
// bursts: at 10 ms of jitter one in six of our own pictures would find no new frame of theirs,
// and another one two. An even shows them by our own console's frames, one for each. It holds
// back as many as were enough of late, and no more. It is pure: frames are its clock.
type even struct {
	most    int64 // frames that are held back at most; 0: all is shown as it comes
	lead    int64 // our own console's newest frame
	ahead   int64 // of it the frame that is shown
	started bool
	// The least by which the other console's newest frame was ahead of ours, in this and in
	// the last span of evenSpan frames, of which left are to come.
	least, before int64
	left          int
}

const (
	// evenSpan is over how many frames it is seen what must be held back; twice as many at
	// most. One frame less is held back after each span at most: that skips a frame.
	evenSpan = 120
	// evenLost is the number of frames that two consoles may come apart before it begins anew: after a
	// pause, a late join, or a place elsewhere in a recording.
	evenLost = 60
)

// show is the frame of the other console up to which it is shown, while the newest of our own
// is lead, and the newest of the other one newest. It never goes back but when it begins anew.
func (e *even) show(lead, newest int64) int64 {
	ahead := newest - lead
	if e.most <= 0 {
		return newest
	}
	if gone := lead - e.lead; !e.started || gone < 0 || gone > evenLost || ahead-e.ahead > evenLost || e.ahead-ahead > evenLost {
		e.lead, e.ahead, e.started = lead, ahead, true
		e.least, e.before, e.left = ahead, ahead, evenSpan
		return newest
	}
	if lead != e.lead {
		e.left -= int(lead - e.lead)
		e.lead = lead
		e.least = min(e.least, ahead)
		e.ahead = min(e.ahead, ahead)            // it is late: the last one stays
		e.ahead = max(e.ahead, ahead-e.most)     // it is full: some are skipped
		e.before = max(e.before, e.least-e.most) // what was long ago counts no more
	}
	if e.left <= 0 {
		if min(e.before, e.least) > e.ahead {
			e.ahead++
		}
		e.before, e.least, e.left = e.least, ahead, evenSpan
	}
	return e.lead + e.ahead
}
