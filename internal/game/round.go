package game

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/mirror"
)

// New begins a round. It takes ownership of the consoles, also when it fails.
func New(cfg Config) (*Game, error) {
	g := &Game{
		round: cfg.Round, me: cfg.Me, host: cfg.Host, done: make(chan Outcome, ds.MaxSeats),
		sample: cfg.Sample, quiet: cfg.Quiet, pace: pacer{unlimited: cfg.Unlimited}, radio: cfg.Radio, begun: cfg.First, last: Never,
		plan: cfg.Plan, show: cfg.Show, rec: cfg.Rec, meter: cfg.Meter, hashes: hashing{every: cfg.HashEvery},
		rolls: cfg.guessing(),
		feed:  feed{out: mirror.NewHost(), pressure: new(mirror.Pressure), horizon: cfg.Horizon, promised: cfg.Horizon.Frame},
	}
	g.feed.clock.on = cfg.Clocked
	g.feed.moved = cfg.First > 0 // for all that a late joiner knows
	g.pace.follows = g.follows()
	if g.rec == nil {
		g.rec = new(replay.Recorder) // it never begins, so it takes nothing
	}
	slices.SortFunc(cfg.Seats, func(a, b SeatConfig) int { return cmp.Compare(a.Seat, b.Seat) })
	for i, c := range cfg.Seats {
		s, err := g.newSeat(c, cfg.First, cfg.Delay, cfg.lead(c))
		if err != nil {
			g.Close()
			for _, rest := range cfg.Seats[i:] {
				rest.Console.Close()
			}
			return nil, err
		}
		g.seats = append(g.seats, s)
		g.radio.own(c.Seat, c.Console)
	}
	if g.rolls.on {
		g.radio.stepwise()
	}
	g.connect(cfg)
	if err := g.radio.start(g.feed.horizon.Frame); err != nil {
		g.Close()
		return nil, err
	}
	return g, nil
}

// newSeat makes a seat that begins at a frame with an input delay. So many frames at the
// beginning of its input queue are neutral.
func (g *Game) newSeat(c SeatConfig, frame int64, delay, neutral int) (*seat, error) {
	queue, err := inputdelay.NewQueue(frame, neutral)
	if err != nil {
		return nil, err
	}
	s := &seat{
		number: c.Seat, owner: c.Owner, nickname: c.Nickname, mine: c.Owner == g.me, rom: c.ROM, frame: frame,
		queue: queue, delays: delays{first: delay}, arrivals: new(autodelay.Arrivals), sampled: frame, offered: frame + int64(delay), recorded: frame, past: past{first: frame, next: frame, keep: lockstepFrames},
		run: startRunner(c.Seat, c.Console, g.show, g.done, c.SRAM), reported: frame,
		end: g.last,
	}
	g.clocked(s)
	g.enroll(s)
	return s, nil
}

// lead is the number of frames at the beginning of an input queue that have no sample because of
// the delay. A late joiner gets those of the others as they are.
func (cfg Config) lead(c SeatConfig) int {
	if cfg.First > 0 && c.Owner != cfg.Me {
		return 0
	}
	return cfg.Delay
}

// Advance starts every frame that may run now. [Game.Wake] tells when it wants to be
// called again.
func (g *Game) Advance(now time.Time) error {
	g.wait, g.pace.looked = time.Duration(Never), now
	if g.failed {
		return nil
	}
	if err := g.meet(); err != nil {
		return err
	}
	g.closeLeft()
	if g.feed.clock.on {
		if err := g.tick(now); err != nil {
			return err
		}
	}
	if g.rolls.on {
		return g.roll(now)
	}
	for _, s := range g.seats {
		if s.busy {
			g.hurries(s, now)
		}
		if s.busy || s.frame >= s.end || !g.allowed(s.frame) {
			continue
		}
		if s.mine {
			wait, err := g.startFrame(s, now)
			if err != nil {
				return err
			}
			if wait > 0 {
				g.wait = min(g.wait, wait)
				continue
			}
		}
		if in, ok := s.queue.At(s.frame); ok {
			g.submit(s, in, now)
		}
	}
	if g.follows() {
		g.noteStarved(now)
	} else {
		g.stalledOnAir(now)
	}
	return g.openAir()
}

// Wake returns the time until something changes though nothing arrives: a frame is due, or a datagram.
func (g *Game) Wake(now time.Time) time.Duration { return min(g.wait, g.Due(now)) }

