#!/bin/sh
# ENet: a reliable packet beyond the receiver's limit is not dropped, and not refused: the connection ends some seconds later.
#
# Package:  libenet7, libenet-dev 1.3.17+ds-2 (Debian 12).
# Guess:    ENetHost's maximumPacketSize of the receiver guards its memory: a longer packet is thrown away, and the next ones come.
#           If anybody is told, it is the sender, by an error.
# Seen:     the receiver takes no notice of it and acknowledges nothing, so that the sender repeats it until it gives the receiver up
#           for dead: after 6 s at 40 ms there and back. Unsequenced packets arrive until then, and the
#           receiver goes on alone for some seconds more. Neither learns why. Hosts whose limits differ need one of their own above ENet.
#           nettplay gives ENet unsequenced packets alone, of a bounded size; what must arrive goes by streams of its own.
# Output:   limit 1000, packet of  900 bytes: it arrives, 100 of 100 unsequenced ones, still connected
#           limit 1000, packet of 1100 bytes: lost, 31 of 100 unsequenced ones, sender gives up after 6.3 s, receiver after 13.1 s
#
# ENet's clock and sockets are replaced by a line in virtual time: the same result in each run, at once.
. "$(dirname "$0")/begin.inc"
fetch libenet7=1.3.17+ds-2 libenet-dev=1.3.17+ds-2
lib=$(dirname "$(find root -name 'libenet.so.7' | head -n 1)")

cat >line.c <<'C'
#include "enet-line.h"

static void play(size_t size)
{
	enet_uint32 over[2] = {0, 0}, start = 0;
	int arrived = 0, others = 0;
	delay = 20;
	ENetPeer *peer = meet();
	hosts[1]->maximumPacketSize = 1000;
	for (int ms = 0; ms < 120000; ms++, now++) {
		ENetEvent e;
		if (ms == 1000) {
			start = now;
			enet_peer_send(peer, 0, enet_packet_create(NULL, size, ENET_PACKET_FLAG_RELIABLE));
		}
		if (ms > 1000 && ms <= 21000 && ms % 200 == 0)
			enet_peer_send(peer, 0, enet_packet_create(NULL, 1, ENET_PACKET_FLAG_UNSEQUENCED));
		for (int i = 0; i < 2; i++)
			while (enet_host_service(hosts[i], &e, 0) > 0) {
				if (e.type == ENET_EVENT_TYPE_DISCONNECT)
					over[i] = now;
				if (e.type == ENET_EVENT_TYPE_RECEIVE) {
					arrived += e.packet->dataLength == size;
					others += e.packet->dataLength == 1;
					enet_packet_destroy(e.packet);
				}
			}
	}
	printf("limit 1000, packet of %4zu bytes: %s, %d of 100 unsequenced ones, ", size, arrived ? "it arrives" : "lost", others);
	if (!over[0] && !over[1])
		puts("still connected");
	else
		printf("sender gives up after %.1f s, receiver after %.1f s\n", (over[0] - start) / 1000.0, (over[1] - start) / 1000.0);
}

int main(void)
{
	play(900);
	play(1100);
	return 0;
}
C
gcc -O2 -Wall -Iroot/usr/include -I"$here" -o line line.c "$lib/libenet.so.7"
./line | tee seen
awk 'NR == 1 { whole = /it arrives.*still connected/ } NR == 2 { ends = /lost/ && $(NF - 5) + 0 > 5 && $(NF - 1) > $(NF - 5) + 0 } END { exit !(NR == 2 && whole && ends) }' seen || {
	echo "changed: a packet that is too large no longer ends the connection" >&2
	exit 1
}
