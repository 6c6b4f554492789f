#include <string.h>

#include "game.h"
#include "options.h"
#include "state.h"

#define TRIES_MAX 16u
#define RETRY_US 3000u
#define LINE_US 64u
#define EMPTY_EVERY 16u // a round in so many is answered with the empty reply

static void ask(uint32_t stage) {
	struct game *g = &con.g;
	const uint32_t magic = GAME_MAGIC;
	if (g->stage != stage) g->tries = 0;
	g->stage = stage;
	// Not all at once, and not always at the same time of a frame: requests
	// would stand in each other's way, and a host that waits for replies at that
	// very time would never hear them.
	g->retry = (uint32_t)con.m.frame + 4 + (con.m.fw.mac[5] & 7);
	g->retry_us = g->tries * RETRY_US % FRAME_US;
	wifi_queue(stage == CLIENT_AUTH ? FC_AUTH : FC_ASSOC_REQ, g->host, &magic, sizeof magic);
}

static void scan(void) {
	wifi_leave();
	con.g.stage = CLIENT_SCAN;
	con.g.have = 0;
	con.g.settled = 0;
}

void client_frame(void) {
	struct game *g = &con.g;
	if (g->stage != CLIENT_PLAY) return;
	if (++g->silent > (uint32_t)option_number(OPT_radio_patience)) scan();
}

void client_tick(uint32_t now_us) {
	struct game *g = &con.g;
	if (g->stage != CLIENT_AUTH && g->stage != CLIENT_ASSOC) return;
	if (con.m.frame < g->retry || now_us < g->retry_us) return;
	if (++g->tries > TRIES_MAX)
		scan();
	else
		ask(g->stage);
}

void client_heard(uint16_t fc, const uint8_t from[6], const uint8_t *body, uint16_t len) {
	struct game *g = &con.g;
	uint32_t magic;
	if (len < 4) return;
	memcpy(&magic, body, 4);
	if (magic != GAME_MAGIC) return;
	if (fc == FC_BEACON && g->stage == CLIENT_SCAN) {
		memcpy(g->host, from, 6);
		ask(CLIENT_AUTH);
		return;
	}
	if (memcmp(from, g->host, 6)) return;
	if (fc == FC_AUTH && g->stage == CLIENT_AUTH) ask(CLIENT_ASSOC);
	if (fc != FC_ASSOC_RESP || g->stage != CLIENT_ASSOC) return;
	g->stage = con.w.client ? CLIENT_PLAY : CLIENT_SCAN; // no place for us: try again
	g->silent = 0;
	g->have = 0;
}

// keep_phase stretches this frame by some lines while the client's picture is
// behind or ahead of the host's, as games do that show one world on two
// consoles. A frame can only be made longer, so the client falls back until the
// two meet; then it leaves it alone.
static void keep_phase(uint32_t host_us, uint64_t sent) {
	struct game *g = &con.g;
	struct machine *m = &con.m;
	int64_t own = (int64_t)m->now_us - (int64_t)(con.w.us - sent);
	int64_t off = (own - (int64_t)host_us) % (int64_t)FRAME_US;
	if (off < 0) off += FRAME_US;
	g->phase_us = (uint32_t)off;
	uint32_t most = (uint32_t)option_number(OPT_radio_stretch);
	if (!most || m->stretch) return;
	if (off < LINE_US || off >= FRAME_US - LINE_US) {
		if (!g->settled) g->settled = (uint32_t)m->frame + 1;
		return;
	}
	uint32_t lines = (uint32_t)off / LINE_US;
	m->stretch = lines < most ? lines : most;
	g->stretched += m->stretch;
	g->settled = 0;
}

static void prepare_reply(void) {
	struct game *g = &con.g;
	struct {
		struct reply r;
		uint8_t fill[REPLY_MAX - sizeof(struct reply)];
	} out = {.r = {g->shared, g->round, game_input()}};
	int64_t fill = option_number(OPT_radio_payload);
	if (fill < 0 || (uint64_t)fill > sizeof out.fill) fill = sizeof out.fill;
	for (int64_t i = 0; i < fill; i++) out.fill[i] = (uint8_t)(con.m.hash >> i % 8 * 8) ^ (uint8_t)i;
	wifi_set_reply(&out, (uint16_t)(sizeof out.r + (uint64_t)fill));
}

void game_commanded(const uint8_t *body, uint16_t len, uint64_t sent) {
	struct game *g = &con.g;
	struct command c;
	if (g->role != ROLE_CLIENT || len < sizeof c) return;
	memcpy(&c, body, sizeof c);
	g->silent = 0;
	g->rounds++;
	if (g->have && c.round == g->round + 1) {
		if (game_turn(g->shared, g->round, c.took, c.inputs) != c.shared) g->disagreed++;
	} else if (g->have) {
		g->lost += c.round - g->round - 1;
	}
	g->have = 1;
	g->round = c.round;
	g->shared = c.shared;
	mix(g->shared);
	keep_phase(c.now_us, sent);
	if (c.round % EMPTY_EVERY) prepare_reply();
}
