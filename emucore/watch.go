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

// A watch decides when a worker that has not answered a request hangs: when it
// has worked for limit in vain, in its own CPU time, or has done nothing at all
// for limit and waits neither for a processor, nor for a disk, nor for other
// consoles on the air. So a busy machine is no failure of a core.
type watch struct {
	limit   time.Duration
	pid     int
	antenna *antenna
	crowd   bool // it has more threads than a core needs

	begun  bool
	first  time.Duration // CPU time when it was first looked at
	last   time.Duration
	asleep time.Duration // since it last worked
}

// late is called now and then while there is no answer; passed is the time since
// the last call, or since the request.
func (w *watch) late(passed time.Duration) bool {
	if w.crowd = crowded(w.pid); w.crowd {
		return true
	}
	if w.antenna.waits() {
		w.asleep = 0
		return false
	}
	cpu, ok := cpuTime(w.pid)
	if !ok {
		cpu = w.last // it is gone, as the socket will tell
	}
	return w.judge(passed, cpu, func() bool { return sleeps(w.pid) })
}

// judge is late without looking at the process.
func (w *watch) judge(passed, cpu time.Duration, sleeps func() bool) bool {
	if !w.begun {
		w.begun, w.first, w.last = true, cpu, cpu
	}
	worked := cpu - w.last
	w.last = cpu
	switch {
	case worked >= passed/10:
		w.asleep = 0
	case sleeps():
		w.asleep += passed
	}
	return w.asleep >= w.limit || cpu-w.first >= w.limit
}

// cpuTime is the processor time that a process has used.
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

// sleeps reports whether a process does nothing by its own choice: it neither runs,
// nor could it if there were a processor for it, nor does it wait for a disk.
func sleeps(pid int) bool {
	state := procStat(pid, statState)
	return state != "R" && state != "D"
}

// threadsMax is the number of threads a worker may have; those of known cores have one.
const threadsMax = 64

// crowded reports whether a process has more threads than a worker may have. The kernel
// counts threads by user only, and each takes memory that no limit counts.
func crowded(pid int) bool {
	threads, _ := strconv.Atoi(procStat(pid, statThreads))
	return threads > threadsMax
}

// Fields of /proc/PID/stat, counted from the one after the name.
const (
	statState   = 0
	statThreads = 17
)

// procStat is a field of /proc/PID/stat, "" if there is none.
func procStat(pid, field int) string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	i := bytes.LastIndexByte(stat, ')') // its name may have any bytes in it
	fields := strings.Fields(string(stat[i+1:]))
	if field >= len(fields) {
		return ""
	}
	return fields[field]
}
