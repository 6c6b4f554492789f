package emucore

import (
	"context"
	"errors"
)

// A game can switch its console off: a DS has no button for it that a game could not do without. The console
// is then dark, silent and off the air, and its frames go by, until it is switched on again. It is off
// from a frame on that follows from what it has computed, so it is on all machines alike.

// powerEvery is the number of frames after which a core is looked at that does not say by itself that it is off:
// at frames with round numbers, since the answer becomes part of the console. It takes a state.
const powerEvery = 60

// untilPowerCheck is how many frames may run before the next look at the power.
func (c *Console) untilPowerCheck() int {
	if c.profile == nil || c.profile.PoweredOff == nil || c.off {
		return MaxSkip
	}
	return powerEvery - int(c.last.frame%powerEvery)
}

// checkPower finds out whether a console is off whose core does not say so. c.mu is held.
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

// SwitchOn switches on a console that is off, with the cartridge as it is and the clock as it stands: it is the
// same then as any console that is started at this frame. One that is not off is left alone. It takes as long as
// Start; the air goes on as if the console had only finished its frame.
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

// switchOn puts a new worker in the place of the old one. c.mu is held.
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
