/*
 * The decision: who runs next and who hears what. Pure: it reads and writes only
 * the state and the post it is given, and takes bounded time for any bytes
 * in them. doc.go has the rules and the reasons.
 */
#include "air.h"

#include <string.h>

static int on_air(const struct np_seat *c)
{
	return c->where >= NP_RUNNING;
}

/* entered is the frame that a console on the air has begun last. */
static int64_t entered(const struct np_seat *c)
{
	return c->where == NP_PARKED ? c->frame - 1 : c->frame;
}

static int queued(const struct np_seat *c)
{
	return c->head != c->tail;
}

static int64_t bounded(int64_t frame)
{
	if (frame < 0)
		return 0;
	return frame < NP_AIR_FRAME_MAX ? frame : NP_AIR_FRAME_MAX;
}

void np_air_check(struct np_state *s)
{
	s->open = bounded(s->open);
	s->stop = bounded(s->stop);
	if (s->skew > NP_AIR_SKEW_MAX)
		s->skew = NP_AIR_SKEW_MAX;
	for (int i = 0; i < NP_AIR_SEATS; i++) {
		struct np_seat *c = &s->seat[i];

		c->frame = bounded(c->frame);
		if (c->where > NP_PARKED)
			c->where = NP_ABSENT;
		if (c->at > NP_GONE)
			c->at = NP_NOTHING;
		if (c->tail - c->head > NP_AIR_QUEUE)
			c->head = c->tail;
	}
}

static void leave(struct np_seat *c, enum np_where where)
{
	c->where = where;
	c->at = NP_NOTHING;
	c->head = c->tail = 0;
	c->idle = 0;
}

/* stand stops a console on the air at a poll. */
static void stand(struct np_seat *c)
{
	c->where = c->at == NP_POLL ? NP_POLLING : NP_BLOCKED;
	if (c->where == NP_BLOCKED)
		c->idle = 0;
	else if (c->idle < UINT8_MAX)
		c->idle++;
}

static void end_frame(struct np_seat *c, int silent)
{
	if (c->frame < NP_AIR_FRAME_MAX)
		c->frame++;
	c->idle = 0;
	if (on_air(c) && silent)
		leave(c, NP_OFF);
	else if (on_air(c))
		c->where = NP_PARKED;
}

/* take_off is for the dead. Should its worker live after all, it does not wait for
 * ever: it is answered once, and talks to itself from then on. */
static void take_off(struct np_seat *c, struct np_door *d)
{
	leave(c, NP_ABSENT);
	c->turn++;
	d->answer = NP_NONE;
	d->mute = 1;
	d->grant = 0;
}

void np_air_arrive(struct np_state *s, struct np_post *p, int seat, enum np_event e)
{
	struct np_seat *c = &s->seat[seat];

	if (e == NP_GONE)
		take_off(c, &p->door[seat]);
	if (c->where != NP_OFF && c->where != NP_RUNNING)
		return;
	switch (e) {
	case NP_SEND:
	case NP_POLL:
	case NP_BLOCK:
	case NP_HOST_BLOCK:
		c->at = e;
		if (c->where == NP_OFF)
			c->where = NP_WAITING;
		else if (e != NP_SEND)
			stand(c);
		break;
	case NP_END:
	case NP_END_SILENT:
		end_frame(c, e == NP_END_SILENT);
		break;
	default:
		break;
	}
}

/* --- packets --- */

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

static void merge(struct np_state *s, struct np_post *p, int last)
{
	int first = s->broken & NP_BREAK_ORDER ? last : 0;

	for (int i = 0; i < NP_AIR_SEATS; i++)
		if (!queued(&s->seat[i]))
			s->seat[i].head = s->seat[i].tail = 0;
	for (int i = 0; i < NP_AIR_SEATS; i++)
		collect(s, p, (first + i) % NP_AIR_SEATS);
}

/* --- the rules --- */

static void let(struct np_state *s, struct np_post *p, int i, enum np_answer answer, int mute)
{
	struct np_seat *c = &s->seat[i];
	struct np_door *d = &p->door[i];

	c->where = NP_RUNNING;
	c->at = NP_NOTHING;
	c->turn++;
	d->answer = answer;
	d->mute = mute;
	d->grant = 0;
}

static void deliver(struct np_state *s, struct np_post *p, int i)
{
	struct np_seat *c = &s->seat[i];

	copy(&p->door[i].packet, &p->queue[i].slot[c->head++ % NP_AIR_SLOTS]);
	c->heard++;
	c->idle = 0;
	let(s, p, i, NP_PACKET, 0);
}

/* range finds the lowest and highest frame that a console on the air has begun.
 * With nobody there, it is the frame in which the lowest waiting one comes. It
 * returns 0 if there is no such console, either. */
static int range(const struct np_state *s, int64_t *low, int64_t *high)
{
	int on = 0, waiting = 0;
	int64_t first = 0;

	for (int i = 0; i < NP_AIR_SEATS; i++) {
		const struct np_seat *c = &s->seat[i];

		if (c->where == NP_WAITING && (!waiting++ || c->frame < first))
			first = c->frame;
		if (!on_air(c))
			continue;
		if (!on || entered(c) < *low)
			*low = entered(c);
		if (!on++ || entered(c) > *high)
			*high = entered(c);
	}
	if (!on)
		*low = *high = first;
	return on || waiting;
}

