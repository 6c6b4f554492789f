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
if [ "${1-}" != inside ]; then
	dir=$(mktemp -d)
	trap 'rm -rf "$dir"' EXIT
	cd "$dir"
	for package in miniupnpd-nftables=2.3.1-1 nftables libnftables1 libmnl0 libnftnl11 libjansson4 libedit2 libgmp10 libxtables12; do
		apt-get download -q "$package" >/dev/null 2>&1
	done
	for package in ./*.deb; do dpkg -x "$package" root; done
	LD_LIBRARY_PATH=$(find "$dir/root" -name '*.so.*' -exec dirname {} + | sort -u | paste -sd:)
	export LD_LIBRARY_PATH
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
	cp "$OLDPWD/$0" script.sh 2>/dev/null || cp "$0" script.sh
	unshare -n sh script.sh inside
	exit
fi

ip link set lo up
for net in LAN WAN; do
	ip link add $net type veth peer name $net-peer
	ip link set $net up
	ip link set $net-peer up
done
ip addr add 192.168.7.1/24 dev LAN
ip addr add 192.168.7.2/24 dev LAN
ip addr add 45.80.0.1/24 dev WAN # miniupnpd asks for a public address; nothing leaves the namespace
ip route add default dev WAN
nft=$(find root -name nft -type f) daemon=$(find root -name miniupnpd -path '*sbin*' -type f)
$nft -f - <<'N'
table inet filter {
	chain forward { type filter hook forward priority 0; jump miniupnpd; }
	chain miniupnpd { }
	chain prerouting { type nat hook prerouting priority -100; jump prerouting_miniupnpd; }
	chain prerouting_miniupnpd { }
	chain postrouting { type nat hook postrouting priority 100; jump postrouting_miniupnpd; }
	chain postrouting_miniupnpd { }
}
N
cat >daemon.conf <<N
ext_ifname=WAN
listening_ip=LAN
enable_natpmp=yes
enable_upnp=no
secure_mode=yes
lease_file=$PWD/leases
allow 1024-65535 192.168.7.0/24 1024-65535
deny 0-65535 0.0.0.0/0 0-65535
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
