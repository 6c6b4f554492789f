package air

import (
	"encoding/binary"
	"hash/fnv"

	"github.com/nettplay/nettplay/internal/ds"
)

// operation is what a program does next. kind evEnd ends the frame; evGone ends
// the console, as a crash does.
type operation struct {
	kind event
	to   int
	data []byte
}

// program is a console that is not emulated: what it does next depends on all
// that it has heard, so whatever goes wrong once makes everything different.
type program struct {
	seed   uint64
	seat   int
	frame  int64
	dies   int64 // in this frame, if it uses its radio in it; -1 never
	h      uint64
	used   bool
	ops    int
	heard  answer
	from   int
	asked  event
	events int // answers so far
	leader int // whose client it is, and how many polls it may be ahead
	behind int
	ahead  int // what is known of its time, as np_radio_follow has it
}

func newProgram(sc *scenario, seat ds.Seat, frame int64) *program {
	p := &program{seed: sc.seed, seat: int(seat), frame: frame, dies: -1, leader: noHost, ahead: unknown}
	if sc.dies == int(seat) {
		p.dies = sc.deathFrame
	}
	p.h = p.dice(uint64(seat), 99)
	return p
}

func scramble(v uint64) uint64 {
	v = (v ^ v>>30) * 0xbf58476d1ce4e5b9
	v = (v ^ v>>27) * 0x94d049bb133111eb
	return v ^ v>>31
}

func (p *program) dice(a, b uint64) uint64 {
	return scramble(p.seed + scramble(a*1000003+scramble(b+uint64(p.seat)<<32)))
}

func (p *program) begin() {
	p.used, p.ops, p.heard, p.asked = false, 0, none, 0
	p.h = scramble(p.h + uint64(p.frame))
}

// next says what it does now.
func (p *program) next() operation {
	p.ops++
	p.h = scramble(p.h)
	quiet := p.dice(uint64(p.frame/3), 1)%4 == 0
	if quiet || p.ops > 24 {
		return p.end()
	}
	if p.frame == p.dies && p.ops == 4 {
		return operation{kind: evGone}
	}
	if lull := scramble(p.seed + uint64(p.frame/8)); lull%3 == 0 {
		return p.listen() // all do
	}
	switch p.dice(uint64(p.frame/5), 2) % 6 {
	case 0:
		return p.host()
	case 1, 2:
		return p.client()
	case 3:
		return p.idle()
	case 4:
		if p.h%10 == 0 {
			return p.send(everyone) // a storm
		}
	}
	return p.anything()
}

func (p *program) end() operation {
	if p.used {
		return operation{kind: evEnd}
	}
	return operation{kind: evEndSilent}
}

func (p *program) ask(e event) operation {
	p.used, p.asked = true, e
	if e == evPoll && p.leader == noHost && p.ahead > 0 && p.ahead < unknown {
		p.ahead--
	}
	return operation{kind: e}
}

func (p *program) send(to int) operation {
	p.used = true
	p.ahead = int(p.h >> 20 % 8)
	if p.leader != noHost || p.ahead == 0 {
		p.ahead = unknown
	}
	size := 1 + p.h>>8%40
	if p.h>>16%64 == 0 {
		size = packetMax
	}
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(p.h >> (i % 8 * 8))
	}
	return operation{kind: evSend, to: to, data: data}
}

func (p *program) host() operation {
	switch {
	case p.ops%5 == 1:
		return p.send(everyone)
	case p.ops > 20:
		return p.end()
	case p.ops%5 == 0:
		return p.ask(evPoll)
	}
	return p.ask(evHostBlock)
}

func (p *program) client() operation {
	heard := p.heard
	p.heard = none
	switch {
	case heard == packet:
		return p.send(p.from)
	case heard == gaveUp && p.h%3 == 0:
		return p.end()
	}
	return p.ask(evBlock)
}

func (p *program) idle() operation {
	switch {
	case p.ops == 1:
		return p.send(everyone) // somebody may follow it from now on
	case p.ops > 9:
		return p.end()
	}
	return p.ask(evPoll)
}

func (p *program) listen() operation {
	switch r := p.h >> 32 % 100; {
	case p.frame%8 > 4 && r == 0:
		return p.send(everyone)
	case p.frame%8 > 4 && r < 4:
		return p.ask(evBlock)
	case p.ops > 20 && r < 30:
		return p.end()
	}
	return p.ask(evPoll)
}

func (p *program) anything() operation {
	switch r := p.h >> 32 % 100; {
	case r < 30:
		return p.ask(evPoll)
	case r < 45:
		return p.send(everyone)
	case r < 60:
		return p.send(int(p.h >> 40 % 20)) // some seats do not exist
	case r < 62:
		for range 3 {
			p.h = scramble(p.h)
		}
		return p.send(everyone)
	case r < 85:
		return p.ask(evBlock)
	}
	return p.end()
}

// hear takes an answer in.
func (p *program) hear(a answer, data []byte) {
	p.events++
	p.heard = a
	h := fnv.New64a()
	h.Write(binary.BigEndian.AppendUint64(nil, p.h))
	h.Write([]byte{byte(a)})
	h.Write(data)
	p.h = h.Sum64()
	if a == packet {
		p.from = int(data[0])
		p.leader, p.behind, p.ahead = p.from, int(p.h>>50%3), int(p.h>>48%2)
		if p.h>>52%16 == 0 {
			p.leader, p.behind = []int{noHost, 77, p.seat, p.from}[p.h>>56%4], int(p.h>>58%3)*255
		}
	}
}

// mutedAnswer is what a muted console tells itself.
func mutedAnswer(e event) answer {
	if e == evPoll {
		return none
	}
	return gaveUp
}
