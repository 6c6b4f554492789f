#!/bin/sh
# ENet: an unsequenced packet of more than 1,372 bytes is a reliable one, in order, and others wait behind it.
#
# Package:  libenet7, libenet-dev 1.3.17+ds-2 (Debian 12).
# Guess:    ENET_PACKET_FLAG_UNSEQUENCED says that a packet may be lost and waits for nothing, and nothing for it, whatever its size. If it is
#           cut into pieces, one that is lost costs the packet. And that begins where a datagram of 1,400 bytes (the
#           host's mtu) is full, with the 10 bytes around such a packet.
# Seen:     what is longer than the mtu without the header of a piece, 1,372 bytes, is sent as pieces that are repeated until they
#           are acknowledged; the flag is forgotten, the packet takes its place in the channel's order, and plain packets behind it are handed
#           out only with it. Those that are small enough and unsequenced still pass.
#           nettplay's packets are shorter.
# Output:   unsequenced of 1372 bytes: it is lost, unsequenced one after 21 ms, plain one after 21 ms
#           unsequenced of 1373 bytes: it after 96 ms, unsequenced one after 21 ms, plain one after 96 ms
#           plain       of 1372 bytes: it is lost, unsequenced one after 21 ms, plain one after 21 ms
#           plain       of 1373 bytes: it after 96 ms, unsequenced one after 21 ms, plain one after 96 ms
#
# ENet's clock and sockets are replaced by a line in virtual time: the same result in each run, at once.
. "$(dirname "$0")/begin.inc"
fetch libenet7=1.3.17+ds-2 libenet-dev=1.3.17+ds-2
lib=$(dirname "$(find root -name 'libenet.so.7' | head -n 1)")

cat >large.c <<'C'
#include "enet-line.h"

/* play sends a packet of so many bytes, whose last datagram the line loses, and then a plain one that needs no order and one
   that does. */
static void play(const char *name, size_t size, enet_uint32 flags)
{
	enet_uint32 start = now, took[3] = {0, 0, 0};
	delay = 20;
	ENetPeer *peer = meet();
	for (int ms = 0; ms < 4000; ms++, now++) {
		ENetEvent e;
		if (ms == 2000) {
			start = now;
			enet_peer_send(peer, 0, enet_packet_create(NULL, size, flags));
		}
		while (enet_host_service(hosts[0], &e, 0) > 0)
			;
		if (ms == 2000) {
			held[(ends[0] - 1) % 2048].size = 0;
			enet_peer_send(peer, 0, enet_packet_create("u", 1, ENET_PACKET_FLAG_UNSEQUENCED));
			enet_peer_send(peer, 0, enet_packet_create("pp", 2, 0));
		}
		while (enet_host_service(hosts[1], &e, 0) > 0)
			if (e.type == ENET_EVENT_TYPE_RECEIVE) {
				took[e.packet->dataLength > 2 ? 0 : e.packet->dataLength] = now - start;
				enet_packet_destroy(e.packet);
			}
	}
	static const char *names[] = {"it", "unsequenced one", "plain one"};
	printf("%s of %4zu bytes:", name, size);
	for (int i = 0; i < 3; i++)
		printf(took[i] ? " %s after %u ms%s" : " %s is lost%.0u%s", names[i], took[i], i < 2 ? "," : "\n");
}

int main(void)
{
	play("unsequenced", 1372, ENET_PACKET_FLAG_UNSEQUENCED);
	play("unsequenced", 1373, ENET_PACKET_FLAG_UNSEQUENCED);
	play("plain      ", 1372, 0);
	play("plain      ", 1373, 0);
	return 0;
}
C
gcc -O2 -Wall -Iroot/usr/include -I"$here" -o large large.c "$lib/libenet.so.7"
./large | tee seen
awk '/1372/ { small += /it is lost, unsequenced one after 2. ms, plain one after 2. ms/ } /1373/ { large += $5 == "it" && $7 > 50 && $NF == "ms" && $(NF - 1) > 50 }
	END { exit !(small == 2 && large == 2) }' seen || {
	echo "changed: a large packet without order may be lost, or is cut at another size" >&2
	exit 1
}
