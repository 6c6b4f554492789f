package emucore

import (
	"bufio"
	"io"
	"slices"
	"sync"
)

// Limits on how much of a worker's output is kept.
const (
	logLines  = 64
	logColumn = 240 // bytes of a line; the rest of a longer one is dropped
)

// A logTail keeps the last lines that a worker printed.
type logTail struct {
	mu    sync.Mutex
	lines []string
}

func (l *logTail) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line)
	l.lines = l.lines[max(0, len(l.lines)-logLines):]
}

// all returns the lines, oldest first.
func (l *logTail) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.lines)
}

// follow reads lines until the end of the output. The pipe has to be read: a full
// one would block the worker.
func (l *logTail) follow(from io.Reader) {
	r := bufio.NewReaderSize(from, 4096)
	line := make([]byte, 0, logColumn)
	for {
		b, err := r.ReadByte()
		if err != nil {
			break
		}
		if b == '\n' {
			l.add(printable(line))
			line = line[:0]
		} else if len(line) < logColumn {
			line = append(line, b)
		}
	}
	if len(line) > 0 {
		l.add(printable(line))
	}
}

// printable makes text from a worker safe for a terminal.
func printable(b []byte) string {
	out := make([]byte, 0, len(b))
	for _, c := range b {
		switch {
		case c == '\t':
			out = append(out, ' ')
		case c == '\r':
		case c < ' ' || c > '~':
			out = append(out, '?')
		default:
			out = append(out, c)
		}
	}
	return string(out)
}
