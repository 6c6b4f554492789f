package air

import (
	"encoding/binary"
	"iter"

	"github.com/nettplay/nettplay/internal/ds"
)

// Durations of a DS' radio, in emulated microseconds, as melonDS has them.
const (
	frameUS    = 16715
	pollUS     = 512
	preambleUS = 96
	windowUS   = 112
	commandUS  = 432
	replyUS    = 256
	ackUS      = 128
	beaconUS   = 102400
)

// Kinds of packets: the first byte of their data. The time follows, and what an ack
// allows.
const (
	kindOther byte = iota
	kindCommand
	kindReply
	kindAck
)

// A pocket is a console whose radio has a DS' timing and which does nothing else: a
// game host, its client, or a bystander that sends something in each frame. It says
// of its time what a worker says (emucore/worker_radio.c).
type pocket struct {
	game  *pocketGame
	seat  int
	us    int64 // its radio's time
	end   int64 // ... at which its frame ends
	heard []int64

	leader, behind, ahead int

	yield func(operation) bool
	hears func() (answer, []byte) // the answer to the last operation
}

// pocketGame is a shared game: seat 0 is the host.
type pocketGame struct {
	clients   int
	bystander bool    // the seat after the last client
	at        int64   // when in its frame the host sends its command
	rounds    int64   // commands a frame
	rest      int64   // frames without any, after each in which there were some
	limit     int64   // an ack allows no more than so much
	phase     []int64 // how much later than the host's each seat's frames end
	skew      int
	grants    bool // clients let themselves be granted time
}

func (g *pocketGame) seats() int {
	if g.bystander {
		return g.clients + 2
	}
	return g.clients + 1
}

func (g *pocketGame) console(seat ds.Seat) *pocket {
	return &pocket{game: g, seat: int(seat), end: frameUS + g.phase[seat], leader: noHost, ahead: unknown}
}

// play is all that the console ever does.
func (p *pocket) play() iter.Seq[operation] {
	return func(yield func(operation) bool) {
		p.yield = yield
		switch {
		case p.seat == 0:
			p.host()
		case p.seat <= p.game.clients:
			p.client()
		default:
			p.stranger()
		}
	}
}

// to lets time go by; false ends the console, here and below.
func (p *pocket) to(us int64) bool {
	for us >= p.end {
		p.us, p.end = p.end, p.end+frameUS
		if !p.yield(operation{kind: evEnd}) {
			return false
		}
	}
	p.us = max(p.us, us)
	return true
}

func (p *pocket) send(kind byte, allows int64, to int) bool {
	data := binary.BigEndian.AppendUint64([]byte{kind}, uint64(p.us))
	data = binary.BigEndian.AppendUint64(data, uint64(allows))
	polls := int((allows + pollUS - 1) / pollUS)
	switch {
	case kind == kindAck && polls > 0:
		p.leader, p.behind, p.ahead = noHost, 0, polls+idleMin
	case kind == kindCommand || kind == kindAck || p.leader == noHost:
		p.leader, p.behind, p.ahead = noHost, 0, unknown
	default:
		p.ahead = 0
	}
	return p.yield(operation{kind: evSend, to: to, data: data})
}

// ask is a poll. It returns the kind and time of a packet, and what it allows.
func (p *pocket) ask(e event) (kind byte, us, allows int64, a answer, ok bool) {
	switch {
	case p.leader != noHost:
		p.ahead = 0
	case e != evPoll:
		p.ahead = unknown
	case p.ahead > 0 && p.ahead < unknown:
		p.ahead--
	}
	if !p.yield(operation{kind: e}) {
		return 0, 0, 0, 0, false
	}
	a, data := p.hears()
	if a != packet {
		return 0, 0, 0, a, true
	}
	from, kind := int(data[0]), data[1]
	us, allows = int64(binary.BigEndian.Uint64(data[2:])), int64(binary.BigEndian.Uint64(data[10:]))
	p.listen(e, from, kind, int((allows+pollUS-1)/pollUS))
	p.heard = append(p.heard, max(p.us, us), us)
	return kind, us, allows, a, true
}

func (p *pocket) listen(e event, from int, kind byte, polls int) {
	switch {
	case kind == kindCommand || kind == kindAck:
		p.leader, p.behind, p.ahead = from, polls, 0
		if e == evBlock && polls > 0 {
			p.ahead = 1
		}
	case p.leader == noHost:
		p.ahead = unknown
	case p.leader == from:
		p.behind, p.ahead = 0, 0
	default:
		p.behind, p.ahead = unknown, 0
	}
	if !p.game.grants {
		p.behind = unknown
	}
}

func (p *pocket) host() {
	poll, due, beacon, done := p.us, p.game.at, int64(0), int64(0)
	for ok := true; ok; {
		switch {
		case p.us >= beacon:
			beacon += beaconUS
			ok = p.to(p.us+preambleUS) && p.send(kindOther, 0, everyone) && p.to(p.us+replyUS)
			poll = p.us
		case p.us >= due:
			due += frameUS / p.game.rounds
			if done++; done%p.game.rounds == 0 {
				due += p.game.rest * frameUS
			}
			ok = p.exchange(min(due, beacon))
			poll = p.us
		case p.us >= poll:
			var a answer
			if _, _, _, a, ok = p.ask(evPoll); a == packet {
				ok = ok && p.to(p.us+replyUS)
				poll = p.us
			} else {
				poll += pollUS
			}
		default:
			ok = p.to(min(beacon, due, poll))
		}
	}
}

func (p *pocket) exchange(next int64) bool {
	if !p.to(p.us+preambleUS) || !p.send(kindCommand, 0, everyone) || !p.to(p.us+commandUS) {
		return false
	}
	n := 0
	for n < p.game.clients {
		kind, _, _, a, ok := p.ask(evHostBlock)
		if !ok {
			return false
		}
		if a == gaveUp {
			break
		}
		if kind == kindReply {
			n++
		}
	}
	if !p.to(p.us + windowUS + int64(p.game.clients)*(10+replyUS)) {
		return false
	}
	allows := max(0, min(p.game.limit, next-p.us)-ackUS)
	if n < p.game.clients {
		allows = preambleUS
	}
	return p.send(kindAck, allows, everyone) && p.to(p.us+ackUS)
}

func (p *pocket) client() {
	for sync, ok := p.us, true; ok; {
		if ok = p.to(sync); !ok {
			return
		}
		kind, us, allows, a, going := p.ask(evBlock)
		if ok = going; a == gaveUp {
			sync = p.us + 8
			continue
		}
		us = max(us, p.us)
		switch kind {
		case kindCommand:
			sync = us + commandUS + windowUS + int64(p.game.clients)*(10+replyUS)
			ok = ok && p.to(us+commandUS) && p.send(kindReply, 0, 0)
		case kindAck:
			sync = us + ackUS + allows
		default:
			sync = us + replyUS
		}
	}
}

func (p *pocket) stranger() {
	for poll, due := p.us, p.us+1000; ; {
		ok := false
		if p.us >= due {
			due += frameUS * (1 + p.game.rest)
			ok = p.send(kindOther, 0, everyone) && p.to(p.us+replyUS)
			poll = p.us
		} else if p.us >= poll {
			_, _, _, _, ok = p.ask(evPoll)
			poll += pollUS
		} else {
			ok = p.to(min(poll, due))
		}
		if !ok {
			return
		}
	}
}
