#!/bin/sh
# Linux as a router: a game goes on when its line to the internet changes, after one lost packet, by the same port.
#
# Package:  nftables 1.0.6-2+deb12u2 (Debian 12); seen on Linux 6.18.
# Guess:    a connection keeps the address that it was given with its first packet. While a game sends 60 packets a second it never ends, so
#           when the router gets another address, or goes over to its second line (DSL to mobile and back), the game's packets leave
#           with an address that nothing comes back to, until both fall silent for the time-out, or take other sockets.
# Seen:     so it would be with "snat to". "masquerade" gives up a connection whose way out is another one by now: that packet is
#           dropped, the next one is a new connection, from the new line's address and the same port. When the old address is taken away
#           its connections go, too, and not one packet is lost; an address beside the old one changes nothing. So to a friend
#           an address changes from one packet to the next. Who answers to where the newest genuine packet came from plays on; who
#           wants a new handshake, or has tied the friend to an address, does not.
#           nettplay plays on.
# Output:   at first:                        from 198.51.100.2:7000, packets lost: 0
#           the first line's route is gone:  from 192.0.2.2:7000, packets lost: 1
#           it is back:                      from 198.51.100.2:7000, packets lost: 1
#           a new address beside the old:    from 198.51.100.2:7000, packets lost: 0
#           the old address is taken away:   from 198.51.100.3:7000, packets lost: 0
#
# Needs root and iproute2, for network namespaces of its own: nothing outside of them is touched. Takes 10 s.
set -eu
if [ "${1-}" != inside ]; then
	. "$(dirname "$0")/begin.inc"
	fetch nftables=1.0.6-2+deb12u2 libnftables1=1.0.6-2+deb12u2 libmnl0 libnftnl11 libjansson4 libedit2 libgmp10 libxtables12
	cat >udp.c <<'C'
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* udp: tells whoever sends to 203.0.113.9, port 1000, from where that came.
   udp FILE: sends there from port 7000, ten times a second, and writes into FILE, for each packet, what was answered in
   time, or "nothing", until FILE is gone. */
int main(int argc, char **argv)
{
	int s = socket(AF_INET, SOCK_DGRAM, 0);
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(argc > 1 ? 7000 : 1000)};
	struct timeval patience = {argc > 1 ? 0 : 60, argc > 1 ? 100000 : 0};
	socklen_t size = sizeof a;
	char text[64];

	if (argc == 1)
		inet_aton("203.0.113.9", &a.sin_addr);
	setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	if (bind(s, (void *)&a, sizeof a))
		return 2;
	if (argc == 1)
		for (puts("waits"), fflush(stdout); recvfrom(s, text, sizeof text, 0, (void *)&a, &size) > 0;) {
			snprintf(text, sizeof text, "%s:%d", inet_ntoa(a.sin_addr), ntohs(a.sin_port));
			sendto(s, text, strlen(text), 0, (void *)&a, sizeof a);
		}
	inet_aton("203.0.113.9", &a.sin_addr);
	a.sin_port = htons(1000);
	for (ssize_t n; argc > 1 && access(argv[1], F_OK) == 0;) {
		FILE *out = fopen(argv[1], "a");
		sendto(s, "x", 1, 0, (void *)&a, sizeof a);
		n = recv(s, text, sizeof text - 1, 0);
		text[n > 0 ? n : 0] = 0;
		fprintf(out, "%s\n", n > 0 ? text : "nothing");
		fclose(out);
		if (n > 0)
			usleep(100000);
	}
	return 0;
}
C
	gcc -O1 -Wall -o udp udp.c
	unshare -n -m sh "$here/${0##*/}" inside
	exit
fi

# This namespace is the router, with a machine inside, and two lines to a provider, behind whom the friend is.
mount -t tmpfs none /run
ip netns add inside
ip netns add outside
ip link add LAN type veth peer name eth0 netns inside
ip link add ONE type veth peer name eth0 netns outside
ip link add TWO type veth peer name eth1 netns outside
ip addr add 192.168.7.1/24 dev LAN
ip addr add 198.51.100.2/24 dev ONE
ip addr add 192.0.2.2/24 dev TWO
ip -n inside addr add 192.168.7.2/24 dev eth0
ip -n outside addr add 198.51.100.1/24 dev eth0
ip -n outside addr add 192.0.2.1/24 dev eth1
ip -n outside addr add 203.0.113.9/32 dev lo
for link in LAN ONE TWO; do ip link set $link up; done
ip -n inside link set eth0 up
for link in lo eth0 eth1; do ip -n outside link set $link up; done
ip -n inside route add default via 192.168.7.1
ip route add default via 198.51.100.1
ip route add default via 192.0.2.1 metric 100
echo 1 >/proc/sys/net/ipv4/ip_forward
$(find root -name nft -type f) -f - <<N
table ip router {
	chain out { type nat hook postrouting priority 100; oifname { ONE, TWO } masquerade; }
	chain in { type filter hook input priority 0; iifname { ONE, TWO } drop; }
}
N
children=
trap 'rm -f answers; kill $children 2>/dev/null || true' EXIT
ip netns exec outside ./udp >outside.said &
children="$children $!"
until [ -s outside.said ]; do sleep 0.1; done
: >answers
ip netns exec inside ./udp answers &
children="$children $!"
# till ADDRESS WHAT: waits until an answer names the address, and says how many answers were missing since the last call.
lines=0
till() {
	for try in $(seq 300); do
		tail -n 1 answers | grep -q "^$1:" && break
		sleep 0.1
	done
	tail -n +$((lines + 1)) answers >new
	printf '%-32s from %s, packets lost: %s\n' "$2:" "$(tail -n 1 new)" "$(grep -c nothing new || true)"
	lines=$((lines + $(wc -l <new)))
	sleep 1
}
{
	till 198.51.100.2 "at first"
	ip route del default via 198.51.100.1
	till 192.0.2.2 "the first line's route is gone"
	ip route add default via 198.51.100.1
	till 198.51.100.2 "it is back"
	ip addr add 198.51.100.3/32 dev ONE
	ip route replace default via 198.51.100.1 src 198.51.100.3
	sleep 1
	till 198.51.100.2 "a new address beside the old"
	ip addr del 198.51.100.2/24 dev ONE
	ip route replace 198.51.100.0/24 dev ONE src 198.51.100.3
	ip route replace default via 198.51.100.1 src 198.51.100.3
	till 198.51.100.3 "the old address is taken away"
} | tee seen
# A busy machine may answer too late: one packet more counts as none.
awk -F'from |:|, packets lost: ' '{ lost = $NF; at = at " " $(NF - 2); bad = bad || lost > (NR == 2 || NR == 3 ? 2 : 1) }
	END { exit !(!bad && at == " 198.51.100.2 192.0.2.2 198.51.100.2 198.51.100.2 198.51.100.3") }' seen || {
	echo "changed: a connection keeps its address, or is cut off for longer" >&2
	exit 1
}
