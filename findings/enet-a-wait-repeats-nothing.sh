#!/bin/sh
# ENet: while enet_host_service waits it repeats nothing: whoever connects by one call of five seconds fails as soon as one datagram is lost.
#
# Package:  libenet7, libenet-dev 1.3.17+ds-2 (Debian 12).
# Guess:    enet_host_service "waits for events on the host specified and shuttles packets between the host and its peers": for as long as it waits it does
#           what is due, pings and repetitions. A request to connect is repeated after half a second, and so one call of
#           5,000 ms, as in ENet's tutorial, gets through on any usual line.
# Seen:     it wakes for what arrives, and for the end of the wait. In a connection the other side's pings wake it, so that what was lost is repeated within
#           half a second; while it connects nothing comes, and the lost request is repeated when the wait is over, which is when the caller gives
#           up. So the share of friends who "cannot be reached" is that of lost datagrams, and the next attempt works. Wait for some
#           milliseconds at a time, in a loop with a clock of one's own.
#           nettplay does not wait in ENet.
# Output:   2000 connections, 20 ms each way:
#            1 % lost: failed by one call of 5000 ms   28, by calls of 10 ms for 5 s    0
#            5 % lost: failed by one call of 5000 ms   95, by calls of 10 ms for 5 s    0
#           20 % lost: failed by one call of 5000 ms  417, by calls of 10 ms for 5 s    6
#
# ENet's clock and sockets are replaced by a line in virtual time: the same result in each run, in seconds.
. "$(dirname "$0")/begin.inc"
fetch libenet7=1.3.17+ds-2 libenet-dev=1.3.17+ds-2
lib=$(dirname "$(find root -name 'libenet.so.7' | head -n 1)")

cat >line.c <<'C'
#include "enet-line.h"

/* Time goes by while the first host waits; the other one is looked after each millisecond. */
int enet_socket_wait(ENetSocket s, enet_uint32 *condition, enet_uint32 ms)
{
	ENetEvent e;
	*condition = 0;
	for (enet_uint32 end = now + ms; now < end; now++) {
		enet_host_service(hosts[1], &e, 0);
		if (s == sockets[0] && nexts[1] != ends[1] && held[2048 + nexts[1] % 2048].due <= now) {
			*condition = ENET_SOCKET_WAIT_RECEIVE;
			break;
		}
	}
	return 0;
}

/* failed counts those of 2000 attempts in which calls with that wait connect nothing within 5 s. */
static unsigned failed(enet_uint32 wait)
{
	unsigned n = 0;
	for (int i = 0; i < 2000; i++) {
		ENetEvent e = {.type = ENET_EVENT_TYPE_NONE};
		meet();
		for (enet_uint32 end = now + 5000; now < end && e.type == ENET_EVENT_TYPE_NONE;)
			enet_host_service(hosts[0], &e, wait);
		n += e.type != ENET_EVENT_TYPE_CONNECT;
	}
	return n;
}

int main(void)
{
	static const unsigned losses[] = {1, 5, 20};
	delay = 20;
	puts("2000 connections, 20 ms each way:");
	for (int i = 0; i < 3; i++) {
		loss = losses[i];
		unsigned one = failed(5000);
		printf("%2u %% lost: failed by one call of 5000 ms %4u, by calls of 10 ms for 5 s %4u\n", loss, one, failed(10));
	}
	return 0;
}
C
gcc -O2 -Wall -Iroot/usr/include -I"$here" -o line line.c "$lib/libenet.so.7"
./line | tee seen
awk -F'[ ,]+' 'NR > 1 { n++; lost = $(NF - 19) * 20; one = $(NF - 9); bad += one < lost / 2 || one > lost * 2 || $NF > lost / 10 }
	END { exit !(n == 3 && !bad) }' seen || {
	echo "changed: a request to connect is repeated during the wait, too" >&2
	exit 1
}
