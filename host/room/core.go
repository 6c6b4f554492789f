package room

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/nettplay/nettplay/internal/wire"
)

// CoreID names one build of a libretro core. Two cores are the same only when
// their files are; two that do the same may share a room, see [CoreID.Alike].
type CoreID struct {
	Name, Version string
	SHA256        [32]byte
	// Fingerprint is of what the core does, by internal/corecheck; zero: unknown. It is the word of the machine
	// that has the core: nothing but a desync comes of a lie.
	Fingerprint [32]byte
}

// Alike reports whether two cores may play together: one file, or two builds of the same version that
// did the same in every frame of the check.
func (id CoreID) Alike(other CoreID) bool {
	return id.SHA256 == other.SHA256 ||
		id.Name == other.Name && id.Version == other.Version && id.Fingerprint != [32]byte{} && id.Fingerprint == other.Fingerprint
}

// String is the core's name, version and the start of its hash, for people.
func (id CoreID) String() string {
	return fmt.Sprintf("%s (build %s)", JoinWords(id.Name, id.Version), short(id.SHA256))
}

// Cleaned returns the core with its texts clean.
func (id CoreID) Cleaned() CoreID {
	id.Name, id.Version = wire.Clean(id.Name, MaxName), wire.Clean(id.Version, MaxName)
	return id
}

func (id *CoreID) Fields(c *wire.Coder) {
	c.Text("name", &id.Name, MaxName)
	c.Text("version", &id.Version, MaxName)
	c.Fixed("sha256", id.SHA256[:])
	c.Fixed("fingerprint", id.Fingerprint[:])
}

// CoreSource is where a machine got its core: the name of a source in the table that every
// machine has of its own, and what that source calls the version. It never is an address. The
// zero value is unknown.
type CoreSource struct{ Name, Version string }

// Cleaned returns the source with its texts clean; it is zero without a name.
func (s CoreSource) Cleaned() CoreSource {
	if s.Name = wire.Clean(s.Name, MaxName); s.Name == "" {
		return CoreSource{}
	}
	s.Version = wire.Clean(s.Version, MaxName)
	return s
}

func (s *CoreSource) fields(c *wire.Coder) {
	c.Text("name", &s.Name, MaxName)
	c.Text("version", &s.Version, MaxName)
}

// UsedCore is the core that a room plays on, and where its game host got it.
type UsedCore struct {
	CoreID
	Source CoreSource
}

// Fields are the fields of a core with its source.
func (u *UsedCore) Fields(c *wire.Coder) {
	u.CoreID.Fields(c)
	c.Within("source", u.Source.fields)
}

// CorePackage names the package of this system that holds the core of a name, "" for none.
type CorePackage func(core string) string

// Of returns the package of a core, "" when none is known.
func (f CorePackage) Of(c CoreID) string {
	if f == nil {
		return ""
	}
	return f(c.Name)
}

// CoreKnown tells whether a core does what the builds of its version do with which this program is tested.
// known is false where it is tested with none.
type CoreKnown func(CoreID) (alike, known bool)

// CoreFacts is a machine's knowledge of cores, for hints to players. Both may be nil.
type CoreFacts struct {
	Package CorePackage
	Known   CoreKnown
}

// CoreRefusal compares cores; ok when they may play together. It says which of the two is to change:
// of two versions of a core, the older one; of two builds, the one that is not like those that this program knows.
func CoreRefusal(room UsedCore, theirs CoreID, facts CoreFacts, nickname string) (r Refusal, ok bool) {
	if room.Alike(theirs) {
		return Refusal{}, true
	}
	r = Refusal{
		Code: CodeCore, Core: room,
		Sentence: fmt.Sprintf("the room plays on %v, %s computer on %v", room.CoreID, Owner(nickname), theirs),
	}
	pkg := facts.Package.Of(room.CoreID)
	if room.Name != theirs.Name || room.Version != theirs.Version {
		r.Hint = coreHint(room, theirs, pkg, nickname)
		return r, false
	}
	none := [32]byte{}
	switch {
	case room.Fingerprint == none && theirs.Fingerprint == none:
		r.Sentence += "; nothing says that both do the same"
	case room.Fingerprint == none:
		r.Sentence += "; the game host's was not checked, or failed its check"
	case theirs.Fingerprint == none:
		r.Sentence += fmt.Sprintf("; %s was not checked, or failed its check", possessive(nickname))
	default:
		r.Sentence += ", which does not do the same in every frame"
	}
	r.Hint = buildHint(room, theirs, facts, pkg, nickname)
	return r, false
}

