/*
 * The meeting point: workers stop here and the last to arrive decides.
 *
 * The state is only ever replaced as a whole (commit), so taking the lock (lock.c) from a
 * dead worker is safe at any instruction: what it had not committed has never been, and
 * of what it had, only the opening of doors can be left, which the next commit makes good.
 *
 * A stopped console sleeps at its own door, on a count of its turns. It is
 * written last, so whoever sees it change finds the answer there.
 */
#ifdef NP_FAULTS
#include <signal.h>
#endif
#include <string.h>

#include "air.h"
#include "lock.h"

/* die is a worker's end in the middle of its work, where a test wants that. */
static void die(const struct np_air *air, int64_t frame, int seat, enum np_death where)
{
#ifdef NP_FAULTS
	uint32_t never = 0;

	if (air->death.seat != (uint32_t)seat || air->death.frame != frame)
		return;
	while (where == NP_DEATH_LOCKED && air->death.where == NP_DEATH_STUCK)
		np_sleep(&never, 0, 1000);
	if (air->death.where == (uint32_t)where)
		signal(SIGILL, SIG_DFL), __builtin_trap();
#else
	(void)air, (void)frame, (void)seat, (void)where;
#endif
}

/* --- with the lock held --- */

static void load(struct np_air *air, struct np_state *s)
{
	memcpy(s, &air->state[__atomic_load_n(&air->current, __ATOMIC_ACQUIRE) & 1], sizeof *s);
	np_air_check(s);
}

/* turn_over makes s the state, at once. */
static void turn_over(struct np_air *air, const struct np_state *s)
{
	uint32_t next = (__atomic_load_n(&air->current, __ATOMIC_RELAXED) & 1) ^ 1;

	memcpy(&air->state[next], s, sizeof *s);
	__atomic_store_n(&air->current, next, __ATOMIC_RELEASE);
}

/* open_doors opens those of all that the state s lets run; it returns a bit for each. */
static uint32_t open_doors(struct np_air *air, const struct np_state *s)
{
	uint32_t opened = 0;

	for (int i = 0; i < NP_AIR_SEATS; i++) {
		uint32_t *turn = &air->post.door[i].turn;

		if (__atomic_load_n(turn, __ATOMIC_RELAXED) == s->seat[i].turn)
			continue;
		__atomic_store_n(turn, s->seat[i].turn, __ATOMIC_RELEASE);
		opened |= 1u << i;
	}
	return opened;
}

static uint32_t commit(struct np_air *air, const struct np_state *s)
{
	turn_over(air, s);
	return open_doors(air, s);
}

/* --- without it --- */

static void call(struct np_air *air, uint32_t who)
{
	for (int i = 0; i < NP_AIR_SEATS; i++)
		if (who >> i & 1)
			np_wake(&air->post.door[i].turn, NP_LOCK_ALL);
}

/* happen lets an event take place, and the decision if it was the last. It
 * returns whether seat must wait until its turn is no longer *turn. */
static int happen(struct np_air *air, int seat, enum np_event e, uint32_t *turn)
{
	struct np_state s;
	struct np_seat *c = &s.seat[seat];
	uint32_t opened;
	int64_t frame;

	load(air, &s);
	frame = c->frame;
	die(air, frame, seat, NP_DEATH_LOCKED);
	*turn = c->turn;
	np_air_arrive(&s, &air->post, seat, e);
	np_air_decide(&s, &air->post, seat);
	die(air, frame, seat, NP_DEATH_DECIDED);
	turn_over(air, &s);
	die(air, frame, seat, NP_DEATH_COMMITTED);
	opened = open_doors(air, &s);
	die(air, frame, seat, NP_DEATH_OPENED);
	np_unlock(&air->lock);
	call(air, opened & ~(1u << seat));
	return c->where == NP_WAITING || c->where == NP_POLLING || c->where == NP_BLOCKED;
}

static void take_baton(struct np_radio *r)
{
	if (r->air->serial)
		np_lock(&r->air->baton, r->seat, 0, NULL);
}

static void pass_baton(struct np_radio *r)
{
	if (r->air->serial)
		np_unlock(&r->air->baton);
}

static void await(struct np_radio *r, uint32_t turn)
{
	uint32_t *door = &r->air->post.door[r->seat].turn;

	while (__atomic_load_n(door, __ATOMIC_ACQUIRE) == turn)
		np_sleep(door, turn, 0);
}

