package seal

// windowSize is by how many datagrams one may be overtaken: more than are on any line at
// once, with the bytes of states on their way.
const windowSize = 4096

const words = windowSize/64 + 1 // the newest word of the ring is not full, so there is one more

// window remembers which of the newest datagrams have come. The zero value is ready.
type window struct {
	end  uint64 // one more than the highest counter taken
	seen [words]uint64
}

// fits reports whether a counter is new enough and has not been taken.
func (w *window) fits(n uint64) bool {
	switch {
	case n >= w.end:
		return true
	case w.end-n > windowSize:
		return false
	}
	return w.seen[n/64%words]&(1<<(n%64)) == 0
}

// mark notes a counter that fits.
func (w *window) mark(n uint64) {
	if n >= w.end {
		// Words from the one after the highest so far to that of n begin anew.
		from := (w.end + 63) / 64
		if n/64 >= from+words {
			from = n/64 - words + 1
		}
		for word := from; word <= n/64; word++ {
			w.seen[word%words] = 0
		}
		w.end = n + 1
	}
	w.seen[n/64%words] |= 1 << (n % 64)
}
