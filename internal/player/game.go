package player

import (
	"fmt"
	"math"
	"slices"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/savestate"
	"github.com/nettplay/nettplay/savestate/emustate"
)

// stop ends the consoles that run.
func (r *playing) stop() {
	if r.g != nil {
		r.g.Close()
		r.g = nil
		r.tell()
	}
}

// loadKey puts a seat's console where a keyframe has it.
func loadKey(c game.Console, seat ds.Seat, key replay.Keyframe) error {
	for _, s := range key.States {
		if s.Seat == seat {
			if err := c.Load(emucore.State{Frame: key.Frame, Data: s.Data}); err != nil {
				return fmt.Errorf("seat %v at frame %d: %w", seat, key.Frame, err)
			}
		}
	}
	return nil
}

func closeAll(list []game.SeatConfig) {
	for _, s := range list {
		if s.Console != nil {
			s.Console.Close()
		}
	}
}

// resync builds the consoles anew as they were in the game, at the same frame.
func (r *playing) resync(x replay.Restart) error {
	key := replay.Keyframe{Frame: x.Frame}
	seats := slices.Clone(r.cfg.Log.Seats)
	for _, s := range x.Seats {
		i := slices.IndexFunc(seats, func(o replay.Seat) bool { return o.Plan.Seat == s.Plan.Seat })
		for _, part := range s.Start.Parts {
			if part.Kind == savestate.KindSRAM || part.Kind == savestate.KindCheats {
				continue
			}
			raw, err := r.cfg.Log.Part(s, part.SHA256)
			if err != nil {
				return err
			}
			if part.Kind == savestate.KindAir {
				key.Air = raw
			} else {
				key.States = append(key.States, replay.State{Seat: s.Plan.Seat, Data: raw})
			}
		}
		if s.From > 0 {
			continue // it is switched on here
		}
		// The rest is a cold console with the cartridge's memory at that time, and the cheats.
		seats[i].Start = s.Start
		seats[i].Start.Frame = 0
		seats[i].Start.Parts = slices.DeleteFunc(slices.Clone(s.Start.Parts), func(p savestate.Part) bool {
			return p.Kind != savestate.KindSRAM && p.Kind != savestate.KindCheats
		})
	}
	r.stop()
	if r.cfg.Log.Repaired(x.Frame) {
		r.repair = x.Frame
	}
	return r.launch(key, seats, r.approx)
}

// launch builds a new game and begins it.
func (r *playing) launch(key replay.Keyframe, seats []replay.Seat, approx bool) error {
	g, err := r.build(key, seats)
	if err != nil {
		return err
	}
	r.inPlace = false
	return r.enter(g, key.Frame, approx)
}

// enter goes on with a game that stands at a frame. It takes ownership.
func (r *playing) enter(g *game.Game, frame int64, approx bool) error {
	r.cursor = r.cfg.Log.From(frame)
	r.g, r.from, r.approx, r.limit, r.drifted, r.proven = g, frame, approx, frame, false, false
	r.agreed, r.fed = make(map[ds.Seat]int64), make(map[ds.Seat]int64)
	if err := r.applyDecisions(frame); err != nil {
		return err
	}
	r.keys.begin(r)
	return nil
}

// applyDecisions applies what was decided before a frame, and keeps the rest for later.
func (r *playing) applyDecisions(frame int64) error {
	r.pending, r.resyncs = nil, nil
	ahead := func(at int64) bool { return at <= r.p.Length() || r.live.on } // a pause beyond the last frame needs nobody
	for _, x := range r.cfg.Log.Restarts {
		if x.Frame > frame && ahead(x.Frame) {
			r.comesTo(x)
		}
	}
	for _, s := range r.g.Seats() {
		r.fed[s.Seat] = s.Frame
	}
	for _, d := range r.cfg.Log.Decisions { // first: who has left has no console that could come to its end here
		if d.Kind == timeline.Leave && r.leftBy(d.Seat, frame) {
			if err := r.g.Depart(d.Seat, d.Frame); err != nil {
				return err
			}
		}
	}
	if !r.live.on {
		r.g.StopAt(r.p.Length())
	} else if r.cfg.End > 0 {
		r.g.StopAt(r.cfg.End)
	}
	for _, d := range r.cfg.Log.Decisions {
		switch {
		case d.Kind == timeline.SwitchOn && d.Frame == frame: // the consoles stand before it
			r.learn(d)
		case d.Kind == timeline.End, (d.Frame > frame || frame == 0) && ahead(d.Frame):
			r.learn(d)
		}
	}
	r.sortPending()
	r.live.decisions, r.live.restarts = len(r.cfg.Log.Decisions), len(r.cfg.Log.Restarts)
	return nil
}

