package doctor

import (
	"context"
	"os"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/corecheck"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/link"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// clock is the time on the consoles' clocks; any moment would do.
const clock = 1_256_409_000

// Usual are the probes for settings, but for Start, Sound and Pads; peer is the invitation of a
// friend, "" for none.
func Usual(settings config.Config, key, peer string) Probes {
	p := Probes{
		Core:    func(ctx context.Context) (emucore.Core, error) { return launch.FindCore(ctx, settings.Core) },
		Check:   check,
		Depth:   corecheck.Depth,
		Clock:   time.Now,
		Sandbox: emucore.Protections, Untried: untried, Ways: emucore.SnapshotWays, Key: key,
		Network: func(ctx context.Context) Network { return ProbeNetwork(ctx, settings.Net) },
	}
	if peer != "" {
		p.Peer = func(ctx context.Context) (link.Stats, error) {
			return launch.Machine{Settings: settings}.Line(ctx, peer, launch.LineTime)
		}
	}
	return p
}

// check checks a core anew, and keeps the verdict for the rooms to come.
func check(ctx context.Context, core emucore.Core) (corecheck.Verdict, error) {
	places, err := config.Data()
	if err != nil {
		return corecheck.Verdict{}, err
	}
	return launch.CheckCore(ctx, corecheck.OpenBook(places.CoreVerdicts), core, func(launch.Checking) {})
}

// Starter starts consoles with a program of ours that draws much. done removes its file.
func Starter() (start func(ctx context.Context, core emucore.Core, options []ds.Option) (Console, error), done func(), err error) {
	dir, err := os.MkdirTemp("", "nettplay-doctor-")
	if err != nil {
		return nil, nil, err
	}
	done = func() { _ = os.RemoveAll(dir) }
	paths, err := romstest.WriteFiles(dir, romstest.ROM{Name: "draw3d.nds", Data: romstest.Draw3D})
	if err != nil {
		done()
		return nil, nil, err
	}
	rom, err := emucore.OpenROM(paths[0])
	if err != nil {
		done()
		return nil, nil, err
	}
	return func(ctx context.Context, core emucore.Core, options []ds.Option) (Console, error) {
		c, err := emucore.Start(ctx, emucore.Config{
			Core: core, ROM: rom, RTC: clock, Options: options,
			Firmware: ds.Firmware{Nickname: "Doctor", MAC: [6]byte{0, 9, 0xbf, 1, 2, 3}, Language: 1, BirthMonth: 1, BirthDay: 1},
		})
		if err != nil {
			return nil, err
		}
		return c, nil
	}, done, nil
}
