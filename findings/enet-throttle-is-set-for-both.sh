#!/bin/sh
# ENet: whoever sets the throttle for a peer sets it for both sides: the last call of either decides what both throw away.
#
# Package:  libenet7, libenet-dev 1.3.17+ds-2 (Debian 12).
# Guess:    enet_peer_throttle_configure is how much of what this side sends to that peer, unreliably, it throws away when the line gets slower, as its
#           documentation has it ("sent by ENet to the peer"). Each side sets its own, before or after the other. A game that does not want any of it
#           switches it off with a deceleration of 0.
# Seen:     the call goes to the other side as well, as a reliable command, and is that side's setting from then on. A guest whose program sets the usual values, since it
#           knows no better, switches the host's throttle on again: of what the host sends to him, and he sends, two of five arrive
#           on a line whose delay has doubled (enet-throttle-stays.sh). Nothing tells the host. Set it on both sides, each time that the other may have; or
#           set the peer's packetThrottle fields oneself.
#           nettplay sets it to never, and lets no other setting in.
# Output:   of 3750 packets each way, where the delay has doubled, arrive:
#           nobody sets anything:     1523 of the host's, 1523 of the guest's
#           the host sets "never":    3750 of the host's, 3750 of the guest's
#           the guest, then, "usual": 1523 of the host's, 1523 of the guest's
#
# ENet's clock and sockets are replaced by a line in virtual time: the same result in each run, at once.
. "$(dirname "$0")/begin.inc"
fetch libenet7=1.3.17+ds-2 libenet-dev=1.3.17+ds-2
lib=$(dirname "$(find root -name 'libenet.so.7' | head -n 1)")

cat >line.c <<'C'
#include "enet-line.h"

enum { GUEST, HOST };
static ENetPeer *peers[2]; /* the guest's of the host, and the host's of the guest */
static unsigned arrived[2]; /* of each one's packets */

/* run plays ms milliseconds, with a packet each way every 16 of them if it is to. */
static void run(int ms, int sending)
{
	for (; ms > 0; ms--, now++)
		for (int i = 0; i < 2; i++) {
			ENetEvent e;
			if (sending && now % 16 == 0)
				enet_peer_send(peers[i], 0, enet_packet_create("twelve bytes", 12, ENET_PACKET_FLAG_UNSEQUENCED));
			while (enet_host_service(hosts[i], &e, 0) > 0)
				if (e.type == ENET_EVENT_TYPE_CONNECT) {
					peers[i] = e.peer;
				} else if (e.type == ENET_EVENT_TYPE_RECEIVE) {
					arrived[!i]++;
					enet_packet_destroy(e.packet);
				}
		}
}

static void play(const char *what, int host_sets, int guest_sets)
{
	delay = 20;
	meet();
	run(1000, 0);
	if (host_sets)
		enet_peer_throttle_configure(peers[HOST], ENET_PEER_PACKET_THROTTLE_INTERVAL, ENET_PEER_PACKET_THROTTLE_SCALE, 0);
	run(1000, 0);
	if (guest_sets)
		enet_peer_throttle_configure(peers[GUEST], ENET_PEER_PACKET_THROTTLE_INTERVAL, ENET_PEER_PACKET_THROTTLE_ACCELERATION,
		                             ENET_PEER_PACKET_THROTTLE_DECELERATION);
	run(20000, 1);
	delay = 40;
	run(60000, 1);
	arrived[HOST] = arrived[GUEST] = 0;
	run(60000, 1);
	printf("%-25s %u of the host's, %u of the guest's\n", what, arrived[HOST], arrived[GUEST]);
}

int main(void)
{
	puts("of 3750 packets each way, where the delay has doubled, arrive:");
	play("nobody sets anything:", 0, 0);
	play("the host sets \"never\":", 1, 0);
	play("the guest, then, \"usual\":", 1, 1);
	return 0;
}
C
gcc -O2 -Wall -Iroot/usr/include -I"$here" -o line line.c "$lib/libenet.so.7"
./line | tee seen
awk 'NR > 1 { host[NR] = $(NF - 7); guest[NR] = $(NF - 3) }
	END { exit !(host[2] < 3000 && guest[2] < 3000 && host[3] == 3750 && guest[3] == 3750 && host[4] < 3000 && guest[4] < 3000) }' seen || {
	echo "changed: each side has a throttle of its own" >&2
	exit 1
}
