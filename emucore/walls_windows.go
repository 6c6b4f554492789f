package emucore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// A worker is started behind walls, as many as this Windows has: a job, which ends it with us and lets it
// start nothing; what a process may not do at all (mitigation policies); and a token of fewer rights, or an
// AppContainer. Which of them a program can start behind, and still work, no call tells; so a worker without a core
// is started first, once in each process, and the first walls behind which it answers are those of all consoles.

// walls are what a worker is started behind. The job is always there.
type walls struct {
	name      string
	container *windows.SID // of the AppContainer; nil for none
	low       bool         // a restricted token of low integrity
	policies  bool         // mitigations, and no child processes
}

// wallsToTry are the walls, the best first.
func wallsToTry() (list []walls) {
	if sid, err := containerSID(); err == nil {
		list = append(list, walls{"AppContainer", sid, false, true})
	}
	return append(list,
		walls{"restricted token of low integrity", nil, true, true},
		walls{"restricted token of low integrity, no mitigation policies", nil, true, false},
		walls{"job only", nil, false, false})
}

// wallsHere are the walls of this process's consoles.
var wallsHere = sync.OnceValues(func() (walls, error) {
	var all error
	for _, w := range wallsToTry() {
		err := tryWalls(w)
		if err == nil {
			return w, nil
		}
		all = errors.Join(all, fmt.Errorf("%s: %w", w.name, err))
	}
	return walls{}, fmt.Errorf("start a worker process: %w", all)
})

// wallsLimit is the time that a worker without a core may take to answer.
const wallsLimit = 10 * time.Second

// opNothing is no request, as a worker says.
const opNothing = 0

// tryWalls starts a worker without a core, and ends it.
func tryWalls(w walls) error {
	dir, err := newWorkdir()
	if err != nil {
		return err
	}
	defer dir.remove()
	mem, file, err := newShared()
	if err != nil {
		return err
	}
	c := &Console{core: "none", worker: worker{mem: mem}}
	defer func() { c.release() }()
	defer file.Close()
	mem.setup().dataLimit = dataLimit
	if err := c.startBehind(w, file, workerFiles{dir: dir}); err != nil {
		return err
	}
	defer func() {
		c.proc.kill()
		<-c.proc.done
	}()
	ctx, cancel := context.WithTimeout(context.Background(), wallsLimit)
	defer cancel()
	defer context.AfterFunc(ctx, c.proc.kill)()
	if err := c.line.send(&request{op: opNothing, seq: 1}); err != nil {
		return err
	}
	r, err := c.line.receive(&watch{limit: wallsLimit, pid: c.proc.pid()})
	if err == nil && r.seq != 1 {
		err = errors.New("an answer to another question")
	}
	if errors.Is(err, errCut) {
		<-c.proc.done
		err = fmt.Errorf("%w (%d %s)", err, c.proc.code, c.proc.signal)
	}
	return err
}

// WallsProven tells whether somebody has tried on this system to get through the walls around a core, and could not.
const WallsProven = false

// Protections returns this system's means against a core that attacks its host.
func Protections() []Protection {
	const untried = "tried under Wine only, which has no such wall: nobody has seen yet that it holds"
	here, err := wallsHere()
	all := []Protection{
		{Against: "system", Text: "no programs, no other process (job object)", Missing: untried},
		{Against: "files", Text: "writes nothing but its save file (" + here.name + ")", Missing: untried},
		{Against: "memory", Text: "bounded (job object)", Missing: untried},
	}
	switch {
	case err != nil:
		all[0].Missing = err.Error()
	case here.container == nil && !here.low:
		all[1].Text, all[1].Missing = "a core can read and change whatever you can", "this Windows starts no console with fewer rights than yours"
	case here.container == nil:
		all[1].Text = "writes nothing but its save file, but reads whatever you can read (" + here.name + ")"
	}
	return all
}

// A launchPlan is what a worker is started with.
type launchPlan struct {
	command       string
	dir           string
	env           []string
	stdin, stdout windows.Handle
	inherit       *inheritance
	memory        uint64 // bytes
}

