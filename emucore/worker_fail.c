/*
 * Failures: of a request, of which the parent is told, or of the whole worker.
 */
#include <stdarg.h>
#include <stdio.h>

#include "worker_parts.h"

/* Exit status of a worker that gave up by itself; its log says why. */
#define EXIT_GAVE_UP 70

static struct np_words *words;

void np_fail_enter(void *shared)
{
	words = (struct np_words *)((char *)shared + NP_OFF_WORDS);
}

int np_fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(words->failure, sizeof words->failure, fmt, ap);
	va_end(ap);
	return NP_FAILED;
}

void np_die(const char *fmt, ...)
{
	va_list ap;

	char line[1024];
	int n;

	va_start(ap, fmt);
	n = vsnprintf(line, sizeof line - 1, fmt, ap);
	va_end(ap);
	if (n > (int)sizeof line - 2)
		n = (int)sizeof line - 2;
	if (n >= 0) {
		line[n++] = '\n';
		np_sys_print(line, (size_t)n);
	}
	np_sys_exit(EXIT_GAVE_UP);
}
