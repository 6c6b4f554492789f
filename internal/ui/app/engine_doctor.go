package app

import (
	"context"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/doctor"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/sound"
)

// Examine implements start.Engine. It posts each finding, and the end unless it was stopped.
func (e *engine) Examine(invitation string) {
	m := e.shell
	ctx := e.begin(&e.examining)
	cfg := settings.Clone(m.Config)
	devices, wrong := sound.Look() // on the main thread, as SDL wants it
	var pads []string
	for _, p := range m.Pads {
		pads = append(pads, p.Name)
	}
	probes := doctor.Usual(cfg, m.Key, invitation)
	probes.Sound = func() ([]string, error) { return devices, wrong }
	probes.Pads = func() ([]string, error) { return pads, nil }
	e.jobs.Go(func() {
		begin, done, err := doctor.Starter()
		if err != nil {
			e.complain("This computer could not be checked", err)
			begin = func(context.Context, emucore.Core, []ds.Option) (doctor.Console, error) { return nil, err }
			done = func() {}
		}
		defer done()
		probes.Start = begin
		doctor.Examine(ctx, probes, func(f doctor.Finding) { e.post(func(m *Shell) { m.check.Found(f) }) })
		e.during(ctx)(func(m *Shell) { m.check.Over() })
	})
}

// TryGame implements start.Engine: on the core that rooms have.
func (e *engine) TryGame(rom *emucore.ROM) {
	ctx, machine := e.begin(&e.examining), e.machine()
	tell := e.during(ctx)
	trial := doctor.GameTrial{ROM: rom}
	trial.Tell = func(done, all int) { tell(func(m *Shell) { m.check.Tried(float64(done) / float64(all)) }) }
	e.jobs.Go(func() {
		var seen doctor.Seen
		var err error
		if trial.Core, err = machine.Opened(ctx, machine.Core); err == nil {
			trial.Options = launch.CoreOptions(machine.Settings.Core, trial.Core)
			seen, err = trial.Run(ctx)
		}
		if asks := e.untrusted(err, func() { e.shell.check.Again() }); asks != nil {
			tell(func(m *Shell) {
				m.check.Over()
				m.Trouble = asks
			})
			return
		}
		if err != nil {
			if ctx.Err() == nil {
				e.complain("The game could not be tried", err)
			}
			tell(func(m *Shell) { m.check.Over() })
			return
		}
		list := seen.Findings()
		tell(func(m *Shell) {
			for _, f := range list {
				m.check.Found(f)
			}
			m.check.Over()
		})
	})
}

// StopExamining implements start.Engine.
func (e *engine) StopExamining() { e.examining() }

// TestRelay implements settings.Engine.
func (e *engine) TestRelay(name string) {
	bind := e.shell.Config.Net.Bind
	e.jobs.Go(func() {
		f := doctor.ProbeRelay(e.life, bind, name)
		e.post(func(m *Shell) { m.settings.RelayTested(name, f) })
	})
}
