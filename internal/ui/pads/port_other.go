//go:build !linux

package pads

const sysfs = ""

// origin returns where a controller is plugged in: elsewhere than on Linux the file, or what takes its place, is the
// same each time.
func origin(_, file string) (serial, port string) { return "", file }
