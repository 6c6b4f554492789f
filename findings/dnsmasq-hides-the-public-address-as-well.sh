#!/bin/sh
# dnsmasq: of a name with an address at home and one on the internet a router that guards against rebinding gives neither, and no error.
#
# Package:  dnsmasq-base 2.90-4~deb12u2 (Debian 12; most routers' firmware has dnsmasq, OpenWrt's with this switched on).
# Guess:    --stop-dns-rebind takes private addresses out of answers from outside, and leaves the others; or it refuses, so that a program knows
#           that the name is there. A relay at home, or a friend's dynamic name, that has both addresses is reached by the public one.
# Seen:     one private address empties the answer, which says that all is well and that there is no such record: for programs the
#           name has no address. IPv4 and IPv6 are answered apart, so that a unique local address of IPv6 leaves the IPv4 one in
#           place. Elsewhere the same name works, so the relay looks broken from its owner's house alone, or from that of a friend who has
#           such a router. A name for the internet should have public addresses alone; or it is an exception (--rebind-domain-ok).
#           nettplay takes addresses of both kinds.
# Output:   name     it has                  by IPv4                                by IPv6
#           public   45.80.0.1               45.80.0.1                              no error, no address
#           home     192.168.1.2             no error, no address                   no error, no address
#           both     192.168.1.2 45.80.0.1   no error, no address                   no error, no address
#           local6   45.80.0.1 fd00::1       45.80.0.1                              no error, no address
#           excepted 192.168.1.2 45.80.0.1   192.168.1.2 45.80.0.1                  no error, no address
#
# Needs root, for a network namespace of its own: nothing outside of it is touched.
set -eu
if [ "${1-}" != inside ]; then
	. "$(dirname "$0")/begin.inc"
	fetch dnsmasq-base=2.90-4~deb12u2 libnetfilter-conntrack3 libnfnetlink0 libnftables1 libmnl0 libnftnl11 libjansson4 libxtables12 libdbus-1-3 libgmp10 \
		libhogweed6 libidn2-0 libnettle8
	cat >ask.c <<'C'
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

/* ask NAME TYPE: the addresses of name.example.net by the server here at port 5302; type 1 is of IPv4, 28 of IPv6. */
int main(int argc, char **argv)
{
	struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(5302), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct timeval patience = {3, 0};
	unsigned char b[1500] = {0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0};
	char texts[9][INET6_ADDRSTRLEN];
	int s = socket(AF_INET, SOCK_DGRAM, 0), type = argc == 3 ? atoi(argv[2]) : 0, n = 12, length = strlen(argv[1]);

	setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	b[n] = length;
	memcpy(b + n + 1, argv[1], length);
	n += 1 + length;
	memcpy(b + n, "\7example\3net\0\0", 14);
	n += 14;
	b[n++] = type, b[n++] = 0, b[n++] = 1;
	if (connect(s, (void *)&server, sizeof server) || send(s, b, n, 0) != n || recv(s, b, sizeof b, 0) < n)
		return 1;
	if (b[3] & 15)
		return printf("error %d\n", b[3] & 15), 0;
	int answers = b[6] << 8 | b[7];
	if (answers > 9)
		return 1;
	if (answers == 0)
		printf("no error, no address");
	for (int i = 0; i < answers; i++, n += 12 + (b[n + 10] << 8 | b[n + 11])) /* each names the question by two bytes */
		inet_ntop(type == 1 ? AF_INET : AF_INET6, b + n + 12, texts[i], sizeof texts[i]);
	qsort(texts, answers, sizeof *texts, (int (*)(const void *, const void *))strcmp);
	for (int i = 0; i < answers; i++)
		printf("%s%s", i ? " " : "", texts[i]);
	puts("");
	return 0;
}
C
	gcc -O1 -Wall -o ask ask.c
	unshare -n sh "$here/${0##*/}" inside
	exit
fi

ip link set lo up
dnsmasq="$(find root -name dnsmasq -type f -path '*sbin*') -k -u $(id -un) --pid-file= -C /dev/null --no-resolv --no-hosts"
children=
trap 'kill $children' EXIT
cat >hosts <<N
45.80.0.1 public.example.net both.example.net local6.example.net excepted.example.net
192.168.1.2 home.example.net both.example.net excepted.example.net
fd00::1 local6.example.net
N
$dnsmasq -p 5301 --local=/example.net/ --addn-hosts="$PWD/hosts" >provider 2>&1 &
children=$!
$dnsmasq -p 5302 --server=127.0.0.1#5301 --stop-dns-rebind --rebind-domain-ok=excepted.example.net >router 2>&1 &
children="$children $!"
for try in 1 2 3 4 5; do ./ask public 1 >answer && break; sleep 1; done
{
	echo "name     it has                  by IPv4                                by IPv6"
	while read -r name has; do
		printf '%-8s %-23s %-38s %s\n' "$name" "$has" "$(./ask "$name" 1)" "$(./ask "$name" 28)"
	done <<N
public 45.80.0.1
home 192.168.1.2
both 192.168.1.2 45.80.0.1
local6 45.80.0.1 fd00::1
excepted 192.168.1.2 45.80.0.1
N
} | tee seen
none="no error, no address"
[ "$(sed '1d; s/^.\{33\}//; s/   */ /' seen | paste -sd'|')" = "45.80.0.1 $none|$none $none|$none $none|45.80.0.1 $none|192.168.1.2 45.80.0.1 $none" ] || {
	echo "changed: answers with a private address are given otherwise" >&2
	exit 1
}