// runningWorker is a worker that runs.
type runningWorker struct {
	proc         *os.Process
	process, job windows.Handle // to be closed
}

// system are the calls that start a worker, in tests others.
type system interface {
	makeJob(memory uint64) (windows.Handle, error)
	makeToken() (windows.Token, error)
	create(token windows.Token, w walls, p *launchPlan) (windows.ProcessInformation, error) // suspended
	assign(job, process windows.Handle) error
	resume(thread windows.Handle) error
	terminate(process windows.Handle)
	close(h windows.Handle)
	find(pid int) (*os.Process, error)
}

// launchBehind starts a worker that runs no instruction before it is in its job.
func launchBehind(sys system, w walls, p *launchPlan) (s runningWorker, err error) {
	if p.inherit.err != nil {
		return s, p.inherit.err
	}
	if s.job, err = sys.makeJob(p.memory); err != nil {
		return s, err
	}
	var token windows.Token
	if w.low {
		if token, err = sys.makeToken(); err != nil {
			sys.close(s.job)
			return runningWorker{}, err
		}
		defer sys.close(windows.Handle(token))
	}
	info, err := sys.create(token, w, p)
	if err != nil {
		sys.close(s.job)
		return runningWorker{}, err
	}
	defer sys.close(info.Thread)
	s.process = info.Process
	if err = sys.assign(s.job, info.Process); err == nil {
		if s.proc, err = sys.find(int(info.ProcessId)); err == nil {
			err = sys.resume(info.Thread)
		}
	}
	if err != nil {
		sys.terminate(info.Process)
		sys.close(info.Process)
		sys.close(s.job)
		return runningWorker{}, err
	}
	return s, nil
}

// theSystem is Windows.
type theSystem struct{}

func (theSystem) close(h windows.Handle)            { windows.CloseHandle(h) }
func (theSystem) terminate(process windows.Handle)  { _ = windows.TerminateProcess(process, 1) }
func (theSystem) find(pid int) (*os.Process, error) { return os.FindProcess(pid) }
func (theSystem) assign(job, p windows.Handle) error {
	return os.NewSyscallError("AssignProcessToJobObject", windows.AssignProcessToJobObject(job, p))
}

func (theSystem) resume(thread windows.Handle) error {
	_, err := windows.ResumeThread(thread)
	return os.NewSyscallError("ResumeThread", err)
}

// makeJob makes a job in which there is room for one process of so much memory, which ends when nobody has the job any
// more, and which reaches no window of the desktop.
func (theSystem) makeJob(memory uint64) (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, os.NewSyscallError("CreateJobObject", err)
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{
			LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | windows.JOB_OBJECT_LIMIT_ACTIVE_PROCESS |
				windows.JOB_OBJECT_LIMIT_PROCESS_MEMORY | windows.JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION,
			ActiveProcessLimit: 1,
		},
		ProcessMemoryLimit: uintptr(memory),
	}
	ui := windows.JOBOBJECT_BASIC_UI_RESTRICTIONS{
		UIRestrictionsClass: windows.JOB_OBJECT_UILIMIT_DESKTOP | windows.JOB_OBJECT_UILIMIT_DISPLAYSETTINGS | windows.JOB_OBJECT_UILIMIT_EXITWINDOWS |
			windows.JOB_OBJECT_UILIMIT_GLOBALATOMS | windows.JOB_OBJECT_UILIMIT_HANDLES | windows.JOB_OBJECT_UILIMIT_READCLIPBOARD |
			windows.JOB_OBJECT_UILIMIT_SYSTEMPARAMETERS | windows.JOB_OBJECT_UILIMIT_WRITECLIPBOARD,
	}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err == nil {
		_, err = windows.SetInformationJobObject(job, windows.JobObjectBasicUIRestrictions, uintptr(unsafe.Pointer(&ui)), uint32(unsafe.Sizeof(ui)))
	}
	if err != nil {
		windows.CloseHandle(job)
		return 0, os.NewSyscallError("SetInformationJobObject", err)
	}
	return job, nil
}

