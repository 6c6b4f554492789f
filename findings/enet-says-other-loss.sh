#!/bin/sh
# ENet: the loss that it says of a line is 0.3 % where it loses 5 %, for a game of unsequenced packets, and 9 % while nothing is sent.
#
# Package:  libenet7, libenet-dev 1.3.17+ds-2 (Debian 12).
# Guess:    ENetPeer's packetLoss ("mean packet loss of reliable packets") is the share of them that are lost on their way: on a line that
#           loses 5 % each way 5 %, or, as an acknowledgement can be lost as well, 10 %; whatever else goes by. Pings are reliable, so it is
#           there for who sends no other.
# Seen:     it is repeated reliable commands by sent datagrams, of any kind. Loss both ways is in it, and then everything that is not
#           reliable thins it out: the more a game sends, the better is its line. A friend's bars in the lobby turn green at the
#           start of the game. Count by numbers of one's own.
#           nettplay does.
# Output:    5 % lost each way: nothing sent      9.2 %
#            5 % lost each way: 60 reliable       9.1 %
#            5 % lost each way: 10 unsequenced    1.6 %
#            5 % lost each way: 60 unsequenced    0.3 %
#           10 % lost each way: nothing sent     18.4 %
#           10 % lost each way: 60 reliable      17.9 %
#           10 % lost each way: 10 unsequenced    3.4 %
#           10 % lost each way: 60 unsequenced    0.6 %
#
# ENet's clock and sockets are replaced by a line in virtual time: the same result in each run, at once.
. "$(dirname "$0")/begin.inc"
fetch libenet7=1.3.17+ds-2 libenet-dev=1.3.17+ds-2
lib=$(dirname "$(find root -name 'libenet.so.7' | head -n 1)")

cat >line.c <<'C'
#include "enet-line.h"

/* play sends for ten minutes, and returns the mean of the loss that ENet says from the second minute on, in percent. */
static double play(unsigned lost, int rate, int flags)
{
	double sum = 0;
	loss = 0;
	ENetPeer *peer = meet();
	for (int t = 0; t < 600000; t++, now++) {
		ENetEvent e;
		if (t == 1000)
			loss = lost;
		for (int i = 0; i < 2; i++)
			while (enet_host_service(hosts[i], &e, 0) > 0)
				if (e.type == ENET_EVENT_TYPE_RECEIVE)
					enet_packet_destroy(e.packet);
				else if (e.type == ENET_EVENT_TYPE_DISCONNECT)
					return -1;
		if (rate > 0 && t > 1000 && t * rate / 1000 != (t + 1) * rate / 1000)
			enet_peer_send(peer, 0, enet_packet_create("twelve bytes", 12, flags));
		if (t >= 60000 && t % 1000 == 0)
			sum += peer->packetLoss * 100.0 / ENET_PEER_PACKET_LOSS_SCALE / 540;
	}
	return sum;
}

int main(void)
{
	delay = 20;
	for (unsigned lost = 5; lost <= 10; lost += 5) {
		printf("%2u %% lost each way: nothing sent     %4.1f %%\n", lost, play(lost, 0, 0));
		printf("%2u %% lost each way: 60 reliable      %4.1f %%\n", lost, play(lost, 60, ENET_PACKET_FLAG_RELIABLE));
		printf("%2u %% lost each way: 10 unsequenced   %4.1f %%\n", lost, play(lost, 10, ENET_PACKET_FLAG_UNSEQUENCED));
		printf("%2u %% lost each way: 60 unsequenced   %4.1f %%\n", lost, play(lost, 60, ENET_PACKET_FLAG_UNSEQUENCED));
	}
	return 0;
}
C
gcc -O2 -Wall -Iroot/usr/include -I"$here" -o line line.c "$lib/libenet.so.7"
./line | tee seen
[ "$(sed 's/.*[a-z:] *\([0-9.]*\) %$/\1/' seen | paste -sd' ')" = "9.2 9.1 1.6 0.3 18.4 17.9 3.4 0.6" ] || {
	echo "changed: the loss that is said depends on less, or on more" >&2
	exit 1
}
