#!/bin/sh
# ENet's maximum time-out of 30 s is no maximum: on a slow line a dead peer takes longer.
#
# Package:  libenet7, libenet-dev 1.3.17+ds-2 (Debian 12).
# Guess:    a peer that is gone while a reliable packet waits for it is given up after 5 to 30 s
#           (ENET_PEER_TIMEOUT_MINIMUM, ENET_PEER_TIMEOUT_MAXIMUM).
# Seen:     it depends on the round trip before the death. ENet looks at the time only when it repeats the
#           packet, and waits twice as long before each repetition, so that the last wait may begin just
#           before the 30 s and end long after them.
# Output:   round trip   2 ms: given up after 6.1 s
#           round trip 200 ms: given up after 13.3 s
#           round trip 600 ms: given up after 38.3 s
#
# ENet's clock and sockets are replaced by a line in virtual time: the same result in each run, at once.
. "$(dirname "$0")/begin.inc"
fetch libenet7=1.3.17+ds-2 libenet-dev=1.3.17+ds-2
lib=$(dirname "$(find root -name 'libenet.so.7' | head -n 1)")

cat >line.c <<'C'
#include "enet-line.h"

static int run(int ms)
{
	int over = 0;
	for (int t = 0; t < ms && !over; t++, now++) {
		ENetEvent e;
		for (int i = 0; i < 2; i++)
			while (enet_host_service(hosts[i], &e, 0) > 0)
				over |= e.type == ENET_EVENT_TYPE_DISCONNECT;
	}
	return over;
}

int main(void)
{
	static const enet_uint32 trips[] = {2, 200, 400, 600};
	for (int k = 0; k < 4; k++) {
		dead = 0;
		delay = trips[k] / 2;
		ENetPeer *peer = meet();
		run(20000);
		enet_uint32 died = now;
		dead = 1;
		enet_peer_send(peer, 0, enet_packet_create("x", 1, ENET_PACKET_FLAG_RELIABLE));
		int over = run(120000);
		printf("round trip %3u ms: %s after %.1f s\n", trips[k], over ? "given up" : "not given up", (now - died) / 1000.0);
	}
	return 0;
}
C
gcc -O2 -Wall -Iroot/usr/include -I"$here" -o line line.c "$lib/libenet.so.7"
./line | tee seen
awk '/: given up/ { t[NR] = $(NF - 1) } END { exit !(NR == 4 && t[1] > 5 && t[1] < 8 && t[2] > 10 && t[4] > 32) }' seen || {
	echo "changed: the wait for a dead peer no longer grows with the round trip beyond 30 s" >&2
	exit 1
}
