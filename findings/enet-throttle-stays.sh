#!/bin/sh
# When a line's delay doubles and then stays, ENet's packet throttle never recovers; when it grows
# fivefold, it does.
#
# Package:  libenet7, libenet-dev 1.3.17+ds-2 (Debian 12).
# Guess:    after the delay of a line grows once and then stays, the throttle drops unreliable packets
#           for an interval or two (5 s each, ENET_PEER_PACKET_THROTTLE_INTERVAL), takes the new round trip
#           for the usual one, and lets everything through again. The larger the step, the longer it takes.
# Seen:     a line without loss or jitter goes from 20 to 40 ms each way and stays there. From then on the
#           sender itself throws unsequenced packets away, up to two of three, for good (10 minutes here),
#           at whatever moment of the interval the step comes. The mean round trip moves by an eighth
#           of the difference in whole milliseconds, so that it comes to rest 7 ms short of the true one; all
#           later round trips are longer than the "usual" one, and none lifts the throttle. Some
#           milliseconds of jitter do, if not wholly. A step from 20 to 100 ms sets the throttle free within seconds,
#           since the variance is then larger than the last round trip, which ENet takes for a good line.
# Output:   20 to  40 ms each way: throttled for good at 100 of 100 moments, down to 10 of 32
#           20 to 100 ms each way: throttled for good at 0 of 100 moments, down to 32 of 32
#           after 10 minutes at 40 ms each way: 60 sent a second, 46 arrive
#           after 30 s at 40 to 50 ms each way: 60 sent a second, 57 arrive
#
# ENet's clock and sockets are replaced by a line in virtual time: the same result in each run, in seconds.
. "$(dirname "$0")/begin.inc"
fetch libenet7=1.3.17+ds-2 libenet-dev=1.3.17+ds-2
lib=$(dirname "$(find root -name 'libenet.so.7' | head -n 1)")

cat >line.c <<'C'
#include "enet-line.h"

static ENetPeer *peer;

/* run plays ms milliseconds with 60 packets a second; it returns how many arrived. */
static int run(int ms)
{
	int arrived = 0;
	for (int t = 0; t < ms; t++, now++) {
		ENetEvent e;
		for (int i = 0; i < 2; i++)
			while (enet_host_service(hosts[i], &e, 0) > 0)
				if (e.type == ENET_EVENT_TYPE_RECEIVE) {
					arrived++;
					enet_packet_destroy(e.packet);
				}
		if (peer->state == ENET_PEER_STATE_CONNECTED && t * 60 / 1000 != (t + 1) * 60 / 1000)
			enet_peer_send(peer, 0, enet_packet_create("twelve bytes", 12, ENET_PACKET_FLAG_UNSEQUENCED));
	}
	return arrived;
}

/* step connects, plays 20 s at 20 ms each way, and a minute at the delay after it. */
static void step(enet_uint32 after, int moment)
{
	delay = 20;
	peer = meet();
	run(20000 + moment);
	delay = after;
	run(60000);
}

static void sweep(enet_uint32 after)
{
	unsigned lowest = ENET_PEER_PACKET_THROTTLE_SCALE;
	int throttled = 0;
	for (int moment = 0; moment < 5000; moment += 50) {
		step(after, moment);
		throttled += peer->packetThrottle < ENET_PEER_PACKET_THROTTLE_SCALE;
		lowest = peer->packetThrottle < lowest ? peer->packetThrottle : lowest;
	}
	printf("20 to %3u ms each way: throttled for good at %d of 100 moments, down to %u of %d\n", after, throttled, lowest, ENET_PEER_PACKET_THROTTLE_SCALE);
}

int main(void)
{
	sweep(40);
	sweep(100);
	step(40, 0);
	run(600000);
	printf("after 10 minutes at 40 ms each way: 60 sent a second, %d arrive\n", run(10000) / 10);
	jitter = 10;
	run(30000);
	printf("after 30 s at 40 to 50 ms each way: 60 sent a second, %d arrive\n", run(10000) / 10);
	return 0;
}
C
gcc -O2 -Wall -Iroot/usr/include -I"$here" -o line line.c "$lib/libenet.so.7"
./line | tee seen
[ "$(sed 's/[^0-9]\{1,\}/ /g' seen | awk '
	NR == 1 { ok += $3 == 100 && $5 < 32 }
	NR == 2 { ok += $3 == 0 && $5 == 32 }
	NR == 3 { ok += $4 < 50 }
	NR == 4 { ok += $5 >= 55 }
	END { print ok }')" = 4 ] || {
	echo "changed: the throttle recovers on a steady line" >&2
	exit 1
}