// startFrame begins our own console's next frame by sampling its input, unless the frame is
// not due or another machine is too far behind. It returns how long to wait, 0 when the
// frame has begun.
func (g *Game) startFrame(s *seat, now time.Time) (time.Duration, error) {
	if g.feed.clock.on {
		if s.frame < g.begun {
			return 0, nil
		}
		return time.Duration(Never), nil // tick says when
	}
	if s.frame < g.begun {
		// Another of our seats has begun it, or we have and wait for the input queue.
		return 0, g.push(s, s.frame)
	}
	if w := g.pace.wait(now); w > 0 {
		return w, nil
	}
	if g.stall.block(g.feed.pressure.Behind(s.frame), now) {
		return time.Duration(Never), nil
	}
	g.meterBegin(s.frame, now)
	g.pace.frameBegan(now)
	g.begun = s.frame + 1
	return 0, g.push(s, s.frame)
}

// push samples the input of a local frame once and puts it into the input queue.
func (g *Game) push(s *seat, frame int64) error {
	if s.sampled > frame {
		return nil
	}
	s.sampled = frame + 1
	_, _, err := s.queue.Push(frame, g.sample(s.number, frame).Normal())
	if err != nil {
		return fmt.Errorf("input of seat %v at frame %d: %w", s.number, frame, err)
	}
	return g.offer(s)
}

// submit lets a console run its next frame.
func (g *Game) submit(s *seat, in inputdelay.Input, now time.Time) {
	g.recordInput(s, in)
	if s.dead {
		g.passOver(s)
		return
	}
	after := s.frame + 1
	s.busy, s.since = true, now
	j := job{in: in, on: s.switchesOn(), step: true, hash: g.hashes.wants(after) || after == s.end, sram: s.mine}
	if g.mayKeep(s, j) {
		s.run.quiet.state.Store(still)
	}
	s.run.submit(j)
	if s.mine && !g.feed.clock.on {
		g.wait = min(g.wait, g.pace.wait(now)) // its outcome may be quiet
	}
}

// passOver counts a frame of a seat that has no console.
func (g *Game) passOver(s *seat) {
	s.switchesOn() // the console that a resync brings knows
	s.frame++
	s.queue.Forget(s.frame)
	g.atEnd(s, false)
	g.wait = 0 // no outcome has Advance called again
}

// Finish takes an outcome. After an error, which is a [*ConsoleError] where a console
// failed, no console runs any more, and the outcomes of those that still did count for
// nothing; see [Game.GoOnWithout].
func (g *Game) Finish(o Outcome) error {
	s := g.seat(o.seat)
	s.busy = false
	if g.rolls.on && (o.job.step || o.job.back) {
		return g.finishRolling(s, o)
	}
	if g.failed {
		return nil
	}
	if o.err != nil {
		g.radio.dead(s.number)
		g.failed = true
		return &ConsoleError{Seat: s.number, Frame: s.frame, Err: g.radio.why(s.number, o.err)}
	}
	if !g.rolls.on {
		if err := g.radio.collect(); err != nil {
			return err
		}
	}
	if o.job.step && g.meter != nil {
		g.meter.Shown(s.number, s.frame, o.at)
	}
	g.count(s, o)
	return nil
}

// count counts what a console has done.
func (g *Game) count(s *seat, o Outcome) {
	if o.job.step {
		s.frame++
		s.dark = o.off
		s.queue.Forget(s.frame)
		g.steps.add(o.took)
		if g.pace.unlimited {
			g.feed.mails.tell(g.me)
		}
	}
	if o.job.hash {
		g.noteHash(s, o)
	}
	g.atEnd(s, o.job.hash)
}

// GoOnWithout lets the game go on after a console failed. Its seat has inputs and frames
// like the others, but no console until a resync brings one.
func (g *Game) GoOnWithout(seat ds.Seat) {
	g.failed = false
	s := g.seat(seat)
	s.dead, s.guesses.list = true, nil
	g.tornAir = g.radio != nil
}

// Close ends all consoles and waits for them.
func (g *Game) Close() {
	for _, s := range g.seats {
		if !s.gone {
			s.run.close()
		}
	}
	g.leavers.Wait()
	g.radio.Close()
}

// Release ends the game, but gives the consoles back, which stand between two frames, by
// seat. The radio is closed.
func (g *Game) Release() map[ds.Seat]Console {
	list := make(map[ds.Seat]Console)
	for _, s := range g.seats {
		if s.gone {
			list[s.number] = s.run.console
			continue
		}
		list[s.number] = s.settled(s.run.release())
	}
	g.leavers.Wait()
	g.radio.Close()
	return list
}
