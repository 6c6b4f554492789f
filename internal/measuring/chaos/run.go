package chaos

import (
	"slices"
	"sync"
	"time"
)

// run is one plan under way.
type run struct {
	plan       *Plan
	dir        string
	program    string
	rom        string
	runner     *Runner
	machines   []*machine // also those that are to come later
	spectators []*machine
	began      time.Time
	playing    time.Time // when a machine that is or may be in the game was last seen
	hung       []string
	acts       []Act
	stop       chan struct{}
	jobs       sync.WaitGroup
}

// all are the machines of players and spectators.
func (r *run) all() []*machine { return slices.Concat(r.machines, r.spectators) }

// core has machines take the test core, if it is to be that one.
func (r *run) core() []string {
	if r.plan.Core == TestCore {
		return []string{"--core", r.runner.Core}
	}
	return nil
}

func (r *run) allOver() bool {
	return !slices.ContainsFunc(r.all(), func(m *machine) bool { return !m.run.Over() })
}

func (r *run) alive(machine int) bool { return !r.machines[machine].run.Over() }

// pause waits, and tells whether the run goes on.
func (r *run) pause(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.stop:
		return false
	}
}

// later does something after a while, or at the end of the run if that is sooner.
func (r *run) later(d time.Duration, do func()) {
	r.jobs.Go(func() {
		r.pause(d)
		do()
	})
}
