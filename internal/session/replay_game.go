package session

import (
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/mirror"
	"github.com/nettplay/nettplay/savestate"
)

// restart builds a new game that stands at a keyframe, or before the first frame
// for 0.
func (r *playing) restart(frame int64) error {
	if r.g != nil {
		r.g.close()
		r.g = nil
		r.tell()
	}
	key := replay.Keyframe{}
	if frame > 0 {
		var err error
		if key, err = r.cfg.Keyframes.Load(frame); err != nil {
			r.cfg.Keyframes.Forget(frame)
			frame, key = 0, replay.Keyframe{} // the long way
		}
	}
	return r.launch(key, r.cfg.Log.Seats, frame > 0)
}

// resync builds the consoles anew as they were in the game, at the same frame.
func (r *playing) resync(x replay.Restart) error {
	key := replay.Keyframe{Frame: x.Frame}
	seats := slices.Clone(r.cfg.Log.Seats)
	for _, s := range x.Seats {
		i := slices.IndexFunc(seats, func(o replay.Seat) bool { return o.Plan.Seat == s.Plan.Seat })
		for _, part := range s.Start.Parts {
			if part.Kind == savestate.KindSRAM {
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
		// What is left is a cold console with the cartridge's memory of then.
		seats[i].Start = s.Start
		seats[i].Start.Frame = 0
		seats[i].Start.Parts = slices.DeleteFunc(slices.Clone(s.Start.Parts), func(p savestate.Part) bool { return p.Kind != savestate.KindSRAM })
	}
	r.g.close()
	r.g = nil
	return r.launch(key, seats, r.approx)
}

// launch builds a new game and begins it.
func (r *playing) launch(key replay.Keyframe, seats []replay.Seat, approx bool) error {
	g, err := r.build(key, seats)
	if err != nil {
		return err
	}
	frame := key.Frame
	if r.cursor, err = r.cfg.Log.From(frame); err != nil {
		g.close()
		return err
	}
	r.g, r.from, r.approx, r.limit, r.drifted, r.proven = g, frame, approx, frame, false, false
	r.agreed, r.fed = make(map[int]int64), make(map[int]int64)
	if err := r.begin(frame); err != nil {
		return err
	}
	r.keys.begin(r)
	return nil
}

// begin applies what was decided before a frame, and keeps the rest for later.
func (r *playing) begin(frame int64) error {
	r.pending, r.resyncs = nil, nil
	for _, x := range r.cfg.Log.Restarts {
		if x.Frame > frame && x.Frame <= r.p.length {
			r.resyncs = append(r.resyncs, x)
			// All consoles meet for it, as for a pause.
			r.pending = append(r.pending, host.Decision{Kind: host.Pause, Frame: x.Frame})
		}
	}
	for _, s := range r.g.seats {
		r.fed[s.number] = s.frame
		r.g.stopAt(s, r.p.length)
	}
	for _, d := range r.cfg.Log.Decisions {
		switch {
		case d.Kind == host.End:
			for _, s := range r.g.seats {
				r.g.stopAt(s, d.Frame)
			}
		case d.Kind == host.Leave && d.Frame <= frame && frame > 0:
			s := r.g.seat(d.Seat)
			if s == nil {
				return fmt.Errorf("seat %d leaves, which does not play", d.Seat+1)
			}
			s.left, s.closed, s.end = true, true, min(s.end, d.Frame)
		case gathers(d) && (d.Frame > frame || frame == 0):
			if d.Frame <= r.p.length { // a pause beyond the last frame needs nobody
				r.pending = append(r.pending, d)
			}
		}
	}
	slices.SortStableFunc(r.pending, func(a, b host.Decision) int { return int(min(max(a.Frame-b.Frame, -1), 1)) })
	return nil
}

// build makes the consoles and the game around them.
func (r *playing) build(key replay.Keyframe, seats []replay.Seat) (*game, error) {
	log := r.cfg.Log
	cfg := gameConfig{
		round: log.Round, me: nobody, hashEvery: int64(log.Settings.HashEvery), unlimited: true, show: r.cfg.Show,
		horizon: mirror.Horizon{Frame: key.Frame},
	}
	var err error
	if cfg.radio, err = r.openRadio(key); err != nil {
		return nil, err
	}
	cfg.seats = make([]seatConfig, len(seats))
	err = together(seats, func(i int, s replay.Seat) error {
		c, err := r.console(s, key, cfg.radio)
		cfg.seats[i] = seatConfig{
			number: s.Plan.Seat, owner: s.Plan.Machine, nickname: s.Plan.Nickname, rom: fmt.Sprintf("%x", s.Plan.ROM.SHA256), console: c,
		}
		return err
	})
	if err != nil {
		for _, s := range cfg.seats {
			if s.console != nil {
				s.console.Close()
			}
		}
		cfg.radio.close()
		return nil, err
	}
	g, err := newGame(cfg)
	if err != nil {
		return nil, err
	}
	if err := g.startAt(key.Frame); err != nil {
		g.close()
		return nil, err
	}
	return g, nil
}

// nobody is the machine of a replay: it owns no seat.
const nobody = -1

// startAt has a game that has not begun begin at a frame.
func (g *game) startAt(frame int64) error {
	for _, s := range g.seats {
		line, err := inputdelay.NewLine(frame, 0)
		if err != nil {
			return err
		}
		s.line, s.frame = line, frame
	}
	return nil
}

// console builds one seat's console as it was at the start, and puts it where the
// keyframe has it.
func (r *playing) console(s replay.Seat, key replay.Keyframe, air *radio) (console, error) {
	i := slices.IndexFunc(key.States, func(k replay.State) bool { return k.Seat == s.Plan.Seat })
	if key.Frame > 0 && i < 0 {
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
	if r.cfg.Force {
		m.Core = r.cfg.Core.SHA256
	}
	c, _, err := savestate.Install(r.ctx, m, r.cfg.Core, r.cfg.ROMs[s.Plan.ROM.SHA256], store, func(cfg *emucore.Config) {
		cfg.TestOptions = r.cfg.TestOptions
		if r.cfg.TestTweak != nil {
			r.cfg.TestTweak(cfg)
		}
		air.plug(cfg, s.Plan.Seat)
	})
	if err != nil {
		return nil, err
	}
	if key.Frame > 0 {
		if err := c.Load(emucore.State{Frame: key.Frame, Data: key.States[i].Data}); err != nil {
			c.Close()
			return nil, fmt.Errorf("seat %d at frame %d: %w", s.Plan.Seat+1, key.Frame, err)
		}
	}
	return c, nil
}

// departed is the console of a seat that left before the keyframe.
type departed struct{}

func (departed) Step(inputdelay.Input) (emucore.Frame, error) {
	return emucore.Frame{}, emucore.ErrClosed
}
func (departed) Hash() (emucore.Hash, error) { return emucore.Hash{}, emucore.ErrClosed }
func (departed) Video() emucore.Video        { return emucore.Video{} }
func (departed) SRAM() ([]byte, error)       { return nil, nil }
func (departed) Close() error                { return nil }

// openRadio makes the air, where the core has wireless, as the keyframe has it.
func (r *playing) openRadio(key replay.Keyframe) (*radio, error) {
	if !r.cfg.Core.Wireless {
		return nil, nil
	}
	var seats []int
	for _, s := range r.cfg.Log.Seats {
		if key.Frame == 0 || slices.ContainsFunc(key.States, func(k replay.State) bool { return k.Seat == s.Plan.Seat }) {
			seats = append(seats, s.Plan.Seat)
		}
	}
	air, err := newRadio(seats, key.Frame, r.cfg.Log.Settings.Skew, false, nil)
	if err != nil {
		return nil, err
	}
	if key.Frame > 0 {
		if err := air.air.Restore(key.Air); err != nil {
			air.close()
			return nil, fmt.Errorf("the radio at frame %d: %w", key.Frame, err)
		}
	}
	return air, nil
}
