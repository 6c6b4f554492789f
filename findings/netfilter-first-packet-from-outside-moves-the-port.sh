#!/bin/sh
# Linux as a router: whose packet comes first decides which port a machine behind it gets.
#
# Package:  nftables 1.0.6-2+deb12u2 (Debian 12); seen on Linux 6.18.
# Guess:    masquerade keeps a machine's source port while no other machine of the network uses it. A packet that
#           came from outside before, for a port that nothing listens on, changes nothing.
# Seen:     where the router filters what is meant for itself, by drop or reject, that is so. Without such a filter
#           the early packet stays as a connection with the router itself (although the kernel answers
#           that nothing listens), the machine's own packet to the same place would collide with it, and is sent from
#           a random port. Two friends who punch holes at the same moment can miss each other for as long as
#           they go on: the later one's port is not the one that a third party told about.
# Output:   no filter: inside first 40001 -> 40001, outside first 40002 -> another
#           drop:      inside first 40003 -> 40003, outside first 40004 -> 40004
#           reject:    inside first 40005 -> 40005, outside first 40006 -> 40006
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

/* udp PORT ADDRESS: sends from PORT to the same port of ADDRESS.
   udp PORT: says from which port something comes to PORT within 5 s. */
int main(int argc, char **argv)
{
	int s = socket(AF_INET, SOCK_DGRAM, 0);
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[1]))};
	struct timeval patience = {5, 0};
	socklen_t size = sizeof a;
	char byte = 0;

	setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	if (bind(s, (void *)&a, sizeof a))
		return 2;
	if (argc == 3) {
		inet_aton(argv[2], &a.sin_addr);
		return sendto(s, &byte, 1, 0, (void *)&a, sizeof a) != 1;
	}
	puts("waits"), fflush(stdout);
	if (recvfrom(s, &byte, 1, 0, (void *)&a, &size) != 1)
		return 1;
	printf("%d\n", ntohs(a.sin_port));
	return 0;
}
C
	gcc -O1 -Wall -o udp udp.c
	unshare -n -m sh "$here/${0##*/}" inside
	exit
fi

# This namespace is the router; each friend has one.
. "$(dirname "$0")/netfilter.inc"

# seen PORT: the port from which the friend's packet comes to the stranger.
seen() {
	ip netns exec stranger ./udp "$1" >said &
	until [ -s said ]; do sleep 0.1; done
	ip netns exec friend ./udp "$1" 203.0.113.9
	wait $!
	got=$(tail -n 1 said)
	rm said
	[ "$got" = "$1" ] && echo "$1" || echo another
}
# router NAME PORT RULE: plays both orders, with PORT and the one behind it.
router() {
	$nft flush ruleset
	$nft -f - <<N
table ip router {
	chain out { type nat hook postrouting priority 100; oifname WAN masquerade; }
	$3
}
N
	inside=$(seen "$2")
	ip netns exec stranger ./udp $(($2 + 1)) 203.0.113.1
	printf '%-10s inside first %d -> %s, outside first %d -> %s\n' "$1:" "$2" "$inside" $(($2 + 1)) "$(seen $(($2 + 1)))"
}
{
	router "no filter" 40001 ""
	router "drop" 40003 "chain in { type filter hook input priority 0; iifname WAN drop; }"
	router "reject" 40005 "chain in { type filter hook input priority 0; iifname WAN reject; }"
} | tee all
[ "$(sed 's/.*inside first //; s/ outside first//; s/ -> /=/g; s/, / /' all | paste -sd' ')" = "40001=40001 40002=another 40003=40003 40004=40004 40005=40005 40006=40006" ] || {
	echo "changed: the order of packets no longer decides the port" >&2
	exit 1
}
