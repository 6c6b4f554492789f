/*
 * Time that consoles pass without a decision: grants to clients and leaves of idle consoles.
 * doc.go says why nobody notices.
 */
#include "decide.h"

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

void np_grant_time(struct np_state *s, struct np_post *p, struct turns *t)
{
	for (int i = 0; i < NP_AIR_SEATS && !s->plain; i++) {
		uint32_t host = claim(&p->out[i].host);

		if (host >= NP_AIR_SEATS || !(t->idle >> host & 1))
			continue;
		if (!follows(s, p, i, (int)host) || missing(s, p, i, (int)host))
			continue;
		s->seat[i].grants++;
		np_door_open(s, p, i, NP_GIVE_UP, 0);
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

void np_grant_leave(struct np_state *s, struct np_post *p, const struct turns *t)
{
	for (int i = 0; i < NP_AIR_SEATS && !s->plain; i++) {
		if (!((t->idle | t->woken) >> i & 1))
			continue;
		p->door[i].leave = away(s, p, t, i);
	}
}
