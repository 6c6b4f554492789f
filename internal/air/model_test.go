package air

import (
	"hash/fnv"
	"slices"

	"github.com/nettplay/nettplay/internal/ds"
)

// model is the air again, written from the rules in doc.go for reading and not
// for speed, and independently of rules.c. It has no threads and no memory to
// share: its driver says what consoles come to and asks for answers.
type model struct {
	skew       int64
	plain      bool
	open, stop int64
	noise      int64 // in which frame something was sent last
	round      uint64
	trace      []Record
	chain      uint64
	count      uint64
	seats      [ds.MaxSeats]*modelConsole
}

type modelConsole struct {
	frame    int64
	onAir    bool
	idle     int // polls in a row that got nothing
	host     int // whose client it is; noHost
	behind   int
	ahead    int   // see np_radio_follow
	known    bool  // it has said something since all stood at a stop
	own      int   // polls that it has answered itself since it was let run
	standing event // what it stands at; 0 while it runs. evEnd: parked
	sent     []flying
	queue    []flying
	reply    *reply
	giveUps  int
	fallen   int
}

type reply = told

func newModel(skew int, stop int64) *model {
	return &model{skew: int64(skew), open: frameMax, stop: stop}
}

// --- what a driver does ---

func (m *model) event(seat ds.Seat, e event) {
	c := m.seats[seat]
	c.known = true
	switch {
	case e == evEnd && c.onAir:
		c.frame++
		c.idle = 0
		c.standing = evEnd
	case e == evEnd || e == evEndSilent:
		c.frame++
		c.onAir, c.queue, c.idle = false, nil, 0
	case e == evSend && c.onAir:
	default:
		c.standing = e
		if c.onAir {
			c.stand()
		}
	}
	m.decide()
}

// stand notes that a console has come to a poll.
func (c *modelConsole) stand() {
	c.idle = min(c.idle+c.own+1, 255)
	if c.standing != evPoll {
		c.idle = 0
	}
}

func (m *model) follow(seat, host, behind, ahead int) {
	c := m.seats[seat]
	c.host, c.behind, c.ahead = host, behind, ahead
}

func (m *model) passed(seat, polls int) { m.seats[seat].own = polls }

func (m *model) put(seat ds.Seat, data []byte, to int) {
	c := m.seats[seat]
	c.sent = append(c.sent, flying{from: seat, to: ds.Seat(to), data: slices.Clone(data)})
}

func (m *model) answered(seat ds.Seat) (reply, bool) {
	c := m.seats[seat]
	if c.reply == nil {
		return reply{}, false
	}
	r := *c.reply
	c.reply = nil
	return r, true
}

func (m *model) plug(seat ds.Seat)   { m.seats[seat] = &modelConsole{frame: m.stop, host: noHost} }
func (m *model) unplug(seat ds.Seat) { m.seats[seat] = nil }
func (m *model) dead(seat ds.Seat)   { m.seats[seat] = nil; m.decide() }
func (m *model) openTo(f int64)      { m.open = f; m.decide() }
func (m *model) stopAt(f int64) {
	m.noise, m.stop = m.stop, f
	for _, i := range m.those(func(*modelConsole) bool { return true }) {
		m.seats[i].known = false
	}
	m.decide()
}

func (m *model) records() []Record {
	return m.trace
}

func (m *model) save() []byte {
	p := &picture{skew: int(m.skew), plain: m.plain, stop: m.stop, round: m.round, chain: m.chain, records: m.count}
	for i, c := range m.seats {
		if c != nil {
			p.consoles = append(p.consoles, console{seat: ds.Seat(i), onAir: c.onAir, queue: c.queue})
		}
	}
	b, err := p.encode()
	if err != nil {
		panic(err)
	}
	return b
}

// --- the rules ---

// begun is the frame that a console has begun last.
func (c *modelConsole) begun() int64 {
	if c.standing == evEnd {
		return c.frame - 1
	}
	return c.frame
}

func (c *modelConsole) blocked() bool {
	return c.onAir && (c.standing == evBlock || c.standing == evHostBlock)
}

// run lets a console run. It asks less often if nobody has sent anything for long.
func (m *model) run(c *modelConsole, r reply) {
	clients := m.those(func(o *modelConsole) bool { return o.onAir && o.known && o.host < ds.MaxSeats && m.seats[o.host] == c })
	r.stride = strideMax
	if r.answer == packet || len(c.queue) > 0 || c.frame <= m.noise+silence || len(clients) > 0 {
		r.stride = 1
	}
	c.standing, c.reply, c.own = 0, &r, 0
}

