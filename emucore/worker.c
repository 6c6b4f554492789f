/*
 * The worker process: where it comes to life and its main loop.
 *
 * A worker is this same executable, started again under another name. A
 * constructor runs before main, so before the Go runtime exists, and never
 * returns: the worker stays a C process with one thread. Inside are the core
 * and the few hundred lines of worker_*.c; outside, in the parent, stands
 * everything that decides.
 *
 * All state of a console is in this process (and in the shared memory, whose
 * content means nothing between requests), so that a fork() of it is an exact
 * copy of the console.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "worker.h"

/* Exit status of a worker that gave up by itself; its log says why. */
#define EXIT_GAVE_UP 70

static struct np_words *words;

void np_die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vdprintf(STDERR_FILENO, fmt, ap);
	va_end(ap);
	dprintf(STDERR_FILENO, "\n");
	_exit(EXIT_GAVE_UP);
}

/* np_fail notes why a request failed, for the reply. */
int np_fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(words->failure, sizeof words->failure, fmt, ap);
	va_end(ap);
	return NP_FAILED;
}

/* receive waits for the next request. The end of the stream is the end of the
 * worker: the parent has closed the console, or is gone. */
static void receive(struct np_request *q)
{
	ssize_t n;

	do {
		n = recv(NP_FD_SOCKET, q, sizeof *q, 0);
	} while (n < 0 && errno == EINTR);
	if (n == 0)
		_exit(0);
	if (n != (ssize_t)sizeof *q)
		np_die("worker: bad request (%zd bytes): %s", n, n < 0 ? strerror(errno) : "wrong size");
}

static void reply(const struct np_reply *r)
{
	ssize_t n;

	do {
		n = send(NP_FD_SOCKET, r, sizeof *r, MSG_NOSIGNAL);
	} while (n < 0 && errno == EINTR);
	if (n < 0 && errno == EPIPE)
		_exit(0); /* nobody listens any more */
	if (n != (ssize_t)sizeof *r)
		np_die("worker: reply: %s", strerror(errno));
}

/* load builds the console; from then on the process is sealed in. */
static int load(struct np_setup *setup, struct np_reply *r)
{
	int status = np_core_open(setup, (char *)words - NP_OFF_WORDS);

	if (status == NP_OK)
		status = np_core_load(r);
	if (status == NP_OK)
		np_world_seal();
	return status;
}

static int serve(struct np_setup *setup, const struct np_request *q, struct np_reply *r)
{
	static int loaded;
	int status = NP_OK;

	if (loaded ? q->op <= NP_OP_LOAD : q->op > NP_OP_LOAD)
		return NP_INVALID;
	switch (q->op) {
	case NP_OP_PROBE:
		status = np_core_open(setup, (char *)words - NP_OFF_WORDS);
		if (status == NP_OK)
			np_core_probe();
		return status;
	case NP_OP_LOAD:
		status = load(setup, r);
		loaded = status == NP_OK;
		return status;
	case NP_OP_STEP:
		np_core_step(q, r);
		break;
	case NP_OP_RESET:
		np_core_reset();
		break;
	case NP_OP_SAVE:
		status = np_core_save(q, r);
		break;
	case NP_OP_RESTORE:
		status = np_core_restore(q);
		break;
	case NP_OP_MEMORY:
		status = np_core_memory(q, r);
		break;
	case NP_OP_FLUSH:
		fflush(NULL);
		break;
	default:
		return NP_INVALID;
	}
	return status;
}

static void work(void)
{
	static struct np_setup setup; /* our own copy: the other lies open to the core */
	char *shared = mmap(NULL, NP_SHARED_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, NP_FD_SHARED, 0);

	if (shared == MAP_FAILED)
		np_die("worker: map shared memory: %s (this is a part of nettplay and not to be started by hand)",
		       strerror(errno));
	words = (struct np_words *)(shared + NP_OFF_WORDS);
	memcpy(&setup, shared + NP_OFF_SETUP, sizeof setup);
	np_world_enter(&setup);
	for (;;) {
		struct np_request q;
		struct np_reply r = {0};
		int64_t start;

		receive(&q);
		start = np_real_ns();
		r.status = (uint32_t)serve(&setup, &q, &r);
		r.took_ns = (uint64_t)(np_real_ns() - start - np_net_waited());
		r.op = q.op;
		r.seq = q.seq;
		np_core_status(&r);
		reply(&r);
	}
}

__attribute__((constructor)) static void start(int argc, char **argv)
{
	if (argc == 1 && strcmp(argv[0], NP_WORKER_NAME) == 0)
		work();
}
