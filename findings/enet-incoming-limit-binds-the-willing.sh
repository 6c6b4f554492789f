#!/bin/sh
# ENet: a host's limit for what comes in holds only for peers that name a limit for what goes out.
#
# Package:  libenet7, libenet-dev 1.3.17+ds-2 (Debian 12).
# Guess:    enet_host_create's incomingBandwidth is told to each peer, which then drops unreliable packets
#           so as to send no more; a peer that gives 0 for its outgoingBandwidth ("unlimited") keeps to it
#           like any other.
# Seen:     a peer's 0 counts as "sends nothing": the host tells such a peer that it may send as much as
#           it sends, 0, which that peer reads as unlimited. With any outgoingBandwidth, however large,
#           the limit works. So a host cannot guard its line by ENet's limit against peers that name none.
# Output:   host takes 20000 B/s in, peer sends 50000 B/s, of 1000 packets arrive:
#           peer names no limit:           1000
#           peer names 10000000 B/s:       444
#
# ENet's clock and sockets are replaced by a line in virtual time: the same result in each run, at once.
. "$(dirname "$0")/begin.inc"
fetch libenet7=1.3.17+ds-2 libenet-dev=1.3.17+ds-2
lib=$(dirname "$(find root -name 'libenet.so.7' | head -n 1)")

cat >line.c <<'C'
#include "enet-line.h"

/* arrive counts those of 1000 packets of 800 bytes, sent 16 ms apart, that arrive. */
static int arrive(enet_uint32 outgoing)
{
	delay = 10;
	ENetPeer *peer = meet();
	enet_host_bandwidth_limit(hosts[1], 20000, 0);
	enet_host_bandwidth_limit(hosts[0], 0, outgoing);
	/* The line makes hosts without limits; the call to connect says them again. */
	enet_peer_reset(peer);
	peer = enet_host_connect(hosts[0], &addresses[1], 1, 0);
	int arrived = 0;
	for (int ms = 0; ms < 21000; ms++, now++) {
		ENetEvent e;
		if (ms >= 4000 && ms < 20000 && ms % 16 == 0)
			enet_peer_send(peer, 0, enet_packet_create(NULL, 800, ENET_PACKET_FLAG_UNSEQUENCED));
		while (enet_host_service(hosts[0], &e, 0) > 0)
			;
		while (enet_host_service(hosts[1], &e, 0) > 0)
			if (e.type == ENET_EVENT_TYPE_RECEIVE) {
				arrived++;
				enet_packet_destroy(e.packet);
			}
	}
	return arrived;
}

int main(void)
{
	puts("host takes 20000 B/s in, peer sends 50000 B/s, of 1000 packets arrive:");
	printf("peer names no limit:           %d\n", arrive(0));
	printf("peer names 10000000 B/s:       %d\n", arrive(10000000));
	return 0;
}
C
gcc -O2 -Wall -Iroot/usr/include -I"$here" -o line line.c "$lib/libenet.so.7"
./line | tee seen
awk '/no limit/ { all = $NF } /names 1/ { some = $NF } END { exit !(all == 1000 && some > 300 && some < 600) }' seen || {
	echo "changed: the limit holds for all peers, or for none" >&2
	exit 1
}
