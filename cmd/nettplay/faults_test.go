//go:build nettplay_faults && unix

package main

import (
	"errors"
	"fmt"
	"maps"
	"testing"

	"github.com/nettplay/nettplay/emucore"
)

func init() { withFaults = true }

// The environment's options go over those that are there, the player is told, and each
// console has its own.
func TestTestOptions(t *testing.T) {
	told := ""
	say := func(format string, args ...any) { told += fmt.Sprintf(format, args...) }
	if tweak, err := testOptions(say); tweak != nil || err != nil || told != "" {
		t.Fatalf("without a wish: %v, %q", err, told)
	}
	t.Setenv(testEnv, "a_mac=$mac,b=2")
	tweak, err := testOptions(say)
	if err != nil || told == "" {
		t.Fatalf("%v, told %q", err, told)
	}
	shared := map[string]string{"b": "1", "c": "3"}
	for i := range byte(2) {
		cfg := emucore.Config{TestOptions: shared}
		cfg.Firmware.MAC = [6]byte{0, 9, 0xbf, 0, 0, 0x10 + i}
		tweak(&cfg)
		want := map[string]string{"a_mac": fmt.Sprintf("00:09:bf:00:00:1%d", i), "b": "2", "c": "3"}
		if !maps.Equal(cfg.TestOptions, want) || len(shared) != 2 || shared["b"] != "1" {
			t.Errorf("console %d has %v, want %v; all have %v", i, cfg.TestOptions, want, shared)
		}
	}
	for _, bad := range []string{"a", "=b", "a=1,"} {
		t.Setenv(testEnv, bad)
		_, err := testOptions(say)
		if misuse, ok := errors.AsType[*exitError](err); !ok || misuse.code != exitUsage {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
