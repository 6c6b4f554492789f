package emucore

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/nettplay/nettplay/internal/air"
)

// sramMax bounds backup memory: the largest of any cartridge has 8 MiB.
const sramMax = 16 << 20

func errSaveSize(n int) error {
	return fmt.Errorf("the save has %d bytes; a cartridge has %d at most", n, sramMax)
}

// newSave makes the save file for a core that keeps one: a file in memory under
// a name in the core's save directory. Empty stands for a blank cartridge.
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
	f, err := air.MemoryFile("nettplay-save")
	if err != nil {
		return nil, fmt.Errorf("save file in memory: %w", err)
	}
	_, err = f.WriteAt(content, 0)
	if err == nil {
		err = dir.link(filepath.Join("save", p.SaveName), fdSave)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("save file in memory: %w", err)
	}
	return f, nil
}

// SRAM returns a copy of the cartridge's backup memory as it stands, raw. It is
// nil if the cartridge has none, or has not shown yet what kind it has.
func (c *Console) SRAM() ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var sram []byte
	var err error
	switch c.profile.SRAM {
	case SRAMMemory:
		_, sram, err = c.memory(&request{op: opMemory, regions: regionSRAM})
		sram = bytes.Clone(sram)
	case SRAMFile:
		sram, err = c.readSave()
	}
	if err != nil || len(sram) == 0 {
		return nil, c.failed(err, "read backup memory")
	}
	return sram, nil
}

// readSave reads the core's save file and decodes it.
func (c *Console) readSave() ([]byte, error) {
	if _, err := c.call(&request{op: opFlush}, c.limits.call); err != nil {
		return nil, err
	}
	st, err := c.save.Stat()
	if err != nil {
		return nil, err
	}
	if st.Size() > fileMax {
		return nil, fmt.Errorf("its save file has %d bytes", st.Size())
	}
	file := make([]byte, st.Size())
	if n, err := c.save.ReadAt(file, 0); err != nil && (err != io.EOF || n < len(file)) {
		return nil, fmt.Errorf("its save file: %w", err)
	}
	return c.profile.DecodeSRAM(file)
}
