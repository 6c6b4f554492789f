package room

import (
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/phrase"
)

// Installation is one machine's word of the consoles it built.
type Installation struct {
	Machine  int
	Nickname string
	Hashes   []SeatHash // one for each seat, in their order
}

// regions of a console, in the order in which they are blamed: a difference in
// main RAM explains one in the picture.
var regions = [...]struct {
	name string
	of   func(SeatHash) uint64
}{
	{"main RAM", func(h SeatHash) uint64 { return h.Hash.RAM }},
	{"save memory", func(h SeatHash) uint64 { return h.Hash.SRAM }},
	{"the picture", func(h SeatHash) uint64 { return h.Hash.Video }},
	{"the radio", func(h SeatHash) uint64 { return h.Air }},
}

// Difference is the first console that is not alike on all machines.
type Difference struct {
	Words string // none: all are alike
	Odd   []int  // machines that have another one
	Seat  ds.Seat
}

// CompareStart compares the consoles that all machines built to begin a game.
func CompareStart(seats []SeatPlan, built []Installation) Difference {
	return Compare(seats, built, built, -1)
}

// Compare finds what is not alike with the consoles of the judges: of more than half of
// them, or else of the machine donor, if that is one of them, or else of a seat's owner.
func Compare(seats []SeatPlan, built, judges []Installation, donor int) Difference {
	for i, seat := range seats {
		for _, region := range regions {
			value := func(b Installation) uint64 { return region.of(b.Hashes[i]) }
			right, reference := rightValue(seat, judges, donor, value)
			var odd []int
			var names []string
			for _, b := range built {
				if value(b) != right {
					odd, names = append(odd, b.Machine), append(names, b.Nickname)
				}
			}
			if len(odd) > 0 {
				return Difference{fmt.Sprintf("%s's console did not come out the same on %s's computer as on %s (%s differs): all computers must have the same core build and the same BIOS files",
					seat.Nickname, phrase.List(names), reference, region.name), odd, seat.Seat}
			}
		}
	}
	return Difference{}
}

// rightValue returns the value of more than half of the machines; without such a majority, that of the
// donor or else of the console's owner. The reference says in words whose it is.
func rightValue(seat SeatPlan, built []Installation, donor int, value func(Installation) uint64) (right uint64, reference string) {
	for _, b := range built {
		same := 0
		for _, other := range built {
			if value(other) == value(b) {
				same++
			}
		}
		if 2*same > len(built) {
			return value(b), "the others"
		}
	}
	if i := slices.IndexFunc(built, func(b Installation) bool { return b.Machine == donor }); i >= 0 && donor != seat.Machine {
		return value(built[i]), built[i].Nickname + "'s"
	}
	i := slices.IndexFunc(built, func(b Installation) bool { return b.Machine == seat.Machine })
	return value(built[max(i, 0)]), seat.Nickname + "'s own"
}