var (
	advapi32 = windows.NewLazySystemDLL("advapi32.dll")
	userenv  = windows.NewLazySystemDLL("userenv.dll")

	createRestrictedToken = advapi32.NewProc("CreateRestrictedToken")
	createContainer       = userenv.NewProc("CreateAppContainerProfile")
	deriveContainer       = userenv.NewProc("DeriveAppContainerSidFromAppContainerName")
)

// makeToken makes a token as ours without privileges and without an administrator's rights, of low integrity: it writes to
// nothing that is not made for such.
func (theSystem) makeToken() (windows.Token, error) {
	const (
		disableMaxPrivilege = 1
		luaToken            = 4
	)
	var own, low windows.Token
	err := windows.OpenProcessToken(windows.CurrentProcess(), windows.TOKEN_DUPLICATE|windows.TOKEN_ASSIGN_PRIMARY|windows.TOKEN_QUERY|windows.TOKEN_ADJUST_DEFAULT, &own)
	if err != nil {
		return 0, os.NewSyscallError("OpenProcessToken", err)
	}
	defer own.Close()
	if err := createRestrictedToken.Find(); err != nil {
		return 0, err
	}
	ok, _, err := createRestrictedToken.Call(uintptr(own), disableMaxPrivilege|luaToken, 0, 0, 0, 0, 0, 0, uintptr(unsafe.Pointer(&low)))
	if ok == 0 {
		return 0, os.NewSyscallError("CreateRestrictedToken", err)
	}
	sid, err := windows.CreateWellKnownSid(windows.WinLowLabelSid)
	if err == nil {
		label := windows.Tokenmandatorylabel{Label: windows.SIDAndAttributes{Sid: sid, Attributes: windows.SE_GROUP_INTEGRITY}}
		err = windows.SetTokenInformation(low, windows.TokenIntegrityLevel, (*byte)(unsafe.Pointer(&label)), label.Size())
	}
	if err != nil {
		low.Close()
		return 0, os.NewSyscallError("SetTokenInformation", err)
	}
	return low, nil
}

// Attributes of a process and values of them that package windows does not name, from winbase.h.
const (
	attributeCapabilities = 0x20009
	attributeChildren     = 0x2000e

	noChildren = uint32(1)

	policies = uint64(1<<16 | 1<<20 | // its libraries lie at other addresses at each start
		1<<24 | // a wrong handle is an exception
		1<<32 | // nobody hooks into it
		1<<48 | // no fonts but the system's
		1<<52 | 1<<56 | 1<<60) // no library from another machine, or of low rank; the system's first
)

// securityCapabilities is SECURITY_CAPABILITIES.
type securityCapabilities struct {
	sid          *windows.SID
	capabilities uintptr
	count        uint32
	reserved     uint32
}

// create makes the process, suspended.
func (theSystem) create(token windows.Token, w walls, p *launchPlan) (info windows.ProcessInformation, err error) {
	self, err := os.Executable()
	if err != nil {
		return info, err
	}
	list, err := windows.NewProcThreadAttributeList(4)
	if err != nil {
		return info, os.NewSyscallError("InitializeProcThreadAttributeList", err)
	}
	defer list.Delete()
	handles := p.inherit.handles
	err = list.Update(windows.PROC_THREAD_ATTRIBUTE_HANDLE_LIST, unsafe.Pointer(unsafe.SliceData(handles)), uintptr(len(handles))*unsafe.Sizeof(handles[0]))
	if w.policies {
		forbidden, children := policies, noChildren
		err = errors.Join(err, list.Update(windows.PROC_THREAD_ATTRIBUTE_MITIGATION_POLICY, unsafe.Pointer(&forbidden), unsafe.Sizeof(forbidden)),
			list.Update(attributeChildren, unsafe.Pointer(&children), unsafe.Sizeof(children)))
	}
	if w.container != nil {
		capabilities := securityCapabilities{sid: w.container}
		err = errors.Join(err, list.Update(attributeCapabilities, unsafe.Pointer(&capabilities), unsafe.Sizeof(capabilities)))
	}
	if err != nil {
		return info, os.NewSyscallError("UpdateProcThreadAttribute", err)
	}
	program, err := windows.UTF16PtrFromString(self)
	if err != nil {
		return info, err
	}
	command, err := windows.UTF16PtrFromString(p.command)
	if err != nil {
		return info, err
	}
	dir, err := windows.UTF16PtrFromString(p.dir)
	if err != nil {
		return info, err
	}
	env, err := block(p.env)
	if err != nil {
		return info, err
	}
	start := windows.StartupInfoEx{ProcThreadAttributeList: list.List()}
	start.Cb = uint32(unsafe.Sizeof(start))
	start.Flags = windows.STARTF_USESTDHANDLES
	start.StdInput, start.StdOutput, start.StdErr = p.stdin, p.stdout, p.stdout
	const flags = windows.EXTENDED_STARTUPINFO_PRESENT | windows.CREATE_SUSPENDED | windows.CREATE_UNICODE_ENVIRONMENT |
		windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP // neither a console's host beside it nor our Ctrl-C
	if token != 0 {
		err = windows.CreateProcessAsUser(token, program, command, nil, nil, true, flags, env, dir, &start.StartupInfo, &info)
	} else {
		err = windows.CreateProcess(program, command, nil, nil, true, flags, env, dir, &start.StartupInfo, &info)
	}
	return info, os.NewSyscallError("CreateProcess", err)
}

