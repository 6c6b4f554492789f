package emucore

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A line is the parent's end of the socket to a worker. Only one goroutine at a time
// may use it. It waits in Go's poller: a goroutine that blocks in a system call would wake Go's monitor thread
// for as long as the worker works, 30 times per frame of DeSmuME.
type line struct {
	fd   int
	file *os.File            // of fd
	raw  syscall.RawConn     // of file
	wake time.Time           // when a wait ends, if nothing comes
	buf  [replySize + 1]byte // one byte more than a reply, to detect a longer message
}

// newLine creates a socket pair: our end, and the worker's as a file to close
// once the worker has started.
func newLine() (*line, *os.File, error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("socket to a console: %w", err)
	}
	if err := unix.SetNonblock(fds[0], true); err != nil {
		unix.Close(fds[0])
		unix.Close(fds[1])
		return nil, nil, fmt.Errorf("socket to a console: %w", err)
	}
	file := os.NewFile(uintptr(fds[0]), "console")
	raw, err := file.SyscallConn()
	if err != nil {
		file.Close()
		unix.Close(fds[1])
		return nil, nil, fmt.Errorf("socket to a console: %w", err)
	}
	return &line{fd: fds[0], file: file, raw: raw}, os.NewFile(uintptr(fds[1]), "console"), nil
}

// send never waits: there is room for a request, as the one before has been
// answered.
func (l *line) send(q *request) error {
	b := requestBytes(q)
	for {
		_, _, err := unix.RawSyscall6(unix.SYS_SENDTO, uintptr(l.fd), uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)), unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL, 0, 0)
		switch err {
		case 0:
			return nil
		case unix.EINTR:
		default:
			return err
		}
	}
}

// receive waits for a reply until w decides that the worker hangs. Only time in which
// this process was awake counts: a suspended machine, or a session
// that was stopped and continued, does not make a worker hang.
func (l *line) receive(w *watch) (reply, error) {
	for {
		start := time.Now()
		if l.wake.Sub(start) < waitSlice/2 { // setting it each time would cost as much as reading
			l.wake = start.Add(waitSlice)
			if err := l.file.SetReadDeadline(l.wake); err != nil {
				return reply{}, fmt.Errorf("receive from worker: %w", err)
			}
		}
		n, err := l.read()
		switch {
		case err == nil && n > 0:
			return l.decode(n)
		case errors.Is(err, os.ErrDeadlineExceeded):
			l.wake = time.Time{}
		case err == nil, errors.Is(err, unix.ECONNRESET):
			return reply{}, errCut
		default:
			return reply{}, fmt.Errorf("receive from worker: %w", err)
		}
		if w.late(min(time.Since(start), 2*waitSlice)) {
			return reply{}, errLate
		}
	}
}

// read waits for a message; n is 0 at the end of the stream. The raw system call never blocks, so it does not wake Go's
// monitor thread as an ordinary one would.
func (l *line) read() (n int, err error) {
	waited := l.raw.Read(func(fd uintptr) bool {
		for {
			got, _, errno := unix.RawSyscall(unix.SYS_READ, fd, uintptr(unsafe.Pointer(&l.buf[0])), uintptr(len(l.buf)))
			switch errno {
			case unix.EINTR:
				continue
			case unix.EAGAIN:
				return false
			case 0:
				n = int(got)
			default:
				err = errno
			}
			return true
		}
	})
	return n, errors.Join(waited, err)
}

// decode reads a reply of n bytes.
func (l *line) decode(n int) (r reply, err error) {
	switch {
	case n != replySize:
		return r, fmt.Errorf("a reply of %d bytes", n)
	}
	copy(replyBytes(&r), l.buf[:])
	return r, nil
}

func (l *line) close() {
	if l.fd >= 0 {
		l.file.Close()
		l.fd = -1
	}
}

// returnBlob gives the memory of a large blob back to the system, as states
// are rare. The blob then reads as zeros.
func (s *shared) returnBlob() {
	unix.Madvise(s.blob(), unix.MADV_REMOVE)
}
