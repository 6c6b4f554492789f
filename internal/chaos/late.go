package chaos

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/nettplay/nettplay/internal/child"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/replay"
)

// Players and spectators that come while the game runs.

// host is the machine to join: that of the first game host, or of another one that has
// taken its place; nil while there is none.
func (r *run) host() *machine {
	for _, m := range r.machines {
		if !m.run.Over() && strings.Contains(m.run.Words(), "room is open") {
			return m
		}
	}
	return nil
}

// hostIn waits a moment for there to be a game host.
func (r *run) hostIn(limit time.Duration) *machine {
	for end := time.Now().Add(limit); ; {
		if m := r.host(); m != nil || time.Now().After(end) || r.allOver() || !r.pause(20*time.Millisecond) {
			return m
		}
	}
}

// findHost is how long a late joiner looks for a game host.
const findHost = 5 * time.Second

// join starts a machine that comes while the game runs. One that comes again brings the
// saves of the first time.
func join(r *run, e Event) (bool, string) {
	m, host := r.machines[e.Machine], r.hostIn(findHost)
	if host == nil {
		return false, "there is no game host"
	}
	relay, err := r.line(e.Machine, host, r.plan.Lines[e.Machine])
	if err != nil {
		return false, err.Error()
	}
	r.relays[e.Machine] = relay
	m.brought, err = r.plan.inherit(e.Machine, func(machine int, file string) string { return r.machines[machine].At(file) })
	if err != nil {
		return false, err.Error()
	}
	if err := m.start(m.arguments(r.plan, r.core(), r.rom, relay.Addr()), m.environment(r.plan, true)); err != nil {
		return false, err.Error()
	}
	return true, "with " + Name(host.number)
}

// joinGone does so for a while.
func joinGone(r *run, e Event) (bool, string) {
	did, how := join(r, e)
	if did {
		r.later(e.Length, func() { r.machines[e.Machine].signal(syscall.SIGKILL) })
	}
	return did, how
}

// inherit gives a machine the saves of the one at which the same player was before: the file
// of its choice, or all of its folder, in which a file at another place would be another game.
// It returns the presses that they know of. At is the path of a machine's file.
func (p *Plan) inherit(machine int, at func(machine int, file string) string) (presses int, err error) {
	first := p.first(machine)
	if first < 0 {
		return 0, nil
	}
	var left Left
	err = left.lookAtSaves(at(first, child.Data), at(first, saveFile), p.Core)
	p.InFile[machine] = p.InFile[first]
	if p.InFile[machine] {
		err = errors.Join(err, copyFile(at(first, saveFile), at(machine, saveFile)))
	} else {
		err = errors.Join(err, copyAll(at(first, child.Data), at(machine, child.Data)))
	}
	return current(left.Saves).Steps, err
}

func copyAll(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(from, path)
		if err = errors.Join(err, relErr); err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o700)
		}
		return copyFile(path, filepath.Join(to, rel))
	})
}

// copyFile copies a file that may not be there.
func copyFile(from, to string) error {
	b, err := os.ReadFile(from)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = os.WriteFile(to, b, 0o600)
	}
	return err
}

// addSpectator starts a spectator.
func addSpectator(r *run, e Event) (bool, string) {
	host := r.hostIn(findHost)
	if host == nil {
		return false, "there is no game host"
	}
	m, err := newMachine(r.plan, e.Machine, filepath.Join(r.dir, strings.ToLower(Name(e.Machine))), r.program, r.runner.Core)
	if err == nil {
		m.port, err = udp.FreePort()
	}
	if err != nil {
		return false, err.Error()
	}
	relay, err := r.line(e.Machine, host, r.plan.Lines[1])
	if err != nil {
		return false, err.Error()
	}
	r.extra = append(r.extra, relay)
	args := []string{"watch", relay.Addr(), "-v", "--name", Name(e.Machine), "--report", m.At(reportFile), "--rom", r.rom, "--port", strconv.Itoa(m.port)}
	if core := r.core(); core != "" {
		args = append(args, "--core", core)
	}
	if err := m.start(args, m.environment(r.plan, false)); err != nil {
		return false, err.Error()
	}
	r.spectators = append(r.spectators, m)
	switch e.Kind {
	case WatchGone:
		r.later(e.Length, func() { m.signal(syscall.SIGKILL) })
	case WatchSlow:
		r.later(e.Length, func() {
			m.signal(syscall.SIGSTOP)
			r.pause(slowFor)
			m.signal(syscall.SIGCONT)
		})
	}
	return true, "with " + Name(host.number)
}

// slowFor is how long a slow spectator stands still: not so long that it counts as gone.
const slowFor = 1500 * time.Millisecond

// seatWords is how a player is told of its seat.
var seatWords = regexp.MustCompile(`(?m)^You are in seat (\d+)\.$`)

// sits tells whether a seat of a recording is that of a machine that came later. Another one may
// have had it before, and not have come into the game. A player who comes again while the room
// waits is called "Bob 2".
func (l *Left) sits(p *Plan, machine int, s replay.Seat) bool {
	found := seatWords.FindStringSubmatch(l.Words)
	name := p.player(machine)
	return found != nil && found[1] == s.Plan.Seat.String() && (s.Plan.Nickname == name || strings.HasPrefix(s.Plan.Nickname, name+" "))
}

// entries finds out when late joiners were in the game, from the recordings of the others,
// the first players.
func (o *Outcome) entries(p *Plan, recording func(machine int) string) {
	for n := p.Players; n < len(o.Machines); n++ {
		o.Machines[n].Entry = -1
	}
	for m := range p.Players {
		log, err := replay.Open(recording(m))
		if err != nil {
			continue // it did not get that far
		}
		for _, s := range log.Seats {
			for n := p.Players; n < len(o.Machines) && s.From > 0; n++ {
				if l := &o.Machines[n]; l.sits(p, n, s) {
					l.Entry = s.From
				}
			}
		}
		log.Close()
	}
}

// came is the entry in words.
func (l *Left) came() string {
	switch {
	case l.Absent:
		return "too late"
	case l.Entry < 0:
		return "not in the game"
	}
	return "in the game"
}