// build makes the consoles and the game around them.
func (r *playing) build(key replay.Keyframe, seats []replay.Seat) (*game.Game, error) {
	// A seat that left while all consoles were built anew came with them, and is not there.
	key.States = slices.DeleteFunc(slices.Clone(key.States), func(s replay.State) bool { return r.leftBy(s.Seat, key.Frame) })
	seats = slices.DeleteFunc(slices.Clone(seats), func(s replay.Seat) bool { return s.From > key.Frame }) // not there yet
	air, err := r.openRadio(key)
	if err != nil {
		return nil, err
	}
	list := make([]game.SeatConfig, len(seats))
	err = game.Together(seats, func(i int, s replay.Seat) error {
		c, err := r.console(s, key, air)
		list[i] = game.SeatOf(s.Plan, c)
		return err
	})
	if err != nil {
		closeAll(list)
		air.Close()
		return nil, err
	}
	return r.assemble(key, list, air)
}

// leftBy reports whether a seat has left when a frame begins that is not the first.
func (r *playing) leftBy(seat ds.Seat, frame int64) bool {
	return frame > 0 && r.cfg.Log.Left(seat, frame)
}

// assemble makes a game of consoles that stand at a keyframe. It takes ownership.
func (r *playing) assemble(key replay.Keyframe, seats []game.SeatConfig, air *game.Radio) (*game.Game, error) {
	g, err := game.New(game.Config{
		Round: r.cfg.Log.Round, Me: nobody, HashEvery: int64(r.cfg.Log.Settings.HashEvery), Unlimited: true, First: key.Frame,
		Show: r.showFrom(key.Frame), Horizon: ds.Horizon{Frame: key.Frame}, Radio: air, Seats: seats, Rollback: r.cfg.Log.Settings.Sync == room.Rollback,
	})
	if err == nil && r.cfg.Hashed != nil {
		g.HashEach(r.cfg.HashFrom, r.cfg.HashTo)
	}
	return g, err
}

// Settle is the number of frames after a keyframe that are not shown and not compared: with DeSmuME the
// first picture after a state was loaded is not the game's, and that frame ends some cycles off, maybe
// in the middle of what the game writes. One was measured.
const Settle = 3

// showFrom shows what consoles do that come from a keyframe, or from the start.
func (r *playing) showFrom(key int64) func(seat ds.Seat, f emucore.Frame) {
	if r.cfg.Show == nil || key == 0 {
		return r.cfg.Show
	}
	return func(seat ds.Seat, f emucore.Frame) {
		if f.Number >= key+Settle {
			r.cfg.Show(seat, f)
		}
	}
}

// nobody is the machine of a replay: it owns no seat.
const nobody = -1

