//go:build nettplay_faults

package main

import (
	"maps"
	"net"
	"os"
	"strings"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/testing/faults"
)

// Variables of the environment, for tests of whole processes that go wrong on purpose.
const (
	// testEnv has core options KEY=VALUE,KEY=VALUE for all consoles of this machine,
	// whatever the room has agreed on, so that one machine can be made to go wrong. $mac
	// in a value is the console's address.
	testEnv = "NETTPLAY_TEST_OPTIONS"
	// faultVariable names a fault on purpose; see [faults.Parse].
	faultVariable = "NETTPLAY_FAULT"
)

// testOptions returns the changes that the environment asks for, nil for none; say tells of them.
func testOptions(say func(format string, args ...any)) (func(*emucore.Config), error) {
	list := os.Getenv(testEnv)
	if list == "" {
		return nil, nil
	}
	wanted := make(map[string]string)
	for part := range strings.SplitSeq(list, ",") {
		key, value, ok := strings.Cut(part, "=")
		if !ok || key == "" {
			return nil, usagef("%s has %q, but must be KEY=VALUE,KEY=VALUE", testEnv, part)
		}
		wanted[key] = value
	}
	say("%s is set: the consoles here have %s, whatever the room wants.", testEnv, list)
	return func(cfg *emucore.Config) {
		options := maps.Clone(cfg.TestOptions)
		if options == nil {
			options = make(map[string]string)
		}
		for key, value := range wanted {
			options[key] = strings.ReplaceAll(value, "$mac", net.HardwareAddr(cfg.Firmware.MAC[:]).String())
		}
		cfg.TestOptions = options
	}, nil
}

// fault is the fault that the environment asks for, nil for none.
func fault() (func(ds.Seat, game.Console) game.Console, error) {
	text := os.Getenv(faultVariable)
	if text == "" {
		return nil, nil
	}
	f, err := faults.Parse(text)
	if err != nil {
		return nil, usagef("%s: %w", faultVariable, err)
	}
	return f.Console, nil
}
