package mirror

import (
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// The simulated channel, and what a machine does with datagrams.

// send sends one datagram to every machine that m is connected to.
func (s *sim) send(m *machine) {
	for id := range s.machines {
		if _, connected := m.clients[id]; !connected {
			continue
		}
		d := Datagram{Machine: m.id, Round: 7, Frames: []MachineFrame{{m.id, m.frame}}}
		if m.id == 0 {
			for _, f := range m.pressure.Frames() {
				if f.Machine != 0 {
					d.Frames = append(d.Frames, f)
				}
			}
		}
		for seat, l := range m.queues {
			if l != nil {
				d.Acks = append(d.Acks, SeatFrame{ds.Seat(seat), l.Newest()})
			}
		}
		budget := d.Budget()
		if s.budget > 0 {
			budget = s.budget
		}
		d.Windows = m.host.Windows(id, budget)
		s.post(m.id, id, d.Append(nil))
	}
}

// post gives a datagram to the channel.
func (s *sim) post(from, to int, data []byte) {
	s.largest = max(s.largest, len(data))
	if len(data) > MaxDatagram {
		s.t.Fatalf("datagram of %d bytes", len(data))
	}
	copies := 1
	switch r := s.rng.Float64(); {
	case r < s.loss:
		copies = 0
	case r < s.loss+s.double:
		copies = 2
	}
	for range copies {
		at := s.tick + s.latency + s.rng.IntN(s.jitter+1)
		if at < s.blackout[0] || at >= s.blackout[1] {
			s.flying = append(s.flying, packet{at: at, from: from, to: to, data: data})
		}
	}
}

// deliver hands over what arrives in this tick.
func (s *sim) deliver() {
	var later []packet
	due := s.flying
	s.flying = nil
	for _, p := range due {
		m := s.machines[p.to]
		switch {
		case m.dead:
		case p.at > s.tick:
			later = append(later, p)
		case p.cut != nil:
			s.cut(m, p.from, *p.cut)
		case !s.machines[p.from].dead:
			s.receive(m, p)
		}
	}
	s.flying = append(later, s.flying...)
}

// cut carries out a decision.
func (s *sim) cut(m *machine, dead int, d decision) {
	if err := m.queues[d.seat].Cut(d.from, d.end); err != nil {
		s.t.Fatalf("machine %d at frame %d: %v", m.id, m.frame, err)
	}
	m.gone[d.seat] = d.end
	m.pressure.Remove(dead)
}

// receive takes a datagram in.
func (s *sim) receive(m *machine, p packet) {
	must.Succeed(s.t, m.in.Decode(p.data))
	fresh, err := m.clients[p.from].Receive(m.in, func(seat ds.Seat) *inputdelay.Queue { return m.queues[seat] })
	if err != nil {
		s.t.Fatalf("machine %d: %v", m.id, err)
	}
	for _, f := range fresh {
		m.put[f]++
		if m.id == 0 {
			s.relay(m, f.Seat)
		}
	}
	if err := m.host.Ack(p.from, m.in.Acks); err != nil {
		s.t.Fatalf("machine %d: %v", m.id, err)
	}
	for _, f := range m.in.Frames {
		if f.Machine == p.from || p.from == 0 {
			m.pressure.Report(f.Machine, f.Frame)
		}
	}
}

// relay passes on what the game host's machine holds of a seat.
func (s *sim) relay(m *machine, seat ds.Seat) {
	l := m.queues[seat]
	for f, _ := m.host.Next(seat); f <= l.Newest(); f++ {
		in, ok := l.At(f)
		if !ok {
			s.t.Fatalf("frame %d of seat %d was forgotten before it was passed on", f, seat)
		}
		must.Succeed(s.t, m.host.Put(seat, f, in))
	}
}
