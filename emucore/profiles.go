package emucore

import "strings"

// ProfileFor returns the profile of a core by its library name, whatever its
// case, and the careful default for a core nobody knows. It never returns nil.
func ProfileFor(libraryName string) *Profile {
	name := strings.TrimSpace(libraryName)
	for _, p := range []*Profile{desmumeProfile(), melondsdsProfile()} {
		if strings.EqualFold(p.Library, name) {
			return p
		}
	}
	return defaultProfile()
}

// defaultProfile is for a core nobody has measured. It assumes little: no
// option is set (they are unknown, so they stay as the core declares them),
// states are loaded twice, main memory is hashed if the core shows it and only
// the picture if not, backup memory only through SAVE_RAM. Lid and microphone
// buttons differ between cores, so none is pressed. Codes are no longer than DeSmuME's copies of them.
func defaultProfile() *Profile {
	return &Profile{
		SRAM:      SRAMMemory,
		LoadTwice: true,
		Cheats:    Cheats{Lines: 63},
	}
}
