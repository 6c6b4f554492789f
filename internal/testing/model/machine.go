package model

import (
	"encoding/binary"
	"slices"
	"sync"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/testing/agenda"
)

// Fault is something that goes wrong on one machine alone, once.
type Fault struct {
	MAC   byte   // the last byte of the console's address
	Frame int64  // that runs
	What  string // "ram", "video", "sram" or "hash" differ from then on; "crash", "hang"
	did   bool
}

// Did reports whether it happened.
func (f *Fault) Did() bool { return f.did }

// Machine makes the consoles of one machine. Its fields are set before the first of them.
type Machine struct {
	Turns *agenda.Agenda // nil: frames take no time
	// Class is the machine's first class of turns, of [Classes].
	Class int
	Seed  uint64
	// Slow is the least duration of a frame; it takes up to twice as long.
	Slow   time.Duration
	Faults []Fault
	// Padding is the number of bytes, which cannot be compressed, of a console's state besides its
	// memories.
	Padding int
	// Remembers has consoles remember the inputs that they have run, for [Console.Ran], and each frame have a sound of its own.
	Remembers bool

	jobs int // begun, of the newest thousand

	mu     sync.Mutex // guards what follows, and why and closed of all consoles
	live   []*Console // in the order of their making
	frozen time.Time  // nothing goes on until then
}

// Classes is the number of classes of turns that a machine needs: one for each console, those of
// recordings that are played, and JobClass.
const Classes = 36

// JobClass is a machine's class for all but its consoles.
func (m *Machine) JobClass() int { return m.Class + Classes - 1 }

// Background runs a slow job of the machine's in a turn of its own, a moment later.
func (m *Machine) Background(job func()) { m.BackgroundIn(200*time.Microsecond, job) }

// BackgroundIn is Background for a job that takes so long. One goroutine calls it. No two
// jobs begin at the same instant, so that what they wait for then does not come at the same
// instant, either.
func (m *Machine) BackgroundIn(took time.Duration, job func()) {
	m.jobs = (m.jobs + 1) % 1000
	turn := m.Turns.Turn(m.JobClass(), took+time.Duration(m.jobs))
	go func() {
		turn.Wait(nil)
		job()
	}()
}

func (m *Machine) forget(c *Console) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.live = slices.DeleteFunc(m.live, func(o *Console) bool { return o == c })
}

// Kill ends the newest console as SIGKILL does; false: there is none.
func (m *Machine) Kill() bool {
	return m.kill(func(*Console) bool { return true })
}

// KillOf ends the newest console with an address that ends so.
func (m *Machine) KillOf(mac byte) bool {
	return m.kill(func(c *Console) bool { return c.cfg.Firmware.MAC[5] == mac })
}

func (m *Machine) kill(which func(*Console) bool) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range slices.Backward(m.live) {
		if which(c) {
			c.endLocked(&emucore.CrashError{Core: "model", Signal: "SIGKILL"})
			return true
		}
	}
	return false
}

// Freeze has all consoles stand for a while.
func (m *Machine) Freeze(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.frozen = time.Now().Add(d)
}

// frameTime returns the duration of a console's next frame.
func (m *Machine) frameTime(c *Console) time.Duration {
	if m.Turns == nil && m.Faults == nil {
		return 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	switch m.fault(c, c.frame, true) {
	case "crash":
		c.endLocked(&emucore.CrashError{Core: "model", Signal: "SIGSEGV"})
		return m.Slow
	case "hang":
		return hang
	}
	if m.Turns == nil {
		return 0
	}
	var b [24]byte
	for i, v := range []uint64{m.Seed, uint64(c.frame), uint64(c.class)} {
		binary.LittleEndian.PutUint64(b[i*8:], v)
	}
	dice := xxh3.Hash(b[:])
	took := m.Slow + time.Duration(dice%uint64(m.Slow+1))
	if dice>>32%997 == 0 {
		took += 100 * time.Millisecond
	}
	return took + max(0, time.Until(m.frozen))
}

// spoil lets a console go wrong after a frame.
func (m *Machine) spoil(c *Console, frame int64) {
	if m.Faults == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if c.cfg.Background {
		return
	}
	if what := m.fault(c, frame, false); what != "" {
		c.spoil(what)
	}
}

// fault returns the fault of a console at a frame, one that ends it or not; "" for none. It happens once, but again where the
// console runs that frame again.
func (m *Machine) fault(c *Console, frame int64, ends bool) (what string) {
	for i := range m.Faults {
		f := &m.Faults[i]
		if f.Frame == frame && f.MAC == c.cfg.Firmware.MAC[5] && (f.What == "crash" || f.What == "hang") == ends && (!f.did || !ends && c.cfg.Rollback) {
			f.did = true
			return f.What
		}
	}
	return ""
}
