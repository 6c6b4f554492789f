/*
 * The air: who runs, and who hears what. Everyone runs until it stops, then it is decided,
 * in seat order.
 */
#include <string.h>

#include "harness.h"

int skew = 1;
uint64_t input_seed, trace, packets, give_ups, host_give_ups, bend;
static uint64_t deliveries;
static ucontext_t scheduler;

static void yield(enum stop why)
{
	struct console *c = current;

	c->stop = why;
	swapcontext(&c->context, &scheduler);
}

/* A console whose radio is silent hears nothing; of one that does not keep up
 * the oldest is lost. */
static void push(struct console *to, const void *buf, size_t len)
{
	if (to->radio + 1 < to->frame)
		return;
	if (to->used == QUEUE) {
		to->head = (to->head + 1) % QUEUE;
		to->used--;
	}
	struct packet *p = &to->queue[(to->head + to->used++) % QUEUE];
	p->from = (uint16_t)seat_of(current);
	p->len = len;
	memcpy(p->data, buf, len);
}

void send_packet(int flags, const void *buf, size_t len, uint16_t to)
{
	(void)flags;
	if (!buf || len == 0)
		return;
	if (len > PACKET_BYTES)
		die("a packet of %zu bytes", len);
	current->radio = current->frame;
	int from = seat_of(current);
	packets++;
	trace = digest(digest(digest(trace, &from, sizeof from), &current->frame, sizeof current->frame), buf, len);
	for (int i = 0; i < seats; i++)
		if (i != from && (to == RETRO_NETPACKET_BROADCAST || to == i))
			push(&consoles[i], buf, len);
}

static void deliver(struct console *c)
{
	if (!c->used)
		return;
	if (++deliveries == bend) {
		c->gave_up += 30000;
		c->told = c->stop == BLOCKED;
		return;
	}
	struct packet *p = &c->queue[c->head];
	c->head = (c->head + 1) % QUEUE;
	c->used--;
	current = c;
	c->net.receive(p->data, p->len, p->from);
	current = NULL;
}

void poll_packets(void)
{
	struct console *c = current;
	int blocks = c->asked_clock;

	c->asked_clock = 0;
	c->radio = c->frame;
	yield(blocks ? BLOCKED : POLLING);
}

static void wake(struct console *c)
{
	c->stop = RUNNING;
	current = c;
	swapcontext(&scheduler, &c->context);
	current = NULL;
}

void live(void)
{
	for (;;) {
		current->run();
		current->frame++;
		if (watch && current->frame % watch == 0)
			print(current);
		yield(PARKED);
	}
}

static int64_t lowest(void)
{
	int64_t f = consoles[0].frame;

	for (int i = 1; i < seats; i++)
		if (consoles[i].frame < f)
			f = consoles[i].frame;
	return f;
}

/* A player who holds things for about eight frames. */
static void next_input(struct console *c)
{
	struct pad *p = &c->pad;

	p->rng = p->rng * 6364136223846793005u + 1442695040888963407u;
	if (!input_seed || p->rng >> 61)
		return;
	p->keys = (uint16_t)(p->rng >> 40 & 0x5fff);
	p->touch = p->rng >> 32 & 1;
	p->x = (int16_t)(p->rng >> 16);
	p->y = (int16_t)(p->rng >> 8 & 0x7fff);
}

/* one_round wakes whoever may go on, and says whether anybody did. */
static int one_round(int64_t until)
{
	int woken = 0, blocked = 0, quiet = 1;
	enum stop was[SEATS];
	int64_t low = lowest();
	int all_parked = 1;

	for (int i = 0; i < seats; i++) {
		was[i] = consoles[i].stop;
		all_parked &= was[i] == PARKED;
		blocked += was[i] == BLOCKED;
		quiet &= was[i] != POLLING && !(was[i] == BLOCKED && consoles[i].used);
	}
	for (int i = 0; i < seats; i++) {
		struct console *c = &consoles[i];
		int ahead = was[i] == PARKED && c->frame < until && quiet && blocked && c->frame - low <= skew;
		int begins = was[i] == PARKED && c->frame < until && all_parked && c->frame == low;

		if (was[i] == POLLING || (was[i] == BLOCKED && c->used))
			deliver(c);
		else if (begins || ahead)
			next_input(c);
		else
			continue;
		wake(c);
		woken++;
	}
	return woken;
}

/* No packet and nobody to bring one: the lowest blocked seat goes on without. */
static int give_up(void)
{
	for (int i = 0; i < seats; i++) {
		struct console *c = &consoles[i];

		if (c->stop != BLOCKED)
			continue;
		give_ups++;
		host_give_ups += ((struct report *)c->get_memory_data(RETRO_MEMORY_SYSTEM_RAM))->aid == 0;
		c->gave_up += 30000;
		c->told = 1;
		wake(c);
		return 1;
	}
	return 0;
}

void run(int64_t frames)
{
	int64_t until = consoles[0].frame;

	for (int i = 1; i < seats; i++)
		if (consoles[i].frame > until)
			until = consoles[i].frame;
	until += frames;
	while (lowest() < until)
		if (!one_round(until) && !give_up())
			die("nobody can go on");
}
