package emucore

import (
	"errors"
	"fmt"
	"time"
)

// A refusal is the error of a request that the core refused. The worker keeps running.
type refusal struct{ why string }

func (e *refusal) Error() string { return e.why }

// call sends a request, waits for its reply, and checks and keeps the fields
// common to all replies. After an error other than a [refusal] the worker is
// gone. c.mu is held.
func (c *Console) call(q *request, limit time.Duration) (reply, error) {
	if c.dead != nil {
		return reply{}, c.dead
	}
	c.seq++
	q.seq = c.seq
	if err := c.line.send(q); err != nil {
		return reply{}, c.crashed()
	}
	w := watch{limit: limit, pid: c.proc.pid(), antenna: c.antenna}
	r, err := c.line.receive(&w)
	switch {
	case w.crowd || q.op <= opLoad && crowded(w.pid):
		return reply{}, c.misbehaved(fmt.Sprintf("it has over %d threads", threadsMax))
	case errors.Is(err, errLate):
		return reply{}, c.hung(limit)
	case errors.Is(err, errCut):
		return reply{}, c.crashed()
	case err != nil:
		return reply{}, c.misbehaved(err.Error())
	case r.op != q.op || r.seq != q.seq:
		return reply{}, c.misbehaved("an answer to another question")
	}
	return r, c.checkReply(q, &r)
}

// frameAfter returns the number of frames done once q has succeeded.
func (c *Console) frameAfter(q *request) int64 {
	switch q.op {
	case opStep:
		return c.last.frame + int64(q.count)
	case opRestore, opBack:
		return q.frame
	}
	return c.last.frame
}

// checkReply checks and keeps the fields common to all replies.
func (c *Console) checkReply(q *request, r *reply) error {
	v, ok := c.mem.picture(r.width, r.height, r.format)
	switch {
	case !ok:
		return c.misbehaved(fmt.Sprintf("a picture of %dx%d in format %d", r.width, r.height, r.format))
	case r.status == statusOK && r.frame != c.frameAfter(q):
		return c.misbehaved(fmt.Sprintf("it is at frame %d, not %d", r.frame, c.frameAfter(q)))
	case r.op > opLoad && !r.timingPossible():
		return c.misbehaved(fmt.Sprintf("%v frames and %v samples a second", r.fps, r.sampleRate))
	}
	c.claimed = v
	c.last = *r
	c.off = c.off || r.off != 0
	switch r.status {
	case statusOK:
		return nil
	case statusFailed:
		return &refusal{why: text(c.mem.words().failure[:])}
	}
	return c.misbehaved("it does not take our requests")
}

// timingPossible reports whether the rates are usable. The core states them,
// and they may be NaN.
func (r *reply) timingPossible() bool {
	return r.fps >= 1 && r.fps <= 1000 && r.sampleRate >= 1000 && r.sampleRate <= 1_000_000
}

// crashed returns why the worker closed its end. Usually it is exiting and has printed a reason, which may take
// a while to arrive on a busy machine; if it only closed the socket, it is killed.
func (c *Console) crashed() error {
	if !c.proc.goneWithin(HangTime) {
		c.proc.kill()
		<-c.proc.done
	}
	return c.ended(&CrashError{Core: c.core, Signal: c.proc.signal, ExitCode: c.proc.code, Log: c.proc.log.all()})
}

// misbehaved ends a worker that broke the protocol.
func (c *Console) misbehaved(why string) error {
	c.proc.kill()
	<-c.proc.done
	return c.ended(&CrashError{Core: c.core, Why: why, Log: c.proc.log.all()})
}

// hung ends a worker that does not answer.
func (c *Console) hung(after time.Duration) error {
	c.proc.kill()
	<-c.proc.done
	return c.ended(&HangError{Core: c.core, After: after, Log: c.proc.log.all()})
}

// ended records why the worker is gone: Close, if it was called, else err.
func (c *Console) ended(err error) error {
	if c.closing.Load() {
		err = ErrClosed
	}
	c.dead = err
	return err
}

// memory has the worker copy memory regions to the blob and returns slices of it.
func (c *Console) memory(q *request) (ram, sram []byte, err error) {
	r, err := c.call(q, c.limits.call)
	if err != nil {
		return nil, nil, err
	}
	if r.size > blobMax || r.sramSize > blobMax-r.size {
		return nil, nil, c.misbehaved(fmt.Sprintf("%d and %d bytes of memory", r.size, r.sramSize))
	}
	blob := c.mem.blob()
	return blob[:r.size], blob[r.size : r.size+r.sramSize], nil
}

// failed adds to the error of a call what was tried; errors about the worker's
// end are clear enough and stay as they are.
func (c *Console) failed(err error, what string) error {
	if err == nil || c.dead != nil && errors.Is(err, c.dead) {
		return err
	}
	return fmt.Errorf("%s: core %s: %w", what, c.core, err)
}
