package emucore

import (
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// look has f look at a process.
func look(pid int, f func(windows.Handle) bool) bool {
	if pid <= 0 {
		return false
	}
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return false
	}
	defer windows.CloseHandle(h)
	return f(h)
}

// onWine is set on Wine, which as of version 8 answers a question for any process's CPU time with the caller's own.
var onWine = windows.NewLazySystemDLL("ntdll.dll").NewProc("wine_get_version").Find() == nil

// cpuTime returns the CPU time that a process has used; ok is false where it is not known.
func cpuTime(pid int) (used time.Duration, ok bool) {
	ok = !onWine && look(pid, func(h windows.Handle) (known bool) {
		used, known = timeOf(h)
		return known
	})
	return used, ok
}

// timeOf returns the CPU time of a process, in the system and outside it.
func timeOf(process windows.Handle) (used time.Duration, ok bool) {
	var begun, ended, kernel, user windows.Filetime
	if windows.GetProcessTimes(process, &begun, &ended, &kernel, &user) != nil {
		return 0, false
	}
	return span(kernel) + span(user), true
}

// span returns a length of time that Windows counts in units of 100 ns.
func span(f windows.Filetime) time.Duration {
	return 100 * time.Duration(int64(f.HighDateTime)<<32|int64(f.LowDateTime))
}

// asleepFor is how many times longer a worker may sleep than work. Windows does not distinguish a process that sleeps
// from one that waits for a processor or for its core's pages, which may take seconds from a busy disk.
const asleepFor = 5

// activity is how far a process had come at the last look, in cycles of a processor.
type activity struct{ cycles uint64 }

var cyclesOf = windows.NewLazySystemDLL("kernel32.dll").NewProc("QueryProcessCycleTime")

// sleeps reports whether a process has done nothing at all since the last look, as far as is known: Wine counts no cycles.
// Windows does not tell by a simple call whether it could.
func (a *activity) sleeps(pid int) bool {
	before := *a
	counted := cyclesOf.Find() == nil && look(pid, func(h windows.Handle) bool {
		ok, _, _ := cyclesOf.Call(uintptr(h), uintptr(unsafe.Pointer(&a.cycles)))
		return ok != 0 && a.cycles != 0
	})
	return !counted || *a == before
}

// threads returns the number of a process's threads, 0 if unknown.
func threads(pid int) int {
	all, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return 0
	}
	defer windows.CloseHandle(all)
	p := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err = windows.Process32First(all, &p); err == nil; err = windows.Process32Next(all, &p) {
		if int(p.ProcessID) == pid {
			return int(p.Threads)
		}
	}
	return 0
}
