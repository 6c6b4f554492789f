/*
 * Which pages of a worker are written, in three ways: see worker_pages.h.
 *
 * A worker has one thread and all of its console, but for its file for saves (its content is
 * more pages here, compared each time), descriptors of that, and the mode of its floating point unit. What is put back is all
 * memory that can be written and is its own, once the core is loaded: libraries' variables, the heap,
 * the stack below the main loop. Not put back are: the memory from np_track_memory, which holds the
 * images and the stack on which this runs; what it has in common with its parent; the air.
 *
 * So that there is no other memory later, the heap gets room before, the stack too, and the
 * sealed worker gets no mapping, loses none and changes none (worker_seccomp_linux.c): a frame
 * of known cores asks for nothing of it. What malloc has of mappings stays when it gives it back.
 * Memory that a core shares with itself (melonDS DS, which does well with one that it does not share) is private.
 *
 * By signals a page that is protected cannot be written by the kernel either. Calls that
 * write to memory are trapped there, which touches it first; libc's rseq is off (process.go); the
 * request lies on the stack above what is protected, and signals come on a stack of their own.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "worker_pages_linux.h"

/* of newer kernels than some headers */
#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY 1
#endif
#ifndef UFFD_FEATURE_WP_ASYNC
#define UFFD_FEATURE_WP_ASYNC (1 << 15)
#endif

#define HEADROOM (64u << 20) /* of the heap, for what a console takes once it runs */
#define STACK_LEFT (256u << 10)
#define LIVE 4096u /* bytes of the stack that the main loop, and what it calls to come here, take at most */
#define REGIONS_MAX 4096u
#define BATCH 1024u
#define MAPS_MAX (1u << 20)
#define DENSE 80 /* of 100 pages of a region: if more are there, the short way through all is the shorter one */

/* A region is a piece of memory that is put back. */
struct region {
	uintptr_t from, to;
	uint32_t first; /* its first page's number */
	int protection;
	int nameless; /* of no file */
	int dense;    /* nearly all of its pages are there */
};

static struct track {
	uint32_t regions, pages; /* pages: of memory; those of the save file follow */
	struct region region[REGIONS_MAX];
	uintptr_t *at; /* of each page of memory */

	/* by signals only */
	uint8_t *cold; /* of each page of memory: it is protected */
	uint32_t *hot, hots;
	struct sigaction before[2]; /* of SIGSEGV, SIGBUS */

	struct np_page_region found[BATCH];
	uint64_t presence[BATCH];
	size_t save, saved; /* bytes of the save file, now and at the last look */
	char *floor;        /* below it the stack is nobody's */
	char maps[MAPS_MAX];
	_Alignas(64) char stack[64 << 10], handlers[64 << 10];
} * t;

static struct {
	int way;
	char *frame; /* of the main loop */
	const struct np_setup *setup;
	void *air;
	uintptr_t heap_end; /* as brk would say */
	int short_way;      /* of this kernel's list of written pages */

	struct stat file; /* the save file's */
	const uint8_t *live;
} track;

/* What else is noted with a snapshot. */
struct rest {
	size_t save;         /* bytes of the save file */
	off_t at[NP_FD_END]; /* positions of its descriptors; -1: another file's, or none */
	uint32_t stack_n;    /* bytes of the stack between what is protected and what is in use */
	uint64_t floats;
	uint8_t stack[NP_PAGE + LIVE];
};

_Static_assert(sizeof(struct rest) <= NP_REST_MAX, "it is for the places");
_Static_assert(sizeof(struct np_request) + sizeof(struct np_reply) + 1024 < LIVE, "the main loop's variables");

/* --- what this kernel has --- */

static int open_faults(uint64_t features)
{
	struct uffdio_api api = {.api = UFFD_API, .features = features};
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY);

	if (fd >= 0 && ioctl(fd, UFFDIO_API, &api)) {
		close(fd);
		return -1;
	}
	return fd;
}

static uint64_t features(int way)
{
	return UFFD_FEATURE_PAGEFAULT_FLAG_WP | (way == NP_WAY_ASYNC ? UFFD_FEATURE_WP_ASYNC : UFFD_FEATURE_SIGBUS);
}

static int open_presence(void)
{
	return open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
}

