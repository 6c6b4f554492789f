package autodelay

// Preset names the activity of a room's players, and with that the weight of a short delay against late
// inputs. The zero value is Off: the delay is a number that somebody chose.
type Preset uint8

// The presets.
const (
	Off     Preset = iota
	Trading        // menus: nobody minds a long delay, everybody a stop
	Party          // most games
	Racing         // a short delay is worth a stop now and then
)

// policy holds the demands of a preset.
type policy struct {
	name  string
	share int // at most one in so many inputs is to be late
	spare int // late inputs of a window beyond that share which are chance
	cap   int // the longest delay, in frames
	slack int // quarters of a frame that a shorter delay must leave free
}

// policies are those of the presets. A delay above 16 frames would help nobody: who is further
// behind than that is waited for (ds.MaxBehind).
var policies = [...]policy{
	Off:     {name: "off", share: 2000, spare: 2, cap: 16, slack: 1},
	Trading: {name: "trading", share: 20_000, spare: 0, cap: 16, slack: 2},
	Party:   {name: "party", share: 2000, spare: 2, cap: 12, slack: 1},
	Racing:  {name: "racing", share: 500, spare: 3, cap: 6, slack: 1},
}

// MaxPreset is the highest number of a preset.
const MaxPreset = Racing

// Names returns the names of all presets, off first, as settings and flags have them.
func Names() []string {
	var list []string
	for _, p := range policies {
		list = append(list, p.name)
	}
	return list
}

// Named returns the preset of a name; Off for one that no preset has.
func Named(name string) Preset {
	for p, is := range policies {
		if is.name == name {
			return Preset(p)
		}
	}
	return Off
}

// String is the preset's name.
func (p Preset) String() string { return p.policy().name }

// Cap is the longest input delay, in frames, that the preset chooses.
func (p Preset) Cap() int { return p.policy().cap }

func (p Preset) policy() policy {
	if p > MaxPreset {
		p = Off
	}
	return policies[p]
}

// allowed returns the number of so many inputs that may be late. Of a share of one in 2,000 a window
// has two on average, but now and then four.
func (p policy) allowed(inputs int) int { return inputs/p.share + p.spare }
