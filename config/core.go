package config

import (
	"fmt"
	"slices"
	"strings"
)

// ROMs says where games are.
type ROMs struct {
	Folders []string // absolute, or beginning with ~/; see ExpandAll
}

// Core says which emulator core runs the consoles.
type Core struct {
	Name    string            // a library's name, file name or path; "" is the default core
	Folders []string          // looked into before the well-known places
	Sources []string          // where cores can be got, as CoreSource.String writes them; at most 8
	JIT     string            // of rooms that the user opens, one of JITs
	Options map[string]string // core options for rooms that the user opens
}

// Values of a room's setting for a core's JIT.
const (
	JITAuto = "auto" // as nettplay knows it to be best for the core
	JITOn   = "on"
	JITOff  = "off"
)

// JITs are the values of core.jit.
func JITs() []string { return []string{JITAuto, JITOn, JITOff} }

func (r *ROMs) fields() []field {
	return []field{
		setting("folders", &r.Folders, []string{"~/roms"}, "Folders with DS games, and all folders in them. nettplay looks there for the game of a room. Folders that do not exist are skipped.",
			"a list of folders that begin with "+root+" or "+home, each(32, whyFolder)),
	}
}

func (k *Core) fields() []field {
	return []field{
		setting("name", &k.Name, "", `The core: its name, the name of its file, or a path; "nettplay cores" lists what there is. With "" it is DeSmuME as Debian packages it.`,
			`"" or a name like "desmume" or "melonds", or a path`, printable(0, 4096)).shown("All players of a room need the same one."),
		setting("folders", &k.Folders, []string{}, "Folders to search for cores before the places where RetroArch and Debian put them.",
			"a list of folders that begin with "+root+" or "+home, each(32, whyFolder)),
		setting("sources", &k.Sources, defaultCoreSources(), `Where nettplay gets cores, when you say so ("nettplay cores get", or the window's page Cores): a kind and an address each. The kinds are github-releases, a project's list of releases at GitHub, and libretro-index, a folder of libretro's build server; {os} and {arch} stand for this computer's. With [] there are none. A core is a program: name only addresses that you trust.`,
			`a list of "KIND https://ADDRESS", at most 8`, each(8, whyCoreSource)).shown("Where nettplay gets cores when you say so, on the page Cores. A core is a program: name only addresses that you trust."),
		choice("jit", &k.JIT, JITAuto, JITs(), "Whether the core compiles the games' programs (JIT), which is faster, or interprets them, in the rooms that you open. It is the same for all players of a room. With auto DeSmuME compiles and melonDS DS interprets; \"nettplay doctor\" says how much there is to gain. With melonDS DS, recordings of compiled games open slowly in the middle.").shown("For the rooms that you open. All players of a room have the same."),
		setting("options", &k.Options, map[string]string{}, `Options of the core for the rooms that you open, under the names that the core gives them. An option that could make consoles differ between machines is refused.`,
			`key = "value" pairs in { }, or as lines under [core.options]`, whyOptions).shown("For the rooms that you open."),
	}
}

// Limits of core options: no core has more or longer ones.
const (
	maxOptions      = 64
	maxOptionLength = 128
)

func whyOptions(options map[string]string) string {
	if len(options) > maxOptions {
		return fmt.Sprintf("has %d options, more than %d", len(options), maxOptions)
	}
	var whys []string
	for key, value := range options {
		if why := printable(1, maxOptionLength)(key); why != "" || strings.ContainsAny(key, " =") {
			whys = append(whys, fmt.Sprintf("%q is not the name of an option", key))
		} else if why := printable(0, maxOptionLength)(value); why != "" {
			whys = append(whys, fmt.Sprintf("the value of %q %s", key, why))
		}
	}
	slices.Sort(whys) // the first of them, whatever the map's order
	return strings.Join(whys[:min(len(whys), 1)], "")
}
