/*
 * The heap of a worker: what a core gets from malloc and its family is cleared, so that what it reads
 * from memory it has not initialised is the same everywhere. The core's imports lead here
 * (imports_windows.c). A block must be freed by the library that gave it, so each C library is asked by what
 * it would have been asked by: there are two, the old one that is a part of Windows and the universal one.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "worker_parts.h"
#include "worker_windows.h"

static atomic_int clears;

void np_heap_clear(int on)
{
	atomic_store_explicit(&clears, on, memory_order_relaxed);
}

static int clearing(void)
{
	return atomic_load_explicit(&clears, memory_order_relaxed);
}

/* clear clears a block of n bytes but for its first ones. */
static void *clear(void *block, size_t but, size_t n)
{
	if (block && clearing() && n > but)
		memset((char *)block + but, 0, n - but);
	return block;
}

/* library is a C library, by its own functions. */
struct library {
	void *(*calloc)(size_t count, size_t n);
	void *(*malloc)(size_t n);
	void *(*realloc)(void *old, size_t n);
	size_t (*msize)(void *block);
	void *(*aligned)(size_t n, size_t alignment);
	void *(*aligned_realloc)(void *old, size_t n, size_t alignment);
	size_t (*aligned_msize)(void *block, size_t alignment, size_t offset); /* an old one may have none */
};

enum { OLD, UNIVERSAL, LIBRARIES };
static struct library libraries[LIBRARIES];

static void *take(struct library *l, size_t n)
{
	return clearing() ? l->calloc(1, n) : l->malloc(n);
}

static void *take_again(struct library *l, void *old, size_t n)
{
	size_t had = old ? l->msize(old) : 0;

	return clear(l->realloc(old, n), had, n);
}

static void *take_aligned(struct library *l, size_t n, size_t alignment)
{
	return clear(l->aligned(n, alignment), 0, n);
}

static void *take_aligned_again(struct library *l, void *old, size_t n, size_t alignment)
{
	size_t had = !old ? 0 : l->aligned_msize ? l->aligned_msize(old, alignment, 0) : n;

	return clear(l->aligned_realloc(old, n, alignment), had, n);
}

#define OF(which)                                                                   \
	static void *malloc_##which(size_t n)                                       \
	{                                                                           \
		return take(&libraries[which], n);                                  \
	}                                                                           \
	static void *realloc_##which(void *old, size_t n)                           \
	{                                                                           \
		return take_again(&libraries[which], old, n);                       \
	}                                                                           \
	static void *aligned_##which(size_t n, size_t alignment)                    \
	{                                                                           \
		return take_aligned(&libraries[which], n, alignment);               \
	}                                                                           \
	static void *aligned_realloc_##which(void *old, size_t n, size_t alignment) \
	{                                                                           \
		return take_aligned_again(&libraries[which], old, n, alignment);    \
	}

OF(OLD)
OF(UNIVERSAL)

static const struct np_shown shown[LIBRARIES][5] = {
#define SHOW(which)                                                                       \
	{                                                                                 \
		{"malloc", (void *)malloc_##which}, {"realloc", (void *)realloc_##which}, \
			{"_aligned_malloc", (void *)aligned_##which},                     \
			{"_aligned_realloc", (void *)aligned_realloc_##which}, {0},       \
	}
	SHOW(OLD),
	SHOW(UNIVERSAL),
};

/* Windows' own heaps. */

static void *WINAPI shown_alloc(HANDLE heap, DWORD flags, SIZE_T n)
{
	return HeapAlloc(heap, flags | (clearing() ? HEAP_ZERO_MEMORY : 0u), n);
}

static void *WINAPI shown_realloc(HANDLE heap, DWORD flags, void *old, SIZE_T n)
{
	return HeapReAlloc(heap, flags | (clearing() ? HEAP_ZERO_MEMORY : 0u), old, n);
}

static HLOCAL WINAPI shown_local(UINT flags, SIZE_T n)
{
	return LocalAlloc(flags | (clearing() ? LMEM_ZEROINIT : 0u), n);
}

static HGLOBAL WINAPI shown_global(UINT flags, SIZE_T n)
{
	return GlobalAlloc(flags | (clearing() ? GMEM_ZEROINIT : 0u), n);
}

static const struct np_shown heaps[] = {
	{"HeapAlloc", (void *)shown_alloc},
	{"RtlAllocateHeap", (void *)shown_alloc},
	{"HeapReAlloc", (void *)shown_realloc},
	{"RtlReAllocateHeap", (void *)shown_realloc},
	{"LocalAlloc", (void *)shown_local},
	{"GlobalAlloc", (void *)shown_global},
	{0},
};

static void learn_one(HMODULE library, const char *name, int must, void *to)
{
	FARPROC f = GetProcAddress(library, name);

	if (!f && must)
		np_die("worker: a C library without %s", name);
	memcpy(to, &f, sizeof f);
}

/* learn asks a C library for its functions. */
static void learn(struct library *l, const char *name)
{
	HMODULE m = GetModuleHandleA(name);

	if (l->calloc)
		return;
	if (!m)
		np_die("worker: %s is not loaded, which the core needs", name);
	learn_one(m, "malloc", 1, &l->malloc);
	learn_one(m, "realloc", 1, &l->realloc);
	learn_one(m, "_msize", 1, &l->msize);
	learn_one(m, "_aligned_malloc", 1, &l->aligned);
	learn_one(m, "_aligned_realloc", 1, &l->aligned_realloc);
	learn_one(m, "_aligned_msize", 0, &l->aligned_msize);
	learn_one(m, "calloc", 1, &l->calloc);
}

static void *find(const struct np_shown *list, const char *name)
{
	for (; list->name; list++)
		if (strcmp(name, list->name) == 0)
			return list->at;
	return NULL;
}

void *np_shown_heap(const char *from, const char *name, void *real)
{
	int which = _strnicmp(from, "msvcrt", 6) == 0                                                    ? OLD
	            : _strnicmp(from, "ucrtbase", 8) == 0 || _strnicmp(from, "api-ms-win-crt-", 15) == 0 ? UNIVERSAL
	                                                                                                 : LIBRARIES;
	void *to;

	(void)real;
	if (which == LIBRARIES)
		return find(heaps, name);
	to = find(shown[which], name);
	if (to)
		learn(&libraries[which], which == OLD ? "msvcrt.dll" : "ucrtbase.dll");
	return to;
}
