package pads

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nettplay/nettplay/internal/disk"
)

// The files of mappings, in the folder of the settings. Both have a mapping a line, in the form of
// https://github.com/mdqinc/SDL_GameControllerDB. The first one is whoever's puts it there, and is only read; the
// other one has what players of this machine made, and goes before it.
const (
	DatabaseFile = "gamecontrollerdb.txt"
	OwnFile      = "controllers.txt"
)

// Limits of the files: the database that everybody has is of half a megabyte, with lines of 600 bytes.
const (
	maxDatabase = 4 << 20
	maxMapping  = 1024
	maxOwn      = 256 // mappings in OwnFile
)

// readMappings returns the mappings of a file for a system ("Linux"), and the first line that is none. A file that is
// not there has none.
func readMappings(path, system string) (lines []string, err error) {
	text, err := disk.Read(path, maxDatabase)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		switch here, why := checkMapping(line, system); {
		case why != "" && err == nil:
			err = fmt.Errorf("%s, line %d: %s", path, n, why)
		case why == "" && here:
			lines = append(lines, line)
		}
	}
	return lines, err
}

// source is what of a controller presses a button: a button, a way of a hat, an axis or half of one.
var source = regexp.MustCompile(`^([-+]?a[0-9]{1,3}~?|b[0-9]{1,3}|h[0-9]{1,2}\.[0-9]{1,2})$`)

// guid is how SDL tells models apart.
var guid = regexp.MustCompile(`^[0-9a-fA-F]{32}$`)

// checkMapping tells whether a line is a mapping for a system, or why it is none: SDL itself takes nearly everything.
func checkMapping(line, system string) (here bool, why string) {
	if len(line) > maxMapping {
		return false, fmt.Sprintf("is longer than %d bytes", maxMapping)
	}
	if !utf8.ValidString(line) || strings.ContainsFunc(line, unicode.IsControl) {
		return false, "has signs that are none"
	}
	parts := strings.Split(strings.TrimSuffix(line, ","), ",")
	if len(parts) < 3 || !guid.MatchString(parts[0]) {
		return false, "does not begin with 32 hexadecimal digits, a name and buttons"
	}
	here = true
	for _, part := range parts[2:] {
		key, value, ok := strings.Cut(part, ":")
		switch {
		case !ok || key == "" || value == "":
			return false, fmt.Sprintf("has %.40q, which is no button, a colon and what presses it", part)
		case key == "platform":
			here = value == system
		case isTarget(key) && !source.MatchString(value):
			return false, fmt.Sprintf("%s: %.40q is no button, hat or axis", key, value)
		}
	}
	return here, ""
}

// isTarget reports whether a mapping's word names a button, or an axis or half of one.
func isTarget(key string) bool {
	key = strings.TrimLeft(key, "+-")
	return plainNames[key] != "" || slices.Contains([]string{AxisLeftX, AxisLeftY, AxisRightX, AxisRightY}, key)
}

// KeepMapping puts a mapping that a player made into [OwnFile] of a folder, in place of an earlier one of that model.
// Other lines stay as they are, also those that another window adds meanwhile. Any goroutine.
func KeepMapping(folder, mapping string) error {
	path := filepath.Join(folder, OwnFile)
	if err := disk.Changing(path, func() error { return keepMapping(path, mapping) }); err != nil {
		return fmt.Errorf("keep the buttons of a controller: %w", err)
	}
	return nil
}

func keepMapping(path, mapping string) error {
	text, err := disk.Read(path, maxDatabase)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = []byte("# Controllers whose buttons you pressed in turn, in the form of "+DatabaseFile+".\n"), nil
	}
	if err != nil {
		return err
	}
	model, _, _ := strings.Cut(mapping, ",")
	var lines []string
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(strings.TrimSpace(line), model+",") {
			lines = append(lines, strings.TrimRight(line, "\r\n"))
		}
	}
	lines = append(lines, mapping)
	lines = lines[max(len(lines)-maxOwn, 0):]
	return disk.Write(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600)
}
