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
enclose

lab
ip addr add 45.80.0.1/24 dev WAN # miniupnpd asks for a public address; nothing leaves the namespace
echo enable_upnp=no >>daemon.conf
begin
forwarded() { $nft list chain inet filter prerouting_miniupnpd | sed -n 's/.*dport \([0-9]*\) dnat.*:7777$/\1/p' | paste -sd' ' | grep . || echo none; }
for by in pmp pcp; do
	[ $by = pmp ] && printf 'NAT-PMP ' || printf 'PCP     '
	printf '7777 as 8888: %s; ' "$(port $by 1 7777 8888 3600)"
	printf 'as 7777: %s; ' "$(port $by 1 7777 7777 3600)"
	printf 'forwarded: %s; ' "$(forwarded)"
	printf 'renewed as 8888: %s; ' "$(port $by 1 7777 8888 3600)"
	ask $by 1 7777 0 0 >/dev/null
	printf 'after deleting: %s\n' "$(forwarded)"
done | tee seen
same="7777 as 8888: 8888; as 7777: 7777; forwarded: 8888 7777; renewed as 8888: 8888; after deleting:"
printf '%s\n' "NAT-PMP $same none" "PCP     $same 7777" | cmp -s - seen || {
	echo "changed: one inside port has one outside port" >&2
	exit 1
}
