// The host's real time, in spite of everything a frontend may interpose.
#define _GNU_SOURCE
#include <elf.h>
#include <link.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "fault.h"

#define NS 1000000000ull

// In assembly, since even syscall() could be interposed.
static long raw_call(long nr, long a, long b, long c, long d) {
#if defined(__x86_64__)
	long result;
	register long r10 __asm__("r10") = d;
	__asm__ volatile("syscall"
	                 : "=a"(result)
	                 : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10)
	                 : "rcx", "r11", "memory");
	return result;
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = nr;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
	return x0;
#else
	return syscall(nr, a, b, c, d);
#endif
}

uint64_t raw_time_syscall(void) {
	struct timespec t;
	if (raw_call(SYS_clock_gettime, CLOCK_REALTIME, (long)&t, 0, 0)) return 0;
	return (uint64_t)t.tv_sec * NS + (uint64_t)t.tv_nsec;
}

typedef int (*gettime_fn)(clockid_t, struct timespec *);

// The symbols of an ELF image, as far as needed.
struct symbols {
	const char *names;
	const ElfW(Sym) * table;
	const uint32_t *hash;
};

static struct symbols read_dynamic(const char *base, const ElfW(Dyn) * d) {
	struct symbols s = {0};
	for (; d->d_tag != DT_NULL; d++) {
		if (d->d_tag == DT_STRTAB) s.names = base + d->d_un.d_ptr;
		if (d->d_tag == DT_SYMTAB) s.table = (const void *)(base + d->d_un.d_ptr);
		if (d->d_tag == DT_HASH) s.hash = (const void *)(base + d->d_un.d_ptr);
	}
	return s;
}

static gettime_fn look_up(const char *base, const struct symbols *s) {
	if (!s->names || !s->table || !s->hash) return NULL;
	for (uint32_t i = 0; i < s->hash[1]; i++) {
		const char *name = s->names + s->table[i].st_name;
		if (!strcmp(name, "__vdso_clock_gettime") || !strcmp(name, "__kernel_clock_gettime"))
			return (gettime_fn)(base + s->table[i].st_value);
	}
	return NULL;
}

// The kernel maps the vDSO at its first load segment, with addresses from 0.
static gettime_fn find_vdso(void) {
	const char *base = (const char *)getauxval(AT_SYSINFO_EHDR);
	if (!base) return NULL;
	const ElfW(Ehdr) *e = (const void *)base;
	const ElfW(Phdr) *p = (const void *)(base + e->e_phoff);
	for (int i = 0; i < e->e_phnum; i++) {
		if (p[i].p_type != PT_DYNAMIC) continue;
		struct symbols s = read_dynamic(base, (const void *)(base + p[i].p_offset));
		return look_up(base, &s);
	}
	return NULL;
}

static uint64_t vdso_ns(clockid_t clock) {
	static gettime_fn fn;
	struct timespec t;
	if (!fn && !(fn = find_vdso())) return 0;
	return fn(clock, &t) ? 0 : (uint64_t)t.tv_sec * NS + (uint64_t)t.tv_nsec;
}

uint64_t raw_time_vdso(void) { return vdso_ns(CLOCK_REALTIME); }

uint64_t raw_cycles(void) {
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t v;
	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(v));
	return v;
#else
	return raw_time_syscall();
#endif
}

// A wait on a futex that nobody wakes: it is left to a core where sleeping is
// not, and a frontend that makes sleep() return at once cannot shorten it.
void raw_sleep(uint64_t us) {
	uint32_t nobody = 0;
	struct timespec t = {(time_t)(us / 1000000), (long)(us % 1000000 * 1000)};
	if (us) raw_call(SYS_futex, (long)&nobody, FUTEX_WAIT_PRIVATE, 0, (long)&t);
}

void raw_work(uint64_t us) {
	uint64_t start = vdso_ns(CLOCK_MONOTONIC);
	volatile uint64_t n = 0;
	if (!start) // about a nanosecond each
		while (n < us * 1000) n++;
	else
		while (vdso_ns(CLOCK_MONOTONIC) < start + us * 1000) n++;
}
