#define _GNU_SOURCE
#include "fault.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "frontend.h"
#include "options.h"
#include "state.h"

#define EXIT_CODE 3

static const char *const point_names[] = {
	"init",  "load", "reset", "serialize", "unserialize", "unload", "deinit",
	"frame", "poll", "wait",  "send",      "command",     "reply",
};

bool fault_here(void) {
	int64_t mac = option_number(OPT_only_mac);
	if (mac >= 0 && mac != con.m.fw.mac[5]) return false;
	return !*option(OPT_only_marker) || option_is(OPT_only_marker, option(OPT_marker));
}

// --- how to die ---

static volatile int zero;
static volatile char *volatile nowhere;

// These are errors on purpose, which no sanitizer is to report.
#define ON_PURPOSE __attribute__((no_sanitize("address", "undefined")))

// deep uses up the stack; what it returns keeps the compiler from a loop.
ON_PURPOSE static uint64_t deep(uint64_t n) {
	volatile uint8_t room[4096];
	if (n == UINT64_MAX) return 0;
	room[n % sizeof room] = (uint8_t)n;
	return deep(n + 1) + room[(n + 1) % sizeof room];
}

ON_PURPOSE static void strike(const char *how) {
	if (!strcmp(how, "segv")) *nowhere = 1;
	if (!strcmp(how, "abort")) abort();
	if (!strcmp(how, "ill")) __builtin_trap();
	if (!strcmp(how, "fpe")) zero = 1 / zero;
	if (!strcmp(how, "fpe")) raise(SIGFPE); // where dividing by zero is allowed
	if (!strcmp(how, "exit")) exit(EXIT_CODE);
	if (!strcmp(how, "_exit")) syscall(SYS_exit_group, EXIT_CODE);
	if (!strcmp(how, "kill")) kill(getpid(), SIGKILL);
	if (!strcmp(how, "stop")) kill(getpid(), SIGSTOP);
	if (!strcmp(how, "hang"))
		for (;;) zero = zero;
	if (!strcmp(how, "sleep"))
		for (;;) raw_sleep(3600000000);
	if (!strcmp(how, "stack")) zero = (int)deep(0);
}

// wanted compares "frame:60", a bare number (of a frame), "load" and the like.
static bool wanted(enum point p, uint64_t count) {
	const char *at = option(OPT_fault_at), *colon = strchr(at, ':');
	size_t len = colon ? (size_t)(colon - at) : strlen(at);
	if (p == AT_FRAME && *at >= '0' && *at <= '9') return strtoull(at, NULL, 10) == count;
	if (strlen(point_names[p]) != len || strncmp(at, point_names[p], len)) return false;
	return !colon || strtoull(colon + 1, NULL, 10) == count;
}

void fault_at(enum point p, uint64_t count) {
	if (p >= AT_POLL) fault_radio();
	if (option_on(OPT_fault) && wanted(p, count) && fault_here()) strike(option(OPT_fault));
}

// --- chance ---

// Not the console's generator: what it says differs from run to run.
static uint64_t chance(void) {
	static uint64_t x;
	x = (x ^ raw_cycles()) * 0x9E3779B97F4A7C15u;
	return x ^= x >> 32;
}

void fault_radio(void) {
	int64_t most = option_number(OPT_jitter_us), in = option_number(OPT_jitter_in);
	if (most <= 0 || (in > 1 && chance() % (uint64_t)in)) return;
	raw_sleep(chance() % (uint64_t)(most + 1));
}

void fault_garbage(uint8_t *p, size_t n) {
	if (!option_on(OPT_radio_garbage)) return;
	uint64_t v = chance();
	memcpy(p, &v, n < sizeof v ? n : sizeof v);
}

static uint64_t of_heap(void) {
	uint64_t sum = 0;
	free(malloc(600)); // so that there is a block with something in it
	for (size_t size = 24; size < 4096; size *= 2) {
		uint64_t *p = malloc(size);
		__asm__ volatile("" : : "r"(p) : "memory");
		for (size_t i = 0; p && i < size / 8; i++) sum = sum * 31 + p[i];
		free(p);
	}
	return sum;
}

static __attribute__((noinline)) uint64_t of_stack(void) {
	uint64_t room[256], sum = 0;
	__asm__ volatile("" : "=m"(room)); // "written", as far as the compiler knows
	for (size_t i = 0; i < 256; i++) sum = sum * 31 + room[i];
	return sum;
}

uint64_t fault_uninit(const char *kind) {
	bool all = !strcmp(kind, "all");
	uint64_t sum = 0, here;
	if (all || !strcmp(kind, "heap")) sum ^= of_heap();
	if (all || !strcmp(kind, "stack")) sum ^= of_stack();
	if (all || !strcmp(kind, "address")) sum ^= (uintptr_t)&here;
	return sum;
}

