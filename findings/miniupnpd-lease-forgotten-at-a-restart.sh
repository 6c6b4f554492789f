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
enclose

lab
ip addr add 45.80.0.1/24 dev WAN # miniupnpd asks for a public address; nothing leaves the namespace
echo enable_upnp=no >>daemon.conf
forwarded() { $nft list chain inet filter prerouting_miniupnpd | sed -n "s/.*dport \($1\) dnat.*/\1/p" | grep . || echo none; }
{
	begin
	ask pmp 1 7001 7001 5 >answer
	end
	printf 'without a file:   stopped: %s; ' "$(forwarded 7001)"
	begin
	printf 'started anew: %s; ' "$(forwarded 7001)"
	sleep 15
	echo "10 s after its end: $(forwarded 7001)"
	printf 'asked again:      %s; ' "$(result pmp 1 7001 7001 3)"
	sleep 13
	echo "10 s after its end: $(forwarded 7001)"
	end
	echo "lease_file=$PWD/leases" >>daemon.conf
	begin
	ask pmp 1 7002 7002 3 >answer
	ask pmp 1 7003 7003 12 >answer
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
