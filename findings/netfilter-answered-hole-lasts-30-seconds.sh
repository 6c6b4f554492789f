#!/bin/sh
# Linux as a router: a hole that was punched and answered closes as soon as one that was not; it lasts once it is two seconds old.
#
# Package:  nftables 1.0.6-2+deb12u2 (Debian 12); seen on Linux 6.18.
# Guess:    UDP that got no answer is forgotten after nf_conntrack_udp_timeout, 30 s. The first answer makes it a stream, and from
#           then on it is nf_conntrack_udp_timeout_stream, 120 s. Who has shaken hands can be silent for a minute.
# Seen:     an answer is not enough: only packets that go by when the connection is more than two seconds old have the longer time.
#           Two machines that greet each other within those, hold the way ready and say nothing more are cut off after 30 s.
#           To keep a way open, send at least every 25 s, at whatever time the handshake was over.
#           nettplay says to a relay every 10 s that it is there.
# Output:   times of 8 and 60 s, silence of 11 s:
#           greeted three times at once: closed
#           greeted, and 3 s later:      open
#
# Needs root and iproute2, for network namespaces of its own: nothing outside of them is touched. Takes 25 s.
set -eu
if [ "${1-}" != inside ]; then
	. "$(dirname "$0")/begin.inc"
	fetch nftables=1.0.6-2+deb12u2 libnftables1=1.0.6-2+deb12u2 libmnl0 libnftnl11 libjansson4 libedit2 libgmp10 libxtables12
	cat >udp.c <<'C'
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* udp: answers what comes to port 1000, and says so once more 11 s after the last one.
   udp PORT SECONDS...: sends from PORT at once and so long after each other, and says whether that comes. */
int main(int argc, char **argv)
{
	int s = socket(AF_INET, SOCK_DGRAM, 0);
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(argc > 1 ? atoi(argv[1]) : 1000)};
	struct timeval patience = {argc > 1 ? 16 : 11, 0};
	socklen_t size = sizeof a;
	char byte = 'a';

	setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	if (bind(s, (void *)&a, sizeof a))
		return 2;
	if (argc == 1) {
		for (puts("waits"), fflush(stdout); recvfrom(s, &byte, 1, 0, (void *)&a, &size) == 1;)
			sendto(s, &byte, 1, 0, (void *)&a, size);
		byte = 'b';
		return sendto(s, &byte, 1, 0, (void *)&a, size) != 1;
	}
	a.sin_port = htons(1000);
	inet_aton("203.0.113.9", &a.sin_addr);
	for (int i = 1; i < argc; i++) {
		sleep(i > 1 ? atoi(argv[i]) : 0);
		if (sendto(s, &byte, 1, 0, (void *)&a, sizeof a) != 1 || recv(s, &byte, 1, 0) != 1)
			return 1;
	}
	puts(recv(s, &byte, 1, 0) == 1 && byte == 'b' ? "open" : "closed");
	return 0;
}
C
	gcc -O1 -Wall -o udp udp.c
	unshare -n -m sh "$here/${0##*/}" inside
	exit
fi

# This namespace is the router; each friend has one.
. "$(dirname "$0")/netfilter.inc"
$nft -f - <<N
table ip router {
	chain out { type nat hook postrouting priority 100; oifname WAN masquerade; }
	chain in { type filter hook input priority 0; iifname WAN drop; }
}
N
# The two times are those of this namespace alone.
echo 8 >/proc/sys/net/netfilter/nf_conntrack_udp_timeout
echo 60 >/proc/sys/net/netfilter/nf_conntrack_udp_timeout_stream

# greeted WORDS PORT SECONDS...: whether something comes in after a silence.
greeted() {
	words=$1
	shift
	ip netns exec stranger ./udp >said &
	until [ -s said ]; do sleep 0.1; done
	printf '%-28s %s\n' "$words:" "$(ip netns exec friend ./udp "$@")"
	wait $!
	rm said
}
{
	echo "times of 8 and 60 s, silence of 11 s:"
	greeted "greeted three times at once" 40001 0 0
	greeted "greeted, and 3 s later" 40002 3
} | tee all
[ "$(sed -n 's/.*: *\([a-z]\)/\1/p' all | paste -sd' ')" = "closed open" ] || {
	echo "changed: the first answer opens a way for the longer time, or none does" >&2
	exit 1
}
