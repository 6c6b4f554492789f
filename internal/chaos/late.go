package chaos

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/nettplay/nettplay/internal/child"
	"github.com/nettplay/nettplay/internal/replay"
)

// Players and spectators that come while the game runs.

// host is the machine to join: that of the first game host, or of another one that has
// taken its place; nil while there is none.
func (r *run) host() *machine {
	for _, m := range r.machines {
		if !m.run.Over() && m.said(opened) {
			return m
		}
	}
	return nil
}

// hostIn waits a moment for there to be a game host.
func (r *run) hostIn(limit time.Duration) *machine {
	_ = child.Until(context.Background(), limit, func() bool { return r.host() != nil || r.allOver() })
	return r.host()
}

// findHost is the time that a late joiner looks for a game host.
const findHost = 5 * time.Second

// comesIn starts a machine of a player or a spectator while the game runs. One that comes again brings
// the saves of the first time.
func comesIn(r *run, e Event) (bool, string) {
	host := r.hostIn(findHost)
	if host == nil {
		return false, "there is no game host"
	}
	how, err := "with "+Name(host.number), error(nil)
	if e.Machine >= firstSpectator {
		err = r.watch(e, host)
	} else {
		err = r.join(e, host)
	}
	if err != nil {
		how = err.Error()
	}
	return err == nil, how
}

func (r *run) join(e Event, host *machine) (err error) {
	m := r.machines[e.Machine]
	if r.relays[e.Machine], err = r.line(e.Machine, host, r.plan.Lines[e.Machine]); err != nil {
		return err
	}
	if m.brought, err = r.plan.inherit(e.Machine, func(machine int, file string) string { return r.machines[machine].At(file) }); err != nil {
		return err
	}
	if err = m.start(r.relays[e.Machine].Addr()); err == nil && e.Kind == JoinGone {
		r.later(e.Length, func() { m.signal(syscall.SIGKILL) })
	}
	return err
}

func (r *run) watch(e Event, host *machine) error {
	m, err := r.newMachine(e.Machine)
	if err != nil {
		return err
	}
	relay, err := r.line(e.Machine, host, r.plan.Lines[1])
	if err != nil {
		return err
	}
	r.extra = append(r.extra, relay)
	if err := m.start(relay.Addr()); err != nil {
		return err
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
	return nil
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
	files := filepath.Join(child.Data, "nettplay", "saves")
	if p.InFile[machine] = p.InFile[first]; p.InFile[machine] {
		files = saveFile
	}
	return current(left.Saves).Steps, errors.Join(err, copyAll(at(first, files), at(machine, files)))
}

// copyAll copies a file or a folder, which may not be there.
func copyAll(from, to string) error {
	info, err := os.Stat(from)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return os.CopyFS(to, os.DirFS(from))
	}
	b, err := os.ReadFile(from)
	return errors.Join(err, os.WriteFile(to, b, 0o600))
}

// slowFor is the time that a slow spectator stands still: not so long that it counts as gone.
const slowFor = 1500 * time.Millisecond

// seatWords tell a player of its seat.
var seatWords = regexp.MustCompile(`(?m)^You are in seat (\d+)\.$`)

// sits reports whether a seat of a recording is that of a machine that came later. Another one may
// have had it before, and not have come into the game. A player who comes again while the room
// waits is called "Bob 2".
func (l *Left) sits(p *Plan, machine int, s replay.Seat) bool {
	found := seatWords.FindStringSubmatch(l.Words)
	name := p.player(machine)
	return found != nil && found[1] == s.Plan.Seat.String() && (s.Plan.Nickname == name || strings.HasPrefix(s.Plan.Nickname, name+" "))
}

// recorded finds out from the recordings of the first players when late joiners were in the game, and
// in a clocked game which presses took effect. All are alike as far as they go, but for the last frames
// of a game host that left, which count as the others have them.
func (o *Outcome) recorded(p *Plan, recording func(machine int) string) {
	for n := p.Players; n < len(o.Machines); n++ {
		o.Machines[n].Entry = -1
	}
	for n := range p.Players {
		log, err := replay.Open(recording((n + 1) % p.Players)) // the first game host comes last
		if err != nil {
			continue // it did not get that far
		}
		for _, s := range log.Seats {
			m := o.machineOf(p, s)
			if m < 0 {
				continue
			}
			l := &o.Machines[m]
			if s.From > 0 {
				l.Entry = s.From
			}
			if p.Clocked && log.Frames(s.Plan.Seat) > l.Stamped.Frames {
				l.Stamped = stampedIn(log, s)
			}
		}
		log.Close()
	}
}

// machineOf is the machine to which a seat of a recording belongs, -1 for none.
func (o *Outcome) machineOf(p *Plan, s replay.Seat) int {
	for n := range o.Machines {
		late := n >= p.Players
		if late == (s.From > 0) && (late && o.Machines[n].sits(p, n, s) || !late && s.Plan.Nickname == p.player(n)) {
			return n
		}
	}
	return -1
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
