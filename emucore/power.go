package emucore

import (
	"context"
	"errors"
)

// A game can switch its console off; there is no power button to press, as no game needs one. The console
// is then dark, silent and off the air, and its frames pass, until it is switched on again. The frame at
// which it goes off follows from its computation alone, so it is the same on all machines.

// powerEvery is the interval, in frames, at which a core that does not report power-off by itself is checked:
// at multiples of it, since the answer becomes part of the console. A check takes a state.
const powerEvery = 60

// untilPowerCheck returns how many frames may run before the next power check.
func (c *Console) untilPowerCheck() int {
	if c.profile == nil || c.profile.PoweredOff == nil || c.off {
		return MaxSkip
	}
	return powerEvery - int(c.last.frame%powerEvery)
}

// checkPower finds out whether the console is off, for a core that does not report it. c.mu is held.
func (c *Console) checkPower() error {
	if c.profile == nil || c.profile.PoweredOff == nil || c.off || c.stateSize == 0 || c.last.frame%powerEvery != 0 {
		return nil
	}
	state, err := c.serialize(false)
	if _, refused := errors.AsType[*refusal](err); refused {
		return nil // a core that cannot say so now is not off
	}
	if err != nil {
		return err
	}
	off, err := c.profile.PoweredOff(state)
	c.off = off && err == nil // a build whose states are others stands still, as it does alone
	return nil
}

// SwitchOn switches on a console that is off, keeping its cartridge and clock: it is then the
// same as any console started at this frame. It does nothing to a console that is on. It takes as long as
// Start; for the air, the console has only finished its frame.
func (c *Console) SwitchOn() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dead != nil || !c.off {
		return c.dead
	}
	if c.lost {
		return errUnknown
	}
	return c.failed(c.switchOn(), "switch the console on")
}

// switchOn replaces the old worker with a new one. c.mu is held.
func (c *Console) switchOn() error {
	sram, err := c.readSRAM()
	if err != nil {
		return err
	}
	cfg := c.cfg
	cfg.SRAM, cfg.Frame = sram, c.last.frame
	fresh, err := Start(context.Background(), cfg)
	if err != nil {
		return err
	}
	fresh.antenna.follows(c.antenna)
	c.proc.kill()
	<-c.proc.done
	c.release()
	c.life.Lock()
	defer c.life.Unlock()
	fresh.pix = c.pix
	c.worker = fresh.worker
	if c.closing.Load() {
		c.proc.kill()
		<-c.proc.done
		return c.ended(ErrClosed)
	}
	return nil
}
