#!/bin/sh
# ENet: a limit for what goes out is, for reliable packets, some kilobytes a round trip: on a short line a limit of 10 kB/s lets 100 kB/s out.
#
# Package:  libenet7, libenet-dev 1.3.17+ds-2 (Debian 12).
# Guess:    with enet_host_create's outgoingBandwidth, or enet_host_bandwidth_limit, of 20,000 bytes a second, a file for a friend goes at that rate, a bit
#           less with what is around it, as far as the line takes it: the rest of the line is free for somebody's stream.
# Seen:     a peer has a window of 4 KiB for each whole 64 KiB/s of the limit, 4 KiB below that, and a window goes each round trip. So
#           limits of 50,000 and 100,000 are all but the same, and at 200 ms a fifth of 100,000 goes out. The throttle, which is to hold the
#           rate, makes the window smaller, but lets one datagram a round trip pass in any case: on a line of 10 ms that is ten times a
#           limit of 10,000. Who wants a rate has to pace what is given to ENet.
#           nettplay paces by itself, and gives ENet no limits.
# Output:   round trip             10 ms      40 ms     100 ms     200 ms
#           limit   10000 B/s: 100000 B/s  25000 B/s  18000 B/s  12500 B/s
#           limit   20000 B/s: 100000 B/s  46000 B/s  25000 B/s  17500 B/s
#           limit   50000 B/s: 100000 B/s  62500 B/s  40000 B/s  20000 B/s
#           limit  100000 B/s: 197000 B/s  87500 B/s  40000 B/s  20000 B/s
#           limit  150000 B/s: 348500 B/s 162500 B/s  80000 B/s  40000 B/s
#           limit 1000000 B/s: 3491500 B/s 1237500 B/s 610000 B/s 305000 B/s
#
# ENet's clock and sockets are replaced by a line in virtual time: the same result in each run, at once.
. "$(dirname "$0")/begin.inc"
fetch libenet7=1.3.17+ds-2 libenet-dev=1.3.17+ds-2
lib=$(dirname "$(find root -name 'libenet.so.7' | head -n 1)")

cat >line.c <<'C'
#include "enet-line.h"

/* send gives a connection more than it can send, and returns how many bytes arrive in ten seconds, a second. */
static int send_all(enet_uint32 limit, enet_uint32 way)
{
	int arrived = 0, queued = 0;
	delay = way;
	ENetPeer *peer = meet();
	enet_host_bandwidth_limit(hosts[0], 0, limit);
	/* The line makes hosts without limits; the call to connect says them again. */
	enet_peer_reset(peer);
	peer = enet_host_connect(hosts[0], &addresses[1], 1, 0);
	for (int t = 0; t < 20000; t++, now++) {
		ENetEvent e;
		for (; t >= 3000 && queued < 200; queued++)
			enet_peer_send(peer, 0, enet_packet_create(NULL, 1000, ENET_PACKET_FLAG_RELIABLE));
		for (int i = 0; i < 2; i++)
			while (enet_host_service(hosts[i], &e, 0) > 0)
				if (e.type == ENET_EVENT_TYPE_RECEIVE) {
					arrived += t >= 10000 ? 1000 : 0;
					queued--;
					enet_packet_destroy(e.packet);
				}
	}
	return arrived / 10;
}

int main(void)
{
	static const enet_uint32 limits[] = {10000, 20000, 50000, 100000, 150000, 1000000};
	puts("round trip             10 ms      40 ms     100 ms     200 ms");
	for (int i = 0; i < 6; i++) {
		printf("limit %7u B/s:", limits[i]);
		static const enet_uint32 ways[] = {5, 20, 50, 100};
		for (int j = 0; j < 4; j++)
			printf(" %6d B/s", send_all(limits[i], ways[j]));
		puts("");
	}
	return 0;
}
C
gcc -O2 -Wall -Iroot/usr/include -I"$here" -o line line.c "$lib/libenet.so.7"
./line | tee seen
[ "$(sed '1d; s/.*B\/s://; s/[^0-9]\{1,\}/ /g' seen | paste -sd,)" = " 100000 25000 18000 12500 , 100000 46000 25000 17500 , 100000 62500 40000 20000 , 197000 87500 40000 20000 , 348500 162500 80000 40000 , 3491500 1237500 610000 305000 " ] || {
	echo "changed: a limit is a rate, or another window" >&2
	exit 1
}
