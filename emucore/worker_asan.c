/*
 * For `make asan`: how gcc's address sanitizer works in a worker, which is started with
 * an empty environment. Other builds have nothing of this file.
 */
#ifdef __SANITIZE_ADDRESS__

#include "worker_parts.h"

const char *__asan_default_options(void);

/* A core's own signal handlers and its death by a signal stay as they are; a worker ends
 * by _exit, so what it has not freed is no leak. Memory is filled as in
 * worker_heap_linux.c. */
__attribute__((visibility("default"))) const char *__asan_default_options(void)
{
	return "detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigill=0:handle_sigfpe=0:"
	       "use_sigaltstack=0:max_malloc_fill_size=1073741824:malloc_fill_byte=0:max_free_fill_size=0";
}

#endif
