#!/bin/sh
# Linux: a UDP socket changes its IPv6 address in mid-flow, each day; a connected one never does, even when the address is gone.
#
# Package:  iproute2 6.1.0-3 (Debian 12); seen on Linux 6.18, with temporary addresses (RFC 8981) as desktops have them, use_tempaddr=2.
# Guess:    temporary addresses overlap so that nothing breaks: what runs goes on by the old one while that is preferred, new
#           sockets take the new one. A connected socket keeps its address until the end of that, and then send fails, as over IPv4.
# Seen:     a socket bound to [::] that sends 20 packets a second leaves by the new address from the moment on at which that is
#           there, with the old one still preferred. A connected one goes on by its address when the machine has it no more: each
#           send succeeds, the packets arrive at the other side, which cannot answer. Over IPv4 send fails (Invalid argument).
#           A firewall on the way, or a peer that knows us by address, takes the first for a stranger and hears the second; who
#           wants neither asks for a lasting address (IPV6_ADDR_PREFERENCES, IPV6_PREFER_SRC_PUBLIC), as nettplay does.
# Output:   IPv6, unbound:            another address, the old one is preferred
#           IPv6, lasting preferred:  the same address
#           IPv6, connected:          its address has ended: sent 20, failed 0, answered 0, arriving: yes
#           IPv4, connected:          its address is taken away: sent 0, failed 20, answered 0, arriving: 0
#
# Needs root, for network namespaces of its own: nothing outside of them is touched. Takes 50 s.
set -eu
if [ "${1-}" != inside ]; then
	. "$(dirname "$0")/begin.inc"
	fetch iproute2=6.1.0-3 libbpf1 libelf1 libbsd0 libmnl0 libcap2
	cat >udp.c <<'C'
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <arpa/inet.h>
#include <unistd.h>

#ifndef IPV6_ADDR_PREFERENCES
#define IPV6_ADDR_PREFERENCES 72
#endif

/* udp: answers whoever sends to port 1000 with the address that it came from, and notes in the file "heard" what came.
   udp any|lasting|connected|connected4 ADDRESS: sends the last letter of that there, 20 times a second; says of each second how many
   were sent, failed and answered, and what the last answer was. */
int main(int argc, char **argv)
{
	char text[64], name[64] = "";
	struct sockaddr_in6 at = {.sin6_family = AF_INET6, .sin6_port = htons(1000)};
	socklen_t size = sizeof at;
	ssize_t n;

	if (argc == 1) {
		int s = socket(AF_INET6, SOCK_DGRAM, 0);
		if (bind(s, (void *)&at, sizeof at))
			return 2;
		for (puts("waits"), fflush(stdout); recvfrom(s, text, 1, 0, (void *)&at, &size) == 1; size = sizeof at) {
			FILE *f = fopen("heard", "a");
			fputc(text[0], f);
			fclose(f);
			inet_ntop(AF_INET6, &at.sin6_addr, text, sizeof text);
			sendto(s, text, strlen(text), 0, (void *)&at, sizeof at);
		}
		return 1;
	}
	struct addrinfo want = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_DGRAM}, *to;
	if (getaddrinfo(argv[2], "1000", &want, &to))
		return 2;
	int s = socket(to->ai_family, SOCK_DGRAM, 0), public = 2 /* IPV6_PREFER_SRC_PUBLIC */;
	if (argv[1][0] == 'l' && setsockopt(s, IPPROTO_IPV6, IPV6_ADDR_PREFERENCES, &public, sizeof public))
		return 2;
	if (argv[1][0] == 'c' && connect(s, to->ai_addr, to->ai_addrlen))
		return 2;
	for (const char *letter = argv[1] + strlen(argv[1]) - 1;;) {
		int sent = 0, failed = 0, answered = 0;
		for (int i = 0; i < 20; i++) {
			n = argv[1][0] == 'c' ? send(s, letter, 1, 0) : sendto(s, letter, 1, 0, to->ai_addr, to->ai_addrlen);
			*(n == 1 ? &sent : &failed) += 1;
			usleep(50000);
			while ((n = recv(s, text, sizeof text - 1, MSG_DONTWAIT)) > 0)
				answered++, text[n] = 0, strcpy(name, text);
		}
		printf("sent %d, failed %d, answered %d, from %s\n", sent, failed, answered, name);
		fflush(stdout);
	}
}
C
	gcc -O1 -Wall -o udp udp.c
	unshare -n -m sh "$here/${0##*/}" inside
	exit
