#!/bin/sh
# Wine: of two ways to the internet GetBestRoute names the one that is not taken, and each adapter's metric is 0.
#
# Package:  wine64, libwine 8.0~repack-4 (Debian 12).
# Guess:    GetBestRoute and GetBestInterface say by which adapter, and which router, a packet to an address leaves, as Linux below decides. Where a
#           laptop has its cable and Wi-Fi at once the less metric wins, and GetAdaptersAddresses has the metrics (Ipv4Metric).
# Seen:     the way with the larger metric is named, so with two routers always the wrong one, and SIO_ROUTING_INTERFACE_QUERY gives its adapter's
#           address. GetIpForwardTable has the metrics, as if their digits were hexadecimal (600 is 1536); of an adapter the metric is 0,
#           so that who takes the least has the first of the list, whichever that is. A program asks the wrong router for a port, gets it, and nothing
#           ever comes in. The address of a socket that is connected there (no packet is sent) is right: take the adapter that has it.
#           nettplay took the adapter with the least metric; it takes the one with that address first now.
# Output:   cable 600, Wi-Fi 100: sends from 10.8.0.1; best route 10.9.0.254, its metric 1536; best interface eth0; to be sent from 10.9.0.2; adapters' metrics 0, 0
#           cable 100, Wi-Fi 600: sends from 10.9.0.1; best route 10.8.0.254, its metric 1536; best interface wlan0; to be sent from 10.8.0.1; adapters' metrics 0, 0
#
# Needs root and iproute2, for a network namespace of its own, gcc-mingw-w64-x86-64, and the libraries that Wine itself needs
# (apt-get install wine64 brings them). Takes a minute or two, and 800 MB meanwhile.
set -eu
. "$(dirname "$0")/wine.inc"
if [ "${1-}" != inside ]; then
	. "$(dirname "$0")/begin.inc"
	wine_fetch
	cat >ways.c <<'C'
#include <stdio.h>
#include <winsock2.h>
#include <ws2tcpip.h>
#include <iphlpapi.h>

static char adapters[1 << 16];

/* there is an address of the internet; nothing is sent to it. */
int main(void)
{
	struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = inet_addr("45.80.0.1")}, own = {0};
	int size = sizeof own;
	WSADATA data;
	MIB_IPFORWARDROW route;
	DWORD best, got;
	ULONG length = sizeof adapters;
	WSAStartup(0x202, &data);
	SOCKET s = socket(AF_INET, SOCK_DGRAM, 0);
	if (connect(s, (void *)&there, sizeof there) || getsockname(s, (void *)&own, &size))
		return 1;
	printf("sends from %s; ", inet_ntoa(own.sin_addr));
	if (GetBestRoute(there.sin_addr.s_addr, 0, &route) || GetBestInterface(there.sin_addr.s_addr, &best))
		return 1;
	own.sin_addr.s_addr = route.dwForwardNextHop;
	printf("best route %s, its metric %lu; ", inet_ntoa(own.sin_addr), route.dwForwardMetric1);
	IP_ADAPTER_ADDRESSES *first = (void *)adapters, *a;
	if (GetAdaptersAddresses(AF_INET, GAA_FLAG_INCLUDE_GATEWAYS, 0, first, &length))
		return 1;
	for (a = first; a != NULL; a = a->Next)
		if (a->IfIndex == best)
			printf("best interface %ls; ", a->FriendlyName);
	if (WSAIoctl(s, SIO_ROUTING_INTERFACE_QUERY, &there, sizeof there, &own, sizeof own, &got, NULL, NULL))
		return 1;
	printf("to be sent from %s; adapters' metrics", inet_ntoa(own.sin_addr));
	const char *comma = "";
	for (a = first; a != NULL; a = a->Next)
		if (a->FirstGatewayAddress != NULL)
			printf("%s %lu", comma, a->Ipv4Metric), comma = ",";
	puts("");
	return 0;
}
C
	x86_64-w64-mingw32-gcc -O1 -Wall -D_WIN32_WINNT=0x600 -o ways.exe ways.c -lws2_32 -liphlpapi
	unshare -n sh "$here/${0##*/}" inside
	exit
fi

wine_network eth0=10.9.0.1 eth0=10.9.0.2 wlan0=10.8.0.1
wine_begin
for metrics in "600 100" "100 600"; do
	ip route flush exact default
	ip route add default via 10.9.0.254 dev eth0 metric "${metrics% *}"
	ip route add default via 10.8.0.254 dev wlan0 metric "${metrics#* }"
	echo "cable ${metrics% *}, Wi-Fi ${metrics#* }: $(wine ways.exe)"
done | tee seen
[ "$(sed 's/.*: sends/sends/' seen | paste -sd'|')" = "sends from 10.8.0.1; best route 10.9.0.254, its metric 1536; best interface eth0; to be sent from 10.9.0.2; adapters' metrics 0, 0|sends from 10.9.0.1; best route 10.8.0.254, its metric 1536; best interface wlan0; to be sent from 10.8.0.1; adapters' metrics 0, 0" ] || {
	echo "changed: the way that is named is another one" >&2
	exit 1
}
