package desync

import (
	"cmp"
	"slices"

	"github.com/nettplay/nettplay/internal/ds"
)

// Report is one machine's word of one console.
type Report struct {
	Machine int
	Seat    ds.Seat
	Frame   int64 // frames done
	Hashes  Hashes
}

// History keeps what machines reported for the last [Keep] frames of each console, for
// a bug report. Its zero value is empty.
type History struct {
	lists map[copyOf][]Report // by rising frame
}

// copyOf is a machine's copy of a console.
type copyOf struct {
	machine int
	seat    ds.Seat
}

// Add takes a report. Older ones of that machine's console than the newest, or the
// same again, are ignored.
func (h *History) Add(r Report) {
	if h.lists == nil {
		h.lists = make(map[copyOf][]Report)
	}
	key := copyOf{r.Machine, r.Seat}
	list := h.lists[key]
	if n := len(list); n > 0 && list[n-1].Frame >= r.Frame {
		return
	}
	list = append(list, r)
	for list[0].Frame < r.Frame-Keep {
		list = list[1:]
	}
	h.lists[key] = list
}

// Reports are all that is remembered, by frame, seat and machine.
func (h *History) Reports() []Report {
	var all []Report
	for _, list := range h.lists {
		all = append(all, list...)
	}
	slices.SortFunc(all, func(a, b Report) int {
		return cmp.Or(cmp.Compare(a.Frame, b.Frame), cmp.Compare(a.Seat, b.Seat), cmp.Compare(a.Machine, b.Machine))
	})
	return all
}