static int scans(void)
{
	static char page[2 * NP_PAGE];
	uintptr_t from = ((uintptr_t)page + NP_PAGE - 1) & ~(uintptr_t)(NP_PAGE - 1);
	struct np_pagemap_scan scan = {.size = sizeof scan, .start = from, .end = from + NP_PAGE};
	int fd = open_presence(), worked = fd >= 0 && ioctl(fd, NP_PAGEMAP_SCAN, &scan) >= 0;

	if (fd >= 0)
		close(fd);
	return worked;
}

static int faults(int way)
{
	int fd = open_faults(features(way));

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

unsigned np_track_ways(void)
{
	unsigned ways = 1u << NP_WAY_MPROTECT;

#ifdef __SANITIZE_ADDRESS__ /* which has mapped terabytes */
	return 0;
#endif
	if (sysconf(_SC_PAGESIZE) != NP_PAGE)
		return 0;
	if (faults(NP_WAY_ASYNC) && scans())
		ways |= 1u << NP_WAY_ASYNC;
	if (faults(NP_WAY_SIGBUS))
		ways |= 1u << NP_WAY_SIGBUS;
	return ways;
}

/* --- the start --- */

void np_track_enter(const struct np_setup *setup, void *frame)
{
	struct stat st = {0};

	track.way = (int)setup->rollback;
	if (!track.way)
		return;
	track.setup = setup;
	track.frame = frame;
	if (setup->has_radio && fstat(NP_FD_AIR, &st) == 0) {
		track.air = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, NP_FD_AIR, 0);
		if (track.air == MAP_FAILED)
			np_die("worker: memory for the radio: %s", strerror(errno));
	}
	if (setup->save_name[0] && fstat(NP_FD_SAVE, &track.file) == 0) {
		track.live = mmap(NULL, NP_FILE_MAX, PROT_READ, MAP_SHARED | MAP_NORESERVE, NP_FD_SAVE, 0);
		if (track.live == MAP_FAILED)
			np_die("worker: map the save file: %s", strerror(errno));
	}
}

/* short_way says whether this kernel may be asked for written pages whether they are there or not. That takes it less than half
 * as long a page, but before 6.15 it takes some that are swapped out for such as nobody has written to (fs/proc/task_mmu.c). */
static int short_way(void)
{
	struct utsname name = {0};
	unsigned major = 0, minor = 0;

	return uname(&name) == 0 && sscanf(name.release, "%u.%u", &major, &minor) == 2 && (major > 6 || (major == 6 && minor >= 15));
}

static void move_to(int fd, int to, const char *what)
{
	if (fd < 0 || dup3(fd, to, O_CLOEXEC) < 0)
		np_die("worker: %s for snapshots: %s", what, strerror(errno));
	close(fd);
}

/* np_track_open comes while this process can still be looked into. */
void np_track_open(void)
{
	if (!track.way)
		return;
	if (track.way != NP_WAY_MPROTECT)
		move_to(open_faults(features(track.way)), NP_FD_FAULTS, "userfaultfd");
	move_to(open_presence(), NP_FD_PAGEMAP, "the list of pages");
	track.short_way = short_way();
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0); /* a page of 2 MB would be written as a whole */
}

int np_track_way(void)
{
	return track.way;
}

void *np_track_air(void)
{
	return track.air;
}

void *np_track_memory(size_t size)
{
	void *m = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return m == MAP_FAILED ? NULL : m;
}

/* --- system calls from here, whatever the filters say of others' --- */

__attribute__((noinline, noclone)) long np_track_call(long nr, const long a[6])
{
	long result;

#if defined(__x86_64__)
	register long a3 __asm__("r10") = a[3];
	register long a4 __asm__("r8") = a[4];
	register long a5 __asm__("r9") = a[5];
	__asm__ volatile("syscall\n"
	                 ".globl np_track_called\n"
	                 ".hidden np_track_called\n"
	                 "np_track_called:\n"
	                 : "=a"(result)
	                 : "0"(nr), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(a3), "r"(a4), "r"(a5)
	                 : "rcx", "r11", "memory");
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = nr;
	register long x0 __asm__("x0") = a[0];
	register long x1 __asm__("x1") = a[1];
	register long x2 __asm__("x2") = a[2];
	register long x3 __asm__("x3") = a[3];
	register long x4 __asm__("x4") = a[4];
	register long x5 __asm__("x5") = a[5];
	__asm__ volatile("svc #0\n"
	                 ".globl np_track_called\n"
	                 ".hidden np_track_called\n"
	                 "np_track_called:\n"
	                 : "+r"(x0)
	                 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
	                 : "memory");
	result = x0;
#endif
	return result;
}

