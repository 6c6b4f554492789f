package savefile

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// A .dsv file, where DeSmuME keeps backup memory (mc.cpp, BackupDevice::ensure
// and readFooter), is the memory followed by a footer of 122 bytes:
//
//	00  "|<--Snip above here to create a raw sav by excluding this DeSmuME savedata footer:"
//	52  u32 bytes of the memory in use
//	56  u32 bytes of the memory, padded up to a size that chips have
//	5a  u32 type: index in the core's table of chips, 0 not known
//	5e  u32 bytes of an address on the chip's bus
//	62  u32 size of the chip
//	66  u32 version, 0
//	6a  "|-DESMUME SAVE-|"
//
// All numbers are little-endian. The core takes the memory's size from the
// file's and the bus address size from the footer: a wrong one there would make
// the game read its save from wrong places.
const (
	dsvSnip = "|<--Snip above here to create a raw sav by excluding this DeSmuME savedata footer:"
	// DSVCookie ends a .dsv file.
	DSVCookie = "|-DESMUME SAVE-|"
	dsvFooter = len(dsvSnip) + 24 + len(DSVCookie)

	// dsvPad is the byte of unwritten backup memory.
	dsvPad = 0xff
	// maxSRAM is the largest backup memory in the core's table.
	maxSRAM = 64 << 20
)

// dsvChips are the sizes of backup memory with the core's type number and
// address size for each (save_types and addr_size_for_old_save_size in mc.cpp).
// There is no type for 128 KiB.
var dsvChips = [...]struct{ size, kind, addr uint32 }{
	{512, 1, 1},
	{8 << 10, 2, 2},
	{32 << 10, 4, 2},
	{64 << 10, 3, 2},
	{128 << 10, 0, 3},
	{256 << 10, 5, 3},
	{512 << 10, 6, 3},
	{1 << 20, 7, 3},
	{2 << 20, 8, 3},
	{4 << 20, 9, 3},
	{8 << 20, 10, 3},
	{16 << 20, 11, 3},
	{32 << 20, 12, 3},
	{maxSRAM, 13, 3},
}

// EncodeDSV makes a .dsv file from raw backup memory, padded up to the next size
// that chips have. Empty memory makes an empty file, that is, a new cartridge.
func EncodeDSV(raw []byte) ([]byte, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	if len(raw) > maxSRAM {
		return nil, fmt.Errorf("backup memory of %d bytes: the largest is %d", len(raw), maxSRAM)
	}
	i := 0
	for int64(dsvChips[i].size) < int64(len(raw)) {
		i++
	}
	chip := dsvChips[i]
	b := make([]byte, 0, int(chip.size)+dsvFooter)
	b = append(b, raw...)
	for len(b) < int(chip.size) {
		b = append(b, dsvPad)
	}
	b = append(b, dsvSnip...)
	for _, v := range []uint32{uint32(len(raw)), chip.size, chip.kind, chip.addr, chip.size, 0} {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return append(b, DSVCookie...), nil
}

// DSVFooter is what the footer of a .dsv file says.
type DSVFooter struct {
	Used   uint32 // bytes of the memory that the game has used
	Padded uint32 // bytes of the memory in the file
	Addr   uint32 // bytes of an address on the chip's bus; 0: not known yet
	Chip   uint32 // bytes of the chip
}

// Sizes returns the sizes in bytes, from and to, of the chips with such addresses: other
// sizes would be read from wrong places. Both are 0 where nothing is known.
func (f DSVFooter) Sizes() (from, to int) {
	switch f.Addr {
	case 1:
		return 512, 512
	case 2:
		return 8 << 10, 64 << 10
	case 3:
		return 128 << 10, 16 << 20
	}
	return 0, 0
}

// SplitDSV takes a .dsv file apart, whatever length of memory its footer speaks of. The memory
// is part of file.
func SplitDSV(file []byte) (raw []byte, f DSVFooter, err error) {
	size := len(file) - dsvFooter
	if size <= 0 || size > maxSRAM {
		return nil, f, fmt.Errorf("save file of %d bytes: not in 1 to %d without the footer", len(file), maxSRAM)
	}
	foot := file[size:]
	if string(foot[dsvFooter-len(DSVCookie):]) != DSVCookie || string(foot[:len(dsvSnip)]) != dsvSnip {
		return nil, f, errors.New("save file: it does not end with DeSmuME's footer")
	}
	num := func(i int) uint32 { return binary.LittleEndian.Uint32(foot[len(dsvSnip)+4*i:]) }
	if v := num(5); v != 0 {
		return nil, f, fmt.Errorf("save file: footer of version %d, only 0 is known", v)
	}
	return file[:size:size], DSVFooter{Used: num(0), Padded: num(1), Addr: num(3), Chip: num(4)}, nil
}

// DecodeDSV returns the backup memory of the .dsv file that the core keeps, padding included, as
// part of file. A file shorter than the smallest chip is one the core has created
// and not written yet: the result is nil. So it is when the footer says that
// nothing of it is in use: loading a state of a cartridge without backup memory
// makes the core write such a file, all padding.
func DecodeDSV(file []byte) ([]byte, error) {
	if len(file) < int(dsvChips[0].size) {
		return nil, nil
	}
	raw, f, err := SplitDSV(file)
	if err != nil {
		return nil, err
	}
	if int64(f.Padded) != int64(len(raw)) {
		return nil, fmt.Errorf("save file: footer says %d bytes of memory, there are %d", f.Padded, len(raw))
	}
	if f.Used == 0 {
		return nil, nil
	}
	return raw, nil
}

// DSVSizes returns the sizes in bytes, from and to, that backup memory may have for the game that
// the core keeps in a .dsv file: no less than it has now. known is false while the game has not
// used its chip.
func DSVSizes(file []byte) (from, to int, known bool) {
	raw, err := DecodeDSV(file)
	if err != nil || raw == nil {
		return 0, 0, false
	}
	_, f, _ := SplitDSV(file)
	from, to = f.Sizes()
	return max(from, min(len(raw), to)), to, to > 0
}

// decodeDSV reads what DeSmuME and DraStic write: the memory with a footer of 122 bytes, whose
// layout is drawn in desmume_save.go. Sources: dsv.txt and src/mc.cpp of TASEmulators/desmume;
// that DraStic has the same footer, FlagBrew/PKSM#1236 and DS-Homebrew/TWiLightMenu#772.
//
// DeSmuME is strict about its own file. Here the memory may be longer or shorter than the footer
// says: DraStic keeps more than the chip has, and people have cut and glued. Then the chip of
// the footer counts, unless that would cut data off.
func decodeDSV(file []byte) (Save, error) {
	raw, foot, err := SplitDSV(file)
	if err != nil {
		return Save{}, err
	}
	s := Save{Form: DSV, SRAM: raw}
	if foot.Used == 0 && erased(raw) {
		return s, nil // made for a cartridge that nothing was written to
	}
	from, to := foot.Sizes()
	for _, n := range []uint32{foot.Chip, foot.Padded} {
		if n > MaxSize || !IsSize(int(n)) {
			continue
		}
		size := int(n)
		if to > 0 {
			size = min(max(size, from), to)
		}
		if image, err := Fit(raw, Of(size)); err == nil && image != nil {
			s.SRAM = image
			break
		}
	}
	return s, nil
}
