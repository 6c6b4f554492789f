/*
 * The decision: which consoles run next, and which hear what. Pure: it reads and writes only
 * the state and the post it is given, and takes bounded time for any bytes
 * in them. doc.go has the rules and the reasons; packets.c, doors.c and grants.c are parts of it.
 */
#include "decide.h"

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

/* --- the rules --- */

static void deliver(struct np_state *s, struct np_post *p, int i)
{
	struct np_seat *c = &s->seat[i];

	np_packets_take(s, p, i);
	c->heard++;
	c->idle = 0;
	np_door_open(s, p, i, NP_PACKET, 0);
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
			np_door_open(s, p, i, NP_NONE, 0), n++;
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
			np_door_open(s, p, i, NP_NONE, 0), n++, t->idle |= bit;
		} else if (c->where == NP_PARKED && c->frame == low && low < s->stop && low < s->open) {
			np_door_open(s, p, i, NP_NONE, 0), n++, t->woken |= bit;
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
			np_door_open(s, p, i, NP_NONE, 0), n++;
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
	np_door_open(s, p, i, NP_GIVE_UP, n == 1);
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
	np_packets_merge(s, p, last, high);
	n = admit(s, p, low);
	low = slowest(s);
	n += serve(s, p, low, &t);
	np_grant_time(s, p, &t);
	blocked = count(s, NP_BLOCKED);
	if (n == 0 && blocked)
		n = run_ahead(s, p, low, &t);
	if (n == 0 && blocked)
		n = give_up(s, p, blocked);
	if (n <= 0)
		return 0;
	np_grant_leave(s, p, &t);
	s->round++;
	return 1;
}
