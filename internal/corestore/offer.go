package corestore

import (
	"cmp"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
)

// A Source is where cores can be got, as the settings name it. Its String is the form of
// the settings, by which a room tells where its core is from.
type Source = config.CoreSource

// librarySuffix ends the name of a core's file, behind the core's short name.
const librarySuffix = emucore.CoreSuffix

// Limits of what is fetched.
const (
	MaxArchive = 64 << 20  // bytes
	MaxLibrary = 128 << 20 // bytes, unpacked
)

// An Offer is a build of a core that a source has for this machine. To make one, nothing of
// the core is fetched.
type Offer struct {
	Source  Source
	Name    string    // the core's short name, such as "melondsds": its file without "_libretro.so"
	Version string    // "1.3.1"; "" where the source tells none
	Date    time.Time // the day of the build, UTC; zero where the source tells none
	URL     string    // of the archive; https
	Size    int64     // of the archive in bytes; 0 where the source does not tell, see Client.Ask
	SHA256  [32]byte  // of the archive; zero where the source does not tell
	CRC32   uint32    // of the library in the archive; 0 where the source does not tell
}

// Host returns the name of the machine that the archive is fetched from.
func (o Offer) Host() string { return hostOf(o.URL) }

// File returns the name of the library, such as "melondsds_libretro.so".
func (o Offer) File() string { return o.Name + librarySuffix }

// Label returns the core and its build for people: "melondsds 1.3.1", or where there are no
// versions "melondsds of 2026-11-20".
func (o Offer) Label() string { return label(o.Name, o.Version, o.Date) }

func label(name, version string, date time.Time) string {
	switch {
	case version != "":
		return name + " " + version
	case !date.IsZero():
		return name + " of " + day(date)
	}
	return name
}

// day writes a date as the sources do.
func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// wireless are the short names of cores that are known to have local wireless, best first.
var wireless = []string{"melondsds"}

// Wireless reports whether the core is known to have local wireless. Only the core itself,
// once it is here, says so for sure.
func (o Offer) Wireless() bool { return slices.Contains(wireless, o.Name) }

// sortOffers puts cores with local wireless first, then goes by name; of each name the
// builds with a version come first, the newest of them at the head. Offers that are equal in
// all this stay in the order of the sources.
func sortOffers(offers []Offer) {
	slices.SortStableFunc(offers, func(a, b Offer) int {
		return cmp.Or(
			rank(a.Wireless(), b.Wireless()),
			strings.Compare(a.Name, b.Name),
			rank(a.Version != "", b.Version != ""),
			compareVersions(b.Version, a.Version),
			b.Date.Compare(a.Date),
		)
	})
}

// rank orders what is so before what is not.
func rank(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// Newest returns the newest offer of a core: of a list as Client.List gives it the first that
// the name means. The name may be written as a player would: "melondsds", "melonDS DS",
// "melonds", "melondsds_libretro.so". With "" it is a core with local wireless.
func Newest(offers []Offer, name string) (Offer, bool) {
	for _, exact := range []bool{true, false} {
		for _, o := range offers {
			if name == "" && o.Wireless() || name != "" && means(name, o.Name, exact) {
				return o, true
			}
		}
	}
	return Offer{}, false
}

// means reports whether a player who writes typed can mean the core with a short name.
func means(typed, name string, exact bool) bool {
	typed = letters(strings.TrimSuffix(strings.ToLower(typed), librarySuffix))
	name = letters(name)
	return typed == name || !exact && typed != "" && strings.HasPrefix(name, typed)
}

// Means reports whether a player who writes typed can mean a core, by what it calls itself or by the name of
// its file: "melondsds", "melonDS DS" or "melonds".
func Means(typed string, core emucore.Core) bool {
	return letters(typed) != "" && (means(typed, core.Name, false) || means(typed, strings.TrimSuffix(filepath.Base(core.Path), librarySuffix), false))
}

// letters keeps the letters and digits of a text, in lower case.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return -1
	}, s)
}

