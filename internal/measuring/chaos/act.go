package chaos

import (
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"syscall"
	"time"

	"github.com/nettplay/nettplay/internal/testing/badline"
)

// acts do each kind to real processes. They tell whether there was somebody to do it to, and may
// say how.
var acts = map[Kind]func(r *run, e Event) (did bool, how string){
	KillWorker: killWorker, KillPeer: signalled(syscall.SIGKILL), KillHost: signalled(syscall.SIGKILL),
	Leave: signalled(syscall.SIGINT), HostLeaves: signalled(syscall.SIGINT), Freeze: freeze,
	Dark: onLine(darken), DarkLong: onLine(darken), Dark40: onLine(darken), Cut: onLine(cut),
	OneWay: onLine(oneWay), Worse: onLine(worsen), Moved: onLine(move), Garbage: garbage,
	Join: comesIn, JoinGone: comesIn, Again: comesIn, Watch: comesIn, WatchSlow: comesIn, WatchGone: comesIn,
	Fault: itself, DiskFull: itself,
}

func signalled(s syscall.Signal) func(*run, Event) (bool, string) {
	return func(r *run, e Event) (bool, string) { return r.machines[e.Machine].signal(s), "" }
}

// killWorker kills the console that was started last.
func killWorker(r *run, e Event) (bool, string) {
	consoles := r.machines[e.Machine].consoles()
	if len(consoles) == 0 {
		return false, "it has no console"
	}
	pid := slices.Max(consoles)
	return syscall.Kill(pid, syscall.SIGKILL) == nil, fmt.Sprintf("process %d", pid)
}

func freeze(r *run, e Event) (bool, string) {
	m := r.machines[e.Machine]
	if !m.signal(syscall.SIGSTOP) {
		return false, ""
	}
	r.later(e.Length, func() { m.signal(syscall.SIGCONT) })
	return true, ""
}

// onLine does something to a machine's line.
func onLine(do func(r *run, e Event, line *badline.Relay) error) func(*run, Event) (bool, string) {
	return func(r *run, e Event) (bool, string) {
		if err := do(r, e, r.machines[e.Machine].line); err != nil {
			return false, err.Error()
		}
		return r.alive(e.Machine), ""
	}
}

func darken(_ *run, e Event, line *badline.Relay) error { line.Blackout(e.Length); return nil }
func cut(_ *run, _ Event, line *badline.Relay) error    { line.Blackout(time.Hour); return nil }
func move(_ *run, _ Event, line *badline.Relay) error   { line.Rebind(); return nil }
func worsen(r *run, e Event, line *badline.Relay) error { return line.Set(r.plan.worse(e.Machine)) }

func oneWay(r *run, e Event, line *badline.Relay) error {
	usual, bad := r.plan.Lines[e.Machine], r.plan.Lines[e.Machine]
	bad.Loss = 1
	r.later(e.Length, func() { _ = line.SetOne(badline.ToTarget, usual) })
	return line.SetOne(badline.ToTarget, bad)
}

// garbage sends datagrams that make no sense to every machine, from one socket and
// from many.
func garbage(r *run, e Event) (bool, string) {
	dice := rand.New(rand.NewPCG(r.plan.Seed, 7))
	sent := 0
	for range 200 {
		for _, m := range r.machines {
			conn, err := net.Dial("udp4", fmt.Sprintf("127.0.0.1:%d", m.port))
			if err != nil {
				return sent > 0, err.Error()
			}
			for range 1 + dice.IntN(3) {
				b := make([]byte, dice.IntN(1400))
				for i := range b {
					b[i] = byte(dice.Uint32())
				}
				if _, err := conn.Write(b); err == nil {
					sent++
				}
			}
			conn.Close()
		}
		if !r.pause(e.Length / 200) {
			break
		}
	}
	return sent > 0, fmt.Sprintf("%d datagrams", sent)
}

// itself is for what a machine was told at its start.
func itself(r *run, e Event) (bool, string) { return r.alive(e.Machine), "" }
