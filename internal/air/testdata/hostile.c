/* Random bytes in the shared memory, under the address and undefined behaviour
 * sanitizers. It ends with status 0 if nothing was wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "air.h"

static uint64_t x = 88172645463325252u;

static uint64_t rnd(void)
{
	x ^= x << 13;
	x ^= x >> 7;
	return x ^= x << 17;
}

static void scribble(void *p, size_t size, int n)
{
	while (n--) {
		uint8_t *b = (uint8_t *)p + rnd() % size;

		*b = rnd() % 3 ? (uint8_t)rnd() : rnd() % 2 ? 255 : (uint8_t)(rnd() % 8);
	}
}

/* plausible is a state that gets far into a decision. */
static void plausible(struct np_state *s)
{
	for (int i = 0; i < NP_AIR_SEATS; i++) {
		struct np_seat *c = &s->seat[i];

		c->where = rnd() % 2 ? NP_PARKED - rnd() % 4 : NP_ABSENT;
		c->where = c->where == NP_RUNNING && rnd() % 8 ? NP_POLLING : c->where;
		c->at = (uint8_t)(rnd() % 9);
		c->frame = rnd() % 4 ? (int64_t)(rnd() % 3) : (int64_t)rnd();
		c->tail = (uint32_t)rnd();
		c->head = c->tail - (uint32_t)(rnd() % 300);
		c->merged = (uint32_t)rnd();
	}
	s->open = s->stop = rnd() % 2 ? 2 : INT64_MAX;
}

int main(int argc, char **argv)
{
	struct np_air *air = calloc(1, sizeof *air);
	struct np_radio *r = calloc(1, sizeof *r);
	struct np_record *records = calloc(NP_AIR_RECORDS, sizeof *records);
	static uint8_t bytes[3000];
	int decided = 0, owner;

	for (int n = argc > 1 ? atoi(argv[1]) : 1000; n > 0; n--) {
		struct np_state s;
		uint64_t next = rnd();
		uint32_t dead;

		if (n % 2)
			plausible(&air->state[air->current & 1]);
		scribble(air->state, sizeof air->state, (int)(rnd() % 64));
		scribble(air->post.door, sizeof air->post.door, 20);
		scribble(air->post.out, sizeof air->post.out, 200);
		for (int i = 0; i < NP_AIR_SEATS; i++) {
			air->post.queue[i].slot[rnd() % NP_AIR_SLOTS].len = (uint32_t)rnd();
			air->post.out[i].slot[rnd() % NP_AIR_OUTBOX].len = (uint32_t)rnd();
			air->post.out[i].count += (uint32_t)(rnd() % 40);
		}
		air->current = (uint32_t)rnd();
		memcpy(&s, &air->state[rnd() & 1], sizeof s);
		np_air_check(&s);
		np_air_arrive(&s, &air->post, (int)(rnd() % NP_AIR_SEATS), rnd() % 10);
		decided += np_air_decide(&s, &air->post, 0);
		np_air_event(air, (int)rnd(), rnd() % 10);
		dead = 1u << rnd() % 16;
		np_air_trace(air, &dead, &next, records, &owner);
		np_air_mend(air, &dead);
		np_radio_open(r, air, (int)rnd());
		r->in_frame = r->on = 1;
		np_radio_send(r, bytes, rnd() % sizeof bytes, (unsigned)rnd());
	}
	free(air);
	free(r);
	free(records);
	fprintf(stderr, "%d decisions\n", decided);
	return decided < 100;
}
