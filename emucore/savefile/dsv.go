package savefile

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
