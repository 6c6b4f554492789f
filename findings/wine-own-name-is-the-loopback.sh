#!/bin/sh
# Wine: asked for the addresses of one's own name, getaddrinfo says 127.0.1.1; gethostbyname, which it is to replace, has those of the network.
#
# Package:  wine64, libwine 8.0~repack-4 (Debian 12).
# Guess:    getaddrinfo with the name of gethostname, or with "", gives all addresses of this computer, as Windows documents it, and as many games tell players "your
#           address is ...". Wine knows of that: gethostbyname, the older call, gives them. Both are for the same question.
# Seen:     only gethostbyname looks at the adapters. getaddrinfo asks Linux, where a computer's own name stands in /etc/hosts, with Debian and Ubuntu as
#           127.0.1.1, and "" is the same. A friend in the same house who types that address calls his own computer. On Windows
#           the same program is right. Ask for the adapters (GetAdaptersAddresses).
#           nettplay does.
# Output:   gethostbyname, own name:  10.8.0.1 10.9.0.1
#           getaddrinfo, own name:    127.0.1.1
#           getaddrinfo, "":          127.0.1.1
#           adapters:                 10.8.0.1 10.9.0.1
#
# Needs root and iproute2, for namespaces of its own, gcc-mingw-w64-x86-64, and the libraries that Wine itself needs
# (apt-get install wine64 brings them). Takes half a minute, and 800 MB meanwhile.
set -eu
. "$(dirname "$0")/wine.inc"
if [ "${1-}" != inside ]; then
	. "$(dirname "$0")/begin.inc"
	wine_fetch
	cat >own.c <<'C'
#include <stdio.h>
#include <winsock2.h>
#include <ws2tcpip.h>
#include <iphlpapi.h>

static char adapters[1 << 16];

static void show(const struct sockaddr *a)
{
	printf(" %s", inet_ntoa(((const struct sockaddr_in *)a)->sin_addr));
}

static void ask(const char *what, const char *name)
{
	struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_DGRAM}, *a;
	printf("%-25s", what);
	if (getaddrinfo(name, NULL, &hints, &a))
		a = NULL;
	for (; a != NULL; a = a->ai_next)
		show(a->ai_addr);
	puts("");
}

int main(void)
{
	WSADATA data;
	char name[256];
	ULONG length = sizeof adapters;
	IP_ADAPTER_ADDRESSES *a = (void *)adapters;
	WSAStartup(0x202, &data);
	if (gethostname(name, sizeof name) || GetAdaptersAddresses(AF_INET, 0, NULL, a, &length))
		return 1;
	printf("%-25s", "gethostbyname, own name:");
	struct hostent *h = gethostbyname(name);
	for (int i = 0; h != NULL && h->h_addr_list[i] != NULL; i++)
		printf(" %s", inet_ntoa(*(struct in_addr *)h->h_addr_list[i]));
	puts("");
	ask("getaddrinfo, own name:", name);
	ask("getaddrinfo, \"\":", "");
	printf("%-25s", "adapters:");
	for (; a != NULL; a = a->Next)
		for (IP_ADAPTER_UNICAST_ADDRESS *u = a->FirstUnicastAddress; a->IfType != IF_TYPE_SOFTWARE_LOOPBACK && u != NULL; u = u->Next)
			show(u->Address.lpSockaddr);
	puts("");
	return 0;
}
C
	x86_64-w64-mingw32-gcc -O1 -Wall -D_WIN32_WINNT=0x600 -o own.exe own.c -lws2_32 -liphlpapi
	unshare -n -m -u sh "$here/${0##*/}" inside
	exit
fi

hostname player
printf '127.0.0.1 localhost\n127.0.1.1 player\n' >hosts # as Debian's installer writes it
mount --bind hosts /etc/hosts
wine_network eth0=10.9.0.1 wlan0=10.8.0.1
ip route add default via 10.9.0.254 dev eth0 metric 100
ip route add default via 10.8.0.254 dev wlan0 metric 600
wine_begin
wine own.exe | while read -r line; do # in order, which is chance
	echo "$line" | sed 's/^\([^:]*:\) *.*/\1/' | tr '\n' ' '
	echo "$line" | sed 's/^[^:]*: *//' | tr ' ' '\n' | sort | paste -sd' '
done | awk -F': ' '{ printf "%-25s %s\n", $1 ":", $2 }' | tee seen
[ "$(sed 's/^[^:]*: *//' seen | paste -sd'|')" = "10.8.0.1 10.9.0.1|127.0.1.1|127.0.1.1|10.8.0.1 10.9.0.1" ] || {
	echo "changed: a computer's own name has other addresses" >&2
	exit 1
}
