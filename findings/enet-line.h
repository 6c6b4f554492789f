/* A line between two ENet hosts in virtual time, for the scripts beside it: ENet's own clock and sockets are these. */
#include <enet/enet.h>
#include <stdio.h>
#include <string.h>

/* The line: two ends, told apart by their sockets, and datagrams on their way, in order. */
static enet_uint32 now = 1000, delay, jitter; /* milliseconds */
static unsigned loss;                         /* percent of the datagrams, by chance, the same in each run */
static int dead;                              /* from here on nothing arrives any more */
static struct {
	enet_uint32 due;
	ENetSocket from;
	size_t size;
	char bytes[2000];
} held[4096];
static unsigned ends[2], nexts[2];
static ENetSocket sockets[2];
static ENetAddress addresses[2];

enet_uint32 enet_time_get(void)
{
	return now;
}

int enet_socket_send(ENetSocket s, const ENetAddress *to, const ENetBuffer *parts, size_t n)
{
	static unsigned chance = 2463534242;
	int end = s == sockets[1];
	unsigned at = end * 2048 + ends[end]++ % 2048;
	(void)to;
	chance ^= chance << 13, chance ^= chance >> 17, chance ^= chance << 5;
	held[at].due = now + delay + (jitter ? ends[end] * 7 % jitter : 0);
	held[at].size = 0;
	for (; n > 0; n--, parts++) {
		memcpy(held[at].bytes + held[at].size, parts->data, parts->dataLength);
		held[at].size += parts->dataLength;
	}
	if (chance % 100 < loss)
		ends[end]--; /* the next one takes its place */
	return (int)held[at].size;
}

int enet_socket_receive(ENetSocket s, ENetAddress *from, ENetBuffer *into, size_t n)
{
	int other = s != sockets[1];
	unsigned at = other * 2048 + nexts[other] % 2048;
	(void)n;
	if (nexts[other] == ends[other] || held[at].due > now || dead)
		return 0;
	nexts[other]++;
	*from = addresses[other];
	memcpy(into->data, held[at].bytes, held[at].size);
	return (int)held[at].size;
}

static ENetHost *hosts[2];

/* open_hosts has two new hosts, with so many places each. */
static void open_hosts(size_t places)
{
	ENetAddress any = {.host = ENET_HOST_ANY, .port = 0};
	memset(ends, 0, sizeof ends);
	memset(nexts, 0, sizeof nexts);
	for (int i = 0; i < 2; i++) {
		if (hosts[i] != NULL)
			enet_host_destroy(hosts[i]);
		hosts[i] = enet_host_create(&any, places, 1, 0, 0);
		sockets[i] = hosts[i]->socket;
		addresses[i] = (ENetAddress){.host = ENET_HOST_TO_NET_32(0x7f000001), .port = hosts[i]->address.port};
	}
}

/* meet has two new hosts, of which the first one connects to the other. */
static inline ENetPeer *meet(void)
{
	open_hosts(1);
	return enet_host_connect(hosts[0], &addresses[1], 1, 0);
}
