#!/bin/sh
# miniupnpd: an IPv6 pinhole that was renewed can be closed by nobody, and its port is what the last question said.
#
# Package:  miniupnpd-nftables 2.3.1-1 (Debian 12).
# Guess:    PCP (RFC 6887) opens the router's firewall for a port of the machine that asks. Whoever opened a pinhole renews it and closes
#           it (a lifetime of 0) by the same nonce. Where nothing is translated the outside port is the inside one, whatever is suggested.
# Seen:     closing works only before the first renewal: that one forgets the nonce, and from then on the answer to its owner is
#           "not authorized", and the port stays open until the lease ends. To ask for a lifetime of a second is no closing, and is granted
#           as the router's shortest one. Asked for inside port 7777 as 8888 it answers 7777, and at the renewal 8888: nothing is there.
#           nettplay suggests its own port, and lets a pinhole that it cannot close end so.
# Output:   closed at once:     0, open: none
#           renewed, closed:    2, open: 7777
#           asked for 1 s:      0, open: none 6 s later
#           new as 8888:        answered 7777, open: 7777
#           renewed as 8888:    answered 8888, open: 7777
#
# Needs root and iproute2, for network namespaces of its own: nothing outside of them is touched. Takes 30 s.
set -eu
. "$(dirname "$0")/miniupnpd.inc"
if [ "${1-}" != inside ]; then
	. "$(dirname "$0")/begin.inc"
	fetch $packages
	cat >ask.c <<'C'
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

static unsigned char question[60], answer[1100];

/* ask LIFETIME OUTSIDE: asks for UDP port 7777 of this machine, by PCP, and says the result and the outside port of the answer. */
int main(int argc, char **argv)
{
	int s = socket(AF_INET6, SOCK_DGRAM, 0);
	struct sockaddr_in6 client = {.sin6_family = AF_INET6}, router = {.sin6_family = AF_INET6, .sin6_port = htons(5351)};
	struct timeval patience = {3, 0};
	if (argc != 3)
		return 2;
	inet_pton(AF_INET6, "2001:db8:7::2", &client.sin6_addr);
	inet_pton(AF_INET6, "2001:db8:7::1", &router.sin6_addr);
	question[0] = 2, question[1] = 1; /* PCP, map */
	question[6] = atoi(argv[1]) >> 8, question[7] = atoi(argv[1]);
	memcpy(question + 8, &client.sin6_addr, 16);
	memcpy(question + 24, "always alike", 12);
	question[36] = 17; /* UDP */
	question[40] = 7777 >> 8, question[41] = 7777 & 255;
	question[42] = atoi(argv[2]) >> 8, question[43] = atoi(argv[2]);
	memcpy(question + 44, &client.sin6_addr, 16);
	setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	if (bind(s, (void *)&client, sizeof client) || sendto(s, question, 60, 0, (void *)&router, sizeof router) < 0)
		return 2;
	if (recv(s, answer, sizeof answer, 0) < 60)
		return 1;
	printf("%d %d\n", answer[3], answer[42] << 8 | answer[43]);
	return 0;
}
C
	gcc -O1 -Wall -o ask ask.c
	unshare -n -m sh "$here/${0##*/}" inside
	exit
fi

# The machine of the lab is in a namespace of its own here: of its own addresses the router takes no questions by IPv6.
lab
mount -t tmpfs none /run
ip netns add machine
ip link set LAN-peer netns machine
ip -n machine link set LAN-peer up
ip addr add 45.80.0.1/24 dev WAN # miniupnpd asks for public addresses; nothing leaves the namespaces
ip addr add 2001:db8:8::1/64 dev WAN nodad
ip addr add 2001:db8:7::1/64 dev LAN nodad
ip -n machine addr add 2001:db8:7::2/64 dev LAN-peer nodad
ip -6 route add default dev WAN
printf 'enable_upnp=no\nmin_lifetime=3\n' >>daemon.conf
$daemon -d -f daemon.conf -P daemon.pid >daemon.log 2>&1 &
trap 'kill $!' EXIT
ask() { ip netns exec machine ./ask "$@"; }
result() { ask "$@" | cut -d' ' -f1; }
opened() { $nft list chain inet filter miniupnpd | sed -n 's/.*dport \([0-9]*\) .*/\1/p' | paste -sd' ' | grep . || echo none; }
for try in 1 2 3 4 5; do ask 3600 7777 >first && break; sleep 1; done
{
	echo "closed at once:     $(result 0 7777), open: $(opened)"
	ask 3600 7777 >first
	ask 3600 7777 >renewed
	echo "renewed, closed:    $(result 0 7777), open: $(opened)"
	printf 'asked for 1 s:      %s, open: ' "$(result 1 7777)"
	sleep 6
	echo "$(opened) 6 s later"
	echo "new as 8888:        answered $(ask 3600 8888 | cut -d' ' -f2), open: $(opened)"
	echo "renewed as 8888:    answered $(ask 3600 8888 | cut -d' ' -f2), open: $(opened)"
} | tee all
[ "$(sed 's/^[^:]*: *//' all | paste -sd'|')" = "0, open: none|2, open: 7777|0, open: none 6 s later|answered 7777, open: 7777|answered 8888, open: 7777" ] || {
	echo "changed: a renewed pinhole can be closed, or a pinhole's port is answered as it is" >&2
	exit 1
}
