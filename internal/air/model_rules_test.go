package air

import (
	"slices"

	"github.com/nettplay/nettplay/internal/ds"
)

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
