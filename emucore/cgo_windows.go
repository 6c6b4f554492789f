package emucore

// #include "protocol.h"
import "C"

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

func (s *shared) line() *C.struct_np_line {
	return (*C.struct_np_line)(unsafe.Pointer(&s.mem[C.NP_OFF_LINE]))
}

// lineRequest and lineReply are where messages lie.
func (s *shared) lineRequest() *request { return (*request)(unsafe.Pointer(&s.line().request)) }
func (s *shared) lineReply() *reply     { return (*reply)(unsafe.Pointer(&s.line().reply)) }

// workerHandles are the handles that a worker inherits, by their numbers there; 0 for none.
type workerHandles struct {
	ask, answer, rom, air windows.Handle
	events                []windows.Handle // of the air
}

// setHandles tells a worker, before its start, the numbers of what it inherits.
func (s *shared) setHandles(h workerHandles) {
	l := s.line()
	l.ask, l.answer, l.rom, l.air = C.uint64_t(h.ask), C.uint64_t(h.answer), C.uint64_t(h.rom), C.uint64_t(h.air)
	for i, e := range h.events {
		l.air_event[i] = C.uint64_t(e)
	}
}
