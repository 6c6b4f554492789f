/*
 * The decision: which consoles run next, and which hear what. Pure: it reads and writes only
 * the state and the post it is given, and takes bounded time for any bytes
 * in them. doc.go has the rules and the reasons.
 */
#include "air.h"

#include <string.h>

/* broken: a test wants the schedule to be wrong. Only builds with -tags nettplay_faults
 * can do that. */
static int broken(const struct np_state *s, enum np_break how)
{
#ifdef NP_FAULTS
	return (s->broken & (unsigned)how) != 0;
#else
	return (void)s, (void)how, 0;
#endif
}

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
	s->noise = bounded(s->noise);
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

/* stand stops a console on the air at a poll, after own that it answered itself. */
static void stand(struct np_seat *c, uint32_t own)
{
	c->where = c->at == NP_POLL ? NP_POLLING : NP_BLOCKED;
	if (c->where == NP_BLOCKED)
		c->idle = 0;
	else if (own < UINT8_MAX && c->idle + own < UINT8_MAX)
		c->idle = (uint8_t)(c->idle + own + 1);
	else
		c->idle = UINT8_MAX;
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
	d->grant = d->leave = 0;
	d->stride = 1;
}

void np_air_arrive(struct np_state *s, struct np_post *p, int seat, enum np_event e)
{
	struct np_seat *c = &s->seat[seat];

	if (e == NP_GONE)
		take_off(c, &p->door[seat]);
	if (c->where != NP_OFF && c->where != NP_RUNNING)
		return;
	c->known = 1;
	switch (e) {
	case NP_SEND:
	case NP_POLL:
	case NP_BLOCK:
	case NP_HOST_BLOCK:
		c->at = e;
		if (c->where == NP_OFF)
			c->where = NP_WAITING;
		else if (e != NP_SEND)
			stand(c, *(volatile const uint32_t *)&p->out[seat].own);
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

static void merge(struct np_state *s, struct np_post *p, int last, int64_t high)
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

/* --- the rules --- */

static uint32_t claim(const uint32_t *word)
{
	return *(volatile const uint32_t *)word;
}

/* leads: somebody on the air is in the game of this console. */
static int leads(const struct np_state *s, const struct np_post *p, int host)
{
	for (int i = 0; i < NP_AIR_SEATS; i++)
		if (on_air(&s->seat[i]) && s->seat[i].known && claim(&p->out[i].host) == (uint32_t)host)
			return 1;
	return 0;
}

/* stride is at which polls a console stands that is given this answer: on a silent
 * air at few. */
static uint32_t stride(const struct np_state *s, const struct np_post *p, int i, enum np_answer answer)
{
	const struct np_seat *c = &s->seat[i];

	if (answer == NP_PACKET || queued(c) || c->frame - s->noise <= NP_AIR_SILENT || leads(s, p, i))
		return 1;
	return NP_AIR_STRIDE;
}

static void let(struct np_state *s, struct np_post *p, int i, enum np_answer answer, int mute)
{
	struct np_seat *c = &s->seat[i];
	struct np_door *d = &p->door[i];

	c->where = NP_RUNNING;
	c->at = NP_NOTHING;
	c->turn++;
	d->answer = answer;
	d->mute = (uint32_t)mute;
	d->grant = d->leave = 0;
	d->stride = stride(s, p, i, answer);
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

		if (c->where == NP_RUNNING && !broken(s, NP_BREAK_EARLY))
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
			stand(c, 0);
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

static int count(const struct np_state *s, enum np_where where)
{
	int n = 0;

	for (int i = 0; i < NP_AIR_SEATS; i++)
		n += s->seat[i].where == where;
	return n;
}

/* --- grants --- */

/* turns is what one decision has done so far, a bit for each seat. */
struct turns {
	uint32_t idle;  /* told that there is no packet */
	uint32_t heard; /* got a packet at a blocking poll */
	uint32_t woken; /* let go on from a frame's end */
	int64_t high;   /* the highest frame that somebody on the air was in */
};

/* follows: seat i stands at a blocking poll, awaits no replies, and knows how far
 * it may be ahead of its host. */
static int follows(const struct np_state *s, const struct np_post *p, int i, int host)
{
	return s->seat[i].where == NP_BLOCKED && s->seat[i].at == NP_BLOCK &&
	       claim(&p->out[i].host) == (uint32_t)host && claim(&p->out[i].behind) < NP_AIR_UNKNOWN;
}

/* ahead is what a game host says of its clients' time. */
static uint32_t ahead(const struct np_state *s, const struct np_post *p, int host)
{
	uint32_t n = claim(&p->out[host].ahead);

	if (!s->seat[host].known || claim(&p->out[host].host) != NP_AIR_NO_HOST || n > NP_AIR_UNKNOWN)
		return NP_AIR_UNKNOWN;
	return n;
}

/* missing is how many more idle polls a host has to make before it is past the
 * time of its client, which is blocked: what it sends then is later than all the
 * give-ups of a grant. */
static uint32_t missing(const struct np_state *s, const struct np_post *p, int i, int host)
{
	uint32_t idle = s->seat[host].idle, behind = claim(&p->out[i].behind);
	uint32_t few = idle < NP_AIR_IDLE ? NP_AIR_IDLE - idle : 0;
	uint32_t many = idle < NP_AIR_IDLE + behind ? NP_AIR_IDLE + behind - idle : 0;
	uint32_t left = ahead(s, p, host);

	if (behind && left < NP_AIR_UNKNOWN && left < many)
		return left > few ? left : few;
	return many;
}

/* grant lets blocked consoles pass some time while their hosts, which run, have just been
 * told that there is no packet for them. */
static void grant(struct np_state *s, struct np_post *p, struct turns *t)
{
	for (int i = 0; i < NP_AIR_SEATS && !s->plain; i++) {
		uint32_t host = claim(&p->out[i].host);

		if (host >= NP_AIR_SEATS || !(t->idle >> host & 1))
			continue;
		if (!follows(s, p, i, (int)host) || missing(s, p, i, (int)host))
			continue;
		s->seat[i].grants++;
		let(s, p, i, NP_GIVE_UP, 0);
		p->door[i].grant = NP_AIR_GRANT - 1;
	}
}

/* quiet: seat i, which has just been let run, runs on after an ack of host, sends
 * nothing before it stands again, and then stands as long as host is in its frame. */
static int quiet(const struct np_state *s, const struct np_post *p, const struct turns *t, int i, int host)
{
	if (claim(&p->out[i].host) != (uint32_t)host || ahead(s, p, host) == NP_AIR_UNKNOWN)
		return 0;
	if (s->seat[i].frame < s->seat[host].frame)
		return 0;
	if (t->woken >> i & 1)
		return s->seat[i].known && claim(&p->out[i].ahead);
	return t->heard >> i & 1 && !queued(&s->seat[i]) && p->door[i].packet.from == host;
}

/* away is how many idle polls of seat i nobody else can answer otherwise, or
 * would use to pass time beside it. Of those off the air nothing is known beyond
 * the highest frame that somebody was in: they may be there by now, or not. */
static uint32_t away(const struct np_state *s, const struct np_post *p, const struct turns *t, int i)
{
	uint32_t polls = NP_AIR_LONG - 1, n;

	for (int j = 0; j < NP_AIR_SEATS; j++) {
		const struct np_seat *c = &s->seat[j];

		if (j == i || c->where == NP_ABSENT)
			continue;
		n = NP_AIR_LONG;
		if (!on_air(c))
			n = s->seat[i].frame <= t->high && c->frame > s->seat[i].frame ? n : 0;
		else if (c->where == NP_RUNNING)
			n = quiet(s, p, t, j, i) ? ahead(s, p, i) : 0;
		else if (follows(s, p, j, i))
			n = missing(s, p, j, i);
		if (n == 0)
			return 0;
		if (n - 1 < polls)
			polls = n - 1;
	}
	return polls;
}

/* take_leave lets consoles answer their own polls while nobody can send them
 * anything. */
static void take_leave(struct np_state *s, struct np_post *p, const struct turns *t)
{
	for (int i = 0; i < NP_AIR_SEATS && !s->plain; i++) {
		if (!((t->idle | t->woken) >> i & 1))
			continue;
		p->door[i].leave = away(s, p, t, i);
		s->seat[i].leaves += p->door[i].leave > 0;
	}
}

/* rule 1: polls are answered, packets delivered, and the slowest go on. */
static int serve(struct np_state *s, struct np_post *p, int64_t low, struct turns *t)
{
	int n = 0;

	for (int i = 0; i < NP_AIR_SEATS; i++) {
		struct np_seat *c = &s->seat[i];
		uint32_t bit = 1u << i;

		if ((c->where == NP_POLLING || c->where == NP_BLOCKED) && queued(c)) {
			t->heard |= c->at == NP_BLOCK ? bit : 0;
			deliver(s, p, i), n++;
		} else if (c->where == NP_POLLING) {
			let(s, p, i, NP_NONE, 0), n++, t->idle |= bit;
		} else if (c->where == NP_PARKED && c->frame == low && low < s->stop && low < s->open) {
			let(s, p, i, NP_NONE, 0), n++, t->woken |= bit;
		}
	}
	return n;
}

/* rule 2: parked consoles that are not too far ahead go on. It returns how many,
 * or -1 if it is not known yet whether one of them may. */
static int run_ahead(struct np_state *s, struct np_post *p, int64_t low, struct turns *t)
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
	t->woken |= who;
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

int np_air_decide(struct np_state *s, struct np_post *p, int last)
{
	struct turns t = {0};
	int64_t low = 0, high = 0;
	int n, blocked;

	if (!range(s, &low, &high) || !ready(s, high))
		return 0;
	t.high = high;
	merge(s, p, last, high);
	n = admit(s, p, low);
	low = slowest(s);
	n += serve(s, p, low, &t);
	grant(s, p, &t);
	blocked = count(s, NP_BLOCKED);
	if (n == 0 && blocked)
		n = run_ahead(s, p, low, &t);
	if (n == 0 && blocked)
		n = give_up(s, p, blocked);
	if (n <= 0)
		return 0;
	take_leave(s, p, &t);
	s->round++;
	return 1;
}
