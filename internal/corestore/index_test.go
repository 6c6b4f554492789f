package corestore

import (
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/testing/must"
)

var nightly = Source{Kind: config.LibretroIndex, Address: "https://example.org/nightly/{os}/{arch}/latest/"}

const folder = "https://example.org/nightly/linux/x86_64/latest/"

// recorded has lines in the form of libretro's index, of DS cores and others.
var recorded = strings.ReplaceAll(`2026-11-20 a7b1c2d3 2048_libretro.so.zip
2026-11-18 0f3a9b21 desmume_libretro.so.zip
2026-11-18 41d0c6ee desmume2015_libretro.so.zip
2026-11-20 5c9e77f0 melonds_libretro.so.zip
2026-11-21 9d20a4b8 melondsds_libretro.so.zip
2026-11-20 1122aabb noods_libretro.so.zip
2026-11-20 00000000 empty_libretro.so.zip
2026-11-20 deadbeef snes9x_libretro.so.zip
`, "_libretro.so", librarySuffix)

func TestIndexHasTheDSCores(t *testing.T) {
	offers, err := decodeIndex(nightly, folder, []byte(recorded))
	must.Succeed(t, err)
	var names []string
	for _, o := range offers {
		names = append(names, o.Name)
	}
	if got := strings.Join(names, " "); got != "desmume desmume2015 melonds melondsds noods" {
		t.Errorf("the index offers %s", got)
	}
	want := Offer{
		Source: nightly, Name: "melondsds", Date: time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC),
		URL: folder + "melondsds" + librarySuffix + ".zip", CRC32: 0x9d20a4b8,
	}
	if offers[3] != want {
		t.Errorf("got %+v, want %+v", offers[3], want)
	}
	if _, err := decodeIndex(nightly, folder, []byte(strings.ReplaceAll(recorded, "\n", "\r\n"))); err != nil {
		t.Errorf("with other ends of lines: %v", err)
	}
}

// TestEachSystemHasItsFolder: libretro's server has a folder of cores for each system, also for Windows, where DeSmuME comes from
// nowhere else.
func TestEachSystemHasItsFolder(t *testing.T) {
	for at, want := range map[Platform]string{
		{"linux", "amd64"}: "linux/x86_64", {"linux", "arm64"}: "linux/aarch64", {"windows", "amd64"}: "windows/x86_64",
	} {
		if got := at.fill(nightly.Address); !at.supported() || got != "https://example.org/nightly/"+want+"/latest/" {
			t.Errorf("%v: %s", at, got)
		}
	}
}

// TestIndexIsWholeOrNone: what came only in part, or is something else, does not pass for an
// index that lacks cores.
func TestIndexIsWholeOrNone(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "it is empty",
		"\n\n":                                   "it is empty",
		recorded[:len(recorded)-9]:               "its last line has no end",
		"<!DOCTYPE html>\n":                      "line 1: \"<!DOCTYPE html>\" is not a date, a sum and a name",
		recorded + "2026-13-01 00000001 a.zip\n": "line 9: \"2026-13-01\" is not a date",
		"2026-11-01 xyz a.zip\n":                 "line 1: sum \"xyz\" is not 8 digits",
		"2026-11-01 0000000g a.zip\n":            "line 1: sum \"0000000g\" is not hexadecimal",
		"2026-11-01 00000001 \n":                 "is not a date, a sum and a name",
		strings.Repeat("x", maxIndexLine+1) + "\n": "line 1: it has 513 bytes",
		strings.Repeat("\n", maxIndex+1):           "too many",
	} {
		if _, err := decodeIndex(nightly, folder, []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
}

// TestIndexNamesNoPaths: a name becomes part of an address and of a path.
func TestIndexNamesNoPaths(t *testing.T) {
	for _, name := range []string{
		"../../melondsds", "melondsds/../x", "/melonds", `melonds\x`, "melonds%2e", "melonds?x", "melonds x",
		"melonds" + strings.Repeat("s", maxName), "",
	} {
		offers, err := decodeIndex(nightly, folder, []byte("2026-11-20 00000001 "+name+librarySuffix+".zip\n"))
		if err != nil || len(offers) > 0 {
			t.Errorf("%.40q is offered: %+v, %v", name, offers, err)
		}
	}
}

func FuzzIndex(f *testing.F) {
	f.Add([]byte(recorded))
	f.Add([]byte("2026-11-20 00000001 melondsds" + librarySuffix + ".zip\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		offers, _ := decodeIndex(nightly, folder, text)
		for _, o := range offers {
			checkOffer(t, o)
			if !strings.HasPrefix(o.URL, folder) {
				t.Errorf("%q is not in the index's folder", o.URL)
			}
		}
	})
}

// checkOffer checks what each offer of a decoder must be.
func checkOffer(t *testing.T, o Offer) {
	t.Helper()
	c := Client{Platform: Platform{"linux", "amd64"}}
	if !isCore(o.Name) || strings.ContainsAny(o.Name, "/\\.") || o.Size < 0 || o.Size > MaxArchive || o.Host() == "" || !strings.HasPrefix(strings.ToLower(o.URL), "https://") {
		t.Errorf("bad offer %+v", o)
	}
	if err := checkText(o.Label(), 200); err != nil {
		t.Errorf("label %q %v", o.Label(), err)
	}
	if err := c.belongs(o.Source, o.URL); o.Source.Kind == config.LibretroIndex && err != nil {
		t.Error(err)
	}
}
