package corestore

import (
	"testing"
	"time"
)

func date(d int) time.Time { return time.Date(2026, 11, d, 0, 0, 0, 0, time.UTC) }

func TestCompareVersions(t *testing.T) {
	ordered := []string{"", "0.9", "0.9.1", "0.10", "1", "1.0", "1.2.0", "1.2.0-rc1", "1.2.1", "1.10.0", "2"}
	for i, a := range ordered {
		for j, b := range ordered {
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			if got := compareVersions(a, b); got != want {
				t.Errorf("%q against %q is %d, want %d", a, b, got, want)
			}
		}
	}
	if compareVersions("1.02", "1.2") != 0 || compareVersions("100000000000000000000.1", "99999999999999999999.2") != 1 {
		t.Error("numbers are not compared as numbers")
	}
}

// TestNewest: what a player gets who names a core, or none.
func TestNewest(t *testing.T) {
	offers := []Offer{
		{Name: "desmume", Date: date(3)},
		{Name: "melonds", Date: date(9)},
		{Name: "desmume2015", Date: date(3)},
		{Name: "melondsds", Date: date(20)}, // of an index
		{Name: "melondsds", Version: "1.2.0", Date: date(1)},
		{Name: "melondsds", Version: "1.10.0", Date: date(2)},
	}
	sortOffers(offers)
	for typed, want := range map[string]Offer{
		"":                          {Name: "melondsds", Version: "1.10.0", Date: date(2)},
		"melondsds":                 {Name: "melondsds", Version: "1.10.0", Date: date(2)},
		"melonDS DS":                {Name: "melondsds", Version: "1.10.0", Date: date(2)},
		"melonds":                   {Name: "melonds", Date: date(9)},
		"melon":                     {Name: "melondsds", Version: "1.10.0", Date: date(2)}, // the one with wireless
		"DeSmuME":                   {Name: "desmume", Date: date(3)},
		"desmume2015":               {Name: "desmume2015", Date: date(3)},
		"melondsds" + librarySuffix: {Name: "melondsds", Version: "1.10.0", Date: date(2)},
		"snes9x":                    {},
		"--":                        {},
		"elondsds":                  {},
		"melondsds_libretro.dylib":  {},
	} {
		if got, ok := Newest(offers, typed); got != want || ok != (want != Offer{}) {
			t.Errorf("%q is %+v, want %+v", typed, got, want)
		}
	}
}

// TestUpdates: an update is a newer build from the source where the kept one is from.
func TestUpdates(t *testing.T) {
	kept := func(name, source, version string, d int, sum uint32) Build {
		return Build{Name: name, Origin: Origin{Source: source, Version: version, Date: date(d), CRC32: sum}}
	}
	offers := []Offer{
		{Source: releases, Name: "melondsds", Version: "1.3.1", Date: date(2)},
		{Source: nightly, Name: "melondsds", Date: date(20), CRC32: 7},
		{Source: nightly, Name: "desmume", Date: date(20), CRC32: 8},
	}
	for name, tt := range map[string]struct {
		kept []Build
		want []Offer
	}{
		"nothing kept":                 {},
		"newer version":                {[]Build{kept("melondsds", releases.String(), "1.3.0", 1, 1)}, offers[:1]},
		"same version":                 {[]Build{kept("melondsds", releases.String(), "1.3.1", 1, 1)}, nil},
		"newer one is here":            {[]Build{kept("melondsds", releases.String(), "1.4", 1, 1)}, nil},
		"the newest kept one counts":   {[]Build{kept("melondsds", releases.String(), "1.3.1", 1, 1), kept("melondsds", releases.String(), "1.2", 1, 2)}, nil},
		"newer day":                    {[]Build{kept("melondsds", nightly.String(), "", 19, 1)}, offers[1:2]},
		"the same library, built anew": {[]Build{kept("melondsds", nightly.String(), "", 19, 7)}, nil},
		"same day":                     {[]Build{kept("melondsds", nightly.String(), "", 20, 1)}, nil},
		"another source":               {[]Build{kept("melondsds", "libretro-index https://other.example.org/", "", 1, 1)}, nil},
		"two cores":                    {[]Build{kept("desmume", nightly.String(), "", 1, 1), kept("melondsds", releases.String(), "1", 1, 1)}, []Offer{offers[2], offers[0]}},
	} {
		got := Updates(tt.kept, offers)
		if len(got) != len(tt.want) {
			t.Errorf("%s: %d updates, want %d", name, len(got), len(tt.want))
			continue
		}
		for i := range got {
			if got[i].Offer != tt.want[i] || got[i].Kept != tt.kept[i] {
				t.Errorf("%s: %+v", name, got[i])
			}
		}
	}
}

