#!/bin/sh
# ENet: two friends who connect to each other at the same time have two connections; with one place each they have none, for half a minute.
#
# Package:  libenet7, libenet-dev 1.3.17+ds-2 (Debian 12).
# Guess:    where both call enet_host_connect, as they do to open their routers for each other, the second request meets a peer that is being connected
#           to that very address, and one connection comes of it, as with TCP; if not, then the one that came first. A host for one friend needs
#           a place for one.
# Seen:     a request that comes in looks for a free place, and an attempt of one's own takes one. With one place each neither answers the other,
#           unless the first request is here before the second one is sent, and both fail after 31 s. With more places each is
#           connected to the other twice: two events on each side, two peers with one address, and what is sent by one comes out at the other's
#           second peer. Let one of the two connect, by a rule that both know, and the other one open its router by datagrams of its
#           own.
#           nettplay has one side connect, inside a session that both have agreed on.
# Output:   20 ms each way:        connected             the last event after
#           1 place,  at once:     no                    -
#           1 place,  10 ms apart: no                    -
#           1 place,  30 ms apart: once                  60 ms
#           2 places, at once:     twice                 60 ms
#           2 places, 30 ms apart: twice                 90 ms
#
# ENet's clock and sockets are replaced by a line in virtual time: the same result in each run, at once.
. "$(dirname "$0")/begin.inc"
fetch libenet7=1.3.17+ds-2 libenet-dev=1.3.17+ds-2
lib=$(dirname "$(find root -name 'libenet.so.7' | head -n 1)")

cat >both.c <<'C'
#include "enet-line.h"

/* both has two hosts connect to each other, the second one later, and plays two minutes. */
static void both(size_t places, enet_uint32 apart)
{
	enet_uint32 begin = now, last = 0;
	size_t events = 0, least;
	char when[20] = "at once", after[20] = "-";
	open_hosts(places);
	enet_host_connect(hosts[0], &addresses[1], 1, 0);
	for (; now < begin + 120000; now++) {
		ENetEvent e;
		if (now == begin + apart)
			enet_host_connect(hosts[1], &addresses[0], 1, 0);
		for (int i = 0; i < 2; i++)
			while (enet_host_service(hosts[i], &e, 0) > 0)
				if (e.type == ENET_EVENT_TYPE_CONNECT && ++events)
					last = now - begin;
	}
	least = hosts[0]->connectedPeers < hosts[1]->connectedPeers ? hosts[0]->connectedPeers : hosts[1]->connectedPeers;
	if (apart)
		snprintf(when, sizeof when, "%u ms apart", apart);
	if (events)
		snprintf(after, sizeof after, "%u ms", last);
	printf("%zu place%s %-12s %-21s %s\n", places, places == 1 ? ", " : "s,", strcat(when, ":"), least == 2 && events == 4 ? "twice" : least == 1 && events == 2 ? "once" : least == 0 && events == 0 ? "no" : "otherwise", after);
}

int main(void)
{
	delay = 20;
	puts("20 ms each way:        connected             the last event after");
	both(1, 0);
	both(1, 10);
	both(1, 30);
	both(2, 0);
	both(2, 30);
	return 0;
}
C
gcc -O2 -Wall -Iroot/usr/include -I"$here" -o both both.c "$lib/libenet.so.7"
./both | tee seen
[ "$(awk -F: 'NR > 1 { split($2, a, " "); printf "%s ", a[1] }' seen)" = "no no once twice twice " ] || {
	echo "changed: requests that cross are one connection, or another number" >&2
	exit 1
}
