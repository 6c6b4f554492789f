/*
 * Shared by the parts of a decision: rules.c has the rules, packets.c what is sent
 * and heard, doors.c how a console is let run, grants.c the time that consoles pass without a
 * decision. Nothing here is for anybody else.
 */
#ifndef NETTPLAY_AIR_DECIDE_H
#define NETTPLAY_AIR_DECIDE_H

#include "air.h"

/* broken: a test wants the schedule to be wrong. Only builds with -tags nettplay_faults
 * can do that. */
static inline int broken(const struct np_state *s, enum np_break how)
{
#ifdef NP_FAULTS
	return (s->broken & (unsigned)how) != 0;
#else
	return (void)s, (void)how, 0;
#endif
}

static inline int on_air(const struct np_seat *c)
{
	return c->where >= NP_RUNNING;
}

/* entered is the frame that a console on the air has begun last. */
static inline int64_t entered(const struct np_seat *c)
{
	return c->where == NP_PARKED ? c->frame - 1 : c->frame;
}

static inline int queued(const struct np_seat *c)
{
	return c->head != c->tail;
}

/* claim reads once what a worker may change at any time. */
static inline uint32_t claim(const uint32_t *word)
{
	return *(volatile const uint32_t *)word;
}

/* turns is what one decision has done so far, a bit for each seat. */
struct turns {
	uint32_t idle;  /* told that there is no packet */
	uint32_t heard; /* got a packet at a blocking poll */
	uint32_t woken; /* let go on from a frame's end */
	int64_t high;   /* the highest frame that somebody on the air was in */
};

/* packets.c */

/* np_packets_merge moves what has been sent since the last decision to the queues, in the order
 * of seats. high: the highest frame that somebody on the air is in. */
void np_packets_merge(struct np_state *s, struct np_post *p, int last, int64_t high);

/* np_packets_take puts the first packet of a queue in the door of its console. */
void np_packets_take(struct np_state *s, struct np_post *p, int seat);

/* doors.c */

/* np_door_open has a console run, with an answer to what it stood at. */
void np_door_open(struct np_state *s, struct np_post *p, int i, enum np_answer answer, int mute);

/* grants.c */

/* np_grant_time lets blocked consoles pass some time while their hosts, which run, have just
 * been told that there is no packet for them. */
void np_grant_time(struct np_state *s, struct np_post *p, struct turns *t);

/* np_grant_leave lets consoles answer their own polls while nobody can send them
 * anything. */
void np_grant_leave(struct np_state *s, struct np_post *p, const struct turns *t);

#endif
