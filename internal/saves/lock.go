package saves

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nettplay/nettplay/internal/disk"
)

// InUseError tells that another process has the saves of this game open.
type InUseError struct {
	What  string // the game's title, or the file
	PID   int    // 0 where that is not known
	Doing string // how it was called: "nettplay host"; may be ""
	Since string // wall clock, for people; may be ""
}

func (e *InUseError) Error() string {
	who := "another program"
	if e.Doing != "" {
		who = strconv.Quote(e.Doing)
	}
	if e.PID > 0 {
		who += fmt.Sprintf(" (process %d)", e.PID)
	}
	if e.Since != "" {
		who += " since " + e.Since
	}
	return fmt.Sprintf("the saves of %s are in use by %s", e.What, who)
}

// maxLock bounds what is read of a lock file, in bytes.
const maxLock = 512

// A lock is waited for a little: somebody may only be looking.
const (
	lockTries = 20
	lockWait  = 10 * time.Millisecond
)

// lockFile takes the lock of a folder; closing the file gives it back, in whatever
// way the process ends. Where the file system cannot lock, nobody is kept out:
// even then no file is ever written by two, since new ones are made exclusively.
func lockFile(dir, what, doing string, now time.Time) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for range lockTries {
		err = disk.TryExclusive(f)
		if !errors.Is(err, disk.ErrLocked) {
			break
		}
		time.Sleep(lockWait)
	}
	if errors.Is(err, disk.ErrLocked) {
		f.Close()
		return nil, holder(dir, what)
	}
	// Only for people: a lock that does not name its process still locks.
	if f.Truncate(0) == nil {
		_, _ = fmt.Fprintf(f, "%d\n%s\n%s\n", os.Getpid(), now.Local().Format("2006-01-02 15:04"), clean(doing, maxText))
	}
	return f, nil
}

// holder reads which process has the lock.
func holder(dir, what string) *InUseError {
	e := &InUseError{What: what}
	b, err := readFile(filepath.Join(dir, lockName), maxLock)
	if err != nil {
		return e
	}
	lines := strings.Split(string(b), "\n")
	for len(lines) < 3 {
		lines = append(lines, "")
	}
	e.PID, _ = strconv.Atoi(lines[0])
	e.Since, e.Doing = clean(lines[1], maxText), clean(lines[2], maxText)
	return e
}

// inUse names the process that has a folder's saves open, nil for none.
func inUse(dir, what string) *InUseError {
	f, err := os.Open(filepath.Join(dir, lockName))
	if err != nil {
		return nil
	}
	defer f.Close()
	// Shared: two that only look do not disturb each other.
	if errors.Is(disk.TryShared(f), disk.ErrLocked) {
		return holder(dir, what)
	}
	return nil
}