#define CALL(nr, ...) np_track_call(nr, (const long[6]){__VA_ARGS__})

/* --- a stack of its own --- */

#define RED_ZONE 128 /* bytes below it that a function may use */
#if defined(__x86_64__)
#define NP_STACK_POINTER "movq %%rsp, %0"
#elif defined(__aarch64__)
#define NP_STACK_POINTER "mov %0, sp"
#endif

/* np_track_apart: all of the stack below this function's frame is nobody's while it runs, and can
 * be put back. */
__attribute__((noinline)) int np_track_apart(int (*run)(uint32_t), uint32_t arg)
{
	char *top = t->stack + sizeof t->stack;
	long result;

	__asm__ volatile(NP_STACK_POINTER : "=r"(t->floor));
	t->floor -= RED_ZONE;
#if defined(__x86_64__)
	__asm__ volatile("movq %%rsp, %%rbx\n"
	                 "movq %2, %%rsp\n"
	                 "callq *%1\n"
	                 "movq %%rbx, %%rsp\n"
	                 : "=a"(result)
	                 : "r"(run), "r"(top), "D"((unsigned long)arg)
	                 : "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4",
	                   "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
	                   "memory", "cc");
#elif defined(__aarch64__)
	register long x0 __asm__("x0") = (long)arg;
	__asm__ volatile("mov x19, sp\n"
	                 "mov sp, %2\n"
	                 "blr %1\n"
	                 "mov sp, x19\n"
	                 : "+r"(x0)
	                 : "r"(run), "r"(top)
	                 : "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14",
	                   "x15", "x16", "x17", "x18", "x19", "x30", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7",
	                   "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28",
	                   "v29", "v30", "v31", "memory", "cc");
	result = x0;
#endif
	return (int)result;
}

/* live is where the part of the stack begins that is never put back as pages, for there are the main
 * loop's variables. */
static uintptr_t live(void)
{
	return ((uintptr_t)track.frame - LIVE) & ~(uintptr_t)(NP_PAGE - 1);
}

/* --- the list of memory --- */

static void add(uintptr_t from, uintptr_t to, int protection, int nameless)
{
	uintptr_t own = (uintptr_t)t, own_end = own + ((sizeof *t + NP_PAGE - 1) & ~(size_t)(NP_PAGE - 1));
	struct region *last = t->regions ? &t->region[t->regions - 1] : NULL;

	if (from < own_end && own < to) { /* neighbours may be one in the list */
		if (from < own)
			add(from, own, protection, nameless);
		if (own_end < to)
			add(own_end, to, protection, nameless);
		return;
	}
	if (last && last->to == from && last->protection == protection && last->nameless == nameless) {
		last->to = to;
		return;
	}
	if (t->regions == REGIONS_MAX)
		np_die("worker: has too many pieces of memory for snapshots");
	t->region[t->regions++] = (struct region){
	    .from = from, .to = to, .protection = protection, .nameless = nameless};
}

/* own_copy puts memory without a file in the place of a file's, with the same in it. */
static void own_copy(uintptr_t from, uintptr_t to, int protection)
{
	size_t n = to - from;
	void *m = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (m == MAP_FAILED)
		np_die("worker: memory for snapshots: %s", strerror(errno));
	memcpy(m, (const void *)from, n);
	if (mprotect(m, n, protection) || mremap(m, n, n, MREMAP_MAYMOVE | MREMAP_FIXED, from) == MAP_FAILED)
		np_die("worker: memory for snapshots: %s", strerror(errno));
}

