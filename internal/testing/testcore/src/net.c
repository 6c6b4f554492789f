#include "net.h"

#include <string.h>
#include <time.h>

#include "fault.h"
#include "like.h"
#include "state.h"

#define WAIT_MS 25

// The frontend's functions. Not state: a console loaded elsewhere gets its own.
static retro_netpacket_send_t send_fn;
static retro_netpacket_poll_receive_t poll_fn;

static void started(uint16_t id, retro_netpacket_send_t send, retro_netpacket_poll_receive_t poll) {
	(void)id; // melonDS DS ignores it, too
	send_fn = send;
	poll_fn = poll;
}

static void stopped(void) {
	send_fn = NULL;
	poll_fn = NULL;
}

// A frontend may bring any bytes. One that is no packet is counted, and so
// changes the hash.
static void received(const void *buf, size_t len, uint16_t from) {
	struct queue *q = &con.q;
	const uint8_t *b = buf;
	if (!b || len < NET_HEADER || len > NET_HEADER + FRAME_MAX || b[9] > PACKET_COMMAND ||
	    q->used == QUEUE_MAX) {
		q->bad++;
		return;
	}
	struct packet *p = &q->packets[(q->head + q->used++) % QUEUE_MAX];
	memset(p, 0, sizeof *p);
	for (int i = 0; i < 8; i++) p->time = p->time << 8 | b[i];
	p->aid = b[8];
	p->type = b[9];
	p->from = from;
	p->len = (uint16_t)(len - NET_HEADER);
	memcpy(p->data, b + NET_HEADER, p->len);
	if (p->type == PACKET_COMMAND) {
		q->last_host = from;
		q->has_host = 1;
	}
}

void net_announce(retro_environment_t env) {
#ifndef TESTCORE_NO_NETPACKET
	static const struct retro_netpacket_callback cb = {
		.start = started,
		.receive = received,
		.stop = stopped,
	};
	if (!like_breaks("radio")) env(RETRO_ENVIRONMENT_SET_NETPACKET_INTERFACE, (void *)&cb);
#else
	(void)env;
#endif
}

bool net_ready(void) { return send_fn && poll_fn; }

void net_forget(void) {
	con.q.head = con.q.used = con.q.has_host = con.q.last_host = 0;
	memset(con.q.packets, 0, sizeof con.q.packets);
}

void net_send(uint64_t time, uint8_t aid, uint8_t type, const void *frame, uint16_t len) {
	struct queue *q = &con.q;
	uint8_t buf[NET_HEADER + FRAME_MAX];
	if (!net_ready()) return;
	for (int i = 0; i < 8; i++) buf[i] = (uint8_t)(time >> (56 - 8 * i));
	buf[8] = aid;
	buf[9] = type;
	if (len) memcpy(buf + NET_HEADER, frame, len);
	if (len) buf[NET_HEADER + len - 1] ^= fault_packet();
	uint16_t to = RETRO_NETPACKET_BROADCAST;
	if (type == PACKET_COMMAND) q->has_host = 0;
	if (type == PACKET_REPLY && q->has_host) to = (uint16_t)q->last_host;
	fault_at(AT_SEND, q->sent++);
	send_fn(RETRO_NETPACKET_UNSEQUENCED | RETRO_NETPACKET_UNRELIABLE | RETRO_NETPACKET_FLUSH_HINT, buf,
	        NET_HEADER + len, to);
}

void net_send_odd(void) {
	static const uint8_t odd[NET_HEADER - 1];
	if (net_ready()) send_fn(RETRO_NETPACKET_RELIABLE, odd, sizeof odd, RETRO_NETPACKET_BROADCAST);
}

static bool pop(struct packet *p) {
	struct queue *q = &con.q;
	if (!q->used) return false;
	*p = q->packets[q->head];
	memset(&q->packets[q->head], 0, sizeof *p);
	q->head = (q->head + 1) % QUEUE_MAX;
	q->used--;
	q->received++;
	mix(con.m.ticks);
	mix(p->time ^ (uint64_t)p->from << 48 ^ (uint64_t)p->aid << 40 ^ (uint64_t)p->type << 32);
	mix_bytes(p->data, p->len);
	return true;
}

static void ask(void) {
	send_fn(RETRO_NETPACKET_FLUSH_HINT, NULL, 0, RETRO_NETPACKET_BROADCAST);
	poll_fn();
}

bool net_poll(struct packet *p) {
	struct queue *q = &con.q;
	if (!net_ready()) return false;
	if (!q->used) {
		fault_at(AT_POLL, q->polls);
		ask();
	}
	q->polls++;
	return pop(p);
}

bool net_wait(struct packet *p) {
	struct queue *q = &con.q;
	if (!net_ready()) return false;
	fault_at(AT_WAIT, q->waits++);
	if (!q->used) {
		if (like_breaks("wait")) {
			ask();
			if (pop(p)) return true;
			q->timeouts++;
			return false;
		}
		const clock_t start = clock(), limit = WAIT_MS * (CLOCKS_PER_SEC / 1000);
		while (clock() < start + limit) {
			ask();
			if (q->used) break;
		}
	}
	if (pop(p)) return true;
	q->timeouts++;
	return false;
}
