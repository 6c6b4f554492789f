package game

import (
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/mirror"
)

// Clocked play: the game host alone says which input each seat gets in which frame. At its
// own local frames, which come at a steady rate, it stamps the inputs of all seats from the
// samples that have arrived (inputdelay.Stamper), and sends them to all machines, the seats'
// owners included. It waits for nobody's samples. A machine without stamped inputs waits, as
// ever, and guesses nothing.
//
// So the inputs of all seats come from one machine, each frame's once. A machine plays,
// records, hashes, and gives to a late joiner the same as in lockstep. Different are only where
// inputs come from, in this file, and whom a machine waits for.
//
// An owner takes its samples at local frames, too. It keeps its clock between two bounds: a
// sample should be at the game host when that comes to the same local frame, and the inputs
// of the local frame should be here when it begins. With an input delay above the round trip
// both are possible, and the clock stands in the middle; else its samples come late, all by
// about the same time, and are stamped as they come.

const (
	// reach is the number of frames before the newest input of a seat that somebody may still need.
	reach = maxLag + ds.MaxDelay + clockSlip + 1
	// clockSlip is the number of frames the game host's slowest console may be behind its clock:
	// a short hitch there is not one of all machines, and a game host that is too slow for
	// the game slows it down.
	clockSlip = 3
	// clockLead and one more is the number of frames a game client's clock goes on without stamped inputs:
	// while they are held up, what its player does still goes to the game host.
	clockLead = 8
	// stampSpare is the number of frames of stamped inputs that a game client keeps, so that a late
	// datagram does not show.
	stampSpare = 1
	// sprintFrom is the number of frames beyond the input delay that are here when a game client's
	// clock is so late that it goes as fast as it can.
	sprintFrom = 4
	// maxUnheard is the limit of samples that are sent again and again; older ones are of no use.
	maxUnheard = 128
)

// clocking is the state that clocked play adds to a game.
type clocking struct {
	on      bool
	starved time.Time // since when our own console waits for stamped inputs
}

// tick lets the clock go on: each local frame that is due is stamped, on the game host, or
// sampled.
func (g *Game) tick(now time.Time) error {
	for !g.Finished() && g.begun < g.Ending() && g.allowed(g.begun) {
		wait := g.clockWait(now)
		if wait > 0 {
			g.wait = min(g.wait, wait)
			return nil
		}
		g.meterBegin(g.begun, now)
		g.pace.frameBegan(now)
		var err error
		if g.hosting() {
			err = g.stampFrame()
		} else {
			err = g.sampleFrame()
		}
		if err != nil {
			return err
		}
		g.begun++
	}
	return nil
}

// clockWait is the time until the next local frame may begin; [Never] until something
// else happens.
func (g *Game) clockWait(now time.Time) time.Duration {
	wait := g.pace.wait(now)
	if g.follows() {
		switch spare := g.spare(); {
		case spare < -clockLead:
			return time.Duration(Never)
		case spare > int64(g.Delay())+sprintFrom:
			return 0
		}
		return wait
	}
	switch {
	case wait > 0:
		return wait
	case g.begun-g.Slowest() > clockSlip, g.stall.block(g.lagging(), now):
		return time.Duration(Never)
	}
	return 0
}

// spare counts the frames of our own seat's stamped inputs here that our clock has not come to.
func (g *Game) spare() int64 {
	for _, s := range g.seats {
		if s.mine && !s.vacant() {
			return s.queue.Newest() + 1 - g.begun
		}
	}
	return 0
}

// stampFrame stamps the inputs of all seats that are played, at our next local frame.
func (g *Game) stampFrame() error {
	for _, s := range g.seats {
		if s.vacant() {
			continue
		}
		if s.mine && s.sampled <= g.begun {
			s.stamper.Sample(g.begun, g.sampleOwn(s))
		}
		from, to, err := s.queue.Push(g.begun, s.stamper.Stamp())
		if err != nil {
			return fmt.Errorf("input of seat %v at frame %d: %w", s.number, g.begun, err)
		}
		for ; g.meter != nil && from < to; from++ {
			g.meterArrivals(g.pace.looked, []mirror.SeatFrame{{Seat: s.number, Frame: from}})
		}
		if err := g.offer(s); err != nil {
			return err
		}
	}
	return nil
}

// sampleFrame sends what our own players do at our next local frame to the game host.
func (g *Game) sampleFrame() error {
	for _, s := range g.seats {
		if !s.mine || s.vacant() || s.sampled > g.begun {
			continue
		}
		if err := g.sendSample(s, g.begun, g.sampleOwn(s)); err != nil {
			return err
		}
	}
	g.feed.mails.tell(-1)
	return nil
}

