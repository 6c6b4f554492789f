package window

import (
	"unicode"
	"unicode/utf8"

	"github.com/veandco/go-sdl2/sdl"
)

// KeyLabels returns what the user's layout writes on the keys whose names in the settings, which are those of an
// American keyboard, say something else: "Q" is "A" on a French one. Keys that are not in it are called as in
// the settings. It is another map after the layout has changed, and none is ever changed itself.
func (w *Window) KeyLabels() map[string]string {
	if w.labels == nil {
		w.labels = map[string]string{}
		for code := range sdl.Scancode(sdl.NUM_SCANCODES) {
			name, key := sdl.GetScancodeName(code), sdl.GetKeyFromScancode(code)
			if label := keyLabel(name, sdl.GetKeyName(key)); label != name {
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
	if utf8.RuneCountInString(name) != 1 {
		return name
	}
	r, n := utf8.DecodeRuneInString(written)
	switch {
	case written == "" || written == name:
	case n == len(written) && unicode.IsGraphic(r) && r != utf8.RuneError:
		return string(unicode.ToUpper(r))
	}
	if written == "" {
		return "US " + name
	}
	return name
}