// --- load ---

static void caught(int sig) {
	signal(sig, SIG_DFL);
	raise(sig);
}

static void *idle(void *unused) {
	for (;;) raw_sleep(3600000000);
	return unused;
}

// The stash counts frames where no snapshot finds them: by the position in a file that is open.
static int stash = -1;

static void open_stash(const char *path) {
	stash = path ? open(path, O_RDONLY) : -1;
	if (stash < 0) abort();
}

void fault_load(const char *path) {
	static const int sigs[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTERM, SIGPIPE};
	if (option_on(OPT_signals))
		for (size_t i = 0; i < sizeof sigs / sizeof *sigs; i++) signal(sigs[i], caught);
	for (int64_t i = option_number(OPT_map_gb); i > 0; i--)
		mmap(NULL, 1u << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (option_on(OPT_stash)) open_stash(path);
	for (int64_t i = option_number(OPT_threads); i > 0; i--) {
		pthread_t t;
		pthread_create(&t, NULL, idle, NULL);
	}
}

// --- every frame ---

static void read_clocks(void) {
	struct timespec t;
	struct timeval tv;
	for (clockid_t id = CLOCK_REALTIME; id <= CLOCK_BOOTTIME; id++) {
		if (clock_gettime(id, &t)) continue;
		mix((uint64_t)t.tv_sec << 30 ^ (uint64_t)t.tv_nsec);
	}
	gettimeofday(&tv, NULL);
	mix((uint64_t)tv.tv_sec << 20 ^ (uint64_t)tv.tv_usec);
	mix((uint64_t)clock());
	mix((uint64_t)time(NULL));
}

static void leak(size_t kb) {
	char *p = malloc(kb << 10);
	for (size_t i = 0; p && i < kb << 10; i += 1024) p[i] = 1;
	__asm__ volatile("" : : "r"(p) : "memory");
}

static void spam(int fd, int64_t kb) {
	char noise[1024];
	for (size_t i = 0; i < sizeof noise; i++) noise[i] = (char)chance();
	for (; kb > 0; kb--)
		if (write(fd, noise, sizeof noise) < 0) return;
}

uint8_t fault_packet(void) {
	bool now =
		(int64_t)con.m.frame == option_number(OPT_desync_at) && option_is(OPT_desync_what, "air");
	return now && fault_here() ? 0x10 : 0;
}

static void desync(void) {
	if (option_is(OPT_desync_what, "ram")) ram[AT_DATA + 0x1234] ^= 0x10;
	if (option_is(OPT_desync_what, "sram") && sram_size) sram[sram_size / 2] ^= 0x10;
	if (option_is(OPT_desync_what, "hash")) con.m.hash ^= 1;
}

void fault_frame(void) {
	uint64_t frame = con.m.frame;
	if (!fault_here()) return;
	fault_at(AT_FRAME, frame);
	fault_radio();
	if (option_on(OPT_libc_clock)) read_clocks();
	if (option_is(OPT_wall_clock, "syscall")) mix(raw_time_syscall());
	if (option_is(OPT_wall_clock, "vdso")) mix(raw_time_vdso());
	if (option_is(OPT_wall_clock, "cycles")) mix(raw_cycles());
	if (option_on(OPT_uninit)) mix(fault_uninit(option(OPT_uninit)));
	if (option_on(OPT_stash)) mix((uint64_t)lseek(stash, 1, SEEK_CUR));
	if (option_on(OPT_leak_kb)) leak((size_t)option_number(OPT_leak_kb));
	raw_sleep((uint64_t)option_number(OPT_sleep_us));
	if (option_on(OPT_busy_us)) raw_work((uint64_t)option_number(OPT_busy_us));
	spam(STDOUT_FILENO, option_number(OPT_spam_stdout_kb));
	spam(STDERR_FILENO, option_number(OPT_spam_stderr_kb));
	for (int64_t i = option_number(OPT_spam_log); i > 0; i--) frontend_log("spam %lld", (long long)i);
	if ((int64_t)frame == option_number(OPT_desync_at)) desync();
#ifdef TESTCORE_DESYNC_EVERY // a build that goes wrong again and again
	if (frame > 0 && frame % TESTCORE_DESYNC_EVERY == 0) mix(frame);
#endif
	if ((int64_t)frame == option_number(OPT_escape_at) && option_on(OPT_escape))
		escape_try(option(OPT_escape));
	if ((int64_t)frame == option_number(OPT_spill_at)) report()->spilled = escape_spill();
}
