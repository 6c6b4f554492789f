/*
 * The system under a worker: the socket and the memory that it has in common with
 * others, and how it loads a library.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "worker_pages.h"

/* np_sys_receive waits for the next request. The end of the stream is the end of the
 * worker: the parent has closed the console, or is gone. */
void np_sys_receive(struct np_request *q)
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

void np_sys_reply(const struct np_reply *r)
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

static void *map(size_t size, int protection, int flags, int fd)
{
	void *p = mmap(NULL, size, protection, flags, fd, 0);

	return p == MAP_FAILED ? NULL : p;
}

const void *np_sys_rom(size_t size)
{
	return map(size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, NP_FD_ROM);
}

void *np_sys_air(size_t size)
{
	void *air = np_track_air();

	if (!air)
		air = map(size, PROT_READ | PROT_WRITE, MAP_SHARED, NP_FD_AIR);

	close(NP_FD_AIR);
	return air;
}

const char *np_sys_error(void)
{
	return strerror(errno);
}

void *np_sys_library(const char *path, const char **why)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	*why = library ? NULL : dlerror();
	return library;
}

void *np_sys_symbol(void *library, const char *name)
{
	return dlsym(library, name);
}
