// Package radiotrace writes the packets of the consoles' radio to a file, a line each,
// and compares two such files: on all machines of a game they are the same.
package radiotrace

import (
	"bufio"
	"errors"
	"fmt"
	"os"

	"github.com/nettplay/nettplay/internal/air"
	"github.com/nettplay/nettplay/internal/regular"
)

// Writer writes a trace. It belongs to one goroutine.
type Writer struct {
	f *os.File
	w *bufio.Writer // keeps the first error
}

// Create creates the file of a trace, or empties it.
func Create(path string) (*Writer, error) {
	if err := regular.Check(path); err != nil {
		return nil, err
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return &Writer{f: f, w: bufio.NewWriter(f)}, nil
}

// Take writes packets. Errors are those of Close.
func (t *Writer) Take(records []air.Record) {
	for _, r := range records {
		_, _ = fmt.Fprintln(t.w, r)
	}
}

// Close closes the file and returns what kept the trace from being whole.
func (t *Writer) Close() error {
	if err := errors.Join(t.w.Flush(), t.f.Close()); err != nil {
		return fmt.Errorf("writing the trace: %w", err)
	}
	return nil
}

// Difference is the first place where two traces are not the same.
type Difference struct {
	Same int64 // packets before it, alike in both
	// A and B are the packets there. One of them is "" where only the other trace goes on.
	A, B string
}

// maxLine is the limit of a trace's line in bytes; a packet's is far shorter.
const maxLine = 4096

// Compare compares two files line by line, however large they are. It returns nil, and
// how many packets there are, when both are the same.
func Compare(pathA, pathB string) (packets int64, d *Difference, err error) {
	var scan [2]*bufio.Scanner
	for i, path := range []string{pathA, pathB} {
		f, _, err := regular.Open(path)
		if err != nil {
			return 0, nil, err
		}
		defer f.Close()
		scan[i] = bufio.NewScanner(f)
		scan[i].Buffer(make([]byte, 0, maxLine), maxLine)
	}
	for ; ; packets++ {
		var lines [2]string
		var more [2]bool
		for i, path := range []string{pathA, pathB} {
			if more[i] = scan[i].Scan(); more[i] {
				lines[i] = scan[i].Text()
			}
			if err := scan[i].Err(); err != nil {
				return packets, nil, fmt.Errorf("%s, line %d: not a trace: %w", path, packets+1, err)
			}
		}
		switch {
		case !more[0] && !more[1]:
			return packets, nil, nil
		case more != [2]bool{true, true} || lines[0] != lines[1]:
			return packets, &Difference{Same: packets, A: lines[0], B: lines[1]}, nil
		}
	}
}
