package emucore

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// tunables are settings of glibc that take effect only when a process starts. The first has malloc keep no
// blocks aside for a thread, so that worker_heap_linux.c is all that there is before its heap. The others are
// processor features, by glibc's names of now and until 2.32, that its sin,
// exp and so on would use: a fused multiplication and addition rounds once instead of twice, so two
// machines with the same core would differ in the last bit. glibc ignores names that it does not know.
const tunables = "GLIBC_TUNABLES=glibc.malloc.tcache_count=0:" +
	"glibc.cpu.hwcaps=-FMA,-FMA4,-FMA_Usable,-FMA4_Usable"

// noRseq disables restartable sequences for consoles that make snapshots by signals: the kernel would write to their
// area, which may be protected.
const noRseq = ":glibc.pthread.rseq=0"

// hugePages have malloc take memory in pages of 2 MB where the system gives those to who asks: a console gets most of its memory
// at its start, and each page costs a fault. A console that makes snapshots does without: it would copy them whole.
const hugePages = ":glibc.malloc.hugetlb=1"

// workerEnv is the whole environment a worker is started with; it replaces it
// before the core can look.
func workerEnv(way SnapshotWay) []string {
	env := []string{tunables}
	if way != 0 {
		env[0] += noRseq
	} else {
		env[0] += hugePages
	}
	if path, ok := os.LookupEnv("LD_LIBRARY_PATH"); ok {
		env = append(env, "LD_LIBRARY_PATH="+path) // where this executable found its own libraries
	}
	return env
}

// startWorker starts the console's worker, whose setup lies in its memory.
func (c *Console) startWorker(mem *os.File, w workerFiles) error {
	s := c.mem.setup()
	rules, err := newRules(text(s.corePath[:]), w)
	if err != nil {
		return err
	}
	if rules != nil {
		defer rules.Close()
		s.hasRules = 1
	}
	var theirs *os.File
	if c.line, theirs, err = newLine(); err != nil {
		return err
	}
	defer theirs.Close()
	files := []*os.File{theirs, mem, w.dir.dir, w.rom, w.save, w.antenna.file(), rules}
	c.proc, err = startProcess(w.dir.path, files, SnapshotWay(s.rollback), w.antenna.reaped)
	return err
}

// startProcess starts a worker in the directory dir with the given files as
// descriptors 3 and up, which makes snapshots by way. The files may be closed when it returns.
// reaped is called when the worker is gone.
func startProcess(dir string, files []*os.File, way SnapshotWay, reaped func()) (*process, error) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	out, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p := &process{done: make(chan struct{}), reaped: reaped}
	started := make(chan error)
	go p.live(dir, workerEnv(way), append([]*os.File{null, in, in}, files...), out, started)
	err = <-started
	in.Close()
	if err != nil {
		out.Close()
		return nil, fmt.Errorf("start a worker process: %w", err)
	}
	return p, nil
}

// live starts the worker and stays locked to one thread until the worker is gone: the
// kernel sends a worker its death signal when the thread that started it ends,
// not when the process does, and Go threads come and go.
func (p *process) live(dir string, env []string, files []*os.File, out *os.File, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	proc, err := os.StartProcess("/proc/self/exe", []string{workerName}, &os.ProcAttr{
		Dir:   dir,
		Env:   env,
		Files: files,
		Sys: &unix.SysProcAttr{
			Pdeathsig: unix.SIGKILL,
			Setpgid:   true, // Ctrl-C is for us
		},
	})
	p.proc = proc
	started <- err
	if err != nil {
		return
	}
	logged := make(chan struct{})
	go func() {
		defer close(logged)
		p.log.follow(&output{pipe: out})
	}()
	p.reap()
	p.reaped()
	// Its output is in the pipe. A stray child of the core could hold the
	// other end open for ever.
	out.SetReadDeadline(time.Now())
	<-logged
	out.Close()
	close(p.done)
}

// reap waits for the worker's end, kills anything left in its
// process group, and records how the worker ended.
func (p *process) reap() {
	for {
		err := unix.Waitid(unix.P_PID, p.proc.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			break
		}
	}
	unix.Kill(-p.proc.Pid, unix.SIGKILL) // not reaped yet: the number is still ours
	state, err := p.proc.Wait()
	if err != nil {
		p.code = -1
		return
	}
	if status := state.Sys().(syscall.WaitStatus); status.Signaled() {
		p.signal = unix.SignalName(status.Signal())
	} else {
		p.code = status.ExitStatus()
	}
}

// lowest is the lowest scheduling priority, as a nice value.
const lowest = 19

// yield lets everything else on the machine go first. A console that cannot yield
// runs all the same.
func (p *process) yield() { _ = unix.Setpriority(unix.PRIO_PROCESS, p.pid(), lowest) }

// output is the reading end of what a worker prints. At its read deadline, which is set when the
// worker is gone, what is in the pipe is still read.
type output struct {
	pipe *os.File
	late int // bytes read after the deadline: no more than a pipe holds, for a stray child may write on
}

const pipeSize = 64 << 10

func (o *output) Read(b []byte) (n int, err error) {
	n, err = o.pipe.Read(b)
	if !errors.Is(err, os.ErrDeadlineExceeded) || o.late >= pipeSize {
		return n, err
	}
	raw, err := o.pipe.SyscallConn()
	if err != nil {
		return 0, err
	}
	if broken := raw.Control(func(fd uintptr) { n, err = unix.Read(int(fd), b) }); broken != nil || err != nil || n <= 0 {
		return 0, io.EOF
	}
	o.late += n
	return n, nil
}
