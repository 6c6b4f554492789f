package emucore

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
)

// workerEnv is the whole environment of a worker. Windows finds its own libraries by the one that differs
// between machines.
func workerEnv() []string {
	root := os.Getenv("SystemRoot")
	if root == "" {
		root = `C:\Windows`
	}
	return []string{"HOME=C:/nonexistent", "LANG=C", "PATH=C:/nonexistent", "SystemRoot=" + root, "TZ=UTC"}
}

// startWorker starts the console's worker, whose setup lies in its memory.
func (c *Console) startWorker(mem *os.File, w workerFiles) error {
	walls, err := wallsHere()
	if err != nil {
		return err
	}
	if walls.container != nil {
		if err := bringCore(c.mem.setup(), w.dir); err != nil {
			return err
		}
	}
	return c.startBehind(walls, mem, w)
}

// startBehind starts the worker behind some walls.
func (c *Console) startBehind(behind walls, mem *os.File, w workerFiles) (err error) {
	if c.line, err = newLine(c.mem); err != nil {
		return err
	}
	var i inheritance
	defer i.close()
	h := workerHandles{ask: i.add(c.line.ask), answer: i.add(c.line.answer)}
	if w.rom != nil {
		rom, err := windows.CreateFileMapping(windows.Handle(w.rom.Fd()), nil, windows.PAGE_READONLY, 0, 0, nil)
		if err != nil {
			return fmt.Errorf("start a worker process: %w", os.NewSyscallError("CreateFileMapping", err))
		}
		h.rom = i.add(rom)
		windows.CloseHandle(rom)
	}
	if a := w.antenna; a != nil {
		h.air = i.add(windows.Handle(a.radio.Air.File().Fd()))
		for _, e := range a.radio.Air.Events() {
			h.events = append(h.events, i.add(e))
		}
	}
	c.mem.setHandles(h)
	out, in, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("start a worker process: %w", err)
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return errors.Join(err, out.Close(), in.Close())
	}
	started, err := launchBehind(theSystem{}, behind, &launchPlan{
		command: fmt.Sprintf("%s %x", workerName, i.add(windows.Handle(mem.Fd()))),
		dir:     w.dir.path,
		env:     workerEnv(),
		stdin:   i.add(windows.Handle(null.Fd())),
		stdout:  i.add(windows.Handle(in.Fd())),
		inherit: &i,
		memory:  3 * c.mem.setup().dataLimit, // of all that it maps: the shared memory and the core's own, too
	})
	err = errors.Join(err, in.Close(), null.Close())
	if err != nil {
		out.Close()
		return fmt.Errorf("start a worker process: %w", err)
	}
	c.line.proc = started.process
	c.proc = &process{proc: started.proc, done: make(chan struct{}), reaped: w.antenna.reaped}
	go c.proc.live(out, started.job)
	return nil
}

// live stays with the worker until it is gone.
func (p *process) live(out *os.File, job windows.Handle) {
	logged := make(chan struct{})
	go func() {
		defer close(logged)
		p.log.follow(out)
	}()
	state, err := p.proc.Wait()
	windows.CloseHandle(job)
	p.code = -1
	if err == nil {
		p.code = state.ExitCode()
	}
	if name, ok := exceptions[uint32(p.code)]; ok {
		p.signal = name
	}
	p.reaped()
	<-logged // it had no children, so its end of the pipe is closed
	out.Close()
	close(p.done)
}

// exceptions are the ends of a process that has made a mistake, as Windows and debuggers call them.
var exceptions = map[uint32]string{
	0x80000003: "breakpoint",
	0xC0000005: "access violation",
	0xC0000006: "in-page error",
	0xC0000017: "no memory",
	0xC000001D: "illegal instruction",
	0xC0000094: "integer division by zero",
	0xC0000096: "privileged instruction",
	0xC00000FD: "stack overflow",
	0xC0000135: "a library was not found",
	0xC0000142: "a library could not be initialised",
	0xC0000374: "heap corruption",
	0xC0000409: "stack buffer overrun",
}

// yield lets everything else on the machine go first. A console that cannot yield
// runs all the same.
func (p *process) yield() {
	h, err := windows.OpenProcess(windows.PROCESS_SET_INFORMATION, false, uint32(p.pid()))
	if err != nil {
		return
	}
	defer windows.CloseHandle(h)
	_ = windows.SetPriorityClass(h, windows.IDLE_PRIORITY_CLASS)
}

// An inheritance is a list of handles for a worker: copies that it can inherit, under the same numbers. They
// are closed here once it has started.
type inheritance struct {
	handles []windows.Handle
	err     error
}

// add makes a copy of a handle for the worker.
func (i *inheritance) add(h windows.Handle) (theirs windows.Handle) {
	self := windows.CurrentProcess()
	if err := windows.DuplicateHandle(self, h, self, &theirs, 0, true, windows.DUPLICATE_SAME_ACCESS); err != nil {
		i.err = errors.Join(i.err, os.NewSyscallError("DuplicateHandle", err))
		return 0
	}
	i.handles = append(i.handles, theirs)
	return theirs
}

func (i *inheritance) close() {
	for _, h := range i.handles {
		windows.CloseHandle(h)
	}
	i.handles = nil
}

// block is an environment as Windows takes it.
func block(env []string) (*uint16, error) {
	all, err := windows.UTF16FromString(strings.Join(env, "\x01"))
	if err != nil {
		return nil, err
	}
	for i, c := range all {
		if c == 1 {
			all[i] = 0
		}
	}
	all = append(all, 0)
	return unsafe.SliceData(all), nil
}