fi

# This namespace is the machine, with lasting and temporary ones of 24 s; "far" is elsewhere.
PATH="$PWD/root/sbin:$PWD/root/bin:$PATH"
mount -t tmpfs none /run
ip netns add far
ip link add eth0 type veth peer name eth0 netns far
ip -n far link set eth0 up
ip -n far addr add fe80::9/64 dev eth0 nodad
ip -n far addr add 2001:db8:9::9/64 dev eth0 nodad
ip -n far addr add 203.0.113.9/24 dev eth0
ip -n far route add default via fe80::2 dev eth0
cd /proc/sys/net/ipv6/conf/eth0
for set in use_tempaddr=2 accept_dad=0 dad_transmits=2 temp_prefered_lft=16 temp_valid_lft=24 max_desync_factor=0; do echo "${set#*=}" >"${set%=*}"; done
cd "$OLDPWD"
ip link set eth0 up
ip addr add fe80::2/64 dev eth0 nodad
ip addr add 2001:db8:5::2/64 dev eth0 nodad mngtmpaddr
ip addr add 203.0.113.2/24 dev eth0
ip route add default via fe80::9 dev eth0
until ip addr show dev eth0 | grep -q 'temporary dynamic'; do sleep 0.1; done

children=
trap 'kill $children' EXIT
ip netns exec far ./udp >waits &
children=$!
until [ -s waits ]; do sleep 0.1; done
for how in any lasting connected; do
	./udp $how 2001:db8:9::9 >$how &
	children="$children $!"
done
./udp connected4 203.0.113.9 >connected4 &
children="$children $!"
for name in any lasting connected connected4; do
	until [ -s $name ]; do sleep 0.1; done
done
from() { tail -n 1 "$1" | sed 's/.*from //'; }
# later NAME LETTER: what became of a connected one, in a whole second from now on.
later() {
	lines=$(wc -l <"$1") before=$(tr -dc "$2" <heard | wc -c)
	until [ "$(wc -l <"$1")" -ge $((lines + 2)) ]; do sleep 0.1; done
	arrived=$(($(tr -dc "$2" <heard | wc -c) - before))
	echo "$(sed -n "$((lines + 2))s/, from.*//p" "$1"), arriving: $([ $arrived -ge 20 ] && echo yes || echo $arrived)"
}
old=$(from any) lasting=$(from lasting) connected=$(from connected)
until [ "$(from any)" != "$old" ]; do sleep 0.1; done
ip addr show dev eth0 | grep "$old/" | grep -q deprecated && state=deprecated || state=preferred
{
	echo "IPv6, unbound:            another address, the old one is $state"
	while ip addr show dev eth0 | grep -q "$connected/"; do sleep 0.2; done
	[ "$(from lasting)" = "$lasting" ] && echo "IPv6, lasting preferred:  the same address"
	[ "$(from connected)" = "$connected" ] && echo "IPv6, connected:          its address has ended: $(later connected d)"
	ip addr del 203.0.113.2/24 dev eth0
	ip addr add 203.0.113.3/24 dev eth0
	echo "IPv4, connected:          its address is taken away: $(later connected4 4)"
} | tee all
[ "$(sed 's/^[^:]*: *//' all | paste -sd'|')" = "another address, the old one is preferred|the same address|its address has ended: sent 20, failed 0, answered 0, arriving: yes|its address is taken away: sent 0, failed 20, answered 0, arriving: 0" ] || {
	echo "changed: a socket's IPv6 address stays, or ends with the machine's" >&2
	exit 1
}
