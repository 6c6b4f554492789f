// The game that all consoles of multiplay.nds play: everybody has a brush that the
// cross moves over a common field and that paints where it goes. A leaps, B makes a
// splash, stars fall where chance puts them. Chance is a number that all share and that
// everybody's keys stir.
//
// It is a function of the turns alone: same turns, same field, same hash.
#ifndef GAME_H
#define GAME_H

#include "air.h"

#define FIELD_W 30
#define FIELD_H 19

struct player {
	u8 here, x, y;
	u8 wait;   // rounds until it may move again
	u8 splash; // rounds until B works again
	u8 leap;   // A was held in the last round
	u16 stars;
};

// A cell is 0, or the number of the player who painted it plus 1; STAR is added to it.
#define STAR 0x80
#define OWNER(cell) ((cell)&0x1F)

struct game {
	u32 rng;
	u32 stars;
	struct player players[PLAYERS];
	u8 cells[FIELD_H][FIELD_W];
	u32 hash; // of all turns and of the whole field after each
};

void game_begin(struct game *g, const struct turn *t); // round 0
void game_play(struct game *g, const struct turn *t);  // any other
int game_score(const struct game *g, int player);

#endif
