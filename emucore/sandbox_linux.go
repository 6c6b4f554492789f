package emucore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"unsafe"

	"golang.org/x/sys/unix"
)

// WallsProven tells whether somebody has tried on this system to get through the walls around a core, and could not.
const WallsProven = true

// Protections returns this kernel's means against a core that attacks its host. A kernel without system
// call filters runs no core at all.
func Protections() []Protection {
	all := []Protection{
		{Against: "system", Text: "no programs, no other process, no network, no changes to files (system call filter)"},
		{Against: "files", Text: "reads its ROM and the system's libraries only (Landlock)"},
		{Against: "memory", Text: "bounded: 1 GB, three times the ROM, and 128 MB that is shared"},
	}
	if landlockVersion() == 0 {
		const why = "this kernel has no Landlock (Linux 5.13 or later has, if it is switched on)"
		all[1].Text, all[1].Missing = "while it is loaded it can read whatever you can read", why
		all[2].Text, all[2].Missing = "bounded, but for a core that is made to take more while it is loaded", why
	}
	return all
}

// readable lists all that any core may read while it is loaded: the system's libraries, how to find
// them, and how many processors there are. Beside these it may read its own file, its ROM and its
// private directory. It may write to its save file only, see worker_trap_linux.c.
var readable = []string{
	"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/local/lib64",
	"/nix/store", "/gnu/store", "/app/lib", // where NixOS, Guix and Flatpak have theirs
	"/etc/ld.so.cache",
	"/sys/devices/system/cpu", "/proc/cpuinfo", "/dev/null", "/dev/urandom",
}

// newRules makes the list of files that a worker may read, for the kernel; nil if it
// takes none. It is worker_world_linux.c that puts it into force.
func newRules(core string, w workerFiles) (_ *os.File, err error) {
	version := landlockVersion()
	if version == 0 || w.lawless {
		return nil, nil
	}
	attr := unix.LandlockRulesetAttr{Handled_access_fs: landlockFiles(version)}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr.Handled_access_fs), 0)
	if errno != 0 {
		return nil, fmt.Errorf("list the files that a core may read: %w", errno)
	}
	rules := os.NewFile(fd, "landlock")
	defer func() {
		if err != nil {
			rules.Close()
		}
	}()
	for _, path := range append(readable, filepath.SplitList(os.Getenv("LD_LIBRARY_PATH"))...) {
		if err := allowPath(rules, path); err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
			return nil, err
		}
	}
	if err := allowPath(rules, core); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if w.rom != nil {
		// A file in memory, the image of a trimmed dump, lies on no disk that rules are about (EBADFD), and may be read.
		if err := allow(rules, w.rom, unix.LANDLOCK_ACCESS_FS_READ_FILE); err != nil && !errors.Is(err, unix.EBADFD) {
			return nil, err
		}
	}
	return rules, allow(rules, w.dir.dir, unix.LANDLOCK_ACCESS_FS_READ_FILE|unix.LANDLOCK_ACCESS_FS_READ_DIR)
}

// allowPath lets a core read the file path, or all files below it. A path that is
// not absolute means another place in a worker.
func allowPath(rules *os.File, path string) error {
	if !filepath.IsAbs(path) {
		return nil
	}
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return &fs.PathError{Op: "let a core read", Path: path, Err: err}
	}
	f := os.NewFile(uintptr(fd), path)
	defer f.Close()
	return allow(rules, f, unix.LANDLOCK_ACCESS_FS_READ_FILE)
}

func allow(rules, f *os.File, access uint64) error {
	beneath := unix.LandlockPathBeneathAttr{Allowed_access: access, Parent_fd: int32(f.Fd())}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, rules.Fd(), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&beneath)), 0, 0, 0)
	if errno != 0 {
		return &fs.PathError{Op: "let a core read", Path: f.Name(), Err: errno}
	}
	return nil
}

// landlockFiles is everything that Landlock of a version can forbid about files.
func landlockFiles(version int) uint64 {
	forbidden := uint64(unix.LANDLOCK_ACCESS_FS_MAKE_SYM<<1 - 1)
	if version >= 2 {
		forbidden |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= 3 {
		forbidden |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if version >= 5 {
		forbidden |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	return forbidden
}

// landlockVersion is that of the kernel's Landlock; 0 for none: it came with Linux
// 5.13, and can be left out of a kernel or switched off.
func landlockVersion() int {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(version)
}
