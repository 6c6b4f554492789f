#!/bin/sh
# miniupnpd: an IPv6 pinhole that was renewed can be closed by nobody, and its port is what the last question said.
#
# Package:  miniupnpd-nftables 2.3.1-1 (Debian 12).
# Guess:    PCP (RFC 6887) opens the router's firewall for a port of the machine that asks. Whoever opened a pinhole renews it and closes
#           it (a lifetime of 0) by the same nonce. Where nothing is translated the outside port is the inside one, whatever is suggested.
# Seen:     closing works only before the first renewal: that one forgets the nonce, and from then on the answer to its owner is
#           "not authorized", and the port stays open until the lease ends. To ask for a lifetime of a second is no closing, and is granted
#           as the router's shortest one. Asked for inside port 7777 as 8888 it answers 7777, and at the renewal 8888: nothing is there.
#           nettplay suggests its own port, and lets a pinhole that it cannot close end so.
# Output:   closed at once:     0, open: none
#           renewed, closed:    2, open: 7777
#           asked for 1 s:      0, open: none 6 s later
#           new as 8888:        answered 7777, open: 7777
#           renewed as 8888:    answered 8888, open: 7777
#
# Needs root and iproute2, for network namespaces of its own: nothing outside of them is touched. Takes 30 s.
set -eu
. "$(dirname "$0")/miniupnpd.inc"
enclose -m

# The machine of the lab is in a namespace of its own here: of its own addresses the router takes no questions by IPv6.
lab
mount -t tmpfs none /run
ip netns add machine
ip link set LAN-peer netns machine
ip -n machine link set LAN-peer up
ip addr add 45.80.0.1/24 dev WAN # miniupnpd asks for public addresses; nothing leaves the namespaces
ip addr add 2001:db8:8::1/64 dev WAN nodad
ip addr add 2001:db8:7::1/64 dev LAN nodad
ip -n machine addr add 2001:db8:7::2/64 dev LAN-peer nodad
ip -6 route add default dev WAN
printf 'enable_upnp=no\nmin_lifetime=3\n' >>daemon.conf
machine="ip netns exec machine"
begin pcp6
opened() { $nft list chain inet filter miniupnpd | sed -n 's/.*dport \([0-9]*\) .*/\1/p' | paste -sd' ' | grep . || echo none; }
ask pcp6 1 7777 7777 3600 >first
{
	echo "closed at once:     $(result pcp6 1 7777 7777 0), open: $(opened)"
	ask pcp6 1 7777 7777 3600 >first
	ask pcp6 1 7777 7777 3600 >renewed
	echo "renewed, closed:    $(result pcp6 1 7777 7777 0), open: $(opened)"
	printf 'asked for 1 s:      %s, open: ' "$(result pcp6 1 7777 7777 1)"
	sleep 6
	echo "$(opened) 6 s later"
	echo "new as 8888:        answered $(port pcp6 1 7777 8888 3600), open: $(opened)"
	echo "renewed as 8888:    answered $(port pcp6 1 7777 8888 3600), open: $(opened)"
} | tee all
[ "$(sed 's/^[^:]*: *//' all | paste -sd'|')" = "0, open: none|2, open: 7777|0, open: none 6 s later|answered 7777, open: 7777|answered 8888, open: 7777" ] || {
	echo "changed: a renewed pinhole can be closed, or a pinhole's port is answered as it is" >&2
	exit 1
}
