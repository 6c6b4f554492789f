package emucore

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// knownBuilds are the builds of a core for which its profile is certainly or probably right.
type knownBuilds struct {
	measured []string // versions
	likely   []string // series of versions, such as "1.3", that should be no different
	// hides are version names that builds made long apart share: only the file's hash tells them
	// apart.
	hides []string
	files []KnownFile
}

// KnownFile is a build that was measured.
type KnownFile struct {
	Version     string // what it calls itself
	SHA256      string // of the file, hexadecimal
	Fingerprint string // what it does: see internal/corecheck; hexadecimal, "" if unknown
	Words       string // what build it is, for people
}

// Standing says how well this program knows a build of a core.
type Standing uint8

// The standings, from worst to best.
const (
	Untried  Standing = iota // nobody has measured this version
	Likely                   // its profile should fit: sources on the way to it were measured
	Measured                 // this version was measured, perhaps in another build
	Proven                   // this very file was measured
)

// StandingWords says how well the build is known, of its file: words that go on from the core's name and version.
func (c Core) StandingWords() string {
	known := ProfileFor(c.Name).known
	file := fmt.Sprintf("SHA-256 %x", c.SHA256[:4])
	for _, f := range known.files {
		switch {
		case f.SHA256 == hex.EncodeToString(c.SHA256[:]):
			return fmt.Sprintf("nettplay is tested with this very file (%s, %s)", f.Words, file)
		case f.Fingerprint != "" && f.Fingerprint == hex.EncodeToString(c.Fingerprint[:]):
			return fmt.Sprintf("nettplay is tested with another build (%s), and this file (%s) does the same", f.Words, file)
		}
	}
	version := strings.TrimSpace(c.Version)
	switch standing := c.Standing(); {
	case slices.Contains(known.hides, version):
		return fmt.Sprintf("nettplay is not tested with this file (%s), and builds that call themselves %s differ", file, version)
	case standing == Measured:
		return fmt.Sprintf("nettplay is tested with this version, in another file than this (%s)", file)
	case standing == Likely:
		return fmt.Sprintf("nettplay is tested with a version close to this one, not with this file (%s)", file)
	}
	return fmt.Sprintf("nettplay is not tested with this version, nor this file (%s)", file)
}

// KnownFingerprint returns the fingerprint of a measured file. known is false for all others, whose fingerprint the core
// check determines.
func (c Core) KnownFingerprint() (print [32]byte, known bool) {
	for _, f := range ProfileFor(c.Name).known.files {
		raw, err := hex.DecodeString(f.Fingerprint)
		if f.SHA256 == hex.EncodeToString(c.SHA256[:]) && err == nil && len(raw) == len(print) {
			return [32]byte(raw), true
		}
	}
	return print, false
}

// Standing returns how well the build is known.
func (c Core) Standing() Standing {
	p := ProfileFor(c.Name)
	switch {
	case slices.ContainsFunc(p.known.files, func(f KnownFile) bool { return f.SHA256 == hex.EncodeToString(c.SHA256[:]) }):
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

// LikeKnown tells whether the core does what the builds of its version do that were measured: it is one of
// their files, or has the fingerprint of one. known is false where none was measured, or nobody knows what it does.
func (c Core) LikeKnown() (alike, known bool) {
	for _, f := range ProfileFor(c.Name).known.files {
		if f.Version != strings.TrimSpace(c.Version) {
			continue
		}
		known = known || f.Fingerprint != ""
		alike = alike || f.SHA256 == hex.EncodeToString(c.SHA256[:]) || f.Fingerprint != "" && f.Fingerprint == hex.EncodeToString(c.Fingerprint[:])
	}
	return alike, known || alike
}
