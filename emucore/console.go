package emucore

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nettplay/nettplay/internal/cheat"
	"github.com/nettplay/nettplay/internal/ds"
)

// Config describes the console to build. Two consoles with equal Configs and
// equal inputs stay equal, wherever they run.
type Config struct {
	Core     Core
	ROM      *ROM
	Options  []ds.Option // a room's choices, sorted by key; only keys in Profile.Free
	Firmware ds.Firmware
	// RTC is the time on the console's clock at frame 0, in seconds since 1970, without a time zone.
	// The years 1970 to 2099 are valid.
	RTC int64
	// Frame is the number of the console's first frame. A console that is switched on in
	// the middle of a game has the same time as the others; it sees nothing else of
	// the earlier frames.
	Frame int64
	// SRAM is the cartridge's backup memory, raw; nil for a blank one.
	SRAM []byte
	// Cheats act on the console from its first frame on, whatever is loaded into it.
	Cheats []cheat.Cheat
	// Radio puts the console on an air, if its core can do that; nil for none.
	Radio *Radio
	// Rollback lets the console make snapshots of itself, [Console.StepFrom], if the core allows it: see
	// [Console.Returns]. It doubles the memory needed, and cannot be reset.
	Rollback bool
	// TestOptions are further core options for the test core, which override the
	// profile. Nil outside of tests.
	TestOptions map[string]string
	// Background gives the console the lowest scheduling priority, for consoles that nobody
	// waits for.
	Background bool

	limits  limits   // zero fields: the defaults
	profile *Profile // nil: the core's
	lawless bool     // as if the kernel had no Landlock
}

// limits bound how long a worker may go without a reply, in time that it worked or slept; see [watch].
type limits struct {
	load time.Duration // while it builds the console
	call time.Duration // for any other request
}

// HangTime is how long a worker may work, or sleep, on a frame without a reply before it counts as
// hung. On a busy machine the wall-clock time is several times longer, and on Windows a worker may sleep
// for five times as long.
const HangTime = 2 * time.Second

// The default limits.
const (
	usualLoad = 2 * time.Second       // measured: 0.15 to 0.25 s of work
	loadRate  = 128 << 20             // bytes of ROM a second, in addition to usualLoad; measured: 280 MiB
	skipTime  = 50 * time.Millisecond // for each further frame in one call
)

// orUsual replaces zero fields with the defaults, for a ROM of the given size in bytes.
func (l limits) orUsual(rom int64) limits {
	if l.load == 0 {
		l.load = usualLoad + time.Duration(rom)*time.Second/loadRate
	}
	if l.call == 0 {
		l.call = HangTime
	}
	return l
}

// A Frame is the output of one frame. Its picture and sound are valid until the console's next Step or
// Skip, and must not be written to.
type Frame struct {
	Number int64         // frame number; the first is 0
	Video  Video         // the picture; an earlier frame's if the core drew none
	Audio  []int16       // interleaved stereo, at the core's sample rate
	Took   time.Duration // real time the core took
	Off    bool          // the console is switched off: black picture, no sound
	Again  bool          // the frame ran before and is replayed after a rollback: set by package game
}

// A Console is one emulated DS: a core with a ROM in a worker process of its
// own. Its methods may be called from any goroutine; calls run one at a time, and a second
// caller waits. Close may be called at any time.
//
// Once the worker is gone, every method returns the reason: a [CrashError], a
// [HangError] or [ErrClosed].
type Console struct {
	core    string // name for messages
	cfg     Config
	profile *Profile
	limits  limits
	closing atomic.Bool
	life    sync.Mutex // guards changes of closing and of the worker's process

	mu sync.Mutex // held during each call
	worker
}

// A worker is a console's process and its known state. A console that is switched on again gets a new one.
type worker struct {
	proc    *process
	antenna *antenna
	line    *line
	mem     *shared
	dir     *workdir   // its private directory, where that outlives loading
	save    *os.File   // the core's save file, nil if it has none
	rom     *imageFile // the worker's image of the game; nil until it has one
	seq     uint32
	last    reply // the worker's last reply
	dead    error // sticky; why there is no worker
	lost    bool  // a load failed halfway
	off     bool  // the game has switched it off

	// sizes in bytes, fixed when the core is loaded; 0 for none
	stateSize, ramSize, sramSize int

	rollback bool              // it makes snapshots
	snaps    map[int]*snapshot // by place
	made     uint64            // snapshots so far

	claimed Video // the picture in the shared memory, as the worker describes it
	video   Video // the last frame's, in pix, unless it is stale
	stale   bool  // the last frame's picture is still in the shared memory only
	pix     []byte
	audio   []int16
}

