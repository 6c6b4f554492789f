package host

import (
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
)

// installation is what one machine says of the consoles it built.
type installation struct {
	machine  int
	nickname string
	hashes   []room.SeatHash // one for each seat, in their order
}

// regions of a console, in the order in which they are blamed: a difference in
// main RAM explains one in the picture.
var regions = [...]struct {
	name string
	of   func(room.SeatHash) uint64
}{
	{"main RAM", func(h room.SeatHash) uint64 { return h.Hash.RAM }},
	{"save memory", func(h room.SeatHash) uint64 { return h.Hash.SRAM }},
	{"the picture", func(h room.SeatHash) uint64 { return h.Hash.Video }},
	{"the radio", func(h room.SeatHash) uint64 { return h.Air }},
}

// difference is the first console that is not alike on all machines.
type difference struct {
	words string // none: all are alike
	odd   []int  // machines that have another one
	seat  ds.Seat
}

// compareStart compares the consoles that all machines built to begin a game.
func compareStart(seats []room.SeatPlan, built []installation) difference {
	return compare(seats, built, built, -1)
}

// compare finds what is not alike with the consoles of the judges: of more than half of
// them, or else of the machine donor, if that is one of them, or else of a seat's owner.
func compare(seats []room.SeatPlan, built, judges []installation, donor int) difference {
	for i, seat := range seats {
		for _, region := range regions {
			value := func(b installation) uint64 { return region.of(b.hashes[i]) }
			right, reference := rightValue(seat, judges, donor, value)
			var odd []int
			var names []string
			for _, b := range built {
				if value(b) != right {
					odd, names = append(odd, b.machine), append(names, b.nickname)
				}
			}
			if len(odd) > 0 {
				return difference{fmt.Sprintf("%s's console did not come out the same on %s's machine as on %s (%s differs): all machines must have the same core build and the same BIOS files",
					seat.Nickname, room.ListWords(names), reference, region.name), odd, seat.Seat}
			}
		}
	}
	return difference{}
}

// rightValue is what more than half of the machines have; without such a
// majority, what the donor or else the console's owner has. The reference says in words
// whose it is.
func rightValue(seat room.SeatPlan, built []installation, donor int, value func(installation) uint64) (right uint64, reference string) {
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
	if i := slices.IndexFunc(built, func(b installation) bool { return b.machine == donor }); i >= 0 && donor != seat.Machine {
		return value(built[i]), built[i].nickname + "'s"
	}
	i := slices.IndexFunc(built, func(b installation) bool { return b.machine == seat.Machine })
	return value(built[max(i, 0)]), seat.Nickname + "'s own"
}
