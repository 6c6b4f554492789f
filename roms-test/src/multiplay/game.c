#include "game.h"

#define STARS 8
#define STAR_EVERY 32 // rounds
#define STAR_WORTH 20
#define SPLASH_WAIT 90
#define STEP_WAIT 3 // rounds from a step to the next

static u32 chance(struct game *g, u32 below) {
	g->rng = g->rng * 1664525u + 1013904223u;
	return (g->rng >> 16) % below;
}

// paint gives a cell to a player; the field has no edges.
static void paint(struct game *g, int n, int x, int y) {
	u8 *cell = &g->cells[(y + FIELD_H) % FIELD_H][(x + FIELD_W) % FIELD_W];
	if (*cell & STAR) {
		g->stars--;
		g->players[n].stars++;
	}
	*cell = (u8)(n + 1);
}

static void splash(struct game *g, int n, int radius) {
	const struct player *p = &g->players[n];
	for (int dy = -radius; dy <= radius; dy++)
		for (int dx = -radius; dx <= radius; dx++)
			if (dx * dx + dy * dy <= radius * radius + 1) paint(g, n, p->x + dx, p->y + dy);
}

static void step(struct game *g, int n, u16 keys, int far) {
	struct player *p = &g->players[n];
	int dx = (keys & KEY_RIGHT) != 0, dy = (keys & KEY_DOWN) != 0;
	dx -= (keys & KEY_LEFT) != 0;
	dy -= (keys & KEY_UP) != 0;
	if (!dx && !dy) return;
	p->x = (u8)((p->x + dx * far + FIELD_W) % FIELD_W);
	p->y = (u8)((p->y + dy * far + FIELD_H) % FIELD_H);
	p->wait = STEP_WAIT;
	paint(g, n, p->x, p->y);
}

static void play(struct game *g, int n, u16 keys) {
	struct player *p = &g->players[n];
	int leaps = keys & KEY_A && !p->leap;
	p->leap = (keys & KEY_A) != 0;
	if (p->splash) p->splash--;
	if (leaps)
		step(g, n, keys, 3);
	else if (p->wait)
		p->wait--;
	else
		step(g, n, keys, 1);
	if (keys & KEY_B && !p->splash) {
		splash(g, n, 2);
		p->splash = SPLASH_WAIT;
	}
}

static void drop_star(struct game *g) {
	u32 x = chance(g, FIELD_W), y = chance(g, FIELD_H);
	if (g->stars >= STARS || g->cells[y][x] & STAR) return;
	g->cells[y][x] |= STAR;
	g->stars++;
}

static void hash_all(struct game *g, const struct turn *t) {
	u32 h = mix(mix(g->hash, t->round), g->rng);
	const u8 *cell = &g->cells[0][0];
	for (int n = 0; n < PLAYERS; n++) {
		const struct player *p = &g->players[n];
		h = mix(h, t->moves[n].keys | (u32)p->x << 16 | (u32)p->y << 24);
		h = mix(h, p->stars | (u32)p->wait << 16 | (u32)p->splash << 24);
	}
	for (u32 i = 0; i + 2 <= sizeof g->cells; i += 2) h = mix(h, cell[i] | (u32)cell[i + 1] << 8);
	g->hash = h;
}

_Static_assert(FIELD_W *FIELD_H % 2 == 0, "the field is hashed by pairs");

void game_begin(struct game *g, const struct turn *t) {
	*g = (struct game){.rng = (u32)t->seed << 16 | t->game, .hash = HASH_START};
	for (int n = 0; n < PLAYERS; n++) {
		struct player *p = &g->players[n];
		p->here = t->members >> n & 1;
		p->x = (u8)((4 + 7 * (n % 4) + 3 * (n / 4 & 1)) % FIELD_W);
		p->y = (u8)(2 + 5 * (n / 4));
		if (p->here) paint(g, n, p->x, p->y);
	}
	hash_all(g, t);
}

void game_play(struct game *g, const struct turn *t) {
	for (int n = 0; n < PLAYERS; n++) {
		g->players[n].here = t->members >> n & 1;
		if (!g->players[n].here) continue;
		g->rng = mix(g->rng, t->moves[n].keys);
		play(g, n, t->moves[n].keys);
	}
	if (t->round % STAR_EVERY == 0) drop_star(g);
	hash_all(g, t);
}

int game_score(const struct game *g, int player) {
	const u8 *cell = &g->cells[0][0];
	int score = g->players[player].stars * STAR_WORTH;
	for (u32 i = 0; i < sizeof g->cells; i++) score += OWNER(cell[i]) == player + 1;
	return score;
}