/* stop waits for the answer to an operation. */
static void stop(struct np_radio *r, enum np_event e)
{
	uint32_t turn;

	np_lock(&r->air->lock, r->seat, 0, NULL);
	if (!happen(r->air, r->seat, e, &turn))
		return;
	pass_baton(r);
	await(r, turn);
	take_baton(r);
}

/* gone: the parent has taken this seat off the air; nobody would answer. */
static int gone(struct np_radio *r)
{
	struct np_state s;

	np_lock(&r->air->lock, r->seat, 0, NULL);
	load(r->air, &s);
	np_unlock(&r->air->lock);
	return s.seat[r->seat].where == NP_ABSENT;
}

/* --- for workers --- */

void np_radio_open(struct np_radio *r, struct np_air *air, int seat)
{
	memset(r, 0, sizeof *r);
	r->air = air;
	r->seat = seat & (NP_AIR_SEATS - 1);
	r->host = NP_AIR_NO_HOST;
	r->ahead = NP_AIR_UNKNOWN;
}

void np_radio_follow(struct np_radio *r, unsigned host, unsigned behind, unsigned ahead)
{
	struct np_outbox *out = &r->air->post.out[r->seat];

	r->host = host;
	r->behind = behind;
	r->ahead = ahead;
	if (!r->in_frame)
		return; /* the air may not know of this console yet */
	out->host = host;
	out->behind = behind;
	out->ahead = ahead;
}

/* leave says how many polls may be answered here before the next stop. */
static uint32_t leave(const struct np_radio *r)
{
	uint32_t n = *(volatile const uint32_t *)&r->air->post.door[r->seat].leave;

	return n < NP_AIR_LONG ? n : 0;
}

/* stride says which polls must stop at all. */
static uint32_t stride(const struct np_radio *r)
{
	uint32_t n = *(volatile const uint32_t *)&r->air->post.door[r->seat].stride;

	return n && n <= NP_AIR_STRIDE ? n : 1;
}

/* alone: this poll, the nth of its frame that does not block, gets nothing and
 * stops for nobody. */
static int alone(struct np_radio *r, uint32_t n)
{
	if (r->leave)
		r->leave--;
	else if (!r->on || n % r->stride == 0)
		return 0;
	r->own++;
	return 1;
}

void np_radio_begin(struct np_radio *r)
{
	struct np_state s;
	struct np_seat *c = &s.seat[r->seat];

	np_lock(&r->air->lock, r->seat, 0, NULL);
	load(r->air, &s);
	np_unlock(&r->air->lock);
	r->on = c->where == NP_PARKED || c->where == NP_RUNNING;
	r->mute = c->where == NP_ABSENT;
	if (c->where == NP_PARKED) {
		await(r, c->turn);
		r->mute = r->air->post.door[r->seat].mute != 0;
	}
	take_baton(r);
	r->used = 0;
	r->grant = r->own = 0;
	r->leave = r->on ? leave(r) : 0;
	r->stride = r->on ? stride(r) : 1;
	r->polls = 0;
	r->in_frame = 1;
	np_radio_follow(r, r->host, r->behind, r->ahead);
}

int np_radio_send(struct np_radio *r, const void *data, size_t len, unsigned to)
{
	struct np_outbox *out = &r->air->post.out[r->seat];
	struct np_packet *k;

	if (!r->in_frame || !data || len == 0 || len > NP_AIR_PACKET)
		return -1;
	r->used = 1;
	r->leave = 0; /* somebody may answer */
	r->stride = 1;
	if (!r->on && !r->mute) {
		stop(r, NP_SEND);
		r->on = 1;
	}
	k = &out->slot[out->count % NP_AIR_OUTBOX];
	k->len = (uint32_t)len;
	k->to = to < NP_AIR_EVERYONE ? (uint16_t)to : NP_AIR_EVERYONE;
	memcpy(k->data, data, len);
	__atomic_store_n(&out->count, out->count + 1, __ATOMIC_RELEASE);
	return 0;
}

