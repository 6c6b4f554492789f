// Things a core has no business to do. Raw system calls, so that nothing but the
// kernel decides.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "console.h"
#include "fault.h"

#define LITTER "/tmp/nettplay-testcore-was-here"
#define SPILL_FDS 256

// Each is 0 or more if it worked, else -1 with errno.

static long try_open(void) { return syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY); }

static long try_create(void) {
	long fd = syscall(SYS_openat, AT_FDCWD, LITTER, O_WRONLY | O_CREAT, 0600);
	if (fd >= 0) unlink(LITTER);
	return fd;
}

static long try_dir(void) { return syscall(SYS_openat, AT_FDCWD, "/", O_RDONLY | O_DIRECTORY); }
static long try_inet(void) { return syscall(SYS_socket, AF_INET, SOCK_DGRAM, 0); }
static long try_unix(void) { return syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0); }

static int nothing_to_do(void *unused) {
	(void)unused;
	return 0;
}

// The child of a successful attempt ends at once.
static long child(int flags) {
	static char stack[64 << 10] __attribute__((aligned(16)));
	int pid = clone(nothing_to_do, stack + sizeof stack, flags, NULL);
	if (pid > 0) waitpid(pid, NULL, __WALL);
	return pid;
}

static long try_fork(void) { return child(SIGCHLD); }

static long try_thread(void) { return child(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | SIGCHLD); }

// Signal 0 asks whether it could be done.
static long try_killparent(void) { return syscall(SYS_kill, getppid(), 0); }
static long try_murder(void) { return syscall(SYS_kill, getppid(), SIGKILL); }

static long try_ptrace(void) {
	long r = syscall(SYS_ptrace, PTRACE_SEIZE, getppid(), 0, 0);
	if (r == 0) syscall(SYS_ptrace, PTRACE_DETACH, getppid(), 0, 0);
	return r;
}

static long try_exec_map(void) {
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED) return -1;
	munmap(p, 4096);
	return 0;
}

static long try_pdeathsig(void) { return syscall(SYS_prctl, PR_SET_PDEATHSIG, 0, 0, 0, 0); }
static long try_memfd(void) { return syscall(SYS_memfd_create, "testcore", 0); }

static long try_sigaction(void) {
	struct sigaction old;
	if (sigaction(SIGUSR1, NULL, &old)) return -1;
	return sigaction(SIGUSR1, &old, NULL);
}

static long try_setsid(void) { return syscall(SYS_setsid); }

static long try_exec(void) {
	char *argv[] = {"true", NULL}, *none[] = {NULL};
	return syscall(SYS_execve, "/bin/true", argv, none);
}

static const struct {
	const char *name;
	long (*attempt)(void);
	bool alone; // only when asked for by name: there is no way back
	bool opens; // what it returns is a descriptor
} attempts[] = {
	{"open", try_open, false, true},
	{"create", try_create, false, true},
	{"dir", try_dir, false, true},
	{"inet", try_inet, false, true},
	{"unix", try_unix, false, true},
	{"fork", try_fork, false, false},
	{"thread", try_thread, false, false},
	{"killparent", try_killparent, false, false},
	{"ptrace", try_ptrace, false, false},
	{"exec_map", try_exec_map, false, false},
	{"pdeathsig", try_pdeathsig, false, false},
	{"memfd", try_memfd, false, true},
	{"sigaction", try_sigaction, false, false},
	{"setsid", try_setsid, false, false},
	{"exec", try_exec, true, false},
	{"murder", try_murder, true, false},
};

#define ATTEMPTS (sizeof attempts / sizeof *attempts)
_Static_assert(ATTEMPTS <= sizeof((struct report *)0)->escape, "room for results");

static bool listed(const char *list, const char *name, bool alone) {
	size_t len = strlen(name);
	if (!alone && !strcmp(list, "all")) return true;
	for (; list; list = strchr(list, ',')) {
		list += *list == ',';
		if (!strncmp(list, name, len) && (!list[len] || list[len] == ',')) return true;
	}
	return false;
}

void escape_try(const char *list) {
	for (size_t i = 0; i < ATTEMPTS; i++) {
		if (!listed(list, attempts[i].name, attempts[i].alone)) continue;
		errno = 0;
		long r = attempts[i].attempt();
		report()->escape[i] = r >= 0 ? 1 : (uint8_t)(128 + (errno & 127));
		report()->escaped += r >= 0;
		if (r >= 0 && attempts[i].opens) close((int)r);
	}
}

uint32_t escape_spill(void) {
	static const char garbage[64] = "garbage from the test core";
	uint32_t worked = 0;
	for (int fd = 3; fd < SPILL_FDS; fd++) worked += write(fd, garbage, sizeof garbage) > 0;
	return worked;
}

// Environment calls of the public API that a deterministic frontend must refuse.
static const unsigned asked[] = {
	23,           // rumble interface
	0x10000 | 25, // sensor interface
	0x10000 | 26, // camera interface
	28,           // performance counters
	29,           // location interface
	0x10000 | 45, // VFS interface
	0x10000 | 46, // LED interface
	0x10000 | 47, // audio and video enable
	0x10000 | 48, // MIDI interface
	0x10000 | 49, // fast-forwarding
	0x10000 | 50, // target refresh rate
	0x10000 | 71, // throttle state
	0x10000 | 75, // microphone interface
	0x10000 | 77, // device power
};

uint32_t escape_ask(retro_environment_t env) {
	uint32_t granted = 0;
	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
		union {
			uint64_t words[64];
			unsigned version;
		} answer = {{0}};
		answer.version = 1; // some structs begin with the version asked for
		if (env(asked[i], &answer)) granted |= 1u << i;
	}
	return granted;
}
