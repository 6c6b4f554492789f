#!/bin/sh
# ENet measures time by the clock of the day: where that is set forward by a minute, a connection with anything under way is over at once.
#
# Package:  libenet7, libenet-dev 1.3.17+ds-2 (Debian 12).
# Guess:    enet_time_get counts from when the machine, or the program, started. What sets the time of day, such as NTP on a laptop that
#           woke up, is nothing to a connection.
# Seen:     on Unix it is gettimeofday, less the time at the start. Set forward by more than the maximum time-out, 30 s, with a reliable packet
#           not yet acknowledged, the peer is given up on the spot: its age is beyond the limit at the next look. A ping
#           each half second is such a packet, so an idle connection is hit with the share that its round trip has of that. Set
#           forward by less, or back, the connection stands. What is to stand has longer time-outs (enet_peer_timeout), and
#           a liveness of its own by a monotonic clock.
#           nettplay does so.
# Output:   set by      0 s: 3000 of 3000 packets arrive
#           set by     10 s: 3000 of 3000 packets arrive
#           set by     60 s: 500 of 3000 packets arrive, given up 0 ms later
#           set by   3600 s: 500 of 3000 packets arrive, given up 0 ms later
#           set by    -60 s: 3000 of 3000 packets arrive
#           set by  -3600 s: 3000 of 3000 packets arrive
#
# ENet's sockets are replaced by a line in virtual time, and so is the system's clock: the same result in each run, at once.
. "$(dirname "$0")/begin.inc"
fetch libenet7=1.3.17+ds-2 libenet-dev=1.3.17+ds-2
lib=$(dirname "$(find root -name 'libenet.so.7' | head -n 1)")

cat >clock.c <<'C'
#define enet_time_get unused /* here ENet's own is asked */
#include "enet-line.h"
#include <sys/time.h>

static long long set; /* by so many milliseconds the first host's clock was set */
static int first;     /* it is the first host that works */

int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
	long long ms = 1700000000000 + now + (first ? set : 0);
	(void)zone;
	t->tv_sec = ms / 1000;
	t->tv_usec = ms % 1000 * 1000;
	return 0;
}

/* play sends 3000 reliable packets, 16 ms apart, and sets the clock in between. */
static void play(int by)
{
	int sent = 0, arrived = 0;
	enet_uint32 at = 0, over = 0;
	delay = 20;
	set = 0;
	first = 1;
	ENetPeer *peer = meet();
	for (enet_uint32 start = now; now - start < 60000; now++) {
		ENetEvent e;
		first = 1;
		if (now - start > 1000 && now % 16 == 0 && sent < 3000 && !over) {
			if (sent++ == 500) {
				set = 1000LL * by;
				at = now;
			}
			enet_peer_send(peer, 0, enet_packet_create("x", 1, ENET_PACKET_FLAG_RELIABLE));
		}
		while (enet_host_service(hosts[0], &e, 0) > 0)
			if (e.type == ENET_EVENT_TYPE_DISCONNECT)
				over = now;
		first = 0;
		while (enet_host_service(hosts[1], &e, 0) > 0)
			if (e.type == ENET_EVENT_TYPE_RECEIVE) {
				arrived++;
				enet_packet_destroy(e.packet);
			}
	}
	printf("set by %6d s: %d of 3000 packets arrive", by, arrived);
	printf(over ? ", given up %u ms later\n" : "\n", over - at);
}

int main(void)
{
	static const int by[] = {0, 10, 60, 3600, -60, -3600};
	for (int i = 0; i < 6; i++)
		play(by[i]);
	return 0;
}
C
gcc -O2 -Wall -Iroot/usr/include -I"$here" -o clock clock.c "$lib/libenet.so.7"
./clock | tee seen
awk '{ all[$3] = $5; how[$3] = $0 } END {
	exit !(all[0] == 3000 && all[10] == 3000 && all[-60] == 3000 && all[60] < 600 && how[60] ~ /given up 0 ms/ && how[3600] ~ /given up 0 ms/) }' seen || {
	echo "changed: a clock that is set forward ends nothing, or one that is set back does" >&2
	exit 1
}
