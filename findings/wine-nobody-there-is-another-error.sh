#!/bin/sh
# Wine: who sends to a port where nobody listens is told nothing, or by another error than on Windows, and one datagram late.
#
# Package:  wine64, libwine 8.0~repack-4 (Debian 12).
# Guess:    recvfrom fails with WSAECONNRESET when an earlier datagram of the socket met nobody, as on Windows, where it ends games whose
#           loop takes that for the end; SIO_UDP_CONNRESET switches it off. If Wine leaves it to Linux, then a connected socket is told, and
#           another one is not.
# Seen:     an unconnected socket is told nothing, and SIO_UDP_CONNRESET succeeds without effect. A connected one is told nothing the first time, and
#           WSAECONNREFUSED (10061) from the second on, which Windows keeps for TCP. A program that forgets the switch works under Wine,
#           and falls over on Windows at the first friend who has left; one that looks for WSAECONNRESET alone
#           waits for its own time-out under Wine. Take both for "nobody there", neither for an end, and test that on Windows.
#           nettplay does so.
# Output:   Wine, unconnected:  send 1, recv error 10060, send 1, recv error 10060
#           Wine, connected:    send 1, recv error 10060, send 1, recv error 10061
#           Wine, switched on:  send 1, recv error 10060, send 1, recv error 10060
#           Linux, unconnected: send 1, recv timed out, send 1, recv timed out
#           Linux, connected:   send 1, recv refused, send 1, recv refused
#
# Needs gcc-mingw-w64-x86-64, and the libraries that Wine itself needs (apt-get install wine64 brings them). Takes a minute or two, and
# 800 MB meanwhile. Traffic is on the loopback alone.
. "$(dirname "$0")/begin.inc"
. "$here/wine.inc"
wine_fetch
cat >nobody.c <<'C'
#include <stdio.h>
#ifdef _WIN32
#include <winsock2.h>
#else
#include <arpa/inet.h>
#include <errno.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#endif

static const char *failure(void)
{
	static char text[30];
#ifdef _WIN32
	snprintf(text, sizeof text, "error %d", WSAGetLastError());
#else
	snprintf(text, sizeof text, "%s", errno == ECONNREFUSED ? "refused" : errno == EAGAIN ? "timed out" : "another error");
#endif
	return text;
}

/* nobody TEXT [connected|on]: sends twice to a port of the loopback that was free a moment ago. */
int main(int argc, char **argv)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int size = sizeof to, connected = argc == 3 && argv[2][0] == 'c';
	char byte = 0;
#ifdef _WIN32
	WSADATA data;
	DWORD patience = 1000, on = 1, got;
	WSAStartup(0x202, &data);
#else
	struct timeval patience = {1, 0};
#endif
	int s = socket(AF_INET, SOCK_DGRAM, 0), free_one = socket(AF_INET, SOCK_DGRAM, 0);
	if (bind(free_one, (void *)&to, sizeof to) || getsockname(free_one, (void *)&to, (void *)&size))
		return 2;
	setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, (void *)&patience, sizeof patience);
#ifdef _WIN32
	closesocket(free_one);
	if (argc == 3 && !connected && WSAIoctl(s, _WSAIOW(IOC_VENDOR, 12) /* SIO_UDP_CONNRESET */, &on, sizeof on, NULL, 0, &got, NULL, NULL))
		return 2;
#else
	close(free_one);
#endif
	if (connected && connect(s, (void *)&to, sizeof to))
		return 2;
	printf("%-19s", argv[1]);
	for (int i = 0; i < 2; i++) {
		int n = connected ? send(s, "x", 1, 0) : sendto(s, "x", 1, 0, (void *)&to, sizeof to);
		printf("%s send ", i ? "," : "");
		n == 1 ? printf("1") : printf("%s", failure());
		n = recv(s, &byte, 1, 0);
		printf(", recv ");
		n >= 0 ? printf("%d", n) : printf("%s", failure());
	}
	puts("");
	return 0;
}
C
x86_64-w64-mingw32-gcc -O1 -Wall -o nobody.exe nobody.c -lws2_32
gcc -O1 -Wall -o nobody nobody.c
wine_begin
{
	wine nobody.exe "Wine, unconnected:"
	wine nobody.exe "Wine, connected:" connected
	wine nobody.exe "Wine, switched on:" on
	./nobody "Linux, unconnected:"
	./nobody "Linux, connected:" connected
} | tee seen
silent="send 1, recv error 10060, send 1, recv error 10060"
[ "$(sed 's/^[^:]*: *//' seen | paste -sd'|')" = "$silent|send 1, recv error 10060, send 1, recv error 10061|$silent|send 1, recv timed out, send 1, recv timed out|send 1, recv refused, send 1, recv refused" ] || {
	echo "changed: a socket is told that nobody listens" >&2
	exit 1
}
