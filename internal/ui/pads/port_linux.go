package pads

import (
	"bufio"
	"bytes"
	"path/filepath"
	"strings"

	"github.com/nettplay/nettplay/internal/disk"
)

// sysfs is where Linux tells of devices.
const sysfs = "/sys"

// origin returns a controller's serial number and where it is plugged in, by the file that SDL reads it from: the name
// of that, such as event5, goes to the next one that comes. Empty is what the system does not tell.
func origin(sys, file string) (serial, port string) {
	name := filepath.Base(file)
	switch {
	case strings.HasPrefix(name, "event"), strings.HasPrefix(name, "js"):
		dir := filepath.Join(sys, "class/input", name, "device")
		return line(filepath.Join(dir, "uniq")), line(filepath.Join(dir, "phys"))
	case strings.HasPrefix(name, "hidraw"):
		text, _ := disk.Read(filepath.Join(sys, "class/hidraw", name, "device/uevent"), maxSysfs)
		for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
			key, value, _ := strings.Cut(lines.Text(), "=")
			switch key {
			case "HID_UNIQ":
				serial = value
			case "HID_PHYS":
				port = value
			}
		}
	}
	return serial, port
}

// maxSysfs is the most that is read of a file there, in bytes.
const maxSysfs = 64 << 10

// line returns the line of a file there, "" without one.
func line(path string) string {
	text, _ := disk.Read(path, maxSysfs)
	return strings.TrimSpace(string(text))
}
