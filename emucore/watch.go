package emucore

import "time"

// A watch decides when a worker that has not answered a request hangs: when it
// has used limit of CPU time without a reply, or has slept for asleepFor times limit
// while waiting for no processor, disk or other console
// on the air. So a busy machine does not make a core fail.
type watch struct {
	limit   time.Duration
	pid     int
	antenna *antenna
	crowd   bool // it has more threads than a core needs

	begun  bool
	first  time.Duration // CPU time when it was first looked at
	last   time.Duration
	asleep time.Duration // since it last worked
	ran    activity      // when it was last looked at
}

// late is called repeatedly while there is no reply and reports whether the worker hangs; passed is
// the time since the last call, or since the request.
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
		cpu = w.last // it is gone, as the socket will show, or runs on Wine
	}
	return w.judge(passed, cpu, func() bool { return w.ran.sleeps(w.pid) })
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
	return w.asleep >= w.limit*asleepFor || cpu-w.first >= w.limit
}

// threadsMax is the number of threads a worker may have; those of known cores have one.
const threadsMax = 64

// crowded reports whether a process has more threads than a worker may have. No
// limit of the system counts them, and each takes memory that none counts either.
func crowded(pid int) bool { return threads(pid) > threadsMax }