/* list_line takes a line of the list of mappings: from-to rwxp offset device inode name. */
static void list_line(const char *line)
{
	char *end;
	uintptr_t from = strtoul(line, &end, 16), to = strtoul(end + 1, &end, 16);
	const char *rights = end + 1, *field = rights;
	int protection = PROT_WRITE | PROT_READ | (rights[2] == 'x' ? PROT_EXEC : 0), nameless;

	if (rights[1] != 'w' || rights[3] != 'p')
		return;
	for (int i = 0; i < 3 && field; i++)
		field = (field = strchr(field, ' ')) ? field + 1 : NULL;
	if (!field)
		return;
	if (from <= live() && live() < to)
		to = live();
	if (from >= to)
		return;
	nameless = strtoul(field, NULL, 10) == 0;
	if (track.way == NP_WAY_SIGBUS && !nameless)
		own_copy(from, to, protection);
	add(from, to, protection, nameless);
}

static void list_memory(void)
{
	size_t have = 0;
	ssize_t n;

	lseek(NP_FD_MAPS, 0, SEEK_SET);
	while (have < MAPS_MAX - 1 && (n = read(NP_FD_MAPS, t->maps + have, MAPS_MAX - 1 - have)) > 0)
		have += (size_t)n;
	if (have == MAPS_MAX - 1)
		np_die("worker: has too many pieces of memory for snapshots");
	t->maps[have] = '\0';
	for (char *line = t->maps, *end; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		list_line(line);
	}
}

/* number gives each page its number. */
static int number(void)
{
	size_t pages = 0;

	for (uint32_t i = 0; i < t->regions; i++) {
		t->region[i].first = (uint32_t)pages;
		pages += (t->region[i].to - t->region[i].from) / NP_PAGE;
		if (pages > UINT32_MAX / 4)
			return np_fail("has too much memory for snapshots");
	}
	t->pages = (uint32_t)pages;
	t->at = np_track_memory(pages * sizeof *t->at);
	t->cold = np_track_memory(pages);
	t->hot = np_track_memory(pages * sizeof *t->hot);
	if (!t->at || !t->cold || !t->hot)
		return np_fail("has %zu pages, and no room for snapshots of them", pages);
	for (uint32_t i = 0; i < t->regions; i++)
		for (uintptr_t a = t->region[i].from; a < t->region[i].to; a += NP_PAGE)
			t->at[t->region[i].first + (a - t->region[i].from) / NP_PAGE] = a;
	return NP_OK;
}

/* holder is the region that an address is in, NULL for none. */
static const struct region *holder(uintptr_t a)
{
	uint32_t low = 0, high = t->regions;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (t->region[mid].to <= a)
			low = mid + 1;
		else
			high = mid;
	}
	return low < t->regions && t->region[low].from <= a ? &t->region[low] : NULL;
}

static uint32_t number_of(const struct region *r, uintptr_t a)
{
	return r->first + (uint32_t)((a - r->from) / NP_PAGE);
}

/* --- protection --- */

static int set(uintptr_t from, uintptr_t to, int protect, int protection)
{
	struct uffdio_writeprotect w = {{from, to - from}, protect ? UFFDIO_WRITEPROTECT_MODE_WP : 0};

	if (track.way == NP_WAY_MPROTECT)
		return CALL(SYS_mprotect, (long)from, (long)(to - from),
		            protect ? protection & ~PROT_WRITE : protection) != 0;
	return CALL(SYS_ioctl, NP_FD_FAULTS, (long)UFFDIO_WRITEPROTECT, (long)&w) != 0;
}

static void must_set(uintptr_t from, uintptr_t to, int protect, int protection)
{
	if (set(from, to, protect, protection))
		np_die("worker: protection of a page could not be changed");
}

/* scan asks for pages of a region that are there and have been written, from an address on, and moves
 * that on. */
static long scan(const struct region *r, uintptr_t *from, uint64_t flags)
{
	struct np_pagemap_scan s = {.size = sizeof s,
	                            .flags = flags,
	                            .start = *from,
	                            .end = r->to,
	                            .vec = (uintptr_t)t->found,
	                            .vec_len = BATCH,
	                            .category_mask = NP_PAGE_IS_WRITTEN,
	                            .category_anyof_mask = r->dense ? 0 : NP_PAGE_IS_PRESENT | NP_PAGE_IS_SWAPPED,
	                            .return_mask = NP_PAGE_IS_WRITTEN};
	long n = CALL(SYS_ioctl, NP_FD_PAGEMAP, (long)NP_PAGEMAP_SCAN, (long)&s);

	if (n < 0)
		np_die("worker: list of written pages: %s", strerror((int)-n));
	*from = s.walk_end > *from ? s.walk_end : r->to;
	return n;
}

