package corecheck

import (
	"context"
	"errors"
	"sync"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/air"
	"github.com/nettplay/nettplay/internal/ds"
)

// Consoles is how many a [Pair] has, but for one that is measured.
const Consoles = 2

// names are of the consoles' owners.
var names = [...]string{"Pia", "Quin", "Rosa", "Sam"}

// clock is the time on the consoles' clocks; any moment would do.
const clock = 1_256_409_000

// A Pair is two consoles that play in step, on the air where the core has a radio, for whoever compares what they do: the check
// of a core, and the trial of a game. One goroutine owns it; End may be called on any once both have started.
type Pair struct {
	Air      *air.Air // nil for none
	Consoles []*emucore.Console
	At       int64 // frame at which both stand
}

// NewPair is a pair whose consoles are still to be started, at a frame, with a radio or without.
func NewPair(radio bool, frame int64) (*Pair, error) {
	p := &Pair{At: frame}
	if !radio {
		return p, nil
	}
	on, err := air.New(air.Config{Skew: 1, Frame: frame})
	if err != nil {
		return nil, err
	}
	p.Air = on
	return p, nil
}

// ConsoleConfig is what the console of a seat is started with, the same each time.
func (p *Pair) ConsoleConfig(core emucore.Core, rom *emucore.ROM, seat ds.Seat) emucore.Config {
	name := names[seat]
	cfg := emucore.Config{
		Core: core, ROM: rom, RTC: clock, Frame: p.At,
		Firmware: ds.Firmware{Nickname: name, MAC: [6]byte{0, 9, 0xbf, 1, 2, name[0]}, Language: 1, BirthMonth: 1, BirthDay: 1},
	}
	if p.Air != nil {
		cfg.Radio = &emucore.Radio{Air: p.Air, Seat: seat}
	}
	return cfg
}

// Start starts the console of the next seat.
func (p *Pair) Start(ctx context.Context, cfg emucore.Config) (*emucore.Console, error) {
	c, err := emucore.Start(ctx, cfg)
	if err != nil {
		return nil, err
	}
	p.Consoles = append(p.Consoles, c)
	return c, nil
}

// PlayTo plays both consoles up to a frame, where they stand then. step plays a frame of one, both at the same time. Of
// two errors it returns that of a console that failed by itself, rather than of one that waited for it.
func (p *Pair) PlayTo(frame int64, step func(seat int, c *emucore.Console, f int64) error) error {
	if p.Air != nil {
		if err := errors.Join(p.Air.Resume(), p.Air.StopAt(frame)); err != nil {
			return err
		}
	}
	errs := make([]error, len(p.Consoles))
	var both sync.WaitGroup
	for seat, c := range p.Consoles {
		both.Go(func() {
			for f := p.At; f < frame && errs[seat] == nil; f++ {
				errs[seat] = step(seat, c, f)
			}
		})
	}
	both.Wait()
	p.At = frame
	return worst(errs)
}

// worst is the error of a console that failed by itself, else any.
func worst(errs []error) (err error) {
	for _, e := range errs {
		if err == nil || OfCore(e) && !OfCore(err) {
			err = e
		}
	}
	return err
}

// OfCore reports whether a failure is the core's own.
func OfCore(err error) bool {
	var start *emucore.StartError
	var crash *emucore.CrashError
	var hang *emucore.HangError
	var form *emucore.FormError
	return errors.As(err, &start) || errors.As(err, &crash) || errors.As(err, &hang) || errors.As(err, &form)
}

// End ends both consoles at once, whatever they do.
func (p *Pair) End() {
	for _, c := range p.Consoles {
		c.Close()
	}
}

// Close ends all.
func (p *Pair) Close() {
	p.End()
	if p.Air != nil {
		p.Air.Close()
	}
}
