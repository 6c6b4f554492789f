package chaos

import (
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"syscall"
	"time"

	"github.com/nettplay/nettplay/internal/link/impair"
)

// acts are how each kind is done to real processes. They tell whether there was
// somebody to do it to, and may say how.
var acts = map[Kind]func(r *run, e Event) (did bool, how string){
	KillWorker: killWorker,
	KillPeer:   signalled(syscall.SIGKILL),
	KillHost:   signalled(syscall.SIGKILL),
	Leave:      signalled(syscall.SIGINT),
	HostLeaves: signalled(syscall.SIGINT),
	Freeze:     freeze,
	Dark:       darken,
	DarkLong:   darken,
	Dark40:     darken,
	Cut:        cut,
	OneWay:     oneWay,
	Worse:      worse,
	Moved:      moved,
	Garbage:    garbage,
	Fault:      itself,
	Join:       join,
	JoinGone:   joinGone,
	Again:      join,
	Watch:      addSpectator,
	WatchSlow:  addSpectator,
	WatchGone:  addSpectator,
	DiskFull:   itself,
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

func darken(r *run, e Event) (bool, string) {
	r.relays[e.Machine].Blackout(e.Length)
	return r.alive(e.Machine), ""
}

func cut(r *run, e Event) (bool, string) {
	r.relays[e.Machine].Blackout(time.Hour)
	return r.alive(e.Machine), ""
}

func oneWay(r *run, e Event) (bool, string) {
	relay, bad := r.relays[e.Machine], r.plan.Lines[e.Machine]
	bad.Loss = 1
	if err := relay.SetOne(impair.ToTarget, bad); err != nil {
		return false, err.Error()
	}
	r.later(e.Length, func() { _ = relay.SetOne(impair.ToTarget, r.plan.Lines[e.Machine]) })
	return r.alive(e.Machine), ""
}

// A line that gets worse has so much more of all.
const (
	worseDelay  = 80 * time.Millisecond
	worseJitter = 40 * time.Millisecond
	worseLoss   = 0.1
)

func worse(r *run, e Event) (bool, string) {
	bad := r.plan.Lines[e.Machine]
	bad.Delay, bad.Jitter, bad.Loss = bad.Delay+worseDelay, bad.Jitter+worseJitter, bad.Loss+worseLoss
	if err := r.relays[e.Machine].Set(bad); err != nil {
		return false, err.Error()
	}
	return r.alive(e.Machine), ""
}

func moved(r *run, e Event) (bool, string) {
	r.relays[e.Machine].Rebind()
	return r.alive(e.Machine), ""
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
