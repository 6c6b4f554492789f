#!/bin/sh
# Wine: a UDP socket that is bound to one of an interface's addresses has all of them, and sends from the first.
#
# Package:  wine64, libwine 8.0~repack-4 (Debian 12).
# Guess:    bind says from which address a socket sends, and what it hears, as on Windows and on Linux below it. getsockname, which
#           gives the address that was asked for, confirms it. Two sockets can have one port on two addresses.
# Seen:     the address decides on the interface alone. What is sent comes from the interface's first address, whatever is for the others, and the same
#           port, is heard, and a second socket for the port is refused, WSAEADDRINUSE. So is it on the loopback with 127.0.0.77. A
#           peer that is told "I am 10.9.0.2" hears a stranger, 10.9.0.1; a test with several machines by addresses of the
#           loopback has one machine. Take peers by what they prove, not by the address, and tests by ports.
#           nettplay does; its tests that need a second address are Linux' alone.
# Output:   bound to 10.9.0.2, by getsockname 10.9.0.2: heard as 10.9.0.1, hears 10.9.0.1 too; its port on 10.9.0.1: error 10048
#           bound to 127.0.0.77, by getsockname 127.0.0.77: heard as 127.0.0.1, hears 127.0.0.1 too; its port on 127.0.0.1: error 10048
#
# Needs root and iproute2, for a network namespace of its own, gcc-mingw-w64-x86-64, and the libraries that Wine itself needs
# (apt-get install wine64 brings them). Takes a minute or two, and 800 MB meanwhile.
set -eu
. "$(dirname "$0")/wine.inc"
if [ "${1-}" != inside ]; then
	. "$(dirname "$0")/begin.inc"
	wine_fetch
	cat >bound.c <<'C'
#include <stdio.h>
#include <winsock2.h>

static struct sockaddr_in place(const char *address, int port)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port)};
	a.sin_addr.s_addr = inet_addr(address);
	return a;
}

/* bound gives a socket there; error is what bind says. */
static SOCKET bound(const char *address, int port, int *error)
{
	SOCKET s = socket(AF_INET, SOCK_DGRAM, 0);
	struct sockaddr_in a = place(address, port);
	DWORD patience = 1000;
	*error = bind(s, (void *)&a, sizeof a) ? WSAGetLastError() : 0;
	setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, (char *)&patience, sizeof patience);
	return s;
}

/* bound FIRST SECOND: two addresses of an interface. */
int main(int argc, char **argv)
{
	const char *first = argv[1], *second = argv[2];
	WSADATA data;
	int error, size = sizeof(struct sockaddr_in);
	char byte;
	if (argc != 3 || WSAStartup(0x202, &data))
		return 2;
	SOCKET one = bound(first, 7000, &error), two = bound(second, 7001, &error);
	struct sockaddr_in a;
	getsockname(two, (void *)&a, &size);
	printf("bound to %s, by getsockname %s: ", second, inet_ntoa(a.sin_addr));
	a = place(first, 7000);
	sendto(two, "x", 1, 0, (void *)&a, sizeof a);
	if (recvfrom(one, &byte, 1, 0, (void *)&a, &size) != 1)
		return 1;
	printf("heard as %s, ", inet_ntoa(a.sin_addr));
	a = place(first, 7001);
	sendto(one, "x", 1, 0, (void *)&a, sizeof a);
	printf("%s %s too; ", recv(two, &byte, 1, 0) == 1 ? "hears" : "does not hear", first);
	bound(first, 7001, &error);
	printf("its port on %s: error %d\n", first, error);
	return 0;
}
C
	x86_64-w64-mingw32-gcc -O1 -Wall -o bound.exe bound.c -lws2_32
	unshare -n sh "$here/${0##*/}" inside
	exit
fi

wine_network eth0=10.9.0.1 eth0=10.9.0.2
wine_begin
for pair in "10.9.0.1 10.9.0.2" "127.0.0.1 127.0.0.77"; do wine bound.exe $pair; done | tee seen
[ "$(sed 's/.*: heard/heard/' seen | paste -sd'|')" = "heard as 10.9.0.1, hears 10.9.0.1 too; its port on 10.9.0.1: error 10048|heard as 127.0.0.1, hears 127.0.0.1 too; its port on 127.0.0.1: error 10048" ] || {
	echo "changed: a socket has the address that it is bound to" >&2
	exit 1
}
