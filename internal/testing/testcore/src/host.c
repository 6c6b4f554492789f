#include <string.h>

#include "game.h"
#include "options.h"
#include "state.h"

#define BEACON_US 102400u
#define GRACE 2u // frames between a client's coming and the first command that asks it

struct beacon {
	uint32_t magic, members;
	uint64_t us;
};

struct assoc {
	uint32_t magic;
	uint16_t aid, pad;
};

static void send_beacon(void) {
	struct beacon b = {GAME_MAGIC, con.g.members, con.w.us};
	wifi_queue(FC_BEACON, mac_broadcast, &b, sizeof b);
	con.g.beacon_us += BEACON_US;
}

// due_at is when in a frame its nth command is due.
static uint32_t due_at(uint32_t n) {
	uint32_t rounds = (uint32_t)option_number(OPT_radio_rounds);
	return (uint32_t)option_number(OPT_radio_at_us) % FRAME_US + n * (FRAME_US / (rounds ? rounds : 1));
}

// until_next is the time until something else goes out after command n: what
// the clients may run ahead by.
static uint32_t until_next(uint32_t now_us, uint32_t n) {
	uint32_t next = due_at(n + 1);
	if (n + 1 >= (uint32_t)option_number(OPT_radio_rounds) || next >= FRAME_US)
		next = FRAME_US + due_at(0);
	uint64_t beacon = con.g.beacon_us - con.w.us, left = next - now_us;
	return (uint32_t)(beacon < left ? beacon : left);
}

static uint16_t asked(void) {
	uint16_t mask = con.g.members;
	for (uint32_t aid = 1; aid <= AID_MAX; aid++)
		if (con.m.frame < con.g.since[aid]) mask &= (uint16_t) ~(1u << aid);
	return mask;
}

static void send_command(uint32_t now_us, uint32_t n) {
	struct game *g = &con.g;
	struct command c = {.shared = g->shared, .round = g->round + 1, .took = g->took};
	memcpy(c.inputs, g->inputs, sizeof c.inputs);
	if (wifi_command(asked(), &c, sizeof c, until_next(now_us, n))) g->round++;
}

void host_tick(uint32_t now_us) {
	struct game *g = &con.g;
	if (con.w.us >= g->beacon_us) send_beacon();
	if (g->due >= (uint32_t)option_number(OPT_radio_rounds) || now_us < due_at(g->due)) return;
	if (g->members) send_command(now_us, g->due);
	g->due++;
}

void game_stamp(uint8_t *command) {
	uint16_t us = (uint16_t)con.m.now_us;
	memcpy(command + offsetof(struct command, now_us), &us, 2);
}

static void leave(uint32_t aid) {
	con.g.members &= (uint16_t) ~(1u << aid);
	memset(con.g.macs[aid], 0, 6);
	con.g.inputs[aid] = 0;
}

// hear_reply takes a client's input. An empty reply means the same as last time.
static void hear_reply(uint32_t aid) {
	struct game *g = &con.g;
	struct reply r;
	if (con.w.reply_len[aid - 1] < sizeof r) return;
	memcpy(&r, con.w.replies[aid - 1], sizeof r);
	g->inputs[aid] = r.input;
	if (r.round + 1 == g->round && r.shared != g->before) g->disagreed++;
}

void game_round_done(uint16_t mask, uint16_t failed) {
	struct game *g = &con.g;
	if (g->role != ROLE_HOST) return;
	g->took = mask & ~failed;
	g->inputs[0] = game_input();
	for (uint32_t aid = 1; aid <= AID_MAX; aid++) {
		if (!(mask & 1u << aid)) continue;
		if (g->took & 1u << aid) {
			g->missing[aid] = 0;
			hear_reply(aid);
			continue;
		}
		g->lost++;
		if (++g->missing[aid] > (uint32_t)option_number(OPT_radio_patience)) leave(aid);
	}
	g->before = g->shared;
	g->shared = game_turn(g->shared, g->round, g->took, g->inputs);
	g->rounds++;
	mix(g->shared);
}

static uint32_t seat_for(const uint8_t mac[6]) {
	struct game *g = &con.g;
	for (uint32_t aid = 1; aid <= AID_MAX; aid++)
		if ((g->members & 1u << aid) && !memcmp(g->macs[aid], mac, 6)) return aid;
	for (uint32_t aid = 1; aid <= AID_MAX; aid++) {
		if (g->members & 1u << aid) continue;
		g->members |= (uint16_t)(1u << aid);
		memcpy(g->macs[aid], mac, 6);
		return aid;
	}
	return 0;
}

void host_heard(uint16_t fc, const uint8_t from[6], const uint8_t *body, uint16_t len) {
	uint32_t magic;
	if (len < 4) return;
	memcpy(&magic, body, 4);
	if (magic != GAME_MAGIC) return;
	if (fc == FC_AUTH) wifi_queue(FC_AUTH, from, &magic, 4);
	if (fc != FC_ASSOC_REQ) return;
	struct assoc a = {GAME_MAGIC, (uint16_t)seat_for(from), 0};
	con.g.missing[a.aid] = 0;
	con.g.since[a.aid] = (uint32_t)con.m.frame + GRACE;
	wifi_queue(FC_ASSOC_RESP, from, &a, sizeof a);
}
