#!/bin/sh
# miniupnpd: "delete all my UDP mappings" by NAT-PMP deletes those of TCP, too.
#
# Package:  miniupnpd-nftables 2.3.1-1 (Debian 12).
# Guess:    RFC 6886, 3.4: a request with private port 0 and lifetime 0 deletes all of the client's mappings
#           of the protocol that its opcode names.
# Seen:     the answer is that of the opcode for UDP, with result 0, and both are gone. A program that
#           tidies up after itself with one such request takes the mappings of its neighbours on the same
#           machine; ours deletes each mapping by its port.
# Output:   before: UDP 5000, TCP 6000
#           answer: opcode 129, result 0
#           after:  none
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

/* ask OPCODE PORT LIFETIME: a NAT-PMP request for a mapping (opcode 1: UDP, 2: TCP). */
int main(int argc, char **argv)
{
	int s = socket(AF_INET, SOCK_DGRAM, 0);
	struct sockaddr_in client = {.sin_family = AF_INET}, router = {.sin_family = AF_INET, .sin_port = htons(5351)};
	struct timeval patience = {3, 0};
	unsigned char question[12] = {0}, answer[64];
	if (argc != 4)
		return 2;
	unsigned short port = htons(atoi(argv[2]));
	unsigned lifetime = htonl(atoi(argv[3]));
	question[1] = atoi(argv[1]);
	memcpy(question + 4, &port, 2);
	memcpy(question + 6, &port, 2);
	memcpy(question + 8, &lifetime, 4);
	inet_aton("192.168.7.2", &client.sin_addr);
	inet_aton("192.168.7.1", &router.sin_addr);
	setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	if (bind(s, (void *)&client, sizeof client) || sendto(s, question, 12, 0, (void *)&router, sizeof router) != 12)
		return 2;
	if (recv(s, answer, sizeof answer, 0) < 16)
		return 1;
	printf("opcode %d, result %d\n", answer[1], answer[2] << 8 | answer[3]);
	return 0;
}
C
	gcc -O1 -Wall -o ask ask.c
	unshare -n sh "$here/${0##*/}" inside
	exit
fi

lab
ip addr add 45.80.0.1/24 dev WAN # miniupnpd asks for a public address; nothing leaves the namespace
cat >>daemon.conf <<N
enable_upnp=no
lease_file=$PWD/leases
N
touch leases
$daemon -d -f daemon.conf -P daemon.pid >daemon.log 2>&1 &
trap 'kill $!' EXIT
mapped() { awk -F: '{ printf "%s%s %s", sep, $1, $2; sep = ", " } END { print NR ? "" : "none" }' leases; }
for try in 1 2 3 4 5; do ./ask 1 5000 3600 >first && break; sleep 1; done
./ask 2 6000 3600 >second
{
	echo "before: $(mapped)"
	echo "answer: $(./ask 1 0 0)"
	echo "after:  $(mapped)"
} | tee seen
rules=$($nft list chain inet filter prerouting_miniupnpd | grep -c dnat || true)
[ "$rules" = 0 ] && [ "$(tr '\n' ' ' <seen)" = "before: UDP 5000, TCP 6000 answer: opcode 129, result 0 after:  none " ] || {
	echo "changed: only the mappings of UDP are deleted ($rules rules left)" >&2
	exit 1
}
