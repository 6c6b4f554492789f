#!/bin/sh
# ENet: of 65,536 unreliable packets one goes reliably, and those behind it wait until it has come.
#
# Package:  libenet7, libenet-dev 1.3.17+ds-2 (Debian 12).
# Guess:    a packet without flags is sent once. If it is lost it is missing, and nobody waits for it, however long the
#           connection stands.
# Seen:     so it is for 65,535 packets of a channel. Then their number, of 16 bits, is used up, and enet_peer_send makes the next
#           one a reliable packet, which begins the numbers anew: at 60 packets a second the first one comes after 18 minutes. When
#           it is lost it is sent again, and what was sent meanwhile is handed out in one go behind it. Unsequenced
#           packets have no such number; inputs of a game belong there.
#           nettplay gives ENet nothing but unsequenced packets.
# Output:   each way 50 ms, 60 packets a second, one of 66000 is lost:
#           number 65535 of the unreliable:  missing, 0 others late
#           number 65536 of the unreliable:  arrives, 6 others late, by up to 95 ms
#           number 65537 of the unreliable:  missing, 0 others late
#           number 65536 of the unsequenced: missing, 0 others late
#
# ENet's clock and sockets are replaced by a line in virtual time: the same result in each run, in seconds.
. "$(dirname "$0")/begin.inc"
fetch libenet7=1.3.17+ds-2 libenet-dev=1.3.17+ds-2
lib=$(dirname "$(find root -name 'libenet.so.7' | head -n 1)")

cat >line.c <<'C'
#include "enet-line.h"

/* play sends 66000 packets, of which the line loses one, the first time that it is sent. */
static void play(enet_uint32 flags, const char *name, unsigned lost)
{
	static enet_uint32 sent[66000 + 1];
	unsigned n = 0, got, late = 0, worst = 0, arrived = 0;
	delay = 50;
	ENetPeer *peer = meet();
	for (enet_uint32 start = now, end = 0; end == 0 || now < end; now++) {
		ENetEvent e;
		int due = peer->state == ENET_PEER_STATE_CONNECTED && n < 66000 && (now - start) * 60 / 1000 != (now - start + 1) * 60 / 1000;
		if (due) {
			sent[++n] = now;
			enet_peer_send(peer, 0, enet_packet_create(&n, sizeof n, flags));
			end = n == 66000 ? now + 5000 : 0;
		}
		while (enet_host_service(hosts[0], &e, 0) > 0)
			;
		if (due && n == lost)
			held[(ends[0] - 1) % 2048].size = 0;
		while (enet_host_service(hosts[1], &e, 0) > 0)
			if (e.type == ENET_EVENT_TYPE_RECEIVE) {
				memcpy(&got, e.packet->data, sizeof got);
				enet_packet_destroy(e.packet);
				enet_uint32 took = now - sent[got];
				if (got == lost)
					arrived = 1;
				else if (took > delay) {
					late++;
					worst = took - delay > worst ? took - delay : worst;
				}
			}
	}
	printf("number %u of the %s %s, %u others late", lost, name, arrived ? "arrives" : "missing", late);
	printf(late > 0 ? ", by up to %u ms\n" : "\n", worst);
}

int main(void)
{
	puts("each way 50 ms, 60 packets a second, one of 66000 is lost:");
	play(0, "unreliable: ", 65535);
	play(0, "unreliable: ", 65536);
	play(0, "unreliable: ", 65537);
	play(ENET_PACKET_FLAG_UNSEQUENCED, "unsequenced:", 65536);
	return 0;
}
C
gcc -O2 -Wall -Iroot/usr/include -I"$here" -o line line.c "$lib/libenet.so.7"
./line | tee seen
awk 'NR > 1 { sub(",", "", $6); seen = seen " " $6 }
	NR == 3 { late = $7 }
	NR != 3 && NR > 1 && $7 != 0 { other = 1 }
	END { exit !(seen == " missing arrives missing missing" && late > 3 && !other) }' seen || {
	echo "changed: the packet is as unreliable as all others, or nobody waits for it" >&2
	exit 1
}
