package doctor

import (
	"context"
	"os"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ds"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// clock is what the consoles' clocks show; any moment would do.
const clock = 1_256_409_000

// Starter starts consoles with a program of ours that draws much. done removes its file.
func Starter() (start func(ctx context.Context, core emucore.Core) (Console, error), done func(), err error) {
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
	return func(ctx context.Context, core emucore.Core) (Console, error) {
		c, err := emucore.Start(ctx, emucore.Config{
			Core: core, ROM: rom, RTC: clock,
			Firmware: ds.Firmware{Nickname: "Doctor", MAC: [6]byte{0, 9, 0xbf, 1, 2, 3}, Language: 1, BirthMonth: 1, BirthDay: 1},
		})
		if err != nil {
			return nil, err
		}
		return c, nil
	}, done, nil
}