// possessive is "yours", or a name's genitive.
func possessive(nickname string) string {
	if nickname == "" {
		return "yours"
	}
	return Owner(nickname)
}

// buildHint says which of two builds of one version is to be replaced, where this program knows what
// that version does, and else that one of them is.
func buildHint(room UsedCore, theirs CoreID, facts CoreFacts, pkg, nickname string) string {
	if facts.Known == nil {
		return coreHint(room, theirs, pkg, nickname)
	}
	how := GetCores
	if pkg != "" {
		how = fmt.Sprintf("(\"sudo apt install %s\")", pkg)
	}
	who := "you"
	if nickname != "" {
		who = nickname
	}
	rooms, known := facts.Known(room.CoreID)
	own, _ := facts.Known(theirs)
	switch {
	case known && rooms && !own:
		return fmt.Sprintf("%s is not the %s that nettplay knows, the game host's is: %s must get that one %s", possessive(nickname), JoinWords(room.Name, room.Version), who, how)
	case known && own && !rooms:
		return fmt.Sprintf("the game host's is not the %s that nettplay knows, %s is: the game host must get that one %s", JoinWords(room.Name, room.Version), possessive(nickname), how)
	}
	return coreHint(room, theirs, pkg, nickname)
}

// BuildWords says of a player that their core is another build than the room's, and how often machines are
// compared.
func BuildWords(nickname string, hashEvery int) string {
	often := fmt.Sprintf("each %d frames", hashEvery)
	if hashEvery <= 1 {
		often = "every frame"
	}
	return nickname + " plays on another build of the same version; nettplay compares " + often
}

// coreHint says who is to change, and how.
func coreHint(room UsedCore, theirs CoreID, pkg, nickname string) string {
	who, how := "you", ""
	if nickname != "" {
		who = nickname
	}
	if pkg != "" {
		how = fmt.Sprintf(" (\"sudo apt install %s\")", pkg)
	}
	if !strings.EqualFold(room.Name, theirs.Name) {
		return fmt.Sprintf("choose %s on %s computer%s, or let the game host choose another core", room.Name, Owner(nickname), how)
	}
	how = cmp.Or(how, " "+UpdateCores)
	switch order, known := compareVersions(theirs.Version, room.Version); {
	case known && order < 0:
		return fmt.Sprintf("%s must update %s to %s%s", who, room.Name, room.Version, how)
	case known:
		return fmt.Sprintf("the game host must update %s to %s%s", room.Name, theirs.Version, how)
	case room.Source.Name != "":
		return fmt.Sprintf("%s must get the game host's build, from %s, version %s", who, room.Source.Name, cmp.Or(room.Source.Version, "unknown"))
	}
	return "all must have the same build: both of you must get it from the same place" + how
}

// GetCores is the command that gets cores, as hints name it.
const GetCores = "(\"nettplay cores get\")"

// UpdateCores is the command that updates cores, as hints name it.
const UpdateCores = "(\"nettplay cores update\")"

// compareVersions compares the numbers with which two versions begin, such as those of 1.2.0 and v1.3.
// It is not ok where one of them has none, or both have the same.
func compareVersions(a, b string) (order int, ok bool) {
	x, y := numbers(a), numbers(b)
	for len(x) < len(y) {
		x = append(x, 0)
	}
	for len(y) < len(x) {
		y = append(y, 0)
	}
	order = slices.Compare(x, y)
	return order, order != 0 && numbers(a) != nil && numbers(b) != nil
}

// numbers are those with which a version begins.
func numbers(version string) (list []uint32) {
	version = strings.TrimPrefix(strings.ToLower(version), "v")
	for part := range strings.SplitSeq(version, ".") {
		digits := len(part) - len(strings.TrimLeft(part, "0123456789"))
		n, err := strconv.ParseUint(part[:digits], 10, 32)
		if err != nil {
			break
		}
		if list = append(list, uint32(n)); digits < len(part) {
			break
		}
	}
	return list
}