/* forward hands a fault that is none of ours to whoever was there before. */
static void forward(const struct sigaction *before, int sig, siginfo_t *info, void *context)
{
	struct {
		void *handler;
		unsigned long flags;
		void *restorer;
		uint64_t mask;
	} none = {0};

	if (before->sa_flags & SA_SIGINFO)
		before->sa_sigaction(sig, info, context);
	else if (before->sa_handler != SIG_DFL && before->sa_handler != SIG_IGN)
		before->sa_handler(sig);
	else
		CALL(SYS_rt_sigaction, sig, (long)&none, 0, sizeof none.mask); /* and it comes once more */
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
	uintptr_t a = (uintptr_t)info->si_addr & ~(uintptr_t)(NP_PAGE - 1);
	const struct region *r = holder(a);
	uint32_t page = r ? number_of(r, a) : 0;

	if (info->si_code <= 0 || !r || !t->cold[page]) {
		forward(&t->before[sig == SIGBUS], sig, info, context);
		return;
	}
	t->cold[page] = 0;
	t->hot[t->hots++] = page;
	must_set(a, a + NP_PAGE, 0, r->protection);
}

static int by_signals(void)
{
	return track.way == NP_WAY_SIGBUS || track.way == NP_WAY_MPROTECT;
}

static void catch_faults(void)
{
	struct sigaction act = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	stack_t stack = {.ss_sp = t->handlers, .ss_size = sizeof t->handlers};

	if (sigaltstack(&stack, NULL) || sigaction(SIGSEGV, &act, &t->before[0]) ||
	    sigaction(SIGBUS, &act, &t->before[1]))
		np_die("worker: handle faults: %s", strerror(errno));
}

/* --- the beginning --- */

/* make_room takes what the console may want later. malloc has no mappings from here on, and gives nothing
 * back to the system. */
static void make_room(void)
{
	struct rlimit stack = {0};
	void *volatile m; /* or the compiler would know that nothing is done with it */

	mallopt(M_MMAP_MAX, 0);
	mallopt(M_TRIM_THRESHOLD, -1);
	np_heap_clear(0);
	m = malloc(HEADROOM);
	free(m);
	np_heap_clear(1);
	track.heap_end = (uintptr_t)sbrk(0);
	getrlimit(RLIMIT_STACK, &stack);
	if (stack.rlim_cur > 2 * STACK_LEFT) /* the stack reaches as far as it is touched */
		*(volatile char *)(track.frame - (stack.rlim_cur > (8u << 20) ? 8u << 20 : stack.rlim_cur) +
		                   STACK_LEFT) = 0;
}

static void watch(const struct region *r)
{
	struct uffdio_register reg = {.range = {r->from, r->to - r->from}, .mode = UFFDIO_REGISTER_MODE_WP};

	if (track.way != NP_WAY_MPROTECT && ioctl(NP_FD_FAULTS, UFFDIO_REGISTER, &reg))
		np_die("worker: has memory of a kind that cannot be put back: %s", strerror(errno));
}

/* image_run takes images of pages that are there, and returns of how many. Those of zeros are given back: each one costs
 * time in each scan. malloc clears what it gives out, and a core clears what it has, so there are many. */
static size_t image_run(const struct region *r, uintptr_t from, uintptr_t to)
{
	uintptr_t zeros = from;
	size_t n = 0;

	for (uintptr_t a = from; a < to; a += NP_PAGE) {
		if (!np_pages_image(number_of(r, a)))
			continue;
		n++;
		if (r->nameless && zeros < a)
			madvise((void *)zeros, a - zeros, MADV_DONTNEED);
		zeros = a + NP_PAGE;
	}
	if (r->nameless && zeros < to)
		madvise((void *)zeros, to - zeros, MADV_DONTNEED);
	return n;
}

/* A page that is not there is all zeros, or as in its file: that one is read. To read it makes it a part of
 * the kernel's tables, so the list of those that are there is asked first; where a signal must come of a write to
 * it, it has to be there. */