// console builds one seat's console as it was at the start, and puts it where the
// keyframe has it.
func (r *playing) console(s replay.Seat, key replay.Keyframe, air *game.Radio) (game.Console, error) {
	if key.Frame > 0 && !key.Has(s.Plan.Seat) && s.From != key.Frame {
		return departed{}, nil
	}
	store := savestate.NewStore(0)
	for _, part := range s.Start.Parts {
		raw, err := r.cfg.Log.Part(s, part.SHA256)
		if err != nil {
			return nil, err
		}
		if _, err := store.Put(part.Kind, raw); err != nil {
			return nil, err
		}
	}
	m := s.Start
	m.Core = r.cfg.Core.SHA256 // maybe another build that does the same, or that is forced: see New
	c, _, err := emustate.Install(r.ctx, r.cfg.Start.OrProcess(), m, r.cfg.Core, r.cfg.ROMs[s.Plan.ROM.SHA256], store, func(cfg *emucore.Config) {
		cfg.TestOptions, cfg.Background = r.cfg.TestOptions, r.cfg.Background
		if r.cfg.TestTweak != nil {
			r.cfg.TestTweak(cfg)
		}
		air.Connect(cfg, s.Plan.Seat)
	})
	if err != nil {
		return nil, err
	}
	if err := loadKey(c, s.Plan.Seat, key); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// departed is the console of a seat that left before the keyframe. Nothing but Close, SRAM
// and Video is called: the seat has no more frames.
type departed struct{ game.Console }

func (departed) Video() emucore.Video  { return emucore.Video{} }
func (departed) SRAM() ([]byte, error) { return nil, nil }
func (departed) Close() error          { return nil }

// openRadio makes the air, where the core has wireless, as the keyframe has it.
func (r *playing) openRadio(key replay.Keyframe) (*game.Radio, error) {
	if !r.cfg.Core.Wireless {
		return nil, nil
	}
	var seats []ds.Seat
	for _, s := range r.cfg.Log.Seats {
		if key.Frame == 0 && s.From == 0 || key.Has(s.Plan.Seat) {
			seats = append(seats, s.Plan.Seat)
		}
	}
	if key.Frame > 0 && key.Air == nil {
		return nil, fmt.Errorf("the radio at frame %d is missing", key.Frame)
	}
	if key.Frame == 0 { // a game that goes on from a kept moment
		var err error
		if key.Air, err = r.cfg.Log.Air(); err != nil {
			return nil, err
		}
	}
	air, err := game.NewRadio(game.RadioConfig{Seats: seats, Frame: key.Frame, Skew: r.cfg.Log.Settings.Skew, Saved: key.Air})
	if err != nil {
		return nil, err
	}
	for _, s := range r.cfg.Log.Seats {
		err := error(nil)
		if r.leftBy(s.Plan.Seat, key.Frame) {
			err = air.Unplug(s.Plan.Seat)
		} else if s.From > 0 && s.From == key.Frame && !key.Has(s.Plan.Seat) {
			err = air.Plug(s.Plan.Seat)
		}
		if err != nil {
			air.Close()
			return nil, err
		}
	}
	return air, nil
}

// consoleSpan is a console of a recording and the frames that it has: the first one, and
// the one before which it left.
type consoleSpan struct {
	plan     room.SeatPlan
	from, to int64
}

// Consoles are those of the recording, by seat, with the ones whose players came into the
// running game; of a live log, as far as it is known. Any goroutine may ask, and may keep
// the list.
func (p *Player) Consoles() []room.SeatPlan {
	return p.consolesIf(func(consoleSpan) bool { return true })
}

// ConsolesAt returns those of [Player.Consoles] that exist when so many frames are done: without the
// ones whose players have not come yet, or have left.
func (p *Player) ConsolesAt(frame int64) []room.SeatPlan {
	return p.consolesIf(func(c consoleSpan) bool { return c.from <= frame && frame < c.to })
}

func (p *Player) consolesIf(is func(consoleSpan) bool) (list []room.SeatPlan) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.consoles {
		if is(c) {
			list = append(list, c.plan)
		}
	}
	return list
}

// know notes the consoles of the log, and from where it can go on. It is for the goroutine of Run, or before that.
func (p *Player) know() {
	p.mu.Lock()
	defer p.mu.Unlock()
	log := p.cfg.Log
	for _, s := range log.Seats[len(p.consoles):] {
		p.consoles = append(p.consoles, consoleSpan{s.Plan, s.From, math.MaxInt64})
	}
	for _, d := range log.Decisions[p.decided:] {
		if i := slices.IndexFunc(p.consoles, func(c consoleSpan) bool { return c.plan.Seat == d.Seat }); d.Kind == timeline.Leave && i >= 0 {
			p.consoles[i].to = min(p.consoles[i].to, d.Frame)
		}
	}
	p.decided = len(log.Decisions)
	if p.cold {
		p.places = nil
		for _, x := range log.Ready() {
			p.places = append(p.places, x.Frame)
		}
	}
}