// sampleOwn takes the sample of our next local frame.
func (g *Game) sampleOwn(s *seat) inputdelay.Input {
	in := g.sample(s.number, g.begun).Normal()
	s.sampled = g.begun + 1
	s.own.add(g.begun, in)
	return in
}

// sendSample puts a sample on its way. When the game host has heard nothing of us for long,
// the older ones are left out.
func (g *Game) sendSample(s *seat, frame int64, in inputdelay.Input) error {
	next, _ := g.feed.out.Next(s.number)
	if _, frames := g.feed.out.Backlog(g.host); next != frame || frames >= maxUnheard {
		g.feed.out.AddSeat(s.number, frame)
	}
	return g.feed.out.Put(s.number, frame, in)
}

// receiveInputs takes the inputs of a datagram, and returns those that are new in our queues.
func (g *Game) receiveInputs(from *mirror.Client, machine int, d *mirror.Datagram) ([]mirror.SeatFrame, error) {
	if g.stamps() {
		return nil, g.receiveSamples(machine, d.Windows)
	}
	return from.Receive(*d, g.queue)
}

// receiveSamples takes, on the game host, samples of a machine's seats. The game host decides
// their frames. A machine tells only what its own players press, and never for a frame that
// nobody may have come to.
func (g *Game) receiveSamples(machine int, windows []mirror.Window) error {
	for _, w := range windows {
		s := g.seat(w.Seat)
		switch {
		case s == nil || s.owner == machine && s.vacant():
			continue
		case s.owner != machine:
			return fmt.Errorf("machine %d sends input of seat %v, which is not its own: %w", machine, w.Seat, mirror.ErrPeer)
		case w.First < 0 || w.First+int64(len(w.Inputs)) > s.stamper.Next()+inputdelay.Window:
			return fmt.Errorf("machine %d sends %d samples of seat %v from frame %d on, the clock is at frame %d: %w",
				machine, len(w.Inputs), w.Seat, w.First, s.stamper.Next(), mirror.ErrPeer)
		}
		for i, in := range w.Inputs {
			s.stamper.Sample(w.First+int64(i), in)
		}
	}
	return nil
}

// follow compares our clock with the game host's. A datagram's acknowledgement is the newest
// of our samples there, and its newest input tells the local frame there.
func (g *Game) follow(d *mirror.Datagram) {
	for _, s := range g.seats {
		if !s.mine || s.vacant() {
			continue
		}
		for _, ack := range d.Acks {
			if ack.Seat == s.number {
				early := ack.Frame - s.queue.Newest() + int64(g.Delay())
				g.pace.measure(clockAhead(g.spare(), early))
			}
		}
		return
	}
}

// clockAhead is the number of frames a game client's clock is ahead of where it should be: spare
// frames of inputs are here that it has not come to, and its samples are early by so many
// frames at the game host, or late. Samples that come in time are worth less than inputs that
// are here: without those the picture stands.
func clockAhead(spare, early int64) float64 {
	if spare+early >= 2*stampSpare {
		return float64(early-spare) / 2
	}
	return float64(stampSpare - spare)
}

// noteStarved notes that our own console waits for the game host, once it does for longer
// than a late datagram takes.
func (g *Game) noteStarved(now time.Time) {
	if !g.starves() {
		g.feed.clock.starved = time.Time{}
		g.stall.block(nil, now)
		return
	}
	if g.feed.clock.starved.IsZero() {
		g.feed.clock.starved = now
	}
	if now.Sub(g.feed.clock.starved) > lateFrame {
		g.stall.block([]int{g.host}, now)
	}
}

// starves reports whether one of our own consoles lacks an input: its own, or over the air that
// of another one.
func (g *Game) starves() bool {
	return slices.ContainsFunc(g.seats, func(s *seat) bool {
		switch {
		case !s.mine || s.closed || s.frame >= s.end || s.frame >= g.begun || !g.allowed(s.frame):
			return false
		case s.busy:
			return g.radio != nil && len(g.awaited(s.frame)) > 0
		}
		_, here := s.queue.At(s.frame)
		return !here
	})
}

// Repeated is the number of frames of a seat, of the newest [inputdelay.Recent] that this machine has stamped, for which
// nothing had arrived; 0 on a machine that does not stamp.
func (g *Game) Repeated(number ds.Seat) int {
	if s := g.seat(number); s != nil && s.stamper != nil {
		return s.stamper.Repeated()
	}
	return 0
}

// clocked prepares a seat that is new.
func (g *Game) clocked(s *seat) {
	if !g.feed.clock.on {
		return
	}
	s.past.keep, s.own = pastFrames, past{first: s.frame, next: s.frame, keep: lockstepFrames}
	if g.stamps() {
		s.stamper = inputdelay.NewStamper(s.frame, inputdelay.Input{})
	}
}