// TestMatch: what a room tells is compared with this player's own offers alone.
func TestMatch(t *testing.T) {
	offers := []Offer{
		{Source: releases, Name: "melondsds", Version: "1.3.1", Date: date(2), URL: "https://github.com/a", SHA256: [32]byte{1}},
		{Source: nightly, Name: "melondsds", Date: date(20), CRC32: 0x0000abcd},
		{Source: nightly, Name: "desmume", Date: date(20), CRC32: 0x12345678},
	}
	for i, o := range offers {
		source, version := Origin{Source: o.Source.String(), Version: o.Version, Date: o.Date, CRC32: o.CRC32}.Told()
		name := map[string]string{"melondsds": "melonDS DS", "desmume": "DeSmuME"}[o.Name]
		if got, ok := Match(offers, Wanted{Name: name, Source: source, SourceVersion: version}); !ok || got != o {
			t.Errorf("offer %d told as %q %q is %+v", i, source, version, got)
		}
	}
	for name, w := range map[string]Wanted{
		"nothing told":             {Name: "melonDS DS"},
		"another version":          {Name: "melonDS DS", Source: releases.Name(), SourceVersion: "1.3.0"},
		"another source":           {Name: "melonDS DS", Source: "elsewhere", SourceVersion: "1.3.1"},
		"another build of the day": {Name: "melonDS DS", Source: nightly.Name(), SourceVersion: "2026-11-20 0000abce"},
		"an address":               {Name: "melonDS DS", Source: releases.String(), SourceVersion: "https://evil.example.org/"},
	} {
		if got, ok := Match(offers, w); ok {
			t.Errorf("%s: %+v", name, got)
		}
	}
	// A core's own name need not be that of its file, and decides where several offers are alike.
	if got, ok := Match(offers, Wanted{Name: "Renamed", Source: releases.Name(), SourceVersion: "1.3.1"}); !ok || got != offers[0] {
		t.Errorf("under another name: %+v", got)
	}
	twins := append([]Offer{{Source: releases, Name: "desmume", Version: "1.3.1"}}, offers...)
	if got, ok := Match(twins, Wanted{Name: "melonDS DS", Source: releases.Name(), SourceVersion: "1.3.1"}); !ok || got != offers[0] {
		t.Errorf("of two: %+v", got)
	}
	// A build from elsewhere that is the same as the index's is known by its sum.
	if got, ok := Match(offers, Wanted{Name: "melonDS DS", SourceVersion: "0000abcd"}); !ok || got != offers[1] {
		t.Errorf("by its sum alone: %+v", got)
	}
}

// TestToldHasNoAddress: what a room tells is short and names no machine.
func TestToldHasNoAddress(t *testing.T) {
	own := Source{Kind: "libretro-index", Address: "https://secret.example.org/cores/"}
	a, version := Offer{Source: own, Date: date(20), CRC32: 1}.Told()
	b, _ := Offer{Source: Source{Kind: own.Kind, Address: own.Address + "x/"}}.Told()
	if len(a) > 30 || a == b || version != "2026-11-20 00000001" {
		t.Errorf("told as %q and %q, %q", a, b, version)
	}
	if source, version := (Origin{}).Told(); source != "" || version != "" {
		t.Errorf("of nothing %q and %q are told", source, version)
	}
}
