package air

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/nettplay/nettplay/internal/ds"
)

// scenario is a game: its consoles, its length, and what happens to it.
type scenario struct {
	plain      bool // no grants
	seed       uint64
	consoles   int
	skew       int
	frames     int64
	stops      []int64 // ascending, the last is frames
	dies       int     // the seat whose console crashes; -1 none
	deathFrame int64
	window     int64 // frames are opened this many ahead; 0: all from the start
}

func newScenario(seed uint64, consoles, skew int, frames int64) *scenario {
	r := rand.New(rand.NewPCG(seed, 5))
	sc := &scenario{seed: seed, consoles: consoles, skew: skew, frames: frames, dies: -1}
	for f := int64(1); f < frames; f++ {
		if r.IntN(6) == 0 {
			sc.stops = append(sc.stops, f)
		}
	}
	sc.stops = append(sc.stops, frames)
	sc.plain = r.IntN(5) == 0
	if r.IntN(3) == 0 {
		sc.dies, sc.deathFrame = r.IntN(consoles), r.Int64N(frames)
	}
	if r.IntN(2) == 0 {
		sc.window = 1 + r.Int64N(3)
	}
	return sc
}

func (sc *scenario) String() string {
	return fmt.Sprintf("seed %d, %d consoles, skew %d, %d frames", sc.seed, sc.consoles, sc.skew, sc.frames)
}

// change says what happens at a stop: a seat that comes or goes, and whether
// the game is moved to another air there.
func (sc *scenario) change(stop int64) (seat ds.Seat, move bool) {
	r := rand.New(rand.NewPCG(sc.seed, uint64(stop)))
	seat = -1
	if r.IntN(2) == 0 {
		seat = ds.Seat(r.IntN(sc.consoles))
	}
	return seat, r.IntN(2) == 0
}

// medium is an air as a driver with one thread sees it.
type medium interface {
	event(seat ds.Seat, e event)
	put(seat ds.Seat, data []byte, to int)
	follow(seat, host, behind, ahead int)
	passed(seat, polls int)
	answered(seat ds.Seat) (reply, bool)
	plug(seat ds.Seat)
	unplug(seat ds.Seat)
	dead(seat ds.Seat)
	openTo(frame int64)
	stopAt(frame int64)
	save() []byte
	records() []Record
	move() medium // the same air in other memory
	close()
}

func (m *model) move() medium { return m }
func (m *model) close()       {}

// outcome is all that must be the same in every run of a scenario.
type outcome struct {
	trace []Record
	saves [][]byte
	heard [ds.MaxSeats]uint64 // of all answers
	count [ds.MaxSeats]int

	granted int // give-ups that consoles answered themselves
	left    int // polls that consoles answered themselves, by leave
	passed  int // ... because the air was silent
}

// differs says in what one run differs from another.
func (o *outcome) differs(p *outcome) error {
	for i := range min(len(o.trace), len(p.trace)) {
		if o.trace[i] != p.trace[i] {
			return fmt.Errorf("record %d: %v or %v", i, o.trace[i], p.trace[i])
		}
	}
	if len(o.trace) != len(p.trace) {
		return fmt.Errorf("%d or %d packets", len(o.trace), len(p.trace))
	}
	if o.heard != p.heard || o.count != p.count {
		return fmt.Errorf("answers %x or %x, in number %v or %v", o.heard, p.heard, o.count, p.count)
	}
	if !slices.EqualFunc(o.saves, p.saves, bytes.Equal) {
		return fmt.Errorf("saved states")
	}
	return nil
}

// driver plays a scenario with one thread: in each step it lets one of those
// that can do something do it.
type driver struct {
	sc    *scenario
	m     medium
	rng   *rand.Rand
	who   [ds.MaxSeats]*driven
	open  int64
	stop  int64
	ended [ds.MaxSeats]*program
	saves [][]byte
	own   int // give-ups by grants
	left  int // polls by leaves
	past  int // polls on a silent air
}

// driven is a console between the driver's hands.
type driven struct {
	p       *program
	inFrame bool
	stands  bool // at an operation, or parked
	sending *operation
	onAir   bool
	mute    bool
	grant   int
	leave   int
	stride  int
	polls   int // in this frame, that do not block
	own     int // polls it has answered since it was let run
	asked   event
}

// play runs a scenario on m in the order that rng throws.
func play(sc *scenario, m medium, rng *rand.Rand) (outcome, error) {
	d := &driver{sc: sc, m: m, rng: rng, open: frameMax}
	for i := range sc.consoles {
		d.m.plug(ds.Seat(i))
		d.who[i] = &driven{p: newProgram(sc, ds.Seat(i), 0)}
	}
	if sc.window > 0 {
		d.open = sc.window
		d.m.openTo(d.open)
	}
	for _, stop := range sc.stops {
		d.stop = stop
		d.m.stopAt(stop)
		if err := d.run(); err != nil {
			return outcome{}, err
		}
		d.atStop()
	}
	o := outcome{trace: d.m.records(), saves: d.saves, granted: d.own, left: d.left, passed: d.past}
	for i := range d.who {
		if p := d.ended[i]; p != nil {
			o.heard[i], o.count[i] = p.h, p.events
		}
	}
	d.m.close()
	return o, nil
}

