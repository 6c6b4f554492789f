#!/bin/sh
# An unsequenced packet of ENet's that others overtake is dropped if it comes across one of its windows of 1,024.
#
# Package:  libenet7, libenet-dev 1.3.17+ds-2 (Debian 12).
# Guess:    unsequenced packets are handed on in whatever order they come, and each once: the receiver's window of 1,024
#           groups tells doubles, and what is late by a few packets is well inside it.
# Seen:     the window is no sliding one. It jumps by 1,024 as soon as one packet beyond it is here, forgets all that it knew,
#           and what comes late from before the jump is thrown away without a word, though it comes for the first time, and
#           only one packet has overtaken it. Anywhere else hundreds may overtake one. So with 60 packets a second on a line
#           that reorders, each window's edge, every 17 s, costs those that are on their way.
# Output:   packet  500, overtaken by 500: handed on
#           packet 1022, overtaken by   1: handed on
#           packet 1023, overtaken by   1: dropped
#           packet 1024, overtaken by   1: handed on
#           packet 1010, overtaken by  20: dropped
#           packet 2047, overtaken by   1: dropped
#
# ENet's clock and sockets are replaced by a line in virtual time, with nothing lost: the same result in each run.
. "$(dirname "$0")/begin.inc"
fetch libenet7=1.3.17+ds-2 libenet-dev=1.3.17+ds-2
lib=$(dirname "$(find root -name 'libenet.so.7' | head -n 1)")

cat >late.c <<'C'
#include "enet-line.h"

static ENetPeer *peer;
static int arrived[4096]; /* by packet, from 1 on */

/* run has both hosts work for some milliseconds. */
static void run(int ms)
{
	for (; ms > 0; ms--, now++) {
		ENetEvent e;
		for (int i = 0; i < 2; i++)
			while (enet_host_service(hosts[i], &e, 0) > 0)
				if (e.type == ENET_EVENT_TYPE_RECEIVE) {
					enet_uint32 n;
					memcpy(&n, e.packet->data, sizeof n);
					arrived[n]++;
					enet_packet_destroy(e.packet);
				}
	}
}

/* post sends a packet in a datagram of its own. */
static void post(enet_uint32 n)
{
	enet_peer_send(peer, 0, enet_packet_create(&n, sizeof n, ENET_PACKET_FLAG_UNSEQUENCED));
	enet_host_flush(hosts[0]);
}

/* late sends packets one by one. Packet n comes when so many later ones are there. */
static void late(enet_uint32 n, enet_uint32 overtaken)
{
	enet_uint32 lost = 0;
	memset(arrived, 0, sizeof arrived);
	delay = 1;
	peer = meet();
	run(200);
	for (enet_uint32 i = 1; i < n; i++) {
		post(i);
		run(3);
	}
	/* The line delivers in the order in which it stands in held: the late one is sent last. */
	unsigned first = ends[0];
	post(n);
	unsigned at = first % 2048;
	static char bytes[2000];
	size_t size = held[at].size;
	memcpy(bytes, held[at].bytes, size);
	ends[0] = first;
	for (enet_uint32 i = n + 1; i <= n + overtaken; i++) {
		post(i);
		run(3);
	}
	at = ends[0]++ % 2048;
	memcpy(held[at].bytes, bytes, size);
	held[at].size = size;
	held[at].due = now;
	run(50);
	for (enet_uint32 i = 1; i <= n + overtaken; i++)
		lost += i != n && arrived[i] != 1;
	printf("packet %4u, overtaken by %3u: %s", n, overtaken, arrived[n] ? "handed on" : "dropped");
	if (lost > 0)
		printf("; %u others are lost", lost);
	printf("\n");
}

int main(void)
{
	late(500, 500);
	late(1022, 1);
	late(1023, 1);
	late(1024, 1);
	late(1010, 20);
	late(2047, 1);
	return 0;
}
C
gcc -O2 -Wall -Iroot/usr/include -I"$here" -o late late.c "$lib/libenet.so.7"
./late | tee seen
cat >expected <<'T'
packet  500, overtaken by 500: handed on
packet 1022, overtaken by   1: handed on
packet 1023, overtaken by   1: dropped
packet 1024, overtaken by   1: handed on
packet 1010, overtaken by  20: dropped
packet 2047, overtaken by   1: dropped
T
cmp -s seen expected || {
	echo "changed: what comes late across a window is handed on" >&2
	exit 1
}
