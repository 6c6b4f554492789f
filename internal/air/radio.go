package air

/*
#include "air.h"
*/
import "C"

import (
	"unsafe"

	"github.com/nettplay/nettplay/internal/ds"
)

// radio is a console's end of the air inside this process. A console in a
// worker process calls the same functions from C; this is for consoles that
// are not emulated: the tests', whose files cannot hold C.
type radio struct {
	r C.struct_np_radio
}

func newRadio(s shared, seat ds.Seat) *radio {
	r := &radio{}
	C.np_radio_open(&r.r, s.air, C.int(seat))
	return r
}

// follow sets whose client the console is, and what is known of its time.
func (r *radio) follow(host, behind, ahead int) {
	C.np_radio_follow(&r.r, C.uint(host), C.uint(behind), C.uint(ahead))
}

func (r *radio) begin() { C.np_radio_begin(&r.r) }
func (r *radio) end()   { C.np_radio_end(&r.r) }

func (r *radio) send(data []byte, to int) bool {
	return C.np_radio_send(&r.r, unsafe.Pointer(unsafe.SliceData(data)), C.size_t(len(data)), C.uint(to)) == 0
}

// poll returns the sender and the bytes of a packet, if there is one.
func (r *radio) poll(e event) (answer, []byte) {
	a := answer(C.np_radio_poll(&r.r, C.enum_np_event(e)))
	if a != packet {
		return a, nil
	}
	k := &r.r.packet
	data := []byte{byte(k.from)}
	return a, append(data, unsafe.Slice((*byte)(unsafe.Pointer(&k.data[0])), int(k.len))...)
}

// put does send's work on the air without checking the console's position.
func (r *radio) put(data []byte, to int) {
	r.r.in_frame, r.r.on = 1, 1
	r.send(data, to)
}