// An Update is a kept build and a newer one that its source offers.
type Update struct {
	Kept  Build
	Offer Offer
}

// Updates returns for each core that is kept the newest offer of the source that its newest build
// came from, where that is newer. An older build stays until it is removed.
func Updates(kept []Build, offers []Offer) (all []Update) {
	seen := map[string]bool{}
	for _, b := range kept { // the newest of each name first
		if seen[b.Name] {
			continue
		}
		seen[b.Name] = true
		i := slices.IndexFunc(offers, func(o Offer) bool { return o.Name == b.Name && o.Source.String() == b.Origin.Source })
		if i >= 0 && newer(offers[i], b) {
			all = append(all, Update{Kept: b, Offer: offers[i]})
		}
	}
	return all
}

// newer reports whether an offer is a newer build than a kept one of the same source.
func newer(o Offer, b Build) bool {
	if o.CRC32 != 0 && o.CRC32 == b.Origin.CRC32 {
		return false // the very same, built or listed anew
	}
	if c := compareVersions(o.Version, b.Origin.Version); c != 0 {
		return c > 0
	}
	return o.Version == "" && o.Date.After(b.Origin.Date)
}

// Told returns what a room tells of where a build is from, without an address: the source's
// short name, and there its version, or day and sum where a source tells no versions.
func (o Offer) Told() (source, version string) {
	return o.Source.Name(), toldVersion(o.Version, o.Date, o.CRC32)
}

// toldVersion names a build of a source.
func toldVersion(version string, date time.Time, sum uint32) string {
	switch {
	case version != "":
		return version
	case sum == 0:
		return ""
	case date.IsZero():
		return fmt.Sprintf("%08x", sum)
	}
	return fmt.Sprintf("%s %08x", day(date), sum)
}

// Wanted is the core of a room, as its game host tells of it. None of it is trusted: an offer
// is compared with it, and Client.Get makes sure of SHA256.
type Wanted struct {
	Name, Version string // the core's own, such as "melonDS DS" and "1.2.0"
	SHA256        [32]byte
	Source        string // as Origin.Told and Offer.Told give it; "" where the game host does not know
	SourceVersion string
}

// Match returns the offer that is the build a room wants, as far as that can be known before it
// is fetched: the library has the same sum, or the source is the same and has it under the same
// version. Of several the one that the core's own name means goes first. The list has only what
// this player's own sources offer, so nothing comes from a place that another player names. Give
// Client.Get the room's SHA-256: it refuses any other build.
func Match(offers []Offer, want Wanted) (Offer, bool) {
	sum := want.SourceVersion[strings.LastIndexByte(want.SourceVersion, ' ')+1:]
	var best Offer
	for _, o := range offers {
		source, version := o.Told()
		same := source == want.Source && version == want.SourceVersion && version != ""
		if o.CRC32 != 0 {
			same = fmt.Sprintf("%08x", o.CRC32) == sum
		}
		switch {
		case same && means(want.Name, o.Name, true):
			return o, true
		case same && best.Name == "":
			best = o
		}
	}
	return best, best.Name != ""
}

// isCore reports whether a short name is that of a DS core, and can name a folder.
func isCore(name string) bool {
	return len(name) <= maxName && plainName(name) && emucore.IsCoreName(name+librarySuffix)
}

// maxName is the limit of a core's short name in letters.
const maxName = 64

// plainName reports whether a text has only letters, digits, "_" and "-".
func plainName(s string) bool {
	for _, r := range s {
		if letters(string(r)) == "" && r != '_' && r != '-' {
			return false
		}
	}
	return s != ""
}

// sourceLabel is a source in a sentence.
func sourceLabel(s Source) string {
	u, err := url.Parse(s.Address)
	if err != nil {
		return s.Address
	}
	return fmt.Sprintf("%s%s", u.Host, strings.TrimSuffix(u.Path, "/"))
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}
