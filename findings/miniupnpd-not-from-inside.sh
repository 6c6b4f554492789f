#!/bin/sh
# miniupnpd: a mapped port is there for the internet alone; who sits in the same house cannot reach it by the outside address.
#
# Package:  miniupnpd-nftables 2.3.1-1, nftables 1.0.6-2+deb12u2 (Debian 12); seen on Linux 6.18.
# Guess:    a router that maps 45.80.0.1:8888 to a machine behind it sends back what comes for that from its own network, too (RFC 4787,
#           REQ-9, "hairpinning"), as it does for those that it has translated: one address in the invitation is enough for all friends.
# Seen:     the daemon's rule is for packets that come in by the outside interface. For a brother at the next computer, and for
#           the machine that tries whether its own port is open, nothing is there: no answer, no error. An
#           invitation needs the inside address as well, and a test of the own port somebody outside.
#           nettplay's have both.
# Output:   a stranger, to 45.80.0.1:8888:           answered from 45.80.0.1:8888
#           the other machine, to 45.80.0.1:8888:    no answer
#           the machine itself, to 45.80.0.1:8888:   no answer
#           the other machine, to 192.168.7.2:7777:  answered from 192.168.7.2:7777
#
# Needs root and iproute2, for network namespaces of its own: nothing outside of them is touched.
set -eu
. "$(dirname "$0")/miniupnpd.inc"
if [ "${1-}" != inside ]; then
	. "$(dirname "$0")/begin.inc"
	fetch $packages
	cat >udp.c <<'C'
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>

/* udp PORT: answers what comes there.
   udp PORT ADDRESS PORT: sends there, and says from where it is answered. */
int main(int argc, char **argv)
{
	int s = socket(AF_INET, SOCK_DGRAM, 0);
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[1]))};
	struct timeval patience = {argc == 2 ? 60 : 2, 0};
	socklen_t size = sizeof a;
	char byte;

	setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	if (bind(s, (void *)&a, sizeof a))
		return 2;
	if (argc == 2) {
		for (puts("waits"), fflush(stdout); recvfrom(s, &byte, 1, 0, (void *)&a, &size) > 0;)
			sendto(s, "a", 1, 0, (void *)&a, size);
		return 0;
	}
	inet_aton(argv[2], &a.sin_addr);
	a.sin_port = htons(atoi(argv[3]));
	if (sendto(s, "q", 1, 0, (void *)&a, sizeof a) != 1)
		return 2;
	if (recvfrom(s, &byte, 1, 0, (void *)&a, &size) < 1)
		return puts("no answer"), 0;
	printf("answered from %s:%d\n", inet_ntoa(a.sin_addr), ntohs(a.sin_port));
	return 0;
}
C
	gcc -O1 -Wall -o udp udp.c
	client
	unshare -n -m sh "$here/${0##*/}" inside
	exit
fi

# This namespace is the router, with two machines behind it, and a stranger outside.
mount -t tmpfs none /run
for name in first second outside; do ip netns add $name; done
lab
for net in LAN WAN; do
	ip addr flush dev $net
	ip link del $net
done
ip link add LAN type bridge
for name in first second; do
	ip link add to-$name type veth peer name eth0 netns $name
	ip link set to-$name master LAN
	ip link set to-$name up
done
ip link add WAN type veth peer name eth0 netns outside
ip addr add 192.168.7.1/24 dev LAN
ip addr add 45.80.0.1/24 dev WAN # miniupnpd asks for a public address; nothing leaves the namespaces
ip -n first addr add 192.168.7.2/24 dev eth0
ip -n second addr add 192.168.7.3/24 dev eth0
ip -n outside addr add 45.80.0.9/24 dev eth0
for link in LAN WAN; do ip link set $link up; done
for name in first second outside; do ip -n $name link set eth0 up; done
for name in first second; do ip -n $name route add default via 192.168.7.1; done
echo 1 >/proc/sys/net/ipv4/ip_forward
$nft -f - <<N
table inet filter {
	chain postrouting { oifname WAN masquerade; }
	chain input { type filter hook input priority 0; iifname WAN drop; }
}
N
echo enable_upnp=no >>daemon.conf
machine="ip netns exec first"
begin
ask pmp 1 7777 8888 3600 >mapped
children=$running
trap 'kill $children' EXIT
ip netns exec first ./udp 7777 >game &
children="$children $!"
until [ -s game ]; do sleep 0.1; done
{
	echo "a stranger, to 45.80.0.1:8888:           $(ip netns exec outside ./udp 2000 45.80.0.1 8888)"
	echo "the other machine, to 45.80.0.1:8888:    $(ip netns exec second ./udp 2000 45.80.0.1 8888)"
	echo "the machine itself, to 45.80.0.1:8888:   $(ip netns exec first ./udp 2000 45.80.0.1 8888)"
	echo "the other machine, to 192.168.7.2:7777:  $(ip netns exec second ./udp 2001 192.168.7.2 7777)"
} | tee seen
[ "$(sed 's/.*: *\(no\|answered\)/\1/' seen | paste -sd'|')" = "answered from 45.80.0.1:8888|no answer|no answer|answered from 192.168.7.2:7777" ] || {
	echo "changed: a mapped port is there for the inside, too" >&2
	exit 1
}
