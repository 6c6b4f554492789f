package emucore

import (
	"bufio"
	"errors"
	"io"
	"os"
	"slices"
	"sync"

	"golang.org/x/sys/unix"
)

// The part of a worker's output that is kept.
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

// output is the reading end of what a worker prints. At its read deadline, which is set when the
// worker is gone, what is in the pipe is still read.
type output struct {
	pipe *os.File
	late int // bytes read after the deadline: no more than a pipe holds, for a stray child may write on
}

const pipeSize = 64 << 10

func (o *output) Read(b []byte) (n int, err error) {
	n, err = o.pipe.Read(b)
	if !errors.Is(err, os.ErrDeadlineExceeded) || o.late >= pipeSize {
		return n, err
	}
	raw, err := o.pipe.SyscallConn()
	if err != nil {
		return 0, err
	}
	if broken := raw.Control(func(fd uintptr) { n, err = unix.Read(int(fd), b) }); broken != nil || err != nil || n <= 0 {
		return 0, io.EOF
	}
	o.late += n
	return n, nil
}

// follow reads lines until there are no more. Somebody must: a full pipe would
// stop the worker.
func (l *logTail) follow(from *os.File) {
	r := bufio.NewReaderSize(&output{pipe: from}, 4096)
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

// printable makes a worker's words safe for a terminal.
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