// those returns the seats for which f is true, ascending.
func (m *model) those(f func(c *modelConsole) bool) (seats []ds.Seat) {
	for i, c := range m.seats {
		if c != nil && f(c) {
			seats = append(seats, ds.Seat(i))
		}
	}
	return seats
}

func (m *model) frames(seats []ds.Seat, frame func(c *modelConsole) int64) (list []int64) {
	for _, i := range seats {
		list = append(list, frame(m.seats[i]))
	}
	return list
}

func (m *model) decide() {
	onAir := m.those(func(c *modelConsole) bool { return c.onAir })
	waiting := m.those(func(c *modelConsole) bool { return !c.onAir && c.standing != 0 })
	free := m.those(func(c *modelConsole) bool { return !c.onAir && c.standing == 0 })

	// Nobody on the air runs.
	for _, i := range onAir {
		if m.seats[i].standing == 0 {
			return
		}
	}
	// Where they are, or where the air would begin.
	begun := m.frames(onAir, (*modelConsole).begun)
	if len(onAir) == 0 {
		if len(waiting) == 0 {
			return
		}
		begun = []int64{slices.Min(m.frames(waiting, (*modelConsole).begun))}
	}
	// Everybody off the air has finished these frames or waits.
	for _, i := range free {
		if m.seats[i].frame <= slices.Max(begun) {
			return
		}
	}
	if m.collect(onAir) {
		m.noise = max(m.noise, slices.Max(begun))
	}
	let := m.admit(waiting, slices.Min(begun))
	before, high := m.standing(), slices.Max(begun)
	let = append(let, m.rule1()...)
	blocked := m.those((*modelConsole).blocked)
	if len(let) == 0 && len(blocked) > 0 {
		var wait bool
		if let, wait = m.rule2(); wait {
			return
		}
		if len(let) == 0 {
			c := m.seats[blocked[0]]
			c.giveUps++
			m.run(c, reply{answer: gaveUp, mute: len(blocked) == 1})
			let = blocked[:1]
		}
	}
	if len(let) > 0 {
		m.leaves(before, high)
		m.round++
	}
}

// standing is what each console stands at.
func (m *model) standing() (e [ds.MaxSeats]event) {
	for i, c := range m.seats {
		if c != nil && c.onAir {
			e[i] = c.standing
		}
	}
	return e
}

// collect reports whether there was a packet.
func (m *model) collect(onAir []ds.Seat) (any bool) {
	for _, i := range onAir {
		c := m.seats[i]
		if extra := len(c.sent) - outboxMax; extra > 0 {
			c.sent = c.sent[extra:]
			c.fallen += extra
		}
		if len(c.sent) > 0 {
			c.idle = 0
			if c.standing == evPoll {
				c.idle = 1
			}
		}
		for _, p := range c.sent {
			any = true
			m.note(c.begun(), p)
			for _, j := range onAir {
				if j == i || p.to != j && p.to != everyone {
					continue
				}
				to := m.seats[j]
				to.queue = append(to.queue, p)
				if len(to.queue) > queueMax {
					to.queue = to.queue[1:]
					to.fallen++
				}
			}
		}
		c.sent = nil
	}
	return any
}

func (m *model) note(frame int64, p flying) {
	h := fnv.New64a()
	h.Write(p.data)
	r := Record{Frame: frame, Round: m.round, Seat: p.from, To: int(p.to), Len: len(p.data), Hash: h.Sum64()}
	m.trace = append(m.trace, r)
	m.count++
	for _, v := range []uint64{uint64(frame), r.Round, r.Hash, uint64(r.Len)<<32 | uint64(r.Seat)<<16 | uint64(r.To)} {
		x := (m.chain ^ v) * 0x9e3779b97f4a7c15
		m.chain = x ^ x>>29
	}
}

func (m *model) admit(waiting []ds.Seat, slowest int64) (let []ds.Seat) {
	for _, i := range waiting {
		c := m.seats[i]
		if c.frame > slowest {
			continue
		}
		c.onAir = true
		if c.standing != evSend {
			c.stand()
		} else {
			m.run(c, reply{answer: none})
			let = append(let, i)
		}
	}
	return let
}

