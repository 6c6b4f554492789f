#!/bin/sh
# Linux as a router: masquerade is no symmetric NAT; a machine that got another port keeps it, but not where its own was free.
#
# Package:  nftables 1.0.6-2+deb12u2 (Debian 12); seen on Linux 6.18.
# Guess:    the first machine that sends from a port keeps it, to each destination. A second one that sends from the same
#           port gets another one where the two would collide, at random, anew for each destination, and keeps its own
#           where nothing collides: what a relay sees of it says nothing about what friends will see.
# Seen:     for the second machine Linux looks for a port that the machine has got already, and takes it for other destinations, too,
#           even where its own is free: holes can be punched. If it has first sent to where its own was free, it has two
#           ports from then on, and to those who know one of them, the other one is a stranger's. So: ask a relay first, from the
#           socket that is played on. With "random" each destination has a port of its own.
#           nettplay sends to all addresses that a machine may have, and answers to where the newest datagram came from.
# Output:   first machine,  relay then friend:  own, own
#           second machine, relay then friend:  other, the same
#           second machine, friend then relay:  own, other
#           with random,    relay then friend:  other, other
#
# Needs root and iproute2, for network namespaces of its own: nothing outside of them is touched.
set -eu
if [ "${1-}" != inside ]; then
	. "$(dirname "$0")/begin.inc"
	fetch nftables=1.0.6-2+deb12u2 libnftables1=1.0.6-2+deb12u2 libmnl0 libnftnl11 libjansson4 libedit2 libgmp10 libxtables12
	cat >udp.c <<'C'
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>

/* udp: tells whoever sends to port 1000 from which port that came, 30 s long.
   udp PORT ADDRESS...: sends from PORT to each of them, and says from which port they have seen that come. */
int main(int argc, char **argv)
{
	int s = socket(AF_INET, SOCK_DGRAM, 0);
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(argc > 2 ? atoi(argv[1]) : 1000)};
	struct timeval patience = {argc > 2 ? 5 : 30, 0};
	socklen_t size = sizeof a;
	char byte = 0;

	setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	if (bind(s, (void *)&a, sizeof a))
		return 2;
	if (argc <= 2)
		for (puts("waits"), fflush(stdout); recvfrom(s, &byte, 1, 0, (void *)&a, &size) == 1;)
			sendto(s, &a.sin_port, 2, 0, (void *)&a, size);
	for (int i = 2; i < argc; i++) {
		in_port_t seen;
		a.sin_port = htons(1000);
		inet_aton(argv[i], &a.sin_addr);
		if (sendto(s, &byte, 1, 0, (void *)&a, sizeof a) != 1 || recv(s, &seen, 2, 0) != 2)
			return 1;
		printf("%d ", ntohs(seen));
	}
	return 0;
}
C
	gcc -O1 -Wall -o udp udp.c
	unshare -n -m sh "$here/${0##*/}" inside
	exit
fi

# This namespace is the router, with two machines inside, and a relay and a friend outside.
mount -t tmpfs none /run
for net in LAN WAN; do
	ip link add $net type bridge
	ip link set $net up
done
ip addr add 192.168.7.1/24 dev LAN
ip addr add 203.0.113.1/24 dev WAN
# machine NAME NETWORK ADDRESS
machine() {
	ip netns add "$1"
	ip link add "to-$1" type veth peer name eth0 netns "$1"
	ip link set "to-$1" master "$2" up
	ip -n "$1" addr add "$3/24" dev eth0
	ip -n "$1" link set eth0 up
}
machine first LAN 192.168.7.2
machine second LAN 192.168.7.3
machine relay WAN 203.0.113.8
machine friend WAN 203.0.113.9
for name in first second; do ip -n $name route add default via 192.168.7.1; done
echo 1 >/proc/sys/net/ipv4/ip_forward
nft=$(find root -name nft -type f) relay=203.0.113.8 friend=203.0.113.9
masquerade() {
	$nft flush ruleset
	$nft -f - <<N
table ip router {
	chain out { type nat hook postrouting priority 100; oifname WAN masquerade $1; }
	chain in { type filter hook input priority 0; iifname WAN drop; }
}
N
}
children=
trap 'kill $children' EXIT
for name in relay friend; do
	ip netns exec $name ./udp >$name.said &
	children="$children $!"
	until [ -s $name.said ]; do sleep 0.1; done
done
# seen MACHINE PORT ADDRESS ADDRESS: what the two see of the port.
seen() {
	from=$1 port=$2
	shift 2
	ip netns exec "$from" ./udp "$port" "$@" >ports
	awk -v own="$port" '{ print $1 == own ? "own," : "other,", $2 == own ? "own" : $2 == $1 ? "the same" : "other" }' ports
}
masquerade ""
{
	echo "first machine,  relay then friend:  $(seen first 7001 $relay $friend)"
	echo "second machine, relay then friend:  $(seen second 7001 $relay $friend)"
	ip netns exec first ./udp 7002 $relay >/dev/null
	echo "second machine, friend then relay:  $(seen second 7002 $friend $relay)"
	masquerade random
	echo "with random,    relay then friend:  $(seen second 7003 $relay $friend)"
} | tee all
[ "$(sed 's/.*friend: *//; s/.*relay: *//' all | paste -sd'|')" = "own, own|other, the same|own, other|other, other" ] || {
	echo "changed: a second machine's ports depend on something else" >&2
	exit 1
}
