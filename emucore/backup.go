package emucore

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/nettplay/nettplay/emucore/savefile"
)

// sramMax bounds backup memory: the largest of any cartridge has 8 MiB.
const sramMax = 16 << 20

func errSaveSize(n int) error {
	return fmt.Errorf("the save has %d bytes; a cartridge has %d at most", n, sramMax)
}

// newSave creates the save file for a core that keeps one, in the
// core's save directory. Empty sram stands for a blank cartridge.
func newSave(p *Profile, dir *workdir, sram []byte) (*os.File, error) {
	if p.SRAM != SRAMFile {
		return nil, nil
	}
	if len(sram) > sramMax {
		return nil, errSaveSize(len(sram))
	}
	var content []byte
	var err error
	if len(sram) > 0 {
		if content, err = p.EncodeSRAM(sram); err != nil {
			return nil, fmt.Errorf("the save: %w", err)
		}
	}
	f, err := dir.newSave(p.SaveName, content)
	if err != nil {
		return nil, fmt.Errorf("save file of a console: %w", err)
	}
	return f, nil
}

// SRAM returns a copy of the cartridge's current backup memory, raw. It is
// nil if the cartridge has none, or if its kind is not known yet. A core that grows the
// backup memory as the game uses it may have less than the smallest chip that fits
// the game: the rest of that chip is FF.
func (c *Console) SRAM() ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	sram, err := c.readSRAM()
	return sram, c.failed(err, "read backup memory")
}

func (c *Console) readSRAM() (sram []byte, err error) {
	switch c.profile.SRAM {
	case SRAMMemory:
		_, sram, err = c.memory(&request{op: opMemory, regions: regionSRAM})
		sram = bytes.Clone(sram)
	case SRAMFile:
		var file []byte
		if file, sram, err = c.readSave(); err == nil {
			if from, _, known := c.profile.ChipSizes(file); known && len(sram) > 0 {
				for len(sram) < from {
					sram = append(sram, 0xff)
				}
			}
		}
	}
	if err != nil || len(sram) == 0 {
		return nil, err
	}
	return sram, nil
}

// Chip returns what the core knows about the cartridge's backup memory. Some cores know it before the
// first frame, others once the game has used it.
func (c *Console) Chip() (savefile.Chip, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch c.profile.SRAM {
	case SRAMMemory:
		return savefile.Of(c.sramSize), nil
	case SRAMFile:
		file, _, err := c.readSave()
		if err != nil {
			return savefile.Chip{}, c.failed(err, "read backup memory")
		}
		from, to, known := c.profile.ChipSizes(file)
		if chip := (savefile.Chip{Known: known, Min: from, Max: to}); chip.Valid() {
			return chip, nil
		}
	}
	return savefile.Chip{}, nil
}

// Games read their save while they start, some only after a title screen or two.
const (
	chipStep   = 60      // frames
	chipFrames = 15 * 60 // at most
)

// FindChip runs a console with a blank cartridge until its core knows the cartridge's chip, for at
// most 15 s of game time, after which the chip is unknown. It takes tens of
// milliseconds with a core that has a list of games, else some seconds. The save and radio in cfg are
// ignored.
func FindChip(ctx context.Context, cfg Config) (savefile.Chip, error) {
	cfg.SRAM, cfg.Radio, cfg.Rollback, cfg.Background = nil, nil, false, true
	c, err := Start(ctx, cfg)
	if err != nil {
		return savefile.Chip{}, err
	}
	defer c.Close()
	defer context.AfterFunc(ctx, func() { c.Close() })()
	for n := 0; ; n += chipStep {
		chip, err := c.Chip()
		if err != nil || chip.Known || n >= chipFrames {
			return chip, err
		}
		if _, err := c.Skip(Input{}, chipStep); err != nil {
			return chip, err
		}
	}
}

// readSave reads and decodes the core's save file.
func (c *Console) readSave() (file, sram []byte, err error) {
	if _, err := c.call(&request{op: opFlush}, c.limits.call); err != nil {
		return nil, nil, err
	}
	st, err := c.save.Stat()
	if err != nil {
		return nil, nil, err
	}
	if st.Size() > fileMax {
		return nil, nil, fmt.Errorf("its save file has %d bytes", st.Size())
	}
	file = make([]byte, st.Size())
	if n, err := c.save.ReadAt(file, 0); err != nil && (err != io.EOF || n < len(file)) {
		return nil, nil, fmt.Errorf("its save file: %w", err)
	}
	sram, err = c.profile.DecodeSRAM(file)
	return file, sram, err
}
