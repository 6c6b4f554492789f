package pads

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// What Linux tells of a controller is found by the file that SDL reads it from.
func TestOrigin(t *testing.T) {
	sys := t.TempDir()
	write := func(path, text string) {
		path = filepath.Join(sys, path)
		must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must.Succeed(t, os.WriteFile(path, []byte(text), 0o600))
	}
	write("class/input/event7/device/phys", "usb-0000:00:14.0-2/input0\n")
	write("class/input/event7/device/uniq", "\n")
	write("class/input/event8/device/uniq", "a4:53:85:00:11:22\n")
	write("class/hidraw/hidraw3/device/uevent", "DRIVER=playstation\nHID_NAME=Pad\nHID_PHYS=usb-0000:00:14.0-3/input3\nHID_UNIQ=a4:53:85:33:44:55\n")
	for file, want := range map[string][2]string{
		"/dev/input/event7":     {"", "usb-0000:00:14.0-2/input0"},
		"/dev/input/event8":     {"a4:53:85:00:11:22", ""},
		"/dev/hidraw3":          {"a4:53:85:33:44:55", "usb-0000:00:14.0-3/input3"},
		"/dev/input/event9":     {},
		"/dev/hidraw9":          {},
		"":                      {},
		"../../class/something": {},
	} {
		if serial, port := origin(sys, file); serial != want[0] || port != want[1] {
			t.Errorf("%q: serial %q, port %q, want %q", file, serial, port, want)
		}
	}
}
