/*
 * Packets on their way: from the box of the console that has sent them into the queues of
 * those that hear them, and into the trace.
 */
#include <string.h>

#include "decide.h"

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 29;
}

/* digest is FNV-1a. */
static uint64_t digest(const uint8_t *b, uint32_t n)
{
	uint64_t h = 0xcbf29ce484222325u;

	while (n--)
		h = (h ^ *b++) * 0x100000001b3u;
	return h;
}

static uint32_t copy(struct np_packet *to, const struct np_packet *from)
{
	uint32_t len = *(volatile const uint32_t *)&from->len;

	if (len > NP_AIR_PACKET)
		len = NP_AIR_PACKET;
	to->len = len;
	to->from = from->from;
	to->to = from->to;
	memcpy(to->data, from->data, len);
	return len;
}

static void record(struct np_state *s, struct np_post *p, int from, const struct np_packet *k)
{
	struct np_record r = {
		.frame = entered(&s->seat[from]),
		.round = s->round,
		.hash = digest(k->data, k->len),
		.len = k->len,
		.seat = (uint16_t)from,
		.to = k->to,
	};

	p->record[s->records++ % NP_AIR_RECORDS] = r;
	s->chain = mix(s->chain, (uint64_t)r.frame);
	s->chain = mix(s->chain, r.round);
	s->chain = mix(s->chain, r.hash);
	s->chain = mix(s->chain, (uint64_t)r.len << 32 | (uint32_t)r.seat << 16 | r.to);
}

static void push(struct np_seat *c, struct np_queue *q, const struct np_packet *k)
{
	copy(&q->slot[c->tail++ % NP_AIR_SLOTS], k);
	if (c->tail - c->head > NP_AIR_QUEUE) {
		c->head++;
		c->fallen++;
	}
	if (c->tail - c->head > c->high_water)
		c->high_water = c->tail - c->head;
}

static void hand_out(struct np_state *s, struct np_post *p, int from, const struct np_packet *k)
{
	s->seat[from].sent++;
	record(s, p, from, k);
	for (int i = 0; i < NP_AIR_SEATS; i++)
		if (i != from && on_air(&s->seat[i]) && (k->to == i || k->to == NP_AIR_EVERYONE))
			push(&s->seat[i], &p->queue[i], k);
}

/* collect moves what a console has sent since it was let run. Of more than fit
 * in its outbox the oldest are lost. */
static void collect(struct np_state *s, struct np_post *p, int from)
{
	struct np_seat *c = &s->seat[from];
	uint32_t count = __atomic_load_n(&p->out[from].count, __ATOMIC_ACQUIRE);
	struct np_packet k;

	if (!on_air(c))
		c->merged = count;
	if (c->merged != count)
		c->idle = c->where == NP_POLLING; /* the poll came after it */
	if (count - c->merged > NP_AIR_OUTBOX) {
		c->fallen += count - c->merged - NP_AIR_OUTBOX;
		c->merged = count - NP_AIR_OUTBOX;
	}
	for (; c->merged != count; c->merged++) {
		copy(&k, &p->out[from].slot[c->merged % NP_AIR_OUTBOX]);
		k.from = (uint16_t)from;
		hand_out(s, p, from, &k);
	}
}

void np_packets_merge(struct np_state *s, struct np_post *p, int last, int64_t high)
{
	int first = broken(s, NP_BREAK_ORDER) ? last : 0;
	uint64_t before = s->records;

	for (int i = 0; i < NP_AIR_SEATS; i++)
		if (!queued(&s->seat[i]))
			s->seat[i].head = s->seat[i].tail = 0;
	for (int i = 0; i < NP_AIR_SEATS; i++)
		collect(s, p, (first + i) % NP_AIR_SEATS);
	if (s->records != before && s->noise < high)
		s->noise = high;
}

void np_packets_take(struct np_state *s, struct np_post *p, int seat)
{
	copy(&p->door[seat].packet, &p->queue[seat].slot[s->seat[seat].head++ % NP_AIR_SLOTS]);
}
