/*
 * The start of a worker.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "worker_parts.h"

static void work(void)
{
	void *shared = mmap(NULL, NP_SHARED_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, NP_FD_SHARED, 0);

	if (shared == MAP_FAILED)
		np_die("worker: map shared memory: %s (this is a part of nettplay and not to be started by hand)",
		       strerror(errno));
	np_worker_run(shared);
}

__attribute__((constructor)) static void start(int argc, char **argv)
{
	if (argc == 1 && strcmp(argv[0], NP_WORKER_NAME) == 0)
		work();
}
