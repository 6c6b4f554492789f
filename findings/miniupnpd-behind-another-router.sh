#!/bin/sh
# miniupnpd behind another router: it is there, says "Connected", and refuses each mapping by a code that names something else.
#
# Package:  miniupnpd-nftables 2.3.1-1 (Debian 12; OpenWrt's default is of the same family).
# Guess:    a router whose own address is private (10.0.0.0/8, the provider's 100.64.0.0/10) maps ports all the same and
#           tells that address, from which a program sees that it is behind another router.
# Seen:     it maps nothing. By UPnP its status is "Connected" without an error, its address is the empty
#           text, and a mapping fails with 501, "ActionFailed"; by NAT-PMP both questions fail with 3, which RFC
#           6886 gives to a router that has no address from its provider yet; by PCP with 8, "no resources". None of
#           them says what the matter is: take an empty address together with a refusal for it.
# Output:   10.80.0.1:  UPnP status Connected, address "", mapping 501; NAT-PMP address 3, mapping 3; PCP 8
#           100.64.0.1: UPnP status Connected, address "", mapping 501; NAT-PMP address 3, mapping 3; PCP 8
#           45.80.0.1:  UPnP status Connected, address "45.80.0.1", mapping 200; NAT-PMP address 0, mapping 0; PCP 0
#
# Needs root and iproute2, for a network namespace of its own: nothing outside of it is touched.
set -eu
. "$(dirname "$0")/miniupnpd.inc"
if [ "${1-}" != inside ]; then
	. "$(dirname "$0")/begin.inc"
	fetch $packages
	client
	cat >upnp.c <<'C'
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* soap calls an action of the service, and gives the answer. */
static char *soap(const char *action, const char *arguments)
{
	static const char service[] = "urn:schemas-upnp-org:service:WANIPConnection:1";
	static char answer[8192];
	char body[2048], question[4096];
	size_t got = 0;
	ssize_t n;
	struct sockaddr_in client = {.sin_family = AF_INET}, router = {.sin_family = AF_INET, .sin_port = htons(5000)};
	int s = socket(AF_INET, SOCK_STREAM, 0);
	inet_aton("192.168.7.2", &client.sin_addr);
	inet_aton("192.168.7.1", &router.sin_addr);
	if (bind(s, (void *)&client, sizeof client) || connect(s, (void *)&router, sizeof router))
		exit(1);
	snprintf(body, sizeof body, "<?xml version=\"1.0\"?><s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><u:%s xmlns:u=\"%s\">%s</u:%s></s:Body></s:Envelope>", action, service, arguments, action);
	snprintf(question, sizeof question, "POST /ctl/IPConn HTTP/1.1\r\nHost: 192.168.7.1:5000\r\nContent-Type: text/xml\r\nSOAPAction: \"%s#%s\"\r\nConnection: close\r\nContent-Length: %zu\r\n\r\n%s", service, action, strlen(body), body);
	if (send(s, question, strlen(question), 0) < 0)
		exit(1);
	while (got < sizeof answer - 1 && (n = recv(s, answer + got, sizeof answer - 1 - got, 0)) > 0)
		got += n;
	answer[got] = 0;
	close(s);
	return answer;
}

/* within is the text of an element. */
static char *within(char *text, const char *element)
{
	char *from = strstr(text, element), *to = from ? strstr(from, "</") : NULL;
	if (to == NULL)
		return "none";
	*to = 0;
	return from + strlen(element);
}

int main(void)
{
	printf("UPnP status %s, ", within(soap("GetStatusInfo", ""), "<NewConnectionStatus>"));
	printf("address \"%s\", ", within(soap("GetExternalIPAddress", ""), "<NewExternalIPAddress>"));
	char *answer = soap("AddPortMapping", "<NewRemoteHost></NewRemoteHost><NewExternalPort>4000</NewExternalPort><NewProtocol>UDP</NewProtocol><NewInternalPort>4000</NewInternalPort><NewInternalClient>192.168.7.2</NewInternalClient><NewEnabled>1</NewEnabled><NewPortMappingDescription>a game</NewPortMappingDescription><NewLeaseDuration>3600</NewLeaseDuration>");
	printf("mapping %s", strncmp(answer, "HTTP/1.1 200", 12) == 0 ? "200" : within(answer, "<errorCode>"));
	return 0;
}
C
	gcc -O1 -Wall -o upnp upnp.c
	unshare -n sh "$here/${0##*/}" inside
	exit
fi

lab
printf "http_port=5000\nenable_upnp=yes\n" >>daemon.conf
# router ADDRESS: the answers of a router whose address is that one. Nothing leaves the namespace.
router() {
	ip addr add "$1/24" dev WAN
	begin
	printf '%-11s %s; NAT-PMP address %s, mapping %s; PCP %s\n' "$1:" "$(./upnp)" "$(result pmp 0 0 0 0)" "$(result pmp 1 5000 5000 3600)" \
		"$(result pcp 1 6000 6000 3600)"
	end
	ip addr del "$1/24" dev WAN
}
for address in 10.80.0.1 100.64.0.1 45.80.0.1; do router $address; done | tee seen
refused='UPnP status Connected, address "", mapping 501; NAT-PMP address 3, mapping 3; PCP 8'
printf '%s\n' "10.80.0.1:  $refused" "100.64.0.1: $refused" '45.80.0.1:  UPnP status Connected, address "45.80.0.1", mapping 200; NAT-PMP address 0, mapping 0; PCP 0' | cmp -s - seen || {
	echo "changed: a router behind another one answers otherwise" >&2
	exit 1
}
