package app

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/nettplay/nettplay/internal/disk"
	"github.com/nettplay/nettplay/internal/sockets"
)

// What a desktop opens, a link or a file, comes to the window that is open already. The
// first window listens at a socket in the user's runtime folder; a program that is started with something
// to open offers it there first, and ends when it is taken.
//
// The folder is the user's alone, so whoever gets there may also start the program. Their offer is
// nevertheless one line of bounded length, which the window judges as if it had been dropped on it. One that
// is in a room says no, and the program that asked opens a window of its own.

// The conversation is one line in each direction:
//
//	nettplay-open 1 LINK-OR-PATH
//	taken | not now
const (
	greeting = "nettplay-open 1 "
	taken    = "taken"
	notNow   = "not now"
	maxLine  = 8 << 10
)

// How long each side waits for the other: the window for a line, a program for the window, which has
// to come to the end of a picture.
const (
	lineWait   = time.Second
	answerWait = 3 * time.Second
)

// DoorPath is where the first window listens, "" where there is no folder for that. Inside a Flatpak it is
// the folder that all of the program's instances share.
func DoorPath() string {
	dir := os.Getenv("XDG_RUNTIME_DIR")
	if !filepath.IsAbs(dir) {
		return ""
	}
	if id := os.Getenv("FLATPAK_ID"); id != "" {
		return filepath.Join(dir, "app", filepath.Base(id), "window")
	}
	return filepath.Join(dir, "nettplay", "window")
}

// OfferLinks offers a link or an absolute path to the window that listens at path. It tells whether that took it.
func OfferLinks(path, what string) bool {
	if path == "" || len(greeting)+len(what) >= maxLine || strings.ContainsAny(what, "\n\r") {
		return false
	}
	c, err := net.DialTimeout("unix", path, lineWait)
	if err != nil {
		return false
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(answerWait))
	if _, err := io.WriteString(c, greeting+what+"\n"); err != nil {
		return false
	}
	answerAt, err := bufio.NewReader(io.LimitReader(c, maxLine)).ReadString('\n')
	return err == nil && answerAt == taken+"\n"
}

// ErrOtherWindow says that another window listens already.
var ErrOtherWindow = errors.New("another window is open")

// Door is a window's end. Make one with ListenForLinks.
type Door struct {
	listener net.Listener
	lock     *os.File       // is locked as long as the socket is this window's
	done     sync.WaitGroup // the goroutine that listens
}

// ListenForLinks has take judge what is offered at path, one after the other, on a goroutine of its own, until
// Close. Where another window listens, the error is [ErrOtherWindow].
func ListenForLinks(path string, take func(what string) bool) (*Door, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("listenAt for links: %w", err)
	}
	lock, err := os.OpenFile(path+lockEnding, os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil && errors.Is(disk.TryExclusive(lock), disk.ErrLocked) { // else the file system may have no locks
		err = ErrOtherWindow
	}
	var l net.Listener
	if err == nil {
		l, err = listenAt(path)
	}
	if err != nil {
		lock.Close()
		return nil, fmt.Errorf("listenAt for links: %w", err)
	}
	d := &Door{listener: l, lock: lock}
	d.done.Go(func() { d.serve(take) })
	return d, nil
}

// lockEnding stands behind the socket's name in that of the file whose lock says whose the socket is. The
// file stays: one that is removed could be locked by two.
const lockEnding = ".lock"

// listenAt makes the socket, and removes that of a program that was killed. Who calls it has the lock.
func listenAt(path string) (net.Listener, error) {
	l, err := net.Listen("unix", path)
	if !sockets.AddressInUse(err) {
		return l, err
	}
	if c, err := net.DialTimeout("unix", path, lineWait); err == nil { // a window of an earlier version, which has no lock
		_ = c.Close()
		return nil, ErrOtherWindow
	}
	_ = os.Remove(path)
	return net.Listen("unix", path)
}

// serve answers until the door is closed.
func (d *Door) serve(take func(what string) bool) {
	for {
		c, err := d.listener.Accept()
		if err != nil {
			return
		}
		answerAt(c, take)
		_ = c.Close()
	}
}

func answerAt(c net.Conn, take func(what string) bool) {
	_ = c.SetDeadline(time.Now().Add(lineWait))
	line, err := bufio.NewReader(io.LimitReader(c, maxLine)).ReadString('\n')
	what, ours := strings.CutPrefix(strings.TrimSuffix(line, "\n"), greeting)
	if err != nil || !ours {
		return
	}
	said := notNow
	if take(what) {
		said = taken
	}
	_ = c.SetDeadline(time.Now().Add(lineWait))
	_, _ = io.WriteString(c, said+"\n")
}

// Close stops listening and waits for the goroutine. It may be called on nil, and again.
func (d *Door) Close() {
	if d == nil {
		return
	}
	_ = d.listener.Close() // removes the socket
	_ = d.lock.Close()
	d.done.Wait()
}
