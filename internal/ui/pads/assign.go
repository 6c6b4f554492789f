package pads

import (
	"fmt"
	"slices"
	"strings"
)

// assign says which devices play each seat of this machine, by the settings: "any" is
// the keyboard and every controller that no seat names, "keyboard", "keyboard 2", "pad 1" to
// "pad 16", or a part of a controller's name: the first such controller that no seat before it
// has. A seat whose "pad 1" is not there gets one that no seat has, unless some seat has "any". Seats after the
// last one named have none.
func assign(wanted []string, devices []*device) [][]ID {
	seats := make([][]ID, len(wanted))
	var named []ID
	for i, want := range wanted {
		if want == "any" {
			continue
		}
		if id, ok := find(want, devices, named); ok {
			named = append(named, id)
			seats[i] = []ID{id}
		}
	}
	for i, want := range wanted {
		if want != "any" {
			continue
		}
		for _, d := range devices {
			if d.id != Keyboard2 && !slices.Contains(named, d.id) {
				seats[i] = append(seats[i], d.id)
			}
		}
	}
	if slices.Contains(wanted, "any") {
		return seats
	}
	for i, want := range wanted {
		if number, isPad := strings.CutPrefix(want, "pad "); !isPad || number == "" || !isFixed(want) || seats[i] != nil {
			continue
		}
		for _, d := range devices {
			if d.id.isPad() && !slices.Contains(named, d.id) {
				named, seats[i] = append(named, d.id), []ID{d.id}
				break
			}
		}
	}
	return seats
}

// Devices says which devices play so many seats, by the settings. Where those name fewer,
// the rest has what is left: a controller each of those with these slots, then the keyboard,
// its second set of keys, and controllers that may still be plugged in.
func Devices(wanted []string, seats int, slots []int) []string {
	list := slices.Clone(wanted[:min(len(wanted), seats)])
	add := func(device string) {
		if len(list) < seats && !slices.Contains(list, device) {
			list = append(list, device)
		}
	}
	for _, slot := range slots {
		add(padName(slot))
	}
	if !slices.Contains(list, "any") {
		add("keyboard")
	}
	add("keyboard 2")
	for n := 1; len(list) < seats; n++ {
		add(padName(n))
	}
	return list
}

// padName returns the settings' name of a controller.
func padName(slot int) string { return fmt.Sprintf("pad %d", slot) }

// find returns the device that a setting names, unless somebody has it.
func find(want string, devices []*device, taken []ID) (ID, bool) {
	for _, d := range devices {
		switch {
		case slices.Contains(taken, d.id):
		case d.id == Keyboard && want == "keyboard",
			d.id == Keyboard2 && want == "keyboard 2",
			d.id.isPad() && want == padName(d.slot),
			d.id.isPad() && !isFixed(want) && strings.Contains(strings.ToLower(d.name), strings.ToLower(want)):
			return d.id, true
		}
	}
	return 0, false
}

// isFixed reports whether a setting is no part of a name.
func isFixed(want string) bool {
	if want == "keyboard" || want == "keyboard 2" || want == "any" {
		return true
	}
	number, isPad := strings.CutPrefix(want, "pad ")
	return isPad && len(number) <= 2 && strings.Trim(number, "0123456789") == ""
}

// freeSlot is the lowest free number: a controller that is plugged in again gets its own back.
func freeSlot(devices []*device) int {
	for slot := 1; ; slot++ {
		if !slices.ContainsFunc(devices, func(d *device) bool { return d.slot == slot }) {
			return slot
		}
	}
}
