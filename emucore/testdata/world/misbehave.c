/* How the core misbehaves towards its host, as the option world_do says. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../protocol.h"
#include "world.h"

static void forge(void)
{
	struct np_reply r = {.op = NP_OP_STEP, .seq = 12345};

	send(NP_FD_SOCKET, &r, sizeof r, 0);
	for (;;)
		pause();
}

void misbehave_while_loading(void)
{
	if (doing("load hang"))
		for (;;)
			;
	if (doing("load segv"))
		*(volatile int *)0 = 0;
	if (doing("load fork")) {
		if (fork() == 0)
			for (;;)
				pause();
	}
	if (doing("load daemon")) {
		if (fork() == 0) {
			signal(SIGHUP, SIG_IGN);
			for (int i = 0; i < 64; i++)
				if (i != 1)
					close(i);
			for (;;)
				pause();
		}
	}
}

void misbehave(void)
{
	static const char wrong[] = "wrong size";

	if (doing("segv"))
		*(volatile int *)0 = 0;
	if (doing("abort"))
		abort();
	if (doing("exit"))
		exit(3);
	if (doing("hang"))
		for (;;)
			;
	if (doing("sleep")) /* a lock that is never opened */
		for (;;)
			syscall(SYS_futex, &frames, 0, frames, NULL, NULL, 0);
	if (doing("hang up"))
		close(NP_FD_SOCKET);
	if (doing("hang up and hang")) {
		close(NP_FD_SOCKET);
		for (;;)
			;
	}
	if (doing("bad length"))
		send(NP_FD_SOCKET, wrong, sizeof wrong, 0);
	if (doing("forge"))
		forge();
	if (doing("chatter"))
		for (int i = 0; i < 5000; i++)
			printf("line %d\twith \x1b[31mcolour\x1b[0m\n", i);
	if (doing("no newline"))
		for (int i = 0; i < 100000; i++)
			putchar('x');
	if (doing("leak"))
		for (;;)
			memset(malloc(1 << 20), 1, 1 << 20);
	if (doing("shutdown"))
		env(RETRO_ENVIRONMENT_SHUTDOWN, NULL);
	if (doing("last words")) {
		printf("said in a print\n");
		fprintf(stderr, "said on stderr\n");
		abort();
	}
}
