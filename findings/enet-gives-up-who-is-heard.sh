#!/bin/sh
# ENet: a bad line ends a connection within minutes, though the peer is heard all the time.
#
# Package:  libenet7, libenet-dev 1.3.17+ds-2 (Debian 12).
# Guess:    a peer is given up when nothing has come from it for 5 to 30 s: at one packet in seven lost, with 60 a second each
#           way, a game is ugly and goes on. A loss that is steady is no time-out.
# Seen:     what counts is one command, not the peer. Each of its repetitions is lost as often as the first, or its acknowledgement
#           is, and the wait doubles each time: seven in a row are the 5 s. A ping each half second is enough for that, and
#           reliable traffic makes it more frequent by as much as there is. At 15 % and 100 ms most games of ten minutes do not get to their
#           end, and who gives up has heard dozens of
#           packets in the second before. Set the time-outs out of reach (enet_peer_timeout), and judge by what was heard.
#           nettplay does.
# Output:   round trip  20 ms,  5 % lost, unsequenced:  0 of 20 given up in 10 minutes
#           round trip  20 ms,  5 % lost, reliable:     0 of 20 given up in 10 minutes
#           round trip 200 ms, 10 % lost, unsequenced:  1 of 20 given up in 10 minutes, who heard 55 packets and more in the last second
#           round trip 200 ms, 10 % lost, reliable:    16 of 20 given up in 10 minutes
#           round trip 100 ms, 15 % lost, unsequenced: 14 of 20 given up in 10 minutes, who heard 47 packets and more in the last second
#           round trip 100 ms, 15 % lost, reliable:    20 of 20 given up in 10 minutes
#           round trip  20 ms, 20 % lost, unsequenced: 10 of 20 given up in 10 minutes, who heard 39 packets and more in the last second
#           round trip  20 ms, 20 % lost, reliable:    20 of 20 given up in 10 minutes
#
# ENet's clock and sockets are replaced by a line in virtual time: the same result in each run, in seconds.
. "$(dirname "$0")/begin.inc"
fetch libenet7=1.3.17+ds-2 libenet-dev=1.3.17+ds-2
lib=$(dirname "$(find root -name 'libenet.so.7' | head -n 1)")

cat >line.c <<'C'
#include "enet-line.h"

static int heard[2], least; /* packets in each second; of the last whole one, the least that one who gave up had heard */

/* play sends 60 packets a second both ways; it returns 0 if one of the two gives up within ms milliseconds. */
static int play(int ms, ENetPeer *peer, int flags)
{
	int before[2];
	for (int t = 0; t < ms; t++, now++) {
		ENetEvent e;
		if (t % 1000 == 0)
			for (int i = 0; i < 2; i++)
				before[i] = heard[i], heard[i] = 0;
		for (int i = 0; i < 2; i++)
			while (enet_host_service(hosts[i], &e, 0) > 0)
				if (e.type == ENET_EVENT_TYPE_RECEIVE) {
					heard[i]++;
					enet_packet_destroy(e.packet);
				} else if (e.type == ENET_EVENT_TYPE_DISCONNECT) {
					if (before[i] < least)
						least = before[i];
					return 0;
				}
		if (t * 60 / 1000 != (t + 1) * 60 / 1000) {
			enet_peer_send(peer, 0, enet_packet_create("twelve bytes", 12, flags));
			enet_peer_send(hosts[1]->peers, 0, enet_packet_create("twelve bytes", 12, flags));
		}
	}
	return 1;
}

static void games(enet_uint32 way, unsigned lost, int flags)
{
	int up = 0;
	least = 60;
	delay = way;
	for (int game = 0; game < 20; game++) {
		loss = 0;
		ENetPeer *peer = meet();
		play(1000, peer, flags);
		loss = lost;
		up += !play(600000, peer, flags);
	}
	printf("round trip %3u ms, %2u %% lost, %-12s %2d of 20 given up in 10 minutes", 2 * way, lost, flags == ENET_PACKET_FLAG_RELIABLE ? "reliable:" : "unsequenced:", up);
	if (up > 0 && flags != ENET_PACKET_FLAG_RELIABLE)
		printf(", who heard %d packets and more in the last second", least);
	puts("");
}

int main(void)
{
	static const struct {
		enet_uint32 way;
		unsigned lost;
	} lines[] = {{10, 5}, {100, 10}, {50, 15}, {10, 20}};
	for (int i = 0; i < 4; i++) {
		games(lines[i].way, lines[i].lost, ENET_PACKET_FLAG_UNSEQUENCED);
		games(lines[i].way, lines[i].lost, ENET_PACKET_FLAG_RELIABLE);
	}
	return 0;
}
C
gcc -O2 -Wall -Iroot/usr/include -I"$here" -o line line.c "$lib/libenet.so.7"
./line | tee seen
[ "$(sed 's/.*reliable: *//; s/.*unsequenced: *//; s/ of.*//' seen | paste -sd' ')" = "0 0 1 16 14 20 10 20" ] || {
	echo "changed: who is heard is not given up, or at other times" >&2
	exit 1
}
