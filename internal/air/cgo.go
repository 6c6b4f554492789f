package air

/*
#cgo CFLAGS: -std=gnu17 -O2 -Wall -Wextra -Wconversion -Wshadow -fvisibility=hidden
#cgo linux CFLAGS: -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
#include "air.h"
#include "lock.h"
*/
import "C"

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"github.com/nettplay/nettplay/internal/ds"
)

// The numbers of air.h. Only this file and radio.go name C, and nothing of it leaves the
// package.
const (
	sharedSize = int(unsafe.Sizeof(C.struct_np_air{}))
	packetMax  = C.NP_AIR_PACKET
	queueMax   = C.NP_AIR_QUEUE
	slots      = C.NP_AIR_SLOTS
	outboxMax  = C.NP_AIR_OUTBOX
	everyone   = C.NP_AIR_EVERYONE
	records    = C.NP_AIR_RECORDS
	kept       = C.NP_AIR_KEPT
	skewMax    = C.NP_AIR_SKEW_MAX
	grantMax   = C.NP_AIR_GRANT
	idleMin    = C.NP_AIR_IDLE
	noHost     = C.NP_AIR_NO_HOST
	unknown    = C.NP_AIR_UNKNOWN
	longest    = C.NP_AIR_LONG
	silence    = C.NP_AIR_SILENT
	strideMax  = C.NP_AIR_STRIDE
	frameMax   = int64(C.NP_AIR_FRAME_MAX)
)

// where is enum np_where.
type where = uint8

const (
	absent  where = C.NP_ABSENT
	off     where = C.NP_OFF
	waiting where = C.NP_WAITING
	running where = C.NP_RUNNING
	polling where = C.NP_POLLING
	blocked where = C.NP_BLOCKED
	parked  where = C.NP_PARKED
)

func whereName(w where) string {
	names := [...]string{
		absent: "absent", off: "off the air", waiting: "waiting", running: "running",
		polling: "polling", blocked: "blocked", parked: "parked",
	}
	if int(w) < len(names) {
		return names[w]
	}
	return fmt.Sprintf("state %d", w)
}

// event is enum np_event.
type event uint8

const (
	evNothing   event = C.NP_NOTHING
	evSend      event = C.NP_SEND
	evPoll      event = C.NP_POLL
	evBlock     event = C.NP_BLOCK
	evHostBlock event = C.NP_HOST_BLOCK
	evEnd       event = C.NP_END
	evEndSilent event = C.NP_END_SILENT
	evGone      event = C.NP_GONE
)

// answer is enum np_answer.
type answer uint8

const (
	none    answer = C.NP_NONE
	packet  answer = C.NP_PACKET
	gaveUp  answer = C.NP_GIVE_UP
	noOwner        = -1
)

// state is struct np_state: a private copy, in the form that np_air_check
// leaves it in.
type state = C.struct_np_state

// shared is the memory that all workers have mapped.
type shared struct {
	air *C.struct_np_air
}

func sharedAt(mem []byte) shared {
	return shared{(*C.struct_np_air)(unsafe.Pointer(&mem[0]))}
}

// burials are the seats whose workers are dead, a bit for each. More may die while somebody waits
// for what they have kept.
type burials struct{ seats atomic.Uint32 }

func (b *burials) add(seat ds.Seat)    { b.seats.Or(1 << seat) }
func (b *burials) remove(seat ds.Seat) { b.seats.And(^uint32(1 << seat)) }
func (b *burials) clear()              { b.seats.Store(0) }

func (b *burials) word() *C.uint32_t { return (*C.uint32_t)(unsafe.Pointer(&b.seats)) }

// enter takes the lock and makes st a checked copy of the state, or says who has
// kept the lock for too long. After noOwner, leave must follow.
func (s shared) enter(dead *burials, st *state) (owner int) {
	return int(C.np_air_enter(s.air, dead.word(), st))
}

// leave puts st in the place of the state, takes a decision if that makes one
// possible, and gives the lock back. With nil nothing changes.
func (s shared) leave(st *state) { C.np_air_leave(s.air, st) }

// mend takes dead workers off the air.
func (s shared) mend(dead *burials) (owner int) { return int(C.np_air_mend(s.air, dead.word())) }

// event lets a console arrive and does not wait for its turn; see [radio].
func (s shared) event(seat ds.Seat, e event) (owner int) {
	return int(C.np_air_event(s.air, C.int(seat), C.enum_np_event(e)))
}

// arrive notes what a console of this process has come to, in a state that leave then
// takes a decision on.
func (s shared) arrive(st *state, seat ds.Seat, e event) {
	C.np_air_arrive(st, &s.air.post, C.int(seat), C.enum_np_event(e))
}

// alone says that a seat is in nobody's game, as far as grants go.
func (s shared) alone(seat ds.Seat) {
	o := &s.air.post.out[seat]
	o.host, o.ahead, o.own = noHost, unknown, 0
}

