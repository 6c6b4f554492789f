package saves

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/bits"
	"path/filepath"
	"strings"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/regular"
)

// maxFile is the limit of a file with a save, in bytes: backup memory and what some emulators add.
const maxFile = MaxSize + 1024

// dsv returns the profile of DeSmuME, whose format that is.
func dsv() *emucore.Profile { return emucore.ProfileFor("DeSmuME") }

// dsvMark ends a .dsv file.
const dsvMark = "|-DESMUME SAVE-|"

// others are files that people try instead, told by how they begin.
var others = []struct{ magic, what string }{
	{"PK\x03\x04", "it is a zip archive: unpack it and take the save in it"},
	{"7z\xbc\xaf\x27\x1c", "it is a 7z archive: unpack it and take the save in it"},
	{"Rar!\x1a\x07", "it is a rar archive: unpack it and take the save in it"},
	{"\x1f\x8b", "it is compressed with gzip: unpack it first"},
	{"#RZIPv", "RetroArch has compressed it: switch off \"SaveRAM Compression\" in its settings (Saving), play and save once more"},
	{"ARDS000000000001", "it is a save of an Action Replay (.duc), which has a header: convert it to .sav first"},
	{"NocashGbaBackupMediaSavDataFile", "it is a save of no$gba, which may be compressed: convert it to .sav first"},
	{"DeSmuME SState", "it is a savestate of DeSmuME; your save is in a file that ends in .dsv"},
	{"MELN", "it is a savestate of melonDS; your save is in a file that ends in .sav"},
	{"RASTATE", "it is a savestate of RetroArch; your save is in a file that ends in .srm"},
	{"<!DOCTYPE", "it is a web page: the download did not give the file"},
	{"<html", "it is a web page: the download did not give the file"},
}

// ReadFile returns the backup memory in a file of any form that [Decode] knows, of a
// size that a cartridge can have. The error is for the user, who chose the file.
func ReadFile(path string) ([]byte, error) {
	f, size, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no file %s", path)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > maxFile {
		return nil, fmt.Errorf("%s has %d MB, more than any cartridge's save", path, size>>20)
	}
	b, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil, err
	}
	sram, err := Decode(b)
	if err == nil {
		err = CheckSize(len(sram))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return sram, nil
}

// Decode returns the backup memory in a file's content: DeSmuME's .dsv, or raw as
// in .sav files, those of melonDS, and RetroArch's .srm. It does not look at the
// size, see [CheckSize]. The result is part of file.
func Decode(file []byte) ([]byte, error) {
	for _, o := range others {
		if bytes.HasPrefix(file, []byte(o.magic)) {
			return nil, errors.New(o.what)
		}
	}
	if bytes.HasSuffix(file, []byte(dsvMark)) {
		sram, err := dsv().DecodeSRAM(file)
		if err != nil {
			return nil, err
		}
		file = sram
	}
	switch {
	case len(file) == 0:
		return nil, errors.New("there is no save in it: it is empty")
	case len(file) > MaxSize:
		return nil, fmt.Errorf("it has %d bytes, more than any cartridge's save (%d MB)", len(file), MaxSize>>20)
	}
	return file, nil
}

// Encode gives raw backup memory the form that the name of a file asks for:
// DeSmuME's for .dsv, else raw.
func Encode(name string, sram []byte) ([]byte, error) {
	if strings.EqualFold(filepath.Ext(name), ".dsv") {
		return dsv().EncodeSRAM(sram)
	}
	return sram, nil
}

// CheckSize refuses backup memory of a size that no cartridge has. Known are 512
// bytes, 8, 32, 64, 128, 256 and 512 KiB and then every power of two up to 16 MiB
// (the chips in DeSmuME's and melonDS' tables).
func CheckSize(size int) error {
	if bits.OnesCount(uint(size)) == 1 && (size == 512 || size == 8<<10 || size >= 32<<10 && size <= MaxSize) {
		return nil
	}
	return fmt.Errorf("%d bytes is no size that a cartridge's save has (512 bytes, 8 KB, 32 KB, 64 KB and so on, doubled up to %d MB): it is no save, or not a whole one", size, MaxSize>>20)
}