// Frame returns the number of frames the console has completed, which is the number of
// the next one.
func (c *Console) Frame() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last.frame
}

// Video returns the last frame's picture, valid until the next Step or Skip.
func (c *Console) Video() Video {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keepPicture()
	return c.video
}

// Step runs one frame with the given input. On the air it
// waits for the other consoles there, without a time limit.
func (c *Console) Step(in Input) (Frame, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f, err := c.advance(in)
	if err == nil {
		c.keepPicture()
		f.Video = c.video
	}
	return f, err
}

// Advance is Step without the picture, for a console that nobody watches. It avoids fetching
// the picture, which Video does on request.
func (c *Console) Advance(in Input) (Frame, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.advance(in)
}

func (c *Console) advance(in Input) (Frame, error) {
	r, took, err := c.run(in, 1, nowhere)
	if err != nil {
		return Frame{}, err
	}
	return c.frame(r, took)
}

// frame returns the output of a frame except for its picture.
func (c *Console) frame(r reply, took time.Duration) (Frame, error) {
	if r.samples > audioMax {
		return Frame{}, c.misbehaved(fmt.Sprintf("%d samples of sound", r.samples))
	}
	c.audio = append(c.audio[:0], c.mem.audio(int(r.samples))...)
	return Frame{Number: r.frame - 1, Audio: c.audio, Took: took, Off: c.off}, nil
}

// MaxSkip is the largest number of frames that Skip runs at once.
const MaxSkip = 600

// Skip runs 1 to [MaxSkip] frames with the same input, as fast as the core can,
// in one request to the worker: for fast-forwarding, and for measuring the core
// alone. It returns the real time the core took. Video returns the last picture;
// the sound is lost.
func (c *Console) Skip(in Input, frames int) (time.Duration, error) {
	if frames < 1 || frames > MaxSkip {
		return 0, fmt.Errorf("skip %d frames: not in 1 to %d", frames, MaxSkip)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var all time.Duration
	for frames > 0 {
		n := min(frames, c.untilPowerCheck())
		_, took, err := c.run(in, n, nowhere)
		if err != nil {
			return all, err
		}
		all, frames = all+took, frames-n
	}
	return all, nil
}

// run runs n frames, after a snapshot at place unless that is nowhere. c.mu is held.
func (c *Console) run(in Input, n, place int) (reply, time.Duration, error) {
	if c.lost {
		return reply{}, 0, errUnknown
	}
	c.antenna.use()
	q := request{op: opStep, count: uint32(n), off: bit[uint8](c.off), snapshot: uint32(place + 1)}
	setInput(&q, in)
	start := time.Now()
	r, err := c.call(&q, c.limits.call+time.Duration(n-1)*skipTime)
	if err != nil {
		return reply{}, 0, err
	}
	c.stale = true
	took := time.Duration(r.tookNS)
	if all := time.Since(start); took <= 0 || took > all {
		took = all // the worker has no clock, or makes it up
	}
	return r, took, c.checkPower()
}

// keepPicture copies the picture out of the shared memory, because
// Close unmaps that memory, and reading it then would crash the whole program.
func (c *Console) keepPicture() {
	if !c.stale {
		return
	}
	c.stale, c.video = false, c.claimed
	c.pix = append(c.pix[:0], c.claimed.Pix...)
	c.video.Pix = c.pix
}

// shown returns the last frame's picture, wherever it lies. c.mu is held.
func (c *Console) shown() Video {
	if c.stale {
		return c.claimed
	}
	return c.video
}

// Close ends the worker at once and returns when nothing of it is left. Read the
// save with SRAM first if it matters. Pending and later calls return
// [ErrClosed].
func (c *Console) Close() error {
	c.closing.Store(true)
	p := c.process()
	p.kill()
	<-p.done
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dead = ErrClosed
	c.release()
	return nil
}

// release frees the parent's resources of a console whose process is gone.
func (c *Console) release() {
	if c.line != nil {
		c.line.close()
	}
	if c.mem != nil {
		c.keepPicture()
		c.mem.release()
	}
	if c.save != nil {
		c.save.Close()
	}
	c.dir.remove()
	if c.rom != nil {
		c.rom.Close()
	}
}
