package emucore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

// dataLimit is the memory, in bytes, that a worker may allocate besides a few copies of its ROM; known
// cores need a tenth of it.
const dataLimit = 1 << 30

// canonicalROM is the file name of every ROM in a worker: DeSmuME writes the
// base name into the console's memory at 0x027E0000, so it must be equal on all
// machines, whatever the players call their files.
const canonicalROM = "game.nds"

// Start builds a console in a new worker process and returns it before its
// first frame. It takes tens of milliseconds with a small ROM. Start stops when ctx
// ends; after Start has returned, ctx no longer affects the console.
//
// Errors: a [StartError] if core, ROM and save do not fit together, a
// [CrashError] or [HangError] if the core crashed or hung, or an error that says what is
// wrong with cfg or its files.
func Start(ctx context.Context, cfg Config) (*Console, error) {
	if cfg.ROM == nil {
		return nil, errors.New("start a console: no ROM")
	}
	if cfg.Core.Unopened {
		return nil, fmt.Errorf("start a console: %w", ErrUnopened)
	}
	profile := cfg.profile
	if profile == nil {
		profile = ProfileFor(cfg.Core.Name)
	}
	options, err := profile.ConsoleOptions(cfg)
	if err != nil {
		return nil, fmt.Errorf("start a console: %w", err)
	}
	rom, err := cfg.ROM.open(ctx)
	if err != nil {
		return nil, fmt.Errorf("start a console: %w", err)
	}
	started := false
	defer func() {
		if !started {
			rom.Close()
		}
	}()
	core, err := openSame("core", cfg.Core.Path, cfg.Core.Size, cfg.Core.SHA256, errCoreChanged)
	if err != nil {
		return nil, fmt.Errorf("start a console: %w", err)
	}
	core.Close()
	dir, err := newWorkdir()
	if err != nil {
		return nil, err
	}
	defer func() {
		if !started {
			dir.remove()
		}
	}()
	if err := dir.addROM(rom); err != nil {
		return nil, fmt.Errorf("start a console: %w", err)
	}
	ant, err := newAntenna(cfg.Radio)
	if err != nil {
		return nil, fmt.Errorf("start a console: %w", err)
	}
	save, err := newSave(profile, dir, cfg.SRAM)
	if err != nil {
		return nil, fmt.Errorf("start a console: %w", err)
	}
	c, err := launch(cfg.Core.Name, workerFiles{dir: dir, rom: rom.File, save: save, antenna: ant, lawless: cfg.lawless}, func(mem *shared) error {
		return fillSetup(mem, profile, &cfg, options)
	})
	if err != nil {
		return nil, err
	}
	c.rom, started = rom, true
	c.last.frame = cfg.Frame
	cfg.SRAM = nil
	c.cfg, c.profile, c.limits = cfg, profile, cfg.limits.orUsual(cfg.ROM.Size)
	if cfg.Background {
		c.proc.yield()
	}
	err = c.load(ctx)
	if err == nil && cfg.Rollback {
		c.prepareSnapshots()
	}
	c.dir = dir.loaded()
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// workerFiles are the files a worker is started with. Only dir is required.
type workerFiles struct {
	dir       *workdir
	rom, save *os.File
	antenna   *antenna
	lawless   bool
}

// launch starts a worker; fill writes its setup first. The console takes over
// save.
func launch(core string, w workerFiles, fill func(mem *shared) error) (_ *Console, err error) {
	c := &Console{core: core, worker: worker{save: w.save, antenna: w.antenna}}
	defer func() {
		if err != nil {
			c.release()
		}
	}()
	var memFile *os.File
	if c.mem, memFile, err = newShared(); err != nil {
		return nil, err
	}
	defer memFile.Close()
	s := c.mem.setup()
	s.parentPID = int64(os.Getpid())
	s.dataLimit = dataLimit
	if err = fill(c.mem); err != nil {
		return nil, err
	}
	if err = c.startWorker(memFile, w); err != nil {
		return nil, err
	}
	return c, nil
}

// fillSetup tells the worker what to build.
func fillSetup(mem *shared, p *Profile, cfg *Config, options []ds.Option) error {
	s := mem.setup()
	s.rtc, s.frame = cfg.RTC, cfg.Frame
	s.romSize = uint64(cfg.ROM.Size)
	s.dataLimit = dataLimit + 3*uint64(cfg.ROM.Size)
	if cfg.Rollback {
		way, err := snapshotWay()
		if err != nil {
			return fmt.Errorf("start a console: %w", err)
		}
		s.rollback = uint32(way)
		s.dataLimit *= 2 // with the images
	}
	s.language = libretroLanguage[cfg.Firmware.Language]
	if cfg.Radio != nil {
		s.hasRadio, s.seat = 1, uint32(cfg.Radio.Seat)
	}
	s.hasUsername = bit[uint32](p.UsernameIsNickname)
	s.mayCompile = bit[uint32](p.mayCompile(cfg.Core.Standing(), options))
	switch {
	case !setButtons(&s.lid, p.Lid) || !setButtons(&s.mic, p.Mic):
		return errors.New("start a console: too many buttons for the lid or the microphone")
	case !setScrubs(s, p.Scrub):
		return errors.New("start a console: too many rules for packets")
	case !setText(s.corePath[:], cfg.Core.Path) || !setText(s.romName[:], canonicalROM) ||
		!setText(s.username[:], cfg.Firmware.Nickname):
		return errors.New("start a console: the core's path or the nickname is too long")
	case !setOptions(s, options):
		return errors.New("start a console: the core options are too long")
	case !setCheats(s, cfg.Cheats):
		return errors.New("start a console: the cheats are too long")
	}
	switch p.SRAM {
	case SRAMFile:
		if !setText(s.saveName[:], p.SaveName) {
			return errors.New("start a console: the save file's name is too long")
		}
	case SRAMMemory:
		if len(cfg.SRAM) > sramMax {
			return fmt.Errorf("start a console: %w", errSaveSize(len(cfg.SRAM)))
		}
		s.sramSize = uint32(copy(mem.blob(), cfg.SRAM))
	}
	return nil
}

// first sends a worker's first request; what says what for. The worker does not outlive
// ctx while it works. c.mu is held.
func (c *Console) first(ctx context.Context, what string, op uint32, limit time.Duration) (reply, error) {
	stop := context.AfterFunc(ctx, c.proc.kill)
	defer stop()
	r, err := c.call(&request{op: op}, limit)
	if ctx.Err() != nil {
		return r, fmt.Errorf("%s core %s: %w", what, c.core, context.Cause(ctx))
	}
	if no, refused := errors.AsType[*refusal](err); refused {
		return r, &StartError{Core: c.core, Why: no.why, Log: c.proc.log.all()}
	}
	return r, err
}

// reasons are the lines of a core's log that tell what went wrong, up to what it made of it.
func reasons(log []string) (list []string) {
	for _, line := range log {
		if strings.HasPrefix(line, "E ") && !strings.Contains(line, "rror screen") {
			list = append(list, strings.TrimPrefix(line, "E "))
		}
	}
	return list
}

// load sends the request that builds the console.
func (c *Console) load(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, err := c.first(ctx, "start", opLoad, c.limits.load)
	switch {
	case err != nil:
		return err
	case !r.timingPossible():
		why := fmt.Sprintf("makes %v frames and %v samples a second", r.fps, r.sampleRate)
		return &StartError{Core: c.core, Why: why, Log: c.proc.log.all()}
	case r.size > blobMax || r.ramSize > blobMax || r.sramSize > sramMax:
		return c.misbehaved("memory of impossible size")
	}
	if c.profile.HasStates && r.size == 0 && r.ramSize == 0 {
		return &StartError{Core: c.core, Why: "does not play this game, but shows a page of its own that says why", Log: reasons(c.proc.log.all()), Page: true}
	}
	c.stateSize, c.ramSize, c.sramSize = int(r.size), int(r.ramSize), int(r.sramSize)
	return nil
}