static void images(struct region *r)
{
	uintptr_t from = r->from;
	size_t there = 0;

	if (!r->nameless || track.way == NP_WAY_SIGBUS)
		for (uintptr_t a = r->from; a < r->to; a += NP_PAGE)
			(void)*(volatile const char *)a;
	if (track.way == NP_WAY_ASYNC) {
		while (from < r->to) {
			long n = scan(r, &from, NP_PM_SCAN_WP_MATCHING | NP_PM_SCAN_CHECK_WPASYNC);

			for (long k = 0; k < n; k++)
				there += image_run(r, t->found[k].start, t->found[k].end);
		}
		if (track.short_way && there > (r->to - r->from) / NP_PAGE * DENSE / 100) {
			must_set(r->from, r->to, 1, r->protection); /* or those that are not there would count as written */
			r->dense = 1;
		}
		return;
	}
	must_set(r->from, r->to, 1, r->protection);
	memset(t->cold + r->first, 1, (r->to - r->from) / NP_PAGE);
	while (from < r->to) {
		size_t want = (r->to - from) / NP_PAGE < BATCH ? (r->to - from) / NP_PAGE : BATCH;

		if (pread(NP_FD_PAGEMAP, t->presence, want * 8, (off_t)(from / NP_PAGE * 8)) != (ssize_t)(want * 8))
			np_die("worker: list of pages: %s", strerror(errno));
		for (size_t k = 0; k < want; k++, from += NP_PAGE)
			if (t->presence[k] >> 62) /* there, or swapped out */
				np_pages_image(number_of(r, from));
	}
}

static int begin(uint32_t unused)
{
	(void)unused;
	for (uint32_t i = 0; i < t->regions; i++)
		watch(&t->region[i]);
	if (by_signals())
		catch_faults();
	for (uint32_t i = 0; i < t->regions; i++)
		images(&t->region[i]);
	if (by_signals())
		close(NP_FD_PAGEMAP);
	return NP_OK;
}

int np_track_begin(void)
{
	int status;

	if (!track.way)
		return NP_OK;
	make_room();
	t = np_track_memory(sizeof *t);
	if (!t)
		return np_fail("has no room for snapshots");
	list_memory();
	status = number();
	if (status == NP_OK)
		status = np_pages_init();
	return status == NP_OK ? np_track_apart(begin, 0) : status;
}

/* --- pages --- */

#define SAVE_PAGES (NP_FILE_MAX / NP_PAGE)

uint32_t np_track_pages(void)
{
	return t->pages + (track.live ? SAVE_PAGES : 0);
}

static size_t save_size(void)
{
	struct stat st = {0};

	if (!track.live || np_track_call(SYS_fstat, (const long[6]){NP_FD_SAVE, (long)&st}))
		return 0;
	return (size_t)st.st_size < NP_FILE_MAX ? (size_t)st.st_size : NP_FILE_MAX;
}

uint32_t np_track_written(uint32_t *list)
{
	uint32_t n = 0, of_save;

	if (by_signals()) {
		n = t->hots;
		memcpy(list, t->hot, n * sizeof *list);
	} else {
		for (uint32_t i = 0; i < t->regions; i++) {
			const struct region *r = &t->region[i];

			for (uintptr_t from = r->from; from < r->to;)
				for (long k = 0, found = scan(r, &from, 0); k < found; k++)
					for (uintptr_t a = t->found[k].start; a < t->found[k].end; a += NP_PAGE)
						list[n++] = number_of(r, a);
		}
	}
	t->save = save_size();
	of_save = (uint32_t)(((t->save > t->saved ? t->save : t->saved) + NP_PAGE - 1) / NP_PAGE);
	t->saved = t->save;
	for (uint32_t i = 0; i < of_save; i++)
		list[n++] = t->pages + i;
	return n;
}

/* protect_run protects pages that follow each other, from the first of a list on, and returns how many. */
static size_t protect_run(const uint32_t *list, size_t n)
{
	const struct region *r = holder(t->at[list[0]]);
	uint32_t end = r->first + (uint32_t)((r->to - r->from) / NP_PAGE);
	size_t run = 1;

	/* code page by page: the filter knows no longer pieces of it */
	while (run < n && list[run] == list[0] + run && list[run] < end &&
	       !(track.way == NP_WAY_MPROTECT && r->protection & PROT_EXEC))
		run++;
	must_set(t->at[list[0]], t->at[list[0]] + run * NP_PAGE, 1, r->protection);
	return run;
}

