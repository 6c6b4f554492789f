#!/bin/sh
# Wine: who asks to be told when an address comes, or goes, is told that all is well, and nothing else; one of four ways works.
#
# Package:  wine64, libwine 8.0~repack-4 (Debian 12).
# Guess:    NotifyAddrChange, NotifyUnicastIpAddressChange and NotifyIpInterfaceChange tell of an address that comes or goes, as on Windows: Wine
#           hears of it from Linux. What it cannot do fails, as NotifyRouteChange does (ERROR_NOT_SUPPORTED).
# Seen:     all three succeed and never tell, while GetAdaptersAddresses has the new address at once. Only the order of a socket,
#           SIO_ADDRESS_LIST_CHANGE, tells. A game that renews its ways when the laptop changes from cable to Wi-Fi, and trusts the success,
#           waits for good under Wine and Proton. Ask for the addresses now and then, or by the socket.
#           nettplay looks by itself.
# Output:   asked:           NotifyAddrChange 997, NotifyUnicastIpAddressChange 0, NotifyIpInterfaceChange 0, NotifyRouteChange 50, socket 997
#           address comes:   address there; told by: the socket
#           address goes:    address gone; told by: the socket
#
# Needs root and iproute2, for a network namespace of its own, gcc-mingw-w64-x86-64, and the libraries that Wine itself needs
# (apt-get install wine64 brings them). Takes half a minute, and 800 MB meanwhile.
set -eu
. "$(dirname "$0")/wine.inc"
if [ "${1-}" != inside ]; then
	. "$(dirname "$0")/begin.inc"
	wine_fetch
	cat >told.c <<'C'
#include <stdio.h>
#include <winsock2.h>
#include <ws2tcpip.h>
#include <iphlpapi.h>

static volatile LONG unicasts, interfaces; /* how often each has told */

static void CALLBACK on_unicast(void *p, MIB_UNICASTIPADDRESS_ROW *row, MIB_NOTIFICATION_TYPE type)
{
	(void)p, (void)row, (void)type;
	InterlockedIncrement(&unicasts);
}
static void CALLBACK on_interface(void *p, MIB_IPINTERFACE_ROW *row, MIB_NOTIFICATION_TYPE type)
{
	(void)p, (void)row, (void)type;
	InterlockedIncrement(&interfaces);
}

/* there reports whether some adapter has 10.9.0.77. */
static int there(void)
{
	static char adapters[1 << 16];
	ULONG length = sizeof adapters;
	IP_ADAPTER_ADDRESSES *a = (void *)adapters;
	if (GetAdaptersAddresses(AF_INET, 0, NULL, a, &length))
		return 0;
	for (; a != NULL; a = a->Next)
		for (IP_ADAPTER_UNICAST_ADDRESS *u = a->FirstUnicastAddress; u != NULL; u = u->Next)
			if (((struct sockaddr_in *)u->Address.lpSockaddr)->sin_addr.s_addr == inet_addr("10.9.0.77"))
				return 1;
	return 0;
}

int main(void)
{
	WSADATA data;
	OVERLAPPED addr = {.hEvent = CreateEvent(NULL, FALSE, FALSE, NULL)}, list = {.hEvent = CreateEvent(NULL, FALSE, FALSE, NULL)},
		   route = {.hEvent = CreateEvent(NULL, FALSE, FALSE, NULL)};
	HANDLE h, unicast, interface_;
	DWORD got;
	WSAStartup(0x202, &data);
	SOCKET s = WSASocketW(AF_INET, SOCK_DGRAM, 0, NULL, 0, WSA_FLAG_OVERLAPPED);
	printf("%-16s NotifyAddrChange %lu, ", "asked:", NotifyAddrChange(&h, &addr));
	printf("NotifyUnicastIpAddressChange %lu, ", NotifyUnicastIpAddressChange(AF_UNSPEC, on_unicast, NULL, FALSE, &unicast));
	printf("NotifyIpInterfaceChange %lu, ", NotifyIpInterfaceChange(AF_UNSPEC, on_interface, NULL, FALSE, &interface_));
	printf("NotifyRouteChange %lu, ", NotifyRouteChange(&h, &route));
	for (int come = 1; come >= 0; come--) {
		int error = WSAIoctl(s, SIO_ADDRESS_LIST_CHANGE, NULL, 0, NULL, 0, &got, &list, NULL) ? WSAGetLastError() : 0;
		if (come)
			printf("socket %d\n", error);
		else if (error != WSA_IO_PENDING)
			return 1;
		fflush(stdout); /* behind this line of output the script changes the address */
		for (int i = 0; i < 100 && there() != come; i++)
			Sleep(100);
		Sleep(3000);
		printf("%-16s address %s; told by:%s%s%s%s\n", come ? "address comes:" : "address goes:", there() ? "there" : "gone",
		       WaitForSingleObject(addr.hEvent, 0) ? "" : " NotifyAddrChange", unicasts ? " NotifyUnicastIpAddressChange" : "",
		       interfaces ? " NotifyIpInterfaceChange" : "", WaitForSingleObject(list.hEvent, 0) ? "" : " the socket");
	}
	fflush(stdout);
	return 0;
}
C
	x86_64-w64-mingw32-gcc -O1 -Wall -D_WIN32_WINNT=0x600 -o told.exe told.c -lws2_32 -liphlpapi
	unshare -n sh "$here/${0##*/}" inside
	exit
fi

wine_network eth0=10.9.0.1
wine_begin
root/usr/lib/wine/wine64 told.exe 2>/dev/null | sed -u 's/\r//' | {
	read -r asked && echo "$asked"
	sleep 1 # of what happens in the same moment the socket is now and then not told
	ip addr add 10.9.0.77/24 dev eth0
	read -r comes && echo "$comes"
	sleep 1
	ip addr del 10.9.0.77/24 dev eth0
	cat
} | tee seen
[ "$(sed 's/^[^:]*: *//' seen | paste -sd'|')" = "NotifyAddrChange 997, NotifyUnicastIpAddressChange 0, NotifyIpInterfaceChange 0, NotifyRouteChange 50, socket 997|address there; told by: the socket|address gone; told by: the socket" ] || {
	echo "changed: others tell of an address that comes or goes" >&2
	exit 1
}
