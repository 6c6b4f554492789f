#!/bin/sh
# miniupnpd: who asks by UPnP for a port for another address than the one that asks is told that the port is taken, whichever it is.
#
# Package:  miniupnpd-nftables 2.3.1-1 (Debian 12).
# Guess:    718, "ConflictInMappingEntry", means that another machine has that outside port: the next one may be free. That a machine may ask for itself
#           alone (secure_mode, which most routers have) is 606, "Action not authorized", as it is for deleting another's.
# Seen:     deleting is refused by 606, but asking by 718, for ports that nobody has as well. A machine with two addresses, a network of virtual machines or a
#           VPN, which names one of them and is seen at the other, can try all 64,512 ports. Whoever looks for a free one has to stop after a few,
#           and must name the address of the very connection by which it asks.
#           nettplay asks for four more, and from the address that it names.
# Output:   7777, by the first machine:                  granted
#           7777, by the second one:                     718 ConflictInMappingEntry
#           7778, by the second one:                     granted
#           9000, by the second one, for the first:      718 ConflictInMappingEntry
#           9000, by the second one:                     granted
#           7777, deleted by the second one:             606 Action not authorized
#
# Needs root, for a network namespace of its own: nothing outside of it is touched; and python3.
set -eu
. "$(dirname "$0")/miniupnpd.inc"
enclose

lab
ip addr add 192.168.7.3/24 dev LAN
ip addr add 45.80.0.1/24 dev WAN # miniupnpd asks for a public address; nothing leaves the namespace
echo http_port=5555 >>daemon.conf
begin
cat >upnp.py <<'P'
import http.client, re

SERVICE = "urn:schemas-upnp-org:service:WANIPConnection:1"

def ask(machine, action, **args):
    values = "".join(f"<New{name}>{value}</New{name}>" for name, value in args.items())
    body = ('<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" '
            's:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>'
            f'<u:{action} xmlns:u="{SERVICE}">{values}</u:{action}></s:Body></s:Envelope>')
    c = http.client.HTTPConnection("192.168.7.1", 5555, source_address=(machine, 0), timeout=10)
    c.request("POST", "/ctl/IPConn", body, {"Content-Type": "text/xml", "SOAPAction": f'"{SERVICE}#{action}"'})
    answer = c.getresponse().read().decode()
    fault = re.search("<errorCode>(.*)</errorCode>.*<errorDescription>(.*)</errorDescription>", answer, re.S)
    return " ".join(fault.groups()) if fault else "granted"

def forward(machine, port, to):
    return ask(machine, "AddPortMapping", RemoteHost="", ExternalPort=port, Protocol="UDP", InternalPort=port, InternalClient=to,
               Enabled=1, PortMappingDescription="game", LeaseDuration=3600)

first, second = "192.168.7.2", "192.168.7.3"
print("7777, by the first machine:                 ", forward(first, 7777, first))
print("7777, by the second one:                    ", forward(second, 7777, second))
print("7778, by the second one:                    ", forward(second, 7778, second))
print("9000, by the second one, for the first:     ", forward(second, 9000, first))
print("9000, by the second one:                    ", forward(second, 9000, second))
print("7777, deleted by the second one:            ", ask(second, "DeletePortMapping", RemoteHost="", ExternalPort=7777, Protocol="UDP"))
P
timeout 60 python3 upnp.py | tee seen
[ "$(sed 's/.*: *//' seen | paste -sd'|')" = "granted|718 ConflictInMappingEntry|granted|718 ConflictInMappingEntry|granted|606 Action not authorized" ] || {
	echo "changed: other addresses are refused by another code, or not at all" >&2
	exit 1
}