void np_track_protect(const uint32_t *list, size_t n)
{
	uint32_t kept = 0;

	while (n && list[n - 1] >= t->pages)
		n--; /* the save file's, at the end */
	if (n == 0)
		return;
	if (by_signals())
		for (size_t i = 0; i < n; i++)
			t->cold[list[i]] = 1;
	for (size_t i = 0; i < n;)
		i += protect_run(list + i, n - i);
	if (!by_signals())
		return;
	for (uint32_t i = 0; i < t->hots; i++)
		if (!t->cold[t->hot[i]])
			t->hot[kept++] = t->hot[i];
	t->hots = kept;
}

static const void *content(uint32_t page)
{
	static const uint8_t nothing[NP_PAGE];
	size_t at = (size_t)(page - t->pages) * NP_PAGE;

	if (page < t->pages)
		return (const void *)t->at[page];
	return at < t->save ? track.live + at : nothing;
}

int np_track_same(uint32_t page, const void *image)
{
	return memcmp(image, content(page), NP_PAGE) == 0;
}

void np_track_copy(void *image, uint32_t page)
{
	memcpy(image, content(page), NP_PAGE);
}

void np_track_put(uint32_t page, const void *image)
{
	if (page < t->pages)
		memcpy((void *)t->at[page], image, NP_PAGE);
	else if (pwrite(NP_FD_SAVE, image, NP_PAGE, (off_t)(page - t->pages) * NP_PAGE) != NP_PAGE)
		np_die("worker: bring back the save file: %s", strerror(errno));
}

/* --- the rest --- */

static uint64_t floats(void)
{
#if defined(__x86_64__)
	uint32_t sse = 0;
	uint16_t x87 = 0;

	__asm__ volatile("stmxcsr %0\nfnstcw %1" : "=m"(sse), "=m"(x87));
	return (uint64_t)x87 << 32 | sse;
#elif defined(__aarch64__)
	uint64_t v;

	__asm__ volatile("mrs %0, fpcr" : "=r"(v));
	return v;
#endif
}

static void set_floats(uint64_t v)
{
#if defined(__x86_64__)
	uint32_t sse = (uint32_t)v;
	uint16_t x87 = (uint16_t)(v >> 32);

	__asm__ volatile("ldmxcsr %0\nfldcw %1" : : "m"(sse), "m"(x87));
#elif defined(__aarch64__)
	__asm__ volatile("msr fpcr, %0" : : "r"(v));
#endif
}

static int of_save(int fd)
{
	struct stat st = {0};

	return np_track_call(SYS_fstat, (const long[6]){fd, (long)&st}) == 0 && st.st_dev == track.file.st_dev &&
	       st.st_ino == track.file.st_ino;
}

void np_track_note(void *to)
{
	struct rest *r = to;

	if ((uintptr_t)t->floor < live())
		np_die("worker: %zu bytes of stack before a snapshot", (size_t)(track.frame - t->floor));
	r->stack_n = (uint32_t)((uintptr_t)t->floor - live());
	memcpy(r->stack, (const void *)live(), r->stack_n);
	r->floats = floats();
	r->save = t->save;
	for (int fd = 0; track.live && fd < NP_FD_END; fd++)
		r->at[fd] = of_save(fd) ? lseek(fd, 0, SEEK_CUR) : -1;
}

/* open_as makes a descriptor of the save file with a number that is free. */
static void open_as(int want)
{
	int spare[NP_FD_END], n = 0, fd;

	while ((fd = dup(NP_FD_SAVE)) >= 0 && fd != want)
		spare[n++] = fd;
	while (n > 0)
		close(spare[--n]);
	if (fd != want)
		np_die("worker: bring back a descriptor of the save file");
}

