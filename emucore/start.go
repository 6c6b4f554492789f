package emucore

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/regular"
)

// dataLimit is what a worker may allocate besides a few copies of its ROM; known cores
// need a tenth of it.
const dataLimit = 1 << 30

// Start builds a console in a new worker process and returns it before its
// first frame. It takes tens of milliseconds with a small ROM. When ctx ends
// while it works, Start gives up; afterwards ctx means nothing to the console.
//
// Errors: a [StartError] if core, ROM and save do not go together, a
// [CrashError] or [HangError] if the core did not survive, and what is wrong
// with cfg or its files.
func Start(ctx context.Context, cfg Config) (*Console, error) {
	if cfg.ROM == nil {
		return nil, errors.New("start a console: no ROM")
	}
	profile := cfg.profile
	if profile == nil {
		profile = ProfileFor(cfg.Core.Name)
	}
	options, err := profile.ConsoleOptions(cfg)
	if err != nil {
		return nil, fmt.Errorf("start a console: %w", err)
	}
	rom, err := openROMFile(cfg.ROM)
	if err != nil {
		return nil, fmt.Errorf("start a console: %w", err)
	}
	defer rom.Close()
	if err := checkCoreFile(cfg.Core); err != nil {
		return nil, fmt.Errorf("start a console: %w", err)
	}
	dir, err := newWorkdir()
	if err != nil {
		return nil, err
	}
	defer dir.remove()
	if err := dir.link(profile.CanonicalROM, fdROM); err != nil {
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
	c, err := launch(cfg.Core.Name, workerFiles{dir: dir, rom: rom, save: save, antenna: ant, lawless: cfg.lawless}, func(mem *shared) error {
		return fillSetup(mem, profile, &cfg, options)
	})
	if err != nil {
		return nil, err
	}
	c.last.frame = cfg.Frame
	c.profile, c.limits = profile, cfg.limits.orUsual(cfg.ROM.Size)
	if cfg.Background {
		c.proc.yield()
	}
	err = c.load(ctx)
	if err == nil && cfg.Rollback {
		err = c.beginSnapshots()
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// workerFiles are what a worker is started with. Only dir is needed.
type workerFiles struct {
	dir       *workdir
	rom, save *os.File
	antenna   *antenna
	lawless   bool
}

// launch starts a worker; fill writes its setup first. The console takes over
// save.
func launch(core string, w workerFiles, fill func(mem *shared) error) (_ *Console, err error) {
	c := &Console{core: core, save: w.save, antenna: w.antenna}
	defer func() {
		if err != nil {
			c.release()
		}
	}()
	var memFile, theirs *os.File
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
	rules, err := newRules(text(s.corePath[:]), w)
	if err != nil {
		return nil, err
	}
	if rules != nil {
		defer rules.Close()
		s.hasRules = 1
	}
	if c.line, theirs, err = newLine(); err != nil {
		return nil, err
	}
	defer theirs.Close()
	files := []*os.File{theirs, memFile, w.dir.dir, w.rom, w.save, w.antenna.file(), rules}
	c.proc, err = startProcess(w.dir.path, files, w.antenna.reaped)
	if err != nil {
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
		s.rollback = 1
	}
	s.language = libretroLanguage[cfg.Firmware.Language]
	if !setButtons(&s.lid, p.Lid) || !setButtons(&s.mic, p.Mic) {
		return errors.New("start a console: too many buttons for the lid or the microphone")
	}
	if cfg.Radio != nil {
		s.hasRadio, s.seat = 1, uint32(cfg.Radio.Seat)
	}
	if !setScrubs(s, p.Scrub) {
		return errors.New("start a console: too many rules for packets")
	}
	if p.UsernameIsNickname {
		s.hasUsername = 1
	}
	if p.mayCompile(cfg.Core.Standing(), options) {
		s.mayCompile = 1
	}
	if !setText(s.corePath[:], cfg.Core.Path) || !setText(s.romName[:], p.CanonicalROM) ||
		!setText(s.username[:], cfg.Firmware.Nickname) {
		return errors.New("start a console: the core's path or the nickname is too long")
	}
	if !setOptions(s, options) {
		return errors.New("start a console: the core options are too long")
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

// openROMFile opens the ROM and makes sure that it still is what it was. The
// worker gets this very file, not its name.
func openROMFile(rom *ROM) (*os.File, error) {
	f, _, err := regular.Open(rom.Path)
	if err != nil {
		return nil, fmt.Errorf("open ROM: %w", err)
	}
	if err := checkFile(f, rom.Size, rom.SHA256, ErrROMChanged); err != nil {
		f.Close()
		return nil, fmt.Errorf("ROM %s: %w", rom.Path, err)
	}
	return f, nil
}

// errCoreChanged says that a core is no longer the one that was opened, for
// instance because the system was upgraded since.
var errCoreChanged = errors.New("the file has changed since it was opened")

func checkCoreFile(core Core) error {
	f, _, err := regular.Open(core.Path)
	if err != nil {
		return fmt.Errorf("open core: %w", err)
	}
	defer f.Close()
	if err := checkFile(f, core.Size, core.SHA256, errCoreChanged); err != nil {
		return fmt.Errorf("core %s: %w", core.Path, err)
	}
	return nil
}

// checkFile returns changed unless f has the given content.
func checkFile(f *os.File, size int64, sum [sha256.Size]byte, changed error) error {
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(f, size+1))
	if err != nil {
		return err
	}
	if n != size || [sha256.Size]byte(h.Sum(nil)) != sum {
		return changed
	}
	return nil
}

// load sends the request that builds the console.
func (c *Console) load(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	stop := context.AfterFunc(ctx, c.proc.kill)
	defer stop()
	r, err := c.call(&request{op: opLoad}, c.limits.load)
	var no *refusal
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("start core %s: %w", c.core, context.Cause(ctx))
	case errors.As(err, &no):
		return &StartError{Core: c.core, Why: no.why, Log: c.proc.log.all()}
	case err != nil:
		return err
	case !r.timingPossible():
		why := fmt.Sprintf("makes %v frames and %v samples a second", r.fps, r.sampleRate)
		return &StartError{Core: c.core, Why: why, Log: c.proc.log.all()}
	case r.size > blobMax || r.ramSize > blobMax || r.sramSize > sramMax:
		return c.misbehaved("memory of impossible size")
	}
	c.loaded = loaded{state: int(r.size), ram: int(r.ramSize), sram: int(r.sramSize)}
	return nil
}