func (d *driver) run() error {
	for {
		can := d.able()
		if len(can) > 0 {
			d.step(can[d.rng.IntN(len(can))])
		}
		if d.open < d.stop && (len(can) == 0 || d.rng.IntN(40) == 0) {
			d.open++
			d.m.openTo(d.open)
			continue
		}
		if len(can) == 0 {
			return d.arrived()
		}
	}
}

// able lists the seats that can do something, sometimes only the lowest or highest seat.
func (d *driver) able() (can []int) {
	for i, c := range d.who {
		if c == nil {
			continue
		}
		if c.stands {
			if r, ok := d.m.answered(ds.Seat(i)); ok {
				d.answer(i, c, r)
			}
		}
		if !c.stands && (c.inFrame || c.onAir || c.p.frame < min(d.open, d.stop)) {
			can = append(can, i)
		}
	}
	if len(can) > 0 {
		switch d.rng.IntN(4) {
		case 0:
			return can[:1]
		case 1:
			return can[len(can)-1:]
		}
	}
	return can
}

func (d *driver) arrived() error {
	for i, c := range d.who {
		if c != nil && (c.inFrame || c.p.frame != d.stop) {
			return fmt.Errorf("nobody can go on: seat %d stands in frame %d, to stop at %d", i, c.p.frame, d.stop)
		}
	}
	return nil
}

func (d *driver) answer(i int, c *driven, r reply) {
	c.stands, c.onAir = false, true
	c.mute = r.mute
	c.leave, c.own, c.stride = 0, 0, r.stride
	if c.asked == evPoll && r.answer == none || !c.inFrame {
		c.leave = r.leave
	}
	if c.asked != evPoll || r.answer == packet {
		c.grant = r.grant
	}
	switch {
	case !c.inFrame: // it was parked
	case c.sending != nil:
		d.m.put(ds.Seat(i), c.sending.data, c.sending.to)
		c.sending, c.stride = nil, 1
	default:
		c.p.hear(r.answer, r.data)
		d.m.follow(i, c.p.leader, c.p.behind, c.p.ahead)
	}
}

func (d *driver) step(i int) {
	c := d.who[i]
	if !c.inFrame {
		c.inFrame, c.grant, c.polls = true, 0, 0
		if !c.onAir {
			c.stride = 1
		}
		c.p.begin()
		d.m.follow(i, c.p.leader, c.p.behind, c.p.ahead)
		return
	}
	op := c.p.next()
	d.m.follow(i, c.p.leader, c.p.behind, c.p.ahead)
	switch op.kind {
	case evGone:
		d.ended[i], d.who[i] = c.p, nil
		d.m.dead(ds.Seat(i))
	case evEnd, evEndSilent:
		c.p.frame++
		c.inFrame, c.mute, c.leave, c.own, c.asked = false, false, 0, 0, 0
		c.onAir = c.onAir && op.kind == evEnd
		c.stands = c.onAir
		d.m.event(ds.Seat(i), op.kind)
	case evSend:
		c.leave, c.stride = 0, 1
		if c.onAir {
			d.m.put(ds.Seat(i), op.data, op.to)
			return
		}
		c.stands, c.sending = true, &op
		d.m.event(ds.Seat(i), evSend)
	default:
		if c.mute {
			c.p.hear(mutedAnswer(op.kind), nil)
			return
		}
		if c.grant > 0 && op.kind != evPoll {
			c.grant--
			d.own++
			c.p.hear(gaveUp, nil)
			return
		}
		if op.kind == evPoll && c.alone(&d.left, &d.past) {
			c.p.hear(none, nil)
			return
		}
		d.m.passed(i, c.own)
		c.stands, c.asked, c.leave, c.own = true, op.kind, 0, 0
		d.m.event(ds.Seat(i), op.kind)
	}
}

// alone: the console answers its next poll that does not block by itself.
func (c *driven) alone(left, past *int) bool {
	n := c.polls
	c.polls++
	switch {
	case c.leave > 0:
		c.leave--
		*left++
	case !c.onAir || n%c.stride == 0:
		return false
	default:
		*past++
	}
	c.own++
	return true
}

func (d *driver) atStop() {
	seat, move := d.sc.change(d.stop)
	for i, c := range d.who {
		if c != nil {
			d.ended[i] = c.p
		}
	}
	switch {
	case seat >= 0 && d.who[seat] != nil:
		d.m.unplug(seat)
		d.who[seat] = nil
	case seat >= 0:
		d.m.plug(seat)
		d.who[seat] = &driven{p: newProgram(d.sc, seat, d.stop)}
	}
	d.saves = append(d.saves, d.m.save())
	if move {
		d.m = d.m.move()
	}
}
