package soundstream

import "slices"

// A console that goes back makes the sound of some frames again, mostly of frames that the card still has in its queue. There it
// is put in the place of what was wrong, and nothing is longer or shorter than it was. Where the wrong sound was heard already, it fades
// into the right one.

// A piece is the sound of a frame as the card got it.
type piece struct {
	frame    int64
	from, to int64     // of all samples made
	before   resampler // as it was before the frame
	step     float64
}

// keptPieces is the number of frames whose sound can be made again: as many as a queue holds, and more than anybody goes
// back.
const keptPieces = 32

// tape is what was made last.
type tape struct {
	pcm    []int16 // to the newest sample
	made   int64   // samples in all
	pieces []piece
	late   int64 // the newest frame that was made again too late: its old sound was heard
}

// keep notes what was made.
func (t *tape) keep(pcm []int16) {
	t.made += int64(len(pcm) / 2)
	t.pcm = append(t.pcm, pcm...)
	if spare := len(t.pcm) - 2*CardRate; spare > CardRate {
		t.pcm = append(t.pcm[:0], t.pcm[spare:]...)
	}
}

// piece notes that the newest samples are the sound of a frame.
func (t *tape) piece(p piece) {
	if len(t.pieces) == keptPieces {
		t.pieces = append(t.pieces[:0], t.pieces[1:]...)
	}
	t.pieces = append(t.pieces, p)
}

// Again takes the sound of a frame that the console has made again, while so many samples wait in the card's queue, and
// returns what is to be in the queue instead, all of it, valid until the next call; nil: nothing changes.
func (s *Stream) Again(frame int64, audio []int16, queued int) []int16 {
	audio = audio[:min(len(audio)&^1, 2*MaxFrame)]
	i := slices.IndexFunc(s.tape.pieces, func(p piece) bool { return p.frame == frame })
	if i < 0 || s.gap || s.gain != s.volume || 2*queued > len(s.tape.pcm) {
		return nil
	}
	p := &s.tape.pieces[i]
	r := resampler{history: slices.Clone(p.before.history), at: p.before.at}
	made := r.push(nil, audio, p.step)
	if len(made) == 0 {
		return nil
	}
	if i+1 < len(s.tape.pieces) && s.tape.pieces[i+1].frame == frame+1 {
		s.tape.pieces[i+1].before = r
	} else if i == len(s.tape.pieces)-1 && p.to == s.tape.made {
		s.resampler = r
		s.resampler.history = slices.Clone(r.history)
		s.last = [2]float32{made[len(made)-2], made[len(made)-1]}
	}
	played := s.tape.made - int64(queued)
	from := max(p.from, played)
	if from >= p.to {
		s.tape.late = frame
		return nil
	}
	old := s.tape.pcm[int64(len(s.tape.pcm))-2*(s.tape.made-p.from):]
	blend := int64(0) // it follows what is right
	if from > p.from || s.tape.late == frame-1 {
		blend = int64(samples(fade))
	}
	for n := from; n < p.to; n++ {
		t := min(float32(n-from+1)/float32(blend+1), 1)
		at := min(2*(n-p.from), int64(len(made)-2))
		for side := range int64(2) {
			was := &old[2*(n-p.from)+side]
			*was = Round((1-t)*float32(*was) + t*made[at+side]*s.gain)
		}
	}
	return s.tape.pcm[len(s.tape.pcm)-2*queued:]
}
