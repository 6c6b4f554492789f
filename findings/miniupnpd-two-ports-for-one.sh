#!/bin/sh
# miniupnpd: asked again for another outside port, it forwards both, and what was renewed is only the new one.
#
# Package:  miniupnpd-nftables 2.3.1-1 (Debian 12).
# Guess:    an inside port has one outside port. RFC 6886, 3.3: where there is a mapping for the inside port already, the router
#           answers with its outside port, whatever is suggested; RFC 6887 has the same of PCP.
# Seen:     each new suggestion that is free is granted, by both protocols, beside what there is. So a program that always suggests its own
#           port moves, at some renewal, from the port that it got while another machine had that one: the answer is the
#           new port, and the one that friends were told of dies with its lease. It has to suggest what it has. (Deleting by
#           the inside port takes all of them.)
#           nettplay suggests the port that it has.
# Output:   NAT-PMP 7777 as 8888: 8888; as 7777: 7777; forwarded: 8888 7777; renewed as 8888: 8888; after deleting: none
#           PCP     7777 as 8888: 8888; as 7777: 7777; forwarded: 8888 7777; renewed as 8888: 8888; after deleting: 7777
#
# Needs root, for a network namespace of its own: nothing outside of it is touched.
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

static unsigned char question[60], answer[1100];

static void put(int at, size_t size, unsigned n)
{
	while (size-- > 0)
		question[at + size] = n, n >>= 8;
}

/* ask pmp|pcp OUTSIDE LIFETIME: the port that leads to UDP port 7777 by the answer. */
int main(int argc, char **argv)
{
	int s = socket(AF_INET, SOCK_DGRAM, 0), pcp = argc == 4 && !strcmp(argv[1], "pcp");
	struct sockaddr_in client = {.sin_family = AF_INET}, router = {.sin_family = AF_INET, .sin_port = htons(5351)};
	struct timeval patience = {3, 0};
	if (argc != 4)
		return 2;
	inet_aton("192.168.7.2", &client.sin_addr);
	inet_aton("192.168.7.1", &router.sin_addr);
	question[1] = 1; /* map; of NAT-PMP, a port of UDP */
	put(pcp ? 40 : 4, 2, 7777);
	put(pcp ? 42 : 6, 2, atoi(argv[2]));
	put(pcp ? 4 : 8, 4, atoi(argv[3]));
	if (pcp) {
		question[0] = 2;
		put(18, 2, 0xffff), memcpy(question + 20, &client.sin_addr, 4);
		memcpy(question + 24, "always alike", 12);
		question[36] = 17;
		put(54, 2, 0xffff);
	}
	setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	if (bind(s, (void *)&client, sizeof client) || sendto(s, question, pcp ? 60 : 12, 0, (void *)&router, sizeof router) < 0)
		return 2;
	if (recv(s, answer, sizeof answer, 0) < (pcp ? 60 : 16) || answer[3] != 0)
		return 1;
	printf("%d\n", answer[pcp ? 42 : 10] << 8 | answer[pcp ? 43 : 11]);
	return 0;
}
C
	gcc -O1 -Wall -o ask ask.c
	unshare -n sh "$here/${0##*/}" inside
	exit
fi

lab
ip addr add 45.80.0.1/24 dev WAN # miniupnpd asks for a public address; nothing leaves the namespace
echo enable_upnp=no >>daemon.conf
$daemon -d -f daemon.conf -P daemon.pid >daemon.log 2>&1 &
trap 'kill $!' EXIT
forwarded() { $nft list chain inet filter prerouting_miniupnpd | sed -n 's/.*dport \([0-9]*\) dnat.*:7777$/\1/p' | paste -sd' ' | grep . || echo none; }
for try in 1 2 3 4 5; do ./ask pmp 8888 3600 >first && break; sleep 1; done
for by in pmp pcp; do
	[ $by = pmp ] && printf 'NAT-PMP ' || printf 'PCP     '
	printf '7777 as 8888: %s; ' "$(./ask $by 8888 3600)"
	printf 'as 7777: %s; ' "$(./ask $by 7777 3600)"
	printf 'forwarded: %s; ' "$(forwarded)"
	printf 'renewed as 8888: %s; ' "$(./ask $by 8888 3600)"
	./ask $by 0 0 >/dev/null
	printf 'after deleting: %s\n' "$(forwarded)"
done | tee seen
same="7777 as 8888: 8888; as 7777: 7777; forwarded: 8888 7777; renewed as 8888: 8888; after deleting:"
printf '%s\n' "NAT-PMP $same none" "PCP     $same 7777" | cmp -s - seen || {
	echo "changed: one inside port has one outside port" >&2
	exit 1
}
