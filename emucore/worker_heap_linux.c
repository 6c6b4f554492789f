/*
 * The heap of a worker. malloc and its family clear what they give out, so that what a core
 * reads from memory it has not initialised is the same everywhere. They are glibc's, by names that
 * it keeps for those who stand before it. Its calloc knows memory that comes fresh from the kernel and is
 * zero already: pages that a core takes and never touches are never there. (mallopt's
 * M_PERTURB would write to all of them: 78 MB of DeSmuME's, in 60 ms at each start.)
 *
 * The executable's names come before libc's for all libraries, and nettplay itself is the same executable:
 * there, and in a worker until it enters its world, all of this is glibc's own.
 */
#ifndef __SANITIZE_ADDRESS__ /* which has a heap of its own: see worker_asan.c */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>
#endif

#include "worker_parts.h"

#ifdef __SANITIZE_ADDRESS__

void np_heap_clear(int on)
{
	(void)on;
}

#else

#define EXPORT __attribute__((visibility("default")))

/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t count, size_t n);
void *__libc_realloc(void *old, size_t n);
void *__libc_memalign(size_t alignment, size_t n);
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */

static atomic_int clears;

void np_heap_clear(int on)
{
	atomic_store_explicit(&clears, on, memory_order_relaxed);
}

static int clearing(void)
{
	return atomic_load_explicit(&clears, memory_order_relaxed);
}

/* clear clears a block but for its first bytes. One with a mapping of its own has just come from the
 * kernel: glibc notes it in the second bit of the size before the block. */
static void *clear(void *block, size_t but)
{
	size_t n;

	if (block && clearing() && !(((size_t *)block)[-1] & 2) && (n = malloc_usable_size(block)) > but)
		memset((char *)block + but, 0, n - but);
	return block;
}

EXPORT void *malloc(size_t n)
{
	return clearing() ? __libc_calloc(1, n) : __libc_malloc(n);
}

EXPORT void *realloc(void *old, size_t n)
{
	size_t had = malloc_usable_size(old);

	return clear(__libc_realloc(old, n), had);
}

EXPORT void *reallocarray(void *old, size_t count, size_t n)
{
	size_t all;

	if (__builtin_mul_overflow(count, n, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(old, all);
}

EXPORT void *memalign(size_t alignment, size_t n)
{
	return clear(__libc_memalign(alignment, n), 0);
}

EXPORT void *aligned_alloc(size_t alignment, size_t n)
{
	return memalign(alignment, n);
}

EXPORT int posix_memalign(void **block, size_t alignment, size_t n)
{
	int before = errno;
	void *b;

	if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
		return EINVAL;
	b = memalign(alignment, n);
	errno = before;
	if (!b)
		return ENOMEM;
	*block = b;
	return 0;
}

EXPORT void *valloc(size_t n)
{
	return memalign((size_t)sysconf(_SC_PAGESIZE), n);
}

#endif
