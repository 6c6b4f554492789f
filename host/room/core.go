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
// their files are.
type CoreID struct {
	Name, Version string
	SHA256        [32]byte
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

// CoreRefusal compares cores; ok when they are one build. It says which of the two is to change:
// of two versions of a core, the older one.
func CoreRefusal(room UsedCore, theirs CoreID, packages CorePackage, nickname string) (r Refusal, ok bool) {
	if room.SHA256 == theirs.SHA256 {
		return Refusal{}, true
	}
	r = Refusal{
		Code: CodeCore, Core: room,
		Sentence: fmt.Sprintf("the room plays on %v, %s machine on %v", room.CoreID, Owner(nickname), theirs),
	}
	r.Hint = coreHint(room, theirs, packages.Of(room.CoreID), nickname)
	return r, false
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
		return fmt.Sprintf("choose %s on %s machine%s, or let the game host choose another core", room.Name, Owner(nickname), how)
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