// containerSID is that of the AppContainer in which consoles run, which is made if need be.
var containerSID = sync.OnceValues(func() (sid *windows.SID, err error) {
	if err := errors.Join(createContainer.Find(), deriveContainer.Find()); err != nil {
		return nil, err
	}
	name, err := windows.UTF16PtrFromString("nettplay.console")
	if err != nil {
		return nil, err
	}
	const exists = 0x800700b7
	r, _, _ := createContainer.Call(uintptr(unsafe.Pointer(name)), uintptr(unsafe.Pointer(name)), uintptr(unsafe.Pointer(name)), 0, 0, uintptr(unsafe.Pointer(&sid)))
	if uint32(r) == exists {
		r, _, _ = deriveContainer.Call(uintptr(unsafe.Pointer(name)), uintptr(unsafe.Pointer(&sid)))
	}
	if r != 0 || sid == nil {
		return nil, fmt.Errorf("make an AppContainer: error %#x", uint32(r))
	}
	return sid, nil
})

// openToWorkers makes a folder of the user's own into which workers may write, whatever little they may do elsewhere.
func openToWorkers(path string) error {
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return &os.PathError{Op: "make", Path: path, Err: err}
	}
	sddl := "D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;" + user.User.Sid.String() + ")"
	if sid, err := containerSID(); err == nil {
		sddl += "(A;OICI;0x1301bf;;;" + sid.String() + ")" // read, write, remove
	}
	sd, err := windows.SecurityDescriptorFromString(sddl + "S:(ML;OICI;NW;;;LW)")
	if err != nil {
		return &os.PathError{Op: "make", Path: path, Err: err}
	}
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return &os.PathError{Op: "make", Path: path, Err: err}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	sa := windows.SecurityAttributes{SecurityDescriptor: sd}
	sa.Length = uint32(unsafe.Sizeof(sa))
	if err := windows.CreateDirectory(name, &sa); err != nil && !errors.Is(err, windows.ERROR_ALREADY_EXISTS) {
		return &os.PathError{Op: "make", Path: path, Err: err}
	}
	return nil
}

// bringCore copies the core into a worker's directory, since from an AppContainer it can be read nowhere else.
func bringCore(s *setup, dir *workdir) (err error) {
	from, err := os.Open(text(s.corePath[:]))
	if err != nil {
		return fmt.Errorf("bring the core to a console: %w", err)
	}
	defer from.Close()
	path := filepath.Join(dir.path, "core.dll")
	to, err := os.Create(path)
	if err == nil {
		_, err = io.Copy(to, from)
		err = errors.Join(err, to.Close())
	}
	if err != nil {
		return fmt.Errorf("bring the core to a console: %w", err)
	}
	if !setText(s.corePath[:], path) {
		return errors.New("bring the core to a console: its path is too long")
	}
	return nil
}