/* ready: nobody runs, and no console off the air can still come on in a frame
 * that has been begun. */
static int ready(const struct np_state *s, int64_t high)
{
	for (int i = 0; i < NP_AIR_SEATS; i++) {
		const struct np_seat *c = &s->seat[i];

		if (c->where == NP_RUNNING && !(s->broken & NP_BREAK_EARLY))
			return 0;
		if (c->where == NP_OFF && c->frame <= high)
			return 0;
	}
	return 1;
}

/* admit lets consoles on the air whose frame all others have reached. One that
 * is about to send runs on; it returns how many. */
static int admit(struct np_state *s, struct np_post *p, int64_t low)
{
	int n = 0;

	for (int i = 0; i < NP_AIR_SEATS; i++) {
		struct np_seat *c = &s->seat[i];

		if (c->where != NP_WAITING || c->frame > low)
			continue;
		if (c->at == NP_SEND)
			let(s, p, i, NP_NONE, 0), n++;
		else
			stand(c);
	}
	return n;
}

static int64_t slowest(const struct np_state *s)
{
	int64_t low = NP_AIR_FRAME_MAX;

	for (int i = 0; i < NP_AIR_SEATS; i++)
		if (on_air(&s->seat[i]) && s->seat[i].frame < low)
			low = s->seat[i].frame;
	return low;
}

/* granted: a blocked console's host has just been told that there is no packet
 * for it, and that for so long that it is past the time of its client. What it
 * sends from now on is later than all the give-ups of a grant. */
static int granted(const struct np_state *s, const struct np_post *p, int i, uint32_t passing)
{
	uint32_t host = *(volatile const uint32_t *)&p->out[i].host;
	uint32_t behind = *(volatile const uint32_t *)&p->out[i].behind;

	if (s->plain || s->seat[i].at != NP_BLOCK || host >= NP_AIR_SEATS || !(passing >> host & 1))
		return 0;
	return behind < UINT8_MAX && s->seat[host].idle >= NP_AIR_IDLE + behind;
}

/* grant lets blocked consoles pass some time beside their hosts. passing: who
 * has been told so in this decision, a bit for each. */
static void grant(struct np_state *s, struct np_post *p, uint32_t passing)
{
	for (int i = 0; i < NP_AIR_SEATS; i++) {
		if (s->seat[i].where != NP_BLOCKED || !granted(s, p, i, passing))
			continue;
		s->seat[i].grants++;
		let(s, p, i, NP_GIVE_UP, 0);
		p->door[i].grant = NP_AIR_GRANT - 1;
	}
}

/* rule 1: polls are answered, packets delivered, and the slowest go on. */
static int serve(struct np_state *s, struct np_post *p, int64_t low)
{
	uint32_t passing = 0;
	int n = 0;

	for (int i = 0; i < NP_AIR_SEATS; i++) {
		struct np_seat *c = &s->seat[i];

		if ((c->where == NP_POLLING || c->where == NP_BLOCKED) && queued(c))
			deliver(s, p, i), n++;
		else if (c->where == NP_POLLING)
			let(s, p, i, NP_NONE, 0), n++, passing |= 1u << i;
		else if (c->where == NP_PARKED && c->frame == low && low < s->stop && low < s->open)
			let(s, p, i, NP_NONE, 0), n++;
	}
	grant(s, p, passing);
	return n;
}

/* rule 2: parked consoles that are not too far ahead go on. It returns how many,
 * or -1 if it is not known yet whether one of them may. */
static int run_ahead(struct np_state *s, struct np_post *p, int64_t low)
{
	uint32_t who = 0;
	int n = 0;

	for (int i = 0; i < NP_AIR_SEATS; i++) {
		struct np_seat *c = &s->seat[i];

		if (c->where != NP_PARKED || c->frame - low > (int64_t)s->skew || c->frame >= s->stop)
			continue;
		if (c->frame >= s->open)
			return -1;
		who |= 1u << i;
	}
	for (int i = 0; i < NP_AIR_SEATS; i++)
		if (who >> i & 1)
			let(s, p, i, NP_NONE, 0), n++;
	return n;
}

/* rule 3: the lowest of n blocked seats gives up; the only live one until its
 * frame ends. */
static int give_up(struct np_state *s, struct np_post *p, int n)
{
	int i = 0;

	while (s->seat[i].where != NP_BLOCKED)
		i++;
	s->seat[i].give_ups++;
	s->seat[i].host_give_ups += s->seat[i].at == NP_HOST_BLOCK;
	let(s, p, i, NP_GIVE_UP, n == 1);
	return 1;
}

static int count(const struct np_state *s, enum np_where where)
{
	int n = 0;

	for (int i = 0; i < NP_AIR_SEATS; i++)
		n += s->seat[i].where == where;
	return n;
}

int np_air_decide(struct np_state *s, struct np_post *p, int last)
{
	int64_t low = 0, high = 0;
	int n, blocked;

	if (!range(s, &low, &high) || !ready(s, high))
		return 0;
	merge(s, p, last);
	n = admit(s, p, low);
	low = slowest(s);
	n += serve(s, p, low);
	blocked = count(s, NP_BLOCKED);
	if (n == 0 && blocked)
		n = run_ahead(s, p, low);
	if (n == 0 && blocked)
		n = give_up(s, p, blocked);
	if (n <= 0)
		return 0;
	s->round++;
	return 1;
}
