package emucore

import (
	"encoding/hex"
	"slices"
	"strings"
)

// knownBuilds are the builds of a core for which its profile is sure, or likely right.
type knownBuilds struct {
	measured []string // versions
	likely   []string // series of versions, such as "1.3", that should be no different
	files    []string // SHA-256 of files that were measured
}

// Standing says how well a build of a core is known to this program.
type Standing uint8

// The standings, the better the higher.
const (
	Untried  Standing = iota // nobody has measured this version
	Likely                   // its profile should fit: sources on the way to it were measured
	Measured                 // this version was measured, perhaps in another build
	Proven                   // this very file was measured
)

// String says it in words that go on from the core's name and version.
func (s Standing) String() string {
	switch s {
	case Proven:
		return "nettplay is tested with this very build"
	case Measured:
		return "nettplay is tested with this version"
	case Likely:
		return "nettplay is tested with a version close to this one"
	}
	return "nettplay is not tested with this version"
}

// Standing returns how well the build is known.
func (c Core) Standing() Standing {
	p := ProfileFor(c.Name)
	switch {
	case slices.Contains(p.known.files, hex.EncodeToString(c.SHA256[:])):
		return Proven
	case slices.Contains(p.known.measured, strings.TrimSpace(c.Version)):
		return Measured
	case slices.ContainsFunc(p.known.likely, func(series string) bool { return inSeries(c.Version, series) }):
		return Likely
	}
	return Untried
}

// inSeries reports whether a version is of a series: "1.3.0", "1.3" and "v1.3.1 (Debug)" are of "1.3",
// "1.30" is not.
func inSeries(version, series string) bool {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimSpace(version), "v"), series)
	return ok && (rest == "" || rest[0] < '0' || rest[0] > '9')
}
