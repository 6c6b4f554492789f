package saves

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/internal/disk"
)

// ReadFile returns the save in a file of any form that package savefile knows. The error is for
// the user, who chose the file.
func ReadFile(path string) (savefile.Save, error) {
	f, size, err := disk.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return savefile.Save{}, fmt.Errorf("there is no file %s", path)
	}
	if err != nil {
		return savefile.Save{}, err
	}
	defer f.Close()
	if size > savefile.MaxFile {
		return savefile.Save{}, fmt.Errorf("%s has %d MB, more than any cartridge's save", path, size>>20)
	}
	b, err := io.ReadAll(io.LimitReader(f, savefile.MaxFile))
	if err != nil {
		return savefile.Save{}, err
	}
	s, err := savefile.Decode(b)
	if err != nil {
		return savefile.Save{}, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}
