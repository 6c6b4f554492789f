package report

import (
	"bufio"
	"fmt"
	"io"
)

// Range is bytes that differ: those at From up to, not including, To.
type Range struct{ From, To int }

// Ranges finds where two memories differ: the first ranges up to a limit, how many there
// are in all, and of how many bytes. Where one is longer, the rest of it differs.
func Ranges(a, b []byte, limit int) (list []Range, count, bytes int) {
	n := max(len(a), len(b))
	differs := func(i int) bool { return i >= len(a) || i >= len(b) || a[i] != b[i] }
	for i := 0; i < n; i++ {
		if !differs(i) {
			continue
		}
		from := i
		for i < n && differs(i) {
			i++
		}
		count, bytes = count+1, bytes+i-from
		if len(list) < limit {
			list = append(list, Range{from, i})
		}
	}
	return list, count, bytes
}

// Sizes of what a diff tells.
const (
	diffRanges = 64
	diffPage   = 64 << 10
	diffBytes  = 16 // shown of a range
)

// WriteDiff describes where two memories differ, for people: the first ranges with
// their bytes, and how many bytes differ in each page. Base is the address of their
// first byte in the console.
func WriteDiff(to io.Writer, what string, base uint32, own, donor []byte) error {
	w := bufio.NewWriter(to)
	list, count, bytes := Ranges(own, donor, diffRanges)
	if count == 0 {
		fmt.Fprintf(w, "%s: %d bytes, equal\n", what, len(own))
		return w.Flush()
	}
	fmt.Fprintf(w, "%s: %d of %d bytes differ, in %d ranges\n", what, bytes, max(len(own), len(donor)), count)
	if len(own) != len(donor) {
		fmt.Fprintf(w, "  here it has %d bytes, on the other machine %d\n", len(own), len(donor))
	}
	for _, r := range list {
		fmt.Fprintf(w, "  %08x-%08x  %d bytes: here %s, there %s\n", base+uint32(r.From), base+uint32(r.To-1), r.To-r.From, some(own, r), some(donor, r))
	}
	if count > len(list) {
		fmt.Fprintf(w, "  and %d ranges more\n", count-len(list))
	}
	writePages(w, base, own, donor)
	return w.Flush()
}

// some are the first bytes of a range.
func some(b []byte, r Range) string {
	end := min(r.To, r.From+diffBytes, len(b))
	if r.From >= end {
		return "-"
	}
	text := fmt.Sprintf("% x", b[r.From:end])
	if end < r.To {
		text += " ..."
	}
	return text
}

func writePages(w io.Writer, base uint32, own, donor []byte) {
	fmt.Fprintf(w, "  by pages of %d KB:\n", diffPage>>10)
	for at := 0; at < max(len(own), len(donor)); at += diffPage {
		page := func(b []byte) []byte { return b[min(at, len(b)):min(at+diffPage, len(b))] }
		if _, _, bytes := Ranges(page(own), page(donor), 0); bytes > 0 {
			fmt.Fprintf(w, "  %08x  %d bytes differ\n", base+uint32(at), bytes)
		}
	}
}
