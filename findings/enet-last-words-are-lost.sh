#!/bin/sh
# ENet: what a peer sends before it disconnects arrives, and is thrown away there, unless it is reliable and the end waits for it.
#
# Package:  libenet7, libenet-dev 1.3.17+ds-2 (Debian 12).
# Guess:    on a line that loses nothing a host hands out what came before a request to disconnect, and then the request.
#           enet_peer_disconnect_later is made to be called behind the last packets ("only after all queued outgoing packets are sent"), and
#           enet_host_flush sends what enet_peer_disconnect would drop: "the host ends the game" gets through.
# Seen:     the request travels right behind the packets. The receiver takes in all that has come before it hands anything out, and the
#           request empties its queues: no packet is seen, also none of the reliable ones, which are acknowledged. Only
#           disconnect_later behind reliable packets waits for their acknowledgements; behind others it works by chance, while a ping
#           is under way. The number that goes with the request always arrives: a reason belongs there, or into a reliable packet
#           whose answer one waits for.
#           nettplay says good-bye above ENet, and gives ENet no reliable packets.
# Output:   plain,       disconnect_later     all arrive at  40 moments of 500, none at 460, the number at 500
#           unsequenced, disconnect_later     all arrive at  40 moments of 500, none at 460, the number at 500
#           reliable,    disconnect_later     all arrive at 500 moments of 500, none at   0, the number at 500
#           plain,       flush, disconnect    all arrive at   0 moments of 500, none at 500, the number at 500
#           unsequenced, flush, disconnect    all arrive at   0 moments of 500, none at 500, the number at 500
#           reliable,    flush, disconnect    all arrive at   0 moments of 500, none at 500, the number at 500
#
# ENet's clock and sockets are replaced by a line in virtual time: the same result in each run, at once.
. "$(dirname "$0")/begin.inc"
fetch libenet7=1.3.17+ds-2 libenet-dev=1.3.17+ds-2
lib=$(dirname "$(find root -name 'libenet.so.7' | head -n 1)")

cat >line.c <<'C'
#include "enet-line.h"

/* end sends ten packets at a moment, disconnects in a way, and returns how many arrive. */
static int end(int moment, int flags, int later, enet_uint32 *number)
{
	int arrived = 0;
	ENetPeer *peer = meet();
	for (int t = 0; t < moment + 500; t++, now++) {
		ENetEvent e;
		if (t == moment) {
			for (int i = 0; i < 10; i++)
				enet_peer_send(peer, 0, enet_packet_create("twelve bytes", 12, flags));
			if (later) {
				enet_peer_disconnect_later(peer, 7);
			} else {
				enet_host_flush(hosts[0]);
				enet_peer_disconnect(peer, 7);
			}
		}
		for (int i = 0; i < 2; i++)
			while (enet_host_service(hosts[i], &e, 0) > 0)
				if (e.type == ENET_EVENT_TYPE_RECEIVE)
					arrived++, enet_packet_destroy(e.packet);
				else if (e.type == ENET_EVENT_TYPE_DISCONNECT && i == 1)
					*number = e.data;
	}
	return arrived;
}

/* moments ends at each of 500 moments, one after the other, a millisecond apart. */
static void moments(const char *kind, int flags, int later)
{
	int all = 0, none = 0, numbers = 0;
	for (int moment = 1000; moment < 1500; moment++) {
		enet_uint32 number = 0;
		int arrived = end(moment, flags, later, &number);
		all += arrived == 10, none += arrived == 0, numbers += number == 7;
	}
	printf("%-12s %-20s all arrive at %3d moments of 500, none at %3d, the number at %d\n", kind, later ? "disconnect_later" : "flush, disconnect", all, none, numbers);
}

int main(void)
{
	delay = 20;
	for (int later = 1; later >= 0; later--) {
		moments("plain,", 0, later);
		moments("unsequenced,", ENET_PACKET_FLAG_UNSEQUENCED, later);
		moments("reliable,", ENET_PACKET_FLAG_RELIABLE, later);
	}
	return 0;
}
C
gcc -O2 -Wall -Iroot/usr/include -I"$here" -o line line.c "$lib/libenet.so.7"
./line | tee seen
[ "$(sed 's/.*all arrive at *//; s/ moments.*//' seen | paste -sd' ')" = "40 40 500 0 0 0" ] || {
	echo "changed: other last words arrive" >&2
	exit 1
}
