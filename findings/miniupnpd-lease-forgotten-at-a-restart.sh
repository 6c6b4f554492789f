#!/bin/sh
# miniupnpd: a port that is forwarded for seconds is forwarded for ever once the daemon has been restarted.
#
# Package:  miniupnpd-nftables 2.3.1-1 (Debian 12).
# Guess:    what it forwards ends with it: on SIGTERM it takes its rules out of nftables, and asks its clients anew by a fresh epoch. With a
#           lease_file a new one goes on where the old one ended, each lease until its own end.
# Seen:     the rules stay when it ends, in its chains, and the next one takes them for its own, without an end: that is in the memory of
#           the old one alone. A lease_file is read, but a lease that ends between the two stays, and so does one that ends after, until
#           some client asks for another port. So after an update of the router the outside port of the evening before still leads to
#           the address that its player had. (Debian's unit for systemd deletes the chains beside it; a router's script may not.)
#           Who asks for the same port again gets it, and a lease that ends.
# Output:   without a file:   stopped: 7001; started anew: 7001; 10 s after its end: 7001
#           asked again:      0; 10 s after its end: none
#           with a file:      ended between: 7002; ended since: 7003
#
# Needs root, for a network namespace of its own: nothing outside of it is touched. Takes a minute.
set -eu
. "$(dirname "$0")/miniupnpd.inc"
if [ "${1-}" != inside ]; then
	. "$(dirname "$0")/begin.inc"
	fetch $packages
	cat >ask.c <<'C'
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

/* ask PORT LIFETIME: asks for that UDP port for so many seconds, by NAT-PMP, and says the result. */
int main(int argc, char **argv)
{
	int s = socket(AF_INET, SOCK_DGRAM, 0), port = argc == 3 ? atoi(argv[1]) : 0;
	struct sockaddr_in client = {.sin_family = AF_INET}, router = {.sin_family = AF_INET, .sin_port = htons(5351)};
	struct timeval patience = {3, 0};
	unsigned char question[12] = {0, 1, 0, 0, port >> 8, port, port >> 8, port}, answer[16];
	if (argc != 3)
		return 2;
	question[11] = atoi(argv[2]);
	inet_aton("192.168.7.2", &client.sin_addr);
	inet_aton("192.168.7.1", &router.sin_addr);
	setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	if (bind(s, (void *)&client, sizeof client) || sendto(s, question, 12, 0, (void *)&router, sizeof router) < 0)
		return 2;
	if (recv(s, answer, 16, 0) < 16)
		return 1;
	printf("%d\n", answer[2] << 8 | answer[3]);
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
running=
trap 'kill $running' EXIT
begin() {
	$daemon -d -f daemon.conf -P daemon.pid >>daemon.log 2>&1 &
	running=$!
	for try in 1 2 3 4 5; do ./ask 7000 0 >answer && return; sleep 1; done
}
end() {
	kill $running
	wait $running || true
}
forwarded() { $nft list chain inet filter prerouting_miniupnpd | sed -n "s/.*dport \($1\) dnat.*/\1/p" | grep . || echo none; }
{
	begin
	./ask 7001 5 >answer
	end
	printf 'without a file:   stopped: %s; ' "$(forwarded 7001)"
	begin
	printf 'started anew: %s; ' "$(forwarded 7001)"
	sleep 15
	echo "10 s after its end: $(forwarded 7001)"
	printf 'asked again:      %s; ' "$(./ask 7001 3)"
	sleep 13
	echo "10 s after its end: $(forwarded 7001)"
	end
	echo "lease_file=$PWD/leases" >>daemon.conf
	begin
	./ask 7002 3 >answer
	./ask 7003 12 >answer
	end
	sleep 5
	begin
	printf 'with a file:      ended between: %s; ' "$(forwarded 7002)"
	sleep 17
	echo "ended since: $(forwarded 7003)"
} >all
cat all
[ "$(sed 's/^[^:]*: *//' all | paste -sd'|')" = "stopped: 7001; started anew: 7001; 10 s after its end: 7001|0; 10 s after its end: none|ended between: 7002; ended since: 7003" ] || {
	echo "changed: a restart takes forwarded ports away, or knows when they end" >&2
	exit 1
}
