/*
 * The ways on: a console is let run with an answer to what it stood at, and with its stride on a
 * silent air. doc.go says why nobody notices that.
 */
#include "decide.h"

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

void np_door_open(struct np_state *s, struct np_post *p, int i, enum np_answer answer, int mute)
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
