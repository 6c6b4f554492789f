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

// Config says what console to build. Two consoles of equal Config that get
// equal inputs stay equal, wherever they run.
type Config struct {
	Core     Core
	ROM      *ROM
	Options  []ds.Option // a room's choices by rising key, only of keys in Profile.Free
	Firmware ds.Firmware
	// RTC is the time on the console's clock at frame 0, in seconds since 1970, without a time zone.
	// Not before 1970, not after 2099.
	RTC int64
	// Frame is the number of the console's first frame. One that is switched on in
	// the middle of a game sees the time that the others see then; nothing else of
	// the frames before it.
	Frame int64
	// SRAM is the cartridge's backup memory, raw; nil for a blank one.
	SRAM []byte
	// Cheats act on the console from its first frame on, whatever is loaded into it.
	Cheats []cheat.Cheat
	// Radio puts the console on an air, if its core can do that; nil for none.
	Radio *Radio
	// Rollback lets the console make snapshots of itself, [Console.StepFrom], if the core can bear it: see
	// [Console.Returns]. It takes as much memory again, and cannot be reset.
	Rollback bool
	// TestOptions are further core options, whatever the profile says; for the
	// test core. Nil in the product.
	TestOptions map[string]string
	// Background lets all else on the machine go first: for consoles that nobody
	// waits for.
	Background bool

	limits  limits   // zero fields: the usual
	profile *Profile // nil: the core's
	lawless bool     // as if the kernel had no Landlock
}

// limits bound the time for which a worker may be silent, in time that it worked or slept; see [watch].
type limits struct {
	load time.Duration // while it builds the console
	call time.Duration // in anything else
}

// HangTime is the time a worker may work, or do nothing, without an answer to the call for a
// frame: then it hangs. On a busy machine that takes several times as long, and on Windows it may do nothing for five times
// as long.
const HangTime = 2 * time.Second

// The usual limits.
const (
	usualLoad = 2 * time.Second       // measured: 0.15 to 0.25 s of work
	loadRate  = 128 << 20             // bytes of ROM a second, besides usualLoad; measured: 280 MiB
	skipTime  = 50 * time.Millisecond // for a further frame in one call
)

// orUsual fills in what is not set, for a ROM of the given size.
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
// Skip, and are not to be written to.
type Frame struct {
	Number int64         // of the frame, the first is 0
	Video  Video         // the picture, that of an earlier frame if the core made none
	Audio  []int16       // interleaved stereo, at the rate that the core states
	Took   time.Duration // real time the core took
	Off    bool          // the console is switched off: the picture is black, and nothing is heard
	Again  bool          // it ran before, and the console went back: set by package game
}

// A Console is one emulated DS: a core with a ROM in a worker process of its
// own. Its methods may be called by any goroutine, one at a time: a second caller
// waits. Close may come at any time.
//
// When the worker is gone, every method returns why: a [CrashError], a
// [HangError] or [ErrClosed].
type Console struct {
	core    string // name for messages
	cfg     Config
	profile *Profile
	limits  limits
	closing atomic.Bool
	life    sync.Mutex // held where closing and the worker's process change

	mu sync.Mutex // held during each call
	worker
}

// A worker is a console's process, and what is known of it. One that is switched on again has another.
type worker struct {
	proc    *process
	antenna *antenna
	line    *line
	mem     *shared
	dir     *workdir   // its private directory, where that outlives its loading
	save    *os.File   // the core's save file, nil if it has none
	rom     *imageFile // what the worker has of the game; nil before it has
	seq     uint32
	last    reply // the worker's last word
	dead    error // sticky; why there is no worker
	lost    bool  // a load failed half way
	off     bool  // the game has switched it off

	// sizes that a core fixes when it is loaded, in bytes; 0 for none
	stateSize, ramSize, sramSize int

	rollback bool              // it makes snapshots
	snaps    map[int]*snapshot // by place
	made     uint64            // snapshots so far

	claimed Video // the picture in the shared memory, as the worker says
	video   Video // the last frame's, in pix, unless it is stale
	stale   bool  // the last frame's picture is still in the shared memory only
	pix     []byte
	audio   []int16
}

// Frame returns how many frames the console has done, which is the number of
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

// Step runs one frame. The frame's input applies for all of it. On the air it
// waits for the other consoles there, for as long as they take.
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

// Advance is Step without the picture, for a console that nobody watches. It spares the work of fetching
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

// frame is what a frame gave, but for its picture.
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
// without a word in between: for getting somewhere, and for measuring the core
// alone. It returns the real time the core took; the last picture is Video's,
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

// run runs n frames, with a snapshot at a place before them, or nowhere. c.mu is held.
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

// keepPicture takes the picture out of the shared memory. It is worth a copy:
// Close unmaps that memory, and a reader of it would end the whole program.
func (c *Console) keepPicture() {
	if !c.stale {
		return
	}
	c.stale, c.video = false, c.claimed
	c.pix = append(c.pix[:0], c.claimed.Pix...)
	c.video.Pix = c.pix
}

// shown is the last frame's picture, where it is. c.mu is held.
func (c *Console) shown() Video {
	if c.stale {
		return c.claimed
	}
	return c.video
}

// Close ends the worker at once and returns when nothing of it is left. A save
// that matters has been read with SRAM before. Calls under way return
// [ErrClosed], as do later ones.
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

// release frees what the parent holds of a console whose process is gone.
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
