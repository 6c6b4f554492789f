package inputdelay

// MaxRandomFrames is the limit of a [RandomScript] in frames: 4.8 hours.
const MaxRandomFrames = 1 << 20

// RandomScript makes a script of somebody who mashes: the cross held for a while
// and changed, buttons tapped and held over it, stylus taps and strokes, and
// pauses in between. Lid and microphone stay out of it, since a closed lid puts
// most games to sleep. The same seed gives the same script everywhere and in
// every version; a longer script begins like a shorter one. From frame frames
// on it is neutral; more than [MaxRandomFrames] are not made.
func RandomScript(seed uint64, frames int64) *Script {
	m := masher{rng: splitMix{seed}}
	var spans []span
	for f := range min(frames, MaxRandomFrames) {
		spans = appendSpan(spans, span{f, f + 1, m.next()})
	}
	return &Script{spans: spans}
}

// masher is a player: three things done at once, each for some frames.
type masher struct {
	rng                    splitMix
	cross, buttons, stylus int64 // frames until this one is decided anew
	held                   Keys  // of the cross
	pressed                Keys  // of the other buttons
	x, y, dx, dy           int64 // stylus, in 1/16 pixels and pixels a frame
	touching               bool
}

// next plays one frame.
func (m *masher) next() Input {
	if m.cross--; m.cross < 0 {
		m.turn()
	}
	if m.buttons--; m.buttons < 0 {
		m.press()
	}
	if m.stylus--; m.stylus < 0 {
		m.stroke()
	}
	in := Input{Keys: m.held | m.pressed}
	if m.touching {
		m.x = min(max(m.x+m.dx, 0), (ScreenWidth-1)*16)
		m.y = min(max(m.y+m.dy, 0), (ScreenHeight-1)*16)
		in.Keys |= Touch
		in.X, in.Y = uint8(m.x/16), uint8(m.y/16)
	}
	return in
}

// turn holds the cross in another direction, or lets it go.
func (m *masher) turn() {
	directions := [...]Keys{0, 0, KeyUp, KeyDown, KeyLeft, KeyRight, KeyUp | KeyLeft, KeyUp | KeyRight, KeyDown | KeyLeft, KeyDown | KeyRight}
	m.held = directions[m.rng.below(int64(len(directions)))]
	m.cross = 3 + m.rng.below(40)
}

// press taps or holds a button, sometimes two, or pauses after one.
func (m *masher) press() {
	buttons := [...]Keys{KeyA, KeyA, KeyA, KeyB, KeyB, KeyX, KeyY, KeyL, KeyR, KeyStart, KeySelect}
	if m.pressed != 0 {
		m.pressed, m.buttons = 0, m.rng.below(16)
		return
	}
	m.pressed = buttons[m.rng.below(int64(len(buttons)))]
	if m.rng.below(6) == 0 {
		m.pressed |= buttons[m.rng.below(int64(len(buttons)))]
	}
	m.buttons = m.rng.below(4) // a tap: 1 to 4 frames
	if m.rng.below(4) == 0 {
		m.buttons += m.rng.below(50)
	}
}

// stroke puts the stylus down somewhere, to rest or to be drawn over the screen,
// or lifts it.
func (m *masher) stroke() {
	if m.touching {
		m.touching, m.stylus = false, 5+m.rng.below(90)
		return
	}
	m.touching = true
	m.x, m.y = m.rng.below(ScreenWidth*16), m.rng.below(ScreenHeight*16)
	m.dx, m.dy = 0, 0
	m.stylus = 1 + m.rng.below(6)
	if m.rng.below(2) == 0 {
		m.dx, m.dy = m.rng.below(129)-64, m.rng.below(129)-64
		m.stylus += m.rng.below(30)
	}
}

// splitMix is the SplitMix64 generator (Steele, Lea and Flood, "Fast splittable
// pseudorandom number generators", 2014): its sequence is fixed by its
// definition, which no library promises for ever.
type splitMix struct{ state uint64 }

// below returns a number from 0 to n-1; n is small and positive.
func (r *splitMix) below(n int64) int64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	z ^= z >> 31
	return int64(z>>1) % n
}
