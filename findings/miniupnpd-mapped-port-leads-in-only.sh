#!/bin/sh
# miniupnpd: a mapped port leads in only; what the machine itself sends leaves by another port, which a relay then reports.
#
# Package:  miniupnpd-nftables 2.3.1-1, nftables 1.0.6-2+deb12u2 (Debian 12); seen on Linux 6.18.
# Guess:    a mapping is a pair of ports. With UDP 7777 mapped as 8888 the router gives port 8888 to what comes from 7777, too, as RFC
#           6887 has it of mappings (endpoint-independent), and whoever is asked outside says 8888.
# Seen:     only what is an answer to a packet that came to 8888 leaves by 8888. All else from 7777 is masqueraded as if there were no mapping,
#           and leaves by 7777, at which the router takes in nothing from others. Who asks a relay or STUN hears of that port,
#           and has to give friends the one of the mapping as well; and a friend may hear from the machine by either of them.
#           nettplay answers to where the newest datagram came from.
# Output:   sent from 7777 to a relay: it comes from 7777
#           a stranger sends to 8888: it is answered from 8888
#           a stranger sends to 7777: no answer
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
#include <string.h>

/* udp FROM: answers what comes there by the port that it came from.
   udp FROM ADDRESS PORT: sends there, and tells of the answer: from which port it came, and what is in it. */
int main(int argc, char **argv)
{
	int s = socket(AF_INET, SOCK_DGRAM, 0);
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[1]))};
	struct timeval patience = {argc == 2 ? 60 : 2, 0};
	socklen_t size = sizeof a;
	unsigned char bytes[64] = {0};

	setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	if (bind(s, (void *)&a, sizeof a))
		return 2;
	if (argc == 2) {
		for (puts("waits"), fflush(stdout); recvfrom(s, bytes, sizeof bytes, 0, (void *)&a, &size) > 0;)
			sendto(s, &a.sin_port, 2, 0, (void *)&a, size);
		return 0;
	}
	inet_aton(argv[2], &a.sin_addr);
	a.sin_port = htons(atoi(argv[3]));
	if (sendto(s, bytes, 12, 0, (void *)&a, sizeof a) != 12)
		return 2;
	if (recvfrom(s, bytes, sizeof bytes, 0, (void *)&a, &size) < 2)
		return puts("none"), 0;
	printf("%d %d\n", ntohs(a.sin_port), bytes[0] << 8 | bytes[1]);
	return 0;
}
C
	gcc -O1 -Wall -o udp udp.c
	client
	unshare -n -m sh "$here/${0##*/}" inside
	exit
fi

# This namespace is the router. The machine has one, and so do a relay and a stranger, by their two addresses.
mount -t tmpfs none /run
for name in machine outside; do ip netns add $name; done
lab
for net in LAN WAN; do
	ip addr flush dev $net
	ip link del $net
done
ip link add LAN type veth peer name eth0 netns machine
ip link add WAN type veth peer name eth0 netns outside
ip addr add 192.168.7.1/24 dev LAN
ip addr add 45.80.0.1/24 dev WAN # miniupnpd asks for a public address; nothing leaves the namespaces
ip -n machine addr add 192.168.7.2/24 dev eth0
ip -n outside addr add 45.80.0.9/24 dev eth0
for link in LAN WAN; do ip link set $link up; done
for name in machine outside; do ip -n $name link set eth0 up; done
ip -n machine route add default via 192.168.7.1
echo 1 >/proc/sys/net/ipv4/ip_forward
$nft -f - <<N
table inet filter {
	chain postrouting { oifname WAN masquerade; }
	chain input { type filter hook input priority 0; iifname WAN drop; }
}
N
echo enable_upnp=no >>daemon.conf
machine="ip netns exec machine"
begin
ask pmp 1 7777 8888 3600 >mapped
children=$running
trap 'kill $children' EXIT
ip netns exec outside ./udp 1000 >relay &
children="$children $!"
until [ -s relay ]; do sleep 0.1; done
{
	echo "sent from 7777 to a relay: it comes from $(ip netns exec machine ./udp 7777 45.80.0.9 1000 | cut -d' ' -f2)"
	ip netns exec machine ./udp 7777 >game &
	children="$children $!"
	until [ -s game ]; do sleep 0.1; done
	echo "a stranger sends to 8888: it is answered from $(ip netns exec outside ./udp 2000 45.80.0.1 8888 | cut -d' ' -f1)"
	echo "a stranger sends to 7777: $(ip netns exec outside ./udp 2001 45.80.0.1 7777 | sed 's/none/no answer/')"
} | tee seen
[ "$(sed 's/.*: //' seen | paste -sd'|')" = "it comes from 7777|it is answered from 8888|no answer" ] || {
	echo "changed: a mapping is for what goes out, too" >&2
	exit 1
}
