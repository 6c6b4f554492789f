/*
 * The worker process: its main loop.
 *
 * A worker is this same executable, started again under another name. A
 * constructor (worker_start_linux.c, worker_sys_windows.c) runs before main, so before the Go runtime exists, and
 * never returns: the worker stays a C process with one thread. It contains only the core
 * and the code of worker_*.c; all decisions are made in the parent.
 * Only files named *_linux.c and *_windows.c depend on the system: the worker uses it through
 * np_sys_* and np_world_* in worker_parts.h.
 *
 * All state of a console is in this process (and in the shared memory, whose
 * content means nothing between requests), so restoring its memory restores the console
 * (worker_pages.c).
 */
#include <stdio.h>
#include <string.h>

#include "worker_pages.h"

/* load builds the console; from then on the process is sandboxed. */
static int load(struct np_setup *setup, void *shared, struct np_reply *r)
{
	int status = np_core_open(setup, shared);

	if (status == NP_OK)
		status = np_core_load(r);
	if (status == NP_OK)
		status = np_world_seal(setup->may_compile != 0);
	return status;
}

static int serve(struct np_setup *setup, void *shared, const struct np_request *q, struct np_reply *r)
{
	static int loaded;
	int status = NP_OK;

	if (loaded ? q->op <= NP_OP_LOAD : q->op > NP_OP_LOAD)
		return NP_INVALID;
	switch (q->op) {
	case NP_OP_PROBE:
		status = np_core_open(setup, shared);
		if (status == NP_OK)
			np_core_probe();
		return status;
	case NP_OP_LOAD:
		status = load(setup, shared, r);
		loaded = status == NP_OK;
		return status;
	case NP_OP_STEP:
		np_core_step(q, r);
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
	case NP_OP_OPTIONS:
		np_core_options(r);
		break;
	case NP_OP_SNAPSHOT: /* has been made */
		break;
	case NP_OP_BACK:
		return np_pages_back(q->count);
	default:
		return NP_INVALID;
	}
	return status;
}

/* np_worker_run is the worker, from its first instruction; shared is the memory that it has in
 * common with its parent. */
void np_worker_run(void *shared)
{
	static struct np_setup setup; /* our own copy: the core can write to the other */

	np_fail_enter(shared);
	memcpy(&setup, (char *)shared + NP_OFF_SETUP, sizeof setup);
	np_track_enter(&setup, __builtin_frame_address(0));
	np_world_enter(&setup);
	for (;;) {
		struct np_request q;
		struct np_reply r = {0};
		int status = NP_OK;
		int64_t start;

		np_sys_receive(&q);
		if (q.snapshot)
			status = np_pages_snapshot(q.snapshot - 1);
		start = np_real_ns();
		r.status = (uint32_t)(status == NP_OK ? serve(&setup, shared, &q, &r) : status);
		r.took_ns = (uint64_t)(np_real_ns() - start - np_net_waited());
		r.op = q.op;
		r.seq = q.seq;
		np_core_status(&r);
		np_sys_reply(&r);
	}
}
