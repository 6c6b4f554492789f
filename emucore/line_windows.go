package emucore

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// A line is the parent's end of the line to a worker: requests and replies lie in their memory (struct
// np_line), and an event says so. One goroutine at a time may use it.
type line struct {
	mem         *shared
	ask, answer windows.Handle
	proc        windows.Handle // of the worker; 0 before there is one
}

// newLine makes the line in a console's memory.
func newLine(mem *shared) (*line, error) {
	ask, err := windows.CreateEvent(nil, 0, 0, nil)
	if err != nil {
		return nil, fmt.Errorf("line to a console: %w", os.NewSyscallError("CreateEvent", err))
	}
	answer, err := windows.CreateEvent(nil, 0, 0, nil)
	if err != nil {
		windows.CloseHandle(ask)
		return nil, fmt.Errorf("line to a console: %w", os.NewSyscallError("CreateEvent", err))
	}
	return &line{mem: mem, ask: ask, answer: answer}, nil
}

// send never waits.
func (l *line) send(q *request) error {
	*l.mem.lineRequest() = *q
	return windows.SetEvent(l.ask)
}

// receive waits for a reply until w says that it is in vain. Only time in which
// this process was awake counts: a machine that was suspended has not hung.
func (l *line) receive(w *watch) (reply, error) {
	either := []windows.Handle{l.answer, l.proc}
	for {
		start := time.Now()
		switch n, err := windows.WaitForMultipleObjects(either, false, uint32(waitSlice/time.Millisecond)); {
		case err != nil:
			return reply{}, fmt.Errorf("receive from worker: %w", err)
		case n == windows.WAIT_OBJECT_0:
			return *l.mem.lineReply(), nil // a copy: it may still be written to
		case n == windows.WAIT_OBJECT_0+1:
			return reply{}, errCut
		}
		if w.late(min(time.Since(start), 2*waitSlice)) {
			return reply{}, errLate
		}
	}
}

func (l *line) close() {
	for _, h := range []*windows.Handle{&l.ask, &l.answer, &l.proc} {
		if *h != 0 {
			windows.CloseHandle(*h)
			*h = 0
		}
	}
}

// returnBlob gives the memory of a large blob back to the system: Windows takes none back from a mapping
// that others have, too.
func (s *shared) returnBlob() {}
