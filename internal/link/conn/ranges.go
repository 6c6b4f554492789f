package conn

import "slices"

// span is the numbers from..to, without to.
type span struct{ from, to uint64 }

// ranges is a set of numbers, as spans that rise and do not touch. The zero value is empty.
type ranges []span

// find is the index of the first span that ends at n or behind it.
func (r ranges) find(n uint64) int {
	i, _ := slices.BinarySearchFunc(r, n, func(s span, n uint64) int {
		if s.to < n {
			return -1
		}
		return 1
	})
	return i
}

// has reports whether n is in the set.
func (r ranges) has(n uint64) bool {
	i := r.find(n + 1)
	return i < len(r) && r[i].from <= n
}

// add adds the numbers of a span.
func (r *ranges) add(s span) {
	if s.from >= s.to {
		return
	}
	i := r.find(s.from)
	j := i
	for j < len(*r) && (*r)[j].from <= s.to {
		s.from, s.to = min(s.from, (*r)[j].from), max(s.to, (*r)[j].to)
		j++
	}
	*r = slices.Replace(*r, i, j, s)
}

// remove takes the numbers of a span out.
func (r *ranges) remove(s span) {
	if s.from >= s.to {
		return
	}
	i := r.find(s.from + 1)
	j := i
	var left []span
	for j < len(*r) && (*r)[j].from < s.to {
		if old := (*r)[j]; old.from < s.from {
			left = append(left, span{old.from, s.from})
		}
		if old := (*r)[j]; old.to > s.to {
			left = append(left, span{s.to, old.to})
		}
		j++
	}
	*r = slices.Replace(*r, i, j, left...)
}
