#!/bin/sh
# ENet: a host with as many places as players lets one who has restarted in only when it has given the old connection up.
#
# Package:  libenet7, libenet-dev 1.3.17+ds-2 (Debian 12).
# Guess:    who connects again from the same address and port takes the place of the connection that was there: a peer is its
#           address. So a host for one friend needs a place for one.
# Seen:     connections are told apart by a number that each has anew. The host keeps the old one, has no place for another, and answers
#           nothing; the friend's ENet goes on asking. It is in when the host's own pings have timed out, 7 s later on a line of
#           40 ms, half a minute or more on a slow one (enet-dead-peer-outlasts-its-limit.sh). With one place more it is in at once,
#           and the host has two peers with one address for a while. So: more places than players.
#           nettplay has more.
# Output:   places: 1, back after 7540 ms
#           places: 2, back after 40 ms
#
# ENet's clock and sockets are replaced by a line in virtual time: the same result in each run, at once.
. "$(dirname "$0")/begin.inc"
fetch libenet7=1.3.17+ds-2 libenet-dev=1.3.17+ds-2
lib=$(dirname "$(find root -name 'libenet.so.7' | head -n 1)")

cat >back.c <<'C'
#include "enet-line.h"

/* play has a friend come to a host of so many places, forget that after 5 s, and come again. */
static void play(int places)
{
	ENetAddress any = {.host = ENET_HOST_ANY, .port = 0};
	enet_uint32 again = 0, start, at;
	delay = 20;
	enet_peer_reset(meet()); /* whose host has one place */
	enet_host_destroy(hosts[1]);
	hosts[1] = enet_host_create(&any, places, 1, 0, 0);
	sockets[1] = hosts[1]->socket;
	addresses[1].port = hosts[1]->address.port;
	ENetPeer *peer = enet_host_connect(hosts[0], &addresses[1], 1, 0);
	for (start = now; now - start < 120000; now++) {
		ENetEvent e;
		if (now - start == 5000) {
			enet_peer_reset(peer); /* without a word to the host, as a crash does */
			peer = enet_host_connect(hosts[0], &addresses[1], 1, 0);
			again = now;
		}
		for (at = 0; enet_host_service(hosts[0], &e, 0) > 0;)
			if (e.type == ENET_EVENT_TYPE_CONNECT)
				at = now;
			else if (e.type == ENET_EVENT_TYPE_DISCONNECT)
				peer = enet_host_connect(hosts[0], &addresses[1], 1, 0);
		if (again && at) {
			printf("places: %d, back after %u ms\n", places, now - again);
			return;
		}
		while (enet_host_service(hosts[1], &e, 0) > 0)
			;
	}
	printf("places: %d, never back\n", places);
}

int main(void)
{
	play(1);
	play(2);
	return 0;
}
C
gcc -O2 -Wall -Iroot/usr/include -I"$here" -o back back.c "$lib/libenet.so.7"
./back | tee seen
awk '/: 1/ { one = $5 } /: 2/ { two = $5 } END { exit !(one > 5000 && one < 10000 && two < 100) }' seen || {
	echo "changed: a full host lets in who was there before, or nobody" >&2
	exit 1
}
