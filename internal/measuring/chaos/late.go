package chaos

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/nettplay/nettplay/internal/testing/child"
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

// findHost is the time that a late joiner looks for a game host.
const findHost = 5 * time.Second

// comesIn starts a machine of a player or a spectator while the game runs. One that comes again brings
// the saves of the first time.
func comesIn(r *run, e Event) (bool, string) {
	_ = child.Until(context.Background(), findHost, func() bool { return r.host() != nil || r.allOver() })
	host := r.host()
	if host == nil {
		return false, "there is no game host"
	}
	m, err := r.comer(e.Machine)
	if err == nil {
		err = m.connect(host)
	}
	if err == nil {
		err = m.start()
	}
	if err != nil {
		return false, err.Error()
	}
	switch e.Kind {
	case JoinGone, WatchGone:
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

// comer makes ready a machine that comes while the game runs.
func (r *run) comer(number int) (m *machine, err error) {
	if number >= firstSpectator {
		if m, err = r.newMachine(number); err == nil {
			r.spectators = append(r.spectators, m)
		}
		return m, err
	}
	m = r.machines[number]
	m.brought, err = r.plan.inherit(number, func(machine int, file string) string { return r.machines[machine].At(file) })
	return m, err
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
