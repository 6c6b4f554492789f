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
enclose

lab
ip addr add 45.80.0.1/24 dev WAN # miniupnpd asks for a public address; nothing leaves the namespace
cat >>daemon.conf <<N
enable_upnp=no
lease_file=$PWD/leases
N
touch leases
begin
mapped() { awk -F: '{ printf "%s%s %s", sep, $1, $2; sep = ", " } END { print NR ? "" : "none" }' leases; }
ask pmp 1 5000 5000 3600 >first
ask pmp 2 6000 6000 3600 >second
{
	echo "before: $(mapped)"
	echo "answer: $(ask pmp 1 0 0 0 | sed 's/^\([0-9]*\) \([0-9]*\) .*/opcode \1, result \2/')"
	echo "after:  $(mapped)"
} | tee seen
rules=$($nft list chain inet filter prerouting_miniupnpd | grep -c dnat || true)
[ "$rules" = 0 ] && [ "$(tr '\n' ' ' <seen)" = "before: UDP 5000, TCP 6000 answer: opcode 129, result 0 after:  none " ] || {
	echo "changed: only the mappings of UDP are deleted ($rules rules left)" >&2
	exit 1
}
