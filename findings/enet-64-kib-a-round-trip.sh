#!/bin/sh
# ENet: what is sent reliably goes at 64 KiB a round trip, however wide the line is, and over however many channels.
#
# Package:  libenet7, libenet-dev 1.3.17+ds-2 (Debian 12).
# Guess:    ENet sends more as long as the line takes it: a savestate of some megabytes goes to a friend with a fast line at the
#           speed of that. What would hold it back is a channel, so one spreads pieces over several.
# Seen:     at most 64 KiB are under way to a peer (ENET_PROTOCOL_MAXIMUM_WINDOW_SIZE), of all channels together: at 100 ms there and back
#           that is 640 KiB/s on any line. Limits of bandwidth (enet_host_create) make it less, and nothing makes it more. Large
#           transfers want unsequenced packets with a window of one's own, or a connection for each part.
#           nettplay has windows of its own.
# Output:   round trip  20 ms, 1 channel:   3223 KiB/s, 64 KiB a round trip
#           round trip 100 ms, 1 channel:    645 KiB/s, 64 KiB a round trip
#           round trip 100 ms, 4 channels:   645 KiB/s, 64 KiB a round trip
#           round trip 200 ms, 1 channel:    322 KiB/s, 64 KiB a round trip
#
# ENet's clock and sockets are replaced by a line in virtual time: the same result in each run, in seconds.
. "$(dirname "$0")/begin.inc"
fetch libenet7=1.3.17+ds-2 libenet-dev=1.3.17+ds-2
lib=$(dirname "$(find root -name 'libenet.so.7' | head -n 1)")

cat >bulk.c <<'C'
#include "enet-line.h"

/* play sends 4 MiB at once over a line that loses nothing, and takes whatever comes. */
static void play(int trip, int channels)
{
	enum { piece = 16384, all = 4 << 20 };
	enet_uint32 begun = 0, start = now;
	int got = 0;
	delay = trip / 2;
	ENetPeer *peer = meet();
	enet_peer_reset(peer); /* the line's hosts have one channel */
	for (int i = 0; i < 2; i++)
		enet_host_channel_limit(hosts[i], channels);
	peer = enet_host_connect(hosts[0], &addresses[1], channels, 0);
	for (; got < all && now - start < 600000; now++) {
		ENetEvent e;
		if (!begun && now - start > 3000) {
			begun = now;
			for (int i = 0; i < all / piece; i++)
				enet_peer_send(peer, i % channels, enet_packet_create(NULL, piece, ENET_PACKET_FLAG_RELIABLE));
		}
		for (int i = 0; i < 2; i++)
			while (enet_host_service(hosts[i], &e, 0) > 0)
				if (e.type == ENET_EVENT_TYPE_RECEIVE) {
					got += e.packet->dataLength;
					enet_packet_destroy(e.packet);
				}
	}
	double rate = got / 1024.0 / ((now - begun) / 1000.0);
	printf("round trip %3d ms, %d channel%s %6.0f KiB/s, %.0f KiB a round trip\n", trip, channels, channels > 1 ? "s:" : ": ", rate, rate * trip / 1000);
}

int main(void)
{
	play(20, 1);
	play(100, 1);
	play(100, 4);
	play(200, 1);
	return 0;
}
C
gcc -O2 -Wall -Iroot/usr/include -I"$here" -o bulk bulk.c "$lib/libenet.so.7"
./bulk | tee seen
awk '{ n += $(NF - 4) >= 62 && $(NF - 4) <= 67 } END { exit !(n == 4) }' seen || {
	echo "changed: another amount is under way" >&2
	exit 1
}
