package model

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/nettplay/nettplay/emucore"
)

// options are those of the test core's options that a model knows, too; see
// internal/testing/testcore.
type options struct {
	fault, at  string
	desyncAt   int64 // -1: never
	desyncWhat string
	sramEvery  int64
	loses      bool   // a loaded state goes on otherwise than its original
	wallClock  bool   // the time goes into the digest
	radio      string // "mac", "broadcast", and the model's own "across"; anything else is off
	radioFrom  int64  // the frame at which it is switched on
	power      bool   // L, R, Select and Start together switch the console off
}

func readOptions(cfg emucore.Config) options {
	given := cfg.TestOptions
	number := func(key string, usual int64) int64 {
		n, err := strconv.ParseInt(given["testcore_"+key], 10, 64)
		if err != nil {
			return usual
		}
		return n
	}
	o := options{desyncAt: -1, sramEvery: number("sram_every", 0), radio: given["testcore_radio"]}
	o.loses, o.wallClock = given["testcore_state_loses"] == "enabled", given["testcore_wall_clock"] != ""
	o.power = given["testcore_power"] == "keys"
	o.radioFrom = number("radio_stagger", 0) * int64(cfg.Firmware.MAC[5])
	if only := number("only_mac", -1); only < 0 || only == int64(cfg.Firmware.MAC[5]) {
		o.fault, o.at = given["testcore_fault"], strings.TrimPrefix(given["testcore_fault_at"], "frame:")
		o.desyncAt, o.desyncWhat = number("desync_at", -1), cmp.Or(given["testcore_desync_what"], "ram")
	}
	return o
}

// faultAt reports whether the console is to fail at a call or frame.
func (o *options) faultAt(what string) bool { return o.fault != "" && o.at == what }
