package emucore

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime returns the CPU time that a process has used.
func cpuTime(pid int) (time.Duration, bool) {
	// From CPUCLOCK_SCHED of the kernel's posix-timers.h; clock_getcpuclockid does
	// the same.
	clock := ^int32(pid)<<3 | 2
	var t unix.Timespec
	if pid <= 0 || unix.ClockGettime(clock, &t) != nil {
		return 0, false
	}
	return time.Duration(t.Nano()), true
}

// asleepFor is how many times longer a worker may sleep than work.
const asleepFor = 1

// activity is what is remembered of a process from the last check: nothing, on Linux.
type activity struct{}

// sleeps reports whether a process sleeps of its own accord: it is neither running,
// nor runnable, nor waiting for a disk.
func (activity) sleeps(pid int) bool {
	state := procStat(pid, statState)
	return state != "R" && state != "D"
}

// threads returns the number of a process's threads, 0 if unknown.
func threads(pid int) int {
	n, _ := strconv.Atoi(procStat(pid, statThreads))
	return n
}

// Fields of /proc/PID/stat, counted from the one after the name.
const (
	statState   = 0
	statThreads = 17
)

// procStat returns a field of /proc/PID/stat, "" if there is none.
func procStat(pid, field int) string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	i := bytes.LastIndexByte(stat, ')') // the name may contain any bytes
	fields := strings.Fields(string(stat[i+1:]))
	if field >= len(fields) {
		return ""
	}
	return fields[field]
}
