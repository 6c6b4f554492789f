package chaos

import (
	"context"
	"os"
	"time"

	"github.com/nettplay/nettplay/internal/testing/child"
	"github.com/nettplay/nettplay/internal/testing/impair"
)

// simulatedActs are how each kind is done to simulated machines.
var simulatedActs = map[Kind]func(s *simulation, e Event) (did bool, how string){
	KillWorker: func(s *simulation, e Event) (bool, string) {
		m := s.machines[e.Machine]
		return !m.over() && m.consoles.Kill(), ""
	},
	KillPeer:   simulateKill,
	KillHost:   simulateKill,
	Leave:      simulateLeave,
	HostLeaves: simulateLeave,
	Freeze:     simulateFreeze,
	Dark:       simulateDark,
	DarkLong:   simulateDark,
	Dark40:     simulateDark,
	Cut: func(s *simulation, e Event) (bool, string) {
		s.net.Blackout(time.Hour, Name(e.Machine))
		return s.alive(e.Machine), ""
	},
	OneWay: func(s *simulation, e Event) (bool, string) {
		s.net.SetLine(Name(e.Machine), Name(0), impair.Impairment{Loss: 1})
		s.later(e.Length, func() { s.net.SetLine(Name(e.Machine), Name(0), s.plan.Lines[e.Machine]) })
		return s.alive(e.Machine), ""
	},
	Worse: func(s *simulation, e Event) (bool, string) {
		s.wire(e.Machine, s.plan.worse(e.Machine))
		return s.alive(e.Machine), ""
	},
	Fault:     func(s *simulation, e Event) (bool, string) { return s.alive(e.Machine), "" },
	Join:      simulateJoin,
	JoinGone:  simulateJoin,
	Again:     simulateJoin,
	Watch:     simulateWatch,
	WatchSlow: simulateWatch,
	WatchGone: simulateWatch,
	DiskFull: func(s *simulation, e Event) (bool, string) {
		m := s.machines[e.Machine]
		if m.over() {
			return false, ""
		}
		m.fill(true)
		turn := s.turns.Turn(stageClass, e.Length)
		s.jobs.Go(func() {
			turn.Wait(s.stop)
			m.fill(false)
		})
		return true, ""
	},
}

func (s *simulation) alive(machine int) bool { return !s.machines[machine].over() }

// kill ends a machine's session without a word.
func (s *simulation) kill(m *simulated) bool {
	if m.over() {
		return false
	}
	m.fill(false)
	m.mu.Lock()
	m.killed, m.left = true, new(Left)
	m.mu.Unlock()
	m.left.readSaves(m)
	s.net.Cut(Name(m.number))
	return true
}

func simulateKill(s *simulation, e Event) (bool, string) { return s.kill(s.machines[e.Machine]), "" }

func simulateLeave(s *simulation, e Event) (bool, string) {
	m := s.machines[e.Machine]
	if m.over() {
		return false, ""
	}
	m.cancel()
	return true, ""
}

func simulateFreeze(s *simulation, e Event) (bool, string) {
	m := s.machines[e.Machine]
	m.frozen = time.Now().Add(e.Length)
	m.consoles.Freeze(e.Length)
	return !m.over(), ""
}

func simulateDark(s *simulation, e Event) (bool, string) {
	s.net.Blackout(e.Length, Name(e.Machine))
	return s.alive(e.Machine), ""
}

// fill has nothing written on a machine's disk, or gives it room again.
func (m *simulated) fill(full bool) {
	from, to := m.at(child.Data), m.at(child.Data)+".full"
	if !full {
		from, to = to, from
	}
	_ = os.Rename(from, to) // it may have been given room when it was killed
}

// hostIn waits a moment for there to be a game host.
func (s *simulation) hostIn() *simulated {
	s.until(findHost, func() bool { return s.host() != nil || s.allOver() })
	return s.host()
}

func simulateJoin(s *simulation, e Event) (bool, string) {
	m, host := s.machines[e.Machine], s.hostIn()
	if host == nil {
		return false, "there is no game host"
	}
	var err error
	m.brought, err = s.plan.inherit(e.Machine, func(machine int, file string) string { return s.machines[machine].at(file) })
	if err != nil {
		return false, err.Error()
	}
	m.join(context.Background(), Name(host.number))
	if e.Kind == JoinGone {
		s.later(e.Length, func() { s.kill(m) })
	}
	return true, "with " + Name(host.number)
}

func simulateWatch(s *simulation, e Event) (bool, string) {
	host := s.hostIn()
	if host == nil {
		return false, "there is no game host"
	}
	m := s.newMachine(e.Machine)
	s.spectators = append(s.spectators, m)
	for _, other := range s.machines {
		s.net.SetLine(Name(m.number), Name(other.number), s.plan.Lines[1])
		s.net.SetLine(Name(other.number), Name(m.number), s.plan.Lines[1])
	}
	m.watch(context.Background(), Name(host.number))
	switch e.Kind {
	case WatchGone:
		s.later(e.Length, func() { s.kill(m) })
	case WatchSlow:
		s.later(e.Length, func() { m.consoles.Freeze(slowFor) })
	}
	return true, "with " + Name(host.number)
}