static void bring_save(const struct rest *r)
{
	if (ftruncate(NP_FD_SAVE, (off_t)r->save))
		np_die("worker: bring back the save file: %s", strerror(errno));
	t->save = t->saved = r->save;
	for (int fd = NP_FD_SAVE + 1; fd < NP_FD_END; fd++)
		if (r->at[fd] < 0 && of_save(fd))
			close(fd);
	for (int fd = NP_FD_SAVE + 1; fd < NP_FD_END; fd++)
		if (r->at[fd] >= 0 && !of_save(fd))
			open_as(fd);
	for (int fd = 0; fd < NP_FD_END; fd++)
		if (r->at[fd] >= 0)
			lseek(fd, r->at[fd], SEEK_SET);
}

void np_track_bring(const void *from)
{
	const struct rest *r = from;
	size_t n = (uintptr_t)t->floor - live();

	memcpy((void *)live(), r->stack, n < r->stack_n ? n : r->stack_n);
	set_floats(r->floats);
	if (track.live)
		bring_save(r);
}

/* --- for the filters and what they trap --- */

int np_track_signals(void)
{
	return by_signals();
}

unsigned np_track_code(struct np_range *list, unsigned max)
{
	unsigned n = 0;

	for (uint32_t i = 0; t && i < t->regions; i++) {
		if (!(t->region[i].protection & PROT_EXEC))
			continue;
		if (n == max)
			np_die("worker: has too many pieces of code that can be written for snapshots");
		list[n++] = (struct np_range){t->region[i].from, t->region[i].to};
	}
	return n;
}

long np_track_heap_end(void)
{
	return (long)track.heap_end;
}

/* map_private is mmap of a file, to be shared, as the core asked for it: here it is its own. */
static long map_private(const long a[6])
{
	long b[6] = {a[0], a[1], a[2], (a[3] & ~(long)MAP_TYPE) | MAP_PRIVATE, a[4], a[5]};
	struct stat st = {0}, mine = {0};

	for (int i = 0; i < NP_SHM_FILES; i++)
		if (fstat((int)a[4], &st) == 0 && fstat(NP_FD_SHM + i, &mine) == 0 && st.st_dev == mine.st_dev &&
		    st.st_ino == mine.st_ino) {
			b[3] |= MAP_ANONYMOUS;
			b[4] = -1;
			b[5] = 0;
		}
	return np_track_call(SYS_mmap, b);
}

/* touch writes to memory as it is, so that the kernel can. */
static void touch(long address, size_t n)
{
	uintptr_t from = (uintptr_t)address, first = from & ~(uintptr_t)(NP_PAGE - 1);

	for (uintptr_t a = first; n && a < from + n && a >= first; a += NP_PAGE) {
		const struct region *r = holder(a);

		if (r && t->cold[number_of(r, a)])
			*(volatile char *)a = *(volatile char *)a;
	}
}

static long set_mask(const long a[6], uint64_t *mask)
{
	const uint64_t never = 1ull << (SIGSEGV - 1) | 1ull << (SIGBUS - 1) | 1ull << (SIGSYS - 1);
	uint64_t was = *mask, change;

	if (a[1]) {
		memcpy(&change, (const void *)a[1], sizeof change);
		*mask = (a[0] == SIG_BLOCK ? was | change : a[0] == SIG_UNBLOCK ? was & ~change : change) & ~never;
	}
	if (a[2])
		memcpy((void *)a[2], &was, sizeof was);
	return 0;
}

long np_track_answer(int call, const long a[6], uint64_t *mask)
{
	switch (call) {
	case SYS_mmap:
		return map_private(a);
	case SYS_rt_sigprocmask:
		return set_mask(a, mask);
	case SYS_rt_sigaction:
		if (a[1] && (a[0] == SIGSEGV || a[0] == SIGBUS || a[0] == SIGSYS))
			return -EPERM;
		touch(a[2], 32);
		break;
	case SYS_read:
	case SYS_pread64:
		touch(a[1], (size_t)a[2]);
		break;
	case SYS_readv:
		for (long i = 0; i < a[2] && i < 1024; i++)
			touch((long)((const struct iovec *)a[1])[i].iov_base, ((const struct iovec *)a[1])[i].iov_len);
		break;
	case SYS_fstat:
		touch(a[1], sizeof(struct stat));
		break;
	case SYS_newfstatat:
		touch(a[2], sizeof(struct stat));
		break;
	default:
		return -EPERM;
	}
	return np_track_call(call, a);
}
