package window

import (
	"cmp"
	"unicode"
	"unicode/utf8"

	"github.com/veandco/go-sdl2/sdl"
)

// nameless are the keys that SDL 2.26 has no name for (findings/sdl-keys-without-a-name.sh), by the names of the settings: most
// keyboards outside America have the first one, between Left Shift and Z.
var nameless = map[sdl.Scancode]string{
	sdl.SCANCODE_NONUSBACKSLASH: "NonUSBackslash",
	sdl.SCANCODE_INTERNATIONAL1: "International 1",
	sdl.SCANCODE_INTERNATIONAL2: "International 2",
	sdl.SCANCODE_INTERNATIONAL3: "International 3",
	sdl.SCANCODE_INTERNATIONAL4: "International 4",
	sdl.SCANCODE_INTERNATIONAL5: "International 5",
	sdl.SCANCODE_LANG1:          "Language 1",
	sdl.SCANCODE_LANG2:          "Language 2",
}

// keyName returns the name of a key in the settings, "" for one that has none.
func keyName(code sdl.Scancode) string { return cmp.Or(nameless[code], sdl.GetScancodeName(code)) }

// KeyLabels returns what the user's layout writes on the keys whose names in the settings, which are those of an
// American keyboard, say something else: "Q" is "A" on a French one. Keys that are not in it are called as in
// the settings. It is another map after the layout has changed, and none is ever changed itself.
func (w *Window) KeyLabels() map[string]string {
	if w.labels == nil {
		w.labels = map[string]string{}
		for code := range sdl.Scancode(sdl.NUM_SCANCODES) {
			name, written := keyName(code), sdl.GetKeyName(sdl.GetKeyFromScancode(code))
			label := keyLabel(name, written)
			if nameless[code] != "" { // no American keyboard has it
				label = cmp.Or(sign(written), name)
			}
			if label != name {
				w.labels[name] = label
			}
		}
	}
	return w.labels
}

// keyLabel returns what is printed on a key, by its name and by what its layout writes; SDL has no name for a
// key that writes nothing by itself, such as an accent. Only keys of one letter or sign have other labels: all
// keyboards have their Shift.
func keyLabel(name, written string) string {
	switch {
	case utf8.RuneCountInString(name) != 1:
		return name
	case written == "":
		return "US " + name
	}
	return cmp.Or(sign(written), name)
}

// sign returns a key's letter or sign, as keyboards have it, "" where the layout writes none.
func sign(written string) string {
	if r, n := utf8.DecodeRuneInString(written); n == len(written) && unicode.IsGraphic(r) && r != utf8.RuneError {
		return string(unicode.ToUpper(r))
	}
	return ""
}
