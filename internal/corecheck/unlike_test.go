package corecheck

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// likeMelonDS is a build of the test core that has what the profile of melonDS DS takes for granted.
func likeMelonDS(t *testing.T) emucore.Core {
	t.Helper()
	p := emucore.ProfileFor("melonDS DS")
	options, err := p.ConsoleOptions(emucore.Config{Firmware: ds.Firmware{Language: 1, BirthMonth: 1, BirthDay: 1}, RTC: 1_256_409_000})
	must.Succeed(t, err)
	var text strings.Builder
	entry := func(o ds.Option) { // first, those that a case below breaks
		values := o.Value
		if strings.Contains(o.Key, "language") {
			values = "ja|en|fr|de|it|es"
		} else if strings.Contains(o.Key, "username") {
			values = "guess_username|melonDS DS"
		} else if strings.HasPrefix(o.Key, "melonds_start_time_absolute") || strings.Contains(o.Key, "birth") {
			values = "" // any
		} else if strings.Contains(o.Key, "mac_address") {
			values = "firmware"
		} else if o.Key == "melonds_jit_enable" {
			values = "disabled|enabled"
		}
		fmt.Fprintf(&text, "{%q, %q, %q},\n", o.Key, o.Value, values)
	}
	for _, key := range []string{"melonds_console_mode", "melonds_boot_mode", ""} {
		for _, o := range options {
			first := o.Key == "melonds_console_mode" || o.Key == "melonds_boot_mode"
			if key == o.Key || key == "" && !first {
				entry(o)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "options.inc")
	must.Succeed(t, os.WriteFile(path, []byte(text.String()), 0o600))
	return model.Core(t, testcore.Build(t, "-O1", `-DTESTCORE_NAME='"melonDS DS"' -DTESTCORE_LIKE='"`+path+`"'`))
}

// TestUnlike: each thing that the profile of a core takes for granted is asked, and said where it is not so.
func TestUnlike(t *testing.T) {
	core := likeMelonDS(t)
	for _, tt := range []struct {
		options string
		results string
		want    string // all that is said; before a "…", a part of it
	}{
		{"", "pppp", ""},
		{"unlike option", "pppp", `It does not have all options that nettplay sets: melonds_console_mode (to "ds"). What they decided is up to the core.`},
		{"unlike value", "pppp", `Its option melonds_boot_mode does not take "direct", which nettplay sets, but "other" and "another".`},
		{"unlike radio", "pplp", "It has no local wireless, which other builds of melonDS DS have: players cannot meet in a game."},
		{"unlike lid", "pppp", "It has no button by the name of the lid's: the lid stays open."},
		{"unlike mic", "pppp", "It has no button by the name of the microphone's, which hears nothing."},
		{"unlike name", "pppp", `It does not ask for the player's name: games read another. A game reads "" as the owner's nickname, which nettplay sets to "Pia".`},
		{"unlike owner", "pppp", `A game reads "5" as the owner's language, which nettplay sets to "1".`},
		{"rtc frame", "pppp", "In a game it reads the time of day, which tested builds do not. nettplay shows it the console's own clock."},
		{"libc_clock enabled", "", "reads a clock that counts from its start…"},
		{"unlike wait", "pppp", "It does not look at its processor time while it waits for a packet: nettplay cannot tell when it waits, and may have it wait for nothing."},
		{"unlike packet", "pppp", "Its radio's packets are of a form that nettplay does not know: consoles may wait for each other more than they need to."},
		{"unlike states", "plpp", "It cannot save states of a game that other builds of melonDS DS save."},
		{"unlike form", "pf--", `Its states are of a form that nettplay does not know (melonDS state: it does not begin with MELN): those of others cannot be checked before they are loaded.`},
		{"unlike memory", "pppp", "It does not show the console's memory: machines are compared by their pictures alone, and a difference is found late."},
		{"unlike half", "pppp", "It shows 2 MB of the console's memory, which has 4 MB."},
		{"unlike backup", "pppp", "It shows 0 bytes of a cartridge's memory, which has 8 KB: saves cannot be kept."},
		{"bad_video odd", "pppp", "Its picture has 255 by 381 points and not 256 by 384: the stylus may touch another place than the player's."},
		{"unlike new", "pppp", `It has options that nettplay does not know, and leaves as they are: melonds_new ("on").`},
	} {
		t.Run(tt.options, func(t *testing.T) {
			t.Parallel()
			all := fault{options: tt.options}.config(core)
			both := all.TestOptions
			all.TestOptions = func(run int, seat ds.Seat) map[string]string {
				o := both(run, 0)
				o["testcore_mac"] = fmt.Sprintf("00:09:bf:00:00:%02x", int(seat))
				if o["testcore_rtc"] == "" {
					o["testcore_rtc"] = "boot"
				}
				return o
			}
			p := brief
			if tt.options != "" {
				p.returning = nil // of going back nothing is asked
			}
			p.further = []plan{{rom: romstest.ROM{Name: "save.nds", Data: romstest.Save}, end: 10, every: 10, chip: 8 << 10}}
			v, err := all.run(t.Context(), p)
			must.Succeed(t, err)
			part, some := strings.CutSuffix(tt.want, "…")
			if v.Unlike != tt.want && !(some && strings.Contains(v.Unlike, part)) {
				t.Errorf("it says %q, want %q", v.Unlike, tt.want)
			}
			if results := strings.Fields(format([]Verdict{v}))[2]; results != tt.results && tt.results != "" {
				t.Errorf("%s, want %s; %s", results, tt.results, v.Why)
			}
			if tt.want != "" && !strings.Contains(v.Words(), v.Unlike) {
				t.Errorf("the player reads %q", v.Words())
			}
		})
	}
}

// TestOptionsOfFingerprint: what only some builds have, or a core lists of its machine, keeps no two builds apart.
func TestOptionsOfFingerprint(t *testing.T) {
	p := emucore.ProfileFor("melonDS DS")
	noted := func(more ...emucore.DeclaredOption) string {
		var b strings.Builder
		noteOptions(&b, p, append([]emucore.DeclaredOption{{Key: "melonds_boot_mode", Default: "direct", Values: []string{"direct", "native"}}}, more...))
		return b.String()
	}
	bare := noted()
	if got := noted(
		emucore.DeclaredOption{Key: "melonds_opengl_resolution", Default: "1", Values: []string{"1", "2"}},
		emucore.DeclaredOption{Key: "melonds_direct_network_interface", Default: "auto", Values: []string{"auto", "02:00:00:00:00:01"}},
		emucore.DeclaredOption{Key: "melonds_firmware_nds_path", Default: "/notfound", Values: []string{"/notfound", "firmware.bin"}},
	); got != bare {
		t.Errorf("noted is\n%s, and not\n%s", got, bare)
	}
	for _, other := range []emucore.DeclaredOption{
		{Key: "melonds_slot2_device", Default: "auto", Values: []string{"auto"}},
		{Key: "melonds_new", Default: "on"},
	} {
		if noted(other) == bare {
			t.Errorf("%+v is not noted", other)
		}
	}
}
