package window

import (
	"maps"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/veandco/go-sdl2/sdl"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/uitest"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Only a letter or a sign is called by what the layout writes; a key that writes nothing by itself is called by its
// place.
func TestKeyLabel(t *testing.T) {
	for _, c := range []struct{ name, written, want string }{
		{"Q", "a", "A"},
		{"Q", "A", "A"},
		{"Q", "Q", "Q"},
		{";", "ö", "Ö"},
		{"-", "ß", "ß"},
		{"A", "ф", "Ф"},
		{"`", "²", "²"},
		{"[", "", "US ["},
		{"CapsLock", "", "CapsLock"},
		{"Left Shift", "Maj", "Left Shift"},
		{"Keypad .", ",", "Keypad ."},
		{"A", "Hanja", "A"},
		{"A", "\xff", "A"},
		{"A", "\u200b", "A"},
		{"", "x", ""},
	} {
		if got := keyLabel(c.name, c.written); got != c.want {
			t.Errorf("%q that writes %q is called %q, want %q", c.name, c.written, got, c.want)
		}
	}
}

// Each key of the settings is one of the keyboard's, also those that SDL has no name for, and is told by that name when pressed.
func TestEveryKeyHasItsName(t *testing.T) {
	codes := map[string]sdl.Scancode{}
	uitest.Run(func() {
		for code := range sdl.Scancode(sdl.NUM_SCANCODES) {
			if name := keyName(code); name != "" && codes[name] == 0 { // SDL has two keys "Return"
				codes[name] = code
			}
		}
		w := &Window{}
		for _, name := range config.KeyNames() {
			w.in.Press = widgets.KeyPress{}
			w.key(&sdl.KeyboardEvent{Type: sdl.KEYDOWN, Keysym: sdl.Keysym{Scancode: codes[name]}})
			if w.in.Press.Name != name {
				t.Errorf("key %q, number %d, is told as %q", name, codes[name], w.in.Press.Name)
			}
		}
	})
	for name, code := range map[string]sdl.Scancode{"NonUSBackslash": 100, "International 1": 135, "International 5": 139, "Language 2": 145, "Return": sdl.SCANCODE_RETURN} {
		if codes[name] != code {
			t.Errorf("%q is key %d, want %d", name, codes[name], code)
		}
	}
}

// Keys are called as the layout of the X server has them, and anew when that changes while the window is open.
func TestKeysOfOtherLayouts(t *testing.T) {
	uitest.NeedDisplay(t)
	if _, err := exec.LookPath("setxkbmap"); err != nil {
		t.Skipf("THE LAYOUTS ARE NOT TESTED: %v (apt install x11-xkb-utils)", err)
	}
	display := uitest.NewDisplay(t, 640, 480, 24)
	t.Setenv("DISPLAY", display.Name)
	t.Setenv("SDL_VIDEODRIVER", "x11")
	uitest.Run(func() {
		w, err := Open(Config{Title: "keys", Width: 500, Height: 400, Software: true}, &draw.Store{})
		must.Succeed(t, err)
		defer w.Close()
		before := maps.Clone(w.KeyLabels())
		if delete(before, "NonUSBackslash"); len(before) != 0 { // X has it on American keyboards, too
			t.Errorf("an American keyboard has other keys: %q", before)
		}
		for _, c := range []struct {
			layout string
			want   map[string]string // "" is as in the settings
		}{
			{"fr", map[string]string{"Q": "A", "A": "Q", "Z": "W", "W": "Z", ";": "M", "[": "US [", "1": "", "Left Shift": "", "F1": "", "Return": ""}},
			{"de", map[string]string{"Z": "Y", "Y": "Z", ";": "Ö", "NonUSBackslash": "<", "A": "", "Space": ""}},
			{"ru", map[string]string{"A": "Ф", "Q": "Й"}},
			{"us", map[string]string{"Q": "", "Z": "", ";": "", "[": ""}},
		} {
			cmd := exec.Command("setxkbmap", c.layout)
			cmd.Env = append(os.Environ(), "DISPLAY="+display.Name)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
			right := func() bool {
				for name, want := range c.want {
					if w.KeyLabels()[name] != want {
						return false
					}
				}
				return true
			}
			for end := time.Now().Add(10 * time.Second); !right() && time.Now().Before(end); {
				w.Next(20 * time.Millisecond)
			}
			if !right() {
				t.Errorf("%s: %q", c.layout, w.KeyLabels())
			}
		}
		if sdl.GetScancodeName(sdl.SCANCODE_Q) != "Q" {
			t.Error("the settings' names change with the layout")
		}
	})
}