// account returns a seat's word of its time. A value that makes no sense says nothing.
func (s shared) account(seat ds.Seat) account {
	o := &s.air.post.out[seat]
	said := account{host: noHost, ahead: uint8(min(o.ahead, unknown))}
	if host := o.host; host < C.NP_AIR_SEATS {
		said.host = uint8(host)
	}
	return said
}

// tell has a seat say it.
func (s shared) tell(seat ds.Seat, said account) {
	o := &s.air.post.out[seat]
	o.host, o.ahead = C.uint32_t(said.host), C.uint32_t(said.ahead)
}

// put adds a packet to a seat's outbox.
func (s shared) put(seat ds.Seat, data []byte, to int) {
	o := &s.air.post.out[seat]
	k := &o.slot[o.count%outboxMax]
	k.to, k.len = C.uint16_t(to), C.uint32_t(copy(unsafe.Slice((*byte)(unsafe.Pointer(&k.data[0])), packetMax), data))
	atomic.AddUint32((*uint32)(unsafe.Pointer(&o.count)), 1)
}

// recordBuffer is room for all records there can be.
type recordBuffer = [records]C.struct_np_record

// trace copies the records from number next on.
func (s shared) trace(dead *burials, next uint64, to *recordBuffer) (got []Record, end uint64, owner int) {
	var o C.int
	cnext := C.uint64_t(next)
	n := C.np_air_trace(s.air, dead.word(), &cnext, &to[0], &o)
	for i := range int(n) {
		r := &to[i]
		got = append(got, Record{
			Frame: int64(r.frame), Round: uint64(r.round), Seat: ds.Seat(r.seat),
			To: int(r.to), Len: int(r.len), Hash: uint64(r.hash),
		})
	}
	return got, uint64(cnext), int(o)
}

func (s shared) setSerial(on bool) {
	if on {
		s.air.serial = 1
	}
}

// batonElsewhere says that in serial mode it is not this seat's turn to run.
func (s shared) batonElsewhere(seat ds.Seat) bool {
	word := atomic.LoadUint32((*uint32)(unsafe.Pointer(&s.air.baton)))
	return s.air.serial != 0 && C.np_lock_owner(C.uint32_t(word)) != C.int(seat)
}

// queued returns a copy of packet n of a seat's queue. Its length is a claim
// like everything there, read once.
func (s shared) queued(seat ds.Seat, n uint32) (p flying, ok bool) {
	k := &s.air.post.queue[seat].slot[n%slots]
	size := int(k.len)
	if size > packetMax {
		return p, false
	}
	p = flying{from: ds.Seat(k.from), to: ds.Seat(k.to)}
	p.data = append(p.data, unsafe.Slice((*byte)(unsafe.Pointer(&k.data[0])), size)...)
	return p, true
}

// enqueue writes packet n of a seat's queue.
func (s shared) enqueue(seat ds.Seat, n uint32, p flying) {
	k := &s.air.post.queue[seat].slot[n%slots]
	k.from, k.to, k.len = C.uint16_t(p.from), C.uint16_t(p.to), C.uint32_t(len(p.data))
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&k.data[0])), packetMax), p.data)
}

// sent returns the number of packets that a seat has ever put into its outbox.
func (s shared) sent(seat ds.Seat) uint32 { return uint32(s.air.post.out[seat].count) }

// passed notes that a seat has answered so many polls by itself since it was let
// run.
func (s shared) passed(seat, n int) { s.air.post.out[seat].own = C.uint32_t(n) }

// told is the air's answer that a console was let run with: see struct np_door. The data of a packet
// begins with its sender.
type told struct {
	answer answer
	mute   bool
	grant  int
	leave  int
	stride int
	data   []byte
}

// door returns the last answer to a seat.
func (s shared) door(seat ds.Seat) (turn uint32, r told) {
	d := &s.air.post.door[seat]
	r = told{answer: answer(d.answer), mute: d.mute != 0, grant: int(d.grant), leave: int(d.leave), stride: int(d.stride)}
	if d.answer == C.NP_PACKET {
		size := min(int(d.packet.len), packetMax)
		r.data = append(r.data, byte(d.packet.from))
		r.data = append(r.data, unsafe.Slice((*byte)(unsafe.Pointer(&d.packet.data[0])), size)...)
	}
	return uint32(d.turn), r
}

// C's integers, for files without C in them.
func cUint8(v where) C.uint8_t    { return C.uint8_t(v) }
func cUint32(v int) C.uint32_t    { return C.uint32_t(v) }
func cUint64(v uint64) C.uint64_t { return C.uint64_t(v) }
func cInt64(v int64) C.int64_t    { return C.int64_t(v) }

// seatState is struct np_seat.
type seatState = C.struct_np_seat
