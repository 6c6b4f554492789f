package chaos

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/nettplay/nettplay/internal/child"
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