/* receive copies the packet at the door, for the core's eyes only. */
static void receive(struct np_radio *r, const struct np_packet *k)
{
	uint32_t len = *(volatile const uint32_t *)&k->len;

	r->packet.len = len < NP_AIR_PACKET ? len : NP_AIR_PACKET;
	r->packet.from = k->from;
	r->packet.to = k->to;
	memcpy(r->packet.data, k->data, r->packet.len);
}

enum np_answer np_radio_poll(struct np_radio *r, enum np_event e)
{
	enum np_answer nothing = e == NP_POLL ? NP_NONE : NP_GIVE_UP;
	struct np_door *d = &r->air->post.door[r->seat];
	uint32_t turn;

	if (!r->in_frame)
		return nothing;
	r->used = 1;
	if (r->mute)
		return nothing;
	if (e != NP_POLL && r->grant) {
		r->grant--;
		return nothing;
	}
	if (e == NP_POLL && alone(r, r->polls++))
		return nothing;
	r->air->post.out[r->seat].own = r->own;
	r->leave = r->own = 0;
	turn = __atomic_load_n(&d->turn, __ATOMIC_ACQUIRE);
	stop(r, e);
	if (__atomic_load_n(&d->turn, __ATOMIC_ACQUIRE) == turn) {
		r->mute = gone(r);
		return nothing;
	}
	r->on = 1;
	r->mute = d->mute != 0;
	r->stride = stride(r);
	if (e != NP_POLL)
		r->grant = d->grant < NP_AIR_GRANT ? d->grant : 0;
	if (d->answer != NP_PACKET) {
		r->leave = e == NP_POLL ? leave(r) : 0;
		return nothing;
	}
	r->grant = 0;
	receive(r, &d->packet);
	return NP_PACKET;
}

void np_radio_end(struct np_radio *r)
{
	uint32_t turn;

	if (!r->in_frame)
		return;
	r->in_frame = 0;
	np_lock(&r->air->lock, r->seat, 0, NULL);
	happen(r->air, r->seat, r->used ? NP_END : NP_END_SILENT, &turn);
	pass_baton(r);
}

/* --- for the parent --- */

static int enter(struct np_air *air, const uint32_t *dead)
{
	return np_lock(&air->lock, NP_AIR_PARENT, NP_LOCK_PATIENCE, dead);
}

int np_air_event(struct np_air *air, int seat, enum np_event e)
{
	uint32_t turn;
	int owner = enter(air, NULL);

	if (owner == -1)
		happen(air, seat & (NP_AIR_SEATS - 1), e, &turn);
	return owner;
}

int np_air_mend(struct np_air *air, const uint32_t *dead)
{
	struct np_state s;
	uint32_t gone = __atomic_load_n(dead, __ATOMIC_ACQUIRE);
	int owner;

	np_lock_break(&air->lock, gone);
	np_lock_break(&air->baton, gone);
	owner = enter(air, dead);
	if (owner != -1)
		return owner;
	load(air, &s);
	for (int i = 0; i < NP_AIR_SEATS; i++)
		if (gone >> i & 1)
			np_air_arrive(&s, &air->post, i, NP_GONE);
	np_air_decide(&s, &air->post, 0);
	commit(air, &s);
	np_unlock(&air->lock);
	call(air, (1u << NP_AIR_SEATS) - 1);
	return -1;
}

int np_air_enter(struct np_air *air, const uint32_t *dead, struct np_state *s)
{
	int owner = enter(air, dead);

	if (owner == -1)
		load(air, s);
	return owner;
}

void np_air_leave(struct np_air *air, struct np_state *s)
{
	uint32_t opened = 0;

	if (s) {
		np_air_decide(s, &air->post, 0);
		opened = commit(air, s);
	}
	np_unlock(&air->lock);
	call(air, opened);
}

int np_air_trace(struct np_air *air, const uint32_t *dead, uint64_t *next, struct np_record to[NP_AIR_RECORDS],
                 int *owner)
{
	struct np_state s;
	int n = 0;

	*owner = enter(air, dead);
	if (*owner != -1)
		return 0;
	load(air, &s);
	if (*next > s.records)
		*next = s.records;
	if (s.records - *next > NP_AIR_KEPT)
		*next = s.records - NP_AIR_KEPT;
	for (; *next < s.records; ++*next)
		to[n++] = air->post.record[*next % NP_AIR_RECORDS];
	np_unlock(&air->lock);
	return n;
}