func (m *model) lowest() int64 {
	low := frameMax
	for _, i := range m.those(func(c *modelConsole) bool { return c.onAir }) {
		low = min(low, m.seats[i].frame)
	}
	return low
}

func (m *model) rule1() (let []ds.Seat) {
	var passing []ds.Seat
	low := m.lowest()
	for _, i := range m.those(func(c *modelConsole) bool { return c.onAir && c.standing != 0 }) {
		c := m.seats[i]
		switch {
		case c.standing == evEnd:
			if c.frame != low || low >= m.stop || low >= m.open {
				continue
			}
			m.run(c, reply{answer: none})
		case len(c.queue) > 0:
			p := c.queue[0]
			c.queue = c.queue[1:]
			c.idle = 0
			m.run(c, reply{answer: packet, data: append([]byte{byte(p.from)}, p.data...)})
		case c.standing == evPoll:
			m.run(c, reply{answer: none})
			passing = append(passing, ds.Seat(int(i)))
		default:
			continue
		}
		let = append(let, ds.Seat(int(i)))
	}
	return append(let, m.grant(passing)...)
}

// grant lets clients pass some time whose hosts have been told that there is no
// packet for them.
func (m *model) grant(passing []ds.Seat) (let []ds.Seat) {
	for _, i := range m.those((*modelConsole).blocked) {
		c := m.seats[i]
		if m.plain || c.standing != evBlock || c.behind >= 255 || !slices.Contains(passing, ds.Seat(c.host)) {
			continue
		}
		if m.until(c.host, c) == 0 {
			m.run(c, reply{answer: gaveUp, grant: grantMax - 1})
			let = append(let, ds.Seat(int(i)))
		}
	}
	return let
}

// leaves lets those go on for a while by themselves that were told that there is no
// packet for them, or that begin a frame. before says where they stood, high
// which was the highest frame.
func (m *model) leaves(before [ds.MaxSeats]event, high int64) {
	for i, c := range m.seats {
		if m.plain || c == nil || c.standing != 0 || c.reply == nil || c.reply.answer != none {
			continue
		}
		if before[i] != evPoll && before[i] != evEnd {
			continue
		}
		n := longest
		for j, other := range m.seats {
			if j != i && other != nil {
				n = min(n, m.leave(i, j, before[j], high))
			}
		}
		c.reply.leave = max(n-1, 0)
	}
}

// leave is for how many polls of seat i seat j can do nothing about.
func (m *model) leave(i, j int, before event, high int64) int {
	c, other := m.seats[i], m.seats[j]
	switch {
	case !other.onAir && c.frame <= high && other.frame > c.frame:
		return longest
	case !other.onAir:
		return 0
	case other.standing == 0 && m.quiet(i, other, before):
		return m.claim(i)
	case other.standing == 0:
		return 0
	case other.standing == evBlock && other.host == i && other.behind < unknown:
		return m.until(i, other)
	}
	return longest
}

// quiet: other runs on after an ack of seat i.
func (m *model) quiet(i int, other *modelConsole, before event) bool {
	switch {
	case other.host != i || m.claim(i) == unknown || other.frame < m.seats[i].frame:
		return false
	case before == evEnd:
		return other.known && other.ahead > 0
	}
	r := other.reply
	return before == evBlock && r.answer == packet && int(r.data[0]) == i && len(other.queue) == 0
}

// claim is what a game host says of its clients' time.
func (m *model) claim(host int) int {
	if c := m.seats[host]; c.known && c.host == noHost && c.ahead < unknown {
		return c.ahead
	}
	return unknown
}

// until is how many more idle polls of its host a client needs to be granted time.
func (m *model) until(host int, client *modelConsole) int {
	idle := m.seats[host].idle
	n := max(idleMin+client.behind-idle, 0)
	if claim := m.claim(host); client.behind > 0 && claim < unknown {
		n = min(n, max(claim, idleMin-idle))
	}
	return n
}

func (m *model) rule2() (let []ds.Seat, wait bool) {
	low := m.lowest()
	let = m.those(func(c *modelConsole) bool {
		return c.onAir && c.standing == evEnd && c.frame <= low+m.skew && c.frame < m.stop
	})
	for _, i := range let {
		if m.seats[i].frame >= m.open {
			return nil, true
		}
	}
	for _, i := range let {
		m.run(m.seats[i], reply{answer: none})
	}
	return let, false
}
