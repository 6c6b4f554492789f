package air

// #cgo LDFLAGS: -lsynchronization
// #include <stdlib.h>
// #include "events_windows.h"
import "C"

import (
	"errors"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// SharedMemory makes memory in common with workers, and the mapping by which they get it, which has no
// name. Its size cannot change.
func SharedMemory(name string, size int) (*os.File, []byte, error) {
	h, err := windows.CreateFileMapping(windows.InvalidHandle, nil, windows.PAGE_READWRITE, uint32(uint64(size)>>32), uint32(size), nil)
	if err != nil {
		return nil, nil, os.NewSyscallError("CreateFileMapping", err)
	}
	file := os.NewFile(uintptr(h), name)
	at, err := windows.MapViewOfFile(h, windows.FILE_MAP_READ|windows.FILE_MAP_WRITE, 0, 0, uintptr(size))
	if err != nil {
		file.Close()
		return nil, nil, os.NewSyscallError("MapViewOfFile", err)
	}
	return file, unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&at))), size), nil
}

// Release gives the memory of [SharedMemory] back.
func Release(mem []byte) error {
	return os.NewSyscallError("UnmapViewOfFile", windows.UnmapViewOfFile(uintptr(unsafe.Pointer(&mem[0]))))
}

// callers are what consoles wake each other by: an event for each word that somebody sleeps on
// (futex_windows.c).
type callers struct {
	mem    []byte
	events []windows.Handle
}

func newCallers(mem []byte) (_ callers, err error) {
	c := callers{mem: mem}
	var table [C.NP_AIR_EVENTS]unsafe.Pointer
	for i := range table {
		e, err := windows.CreateEvent(nil, 0, 0, nil)
		if err != nil {
			return callers{}, errors.Join(os.NewSyscallError("CreateEvent", err), c.closeEvents())
		}
		c.events = append(c.events, e)
		*(*windows.Handle)(unsafe.Pointer(&table[i])) = e
	}
	if C.np_events_add(unsafe.Pointer(&mem[0]), &table[0]) != 0 {
		return callers{}, errors.Join(errors.New("out of memory"), c.closeEvents())
	}
	return c, nil
}

func (c callers) close() error {
	C.np_events_drop(unsafe.Pointer(&c.mem[0]))
	return c.closeEvents()
}

func (c callers) closeEvents() (err error) {
	for _, e := range c.events {
		err = errors.Join(err, windows.CloseHandle(e))
	}
	return err
}

// Events are the events by which consoles wake each other, for a worker that gets [Air.File].
func (a *Air) Events() []windows.Handle { return a.calls.events }
