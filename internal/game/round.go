package game

import (
	"cmp"
	"slices"

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
		sample: cfg.Sample, pace: pacer{unlimited: cfg.Unlimited}, radio: cfg.Radio, begun: cfg.First, last: Never,
		plan: cfg.Plan, show: cfg.Show, rec: cfg.Rec, meter: cfg.Meter, hashes: hashing{every: cfg.HashEvery},
		feed: feed{out: mirror.NewHost(), pressure: new(mirror.Pressure), horizon: cfg.Horizon, promised: cfg.Horizon.Frame},
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
		s.guesses = cfg.guesses(c)
		g.seats = append(g.seats, s)
		g.radio.own(c.Seat, c.Console)
	}
	g.connect(cfg)
	if err := g.radio.begin(g.feed.horizon.Frame); err != nil {
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
		feeding: feeding{queue: queue, delays: delays{first: delay}, arrivals: new(autodelay.Arrivals), sampled: frame, offered: frame + int64(delay), recorded: frame, past: past{first: frame, next: frame, keep: lockstepFrames}},
		running: running{run: startRunner(c.Seat, c.Console, g.show, g.done, c.SRAM), reported: frame},
		parting: parting{end: g.last},
	}
	g.clocked(s)
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

// Close ends all consoles and waits for them.
func (g *Game) Close() {
	for _, s := range g.seats {
		s.run.close()
	}
	g.radio.Close()
}

// Release ends the game, but gives the consoles back, which stand between two frames, by
// seat. The radio is closed.
func (g *Game) Release() map[ds.Seat]Console {
	list := make(map[ds.Seat]Console)
	for _, s := range g.seats {
		list[s.number] = s.settled(s.run.release())
	}
	g.radio.Close()
	return list
}
